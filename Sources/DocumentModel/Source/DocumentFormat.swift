/// The form in which a document is stored.
public enum DocumentFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// JSON, RFC 8259.
    case json
    /// JSON5, as far as JSONDecoder reads it where `allowsJSON5` is set: a text that is no JSON.
    case json5
    /// An XML property list.
    case plistXML = "plist-xml"
    /// A binary property list.
    case plistBinary = "plist-binary"

    /// Whether documents of this form are property lists.
    public var isPropertyList: Bool { self == .plistXML || self == .plistBinary }

    /// The form in which what is made of such a document is written: JSON where it is JSON5, for no encoder writes that.
    public var written: DocumentFormat { self == .json5 ? .json : self }
}

/// What a document lies in that is not a file of its own.
public enum DocumentContainer: String, Sendable, Hashable, Codable, CaseIterable {
    /// A cell of a SQLite store.
    case sqlite
    /// A line of a JSON Lines file.
    case jsonl
    /// A commit of a git repository.
    case git
}

extension DocumentFormat {
    /// How many bytes from the beginning of a file ``announced(by:)`` looks at.
    public static let headLength = 4096

    /// The form that the first bytes of a file announce, whether or not the rest keeps the promise: a binary or XML
    /// property list, or, where a `{` comes first behind white space, JSON.
    ///
    /// - Parameter head: The file, or at least its first ``headLength`` bytes.
    /// - Returns: nil for everything else, including JSON texts that are not objects: too much begins with `[` or a
    ///   digit.
    public static func announced(by head: SourceBytes) -> DocumentFormat? {
        if head.begins(with: "bplist") { return .plistBinary }
        let text = DocumentHead(head)
        if text.beginsAsPropertyList { return .plistXML }
        return text.first == UInt8(ascii: "{") ? .json : nil
    }
}

/// The first characters of a text in whichever encoding: the ASCII ones as they are, all others as bytes beyond ASCII.
struct DocumentHead: ByteScanner {
    let bytes: SourceBytes
    var offset: Int

    /// Looks at the beginning of `source`, behind a byte order mark and white space.
    init(_ source: SourceBytes) {
        let (encoding, markLength) = TextEncoding.detect(in: source)
        (bytes, offset) = encoding == .utf8 ? (source, markLength) : (encoding.head(of: source, from: markLength), 0)
        skipWhitespace()
    }

    /// The first character; nil if there is none.
    var first: UInt8? { isAtEnd ? nil : byte() }

    /// Whether this is the beginning of an XML property list: `<plist` or its document type, behind what XML allows
    /// before them.
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
    /// The first characters of a text in this encoding, a byte each: 0xFF for those that are not ASCII.
    fileprivate func head(of source: SourceBytes, from start: Int) -> SourceBytes {
        let units = stride(
            from: start, through: min(source.count, DocumentFormat.headLength) - unitLength, by: unitLength)
        let head = units.map { unit(at: $0, in: source).flatMap { $0 < 0x80 ? UInt8($0) : nil } ?? 0xFF }
        return head.withUnsafeBytes { SourceBytes($0) }
    }
}
