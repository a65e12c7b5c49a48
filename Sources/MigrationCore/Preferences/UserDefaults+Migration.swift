import DocumentModel
import Foundation

extension UserDefaults {
    /// Migrates the values of declared keys from version 4 of Defaults to version 5, as `Defaults.migrate(key, to:
    /// .v5)` does for each.
    ///
    ///     let kept = try UserDefaults.standard.migrate(keys)
    ///     for (key, failure) in kept { print("\(key) is kept: \(failure.message)") }
    ///
    /// Values in the form of version 5 stay, so you can call this every time the app starts. A value that fails stays
    /// as it was, and does not stop the others from migrating.
    ///
    /// - Parameter keys: The declared keys, with unique names.
    /// - Returns: The keys that failed, and why.
    /// - Throws: ``ChainDeclarationError``, for example if a name is declared twice, before anything is migrated; an
    ///   error if a value cannot be stored in a property list.
    @discardableResult
    public func migrate(_ keys: [StoredPreference]) throws -> [String: MigrationFailure] {
        let chain = "UserDefaults"
        if let problem = keys.declarationProblem { throw ChainDeclarationError(chain: chain, problem: problem) }
        var failures: [String: MigrationFailure] = [:]
        // One at a time: names that differ only in Unicode normalization are different keys, but equal strings.
        for key in keys {
            guard let stored = object(forKey: key.name) else { continue }
            let data = try PropertyListSerialization.data(
                fromPropertyList: [key.name: stored], format: .binary, options: 0)
            let trace = MigrationChain(preferences: chain, keys: [key]).trace(data)
            if let failure = trace.parts.first?.failure {
                failures[key.name] = failure
            } else if trace.outcome == .migrated, let result = try trace.resultData() {
                let values = try PropertyListSerialization.propertyList(from: result, format: nil) as? [String: Any]
                // Null in the JSON is no value in version 5. Setting nil removes the key.
                set(values?.first?.value, forKey: key.name)
            }
        }
        return failures
    }
}
