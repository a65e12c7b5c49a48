import DocumentModel
import Foundation

/// Documents as files.
enum DocumentText {
    /// The bytes of `document` in the format and the layout of `original`.
    ///
    /// - Throws: What the writer of property lists throws for a value that a property list cannot hold.
    static func data(of document: Document, like original: Document) throws -> Data {
        if let source = document.source, original.source === source, document.format == .json { return source.data }
        switch original.format {
        case .plistXML: return try PropertyListWriter.xml(document.root)
        case .plistBinary: return try PropertyListWriter.binary(document.root)
        case .json, .sqlite:
            var data = JSONWriter(layout: .matching(original)).data(document.root)
            if original.source?.lastByte == UInt8(ascii: "\n") { data.append(UInt8(ascii: "\n")) }
            return data
        }
    }
}

extension SourceBytes {
    fileprivate var lastByte: UInt8? { count == 0 ? nil : self[count - 1] }
}
