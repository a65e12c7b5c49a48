import DocumentModel
import Foundation

/// A table of a store: its columns, and how its rows are named.
struct StoreTable: Sendable {
    /// A column as it was declared.
    struct Column: Sendable {
        let name: String
        let affinity: StoreAffinity
        /// Whether its values are computed from others.
        let isComputed: Bool
    }

    let name: String
    let columns: [Column]
    let key: StoreKey

    /// The column of that name; SQLite compares the ASCII letters of names without regard to case.
    func column(named name: String) -> Column? { columns.first { $0.name.isSameIdentifier(as: name) } }
}

/// What SQLite makes of a value that is stored in a column or compared with it (datatype3.html, section 3).
enum StoreAffinity: Sendable {
    case text, numeric, integer, real, blob

    /// What a declared type asks for: the rules of section 3.1, in their order.
    ///
    /// - Parameter isStrict: Whether the table is `STRICT`, in which `ANY` is a type that changes nothing.
    init(declaredType: String, isStrict: Bool) {
        let type = declaredType.uppercased()
        self =
            if type.contains("INT") {
                .integer
            } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
                .text
            } else if type.isEmpty || type.contains("BLOB") || isStrict && type == "ANY" {
                .blob
            } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
                .real
            } else {
                .numeric
            }
    }
}

extension String {
    /// Whether SQLite takes both for the same name.
    func isSameIdentifier(as other: String) -> Bool {
        utf8.lazy.map(Self.foldingASCII).elementsEqual(other.utf8.lazy.map(Self.foldingASCII))
    }

    private static func foldingASCII(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// The name as SQL spells it, whatever is in it.
    var quotedIdentifier: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}

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

/// A value as SQLite stores it (datatype3.html, section 2).
///
/// Text is kept as the bytes it is made of: a database does not promise that they are well-formed UTF-8, and a key that
/// was repaired would be another key.
enum StoreValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Data)
    case blob(Data)
}
