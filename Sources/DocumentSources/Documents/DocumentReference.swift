import DocumentModel
import MigrationCore

/// A document by its resolved name: a file, or a part of a file that is a separate document.
///
///     demo-data/poems/rating-9.json       a whole file
///     demo-data/letters.jsonl#L12         a line of a JSON Lines file
///     demo-data/store-of-books.sqlite#BOOK/3/META  a cell of a SQLite store
///     -                                   standard input
///
/// The document may be gone, or may be another one, by the time it is read.
public struct DocumentReference: Sendable {
    /// The source of the document, or why nothing can be read.
    private var origin: Result<any DocumentSource, SourceError>

    /// The source of a document that is known to be unreadable.
    private var unreadableSource: (any DocumentSource)?

    /// The file that is the document or contains it; `-` for standard input.
    public let file: FilePath

    /// The part of the name after `#`; empty for a whole file.
    let part: String

    /// The number of the line in the file at which the document begins, or nil if its lines don't map to lines of the
    /// file.
    public let firstLine: Int?

    /// Whether the part is a commit, which precedes the file in the name.
    private let isCommitted: Bool

    /// The byte range of a line in the file when it was found. It saves counting lines when the document is read, and
    /// is checked then.
    let extent: Range<Int>?

    /// A hash of the document's bytes, for comparisons within this process; nil unless the document was read to be
    /// found.
    package internal(set) var content: Int?

    /// The bytes of a document that was unpacked or that can be read only once; nil for any other.
    package let held: SourceBytes?

    /// Whether the document was named on the command line, rather than found in a folder or a container.
    public internal(set) var isGiven = false

    /// Creates a reference to a document inside a source, or to the whole source if no part is named.
    ///
    /// - Parameter held: The bytes, if they were read to find the document.
    init(
        _ source: any DocumentSource, part: String = "", firstLine: Int? = 1, extent: Range<Int>? = nil,
        held: SourceBytes? = nil
    ) {
        origin = .success(source)
        isCommitted = type(of: source).container == .git
        file = source.file
        self.part = part
        self.firstLine = firstLine
        self.extent = extent
        self.held = held
        content = held?.withBytes(in: 0..<(held?.count ?? 0)) { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: bytes)
            return hasher.finalize()
        }
    }

    /// Creates a reference to a document that cannot be read.
    init(_ file: FilePath, problem: SourceError, isGiven: Bool) {
        origin = .failure(problem)
        isCommitted = false
        self.file = file
        part = ""
        firstLine = 1
        extent = nil
        held = nil
        self.isGiven = isGiven
    }

    private init(_ other: DocumentReference, problem: SourceError) {
        self = other
        unreadableSource = other.source ?? other.unreadableSource
        origin = .failure(problem)
    }

    /// Why the document cannot be read, if that is already known.
    package var problem: SourceError? { if case .failure(let problem) = origin { problem } else { nil } }

    /// Whether the document is not there in this state of its history.
    public var isAbsent: Bool { if case .git(.absent)? = problem?.reason { true } else { false } }

    /// Whether the document is the unreadable rest of a packed document, after the part that can be read.
    public var isRest: Bool { restOffset != nil }

    /// The offset of that rest, in packed bytes.
    private var restOffset: Int? {
        if case .gzip(.followed(let offset, _))? = problem?.reason { offset } else { nil }
    }

    var source: (any DocumentSource)? { try? origin.get() }

    /// The source of the document, whether it can be read or not.
    var place: (any DocumentSource)? { source ?? unreadableSource }

    /// The kind of container that the document is in; nil if the document is a whole file.
    public var container: DocumentContainer? {
        part.isEmpty ? nil : place.flatMap { type(of: $0).container }
    }

    /// Whether the document's bytes can be read only once, by one process.
    public var isReadOnce: Bool { held == nil && source?.isReadOnce ?? false }

    /// Whether this process reads the document's bytes on behalf of every process that works on the document.
    public var isReadHere: Bool { held != nil || source?.isReadHere ?? false }

    /// Whether the document is a file or stream compressed with gzip.
    public var isPacked: Bool { isWhole && isInPackedFile }

    /// Whether the document, or the file it is a part of, is compressed with gzip.
    public var isInPackedFile: Bool { source?.isPacked ?? false }

    /// An identifier that documents with the same bytes share, if it is known without reading them.
    public var contentID: [UInt8]? { source?.contentID }

    /// The commit that contains the document, or nil if there is none or it isn't known.
    public var revision: DocumentRevision? { place?.revision }

    /// Whether the document is in a commit that was named by itself, rather than found as a state of a history.
    public var isOfCommit: Bool { isCommitted && revision == nil }

    /// The file or the document in a file whose history the document is a state of, as it was named; the document's own
    /// name unless it is in a commit.
    public var history: FilePath { isCommitted ? place?.history ?? file : part.isEmpty ? file : file + "#\(part)" }

    /// Returns the same document in a changed source.
    func changingSource(_ change: (any DocumentSource) -> any DocumentSource) -> DocumentReference {
        var document = self
        document.origin = origin.map(change)
        document.unreadableSource = unreadableSource.map(change)
        return document
    }

    /// Returns the same document, marked as unreadable.
    public func failing(because problem: SourceProblem) -> DocumentReference {
        DocumentReference(self, problem: SourceError(source: name, reason: problem))
    }

    /// Whether the document is the whole of a file, or of standard input.
    public var isWhole: Bool { part.isEmpty }

    /// Returns the bytes of the document. Only regular files are opened.
    ///
    /// - Parameters:
    ///   - progress: Called now and then with the number of bytes read and, if known, the number to read.
    ///   - isCancelled: Called now and then; reading stops when it returns true.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` if `isCancelled` returned true.
    public func read(
        progress: ((_ bytesRead: Int, _ total: Int?) -> Void)? = nil, isCancelled: () -> Bool = { false }
    ) throws(SourceError) -> SourceBytes {
        try read(asking: nil, progress: progress, isCancelled: isCancelled)
    }

    /// Returns the bytes of the document as they are now, or as they were at some time since the request was made.
    ///
    /// - Parameter asking: The number of a request for several documents, made before the first of them was read.
    ///   Whether their file has changed is checked once per request. The number must be unique in the process. Pass nil
    ///   to check for each document.
    package func read(
        asking: UInt64?, progress: ((_ bytesRead: Int, _ total: Int?) -> Void)? = nil,
        isCancelled: () -> Bool = { false }
    ) throws(SourceError) -> SourceBytes {
        do throws(SourceError) {
            let source = try origin.get()
            if let held { return held }
            return try withoutActuallyEscaping(isCancelled) { isCancelled throws(SourceError) in
                try source.read(self, DocumentReading(progress: progress, isCancelled: isCancelled, asking: asking))
            }
        } catch {
            throw SourceError(source: name, reason: error.reason)
        }
    }

    /// An upper bound of the document's size in bytes, as far as it is known without reading the document: the size of
    /// its file, plus that of a store's log.
    package var mostBytes: Int {
        if let held { return held.count }
        if let extent { return extent.count }
        let log = isWhole ? nil : FileStatus(path: FilePath(file.bytes + Array("-wal".utf8)))
        return (FileStatus(path: file)?.byteCount ?? 0) + (log?.byteCount ?? 0)
    }

    /// A value that changes when the document changes. Compare two stamps to find out whether to read it again. Nil for
    /// standard input, which never changes, and if there is no file.
    public var stamp: ModificationStamp? { held == nil ? source?.stamp : nil }

    /// Returns whether the document is the file at `path` or a part of it, even if their names differ.
    public func isPart(ofFileAt path: FilePath) -> Bool {
        guard let own = FileStatus(path: file), let other = FileStatus(path: path) else { return false }
        return stamp != nil && own.identity == other.identity
    }
}

// MARK: - Names

extension DocumentReference {
    /// The name of the document in reports: the path, followed by `#` and the part of the file if there is one.
    public var name: String { part.isEmpty ? file.description : isCommitted ? "\(part):\(file)" : "\(file)#\(part)" }

    /// Returns `FILE:LINE:COLUMN` for a position in the document. If the document is a line of a file, the line number
    /// is that of the file.
    public func place(line: Int, column: Int) -> String {
        firstLine.flatMap { isCommitted ? nil : "\(file):\($0 + line - 1):\(column)" } ?? "\(name):\(line):\(column)"
    }

    /// Returns names that distinguish the document from others in a list.
    ///
    /// - Parameter folder: The file or folder that was opened. Names are relative to it; a file outside it keeps its
    ///   whole path.
    /// - Returns: The container (a folder with its slash, or the file that the document is a part of), the document's
    ///   name in it, and both combined.
    public func names(below folder: FilePath) -> (place: String, label: String, title: String) {
        let names = namesOfWhole(below: folder)
        guard let restOffset else { return names }
        let words = ", from byte \(restOffset)"
        return (names.place, names.label + words, names.title + words)
    }

    private func namesOfWhole(below folder: FilePath) -> (place: String, label: String, title: String) {
        let path = path(below: folder)
        if let revision { return ("\(path)", "\(revision.day) \(revision.shortCommit) \(revision.subject)", name) }
        if isCommitted {
            // The part is the commit.
            let folder = path.folder
            return ("\(part):\(folder)", "\(FilePath(path.bytes.dropFirst(folder.bytes.count)))", name)
        }
        if !part.isEmpty { return ("\(path)", firstLine.map { "line \($0)" } ?? part, "\(path)#\(part)") }
        if let label = place?.label { return ("", label, label) }
        let folder = path.folder
        return ("\(folder)", "\(FilePath(path.bytes.dropFirst(folder.bytes.count)))", "\(path)")
    }

    /// Returns the path of the file relative to a folder. Returns only the file's name if `folder` is the file itself,
    /// and the whole path if the file isn't inside the folder.
    public func path(below folder: FilePath) -> FilePath {
        let (bytes, opened) = (file.bytes, folder.bytes)
        let slash = UInt8(ascii: "/")
        guard !opened.isEmpty, bytes.starts(with: opened) else { return file }
        let rest = bytes.dropFirst(opened.count)
        // If the file itself was opened, its last component is enough.
        if rest.isEmpty { return file.lastComponent }
        return rest.first == slash || opened.last == slash ? FilePath(rest.drop { $0 == slash }) : file
    }
}

extension DocumentReference: Hashable, CustomStringConvertible {
    /// Returns whether two references have exactly the same name, and both or neither are the rest of a packed
    /// document.
    public static func == (left: DocumentReference, right: DocumentReference) -> Bool {
        left.part.isExactly(right.part) && left.file == right.file && left.isRest == right.isRest
    }

    /// Hashes the values that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(file)
        hasher.combine(ExactText(part))
    }

    /// The same as ``name``.
    public var description: String { name }
}

// MARK: - Series

/// Documents in one source that are versions of the same thing, such as the cells of a store's column.
public struct DocumentSeries: Sendable, Hashable {
    let source: any DocumentSource
    let name: String

    /// A name for the series. No document has this name.
    public var reference: DocumentReference { DocumentReference(source, part: name, firstLine: nil) }

    /// Returns the bytes of up to `limit` documents from both ends of the series, none larger than 1 MB.
    public func sample(limit: Int) throws(SourceError) -> [SourceBytes] {
        try source.sample(ofSeries: name, limit: limit)
    }

    /// Returns whether both are the same series of the same file.
    public static func == (left: DocumentSeries, right: DocumentSeries) -> Bool {
        left.name.isExactly(right.name) && left.source.file == right.source.file
    }

    /// Hashes the values that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source.file)
        hasher.combine(ExactText(name))
    }
}

extension DocumentReference {
    /// The series that the document belongs to, or nil if it belongs to none.
    public var series: DocumentSeries? {
        guard let source, let name = source.series(of: self) else { return nil }
        return DocumentSeries(source: source, name: name)
    }
}
