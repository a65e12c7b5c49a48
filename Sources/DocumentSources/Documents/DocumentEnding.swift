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

    /// The ending of a file compressed with gzip.
    static let packed = ".gz"

    private var endings: [String] {
        switch self {
        case .document: [".json", ".json5", ".plist", ".resolved"]
        case .lines: [".jsonl", ".ndjson"]
        case .store: [".sqlite", ".sqlite3", ".db", ".store"]
        }
    }

    /// Creates the ending that a file's name has, or nil if the name has none of them.
    ///
    /// For a compressed file, the ending before `.gz` counts.
    init?(_ name: FilePath) {
        let name = name.hasSuffix(Self.packed) ? name.dropLast(Self.packed.utf8.count) : name
        guard let ending = Self.allCases.first(where: { $0.endings.contains(where: name.hasSuffix) }) else {
            return nil
        }
        self = ending
    }
}
