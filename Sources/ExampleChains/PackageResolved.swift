import MigrationCore

/// The file in which the Swift package manager records the versions it chose, in version 3 (Swift 5.9).
///
/// The format is that of `PinsStore` in the Swift package manager's sources.
struct PackageResolved: VersionedCodable {
    var originHash: String?
    var pins: [PackageResolvedV2.Pin]

    static let version: Int? = 3
    typealias PreviousVersion = PackageResolvedV2

    init(from old: PackageResolvedV2) { pins = old.pins }
}

/// Version 2 (Swift 5.6), which identifies pins by their identity.
struct PackageResolvedV2: VersionedCodable {
    var pins: [Pin]

    struct Pin: Codable {
        var identity: String
        var kind: Kind
        var location: String
        var originalLocation: String?
        var state: State
    }

    enum Kind: String, Codable {
        case localSourceControl, remoteSourceControl, registry
    }

    struct State: Codable {
        var branch: String?
        var revision: String?
        var version: String?
    }

    static let version: Int? = 2
    typealias PreviousVersion = PackageResolvedV1

    init(from old: PackageResolvedV1) {
        pins = old.object.pins.map { pin in
            Pin(
                identity: Self.identity(of: pin.repositoryURL),
                kind: pin.repositoryURL.hasPrefix("/") ? .localSourceControl : .remoteSourceControl,
                location: pin.repositoryURL, originalLocation: nil,
                state: State(branch: pin.state.branch, revision: pin.state.revision, version: pin.state.version))
        }
    }

    private static func identity(of url: String) -> String {
        let name = url.split(separator: "/").last.map(String.init) ?? url
        return (name.hasSuffix(".git") ? String(name.dropLast(4)) : name).lowercased()
    }
}

/// Version 1, which identifies pins by the package's name and URL.
struct PackageResolvedV1: VersionedCodable {
    var object: Object

    struct Object: Codable {
        var pins: [Pin]
    }

    struct Pin: Codable {
        var package: String?
        var repositoryURL: String
        var state: State
    }

    struct State: Codable {
        var branch: String?
        var revision: String
        var version: String?
    }

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}
