/// Identifies a ``DocumentReference`` within its file, in a form that another process on the same machine understands.
/// All whole files of one kind have the same address.
///
/// Paths are used as they were given, so both processes have to run in the same folder.
package struct DocumentAddress: Sendable, Equatable {
    /// How to reach a document. All documents that were found in the same source share it.
    package struct Way: Sendable, Codable, Equatable {
        /// The position in ``DocumentSources/kinds``.
        fileprivate let kind: Int
        fileprivate let isGiven: Bool
    }

    package let way: Way
    /// The part of the name after `#`.
    package let part: String
    /// The number of the line at which the document begins, or nil if its lines don't map to lines of the file.
    package let firstLine: Int?
    /// The byte range of the line in the file when it was found.
    package let extent: Range<Int>?

    package init(_ way: Way, part: String, firstLine: Int?, extent: Range<Int>?) {
        self.way = way
        self.part = part
        self.firstLine = firstLine
        self.extent = extent
    }

    /// Creates the address of a document, or nil if the document is known to be unreadable.
    package init?(_ document: DocumentReference) {
        guard let source = document.source,
            let kind = DocumentSources.kinds.firstIndex(where: { $0 == type(of: source) })
        else { return nil }
        self.init(
            Way(kind: kind, isGiven: document.isGiven), part: document.part, firstLine: document.firstLine,
            extent: document.extent)
    }

    /// Returns the document at this address in a file. If it no longer exists, reading it throws an error.
    ///
    /// - Parameter last: Another document whose source is reused if it is in the same file. Pass nil to look at the
    ///   file again and read the document as it is now.
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
