/// What is wrong with a store, or with what was asked of it.
public enum StoreProblem: Error, Hashable, Sendable {
    /// Another program keeps everybody out.
    case locked
    /// Another program wrote to it each time it was to be copied.
    case neverStill
    /// Parts of it contradict each other; SQLite says which.
    case damaged(detail: String)
    /// It is shorter than it says itself.
    case cutShort(byteCount: Int, expected: Int)
    /// Its first bytes are not those of a SQLite database; nil where they were not counted.
    case notDatabase(byteCount: Int?)
    /// It begins as a SQLite database, but what follows makes no sense.
    case scrambled
    /// A later SQLite wrote it, in a form that this one does not know.
    case newerFormat(detail: String)
    /// A store has no such table; these are the ones it has.
    case noSuchTable(String, known: [String])
    /// A table has no such column; these are the ones it has.
    case noSuchColumn(String, table: String, known: [String])
    /// A column that does not name a table too.
    case columnWithoutTable(String)
    /// A column that names the rows, or is computed, and so holds no documents.
    case noDocumentColumn(String, reason: String)
    /// A table has no row of that key; this is how its keys are made up.
    case noSuchRow(key: String, table: String, keyColumns: [String])
    /// The cell is NULL or of no length.
    case emptyCell
    /// A whole store where one document was wanted.
    case wholeStore
    /// The log, its index or the journal of a store, where a document was wanted.
    case belongsToStore(path: String)
    /// No column holds documents, as far as looking tells.
    case noDocuments
    /// Anything else that SQLite says, in its words, with its extended result code.
    case sqlite(code: Int32, message: String)
}

extension StoreProblem {
    /// What is wrong and what would be right.
    var message: String {
        switch self {
        case .locked: "locked by another program that is writing to it; close that program, or try again"
        case .neverStill:
            "another program keeps writing to it, so that no moment of it could be copied; close that program, or try again"
        case .damaged(let detail):
            "a damaged SQLite database (\(detail)); what is left of it can be saved with sqlite3's .recover command"
        case .cutShort(let byteCount, let expected):
            "a SQLite database that was cut short: it has \(byteCount) bytes of \(expected); copy it again from where it came"
        case .notDatabase(byteCount: 0): "file is not a database: it is empty, so nothing can be read from it"
        case .notDatabase:
            "file is not a database: it does not begin as one of SQLite; "
                + "if it is encrypted (SQLCipher does that), name a decrypted copy of it"
        case .scrambled:
            "a SQLite database by its first bytes, but those behind them make no sense: it is damaged or encrypted; "
                + "copy it again from where it came, or name a decrypted copy of it"
        case .newerFormat(let detail):
            "a SQLite database in a newer format than this program's SQLite reads (\(detail)); update SQLite"
        case .noSuchTable(let name, let known): Self.missing("table", name, in: "the store", known: known)
        case .noSuchColumn(let name, let table, let known):
            Self.missing("column", name, in: "the table \(table)", known: known)
        case .columnWithoutTable(let name): "'\(name)' names no column of a table; a column is named TABLE.COLUMN"
        case .noDocumentColumn(let name, let reason): "the column \(name) \(reason); name one that holds documents"
        case .noSuchRow(let key, let table, let keyColumns):
            "the table \(table) has no row \(key); its rows are named by \(keyColumns.joined(separator: ","))"
        case .emptyCell: "the cell is empty (NULL or of no length), and empty cells are no documents"
        case .wholeStore: "a SQLite store, where one document was wanted; a cell of it is named FILE#TABLE/KEY/COLUMN"
        case .belongsToStore(let path): "no document: SQLite keeps it beside the store \(path); name that one"
        case .noDocuments:
            "no column of the store looks as if it held JSON or property lists; one can be named: --column TABLE.COLUMN"
        case .sqlite(_, let message): "SQLite says: \(message)"
        }
    }

    private static func missing(_ kind: String, _ name: String, in place: String, known: [String]) -> String {
        var message = "\(place) has no \(kind) \(name)"
        if let nearest = name.nearest(in: known) {
            message += "; did you mean \(nearest)?"
        } else if !known.isEmpty {
            message += "; it has \(known.prefix(12).joined(separator: ", "))\(known.count > 12 ? ", …" : "")"
        }
        return message
    }
}
