import DocumentModel

/// A source of documents: a file or stream that is a document or contains documents.
///
/// To add one, declare a type that conforms to this protocol in a new file, and add it to ``DocumentSources/kinds``.
protocol DocumentSource: Sendable {
    /// The kind of container that the documents are in, or nil if the whole source is the document.
    static var container: DocumentContainer? { get }

    /// Returns the source in a file, if the file is of this kind judging by its name and its first bytes.
    ///
    /// - Throws: ``SourceError`` if the file is, or was meant to be, of this kind but cannot be opened as such.
    static func source(in file: FoundFile) throws(SourceError) -> Self?

    /// Returns the source in a file that is known to be of this kind.
    static func source(at file: FilePath) throws(SourceError) -> Self

    var file: FilePath { get }

    /// Whether the bytes can be read only once, by one process.
    var isReadOnce: Bool { get }

    /// Whether the process that found the document reads its bytes on behalf of every process that works on it.
    var isReadHere: Bool { get }

    /// Whether the source is compressed with gzip.
    var isPacked: Bool { get }

    /// An identifier that documents with the same bytes share, if it is known without reading them.
    var contentID: [UInt8]? { get }

    /// The commit that contains the document, or nil if there is none or it isn't known.
    var revision: DocumentRevision? { get }

    /// The file whose history the document is a state of, as it was named.
    var history: FilePath { get }

    /// The name of the whole source in a list, or nil to use the file's name.
    var label: String? { get }

    /// Finds the documents inside, in order.
    ///
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` if the search was cancelled.
    func find(_ search: DocumentSearch) throws(SourceError)

    /// Returns the document named `part`, which is the part of a name after `#`, or nil if no document inside can have
    /// that name.
    func document(named part: String) -> DocumentReference?

    /// Returns the bytes of a document inside.
    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes

    /// Returns the part of a document that can be read, and why the rest cannot. Returns nil if all of the document can
    /// be read, or none of it.
    ///
    /// Sources that search for their documents deliver such a part from ``find(_:)``.
    func goodPart(
        of document: DocumentReference, isCancelled: @escaping () -> Bool
    ) throws(SourceError) -> (DocumentReference, SourceError)?

    /// A value that changes when the documents inside change, or nil if they never do or there is no file.
    var stamp: ModificationStamp? { get }

    /// Returns the name of the series that a document inside belongs to, or nil if it belongs to none.
    func series(of document: DocumentReference) -> String?

    /// Returns the bytes of some documents of a series, to judge the series by.
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
    var stamp: ModificationStamp? { ModificationStamp(path: file) }
    func goodPart(
        of document: DocumentReference, isCancelled: @escaping () -> Bool
    ) throws(SourceError) -> (DocumentReference, SourceError)? { nil }
    func series(of document: DocumentReference) -> String? { nil }
    func sample(ofSeries name: String, limit: Int) throws(SourceError) -> [SourceBytes] { [] }
}

/// The options of a search for documents in a source, and its callbacks.
struct DocumentSearch {
    /// Whether the source was named on the command line, rather than found in a folder.
    let isGiven: Bool
    /// The columns of stores to look for documents in, as `TABLE.COLUMN`. If empty, the store is searched for such
    /// columns.
    let columns: [String]
    /// Called now and then; the search ends when it returns true.
    let isCancelled: () -> Bool
    /// Called before the search waits for the output of another program.
    let waiting: () -> Void
    /// Called with every document that is found.
    var deliver: (DocumentReference) -> Void
}

/// A file whose content isn't known yet.
final class FoundFile {
    let path: FilePath
    /// Whether the file was named on the command line, rather than found in a folder. If so, it is meant to be a
    /// document, whatever its name is.
    let isGiven: Bool
    let ending: DocumentEnding?
    private var knownHead: SourceBytes?

    init(_ path: FilePath, isGiven: Bool) {
        self.path = path
        self.isGiven = isGiven
        ending = DocumentEnding(path)
    }

    /// Returns the first bytes. The file is opened for them once.
    func head() throws(SourceError) -> SourceBytes {
        if let knownHead { return knownHead }
        let head = try OpenFile(path: path).head()
        knownHead = head
        return head
    }
}
