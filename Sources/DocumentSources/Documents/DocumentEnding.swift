/// What the ending of a file's name says of what is in it.
package enum DocumentEnding: CaseIterable {
    /// One document.
    case document
    /// A document a line.
    case lines
    /// A SQLite database, if it begins as one.
    case store

    /// The endings that make any file a document, or a file of documents, as a person lists them: `.json or .plist`.
    package static let listed: String = {
        let endings = [document, lines].flatMap(\.endings).sorted()
        return endings.dropLast().joined(separator: ", ") + " or " + (endings.last ?? "")
    }()

    /// The ending of what gzip has packed.
    static let packed = ".gz"

    private var endings: [String] {
        switch self {
        case .document: [".json", ".json5", ".plist", ".resolved"]
        case .lines: [".jsonl", ".ndjson"]
        case .store: [".sqlite", ".sqlite3", ".db", ".store"]
        }
    }

    /// What the name says; nil where it says nothing.
    ///
    /// Of what is packed the ending before that of the packing counts.
    init?(_ name: FilePath) {
        let name = name.hasSuffix(Self.packed) ? name.dropLast(Self.packed.utf8.count) : name
        guard let ending = Self.allCases.first(where: { $0.endings.contains(where: name.hasSuffix) }) else {
            return nil
        }
        self = ending
    }
}
