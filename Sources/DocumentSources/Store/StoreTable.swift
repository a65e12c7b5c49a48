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
