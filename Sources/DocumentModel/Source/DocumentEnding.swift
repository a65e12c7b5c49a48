/// The kind of content that the ending of a file's name suggests.
package enum DocumentEnding: CaseIterable {
    /// One document.
    case document
    /// One document per line.
    case lines
    /// A SQLite database, if its first bytes are those of one.
    case store

    /// A list for people of the endings that mark a file as a document or as a file of documents: `.json or .plist`.
    package static let listed: String = {
        let endings = [document, lines].flatMap(\.endings).sorted()
        return endings.dropLast().joined(separator: ", ") + " or " + (endings.last ?? "")
    }()

    /// The endings of this kind, each with its period.
    package var endings: [String] {
        switch self {
        case .document: [".json", ".json5", ".plist", ".resolved"]
        case .lines: [".jsonl", ".ndjson"]
        case .store: [".sqlite", ".sqlite3", ".db", ".store"]
        }
    }
}
