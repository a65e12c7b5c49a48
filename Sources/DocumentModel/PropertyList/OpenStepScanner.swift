/// Distinguishes the old OpenStep text form of property lists from broken JSON, by its first few words.
struct OpenStepScanner {
    private let bytes: SourceBytes
    private var offset: Int

    init(_ bytes: SourceBytes) {
        self.bytes = bytes
        offset = LineIndex.textStart(of: bytes)
    }

    /// Whether the text begins as such a property list does and JSON never: `{ key =`, `( value` and then a comma or
    /// the end, or `key =` at once, as in a .strings file.
    var beginsAsPropertyList: Bool {
        var scanner = self
        scanner.skipSpace()
        switch scanner.byte {
        case UInt8(ascii: "{"):
            scanner.offset += 1
            scanner.skipSpace()
            return scanner.skipsWord() && scanner.isNext("=")
        case UInt8(ascii: "("):
            scanner.offset += 1
            scanner.skipSpace()
            let isContainer = scanner.byte == UInt8(ascii: "(") || scanner.byte == UInt8(ascii: "{")
            return isContainer || scanner.isNext(")")
                || (scanner.skipsWord() && (scanner.isNext(",") || scanner.isNext(")")))
        default: return scanner.skipsWord() && scanner.isNext("=")
        }
    }

    private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func isNext(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        return byte.map(Unicode.Scalar.init) == character
    }

    private mutating func skipSpace() {
        while let byte {
            if byte <= 0x20 {
                offset += 1
            } else if skips("//") {
                while let byte = self.byte, byte != 0x0A, byte != 0x0D { offset += 1 }
            } else if skips("/*") {
                while self.byte != nil, !skips("*/") { offset += 1 }
            } else {
                return
            }
        }
    }

    private mutating func skips(_ text: String) -> Bool {
        let end = offset + text.utf8.count
        guard end <= bytes.count, zip(offset..<end, text.utf8).allSatisfy({ bytes[$0] == $1 }) else { return false }
        offset = end
        return true
    }

    /// Skips a name, in quotation marks or bare; false if there is none.
    private mutating func skipsWord() -> Bool {
        guard let first = byte else { return false }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            offset += 1
            while let byte, byte != first { offset += byte == UInt8(ascii: "\\") ? 2 : 1 }
            offset += 1
            return offset <= bytes.count
        }
        let start = offset
        while let byte, Self.isBare(byte) { offset += 1 }
        return offset > start
    }

    /// A character that needs no quotation marks.
    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
