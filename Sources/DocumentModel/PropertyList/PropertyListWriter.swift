import Foundation

/// Writes documents as property lists: keys in their order.
///
///     let data = try PropertyListWriter.xml.data(document.root)
///
/// The XML form is laid out as Foundation's PropertyListSerialization lays it out. Numbers are written as they are in
/// the document.
///
/// - Warning: The XML form has no fractions of seconds; a date loses its own there, as it does with Foundation.
public enum PropertyListWriter: Sendable, Hashable {
    /// Writes XML text.
    case xml
    /// Writes the binary form.
    case binary

    /// The writer of the form in which a document of that format is stored; nil for JSON and JSON5.
    public init?(format: DocumentFormat) {
        switch format {
        case .plistXML: self = .xml
        case .plistBinary: self = .binary
        case .json, .json5: return nil
        }
    }

    /// The whole property list whose value is `node`.
    ///
    /// - Throws: ``PropertyListWritingError`` for what property lists cannot hold.
    public func data(_ node: DocumentNode) throws(PropertyListWritingError) -> Data {
        switch self {
        case .xml: try XMLPropertyListWriter.data(node)
        case .binary: try BinaryPropertyListWriter.data(node)
        }
    }
}

/// Why a document cannot be written as a property list.
public struct PropertyListWritingError: Error, Hashable, Sendable {
    /// What a property list cannot hold.
    public enum Problem: Hashable, Sendable {
        case null
        /// A dictionary that XML cannot tell from the unique identifier of a keyed archive.
        case identifier
        /// An integer beyond 64 bits, as it is written, but cut off where it is long.
        case integerTooLarge(String)
    }

    /// Where in the document the value is that cannot be written.
    public var path: DocumentPath
    /// What it is.
    public var problem: Problem

    init(_ node: DocumentNode, _ problem: Problem) {
        path = node.path
        self.problem = problem
    }
}
