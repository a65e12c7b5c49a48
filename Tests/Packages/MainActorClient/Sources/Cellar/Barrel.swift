import Foundation
import MigrationCore

/// A barrel, whose old documents are migrated by closures.
public struct Barrel {
    public let label: String
    public let litres: Int
    public var version: Version = Self.version
}

extension Barrel: Versionable {
    public enum Version: Int, VersionType {
        case v1 = 1
        case v2 = 2
    }

    public static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: return .none
        case .v2: return .migrate { payload in payload["litres"] = Self.litres(payload["size"] as? String) }
        }
    }

    static func litres(_ size: String?) -> Int { size == "large" ? 500 : 225 }

    public static let mock = Barrel(label: "mock", litres: 1)
}

/// A rack of barrels with separate versions.
public struct Rack: Codable {
    public let first: VersionableContainer<Barrel>

    public init(first: Barrel) { self.first = VersionableContainer(instance: first) }
}

public func openBarrel(_ data: Data) throws -> Barrel { try VersionableDecoder().decode(Barrel.self, from: data) }
