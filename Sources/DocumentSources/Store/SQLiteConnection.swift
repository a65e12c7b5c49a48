import CSQLite
import DocumentModel
import Foundation
import MigrationCore

/// A connection to a SQLite database. SQLite's C functions are called only here and in ``SQLiteStatement``.
///
/// A connection is used by one thread at a time; callers that share it must lock.
///
/// ## Bounds
/// `handle` is the result of `sqlite3_open_v2`. It is used only until ``close()``, and only through ``open``.
final class SQLiteConnection {
    enum Mode { case readOnly, readWrite, create }

    /// How long to wait for a lock that another program holds, in milliseconds.
    static let patience: Int32 = 1000

    /// How long to wait before trying to get a lock again, in milliseconds. A program that writes continuously leaves
    /// the store unlocked for only a few milliseconds at a time.
    static let pause: Int32 = 2

    private var handle: OpaquePointer?

    /// Opens the database file at an absolute path.
    ///
    /// - Parameter parameters: The parameters after the path in SQLite's URI (uri.html, section 3.3).
    /// - Throws: ``StoreProblem``. Many problems of a file are detected only by the first statement that reads it.
    init(path: FilePath, mode: Mode, parameters: [String] = []) throws(StoreProblem) {
        let flags =
            switch mode {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        guard let files = StoreFileSystem.name else {
            throw .sqlite(code: SQLITE_ERROR, message: "the files of a database cannot be guarded")
        }
        let uri = Self.uri(path: path, parameters: parameters)
        // The caller locks, so SQLite doesn't need to.
        let code = sqlite3_open_v2(uri, &handle, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, files)
        do throws(StoreProblem) {
            let database = try open
            guard code == SQLITE_OK else { throw problem() }
            sqlite3_extended_result_codes(database, 1)
            sqlite3_busy_handler(
                database,
                { _, count in
                    usleep(useconds_t(SQLiteConnection.pause) * 1000)
                    return count < SQLiteConnection.patience / SQLiteConnection.pause ? 1 : 0
                }, nil)
            try check(csqlite_distrust(database))
            sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0)
            if mode == .readOnly { try check(csqlite_keep_log_on_close(database)) }
            // If another program truncates a mapped file, this process crashes. Sorting must not need a file.
            try execute("PRAGMA mmap_size = 0")
            try execute("PRAGMA temp_store = MEMORY")
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Closes the database. From now on, remaining statements always fail.
    func close() {
        // This version waits for statements that are still in use, so that none uses freed memory.
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// Returns the path in the form of SQLite's URIs: everything except ASCII letters, digits and `/-._~` is
    /// percent-encoded.
    private static func uri(path: FilePath, parameters: [String]) -> String {
        let escaped = path.bytes.percentEncoded { !$0.isLetterOrDigit && !"/-._~".utf8.contains($0) }
        return "file:" + (path.isAbsolute ? "//" : "") + escaped
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    /// The handle, if the database is open.
    private var open: OpaquePointer {
        get throws(StoreProblem) {
            guard let handle else { throw .sqlite(code: SQLITE_MISUSE, message: "the database is not open") }
            return handle
        }
    }

    /// Makes statements fail that create a value of more than this number of bytes. SQLite's own limit is 1 GB.
    func limitValues(to byteCount: Int) throws(StoreProblem) {
        sqlite3_limit(try open, SQLITE_LIMIT_LENGTH, Int32(clamping: byteCount))
    }

    // MARK: - Statements

    /// Prepares a statement.
    func prepare(_ sql: String) throws(StoreProblem) -> SQLiteStatement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(try open, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw .sqlite(code: SQLITE_MISUSE, message: "no statement in '\(sql)'") }
        return SQLiteStatement(handle: statement, connection: self)
    }

    /// Runs a statement to completion.
    ///
    /// - Returns: The first value of the first row, if there is one.
    @discardableResult
    func execute(_ sql: String) throws(StoreProblem) -> StoreValue? {
        let statement = try prepare(sql)
        var first: StoreValue?
        while try statement.step() { first = first ?? statement.value(at: 0) }
        return first
    }

    /// The number of rows that the last statement changed.
    var changeCount: Int {
        get throws(StoreProblem) { Int(sqlite3_changes(try open)) }
    }

    /// Whether the database uses a write-ahead log.
    var usesLog: Bool {
        get throws(StoreProblem) { try execute("PRAGMA journal_mode") == .text(Data("wal".utf8)) }
    }

    /// Replaces the database of another connection with a consistent copy of this one, including its log.
    func copy(over target: SQLiteConnection) throws(StoreProblem) {
        guard let backup = sqlite3_backup_init(try target.open, "main", try open, "main") else {
            throw target.problem()
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw StoreProblem(code: code, message: String(cString: sqlite3_errstr(code)))
        }
    }

    // MARK: - Errors

    /// - Throws: The problem that a result code stands for, unless it is the code for success.
    func check(_ code: Int32) throws(StoreProblem) {
        guard code == SQLITE_OK else { throw problem(code: code) }
    }

    /// Returns the last problem.
    func problem(code: Int32? = nil) -> StoreProblem {
        guard let handle else { return StoreProblem(code: SQLITE_NOMEM, message: "out of memory") }
        return StoreProblem(
            code: code ?? sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }
}

extension StoreProblem {
    /// Creates the problem for an extended result code of SQLite (rescode.html), whose lowest byte is the basic code.
    fileprivate init(code: Int32, message: String) {
        self =
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .locked
            case SQLITE_CORRUPT: .damaged(detail: message)
            case SQLITE_NOTADB: .notDatabase(byteCount: nil)
            default: .sqlite(code: code, message: message)
            }
    }

    /// SQLite's message if it refused a value for a row because of a check or an index of the store, or a function in
    /// one of them; nil for any other problem.
    var valueRefusal: String? {
        guard case .sqlite(let code, let message) = self else { return nil }
        return [SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_ERROR].contains(code & 0xFF) ? message : nil
    }

    /// Whether this process has run out of space or memory.
    fileprivate var isShortage: Bool {
        guard case .sqlite(let code, _) = self else { return false }
        return [SQLITE_FULL, SQLITE_NOMEM].contains(code & 0xFF)
    }

    /// Whether the problem is caused by the system and not by the file.
    public var isOfSystem: Bool {
        switch self {
        case .sqlite(let code, _):
            [SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM, SQLITE_NOLFS, SQLITE_INTERNAL, SQLITE_MISUSE].contains(
                code & 0xFF)
        case .rowNotInCopy, .logNotInCopy: true
        default: false
        }
    }
}

extension SourceProblem {
    /// Whether the program failed for lack of a resource, although nothing is wrong with the source.
    public var isShortage: Bool {
        switch self {
        case .shortage, .git(.notStarted): true
        case .store(let problem): problem.isShortage
        default: false
        }
    }
}
