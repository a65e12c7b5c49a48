import DocumentModel
import DocumentSources
import MigrationCore

/// The history of a value, for a check report.
struct FollowedValueReport {
    private let followed: FollowedSelector
    /// The name of the document; nil if it is the only one.
    private let document: String?
    private let stateCount: Int
    private let unreadCount: Int
    /// What happened to the value, newest first.
    let rows: [FollowedRow]

    /// Returns the histories of a value in each document that has it; one report that no state has it if none does.
    ///
    /// - Throws: ``UsageError`` if the selector means several values of a document.
    static func reports(_ followed: FollowedSelector, in documents: [StatesInTime]) throws -> [FollowedValueReport] {
        let reports = try documents.map { states in
            let name = documents.count > 1 ? states.documents.first?.history.description : nil
            return FollowedValueReport(followed, of: name, try states.following(followed.selector), in: states)
        }
        let found = reports.filter { !$0.rows.isEmpty }
        return found.isEmpty ? Array(reports.prefix(1)) : found
    }

    /// - Parameters:
    ///   - document: The name of the document; nil if it is the only one.
    ///   - history: The history; nil if no state has the value.
    private init(
        _ followed: FollowedSelector, of document: String?, _ history: ValueHistory?, in states: StatesInTime
    ) {
        (self.followed, self.document) = (followed, document)
        stateCount = states.states.count { !$0.isDeleted }
        unreadCount = history?.unread.count ?? 0
        rows = (history?.changes ?? []).reversed().map {
            let document = states.documents[$0.state]
            return FollowedRow(source: document.name, revision: document.revision, change: $0)
        }
    }

    /// The report as a part of one in another format.
    var section: HistorySection {
        rows.isEmpty
            ? HistorySection(title: nil, lines: lines)
            : HistorySection(title: lines[0], lines: Array(lines.dropFirst()))
    }

    /// The report as text.
    var lines: [String] {
        let manner = followed.isMigrated ? ", as migrated" : ""
        if rows.isEmpty { return ["no state has a value at \(followed.selector)\(manner)"] }
        let states = stateCount == 1 ? "1 state" : "\(stateCount) states"
        let unread =
            unreadCount > 0
            ? ", \(unreadCount) of them not readable\(followed.isMigrated ? " or not migrated" : "")" : ""
        let place = document.map { " of \($0)" } ?? ""
        return ["\(followed.selector) in \(states)\(place)\(unread)\(manner):"] + rows.map { "  \($0.line)" }
    }
}

extension FollowedRow {
    /// The state, the values, the author, and what the row rests on.
    fileprivate var line: String {
        let state = revision.map { "\($0.day) \($0.shortCommit)" } ?? source
        let who = revision.map { "  \($0.author): \($0.subject)" } ?? ""
        return "\(state)  \(change.words)\(who)" + (change.groundWords(in: revision).map { "  (\($0))" } ?? "")
    }
}

extension ValueHistory.Change {
    /// What happened to the value.
    fileprivate var words: String {
        func text(_ value: Document?) -> String { value.map(JSONText.text) ?? "none" }
        switch event {
        case .first(let new): return text(new)
        case .added, .removed, .changed: return "\(text(event.old)) → \(text(event.new))"
        case .migrated(let old, let new): return "\(text(old)) → \(text(new)), migrated"
        case .moved(let value, let from): return "\(text(value)), now \(path), was \(from)"
        case .unfollowed(let reason, let value):
            return (value.map { "\(text($0)); " } ?? "") + "not followed further: \(reason.sentence)"
        }
    }
}
