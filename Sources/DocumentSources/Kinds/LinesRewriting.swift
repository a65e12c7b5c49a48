import DocumentModel
import Foundation
import MigrationCore

/// A file of documents, one a line, with some of them replaced.
public enum LinesRewriting {
    /// The bytes of the file, packed or not.
    ///
    /// - Throws: ``SourceError``.
    public static func bytes(of file: FilePath) throws(SourceError) -> Data {
        try OpenFile(path: file).bytes(DocumentReading()).data
    }

    /// The text of the file with other lines in the place of some; all that stands between and behind them stays.
    ///
    /// - Parameter replacement: Given the number of each line that holds a document, and the hash that the document had
    ///   when it was found if it is the same; gives nil for a line that stays.
    /// - Throws: ``SourceError``, and what `replacement` throws.
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
