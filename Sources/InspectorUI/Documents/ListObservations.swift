import DocumentModel
import MigrationCore

/// The versions observed in the documents of a list that no chain claims. The states of a file are compared with each
/// other, and all other documents with each other.
struct ListObservations: Sendable {
    /// The path of the version, if the user named it.
    var key: DocumentPath?
    /// The files with states in the list.
    private var histories: Set<ExactText> = []
    private var sets: [ExactText?: ObservedVersions] = [:]
    private var choices: [ExactText?: ObservedVersions.Choice] = [:]
    /// The sets with new documents.
    private var changed: Set<ExactText?> = []
    /// The number of times that other values were chosen.
    private(set) var choiceCount = 0

    /// Notes the files that new documents are states of.
    ///
    /// - Returns: Whether an earlier document may now be a state of one of them.
    mutating func learn(_ found: [FoundDocument]) -> Bool {
        let count = histories.count
        for document in found where document.revision != nil { histories.insert(ExactText(document.history)) }
        return histories.count > count
    }

    /// Returns the file that a document is a state of; nil if it is none.
    func set(of document: FoundDocument) -> ExactText? {
        guard !histories.isEmpty else { return nil }
        let history = ExactText(document.history)
        return histories.contains(history) ? history : nil
    }

    mutating func removeAll() { (sets, choices, changed) = ([:], [:], []) }

    mutating func add(_ result: CheckResult, _ document: FoundDocument) {
        guard result.outcome == .unrecognized else { return }
        let set = set(of: document)
        sets[set, default: ObservedVersions(areStates: set != nil, key: key)].add(result)
        changed.insert(set)
    }

    /// Chooses among the values of all documents that were added.
    mutating func choose() {
        for set in changed {
            let choice = sets[set]?.choice
            if choice != choices[set] { choiceCount += 1 }
            choices[set] = choice
        }
        changed = []
    }

    /// Returns the version observed in a document; nil if there is none.
    func version(of result: CheckResult, _ document: FoundDocument) -> ObservedVersion? {
        guard result.outcome == .unrecognized else { return nil }
        return choices[set(of: document)]?.version(of: result)
    }
}
