import DocumentModel
import MigrationCore

extension StoreSession {
    /// Checks for parts of the store that would no longer match if documents of a column change. SQLite itself updates
    /// indexes and computed columns and evaluates checks. The effects of triggers, which are disabled here, and the
    /// contents of virtual tables can only be updated by the app.
    ///
    /// - Throws: ``StoreProblem/hasDependent(column:_:)``.
    func refuseDependents(of column: StoreColumn) throws(StoreProblem) {
        func refuse(_ dependent: StoreDependent) throws(StoreProblem) {
            throw .hasDependent(column: "\(column)", dependent)
        }
        var views: [String] = []
        // Views are listed before anything that may read them.
        let listing = try connection.prepare(
            "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE rootpage IS NULL OR rootpage = 0 ORDER BY type DESC"
        )
        while try listing.step() {
            let name = listing.string(at: 1)
            switch listing.string(at: 0) {
            case "view": views.append(name)
            case "trigger" where listing.string(at: 2).isSameIdentifier(as: column.table):
                if SQLTokens(listing.string(at: 3)).isTrigger(forUpdatesOf: column.column) {
                    try refuse(.trigger(name))
                }
            case "table":
                let content = SQLTokens(listing.string(at: 3)).value(ofArgument: "content")
                if let content, ([column.table] + views).contains(where: content.isSameIdentifier) {
                    try refuse(.fullTextIndex(name))
                }
                // If the module of a virtual table is unknown here, the tables with its content look like ordinary
                // ones.
                if column.table.hasPrefixOfTable(name) { try refuse(.virtualTable(name)) }
            default: break
            }
        }
    }

    /// The virtual tables.
    var virtualTables: [String] {
        get throws(StoreProblem) {
            let listing = try connection.prepare(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual' ORDER BY name")
            var names: [String] = []
            while try listing.step() { names.append(listing.string(at: 0)) }
            return names
        }
    }
}

extension String {
    /// Returns whether this is the name of a table in which a virtual table of that name keeps its content.
    fileprivate func hasPrefixOfTable(_ name: String) -> Bool {
        let beginning = utf8.prefix(name.utf8.count + 1)
        return beginning.count < utf8.count && String(Substring(beginning)).isSameIdentifier(as: name + "_")
    }
}

/// The words, names and signs of a piece of SQL (lang_expr.html, section 3).
struct SQLTokens {
    enum Token: Equatable {
        /// A keyword, a name without quotation marks, or a number.
        case word(String)
        /// The content of quotation marks or brackets.
        case quoted(String)
        case sign(UInt8)

        var text: String? {
            switch self {
            case .word(let text), .quoted(let text): text
            case .sign: nil
            }
        }

        func isWord(_ word: String) -> Bool {
            if case .word(let text) = self { text.isSameIdentifier(as: word) } else { false }
        }
    }

    let tokens: [Token]

    init(_ sql: String) {
        var tokens: [Token] = []
        var rest = Array(sql.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case _ where byte.isWhitespace || byte == 0x0C: break
            case UInt8(ascii: "-") where rest.first == byte: rest = rest.drop { $0 != 0x0A }
            case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"):
                rest.removeFirst()
                while let inside = rest.popFirst(), inside != UInt8(ascii: "*") || rest.first != UInt8(ascii: "/") {}
                rest = rest.dropFirst()
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "["):
                let end = byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : byte
                var text: [UInt8] = []
                while let inside = rest.popFirst() {
                    if inside == end {
                        // A doubled quotation mark is part of the text.
                        guard inside == byte, rest.first == end else { break }
                        rest.removeFirst()
                    }
                    text.append(inside)
                }
                tokens.append(.quoted(String(decoding: text, as: UTF8.self)))
            case _ where byte.isPartOfWord:
                let more = rest.prefix(while: \.isPartOfWord)
                tokens.append(.word(String(decoding: [byte] + more, as: UTF8.self)))
                rest = rest[more.endIndex...]
            default: tokens.append(.sign(byte))
            }
        }
        self.tokens = tokens
    }

    /// Returns whether a `CREATE TRIGGER` statement acts on updates of a column, or may do so because it cannot be
    /// understood.
    func isTrigger(forUpdatesOf column: String) -> Bool {
        // The statement begins with CREATE TRIGGER and a name, and each of the three events is a keyword.
        let events = tokens.dropFirst(3).drop { token in !["DELETE", "INSERT", "UPDATE"].contains(where: token.isWord) }
        guard let event = events.first else { return true }
        guard event.isWord("UPDATE") else { return false }
        guard events.dropFirst().first?.isWord("OF") == true else { return true }
        return events.dropFirst(2).prefix { !$0.isWord("ON") }.contains {
            $0.text?.isSameIdentifier(as: column) == true
        }
    }

    /// Returns the value of an argument `NAME = VALUE` of a `CREATE VIRTUAL TABLE` statement, or nil if it doesn't have
    /// one.
    func value(ofArgument name: String) -> String? {
        zip(tokens, tokens.dropFirst()).enumerated().first { _, pair in
            pair.0.isWord(name) && pair.1 == .sign(UInt8(ascii: "="))
        }
        .flatMap { position, _ in tokens.dropFirst(position + 2).first?.text }
    }
}

extension UInt8 {
    fileprivate var isPartOfWord: Bool {
        isLetterOrDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self >= 0x80
    }
}
