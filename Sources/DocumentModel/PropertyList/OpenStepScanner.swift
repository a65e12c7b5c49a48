/// Distinguishes the old OpenStep text format of property lists from malformed JSON, by the first few words.
struct OpenStepScanner: ByteScanner {
    let bytes: SourceBytes
    var offset: Int

    /// Returns whether the text begins like such a property list, but unlike JSON: `{ key =`, `( value` followed by a
    /// comma or the end, or directly `key =`, as in a .strings file. C comments are allowed between any two words.
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

    /// Skips a name with or without quotation marks. Returns false if there is none.
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
