/// Distinguishes the old OpenStep text form of property lists from broken JSON, by its first few words.
struct OpenStepScanner: ByteScanner {
    let bytes: SourceBytes
    var offset: Int

    /// Whether the text begins as such a property list does and JSON never: `{ key =`, `( value` and then a comma or
    /// the end, or `key =` at once, as in a .strings file. There may be comments as C has them between any two words.
    static func recognizes(_ bytes: SourceBytes) -> Bool {
        var scanner = OpenStepScanner(bytes: bytes, offset: LineIndex.textStart(of: bytes))
        if scanner.skips(next: "(") {
            if scanner.skips(next: "(") || scanner.skips(next: "{") || scanner.skips(next: ")") { return true }
            return scanner.skipsWord() && (scanner.skips(next: ",") || scanner.skips(next: ")"))
        }
        _ = scanner.skips(next: "{")
        return scanner.skipsWord() && scanner.skips(next: "=")
    }

    private mutating func skips(next text: String) -> Bool {
        skipSpace()
        return skips(text)
    }

    private mutating func skipSpace() {
        while !isAtEnd {
            if byte() <= 0x20 {
                offset += 1
            } else if skips("//") {
                skip { $0 != 0x0A && $0 != 0x0D }
            } else if !skips("/*") || !skips(through: "*/") {
                return
            }
        }
    }

    /// Skips a name, in quotation marks or bare; false if there is none.
    private mutating func skipsWord() -> Bool {
        skipSpace()
        let (start, quote) = (offset, byte())
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            skip { $0.isLetterOrDigit || "_$/:.-".utf8.contains($0) }
            return offset > start
        }
        offset += 1
        while !isAtEnd, byte() != quote { offset += byte() == UInt8(ascii: "\\") ? 2 : 1 }
        offset += 1
        return offset <= bytes.count
    }
}
