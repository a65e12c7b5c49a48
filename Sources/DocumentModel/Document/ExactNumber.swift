/// A number by its value, exact however many digits it has: sign, significant digits, and the power of ten of the last
/// of them.
///
/// `1`, `1.0`, `10e-1` and `0.01E2` are one number; 9007199254740992 and 9007199254740993 are two.
struct ExactNumber: Hashable {
    private let isNegative: Bool
    /// Decimal digits without leading or trailing zeros; empty for zero. For `nan` and `inf`, that word.
    private let digits: [UInt8]
    private let exponent: Int

    /// Reads a JSON number, or `nan`, `inf` or `-inf`.
    init(_ text: UnsafeRawBufferPointer) {
        var digits: [UInt8] = []
        let exponent = Self.exponent(of: text) { digits.append($0) }
        isNegative = text.first == UInt8(ascii: "-") && !digits.isEmpty
        self.digits = exponent == nil ? Array(text) : digits
        self.exponent = digits.isEmpty ? 0 : exponent ?? 0
    }

    /// Reads the number that `text` spells.
    init(_ text: String) { self = text.withBytes { ExactNumber($0) } }

    /// Whether the text can be read, for text that no parser has seen.
    static func isSpelled(by text: UnsafeRawBufferPointer) -> Bool {
        if ["nan", "inf", "-inf"].contains(where: { text.elementsEqual($0.utf8) }) { return true }
        func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let parts = halves[0].split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == UInt8(ascii: ".") }
        let whole = parts[0].first.map(isSign) == true ? parts[0].dropFirst() : parts[0]
        let fractionIsSound = parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy(isDigit)
        guard !whole.isEmpty, whole.allSatisfy(isDigit), fractionIsSound else { return false }
        guard halves.count == 2 else { return true }
        let exponent = halves[1].first.map(isSign) == true ? halves[1].dropFirst() : halves[1]
        return !exponent.isEmpty && exponent.allSatisfy(isDigit)
    }

    /// Whether a number that ``isSpelled(by:)`` is spelled with digits only, behind a minus sign or not.
    static func isInteger(_ text: UnsafeRawBufferPointer) -> Bool {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A hash of the number that `text` spells, without an ``ExactNumber`` being made: equal numbers have equal hashes.
    static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var digits: UInt64 = 0
        var isZero = true
        let exponent = exponent(of: text) { digit in
            digits = digits &* factor &+ UInt64(digit - UInt8(ascii: "0"))
            isZero = false
        }
        guard let exponent else { return FastHash.hash(text) }
        if isZero { return 0 }
        let sign: UInt64 = text.first == UInt8(ascii: "-") ? 2 : 1
        return FastHash.mix(digits &+ sign << 62, UInt64(bitPattern: Int64(exponent)))
    }

    /// The same hash of a number that is spelled with digits only, behind a minus sign or not.
    static func hash(ofInteger text: UnsafeRawBufferPointer) -> UInt64 {
        let isNegative = text.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        var end = text.count
        while end > start, text[end - 1] == UInt8(ascii: "0") { end -= 1 }
        if end <= start { return 0 }
        var digits: UInt64 = 0
        for offset in start..<end {
            digits = digits &* factor &+ UInt64(text[offset] &- UInt8(ascii: "0"))
        }
        return FastHash.mix(digits &+ (isNegative ? 2 : 1) << 62, UInt64(text.count - end))
    }

    /// What the hash of the digits so far is multiplied with, before the next is added.
    private static let factor: UInt64 = 0x1_0000_01B3

    /// Calls `body` with the digits of the number that `text` spells, leading and trailing zeros aside.
    ///
    /// - Returns: The power of ten of the last of them; nil if the text is a word.
    @inline(__always)
    private static func exponent(of text: UnsafeRawBufferPointer, _ body: (UInt8) -> Void) -> Int? {
        var offset = text.first == UInt8(ascii: "-") ? 1 : 0
        var (hasDigits, seenPoint) = (false, false)
        // Zeros count only when another digit follows them.
        var zeros = 0
        var scale = 0
        while offset < text.count {
            let byte = text[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "."): seenPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): return exponent(text[offset...]) - scale + zeros
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if seenPoint { scale += 1 }
                if byte == UInt8(ascii: "0") {
                    zeros += hasDigits ? 1 : 0
                    continue
                }
                for _ in 0..<zeros { body(UInt8(ascii: "0")) }
                body(byte)
                (hasDigits, zeros) = (true, 0)
            default: return nil
            }
        }
        return zeros - scale
    }

    /// An exponent that fits no machine word is held at the end of the range; it is compared, never computed with.
    private static func exponent(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
        let isDown = text.first == UInt8(ascii: "-")
        let digits = text.first == UInt8(ascii: "+") || isDown ? text.dropFirst() : text
        var value = 0
        for byte in digits {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            value = overflow ? .max / 2 : min(product, .max / 2) + Int(byte - UInt8(ascii: "0"))
        }
        value = min(value, .max / 2)
        return isDown ? -value : value
    }
}
