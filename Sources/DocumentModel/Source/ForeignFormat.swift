/// The format of a file that isn't a document, recognized by its first bytes or words.
public enum ForeignFormat: String, Hashable, Sendable, Codable, CaseIterable {
    case yaml, toml, gzip, zip, bzip2, xz, zstandard, pdf, png, jpeg

    /// Returns the format of bytes that are neither JSON nor a property list, or nil if it isn't recognized.
    ///
    /// - Parameter start: The beginning of the text, after a byte order mark and white space.
    static func recognized(in bytes: SourceBytes, from start: Int) -> ForeignFormat? {
        if let format = signatures.first(where: { signature, _ in
            signature.count <= bytes.count && signature.indices.allSatisfy { bytes[$0] == signature[$0] }
        }) {
            return format.1
        }
        var scanner = ForeignScanner(bytes: bytes, offset: start)
        return scanner.format
    }

    /// The bytes at the beginning of each format's files.
    private static let signatures: [([UInt8], ForeignFormat)] = [
        ([0x1F, 0x8B], .gzip), ([0x50, 0x4B, 0x03, 0x04], .zip), (Array("BZh".utf8), .bzip2),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .xz), ([0x28, 0xB5, 0x2F, 0xFD], .zstandard),
        (Array("%PDF-".utf8), .pdf), ([0x89, 0x50, 0x4E, 0x47], .png), ([0xFF, 0xD8, 0xFF], .jpeg),
    ]
}

/// Examines the first words of a text.
private struct ForeignScanner: ByteScanner {
    let bytes: SourceBytes
    var offset: Int

    /// The format of the first line that is neither empty nor a comment (YAML 1.2, chapter 9; TOML 1.0).
    var format: ForeignFormat? {
        mutating get {
            skipWhitespace()
            while skips("#") {
                skip { $0 != 0x0A }
                skipWhitespace()
            }
            if begins(with: "%YAML") || begins(with: "---") || begins(with: "- ") { return .yaml }
            if skips("[") {
                let isBracketed = skips("[")
                return skipsName() && skips("]") && (!isBracketed || skips("]")) && isAtLineEnd ? .toml : nil
            }
            guard skipsName(), skips(":") else { return nil }
            return isAtLineEnd || byte() == 0x20 ? .yaml : nil
        }
    }

    private var isAtLineEnd: Bool { isAtEnd || byte() == 0x0A || byte() == 0x0D }

    /// Skips a bare name. Returns false if there is none.
    private mutating func skipsName() -> Bool {
        let start = offset
        skip { $0.isLetterOrDigit || "_-.".utf8.contains($0) }
        return offset > start
    }
}
