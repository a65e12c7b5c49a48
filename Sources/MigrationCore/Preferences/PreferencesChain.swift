import DocumentModel

/// The chain of an app's preferences: a property list in which each declared key has its own version.
final class PreferencesChain: ChainSystem {
    let name: String
    /// The keys by name. `UserDefaults` compares names exactly.
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

    /// Returns the declared keys with the forms in which they are stored, such as `[JSON of Period]`.
    func outline(ofVersion index: Int) -> VersionOutline {
        var outline = VersionOutline()
        outline.fields = keys.values.sorted { $0.name < $1.name }.flatMap { key in
            let path = DocumentPath([.key(key.name)])
            let type = index == 0 ? key.oldForm : key.form.words
            let old = index == 0 ? key.conversion?.oldType : nil
            let inside = old.map { VersionOutline(of: $0, userInfo: [:]).fields(at: path) } ?? key.form.fields(at: path)
            return [VersionOutline.Field(path: path, type: type, isRequired: false)] + inside
        }
        return outline
    }

    /// Rates how well a document fits. Every key may be absent, so none counts as required. A document fits by the
    /// share of its keys that are declared, or by the share of the declared keys that it has, because the system adds
    /// its own keys to those of an app.
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

    /// Preferences are small, and a check needs almost everything that a trace records.
    func run(
        _ document: Document, source: String, to target: DocumentVersion?, found: DetectedStage?, detail: RunDetail,
        for observer: (any RunObserver)?
    ) -> MigrationTrace {
        PreferencesRun(chain: self, document: document, source: source, target: target, observer: observer).run().trace
    }
}

extension MigrationChain {
    /// Creates the chain of an app's preferences, from version 4 of Defaults, which stored most values as JSON strings,
    /// to version 5.
    ///
    ///     MigrationChain(preferences: "Clock", keys: [
    ///         StoredPreference("alarms", [Date].self),
    ///         StoredPreference("timeZone", ClockTimeZone.self, storedAs: .native),
    ///     ])
    ///
    /// Its documents are property lists as written by `UserDefaults`. Each declared key is examined separately: a value
    /// in the form of version 5 stays, the JSON string of version 4 migrates, and anything else makes only that key
    /// fail. Keys that are not declared are left unchanged. A document has version 5 if all its declared keys do.
    ///
    /// A trace has a part for every declared key that is present. If some keys fail, the trace fails with the first of
    /// them, but its ``MigrationTrace/result`` contains the others migrated.
    ///
    /// - Warning: The parts of its JSON that a type does not read are lost when the value is stored natively. A trace
    ///   lists them as dropped.
    ///
    /// - Parameters:
    ///   - name: The name of the chain.
    ///   - keys: The declared keys, with unique names. If one is declared twice, every document fails with
    ///     ``Reason/declared(_:)``, and the inspector exits with the same message.
    ///   - isRepeatable: Whether the migrations have no side effects, so that experiments may run them many times.
    public init(preferences name: String, keys: [StoredPreference], isRepeatable: Bool = true) {
        self.init(PreferencesChain(name: name, keys: keys), isRepeatable: isRepeatable)
    }
}

extension [StoredPreference] {
    /// The mistake in the declarations, or nil if there is none.
    var declarationProblem: ChainDeclarationError.Problem? {
        var seen: Set<ExactText> = []
        for key in self {
            guard seen.insert(ExactText(key.name)).inserted else { return .keyDeclaredTwice(key.name) }
            if let type = key.form.unknownType { return .noBridge(key: key.name, type: type) }
        }
        return nil
    }
}
