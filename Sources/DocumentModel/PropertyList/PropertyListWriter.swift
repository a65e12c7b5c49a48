import Foundation

/// Writes documents as property lists, preserving the order of keys.
///
///     let data = try PropertyListWriter.xml.data(document.root)
///
/// The XML has the layout of Foundation's PropertyListSerialization. Numbers are written as they are in the document.
///
/// - Warning: The XML format has no fractions of seconds; dates lose them, as they do with Foundation.
public enum PropertyListWriter: Sendable, Hashable {
    /// The XML text format.
    case xml
    /// The binary format.
    case binary

    /// Creates the writer for a document's format, or returns nil for JSON and JSON5.
    public init?(format: DocumentFormat) {
        switch format {
        case .plistXML: self = .xml
        case .plistBinary: self = .binary
        case .json, .json5: return nil
        }
    }

    /// Returns a complete property list with the value `node`.
    ///
    /// - Throws: ``PropertyListWritingError`` if property lists cannot contain a value.
    public func data(_ node: DocumentNode) throws(PropertyListWritingError) -> Data {
        switch self {
        case .xml: try XMLPropertyListWriter.data(node)
        case .binary: try BinaryPropertyListWriter.data(node)
        }
    }
}

/// An error that says why a document cannot be written as a property list.
public struct PropertyListWritingError: Error, Hashable, Sendable {
    /// A value that a property list cannot contain.
    public enum Problem: Hashable, Sendable {
        case null
        /// A dictionary that would have the same XML as the unique identifier of a keyed archive.
        case identifier
        /// An integer beyond 64 bits, as written, truncated if it is long.
        case integerTooLarge(String)
    }

    /// The path of the value that cannot be written.
    public var path: DocumentPath
    /// The kind of value.
    public var problem: Problem

    init(_ node: DocumentNode, _ problem: Problem) {
        path = node.path
        self.problem = problem
    }
}
