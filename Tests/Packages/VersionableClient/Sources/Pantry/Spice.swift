import Foundation
import MigrationCore

/// A spice without a sample, as in the library's article. Its versions have names, and the newest one is given
/// explicitly.
public struct Spice: Versionable {
    public enum Version: String, VersionType {
        case whole = "1-whole"
        case ground = "2-ground"
    }

    public static var version: Version { .ground }

    public var name: String
    public var amounts: [String: Double]
    public var version: Version

    public init(name: String, amounts: [String: Double], version: Version = Self.version) {
        self.name = name
        self.amounts = amounts
        self.version = version
    }

    /// A closure that is stored, and called by the app itself.
    public static let halving: Versionable.MigrationClosure = { payload in
        let amounts = payload["amounts"] as? [String: Double] ?? [:]
        payload["amounts"] = amounts.mapValues { $0 / 2 }
    }

    public static func migrate(to version: Version) -> Migration {
        version == .ground ? .migrate(halving) : .none
    }

    /// Calls a closure whose type is declared by the library.
    public static func edited(_ payload: [String: Any], by closure: Versionable.MigrationClosure) -> [String: Any] {
        var payload = payload
        closure(&payload)
        return payload
    }
}
