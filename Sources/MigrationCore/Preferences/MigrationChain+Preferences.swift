import DocumentModel

extension MigrationChain {
    /// The chain of an app's preferences, from version 4 of Defaults, which kept most values as JSON strings, to version 5.
    ///
    ///     MigrationChain(preferences: "Clock", keys: [
    ///         PreferenceKey("alarms", [Date].self),
    ///         PreferenceKey("timeZone", ClockTimeZone.self, storedAs: .native),
    ///     ])
    ///
    /// Its documents are property lists, as `UserDefaults` writes them. Each declared key is looked at on its own: a value in the form of
    /// version 5 stays, the JSON string of version 4 migrates, and anything else is a failure of that key alone. Keys that are not declared
    /// pass untouched. A document is of version 5 when all its declared keys are.
    ///
    /// A trace has a part for every declared key that is there. When some keys fail, the trace fails with the first of them, but its
    /// ``MigrationTrace/result`` has the others migrated.
    ///
    /// - Warning: What a type does not read of its JSON is lost when it is stored natively; a trace names it as dropped.
    ///
    /// - Parameters:
    ///   - name: What the chain is called.
    ///   - keys: The declared keys. Of two with the same name, the first counts.
    public init(preferences name: String, keys: [PreferenceKey]) {
        let keysByName = Dictionary(keys.map { (ExactText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
        self.init(PreferencesChain(name: name, keys: keysByName))
    }
}
