import DocumentModel
import MigrationCore

/// The values in a file, a pipe or standard input: one JSON value, or one per line. Input compressed with gzip is
/// unpacked.
public struct ValueStream {
    private let stream: DocumentStream

    /// Creates a stream of the values in the file at `path`; `-` is standard input.
    public init(_ path: FilePath) {
        stream = DocumentStream.source(at: path)
    }

    /// Calls `body` with the bytes of each value and the number of its line until it returns false. The number is nil
    /// if there is only one value.
    ///
    /// - Throws: ``SourceError``.
    public func values(_ body: (SourceBytes, _ line: Int?) -> Bool) throws(SourceError) {
        var goesOn = true
        do throws(SourceError) {
            try withoutActuallyEscaping(body) { body throws(SourceError) in
                let search = DocumentSearch(isGiven: true, columns: [], isCancelled: { !goesOn }, waiting: {}) {
                    guard goesOn, let bytes = $0.held else { return }
                    goesOn = body(bytes, $0.isWhole ? nil : $0.firstLine)
                }
                try stream.find(search)
            }
        } catch {
            if goesOn { throw error }
        }
    }
}
