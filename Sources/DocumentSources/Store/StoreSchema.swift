import MigrationCore

/// The tables of a store, as declared in its schema.
///
/// Views and virtual tables are not included, because reading them would execute code from the file. Tables and columns
/// are left out if their names are not valid UTF-8, because neither SQL nor a report could name them.
struct StoreSchema: Sendable {
    let tables: [StoreTable]

    init(_ connection: SQLiteConnection) throws(StoreProblem) {
        let listing = try connection.prepare(
            """
            SELECT name, wr, strict FROM pragma_table_list
            WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            """)
        var declared: [(name: String, hasRowid: Bool, isStrict: Bool)] = []
        while try listing.step() {
            guard let name = listing.name(at: 0) else { continue }
            declared.append((name, listing.integer(at: 1) == 0, listing.integer(at: 2) != 0))
        }
        var tables: [StoreTable] = []
        for table in declared.sorted(by: { NaturalOrder.precedes($0.name, $1.name) }) {
            tables.append(
                try Self.table(table.name, hasRowid: table.hasRowid, isStrict: table.isStrict, connection))
        }
        self.tables = tables
    }

    /// Returns the table with that name.
    func table(named name: String) throws(StoreProblem) -> StoreTable {
        guard let table = tables.first(where: { $0.name.isSameIdentifier(as: name) }) else {
            throw .noSuchTable(name, known: tables.map(\.name))
        }
        return table
    }

    // MARK: - Tables

    private static func table(
        _ name: String, hasRowid: Bool, isStrict: Bool, _ connection: SQLiteConnection
    ) throws(StoreProblem) -> StoreTable {
        let statement = try connection.prepare(
            "SELECT name, type, pk, hidden, \"notnull\" FROM pragma_table_xinfo(?, 'main')")
        try statement.start(with: [.text(.init(name.utf8))])
        var columns: [StoreTable.Column] = []
        var keyLength = 0
        while try statement.step() {
            keyLength = max(keyLength, statement.integer(at: 2))
            guard let name = statement.name(at: 0) else { continue }
            let type = statement.string(at: 1)
            columns.append(
                StoreTable.Column(
                    name: name, affinity: StoreAffinity(declaredType: type, isStrict: isStrict),
                    isComputed: statement.integer(at: 3) != 0, keyPosition: statement.integer(at: 2),
                    isNeverNull: statement.integer(at: 4) != 0))
        }
        let key = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
        // Without one of its columns, a key doesn't identify a row.
        return StoreTable(
            name: name, columns: columns,
            key: try self.key(
                of: name, columns, declared: key.count == keyLength ? key : [], hasRowid: hasRowid, connection))
    }

    private static func key(
        of table: String, _ columns: [StoreTable.Column], declared: [StoreTable.Column], hasRowid: Bool,
        _ connection: SQLiteConnection
    ) throws(StoreProblem) -> StoreKey {
        let key = StoreKey(columns: declared)
        // The primary key of a table without rowid is never NULL. Neither is a column that is an alias of the rowid,
        // which SQLite knows without searching the table.
        guard hasRowid else { return key }
        var isUsable = !declared.isEmpty
        for column in declared where isUsable && !column.isNeverNull {
            let sql = "SELECT 1 FROM \(table.quotedIdentifier) WHERE \(column.sql) IS NULL LIMIT 1"
            isUsable = try connection.execute(sql) == nil
        }
        if isUsable { return key }
        // A column may hide one of the rowid's names. If columns hide all three, rows cannot be named.
        let name = ["rowid", "_rowid_", "oid"].first { name in
            !columns.contains { $0.name.isSameIdentifier(as: name) }
        }
        return name.map { StoreKey(columns: [.init(name: $0, affinity: .integer)]) } ?? key
    }
}
