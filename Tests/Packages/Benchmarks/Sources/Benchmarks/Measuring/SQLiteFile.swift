import Foundation
import SQLiteOfTheSystem

/// A database file with one table of documents, written and read in the simplest way.
final class SQLiteFile {
    private let database: OpaquePointer

    /// An error from SQLite.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens the file, or makes it.
    init(_ path: String) throws {
        var database: OpaquePointer?
        let code = sqlite3_open(path, &database)
        guard code == SQLITE_OK, let database else { throw Failure(description: "cannot open '\(path)': \(code)") }
        self.database = database
    }

    deinit { sqlite3_close_v2(database) }

    /// Makes the table with `count` documents.
    func fill(_ count: Int, _ next: () -> String) throws {
        try execute("CREATE TABLE documents (key INTEGER PRIMARY KEY, content TEXT)")
        try transaction("INSERT INTO documents (content, key) VALUES (CAST(? AS TEXT), ?)") { insert in
            for key in 0..<count { try insert(Int64(key), Data(next().utf8)) }
        }
    }

    /// Calls `body` with every document and its key.
    func readAll(_ body: (Int64, Data) throws -> Void) throws {
        try prepare("SELECT key, content FROM documents") { statement in
            while true {
                let code = sqlite3_step(statement)
                if code == SQLITE_DONE { return }
                guard code == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 1) else { throw failure() }
                let data = Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 1)))
                try body(sqlite3_column_int64(statement, 0), data)
            }
        }
    }

    /// Calls `body` with a function that replaces the document of a key. Either all are replaced or none.
    func update(_ body: ((Int64, Data) throws -> Void) throws -> Void) throws {
        try transaction("UPDATE documents SET content = CAST(? AS TEXT) WHERE key = ?", body)
    }

    private func transaction(_ sql: String, _ body: ((Int64, Data) throws -> Void) throws -> Void) throws {
        try execute("BEGIN")
        try prepare(sql) { statement in
            try body { key, data in
                let code = data.withUnsafeBytes { bytes in
                    sqlite3_bind_blob(statement, 1, bytes.baseAddress, Int32(bytes.count), nil)
                    sqlite3_bind_int64(statement, 2, key)
                    return sqlite3_step(statement)
                }
                guard code == SQLITE_DONE else { throw failure() }
                sqlite3_reset(statement)
            }
        }
        try execute("COMMIT")
    }

    private func execute(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    private func prepare(_ sql: String, _ body: (OpaquePointer) throws -> Void) throws {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure()
        }
        defer { sqlite3_finalize(statement) }
        try body(statement)
    }

    private func failure() -> Failure { Failure(description: String(cString: sqlite3_errmsg(database))) }
}
