import DocumentModel
import Foundation

/// A SQLite database whose cells are documents: a store of SwiftData or Core Data, or anybody's.
///
///     let store = try DocumentStore(path: "Library.store")
///     for column in try store.documentColumns() {
///         try store.forEachCell(of: column) { references in … }
///     }
///
/// A store may be open in other programs, which see nothing of this: neither the file nor its log, the log's index or its journal are changed
/// in any way, and no lock is held between two questions but the one that every reader of a log holds. What was committed last is what is read.
///
/// Nothing that a store says is run: its triggers and views are off, and virtual tables are not looked at.
public struct DocumentStore: Sendable {
    /// The path of the file as it was given.
    public let path: String
    private let shared: SharedStore

    /// The store in the file at `path`. Stores are kept open for whoever asks next, so this costs nothing where one is open already.
    ///
    /// - Throws: ``SourceError`` where there is no such file; whether it is a store shows when it is first asked.
    public init(path: String) throws(SourceError) {
        self.path = path
        shared = try OpenStores.shared.store(at: path)
    }

    /// Whether the file at `path` begins as a SQLite database does.
    public static func isStore(_ path: String) -> Bool {
        if OpenStores.shared.contains(path) { return true }
        guard let file = try? OpenFile(path: path), let head = try? file.head(of: path) else { return false }
        return DocumentFormat.announced(by: head) == .sqlite
    }

    // MARK: - Columns

    /// The columns that hold documents.
    ///
    /// - Parameter names: The columns to take, as `TABLE.COLUMN`; where none is named, they are found by looking: those in which more than
    ///   half of a sample of the cells begin as a JSON object or a property list, or as a JSON array that parses.
    /// - Throws: ``SourceError``, with ``StoreProblem/noDocuments`` where none was found, and the nearest known name
    ///   for one that does not exist.
    public func documentColumns(named names: [String] = []) throws(SourceError) -> [StoreColumn] {
        try shared.ask(as: path) { session throws(StoreProblem) in
            let finder = StoreColumnFinder(session: session)
            guard names.isEmpty else {
                var columns: [StoreColumn] = []
                for name in names {
                    let column = try finder.column(named: name)
                    if !columns.contains(column) { columns.append(column) }
                }
                return columns
            }
            let columns = try finder.find()
            guard !columns.isEmpty else { throw .noDocuments }
            return columns
        }
    }

    // MARK: - Cells

    /// How many rows are listed at once.
    private static let batchLength = 1024

    /// Lists the cells of a column that are not empty, in the order of their rows' keys, some at a time; between two times the store is not
    /// locked. A row that is written meanwhile may or may not be listed.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked now and then; when it returns true, listing ends with ``SourceError/Reason/cancelled``.
    ///   - deliver: Given the names of the cells.
    public func forEachCell(
        of column: StoreColumn, isCancelled: () -> Bool = { false }, deliver: ([DocumentReference]) -> Void
    ) throws(SourceError) {
        var last: [StoreValue]?
        while true {
            if isCancelled() { throw SourceError(source: path, reason: .cancelled) }
            let batch = try shared.ask(as: path) { session throws(StoreProblem) in
                let (table, column) = try session.resolve(column)
                let keys = try session.keys(of: column, in: table, after: last, limit: Self.batchLength)
                return (keys: keys, names: keys.map(table.key.name))
            }
            deliver(
                batch.names.map { key in
                    DocumentReference(
                        file: path, part: .cell(table: column.table, key: key, column: column.column))
                })
            guard batch.keys.count == Self.batchLength else { return }
            last = batch.keys.last
        }
    }

    /// The bytes of cells from either end of a column's table, for judging the column by them: at most 2 × `limit`, none larger than 1 MB.
    public func sample(of column: StoreColumn, limit: Int) throws(SourceError) -> [SourceBytes] {
        try shared.ask(as: path) { session throws(StoreProblem) in
            let (table, column) = try session.resolve(column)
            return try session.sample(of: column, in: table, limit: limit, largest: 1 << 20)
        }
    }

    /// The bytes of one cell.
    ///
    /// - Throws: ``SourceError`` in the name of `reference`.
    func read(_ reference: DocumentReference) throws(SourceError) -> SourceBytes {
        guard case .cell(let table, let key, let column) = reference.part else {
            throw SourceError(source: reference.name, reason: .store(.wholeStore))
        }
        return try shared.ask(as: reference.name) { session throws(StoreProblem) in
            try session.bytes(of: StoreColumn(table: table, column: column), row: key)
        }
    }

    // MARK: - Copies

    /// Copies the store as it is at one moment, log included.
    ///
    /// - Parameter target: The path of a file that does not exist yet.
    func copy(to target: String) throws(SourceError) {
        try shared.ask(as: path) { session throws(StoreProblem) in
            let connection = try SQLiteConnection(path: target, mode: .create)
            try session.connection.copy(over: connection)
            connection.close()
        }
    }
}
