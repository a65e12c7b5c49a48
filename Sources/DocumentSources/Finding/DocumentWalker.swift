import DocumentModel
import Foundation
import MigrationCore

/// Finds the documents that the paths of a command line name.
///
///     let leftOut = try DocumentWalker(GivenName.resolve(["demo-data", "-"])).walk { documents in
///         for document in documents { … }
///     }
///
/// A file that is named directly counts as a document, whatever it is called. A folder is walked to the bottom; in it,
/// a document is what has the ending of one (``DocumentEnding``), or begins as a property list, a SQLite database or
/// with `{`. Hidden files and folders are left out. Every line of a .jsonl file that is not empty is a document of its
/// own, as is every line of a stream (``DocumentStream``), and every cell that is not empty of a store's columns that hold documents; see
/// ``DocumentStore/documentColumns(named:)``.
///
/// Documents come in the order of the paths, and inside a folder in the natural order of names (`file2` before
/// `file10`), folders among files. Symbolic links are followed; a folder that is entered already is not entered again
/// through a link inside it. A file that is reached twice is found twice, under both names. What cannot be read is
/// found too, and says why when it is read.
///
/// Files that may hold documents are opened for their first bytes, which say whether gzip has packed them; what is packed
/// and .jsonl files are read to the end, and stores are opened. A pipe is opened where it is named itself; other pipes,
/// sockets and devices never are.
public struct DocumentWalker: Sendable {
    /// Why something in a folder is not a document.
    public enum Omission: String, Sendable, Hashable, CaseIterable {
        /// Its name begins with a dot.
        case hidden
        /// Neither its name nor its first bytes are those of a document.
        case otherKind
        /// Its name is not that of a document and its first bytes cannot be read.
        case unreadable
        /// A pipe, a socket or a device.
        case special
        /// A link to a folder that is entered already, or through too many links to folders.
        case linkLoop
        /// What a file was before it was replaced: `NAME.bak` beside `NAME`.
        case backup
        /// A commit that took the file away whose history was asked for.
        case removed
        /// What a shallow clone does not have of a history.
        case beforeShallow
        /// A file that could hold documents and holds none: JSON Lines without a line, a store without a column of
        /// documents.
        case empty
    }

    /// How many things were left out, and why.
    public typealias LeftOut = [Omission: Int]

    /// What the walk was told to look through.
    public let given: [GivenName]
    private let columns: [String]

    /// A walk through files, folders, documents inside files, and standard input.
    ///
    /// - Parameter columns: The columns of stores to look for documents in, as `TABLE.COLUMN`; where none is named,
    ///   they are found by looking.
    public init(_ given: [GivenName], columns: [String] = []) {
        self.given = given
        self.columns = columns
    }

    /// A walk that goes through one more.
    public func adding(_ name: GivenName) -> DocumentWalker { looking(through: given + [name]) }

    /// A walk through something else, with the same columns of stores.
    public func looking(through given: [GivenName]) -> DocumentWalker { DocumentWalker(given, columns: columns) }

    /// Walks, and delivers what it finds as it finds it, a few hundred documents or a twentieth of a second at a time.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked often; when it returns true, the walk ends.
    ///   - entering: Told of each folder before it is read, of one that was named itself also where it is gone; and of
    ///     the folder that a file lies in that was named itself, or that a link leads to.
    ///   - deliver: Called in order, on the thread that walks.
    /// - Returns: What was left out.
    /// - Throws: `CancellationError` when `isCancelled` returned true. What was found before has been delivered.
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

/// A walk on its way.
private final class Walk {
    let columns: [String]
    let isCancelled: () -> Bool
    let entering: (FilePath) -> Void
    let deliver: ([DocumentReference]) -> Void
    private(set) var leftOut: DocumentWalker.LeftOut = [:]
    private var batch: [DocumentReference] = []
    private var batchStart = ContinuousClock.now
    /// How many bytes of documents the batch keeps.
    private var heldCount = 0

    private static let largestBatch = 512
    private static let mostHeld = 1 << 20
    private static let longestWait = Duration.milliseconds(50)
    /// Links that lead from one folder to another and back on ever new ways would take time without end, though none is
    /// a circle.
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
        case .source(let source):
            if !source.isReadOnce {
                entering(source.file.folder.appending("."))
                enteringTarget(of: source.file)
            }
            try look(into: source, isGiven: true)
        case .history(let history): try find(history)
        case .part:
            foundParts(of: name.document)
            if isCancelled() { throw CancellationError() }
        case .problem: found(name.document)
        }
    }

    private func find(_ history: GitHistory) throws(CancellationError) {
        if FileStatus(path: history.file) != nil { entering(history.file.folder.appending(".")) }
        do throws(GitProblem) {
            let removals = try history.find(isCancelled: isCancelled) { foundParts(of: $0) }
            for _ in 0..<removals { leaveOut(.removed) }
            if history.repository.isShallow { leaveOut(.beforeShallow) }
        } catch {
            // What git says when it is ended is no problem of the file.
            if isCancelled() { throw CancellationError() }
            found(DocumentReference(history.file, problem: SourceError(history.file, .git(error)), isGiven: true))
        }
        if isCancelled() { throw CancellationError() }
    }

    // MARK: - Folders

    /// A folder on the way from the given path to where the walk is now.
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
        // It may be gone, and come back.
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
            // A file that nothing has shown to be a document.
            return isDocument(path) || error.isAboutStore
                ? found(DocumentReference(path, problem: error, isGiven: false)) : leaveOut(.unreadable)
        }
        guard let source else { return leaveOut(.otherKind) }
        try look(into: source, isGiven: false)
    }

    /// Whether the name alone says that the file is a document or holds documents.
    private func isDocument(_ path: FilePath) -> Bool {
        DocumentEnding(path).map { $0 != .store } ?? false
    }

    /// Tells of the folder that a file lies in to which a link leads.
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
            // It may take long to open what holds documents; what was found before that does not wait.
            if type(of: source).container != nil { flush() }
            try source.find(search)
            if isEmpty { leaveOut(.empty) }
        } catch {
            if error.reason == .cancelled { throw CancellationError() }
            // Where documents were found in it, it is not the path that cannot be read.
            found(
                isEmpty
                    ? DocumentReference(source.file, problem: error, isGiven: isGiven)
                    : DocumentReference(source).failing(because: error.reason))
        }
    }

    // MARK: - Findings

    private func leaveOut(_ omission: DocumentWalker.Omission) { leftOut[omission, default: 0] += 1 }

    /// A document, or the part of it that can be read and what follows that.
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

    /// Delivers what was found since the last delivery.
    func flush() {
        if !batch.isEmpty { deliver(batch) }
        batch.removeAll(keepingCapacity: true)
        heldCount = 0
        batchStart = .now
    }
}
