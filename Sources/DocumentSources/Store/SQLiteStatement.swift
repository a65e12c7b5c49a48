import CSQLite
import DocumentModel
import Foundation
import MigrationCore

/// A prepared statement of a ``SQLiteConnection``.
///
/// ## Bounds
/// `handle` is the result of `sqlite3_prepare_v3` and is finalized only when the statement is destroyed; the statement
/// keeps its connection alive. The bytes of a column are copied before the next step, because SQLite keeps them in
/// place only until then (c3ref/column_blob.html).
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(handle: OpaquePointer, connection: SQLiteConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Prepares to run the statement with `values` as its parameters.
    func start(with values: [StoreValue]) throws(StoreProblem) {
        sqlite3_reset(handle)
        for (index, value) in zip(Int32(1)..., values) { try connection.check(bind(value, at: index)) }
    }

    private func bind(_ value: StoreValue, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .integer(let number): sqlite3_bind_int64(handle, index, number)
        case .real(let number): sqlite3_bind_double(handle, index, number)
        // Empty bytes need an address, because SQLite takes a null pointer for NULL.
        case .text(let bytes):
            withAddress(of: bytes) { csqlite_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) }
        case .blob(let bytes):
            withAddress(of: bytes) { csqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
        }
    }

    private func withAddress(of bytes: Data, _ body: (UnsafeRawBufferPointer) -> Int32) -> Int32 {
        bytes.withUnsafeBytes { memory in
            guard memory.baseAddress == nil else { return body(memory) }
            return withUnsafeBytes(of: UInt8(0)) { body(UnsafeRawBufferPointer(rebasing: $0.prefix(0))) }
        }
    }

    /// Moves to the next row. Returns false after the last one.
    func step() throws(StoreProblem) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let problem = connection.problem()
            sqlite3_reset(handle)
            throw problem
        }
    }

    /// Ends the run, so that it no longer holds a lock.
    func reset() { sqlite3_reset(handle) }

    /// Returns the value of a column in the current row.
    func value(at column: Int32) -> StoreValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(withBytes(at: column) { Data($0) })
        case SQLITE_BLOB: .blob(withBytes(at: column) { Data($0) })
        default: .null
        }
    }

    /// Returns the bytes of a column in the current row: those of a blob, or the UTF-8 text of any other value; nil for
    /// NULL.
    func bytes(at column: Int32) -> SourceBytes? {
        guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
        return withBytes(at: column) { SourceBytes($0) }
    }

    /// Returns the integer in a column of the current row.
    func integer(at column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

    /// Returns the text in a column of the current row, with ill-formed UTF-8 repaired.
    func string(at column: Int32) -> String { withBytes(at: column) { String(decoding: $0, as: UTF8.self) } }

    /// Returns the name in a column of the current row, or nil if it isn't valid UTF-8, because a repaired name would
    /// match nothing.
    func name(at column: Int32) -> String? { withBytes(at: column) { String(validating: $0, as: UTF8.self) } }

    private func withBytes<Result>(at column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // Get the address before the count, because getting the text may convert it (c3ref/column_blob.html).
        let isBlob = sqlite3_column_type(handle, column) == SQLITE_BLOB
        let address =
            isBlob
            ? sqlite3_column_blob(handle, column)
            : sqlite3_column_text(handle, column).map { UnsafeRawPointer($0) }
        let count = Int(sqlite3_column_bytes(handle, column))
        return body(UnsafeRawBufferPointer(start: address, count: address == nil ? 0 : count))
    }
}
