import CSQLite
import DocumentModel
import Foundation
import MigrationCore

/// A connection to a SQLite database: the one place where its C functions are called, together with
/// ``SQLiteStatement``.
///
/// A connection is for one thread at a time; callers that share it lock.
///
/// ## Bounds
/// `handle` is what `sqlite3_open_v2` gave and is used until ``close()`` and never after; every function that uses it
/// goes through ``open``.
final class SQLiteConnection {
    enum Mode { case readOnly, readWrite, create }

    /// How long to wait for a lock that another program holds, in milliseconds.
    static let patience: Int32 = 1000

    /// How long to wait before asking for a lock again, in milliseconds: a program that writes without a pause leaves
    /// the store alone for a few of them at a time.
    static let pause: Int32 = 2

    private var handle: OpaquePointer?

    /// Opens the database file at an absolute path.
    ///
    /// - Parameter parameters: What goes behind the path in SQLite's URI (uri.html, section 3.3).
    /// - Throws: ``StoreProblem``. Much of what can be wrong with a file shows only when the first statement looks at
    ///   it.
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
        // The caller's lock is the one that counts, so SQLite needs none of its own.
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
            // A mapped file that another program shortens ends this process; what is sorted needs no file.
            try execute("PRAGMA mmap_size = 0")
            try execute("PRAGMA temp_store = MEMORY")
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Closes the database. Statements that still exist can only fail from now on.
    func close() {
        // The version that waits for statements still in use, so that none is left with freed memory.
        sqlite3_close_v2(handle)
        handle = nil
    }

    /// The path as SQLite's URIs spell it: everything but ASCII letters, digits and `/-._~` is percent-encoded.
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

    /// Has statements fail that make a value of more than this many bytes. SQLite's own limit is 1 GB.
    func limitValues(to byteCount: Int) throws(StoreProblem) {
        sqlite3_limit(try open, SQLITE_LIMIT_LENGTH, Int32(clamping: byteCount))
    }

    // MARK: - Statements

    /// Makes a statement from one piece of SQL.
    func prepare(_ sql: String) throws(StoreProblem) -> SQLiteStatement {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(try open, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw .sqlite(code: SQLITE_MISUSE, message: "no statement in '\(sql)'") }
        return SQLiteStatement(handle: statement, connection: self)
    }

    /// Runs a statement to its end.
    ///
    /// - Returns: The first value of its first row, if it has one.
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

    /// Whether there is a write-ahead log.
    var usesLog: Bool {
        get throws(StoreProblem) { try execute("PRAGMA journal_mode") == .text(Data("wal".utf8)) }
    }

    /// Copies the whole database, log included, as it is at one moment, over that of another connection.
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

    /// - Throws: What is behind a result code other than that all is well.
    func check(_ code: Int32) throws(StoreProblem) {
        guard code == SQLITE_OK else { throw problem(code: code) }
    }

    /// What went wrong last.
    func problem(code: Int32? = nil) -> StoreProblem {
        guard let handle else { return StoreProblem(code: SQLITE_NOMEM, message: "out of memory") }
        return StoreProblem(
            code: code ?? sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }
}

extension StoreProblem {
    /// What an extended result code of SQLite means (rescode.html); its lowest byte is the code without the extension.
    fileprivate init(code: Int32, message: String) {
        self =
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: .locked
            case SQLITE_CORRUPT: .damaged(detail: message)
            case SQLITE_NOTADB: .notDatabase(byteCount: nil)
            default: .sqlite(code: code, message: message)
            }
    }

    /// What SQLite says against a value that was to be put into a row: a check or an index of the store, or a function in
    /// them, does not take it; nil for any other problem.
    var valueRefusal: String? {
        guard case .sqlite(let code, let message) = self else { return nil }
        return [SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_ERROR].contains(code & 0xFF) ? message : nil
    }

    /// Whether this process has too little room or memory.
    fileprivate var isShortage: Bool {
        guard case .sqlite(let code, _) = self else { return false }
        return [SQLITE_FULL, SQLITE_NOMEM].contains(code & 0xFF)
    }

    /// Whether the system, and not the file, is to blame.
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
    /// Whether the program failed for want of something, and nothing is wrong with what was to be read.
    public var isShortage: Bool {
        switch self {
        case .shortage, .git(.notStarted): true
        case .store(let problem): problem.isShortage
        default: false
        }
    }
}
