import DocumentModel
import MigrationCore

/// Finds the columns of a store that contain documents, by sampling.
///
/// It examines the beginnings of up to 64 cells that are not empty: 32 in the first 5000 rows, and 32 in the last 5000,
/// to find both columns that were added late and columns that are no longer used. A column contains documents if more
/// than half of the sampled cells begin like one:
///
/// - A JSON object, complete or malformed: `{` followed by `"` or `}`.
/// - A JSON5 object that can be parsed: much other text begins with `{`, or with a slash.
/// - A property list. Archives of NSKeyedArchiver, which Core Data creates for transformable attributes, are left out
///   because the app doesn't define their structure.
/// - A JSON array, if at least one of them can be parsed, because much other text begins with `[`.
///
/// Columns of numbers, columns of the primary key, computed columns, and the tables for Core Data's own model
/// (`Z_METADATA`, `Z_MODELCACHE`) are skipped. Other columns of any kind can be named on the command line.
struct StoreColumnFinder {
    let session: StoreSession

    private static let sampleSize = 32
    /// Archives, arrays and JSON5 have to be read completely to be recognized. Larger cells are judged by their beginnings.
    private static let largestRead = 1 << 20
    private static let tablesOfFrameworks: Set<String> = ["Z_METADATA", "Z_MODELCACHE"]

    /// Returns the columns that contain documents, table by table.
    func find() throws(StoreProblem) -> [StoreColumn] {
        var found: [StoreColumn] = []
        for table in try session.schema.tables where !Self.tablesOfFrameworks.contains(table.name.uppercased()) {
            for column in table.columns where refusal(of: column, in: table) == nil {
                guard column.affinity != .integer, column.affinity != .real else { continue }
                let candidate = StoreColumn(table: table.name, column: column.name)
                if try holdsDocuments(candidate, in: table) { found.append(candidate) }
            }
        }
        return found
    }

    /// Whether the store was written by Core Data, which SwiftData uses too.
    var isStoreOfModels: Bool {
        get throws(StoreProblem) {
            let names = Set(try session.schema.tables.map { $0.name.uppercased() })
            return names.isSuperset(of: ["Z_METADATA", "Z_PRIMARYKEY"])
        }
    }

    /// Returns the column that a name like `ZBOOK.ZMETA` refers to.
    func column(named name: String) throws(StoreProblem) -> StoreColumn {
        let tables = try session.schema.tables
        // Both names may contain periods, so use the longest table name that exists.
        let table = tables.filter { name.hasTable($0.name) }.max { $0.name.utf8.count < $1.name.utf8.count }
        guard let table else {
            guard let stop = name.unicodeScalars.firstIndex(of: ".") else { throw .columnWithoutTable(name) }
            throw .noSuchTable(String(name[..<stop]), known: tables.map(\.name))
        }
        let columnName = String(Substring(name.utf8.dropFirst(table.name.utf8.count + 1)))
        let (_, column) = try session.resolve(StoreColumn(table: table.name, column: columnName))
        if let declared = table.column(named: column.column), let refusal = refusal(of: declared, in: table) {
            throw .noDocumentColumn("\(column)", because: refusal)
        }
        return column
    }

    /// Returns why a column cannot contain documents regardless of its content, or nil if it can.
    private func refusal(of column: StoreTable.Column, in table: StoreTable) -> ColumnRefusal? {
        if column.isComputed { return .isComputed }
        if table.key.columns.isEmpty { return .rowsWithoutNames }
        return table.key.columns.contains { $0.name.isExactly(column.name) } ? .namesRows : nil
    }

    private func holdsDocuments(_ column: StoreColumn, in table: StoreTable) throws(StoreProblem) -> Bool {
        let heads = try session.heads(of: column, in: table, limit: Self.sampleSize)
        let kinds = heads.map { $0.map(Beginning.init) ?? .other }
        let (objects, lists, arrays) = (kinds.count(of: .object), kinds.count(of: .list), kinds.count(of: .array))
        guard 2 * (objects + lists + arrays + kinds.count(of: .json5)) > heads.count else { return false }
        if lists == 0, 2 * objects > heads.count { return true }
        // Archives, arrays and JSON5 are recognized only from the whole cell.
        let sample = try session.sample(
            of: column, in: table, limit: Self.sampleSize, largest: Self.largestRead)
        let documents = sample.compactMap { try? Document(parsing: $0, allowsJSON5: true) }
        let archives = documents.count { $0.isKeyedArchive }
        let json5 = documents.count { $0.root.kind == .object && $0.source.map(Beginning.init) == .json5 }
        let others = objects + lists - archives + json5
        guard 2 * (others + arrays) > heads.count else { return false }
        return arrays == 0 || 2 * others > heads.count || documents.contains { $0.root.kind == .array }
    }

    /// The kind of document that the first bytes of a cell suggest.
    private enum Beginning {
        case object, list, array
        /// Text that may be an object in JSON5.
        case json5
        case other

        init(_ head: SourceBytes) {
            let text = head.string(in: 0..<head.count).unicodeScalars
                .drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
            switch DocumentFormat.announced(by: head) {
            case .plistXML, .plistBinary: self = .list
            case .json where text.first != "/":
                let next = text.dropFirst().first { !$0.properties.isWhitespace }
                // In a wider encoding, the brace is enough.
                self = text.first != "{" || next.map("\"}\0".unicodeScalars.contains) == true ? .object : .json5
            default: self = text.first == "[" ? .array : text.first == "/" ? .json5 : .other
            }
        }
    }
}

extension Collection where Element: Equatable {
    fileprivate func count(of element: Element) -> Int { count { $0 == element } }
}

extension String {
    /// Returns whether this is the name of a table followed by a period and more.
    fileprivate func hasTable(_ table: String) -> Bool {
        let rest = utf8.dropFirst(table.utf8.count)
        return rest.count > 1 && rest.first == UInt8(ascii: ".")
            && String(Substring(utf8.prefix(table.utf8.count))).isSameIdentifier(as: table)
    }
}
