import DocumentModel
import MigrationCore

/// One document, by a name that was resolved: a file, or a part of a file that is a document of its own.
///
///     demo-data/poems/rating-9.json       a whole file
///     demo-data/letters.jsonl#L12         a line of a JSON Lines file
///     demo-data/store-of-books.sqlite#BOOK/3/META  a cell of a SQLite store
///     -                                   standard input
///
/// What it names may be gone, or be another document, by the time it is read.
public struct DocumentReference: Sendable {
    /// Where the document comes from, or why nothing can be read.
    private var origin: Result<any DocumentSource, SourceError>

    /// Where a document comes from that is known not to be readable.
    private var unreadableSource: (any DocumentSource)?

    /// The file that the document is, or is a part of; `-` for standard input.
    public let file: FilePath

    /// What stands behind `#` in the name; empty for a whole file.
    let part: String

    /// The number of the line in its file at which the document begins; nil where its lines are none of the file's.
    public let firstLine: Int?

    /// Whether the part is a commit: then it stands before the file in the name.
    private let isCommitted: Bool

    /// Where a line stood in the file when it was found, in bytes; saves counting lines when it is read, and is checked
    /// then.
    let extent: Range<Int>?

    /// A hash of the bytes of the document, of one that was read to be found, for comparing within this process; nil of
    /// any other.
    package internal(set) var content: Int?

    /// The bytes of the document, of one in what can be read only once, or was unpacked; nil of any other.
    package let held: SourceBytes?

    /// Whether it was named on the command line, rather than found in a folder or a container.
    public internal(set) var isGiven = false

    /// A document inside a source; the whole of it if no part is named.
    ///
    /// - Parameter held: The bytes, where they were read to find it.
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

    /// A document that cannot be read.
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

    /// Why the document cannot be read, where that is known already.
    package var problem: SourceError? { if case .failure(let problem) = origin { problem } else { nil } }

    /// Whether it is what follows the part of a packed document that can be read.
    public var isRest: Bool { restOffset != nil }

    /// Where that begins, in packed bytes.
    private var restOffset: Int? {
        if case .gzip(.followed(let offset, _))? = problem?.reason { offset } else { nil }
    }

    var source: (any DocumentSource)? { try? origin.get() }

    /// Where it comes from, whether it can be read or not.
    private var place: (any DocumentSource)? { source ?? unreadableSource }

    /// What the document lies in, where it is not a file of its own.
    public var container: DocumentContainer? {
        part.isEmpty ? nil : place.flatMap { type(of: $0).container }
    }

    /// Whether its bytes can be read only once, by one process.
    public var isReadOnce: Bool { held == nil && source?.isReadOnce ?? false }

    /// Whether its bytes are read by this process, for any that works on the document.
    public var isReadHere: Bool { held != nil || source?.isReadHere ?? false }

    /// Whether it is a file or a stream that gzip has packed.
    public var isPacked: Bool { isWhole && isInPackedFile }

    /// Whether gzip has packed it, or the file that it is a part of.
    public var isInPackedFile: Bool { source?.isPacked ?? false }

    /// What is the same for documents of the same bytes, where that is known without reading them.
    public var contentID: [UInt8]? { source?.contentID }

    /// The commit that the document lies in; nil where it lies in none, or none is known.
    public var revision: DocumentRevision? { place?.revision }

    /// The file that the document is a state of, as it was named: itself, unless it lies in a commit.
    public var history: FilePath { place?.history ?? file }

    /// The same document, of which it is known now that it cannot be read.
    public func failing(because problem: SourceProblem) -> DocumentReference {
        DocumentReference(self, problem: SourceError(source: name, reason: problem))
    }

    /// Whether the document is the whole of a file, or of standard input.
    public var isWhole: Bool { part.isEmpty }

    /// The bytes of the document. Files that are no regular files are never opened.
    ///
    /// - Parameters:
    ///   - progress: Called now and then with the number of bytes read and, where it is known, of those to read.
    ///   - isCancelled: Asked now and then; when it returns true, reading stops.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` when `isCancelled` returned true.
    public func read(
        progress: ((_ bytesRead: Int, _ total: Int?) -> Void)? = nil, isCancelled: () -> Bool = { false }
    ) throws(SourceError) -> SourceBytes {
        try read(asking: nil, progress: progress, isCancelled: isCancelled)
    }

    /// The bytes of the document, as it is now or was since it was asked for.
    ///
    /// - Parameter asking: A number that documents have in common which were all asked for before the first of them was
    ///   read: whether their file has changed is looked at once for them. No other asking of the process may have it.
    ///   Nil to look for each.
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

    /// How many bytes the document has at most, as far as that is known without reading it: those of its file, and of the
    /// log that a store may have.
    package var mostBytes: Int {
        if let held { return held.count }
        if let extent { return extent.count }
        let log = isWhole ? nil : FileStatus(path: FilePath(file.bytes + Array("-wal".utf8)))
        return (FileStatus(path: file)?.byteCount ?? 0) + (log?.byteCount ?? 0)
    }

    /// What changes when the document changes: compare two of them to know whether to read it again. Nil for standard
    /// input, which never changes, and where there is no file.
    public var stamp: ModificationStamp? { held == nil ? source?.stamp : nil }

    /// Whether the document is the file at `path` or a part of it, whatever name either goes by.
    public func isPart(ofFileAt path: FilePath) -> Bool {
        guard let own = FileStatus(path: file), let other = FileStatus(path: path) else { return false }
        return stamp != nil && own.identity == other.identity
    }
}

// MARK: - Names

extension DocumentReference {
    /// The name of the document in reports: the path, and behind `#` the part of the file.
    public var name: String { part.isEmpty ? file.description : isCommitted ? "\(part):\(file)" : "\(file)#\(part)" }

    /// `FILE:LINE:COLUMN` for a place in the document, also for one that is a line of its file.
    public func place(line: Int, column: Int) -> String {
        firstLine.flatMap { isCommitted ? nil : "\(file):\($0 + line - 1):\(column)" } ?? "\(name):\(line):\(column)"
    }

    /// The names by which a person tells the document from others in a list.
    ///
    /// - Parameter folder: What was opened: names go on from there. What is not inside it keeps its whole path.
    /// - Returns: Where it lies (a folder with its slash, or the file that it is a part of), its name there, and both
    ///   in one.
    public func names(below folder: FilePath) -> (place: String, label: String, title: String) {
        let names = namesOfWhole(below: folder)
        guard let restOffset else { return names }
        let words = ", from byte \(restOffset)"
        return (names.place, names.label + words, names.title + words)
    }

    private func namesOfWhole(below folder: FilePath) -> (place: String, label: String, title: String) {
        let path = path(below: folder)
        if let revision { return ("\(path)", "\(revision.day) \(revision.shortCommit) \(revision.subject)", name) }
        if isCommitted { return ("\(path)", part, name) }
        if !part.isEmpty { return ("\(path)", firstLine.map { "line \($0)" } ?? part, "\(path)#\(part)") }
        if let label = place?.label { return ("", label, label) }
        let folder = path.folder
        return ("\(folder)", "\(FilePath(path.bytes.dropFirst(folder.bytes.count)))", "\(path)")
    }

    /// The path of the file as it goes on from a folder; the name of the file alone where that is what was opened, and the
    /// whole path where it is not inside.
    public func path(below folder: FilePath) -> FilePath {
        let (bytes, opened) = (file.bytes, folder.bytes)
        let slash = UInt8(ascii: "/")
        guard !opened.isEmpty, bytes.starts(with: opened) else { return file }
        let rest = bytes.dropFirst(opened.count)
        // What was opened may be the file itself, of which the last component says enough.
        if rest.isEmpty { return file.lastComponent }
        return rest.first == slash || opened.last == slash ? FilePath(rest.drop { $0 == slash }) : file
    }
}

extension DocumentReference: Hashable, CustomStringConvertible {
    /// Whether two references have the same name, to the letter, and both or neither mean the rest of a packed document.
    public static func == (left: DocumentReference, right: DocumentReference) -> Bool {
        left.part.isExactly(right.part) && left.file == right.file && left.isRest == right.isRest
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(file)
        hasher.combine(ExactText(part))
    }

    /// The same as ``name``.
    public var description: String { name }
}

// MARK: - Series

/// Documents of one kind in one source, of which each is a version of the same: the cells of a store's column.
public struct DocumentSeries: Sendable, Hashable {
    let source: any DocumentSource
    let name: String

    /// A name for the series, which no document has.
    public var reference: DocumentReference { DocumentReference(source, part: name, firstLine: nil) }

    /// The bytes of up to `limit` documents from either end of the series, none larger than 1 MB.
    public func sample(limit: Int) throws(SourceError) -> [SourceBytes] {
        try source.sample(ofSeries: name, limit: limit)
    }

    /// Whether both are the same series of the same file.
    public static func == (left: DocumentSeries, right: DocumentSeries) -> Bool {
        left.name.isExactly(right.name) && left.source.file == right.source.file
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(source.file)
        hasher.combine(ExactText(name))
    }
}

extension DocumentReference {
    /// The series that the document belongs to; nil for one that stands for itself.
    public var series: DocumentSeries? {
        guard let source, let name = source.series(of: self) else { return nil }
        return DocumentSeries(source: source, name: name)
    }
}
