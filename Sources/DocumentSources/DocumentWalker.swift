import DocumentModel
import Foundation

/// Finds the documents that the paths of a command line name.
///
///     let leftOut = try DocumentWalker(paths: ["demo-data", "-"]).walk { findings in
///         for finding in findings { … }
///     }
///
/// A file that is named directly counts as a document, whatever it is called. A folder is walked to the bottom; in it, a document is what
/// ends in .json, .jsonl, .plist or .resolved, or begins as a property list, a SQLite database or with `{`. Hidden files and folders are
/// left out. Every line of a .jsonl file that is not empty is a document of its own, and so is every cell that is not empty of a store's
/// columns that hold documents; see ``DocumentStore/documentColumns(named:)``.
///
/// Documents come in the order of the paths, and inside a folder in the natural order of names (`file2` before `file10`), folders among
/// files. Symbolic links are followed; a folder that is entered already is not entered again through a link inside it. A file that
/// is reached twice is found twice, under both names.
///
/// Only files whose name decides nothing are opened, for their first bytes, .jsonl files, for their lines, and stores. Pipes, sockets and
/// devices never are.
public struct DocumentWalker: Sendable {
    /// Something the walk came upon.
    public enum Finding: Sendable, Hashable {
        /// A document.
        case document(DocumentReference)
        /// A file or folder that cannot be read.
        ///
        /// - Parameter isGiven: Whether it was named on the command line, rather than found in a folder.
        case unreadable(DocumentReference, SourceError, isGiven: Bool)
    }

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
        /// A JSON Lines file without a line.
        case empty
        /// A SQLite database without a column of documents, or with nothing in it.
        case storeWithoutDocuments

        /// What to say of one, or of many: `2 hidden files or folders`.
        public func description(count: Int) -> String { "\(count) \(noun(count: count))" }

        /// What goes on after the number.
        public func noun(count: Int) -> String {
            switch self {
            case .hidden: count == 1 ? "hidden file or folder" : "hidden files or folders"
            case .otherKind: count == 1 ? "file of another kind" : "files of other kinds"
            case .unreadable: count == 1 ? "unreadable file" : "unreadable files"
            case .special: count == 1 ? "pipe, socket or device" : "pipes, sockets or devices"
            case .linkLoop: count == 1 ? "link in a circle" : "links in a circle"
            case .empty: count == 1 ? "JSON Lines file without a line" : "JSON Lines files without a line"
            case .storeWithoutDocuments: count == 1 ? "store without documents" : "stores without documents"
            }
        }
    }

    /// How many things were left out, and why.
    public typealias LeftOut = [Omission: Int]

    /// What the walk was told to look through.
    public let paths: [String]
    private let columns: [String]

    /// A walk through `paths`: files, folders, names of documents inside files, or `-` for standard input.
    ///
    /// - Parameter columns: The columns of stores to look for documents in, as `TABLE.COLUMN`; where none is named, they are found by
    ///   looking.
    public init(paths: [String], columns: [String] = []) {
        self.paths = paths
        self.columns = columns
    }

    /// Walks, and delivers what it finds as it finds it, a few hundred findings or a twentieth of a second at a time.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked often; when it returns true, the walk ends.
    ///   - deliver: Called in order, on the thread that walks.
    /// - Returns: What was left out.
    /// - Throws: `CancellationError` when `isCancelled` returned true. What was found before has been delivered.
    @discardableResult
    public func walk(
        isCancelled: () -> Bool = { false }, deliver: ([Finding]) -> Void
    ) throws(CancellationError) -> LeftOut {
        try withoutActuallyEscaping(isCancelled) { isCancelled throws(CancellationError) in
            try withoutActuallyEscaping(deliver) { deliver throws(CancellationError) in
                var walk = Walk(columns: columns, isCancelled: isCancelled, deliver: deliver)
                defer { walk.flush() }
                for path in paths { try walk.visit(given: path) }
                return walk.leftOut
            }
        }
    }
}

/// A walk on its way.
private struct Walk {
    typealias Finding = DocumentWalker.Finding

    let columns: [String]
    let isCancelled: () -> Bool
    let deliver: ([Finding]) -> Void
    private(set) var leftOut: DocumentWalker.LeftOut = [:]
    private var batch: [Finding] = []
    private var batchStart = ContinuousClock.now

    private static let largestBatch = 512
    private static let longestWait = Duration.milliseconds(50)
    /// Links that lead from one folder to another and back on ever new ways would take time without end, though none is a circle.
    private static let mostFolderLinks = 8

    init(columns: [String], isCancelled: @escaping () -> Bool, deliver: @escaping ([Finding]) -> Void) {
        self.columns = columns
        self.isCancelled = isCancelled
        self.deliver = deliver
    }

    // MARK: - Given paths

    mutating func visit(given path: String) throws(CancellationError) {
        let reference = DocumentReference(resolving: path)
        guard !reference.isStandardInput, reference.part == .whole else { return found(.document(reference)) }
        guard let status = FileStatus(path: path) else {
            return found(unreadable(path, errno: errno, isGiven: true))
        }
        if status.isFolder { return try walk(folder: path) }
        do throws(SourceError) {
            if let store = StoreFiles.store(ofFileBeside: path) {
                throw SourceError(source: path, reason: .store(.belongsToStore(path: store)))
            }
            switch try Self.kind(ofFile: path) {
            case .lines: try findLines(of: try OpenFile(path: path), path: path, isGiven: true)
            case .store: try findCells(ofStoreAt: path, isGiven: true)
            case nil where DocumentFile.hasStoreName(path):
                throw SourceError(source: path, reason: .store(.notDatabase(byteCount: status.byteCount)))
            case .document, nil: found(.document(reference))
            }
        } catch {
            try report(error, path: path, isGiven: true)
        }
    }

    // MARK: - Folders

    /// A folder on the way from the given path to where the walk is now.
    private struct Level {
        let path: String
        let identity: FileStatus.Identity
        let folderLinks: Int
        var entries: ArraySlice<FolderEntry>
    }

    private mutating func walk(folder path: String) throws(CancellationError) {
        var levels: [Level] = []
        enter(path, folderLinks: 0, levels: &levels)
        while var level = levels.popLast() {
            guard let entry = level.entries.popFirst() else { continue }
            levels.append(level)
            try checkCancellation()
            let path = level.path.hasSuffix("/") ? level.path + entry.name : "\(level.path)/\(entry.name)"
            try visit(entry, path: path, levels: &levels)
        }
    }

    private mutating func enter(_ path: String, folderLinks: Int, levels: inout [Level]) {
        let isGiven = levels.isEmpty
        guard let status = FileStatus(path: path) else {
            return found(unreadable(path, errno: errno, isGiven: isGiven))
        }
        guard folderLinks <= Self.mostFolderLinks, !levels.contains(where: { $0.identity == status.identity }) else {
            return leaveOut(.linkLoop)
        }
        guard let entries = FolderEntry.entries(ofFolder: path) else {
            return found(unreadable(path, errno: errno, isGiven: isGiven))
        }
        levels.append(
            Level(path: path, identity: status.identity, folderLinks: folderLinks, entries: entries[...]))
    }

    private mutating func visit(
        _ entry: FolderEntry, path: String, levels: inout [Level]
    ) throws(CancellationError) {
        if entry.isHidden { return leaveOut(.hidden) }
        let kind = DocumentFile(name: entry.name)
        guard entry.isNameUTF8 else {
            guard kind != nil || entry.type == .folder else { return leaveOut(.unreadable) }
            let error = SourceError(source: path, reason: .nameNotInUTF8)
            return found(.unreadable(DocumentReference(file: path), error, isGiven: false))
        }
        var type = entry.type
        if type == .link || type == .unknown {
            guard let status = FileStatus(path: path) else {
                let error = errno
                return kind == nil ? leaveOut(.unreadable) : found(unreadable(path, errno: error, isGiven: false))
            }
            type = status.isFolder ? .folder : status.isRegular ? .regular : .special
        }
        switch type {
        case .folder:
            let links = (levels.last?.folderLinks ?? 0) + (entry.type == .link ? 1 : 0)
            enter(path, folderLinks: links, levels: &levels)
        case .regular: try visit(file: path, kind: kind)
        case .special, .link, .unknown: leaveOut(.special)
        }
    }

    private mutating func visit(file path: String, kind: DocumentFile?) throws(CancellationError) {
        if kind == .document { return found(.document(DocumentReference(file: path))) }
        if StoreFiles.store(ofFileBeside: path) != nil { return leaveOut(.otherKind) }
        do throws(SourceError) {
            switch try Self.kind(ofFile: path) {
            case .lines: try findLines(of: try OpenFile(path: path), path: path, isGiven: false)
            case .store: try findCells(ofStoreAt: path, isGiven: false)
            case .document: found(.document(DocumentReference(file: path)))
            case nil: leaveOut(.otherKind)
            }
        } catch {
            // A file that nothing has shown to be a document.
            if kind == nil, !error.isAboutStore, error.reason != .cancelled { return leaveOut(.unreadable) }
            try report(error, path: path, isGiven: false)
        }
    }

    /// What the file is. It is opened, whatever its name says, and closed again: a store must be opened by nobody else.
    private static func kind(ofFile path: String) throws(SourceError) -> DocumentFile? {
        if OpenStores.shared.contains(path) { return .store }
        let file = try OpenFile(path: path)
        if let kind = DocumentFile(name: path) { return kind }
        return DocumentFile(head: try file.head(of: path))
    }

    // MARK: - Lines

    private mutating func findLines(
        of file: borrowing OpenFile, path: String, isGiven: Bool
    ) throws(SourceError) {
        var isEmpty = true
        try DocumentLines.forEach(in: file, path: path, isCancelled: isCancelled) { number, extent in
            isEmpty = false
            found(.document(DocumentReference(file: path, part: .line(number), extent: extent)))
            return true
        }
        guard isEmpty else { return }
        if isGiven { found(.document(DocumentReference(file: path))) } else { leaveOut(.empty) }
    }

    // MARK: - Cells

    private mutating func findCells(ofStoreAt path: String, isGiven: Bool) throws(SourceError) {
        do throws(SourceError) {
            let store = try DocumentStore(path: path)
            var isEmpty = true
            for column in try store.documentColumns(named: columns) {
                try store.forEachCell(of: column, isCancelled: isCancelled) { references in
                    for reference in references { found(.document(reference)) }
                    isEmpty = isEmpty && references.isEmpty
                }
            }
            if isEmpty { leaveOut(.storeWithoutDocuments) }
        } catch {
            guard error.reason == .store(.noDocuments), !isGiven else { throw error }
            leaveOut(.storeWithoutDocuments)
        }
    }

    // MARK: - Findings

    private func unreadable(_ path: String, errno code: Int32, isGiven: Bool) -> Finding {
        .unreadable(DocumentReference(file: path), SourceError(source: path, errno: code), isGiven: isGiven)
    }

    private mutating func report(_ error: SourceError, path: String, isGiven: Bool) throws(CancellationError) {
        if error.reason == .cancelled { throw CancellationError() }
        found(.unreadable(DocumentReference(file: path), error, isGiven: isGiven))
    }

    private func checkCancellation() throws(CancellationError) {
        if isCancelled() { throw CancellationError() }
    }

    private mutating func leaveOut(_ omission: DocumentWalker.Omission) { leftOut[omission, default: 0] += 1 }

    private mutating func found(_ finding: Finding) {
        batch.append(finding)
        if batch.count >= Self.largestBatch || batchStart.duration(to: .now) >= Self.longestWait { flush() }
    }

    /// Delivers what was found since the last delivery.
    mutating func flush() {
        if !batch.isEmpty { deliver(batch) }
        batch.removeAll(keepingCapacity: true)
        batchStart = .now
    }
}
