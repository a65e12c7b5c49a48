import DocumentModel
import Foundation
import MigrationCore

/// A copy of a store in which documents are replaced: either all of them or none.
///
///     let copy = try StoreCopy(of: store, at: "Library-new.store")
///     try copy.forEachCell(of: column) { cell in … try copy.replace(cell, with: data) … }
///     try copy.save()
///
/// The file is created only by ``save()``; without it, nothing remains of the copy. The original is only read.
///
/// ## Invariant
/// `session`, `replaced` and `replaceable` are used only while `lock` is held, and everything else never changes. That
/// makes the class `Sendable`.
public final class StoreCopy: @unchecked Sendable {
    private let path: FilePath
    private let original: DocumentStore
    private let folder: TemporaryItem
    private let watch: StoreWatch?
    private let lock = NSLock()
    private let session: StoreSession
    /// The number of cells and bytes replaced in this transaction.
    private var replaced = (cells: 0, bytes: 0)
    /// The columns that nothing else in the store depends on.
    private var replaceable: Set<StoreColumn> = []
    /// Whether the original uses a log, so that the copy will too.
    private let keepsLog: Bool

    /// A cell of the copy. It is a class because cells are passed around a lot.
    public final class Cell: Sendable {
        /// The reference to the same cell in the original.
        public let reference: DocumentReference
        /// The content of the cell.
        public let bytes: SourceBytes
        let column: StoreColumn
        let key: [StoreValue]
        let isText: Bool
        /// The SQL that replaces the content.
        let update: String

        init(_ reference: DocumentReference, _ cell: StoreSession.Cell, of column: StoreColumn, update: String) {
            self.reference = reference
            (bytes, key, isText) = (cell.bytes, cell.key, cell.isText)
            (self.column, self.update) = (column, update)
        }
    }

    /// Copies the current state of a store, including its log.
    ///
    /// - Parameters:
    ///   - path: The path of the copy. Neither the file nor a log or journal for it may exist.
    ///   - makeWatch: Called with the size of the copy in bytes. Returns a watch that limits the time of each operation
    ///     on it, or nil for no limit.
    /// - Throws: ``SourceError``.
    package init(
        of store: DocumentStore, at path: FilePath,
        watch makeWatch: (Int) throws(SystemFailure) -> StoreWatch? = { _ in nil }
    ) throws(SourceError) {
        for suffix in [""] + TemporaryItem.databaseSuffixes {
            let taken = path + suffix
            guard !FileStatus.exists(taken), !FileStatus.isLink(taken) else {
                throw SourceError(taken, .exists)
            }
        }
        self.path = path
        original = store
        folder = try TemporaryItem(.folder, in: path.folder, as: path)
        do throws(SourceError) {
            try store.copy(to: folder.content)
        } catch {
            if case .store(.sqlite) = error.reason { throw SourceError(path, error.reason) }
            throw error
        }
        let byteCount = FileStatus(path: folder.content)?.byteCount ?? 0
        let watch: StoreWatch?
        do throws(SystemFailure) { watch = try makeWatch(byteCount) } catch {
            throw SourceError(path, .shortage(message: "\(error)"))
        }
        self.watch = watch
        watch?.begin { "\(path)" }
        defer { watch?.finish() }
        do throws(StoreProblem) {
            let connection = try SQLiteConnection(path: folder.content, mode: .readWrite)
            // A constraint of the store may create values of any length, and is evaluated in this process.
            try connection.limitValues(to: max(Self.longestValue, 8 * byteCount))
            session = StoreSession(connection)
            keepsLog = try connection.usesLog
            // The file gets its name only when it is complete, so it needs no protection against a crash before that.
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            try connection.execute("PRAGMA synchronous = OFF")
            try connection.execute("PRAGMA journal_mode = MEMORY")
            // Cells are replaced some time after they are read. Keep their pages in memory until then.
            try connection.execute("PRAGMA cache_size = -\(Self.cacheLength)")
            // Keep rows that other tables refer to.
            try connection.execute("PRAGMA foreign_keys = ON")
            try connection.execute("BEGIN IMMEDIATE")
        } catch {
            throw SourceError(path, .store(error))
        }
    }

    deinit { discard() }

    /// Ends the work on the copy, and removes its temporary files. A saved copy is kept.
    public func discard() {
        lock.lock()
        defer { lock.unlock() }
        // Close SQLite's connection first, then remove the folder with its files.
        session.close()
        folder.remove()
    }

    /// The maximum number of bytes of a value in a small store. For a large store, it is a multiple of the store's
    /// size.
    private static let longestValue = 64 << 20

    /// The number of cells to read at once.
    private static let batchLength = 64

    /// Calls `body` with every cell of a column that is not empty, in the order of the rows' keys.
    public func forEachCell(of column: StoreColumn, _ body: (Cell) -> Void) throws(SourceError) {
        var last: [StoreValue]?
        while true {
            let cells = try ask(as: self.original.file.description) { session throws(StoreProblem) in
                let (table, column) = try session.resolve(column)
                // Without "OR ABORT", a clause of the table could remove another row in favor of this one.
                let update =
                    "UPDATE OR ABORT \(table.name.quotedIdentifier) SET \(column.column.quotedIdentifier) = ? WHERE \(table.key.condition)"
                return try session.cells(of: column, in: table, after: last, limit: Self.batchLength).map { cell in
                    Cell(
                        original.cell(of: column, row: table.key.name(of: cell.key)), cell, of: column, update: update)
                }
            }
            cells.forEach(body)
            guard cells.count == Self.batchLength else { return }
            last = cells.last?.key
        }
    }

    /// The size of the page cache in kilobytes.
    private static let cacheLength = 16 << 10

    /// The maximum number of cells and bytes to replace in one transaction, because the journal keeps the old contents
    /// in memory. A single cell may have more bytes.
    private static let (transactionLength, transactionBytes) = (256, 4 << 20)

    /// Replaces the content of a cell. Text stays text, and a blob stays a blob.
    ///
    /// - Throws: ``SourceError``: with ``StoreProblem/refusedValue(message:)`` if only this cell cannot be replaced,
    ///   and with ``StoreProblem/hasDependent(column:_:)`` if no cell of the column can be replaced.
    public func replace(_ cell: Cell, with data: Data) throws(SourceError) {
        try ask(as: self.original.file.description) { session throws(StoreProblem) in
            guard !replaceable.contains(cell.column) else { return }
            try session.refuseDependents(of: cell.column)
            do throws(StoreProblem) { _ = try session.statement(cell.update) } catch {
                guard case .sqlite(_, let message) = error else { throw error }
                throw .hasDependent(column: "\(cell.column)", .addition(message: message))
            }
            replaceable.insert(cell.column)
        }
        try ask(as: cell.reference.name) { session throws(StoreProblem) in
            let statement = try session.statement(cell.update)
            defer { statement.reset() }
            try statement.start(with: [cell.isText ? .text(data) : .blob(data)] + cell.key)
            do throws(StoreProblem) { while try statement.step() {} } catch {
                guard let message = error.valueRefusal else { throw error }
                throw .refusedValue(message: message)
            }
            guard try session.connection.changeCount == 1 else { throw .rowNotInCopy }
            replaced = (replaced.cells + 1, replaced.bytes + cell.bytes.count + data.count)
            guard replaced.cells >= Self.transactionLength || replaced.bytes >= Self.transactionBytes else { return }
            replaced = (0, 0)
            try session.connection.execute("COMMIT")
            try session.connection.execute("BEGIN IMMEDIATE")
        }
    }

    /// The virtual tables, which are the same as in the original.
    public var virtualTables: [String] {
        get throws(SourceError) {
            try ask(as: self.path.description) { session throws(StoreProblem) in try session.virtualTables }
        }
    }

    /// Gives the copy its name, with all changes applied.
    ///
    /// - Throws: ``SourceError``; in that case there is no copy.
    public func save() throws(SourceError) {
        try ask(as: self.path.description) { session throws(StoreProblem) in
            try session.connection.execute("COMMIT")
            // With the exclusive lock, the log needs no index, and closing merges it into the file.
            if keepsLog { try session.connection.execute("PRAGMA journal_mode = WAL") }
            session.close()
        }
        guard !FileStatus.exists(folder.content + "-wal") else { throw SourceError(path, .store(.logNotInCopy)) }
        let descriptor = open(folder.content.cString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SourceError(path, errno: errno) }
        defer { close(descriptor) }
        FileAttributes.restrict((folder.content, descriptor), to: original.file)
        guard fsync(descriptor) == 0 else { throw SourceError(path, errno: errno) }
        let calls = FileCalls()
        let code = calls.renameToNew(folder.content, path)
        guard code == 0 else { throw code == EEXIST ? SourceError(path, .exists) : SourceError(path, errno: code) }
        calls.synchronizeFolder(of: path)
    }

    private func ask<Answer>(
        as name: @escaping @autoclosure @Sendable () -> String,
        _ question: (StoreSession) throws(StoreProblem) -> Answer
    ) throws(SourceError) -> Answer {
        lock.lock()
        defer { lock.unlock() }
        watch?.begin(name)
        defer { watch?.finish() }
        do throws(StoreProblem) {
            return try question(session)
        } catch {
            // SQLite's own errors, such as a full disk, are about the copy and not the original.
            if case .sqlite = error { throw SourceError(path, .store(error)) }
            throw SourceError(source: name(), reason: .store(error))
        }
    }
}
