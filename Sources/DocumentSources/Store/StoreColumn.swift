import DocumentModel

/// A column of a table of a store.
public struct StoreColumn: Hashable, Sendable {
    /// The name of the table, as the store spells it.
    public let table: String
    /// The name of the column, as the store spells it.
    public let column: String

    /// Names a column.
    public init(table: String, column: String) {
        self.table = table
        self.column = column
    }

    /// Whether both are spelled alike, to the letter.
    public static func == (left: StoreColumn, right: StoreColumn) -> Bool {
        left.table.isExactly(right.table) && left.column.isExactly(right.column)
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(table))
        hasher.combine(ExactText(column))
    }
}

extension StoreColumn: CustomStringConvertible {
    /// `TABLE.COLUMN`, as the command line names it.
    public var description: String { "\(table).\(column)" }
}

extension DocumentReference {
    /// Whether this is the whole of a file that begins as a SQLite database does.
    public var isStore: Bool { !isStandardInput && part == .whole && DocumentStore.isStore(file) }

    /// The column of a store's cell; nil for any other document.
    public var storeColumn: StoreColumn? {
        if case .cell(let table, _, let column) = part { StoreColumn(table: table, column: column) } else { nil }
    }
}
