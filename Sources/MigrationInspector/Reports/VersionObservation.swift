import DocumentModel
import DocumentSources
import MigrationCore

/// How a report observes the versions of documents that no chain claims.
struct VersionObservation: Sendable {
    /// Whether the documents are the committed states of files, which are compared with the states of the same file.
    /// Other documents are all compared with each other.
    var areStates = false
    /// The path of the version, if the user named it.
    var key: DocumentPath?
    /// Whether a document can wait for those after it. Documents of a stream cannot, since it may never end.
    var canWait = true

    /// Returns whether only a comparison with other documents shows the version of a document.
    func awaitsOthers(_ result: CheckResult) -> Bool {
        guard canWait, result.outcome == .unrecognized else { return false }
        return areStates || key == nil && !result.versionCandidates.isEmpty
    }

    /// The choices among the values of documents, for each file that they are states of.
    struct Choices {
        fileprivate var sets: [FilePath: ObservedVersions] = [:]
        fileprivate var choices: [FilePath: ObservedVersions.Choice] = [:]
        fileprivate let areStates: Bool

        fileprivate func set(of document: DocumentReference) -> FilePath { areStates ? document.history : "" }

        /// Returns the version observed in a document; nil if there is none.
        func version(of result: CheckResult, _ document: DocumentReference) -> ObservedVersion? {
            choices[set(of: document)]?.version(of: result)
        }
    }

    /// Compares documents with each other.
    func choices(among documents: [(result: CheckResult, document: DocumentReference)]) -> Choices {
        var choices = Choices(areStates: areStates)
        for (result, document) in documents {
            choices.sets[choices.set(of: document), default: ObservedVersions(areStates: areStates, key: key)]
                .add(result)
        }
        choices.choices = choices.sets.mapValues(\.choice)
        return choices
    }

    /// The version of a document that need not be compared with others; nil if there is none.
    func version(of result: CheckResult) -> ObservedVersion? { key == nil ? nil : result.versionCandidates.first }
}

/// The number of documents in which each version was observed.
struct ObservedCounts: Sendable {
    private var counts: [DocumentPath: [DocumentVersion: Int]] = [:]

    /// Counts a document, if a version was observed in it.
    mutating func add(_ result: CheckResult) {
        guard let observed = result.observed, let path = observed.path else { return }
        counts[path, default: [:]][observed.version, default: 0] += 1
    }

    /// The counts as lines of text, after a line that says what they are; empty if there are none.
    var lines: [String] {
        guard !counts.isEmpty else { return [] }
        let paths = counts.sorted { $0.key.description < $1.key.description }
        return ["Versions that are only observed (no chain claims these documents, so nothing migrates):"]
            + paths.map { path, counts in
                let documents = counts.values.reduce(0, +)
                let all = documents == 1 ? "1 document" : "\(documents) documents"
                guard counts.count <= Self.mostListed else {
                    return "  \(path): \(counts.count) versions in \(all)"
                }
                let versions = counts.sorted { $0.key.isObserved(before: $1.key) }
                return "  \(path): " + versions.map { "\($0.key) in \($0.value)" }.joined(separator: ", ")
                    + " of \(all)"
            }
    }

    /// The number of versions that are listed one by one; more of them say little.
    private static let mostListed = 10
}
