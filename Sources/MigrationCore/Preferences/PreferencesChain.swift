import DocumentModel

/// The chain of an app's preferences: a property list, each declared key of which is of its own version.
struct PreferencesChain: ChainSystem {
    let name: String
    /// By their names, which `UserDefaults` compares to the letter.
    let keys: [ExactText: PreferenceKey]

    static let step = MigrationFailure.Step(from: .number(4), to: .number(5))

    let versions = [
        ChainVersion(version: step.from, type: "JSON strings"), ChainVersion(version: step.to, type: "native values"),
    ]

    func reading(_ document: Document, isTracing: Bool) -> Reading {
        Reading(document, DocumentDecoder(), DocumentEncoder(), isTracing: isTracing)
    }

    /// Every key may be absent, so none counts as needed: a document fits by the share of its keys that are declared, or by the share
    /// of the declared keys that it has, for the system keeps keys of its own beside an app's.
    func fit(of reading: Reading, names: Set<String>) -> (fit: ChainFit, found: DetectedStage?) {
        let found = names.count { keys[ExactText($0)] != nil }
        let isCandidate = reading.document.format.isPropertyList && found > 0
        let shares = ChainFit.Shares(
            nameCount: names.count, knownCount: isCandidate ? found : 0,
            present: isCandidate ? Double(found) / Double(keys.count) : 0)
        return (ChainFit(version: .notAsked, type: name, shares: shares), nil)
    }

    /// Preferences are few and small, and what a check asks of them is nearly all that a trace records.
    func run(
        _ document: Document, source: String, to target: DocumentVersion?, found: DetectedStage?, isTracing: Bool
    ) -> TraceBuilder {
        PreferencesRun(chain: self, document: document, source: source, target: target).run()
    }
}
