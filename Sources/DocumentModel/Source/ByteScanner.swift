/// Scans the bytes of a text. The parsers of XML, of old property lists and of first bytes share it.
///
/// ## Bounds
/// `offset` is at most `bytes.count`. Reads past the end get the zero bytes of ``SourceBytes/padding``, which never
/// match.
protocol ByteScanner: ~Copyable {
    var bytes: SourceBytes { get }
    var offset: Int { get set }
}

extension ByteScanner where Self: ~Copyable {
    var isAtEnd: Bool { offset >= bytes.count }

    /// Returns the byte `distance` bytes after the offset, which may be in the padding.
    @inline(__always)
    func byte(_ distance: Int = 0) -> UInt8 { bytes.base[offset + distance] }

    func begins(with text: String) -> Bool { bytes.begins(with: text, at: offset) }

    mutating func skips(_ text: String) -> Bool {
        guard begins(with: text) else { return false }
        offset += text.utf8.count
        return true
    }

    mutating func skip(while condition: (UInt8) -> Bool) {
        while !isAtEnd, condition(byte()) { offset += 1 }
    }

    /// Skips the white space of XML and JSON.
    mutating func skipWhitespace() {
        while byte().isWhitespace { offset += 1 }
    }

    /// Skips everything up to and including `text`, or returns false if it doesn't occur.
    mutating func skips(through text: String) -> Bool {
        while !isAtEnd {
            if skips(text) { return true }
            offset += 1
        }
        return false
    }
}

// MARK: - ASCII

extension UInt8 {
    /// Whether this is an ASCII digit.
    @inline(__always)
    package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether this is an ASCII letter or digit.
    package var isLetterOrDigit: Bool { isDigit || (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// Whether this is white space in JSON and XML.
    @inline(__always)
    package var isWhitespace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// The byte with an ASCII letter converted to lowercase.
    package var foldingASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension BinaryInteger {
    /// Returns the digits of the number, padded with leading zeros to `width`.
    package func padded(to width: Int, radix: Int = 10, uppercase: Bool = false) -> String {
        let digits = String(self, radix: radix, uppercase: uppercase)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
