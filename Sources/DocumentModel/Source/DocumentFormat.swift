/// The format in which a document is stored.
public enum DocumentFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// JSON, RFC 8259.
    case json
    /// JSON5 to the extent that JSONDecoder reads it with `allowsJSON5`: text that isn't valid JSON.
    case json5
    /// An XML property list.
    case plistXML = "plist-xml"
    /// A binary property list.
    case plistBinary = "plist-binary"

    /// Whether documents in this format are property lists.
    public var isPropertyList: Bool { self == .plistXML || self == .plistBinary }

    /// The format in which documents derived from such a document are written. For JSON5 it is JSON, because no encoder
    /// writes JSON5.
    public var written: DocumentFormat { self == .json5 ? .json : self }
}

/// A container of documents that are not separate files.
public enum DocumentContainer: String, Sendable, Hashable, Codable, CaseIterable {
    /// A cell of a SQLite store.
    case sqlite
    /// A line of a JSON Lines file.
    case jsonl
    /// A commit of a git repository.
    case git
}

extension DocumentFormat {
    /// The number of bytes at the beginning of a file that ``announced(by:)`` examines.
    public static let headLength = 4096

    /// Returns the format that the first bytes of a file suggest, even if the rest doesn't match: a binary or XML
    /// property list, or JSON if the first character after white space and comments is `{`.
    ///
    /// - Parameter head: The file, or at least its first ``headLength`` bytes.
    /// - Returns: nil for anything else, including JSON text that isn't an object, because too many other files begin
    ///   with `[` or a digit.
    public static func announced(by head: SourceBytes) -> DocumentFormat? {
        if head.begins(with: "bplist") { return .plistBinary }
        let text = DocumentHead(head)
        if text.beginsAsPropertyList { return .plistXML }
        return text.beginsAsObject ? .json : nil
    }
}

/// The first characters of a text in any encoding: ASCII characters are unchanged, and all others become bytes beyond
/// ASCII.
struct DocumentHead: ByteScanner {
    let bytes: SourceBytes
    var offset: Int

    /// Reads the beginning of `source`, skipping a byte order mark and white space.
    init(_ source: SourceBytes) {
        let (encoding, markLength) = TextEncoding.detect(in: source)
        (bytes, offset) = encoding == .utf8 ? (source, markLength) : (encoding.head(of: source, from: markLength), 0)
        skipWhitespace()
    }

    /// The first character, or nil if there is none.
    var first: UInt8? { isAtEnd ? nil : byte() }

    /// Whether this is the beginning of an object, after any comments that JSON5 allows before it.
    var beginsAsObject: Bool {
        var head = self
        while head.skips("//") && head.skips(through: "\n") || head.skips("/*") && head.skips(through: "*/") {
            head.skipWhitespace()
        }
        return head.first == UInt8(ascii: "{")
    }

    /// Whether this is the beginning of an XML property list: `<plist` or its document type, after anything that XML
    /// allows before them.
    var beginsAsPropertyList: Bool {
        var head = self
        while head.skips("<?") && head.skips(through: "?>") || head.skips("<!--") && head.skips(through: "-->") {
            head.skipWhitespace()
        }
        guard head.skips("<plist") || head.skips("<!DOCTYPE plist") else { return false }
        return head.first.map { $0.isWhitespace || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") } ?? true
    }
}

extension TextEncoding {
    /// Returns the first characters of a text in this encoding, one byte each: 0xFF for those that are not ASCII.
    fileprivate func head(of source: SourceBytes, from start: Int) -> SourceBytes {
        let units = stride(
            from: start, through: min(source.count, DocumentFormat.headLength) - unitLength, by: unitLength)
        let head = units.map { unit(at: $0, in: source).flatMap { $0 < 0x80 ? UInt8($0) : nil } ?? 0xFF }
        return head.withUnsafeBytes { SourceBytes($0) }
    }
}
