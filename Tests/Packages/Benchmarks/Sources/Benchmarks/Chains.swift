import Baseline
import MigrationInspector

// The types are those of the baseline, so both sides decode with the same compiler-generated code.

extension Order: VersionedCodable {
    public typealias PreviousVersion = OrderV2
}

extension OrderV2: VersionedCodable {
    public typealias PreviousVersion = OrderV1
}

extension OrderV1: VersionedCodable {
    public typealias PreviousVersion = NothingEarlier
}

extension Recipe: Versionable {
    public static func migrate(to version: Version) -> Migration { .migrate { migrate(&$0, to: version) } }
}

extension Recipe.Version: VersionType {}

/// An inspector for the benchmark's documents.
struct Inspector: MigrationInspectorProgram {
    static let chains = [
        MigrationChain(Order.self), MigrationChain(Coupon.self), MigrationChain(Pins.self, named: "Package.resolved"),
        MigrationChain(Basket.self), MigrationChain(Lock.self), MigrationChain(LockList.self),
    ]
}

/// A discount as a share. The first release stored a percentage.
struct Coupon: VersionedCodable {
    var code: String
    var share: Double

    static let version: Int? = 2
    typealias PreviousVersion = CouponV1

    init(from old: CouponV1) throws {
        guard 1...100 ~= old.percent else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.share], debugDescription: "\(old.percent) percent is no longer valid"))
        }
        code = old.code
        share = Double(old.percent) / 100
    }
}

struct CouponV1: VersionedCodable {
    var code: String
    var percent: Int

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}

/// Version 3 of Swift Package Manager's file, which may have a hash of its origin.
struct Pins: VersionedCodable {
    var originHash: String?
    var pins: [PinsV2.Pin]

    static let version: Int? = 3
    typealias PreviousVersion = PinsV2

    init(from old: PinsV2) { pins = old.pins }
}

/// Version 2 of Swift Package Manager's file.
struct PinsV2: VersionedCodable {
    var pins: [Pin]

    struct Pin: Codable {
        var identity: String
        var kind: String
        var location: String
        var state: PinsV1.State
    }

    static let version: Int? = 2
    typealias PreviousVersion = PinsV1

    init(from old: PinsV1) {
        pins = old.object.pins.map { pin in
            let name = pin.repositoryURL.split(separator: "/").last.map(String.init) ?? pin.repositoryURL
            return Pin(
                identity: (name.hasSuffix(".git") ? String(name.dropLast(4)) : name).lowercased(),
                kind: "remoteSourceControl", location: pin.repositoryURL, state: pin.state)
        }
    }
}

struct PinsV1: VersionedCodable {
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

/// The products that a customer has chosen. The title of each line is lost in the migration.
struct Basket: VersionedCodable {
    var owner: String
    var opened: String
    var lines: [Line]
    var note: String?

    struct Line: Codable {
        var sku: String
        var quantity: Int
        var cents: Int
    }

    static let version: Int? = 2
    typealias PreviousVersion = BasketV1

    init(from old: BasketV1) {
        (owner, opened, note) = (old.owner, old.opened, old.note)
        lines = old.lines.map { Line(sku: $0.sku, quantity: $0.quantity, cents: $0.cents) }
    }
}

struct BasketV1: VersionedCodable {
    var owner: String
    var opened: String
    var lines: [OrderV1.Line]
    var note: String?

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}

/// A package in a lock file, whose dependencies are lost in the migration.
struct LockedPackage: Codable {
    var version: String
    var resolved: String
    var integrity: String
    var license: String?
    var engines: [String: String]?
    var description: String?

    init(from old: LockedPackageV1) {
        (version, resolved, integrity) = (old.version, old.resolved, old.integrity)
        (license, engines, description) = (old.license, old.engines, old.description)
    }
}

struct LockedPackageV1: Codable {
    var version: String
    var resolved: String
    var integrity: String
    var license: String?
    var engines: [String: String]?
    var description: String?
    var dependencies: [String: String]
}

/// A lock file with packages by name, as npm writes it.
struct Lock: VersionedCodable {
    var packages: [String: LockedPackage]

    static let version: Int? = 2
    typealias PreviousVersion = LockV1

    init(from old: LockV1) { packages = old.packages.mapValues(LockedPackage.init) }
}

struct LockV1: VersionedCodable {
    var packages: [String: LockedPackageV1]

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}

/// A lock file with a list of packages, as Poetry and Composer write it.
struct LockList: VersionedCodable {
    var package: [Package]

    struct Package: Codable {
        var name: String
        var version: String
        var description: String
        var optional: Bool
        var files: [File]
    }

    struct File: Codable {
        var file: String
        var hash: String
    }

    static let version: Int? = 2
    typealias PreviousVersion = LockListV1

    init(from old: LockListV1) {
        package = old.package.map {
            Package(
                name: $0.name, version: $0.version, description: $0.description, optional: $0.optional, files: $0.files)
        }
    }
}

struct LockListV1: VersionedCodable {
    var package: [Package]

    struct Package: Codable {
        var name: String
        var version: String
        var description: String
        var optional: Bool
        var files: [LockList.File]
        var dependencies: [String]
    }

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}
