import DocumentModel
import Foundation
import MigrationCore

/// Replaces some of the documents in a file that has one per line.
public enum LinesRewriting {
    /// Returns the bytes of the file as stored, without unpacking them.
    ///
    /// - Throws: ``SourceError``.
    public static func bytes(of file: FilePath) throws(SourceError) -> Data {
        try OpenFile(path: file).bytes(DocumentReading()).data
    }

    /// Returns the text of the file with some of its lines replaced. Everything between and after those lines is
    /// unchanged.
    ///
    /// - Parameter replacement: Called with the number of each line that contains a document and a hash of its content.
    ///   The hash equals the one that the document had when it was found, if the document is unchanged. Returns the new
    ///   line, or nil to keep the line.
    /// - Throws: ``SourceError``, and any error that `replacement` throws.
    public static func text(
        of file: FilePath, replacement: (_ line: Int, _ content: Int) throws -> Data?
    ) throws -> Data {
        let bytes = try WholeFile(file: file).read(.nothing, DocumentReading())
        var lines = LineSplitter()
        var found: [(number: Int, extent: Range<Int>)] = []
        func split() {
            bytes.withBytes(in: 0..<bytes.count) { all in
                _ = lines.split(all) { _ in
                } line: { number, extent, hasContent in
                    if hasContent { found.append((number, extent)) }
                    return true
                }
            }
        }
        split()
        if lines.hasOnlyReturns {
            lines = .atReturns
            split()
        }
        if lines.hasContent { found.append((lines.number, lines.lastLine)) }
        var text = Data()
        var end = 0
        for (number, extent) in found {
            var hasher = Hasher()
            bytes.withBytes(in: extent) { hasher.combine(bytes: $0) }
            guard let data = try replacement(number, hasher.finalize()) else { continue }
            text += bytes.data(in: end..<extent.lowerBound)
            text += data
            end = extent.upperBound
        }
        return text + bytes.data(in: end..<bytes.count)
    }
}
