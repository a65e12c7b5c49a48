import Foundation
import MigrationCore

/// A jar on a shelf, migrated in the usual way, with a version enum and closures.
public struct Jar {
    public let label: String
    public let grams: Int
    public var version: Version = Self.version

    public init(label: String, grams: Int, version: Version = Self.version) {
        self.label = label
        self.grams = grams
        self.version = version
    }
}

extension Jar: Versionable {
    public enum Version: Int, VersionType {
        case v1 = 1
        case v2 = 2
        case v3 = 3
    }

    public static func migrate(to: Version) -> Migration {
        switch to {
        case .v1:
            return .none
        case .v2:
            return .migrate { payload in
                payload["label"] = "unlabelled"
            }
        case .v3:
            return .migrate { payload in
                payload["grams"] = (payload["label"] as? String) == "unlabelled" ? 0 : 250
            }
        }
    }

    public static var mock: Jar {
        .init(label: "mock", grams: 1)
    }
}
