/// What a ``DocumentReference`` names, but for the file, in words that another process on the same machine understands.
/// The address of one whole file is that of another.
///
/// Paths are as they were given, so both processes have to run in the same folder.
package struct DocumentAddress: Sendable, Equatable {
    /// How a document is reached, which is the same for all that were found in one place.
    package struct Way: Sendable, Codable, Equatable {
        /// The position in ``DocumentSources/kinds``.
        fileprivate let kind: Int
        fileprivate let isGiven: Bool
    }

    package let way: Way
    /// What stands behind `#` in the name.
    package let part: String
    /// The number of the line at which the document begins; nil where its lines are none of the file's.
    package let firstLine: Int?
    /// Where the line stood in the file when it was found, in bytes.
    package let extent: Range<Int>?

    package init(_ way: Way, part: String, firstLine: Int?, extent: Range<Int>?) {
        self.way = way
        self.part = part
        self.firstLine = firstLine
        self.extent = extent
    }

    /// The address of a document; nil for one of which it is known that it cannot be read.
    package init?(_ document: DocumentReference) {
        guard let source = document.source,
            let kind = DocumentSources.kinds.firstIndex(where: { $0 == type(of: source) })
        else { return nil }
        self.init(
            Way(kind: kind, isGiven: document.isGiven), part: document.part, firstLine: document.firstLine,
            extent: document.extent)
    }

    /// The document at the address in a file. One that is not there any more says so when it is read.
    ///
    /// - Parameter last: Another document, which may be in the same file; nil where the file is to be looked at,
    ///   because this one is to be read as it is now.
    package func document(in file: FilePath, behind last: DocumentReference? = nil) -> DocumentReference {
        do throws(SourceError) {
            guard DocumentSources.kinds.indices.contains(way.kind) else { throw SourceError(file, .noSuchFile) }
            let kind = DocumentSources.kinds[way.kind]
            let source: any DocumentSource
            if let last, last.file == file, let same = last.source, type(of: same) == kind {
                source = same
            } else {
                source = try kind.source(at: file)
            }
            var document = DocumentReference(source, part: part, firstLine: firstLine, extent: extent)
            document.isGiven = way.isGiven
            return document
        } catch {
            return DocumentReference(file, problem: error, isGiven: way.isGiven)
        }
    }
}
