/// The form in which a document is stored.
public enum DocumentFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// JSON, RFC 8259.
    case json
    /// An XML property list.
    case plistXML = "plist-xml"
    /// A binary property list.
    case plistBinary = "plist-binary"

    /// Whether documents of this form are property lists.
    public var isPropertyList: Bool { self == .plistXML || self == .plistBinary }
}

/// What a document lies in that is not a file of its own.
public enum DocumentContainer: String, Sendable, Hashable, Codable, CaseIterable {
    /// A cell of a SQLite store.
    case sqlite
    /// A line of a JSON Lines file.
    case jsonl
}
