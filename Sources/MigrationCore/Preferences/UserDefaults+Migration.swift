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
    /// - Parameter keys: The declared keys. Of two with the same name, the first counts.
    /// - Returns: The keys that failed, and why.
    /// - Throws: An error for a value that a property list cannot hold.
    @discardableResult
    public func migrate(_ keys: [PreferenceKey]) throws -> [String: MigrationFailure] {
        var stored: [String: Any] = [:]
        for key in keys { stored[key.name] = object(forKey: key.name) }
        let data = try PropertyListSerialization.data(fromPropertyList: stored, format: .binary, options: 0)
        let trace = MigrationChain(preferences: "UserDefaults", keys: keys).trace(data)
        let result = try trace.resultData().flatMap {
            try PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
        }
        var failures: [String: MigrationFailure] = [:]
        for part in trace.parts {
            guard case .key(let name)? = part.path?.components.first else { continue }
            if let failure = part.failure {
                failures[name] = failure
            } else if part.outcome == .migrated {
                // Null in the JSON is nothing in version 5; setting nil removes the key.
                set(result?[name], forKey: name)
            }
        }
        return failures
    }
}
