import DocumentModel
import Foundation

extension UserDefaults {
    /// Migrates the values of declared keys from version 4 of Defaults to version 5: what `Defaults.migrate(key, to:
    /// .v5)` does for each.
    ///
    ///     let kept = try UserDefaults.standard.migrate(keys)
    ///     for (key, failure) in kept { print("\(key) is kept: \(failure.message)") }
    ///
    /// Values that are in the form of version 5 stay, so it may be called at every start of the app. A value that fails
    /// keeps its place as it was, and keeps none of the others from migrating.
    ///
    /// - Parameter keys: The declared keys, each name once.
    /// - Returns: The keys that failed, and why.
    /// - Throws: ``ChainDeclarationError``, where a name is declared twice say, before anything is migrated; an error for a
    ///   value that a property list cannot hold.
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
                // Null in the JSON is nothing in version 5; setting nil removes the key.
                set(values?.first?.value, forKey: key.name)
            }
        }
        return failures
    }
}
