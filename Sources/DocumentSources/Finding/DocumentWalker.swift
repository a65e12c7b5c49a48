import DocumentModel
import Foundation
import MigrationCore

/// Finds the documents that the paths on a command line name.
///
///     let leftOut = try DocumentWalker(GivenName.resolve(["demo-data", "-"])).walk { documents in
///         for document in documents { … }
///     }
///
/// A file that is named directly counts as a document, whatever its name is. A folder is searched recursively; a file
/// in it is a document if it has the ending of one (``DocumentEnding``), or begins like a property list, like a SQLite
/// database or with `{`. Hidden files and folders are left out. Every line of a .jsonl file or a stream
/// (``DocumentStream``) that is not empty is a separate document. So is every cell that is not empty in a store's
/// columns of documents; see ``DocumentStore/documentColumns(named:)``.
///
/// Documents are found in the order of the paths, and inside a folder in the natural order of names (`file2` before
/// `file10`), with folders among files. Symbolic links are followed, except for a link to a folder that contains it. A
/// file that is reached twice is found twice, under both names. A file that cannot be read is found too, and reading it
/// throws the reason.
///
/// Files that may contain documents are opened for their first bytes, which show whether they are compressed with gzip.
/// Compressed files and .jsonl files are read to the end, and stores are opened. A pipe is opened only if it is named
/// directly; sockets and devices are never opened.
public struct DocumentWalker: Sendable {
    /// Why something in a folder is not a document.
    public enum Omission: String, Sendable, Hashable, CaseIterable {
        /// Its name begins with a dot.
        case hidden
        /// Neither its name nor its first bytes are those of a document.
        case otherKind
        /// Its name isn't that of a document, and its first bytes cannot be read.
        case unreadable
        /// A pipe, a socket or a device.
        case special
        /// A link to a folder that contains it, or a folder that is reached through too many links.
        case linkLoop
        /// A backup of a file that was replaced: `NAME.bak` next to `NAME`.
        case backup
        /// A file that could contain documents but has none: JSON Lines without a line, or a store without a column of
        /// documents.
        case empty
    }

    /// The number of files left out, by reason.
    public typealias LeftOut = [Omission: Int]

    /// The names to search.
    public let given: [GivenName]
    private let columns: [String]

    /// Creates a walk through files, folders, documents inside files, and standard input.
    ///
    /// - Parameter columns: The columns of stores to look for documents in, as `TABLE.COLUMN`. If empty, each store is
    ///   searched for such columns.
    public init(_ given: [GivenName], columns: [String] = []) {
        self.given = given
        self.columns = columns
    }

    /// Returns a walk that also searches another name.
    public func adding(_ name: GivenName) -> DocumentWalker { looking(through: given + [name]) }

    /// Returns a walk through other names, with the same columns of stores.
    public func looking(through given: [GivenName]) -> DocumentWalker { DocumentWalker(given, columns: columns) }

    /// Walks, and delivers documents as they are found, up to a few hundred or a twentieth of a second's worth at a
    /// time.
    ///
    /// - Parameters:
    ///   - isCancelled: Called often; the walk ends when it returns true.
    ///   - entering: Called with each folder before it is read. A folder that was named directly is reported even if it
    ///     is gone. If a file was named directly or is the target of a link, its folder is reported.
    ///   - deliver: Called in order, on the thread that walks.
    /// - Returns: The number of files left out.
    /// - Throws: `CancellationError` if `isCancelled` returned true. Documents found before that have been delivered.
    @discardableResult
    public func walk(
        isCancelled: @escaping () -> Bool = { false }, entering: @escaping (FilePath) -> Void = { _ in },
        deliver: @escaping ([DocumentReference]) -> Void
    ) throws(CancellationError) -> LeftOut {
        let walk = Walk(columns: columns, isCancelled: isCancelled, entering: entering, deliver: deliver)
        defer { walk.flush() }
        for name in given { try walk.visit(name) }
        return walk.leftOut
    }
}

/// A walk in progress.
private final class Walk {
    let columns: [String]
    let isCancelled: () -> Bool
    let entering: (FilePath) -> Void
    let deliver: ([DocumentReference]) -> Void
    private(set) var leftOut: DocumentWalker.LeftOut = [:]
    private var batch: [DocumentReference] = []
    private var batchStart = ContinuousClock.now
    /// The number of bytes held by documents in the batch.
    private var heldCount = 0

    private static let largestBatch = 512
    private static let mostHeld = 1 << 20
    private static let longestWait = Duration.milliseconds(50)
    /// Links between folders can form endless new paths without ever forming a circle. Without a limit, following them
    /// would never end.
    private static let mostFolderLinks = 8

    init(
        columns: [String], isCancelled: @escaping () -> Bool, entering: @escaping (FilePath) -> Void,
        deliver: @escaping ([DocumentReference]) -> Void
    ) {
        self.columns = columns
        self.isCancelled = isCancelled
        self.entering = entering
        self.deliver = deliver
    }

    func visit(_ name: GivenName) throws(CancellationError) {
        switch name.meaning {
        case .folder: try walk(folder: name.path)
        case .parts(let folder, let part): try find(part, inFilesOf: folder)
        case .source(let source):
            if !source.isReadOnce {
                entering(source.file.folder.appending("."))
                enteringTarget(of: source.file)
            }
            try look(into: source, isGiven: true)
        case .history(let history): try find(history)
        case .histories(let histories): try find(histories)
        case .committed(let documents): try find(documents, as: name.path)
        case .part:
            foundParts(of: name.document)
            if isCancelled() { throw CancellationError() }
        case .problem: found(name.document)
        }
    }

    private func find(_ history: GitHistory) throws(CancellationError) {
        if !history.isOfCommit, FileStatus(path: history.file) != nil { entering(history.file.folder.appending(".")) }
        do throws(GitProblem) {
            try history.find(isCancelled: isCancelled) { foundParts(of: $0) }
        } catch {
            // If git was killed, its message isn't a problem of the file.
            if isCancelled() { throw CancellationError() }
            found(DocumentReference(history.name, problem: SourceError(history.name, .git(error)), isGiven: true))
        }
        if isCancelled() { throw CancellationError() }
    }

    /// Finds the documents with the same name in the files of a folder.
    private func find(_ part: String, inFilesOf folder: FilePath) throws(CancellationError) {
        var files: [FilePath] = []
        let walk = Walk(columns: columns, isCancelled: isCancelled, entering: entering) { documents in
            for document in documents where files.last != document.file { files.append(document.file) }
        }
        try walk.walk(folder: folder)
        walk.flush()
        leftOut.merge(walk.leftOut, uniquingKeysWith: +)
        var states: [(document: DocumentReference, isThere: Bool)] = []
        for file in files {
            if isCancelled() { throw CancellationError() }
            do throws(SourceError) {
                let source = try DocumentSources.source(in: FoundFile(file, isGiven: false))
                // A file that is one document has no lines, unless it is named like a file of lines.
                guard let document = source is WholeFile ? nil : source?.document(named: part) else {
                    leaveOut(.otherKind)
                    continue
                }
                states.append((document, !PartContent(of: document).isAbsent))
            } catch {
                states.append((DocumentReference(file, problem: error, isGiven: false), true))
            }
        }
        // If no file has the row, each says what it has instead.
        let isAnywhere = states.contains(where: \.isThere)
        // The first file without the row is a state too: the row is deleted there.
        var wasThere = false
        for (document, isThere) in states {
            if isThere || !isAnywhere {
                found(document)
            } else if wasThere {
                found(document.failing(because: .git(.absent(.withoutPart))))
            }
            wasThere = isThere
        }
    }

    private func find(_ histories: DocumentHistories) throws(CancellationError) {
        let all = try histories.find(columns: columns, isCancelled: isCancelled, entering: entering) {
            self.leftOut[$0, default: 0] += $1
        }
        for file in all {
            switch file {
            case .history(let history): try find(history)
            case .problem(let document): found(document)
            }
        }
    }

    private func find(_ documents: CommittedDocuments, as name: FilePath) throws(CancellationError) {
        do throws(GitProblem) {
            try documents.find(
                columns: columns, isCancelled: isCancelled, leaveOut: leaveOut,
                deliver: { document, _ in self.foundParts(of: document) })
        } catch {
            if isCancelled() { throw CancellationError() }
            found(DocumentReference(name, problem: SourceError(name, .git(error)), isGiven: true))
        }
        if isCancelled() { throw CancellationError() }
    }

    // MARK: - Folders

    /// A folder on the path from the given folder to the current one.
    private struct Level {
        let path: FilePath
        let identity: FileStatus.Identity
        let folderLinks: Int
        var entries: ArraySlice<FolderEntry>
    }

    private func walk(folder path: FilePath) throws(CancellationError) {
        var levels: [Level] = []
        enter(path, folderLinks: 0, levels: &levels)
        while var level = levels.popLast() {
            guard let entry = level.entries.popFirst() else { continue }
            levels.append(level)
            if isCancelled() { throw CancellationError() }
            try visit(entry, path: level.path.appending(entry.name), levels: &levels)
        }
    }

    private func enter(_ path: FilePath, folderLinks: Int, levels: inout [Level]) {
        let isGiven = levels.isEmpty
        // The folder may be gone now and come back later.
        if isGiven { entering(path) }
        guard let status = FileStatus(path: path) else { return found(path, errno: errno, isGiven: isGiven) }
        guard folderLinks <= Self.mostFolderLinks, !levels.contains(where: { $0.identity == status.identity }) else {
            return leaveOut(.linkLoop)
        }
        if !isGiven { entering(path) }
        guard let entries = FolderEntry.entries(ofFolder: path) else {
            return found(path, errno: errno, isGiven: isGiven)
        }
        levels.append(
            Level(path: path, identity: status.identity, folderLinks: folderLinks, entries: entries[...]))
    }

    private func visit(
        _ entry: FolderEntry, path: FilePath, levels: inout [Level]
    ) throws(CancellationError) {
        if entry.isHidden { return leaveOut(.hidden) }
        var type = entry.type
        if type == .link || type == .unknown {
            guard let status = FileStatus(path: path) else {
                let error = errno
                return isDocument(path) ? found(path, errno: error, isGiven: false) : leaveOut(.unreadable)
            }
            type = status.isFolder ? .folder : status.isRegular ? .regular : .special
        }
        switch type {
        case .folder:
            let links = (levels.last?.folderLinks ?? 0) + (entry.type == .link ? 1 : 0)
            enter(path, folderLinks: links, levels: &levels)
        case .regular where entry.type == .link:
            enteringTarget(of: path)
            try visit(file: path)
        case .regular where path.backedUp.map(FileStatus.exists) == true: leaveOut(.backup)
        case .regular: try visit(file: path)
        case .special, .link, .unknown: leaveOut(.special)
        }
    }

    private func visit(file path: FilePath) throws(CancellationError) {
        let source: (any DocumentSource)?
        do throws(SourceError) {
            source = try DocumentSources.source(in: FoundFile(path, isGiven: false))
        } catch {
            if case .store(.belongsToStore) = error.reason { return leaveOut(.otherKind) }
            // Nothing has shown that this file is a document.
            return isDocument(path) || error.isAboutStore
                ? found(DocumentReference(path, problem: error, isGiven: false)) : leaveOut(.unreadable)
        }
        guard let source else { return leaveOut(.otherKind) }
        try look(into: source, isGiven: false)
    }

    /// Returns whether the name by itself shows that the file is a document or contains documents.
    private func isDocument(_ path: FilePath) -> Bool {
        DocumentEnding(path).map { $0 != .store } ?? false
    }

    /// Reports the folder of a link's target.
    private func enteringTarget(of link: FilePath) {
        if FileStatus.isLink(link), let target = link.resolved { entering(target.folder.appending(".")) }
    }

    // MARK: - Sources

    private func look(into source: any DocumentSource, isGiven: Bool) throws(CancellationError) {
        var isEmpty = true
        do throws(SourceError) {
            let search = DocumentSearch(isGiven: isGiven, columns: columns, isCancelled: isCancelled, waiting: flush) {
                [self] document in
                isEmpty = false
                var document = document
                document.isGiven = isGiven && document.isWhole
                found(document)
            }
            // Opening a container may take long; don't delay the documents found before it.
            if type(of: source).container != nil { flush() }
            try source.find(search)
            if isEmpty { leaveOut(.empty) }
        } catch {
            if error.reason == .cancelled { throw CancellationError() }
            // If documents were found in the file, its path can be read, so only the rest is marked as unreadable.
            found(
                isEmpty
                    ? DocumentReference(source.file, problem: error, isGiven: isGiven)
                    : DocumentReference(source).failing(because: error.reason))
        }
    }

    // MARK: - Findings

    private func leaveOut(_ omission: DocumentWalker.Omission) { leftOut[omission, default: 0] += 1 }

    /// Adds a document, or the part of it that can be read and the rest that cannot.
    private func foundParts(of document: DocumentReference) {
        guard let (good, problem) = try? document.source?.goodPart(of: document, isCancelled: isCancelled) else {
            return found(document)
        }
        var part = good
        part.isGiven = document.isGiven
        found(part)
        found(good.failing(because: problem.reason))
    }

    private func found(_ path: FilePath, errno code: Int32, isGiven: Bool) {
        found(DocumentReference(path, problem: SourceError(path, errno: code), isGiven: isGiven))
    }

    private func found(_ document: DocumentReference) {
        batch.append(document)
        heldCount += document.held?.count ?? 0
        let isFull = batch.count >= Self.largestBatch || heldCount >= Self.mostHeld
        if isFull || batchStart.duration(to: .now) >= Self.longestWait { flush() }
    }

    /// Delivers the documents found since the last delivery.
    func flush() {
        if !batch.isEmpty { deliver(batch) }
        batch.removeAll(keepingCapacity: true)
        heldCount = 0
        batchStart = .now
    }
}
