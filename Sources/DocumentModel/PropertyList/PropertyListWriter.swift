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

    /// The writer of the form in which a document of that format is stored; nil for JSON.
    public init?(format: DocumentFormat) {
        switch format {
        case .plistXML: self = .xml
        case .plistBinary: self = .binary
        case .json: return nil
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
    /// Where in the document the value is that cannot be written.
    public var path: DocumentPath
    /// What it is, in words.
    public var found: String
    /// What would be right.
    public var expected: String

    init(_ node: DocumentNode, found: String, expected: String) {
        path = node.path
        self.found = found
        self.expected = expected
    }

    static func null(_ node: DocumentNode) -> PropertyListWritingError {
        PropertyListWritingError(
            node, found: "null, which property lists do not have", expected: "a value, or no such member")
    }

    static func identifier(_ node: DocumentNode) -> PropertyListWritingError {
        PropertyListWritingError(
            node,
            found: "a dictionary {\"CF$UID\": …}, which an XML property list cannot tell from a unique identifier",
            expected: "another name, or a binary property list")
    }

    static func tooLarge(_ integer: DocumentNode) -> PropertyListWritingError {
        PropertyListWritingError(
            integer, found: "the integer \(integer.briefText)",
            expected: "one from \(Int64.min) to \(UInt64.max)")
    }
}

extension PropertyListWritingError: CustomStringConvertible {
    /// The whole sentence: `$.author: found null, …`.
    public var description: String { "\(path): found \(found), expected \(expected)" }
}
