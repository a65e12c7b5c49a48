import DocumentModel

/// The chain of an app's preferences: a property list, each declared key of which is of its own version.
final class PreferencesChain: ChainSystem {
    let name: String
    /// By their names, which `UserDefaults` compares to the letter.
    let keys: [ExactText: StoredPreference]
    let declarationError: ChainDeclarationError?

    init(name: String, keys: [StoredPreference]) {
        self.name = name
        self.keys = Dictionary(keys.map { (ExactText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        declarationError = keys.declarationProblem.map { ChainDeclarationError(chain: name, problem: $0) }
    }

    static let step = MigrationFailure.Step(from: .number(4), to: .number(5))

    static let allVersions = [
        ChainVersion(version: step.from, type: "JSON strings"), ChainVersion(version: step.to, type: "native values"),
    ]

    let versions = allVersions

    let decoder = DocumentDecoder()
    let encoder = DocumentEncoder()

    /// The declared keys; of version 4 with the types that their strings hold as JSON.
    func outline(ofVersion index: Int) -> VersionOutline {
        var outline = VersionOutline()
        outline.fields = keys.values.sorted { $0.name < $1.name }.map { key in
            let type = index == 0 ? key.conversion?.oldName ?? key.typeName : key.typeName
            return VersionOutline.Field(path: DocumentPath([.key(key.name)]), type: type, isRequired: false)
        }
        return outline
    }

    /// Every key may be absent, so none counts as needed: a document fits by the share of its keys that are declared,
    /// or by the share of the declared keys that it has, for the system keeps keys of its own beside an app's.
    func fit(
        of reading: Reading, claim: DetectedStage?
    ) -> (fit: ChainFit, found: DetectedStage?) {
        let names = Set(reading.root.members.map(\.name))
        let found = names.count { keys[ExactText($0)] != nil }
        let isCandidate = reading.document.format.isPropertyList && found > 0
        let shares = ChainFit.Shares(
            nameCount: names.count, knownCount: isCandidate ? found : 0,
            present: isCandidate ? Double(found) / Double(keys.count) : 0)
        return (ChainFit(version: .notAsked, type: name, shares: shares), nil)
    }

    /// Preferences are few and small, and what a check asks of them is nearly all that a trace records.
    func run(
        _ document: Document, source: String, to target: DocumentVersion?, found: DetectedStage?, detail: RunDetail
    ) -> MigrationTrace {
        PreferencesRun(chain: self, document: document, source: source, target: target).run().trace
    }
}

extension MigrationChain {
    /// The chain of an app's preferences, from version 4 of Defaults, which kept most values as JSON strings, to
    /// version 5.
    ///
    ///     MigrationChain(preferences: "Clock", keys: [
    ///         StoredPreference("alarms", [Date].self),
    ///         StoredPreference("timeZone", ClockTimeZone.self, storedAs: .native),
    ///     ])
    ///
    /// Its documents are property lists, as `UserDefaults` writes them. Each declared key is looked at on its own: a
    /// value in the form of version 5 stays, the JSON string of version 4 migrates, and anything else is a failure of
    /// that key alone. Keys that are not declared pass untouched. A document is of version 5 when all its declared keys
    /// are.
    ///
    /// A trace has a part for every declared key that is there. When some keys fail, the trace fails with the first of
    /// them, but its ``MigrationTrace/result`` has the others migrated.
    ///
    /// - Warning: What a type does not read of its JSON is lost when it is stored natively; a trace names it as
    ///   dropped.
    ///
    /// - Parameters:
    ///   - name: What the chain is called.
    ///   - keys: The declared keys, each name once. Where one is declared twice, every document fails with a
    ///     ``Reason/declared(_:)``, and the inspector ends with the same words.
    ///   - isRepeatable: Whether the migrations have no effect but their result, so that experiments may run them many
    ///     times.
    public init(preferences name: String, keys: [StoredPreference], isRepeatable: Bool = true) {
        self.init(PreferencesChain(name: name, keys: keys), isRepeatable: isRepeatable)
    }
}

extension [StoredPreference] {
    /// What is wrong with the declarations; nil if nothing is.
    var declarationProblem: ChainDeclarationError.Problem? {
        var seen: Set<ExactText> = []
        for key in self {
            guard seen.insert(ExactText(key.name)).inserted else { return .keyDeclaredTwice(key.name) }
            if let type = key.form.unknownType { return .noBridge(key: key.name, type: type) }
        }
        return nil
    }
}
