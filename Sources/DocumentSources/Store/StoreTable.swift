import DocumentModel
import Foundation

/// A table of a store, with its columns and the key that names its rows.
struct StoreTable: Sendable {
    /// A column, as declared.
    struct Column: Sendable {
        let name: String
        let affinity: StoreAffinity
        /// Whether the values are computed from others.
        var isComputed = false
        /// The position in the primary key, from 1; 0 if the column isn't in it.
        var keyPosition = 0
        var isNeverNull = false

        /// The name, quoted for SQL.
        var sql: String { name.quotedIdentifier }
    }

    let name: String
    let columns: [Column]
    let key: StoreKey

    /// Returns the column with that name. Like SQLite, ignores the case of ASCII letters.
    func column(named name: String) -> Column? { columns.first { $0.name.isSameIdentifier(as: name) } }
}

/// The conversion that SQLite applies to a value that is stored in a column or compared with it (datatype3.html,
/// section 3).
enum StoreAffinity: Sendable {
    case text, numeric, integer, real, blob

    /// Creates the affinity for a declared type, by the rules of section 3.1 in their order.
    ///
    /// - Parameter isStrict: Whether the table is `STRICT`; then the type `ANY` converts nothing.
    init(declaredType: String, isStrict: Bool) {
        let type = declaredType.utf8.map(\.foldingASCII)
        let holds = { (word: String) in type.firstRange(of: Array(word.utf8)) != nil }
        self =
            if holds("int") {
                .integer
            } else if ["char", "clob", "text"].contains(where: holds) {
                .text
            } else if type.isEmpty || holds("blob") || isStrict && type.elementsEqual("any".utf8) {
                .blob
            } else if ["real", "floa", "doub"].contains(where: holds) {
                .real
            } else {
                .numeric
            }
    }
}

extension String {
    /// Returns whether SQLite treats both as the same name.
    func isSameIdentifier(as other: String) -> Bool {
        utf8.lazy.map(\.foldingASCII).elementsEqual(other.utf8.lazy.map(\.foldingASCII))
    }

    /// The name, quoted for SQL; it may contain any characters.
    var quotedIdentifier: String { "\"" + escaping { $0 == "\"" ? "\"\"" : nil } + "\"" }
}

/// A column of a table of a store.
public struct StoreColumn: Hashable, Sendable {
    private let exactTable: ExactText
    private let exactColumn: ExactText

    /// The name of the table, with the spelling of the store.
    public var table: String { exactTable.string }
    /// The name of the column, with the spelling of the store.
    public var column: String { exactColumn.string }

    /// Creates a column from its names.
    public init(table: String, column: String) {
        (exactTable, exactColumn) = (ExactText(table), ExactText(column))
    }
}

extension StoreColumn: CustomStringConvertible {
    /// `TABLE.COLUMN`, as on the command line.
    public var description: String { "\(table).\(column)" }
}

/// A value as SQLite stores it (datatype3.html, section 2).
///
/// Text is stored as bytes, because a database may contain ill-formed UTF-8, and a repaired key would be a different
/// key.
package enum StoreValue: Hashable, Sendable, Codable {
    case null
    case integer(Int64)
    case real(Double)
    case text(Data)
    case blob(Data)
}

extension StoreColumn: Codable {
    private enum CodingKeys: String, CodingKey { case table, column }

    /// Reads the names of the table and the column.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            table: try container.decode(String.self, forKey: .table),
            column: try container.decode(String.self, forKey: .column))
    }

    /// Writes the names of the table and the column.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(table, forKey: .table)
        try container.encode(column, forKey: .column)
    }
}
