import DocumentModel
import Foundation
import MigrationCore

/// Answers questions about an open store: its schema, the keys of its rows, and the bytes of its cells.
///
/// Like its connection, a session is used by one thread at a time. Each question is complete when it is answered: the
/// store is not locked between two questions, no matter how long a list is.
final class StoreSession {
    let connection: SQLiteConnection
    private var statements: [ExactText: SQLiteStatement] = [:]
    private var readSchema: StoreSchema?
    /// The last statement that was used to read a cell. The next cell is usually in the same column.
    private var cellStatement: (column: StoreColumn, table: StoreTable, statement: SQLiteStatement)?

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// The schema, which is read only once.
    var schema: StoreSchema {
        get throws(StoreProblem) {
            if let readSchema { return readSchema }
            let schema = try StoreSchema(connection)
            readSchema = schema
            return schema
        }
    }

    /// Closes the connection.
    func close() {
        statements = [:]
        cellStatement = nil
        connection.close()
    }

    // MARK: - Cells

    /// A row's key and the bytes of one of its cells.
    struct Cell {
        let key: [StoreValue]
        let bytes: SourceBytes
        /// Whether the cell is stored as text rather than as a blob.
        let isText: Bool
    }

    /// Returns the keys of rows whose cell in `column` is not empty, in order.
    ///
    /// - Parameters:
    ///   - key: The key after which to begin; nil for the beginning.
    ///   - limit: The maximum number of keys.
    func keys(
        of column: StoreColumn, in table: StoreTable, after key: [StoreValue]?, limit: Int
    ) throws(StoreProblem) -> [[StoreValue]] {
        var keys: [[StoreValue]] = []
        try forEachRow(of: column, in: table, after: key, limit: limit, selecting: table.key.list) { statement in
            keys.append((0..<Int32(table.key.columns.count)).map(statement.value))
        }
        return keys
    }

    /// Returns cells of `column` that are not empty, in the order of their keys. The parameters are those of
    /// ``keys(of:in:after:limit:)``.
    func cells(
        of column: StoreColumn, in table: StoreTable, after key: [StoreValue]?, limit: Int
    ) throws(StoreProblem) -> [Cell] {
        var cells: [Cell] = []
        let name = column.column.quotedIdentifier
        let selection = "\(table.key.list), \(name), typeof(\(name)) = 'blob'"
        let keyCount = Int32(table.key.columns.count)
        try forEachRow(of: column, in: table, after: key, limit: limit, selecting: selection) { statement in
            guard let bytes = statement.bytes(at: keyCount) else { return }
            cells.append(
                Cell(
                    key: (0..<keyCount).map(statement.value), bytes: bytes,
                    isText: statement.integer(at: keyCount + 1) == 0))
        }
        return cells
    }

    private func forEachRow(
        of column: StoreColumn, in table: StoreTable, after key: [StoreValue]?, limit: Int, selecting selection: String,
        _ body: (SQLiteStatement) -> Void
    ) throws(StoreProblem) {
        let list = table.key.list
        let places = Array(repeating: "?", count: table.key.columns.count).joined(separator: ", ")
        let sql =
            "SELECT \(selection) FROM \(table.name.quotedIdentifier) WHERE \(Self.isFilled(column.column))"
            + (key == nil ? "" : " AND (\(list)) > (\(places))") + " ORDER BY \(list) LIMIT \(limit)"
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.start(with: key ?? [])
        while try statement.step() { body(statement) }
    }

    /// Returns the bytes of one cell.
    ///
    /// - Parameters:
    ///   - column: The column, which must exist in the table.
    ///   - name: The name of the row.
    func bytes(of column: StoreColumn, row name: String) throws(StoreProblem) -> SourceBytes {
        let (table, statement) = try cellStatement(for: column)
        guard let key = table.key.values(named: name) else { throw noSuchRow(name, in: table) }
        defer { statement.reset() }
        try statement.start(with: key)
        guard try statement.step() else { throw noSuchRow(name, in: table) }
        guard let bytes = statement.bytes(at: 0), bytes.count > 0 else { throw .emptyCell }
        return bytes
    }

    private func cellStatement(
        for named: StoreColumn
    ) throws(StoreProblem) -> (table: StoreTable, statement: SQLiteStatement) {
        if let cellStatement, cellStatement.column == named { return (cellStatement.table, cellStatement.statement) }
        let (table, column) = try resolve(named)
        let statement = try statement(
            """
            SELECT \(column.column.quotedIdentifier) FROM \(table.name.quotedIdentifier)
            WHERE \(table.key.condition)
            """)
        cellStatement = (named, table, statement)
        return (table, statement)
    }

    private func noSuchRow(_ name: String, in table: StoreTable) -> StoreProblem {
        .noSuchRow(key: name, table: table.name, keyColumns: table.key.columns.map(\.name))
    }

    /// Returns the table of a column, and the column with the spelling of the store.
    func resolve(_ column: StoreColumn) throws(StoreProblem) -> (table: StoreTable, column: StoreColumn) {
        let table = try schema.table(named: column.table)
        guard let found = table.column(named: column.column) else {
            throw .noSuchColumn(column.column, table: table.name, known: table.columns.map(\.name))
        }
        return (table, StoreColumn(table: table.name, column: found.name))
    }

    /// Returns the condition that a cell is neither NULL nor empty. For a blob, it doesn't read any content.
    private static func isFilled(_ column: String) -> String {
        let name = column.quotedIdentifier
        return
            "CASE typeof(\(name)) WHEN 'blob' THEN length(\(name)) > 0 WHEN 'text' THEN \(name) <> '' WHEN 'null' THEN 0 ELSE 1 END"
    }

    // MARK: - Samples

    /// The number of rows to search for cells that are not empty at each end of a table.
    static let sampleReach = 5000

    /// Returns the beginnings of up to `limit` cells from each end of a table, with nil for numbers. Only the first and
    /// last ``sampleReach`` rows are searched.
    func heads(of column: StoreColumn, in table: StoreTable, limit: Int) throws(StoreProblem) -> [SourceBytes?] {
        let name = column.column.quotedIdentifier
        // Text isn't cast to a blob, because its bytes would be in the database's encoding instead of UTF-8.
        let head =
            "substr(CASE typeof(\(name)) WHEN 'blob' THEN \(name) ELSE CAST(\(name) AS TEXT) END, 1, \(DocumentFormat.headLength))"
        let selection = "\(head), typeof(\(name)) IN ('text', 'blob')"
        var heads: [SourceBytes?] = []
        try forEachSampled(column, in: table, limit: limit, selecting: selection) { statement in
            guard let head = statement.bytes(at: 0) else { return }
            heads.append(statement.integer(at: 1) != 0 ? head : nil)
        }
        return heads
    }

    /// Returns up to `limit` cells from each end of a table, none larger than `largest` bytes.
    func sample(
        of column: StoreColumn, in table: StoreTable, limit: Int, largest: Int
    ) throws(StoreProblem) -> [SourceBytes] {
        let name = column.column.quotedIdentifier
        var cells: [SourceBytes] = []
        let selection = "CASE WHEN length(CAST(\(name) AS BLOB)) <= \(largest) THEN \(name) END"
        try forEachSampled(column, in: table, limit: limit, selecting: selection) { statement in
            if let bytes = statement.bytes(at: 0) { cells.append(bytes) }
        }
        return cells
    }

    private func forEachSampled(
        _ column: StoreColumn, in table: StoreTable, limit: Int, selecting selection: String,
        _ body: (SQLiteStatement) -> Void
    ) throws(StoreProblem) {
        let (source, list) = (table.name.quotedIdentifier, table.key.list)
        // If the table has fewer rows than that, both ends are the same rows.
        let reach = Self.sampleReach
        let last = try connection.execute("SELECT 1 FROM \(source) LIMIT 1 OFFSET \(2 * reach - 1)")
        let isShort = last == nil
        let backward = table.key.columns.map { "\($0.sql) DESC" }.joined(separator: ", ")
        let ends = isShort ? [(order: list, share: 2)] : [(order: list, share: 1), (order: backward, share: 1)]
        for end in ends {
            let statement = try statement(
                """
                SELECT \(selection) FROM
                (SELECT \(column.column.quotedIdentifier) FROM \(source) ORDER BY \(end.order) LIMIT \(end.share * reach))
                WHERE \(Self.isFilled(column.column)) LIMIT \(end.share * limit)
                """)
            defer { statement.reset() }
            try statement.start(with: [])
            while try statement.step() { body(statement) }
        }
    }

    // MARK: - Statements

    /// Returns the statement for a piece of SQL, which is prepared when it is first used.
    func statement(_ sql: String) throws(StoreProblem) -> SQLiteStatement {
        let key = ExactText(sql)
        if let statement = statements[key] { return statement }
        let statement = try connection.prepare(sql)
        statements[key] = statement
        return statement
    }
}
