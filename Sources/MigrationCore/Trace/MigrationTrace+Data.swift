import DocumentModel
import Foundation

/// Documents as files.
enum DocumentText {
    /// The bytes of `document` in the format and the layout of `original`.
    ///
    /// - Throws: ``PropertyListWritingError`` for a value that a property list cannot hold.
    static func data(of document: Document, like original: Document) throws -> Data {
        if let writer = PropertyListWriter(format: original.format) { return try writer.data(document.root) }
        var data = JSONWriter(layout: .matching(original)).data(document.root)
        if original.source?.lastByte == UInt8(ascii: "\n") { data.append(UInt8(ascii: "\n")) }
        return data
    }
}

extension SourceBytes {
    fileprivate var lastByte: UInt8? { count == 0 ? nil : self[count - 1] }
}
