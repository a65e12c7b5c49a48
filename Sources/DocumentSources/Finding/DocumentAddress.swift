/// What a ``DocumentReference`` names, but for the file, in words that another process on the same machine understands.
/// The address of one whole file is that of another.
///
/// Paths are as they were given, so both processes have to run in the same folder.
package struct DocumentAddress: Sendable, Codable, Equatable {
    /// The position in ``DocumentSources/kinds``.
    private let kind: Int
    private let part: String
    private let firstLine: Int?
    private let extent: Range<Int>?
    private let isGiven: Bool

    /// The address of a document; nil for one of which it is known that it cannot be read.
    package init?(_ document: DocumentReference) {
        guard let source = document.source,
            let kind = DocumentSources.kinds.firstIndex(where: { $0 == type(of: source) })
        else { return nil }
        self.kind = kind
        part = document.part
        firstLine = document.firstLine
        extent = document.extent
        isGiven = document.isGiven
    }

    /// The document at the address in a file. One that is not there any more says so when it is read.
    package func document(in file: FilePath) -> DocumentReference {
        do throws(SourceError) {
            guard DocumentSources.kinds.indices.contains(kind) else { throw SourceError(file, .noSuchFile) }
            var document = DocumentReference(
                try DocumentSources.kinds[kind].source(at: file), part: part, firstLine: firstLine, extent: extent)
            document.isGiven = isGiven
            return document
        } catch {
            return DocumentReference(file, problem: error, isGiven: isGiven)
        }
    }
}
