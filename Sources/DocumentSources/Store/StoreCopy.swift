import DocumentModel
import Foundation

/// A copy of a store whose documents are being changed: all of them together, or none.
///
///     let copy = try StoreCopy(of: store, at: "Library-new.store")
///     try copy.forEachCell(of: column) { cell in … try copy.replace(cell, with: data) … }
///     try copy.save()
///
/// Until ``save()`` there is no file of the copy's name; a copy that ends without it leaves nothing behind. The original is only read.
///
/// ## Invariant
/// `session` is touched only while `lock` is held, which is what makes the class `Sendable`; everything else never changes.
public final class StoreCopy: @unchecked Sendable {
    private let path: String
    private let original: String
    private let folder: StoreCopyFolder
    private let lock = NSLock()
    private let session: StoreSession
    /// Whether the original keeps a log, so that the copy is to keep one as well.
    private let keepsLog: Bool

    /// A cell of the copy.
    public struct Cell: Sendable {
        /// The name of the same cell in the original.
        public let reference: DocumentReference
        /// What is in it.
        public let bytes: SourceBytes
        let table: String
        let column: String
        let key: [StoreValue]
        let keyColumns: [String]
        let isText: Bool
    }

    /// Copies a store as it is now, log included.
    ///
    /// - Parameter path: Where the copy is to be. Nothing may be there, nor a log or journal of a store that was.
    /// - Throws: ``SourceError``.
    public init(of store: DocumentStore, at path: String) throws(SourceError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let taken = path + suffix
            guard !FileStatus.exists(taken), !FileStatus.isLink(taken) else {
                throw SourceError(source: taken, reason: .exists)
            }
        }
        self.path = path
        original = store.path
        folder = try StoreCopyFolder(in: AtomicFileWriter.folder(of: path), as: path)
        try store.copy(to: Self.absolute(folder.database))
        do throws(StoreProblem) {
            let connection = try SQLiteConnection(path: Self.absolute(folder.database), mode: .readWrite)
            session = StoreSession(connection)
            keepsLog = try connection.execute("PRAGMA journal_mode") == .text(Data("wal".utf8))
            // The file gets its name only when it is whole, so it may be written without care before.
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("PRAGMA synchronous = OFF")
            if keepsLog { try connection.execute("PRAGMA journal_mode = DELETE") }
            try connection.execute("BEGIN IMMEDIATE")
        } catch {
            throw SourceError(source: path, reason: .store(error))
        }
    }

    deinit { discard() }

    /// Ends the work on the copy, and removes what was needed for it. What is saved stays.
    public func discard() {
        lock.lock()
        defer { lock.unlock() }
        // SQLite goes first, then the folder with what it left.
        session.close()
        folder.remove()
    }

    /// Removes everything that was needed for any copy, for a program that is about to end. Copies that are still worked on fail.
    public static func discardAll() { StoreCopyFolder.removeAll() }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    /// How many cells are read at once.
    private static let batchLength = 64

    /// Calls `body` with every cell of a column that is not empty, in the order of the rows' keys.
    public func forEachCell(of column: StoreColumn, _ body: (Cell) -> Void) throws(SourceError) {
        var last: [StoreValue]?
        while true {
            let cells = try nextCells(of: column, after: last)
            cells.forEach(body)
            guard cells.count == Self.batchLength else { return }
            last = cells.last?.key
        }
    }

    private func nextCells(of column: StoreColumn, after key: [StoreValue]?) throws(SourceError) -> [Cell] {
        try ask(as: original) { session throws(StoreProblem) in
            let (table, column) = try session.resolve(column)
            let cells = try session.cells(of: column, in: table, after: key, limit: Self.batchLength)
            return cells.map { cell in
                let part = DocumentReference.Part.cell(
                    table: table.name, key: table.key.name(of: cell.key), column: column.column)
                return Cell(
                    reference: DocumentReference(file: original, part: part), bytes: cell.bytes, table: table.name,
                    column: column.column, key: cell.key, keyColumns: table.key.columns.map(\.sql), isText: cell.isText)
            }
        }
    }

    /// Puts other bytes into a cell; text stays text, and a blob a blob.
    public func replace(_ cell: Cell, with data: Data) throws(SourceError) {
        try ask(as: cell.reference.name) { session throws(StoreProblem) in
            let condition = cell.keyColumns.map { "\($0) = ?" }.joined(separator: " AND ")
            let statement = try session.statement(
                "UPDATE \(cell.table.quotedIdentifier) SET \(cell.column.quotedIdentifier) = ? WHERE \(condition)")
            defer { statement.reset() }
            try statement.start(with: [cell.isText ? .text(data) : .blob(data)] + cell.key)
            while try statement.step() {}
            guard try session.connection.changeCount == 1 else {
                throw .sqlite(code: 0, message: "the row was not changed")
            }
        }
    }

    /// Gives the copy its name, with everything that was put into it.
    ///
    /// - Throws: ``SourceError``; then there is no copy.
    public func save() throws(SourceError) {
        try ask(as: path) { session throws(StoreProblem) in
            try session.connection.execute("COMMIT")
            // With the exclusive lock the log needs no index, and closing puts it into the file.
            if keepsLog { try session.connection.execute("PRAGMA journal_mode = WAL") }
            session.close()
        }
        guard !FileStatus.exists(folder.database + "-wal") else {
            throw SourceError(
                source: path, reason: .store(.sqlite(code: 0, message: "the copy's log could not be put into it")))
        }
        if let status = FileStatus(path: original) { chmod(folder.database, status.permissions & 0o777) }
        try Self.synchronize(folder.database, as: path)
        // A link cannot take the place of a file that has come meanwhile.
        guard link(folder.database, path) != 0 else { return }
        switch errno {
        case EEXIST: throw SourceError(source: path, reason: .exists)
        case EPERM, ENOTSUP, EMLINK:
            guard !FileStatus.exists(path) else { throw SourceError(source: path, reason: .exists) }
            guard rename(folder.database, path) == 0 else { throw SourceError(source: path, errno: errno) }
        default: throw SourceError(source: path, errno: errno)
        }
    }

    private static func synchronize(_ file: String, as path: String) throws(SourceError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SourceError(source: path, errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SourceError(source: path, errno: errno) }
    }

    private func ask<Answer>(
        as name: String, _ question: (StoreSession) throws(StoreProblem) -> Answer
    ) throws(SourceError) -> Answer {
        lock.lock()
        defer { lock.unlock() }
        do throws(StoreProblem) {
            return try question(session)
        } catch {
            throw SourceError(source: name, reason: .store(error))
        }
    }
}
