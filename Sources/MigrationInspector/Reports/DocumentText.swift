import DocumentModel
import Foundation

/// Documents as files.
enum DocumentText {
    /// The bytes of `document` in the format, the layout and the encoding of `original`.
    ///
    /// - Throws: ``PropertyListWritingError`` for a value that a property list cannot hold.
    static func data(of document: Document, like original: Document) throws -> Data {
        if let writer = PropertyListWriter(format: original.format) { return try writer.data(document.root) }
        let text = JSONWriter(layout: .matching(original)).data(document.root) + spaceBehind(original)
        return original.encoding.data(of: text, withByteOrderMark: original.hasByteOrderMark)
    }

    /// What stands behind the outermost value, a line end as a rule.
    private static func spaceBehind(_ document: Document) -> Data {
        guard let source = document.source, let end = document.root.sourceRange?.upperBound else { return Data() }
        return source.data(in: end..<source.count)
    }
}
