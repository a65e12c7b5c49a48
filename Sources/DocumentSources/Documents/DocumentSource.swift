import DocumentModel

/// Where documents come from: a file or stream that is a document, or holds documents.
///
/// To add one, conform to this in a file of its own and name it in ``DocumentSources/kinds``.
protocol DocumentSource: Sendable {
    /// What the documents inside lie in; nil where the whole is the document.
    static var container: DocumentContainer? { get }

    /// The source in a file, if the file is of this kind as far as its name and its first bytes tell.
    ///
    /// - Throws: ``SourceError`` for a file that is of this kind, or was meant to be, and cannot be opened as such.
    static func source(in file: FoundFile) throws(SourceError) -> Self?

    /// The source in a file that is known to be of this kind.
    static func source(at file: FilePath) throws(SourceError) -> Self

    /// The file.
    var file: FilePath { get }

    /// Whether the bytes can be read only once, by one process.
    var isReadOnce: Bool { get }

    /// Whether the bytes are read by the process that found the document, for any that works on it.
    var isReadHere: Bool { get }

    /// Whether gzip has packed it.
    var isPacked: Bool { get }

    /// What is the same for documents of the same bytes, where that is known without reading them.
    var contentID: [UInt8]? { get }

    /// The commit that the document lies in; nil where it lies in none, or none is known.
    var revision: DocumentRevision? { get }

    /// The file that the document is a state of, as it was named.
    var history: FilePath { get }

    /// The commits that hold the states right before it; nil for what is no state, or is the state as it is now.
    var earlier: [String]? { get }

    /// What to call the whole in a list; nil for the name of the file.
    var label: String? { get }

    /// Finds the documents inside, in their order.
    ///
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` when the search was cancelled.
    func find(_ search: DocumentSearch) throws(SourceError)

    /// The document that `part`, which stands behind `#` in a name, means; nil where nothing inside can have that name.
    func document(named part: String) -> DocumentReference?

    /// The bytes of a document inside.
    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes

    /// The part of a document that can be read, and why what follows it cannot; nil for a document that can be read, and
    /// for one of which no part can.
    ///
    /// Sources that find their documents give such a part there.
    func goodPart(
        of document: DocumentReference, isCancelled: @escaping () -> Bool
    ) throws(SourceError) -> (DocumentReference, SourceError)?

    /// What changes when the documents inside change; nil where they never do, or where there is no file.
    var stamp: ModificationStamp? { get }

    /// The name of the series that a document inside belongs to; nil where documents stand for themselves.
    func series(of document: DocumentReference) -> String?

    /// The bytes of some documents of a series, for judging it by them.
    func sample(ofSeries name: String, limit: Int) throws(SourceError) -> [SourceBytes]
}

extension DocumentSource {
    var label: String? { nil }
    var isReadOnce: Bool { false }
    var isReadHere: Bool { isReadOnce }
    var isPacked: Bool { false }
    var contentID: [UInt8]? { nil }
    var revision: DocumentRevision? { nil }
    var history: FilePath { file }
    var earlier: [String]? { nil }
    var stamp: ModificationStamp? { ModificationStamp(path: file) }
    func goodPart(
        of document: DocumentReference, isCancelled: @escaping () -> Bool
    ) throws(SourceError) -> (DocumentReference, SourceError)? { nil }
    func series(of document: DocumentReference) -> String? { nil }
    func sample(ofSeries name: String, limit: Int) throws(SourceError) -> [SourceBytes] { [] }
}

/// What to find in a source, and what to do with it.
struct DocumentSearch {
    /// Whether the source was named on the command line, rather than found in a folder.
    let isGiven: Bool
    /// The columns of stores to look for documents in, as `TABLE.COLUMN`; where none is named, they are found by
    /// looking.
    let columns: [String]
    /// Asked now and then; when it returns true, the search ends.
    let isCancelled: () -> Bool
    /// Called before the search waits for what another program has to write.
    let waiting: () -> Void
    /// Given every document that is found.
    var deliver: (DocumentReference) -> Void
}

/// A file before it is known what it holds.
final class FoundFile {
    let path: FilePath
    /// Whether it was named on the command line, rather than found in a folder: then it is meant to be a document,
    /// whatever its name.
    let isGiven: Bool
    let ending: DocumentEnding?
    private var knownHead: SourceBytes?

    init(_ path: FilePath, isGiven: Bool) {
        self.path = path
        self.isGiven = isGiven
        ending = DocumentEnding(path)
    }

    /// The first bytes, for which the file is opened once.
    func head() throws(SourceError) -> SourceBytes {
        if let knownHead { return knownHead }
        let head = try OpenFile(path: path).head()
        knownHead = head
        return head
    }
}
