import Baseline
import MigrationInspector

// The types are those of the baseline, so both sides decode with the same code that the compiler wrote.

extension Order: VersionedCodable {
    public typealias PreviousVersion = OrderV2
}

extension OrderV2: VersionedCodable {
    public typealias PreviousVersion = OrderV1
}

extension OrderV1: VersionedCodable {
    public typealias PreviousVersion = NothingEarlier
}

/// The inspector of the benchmark's documents.
struct Inspector: MigrationInspectorProgram {
    static let chains = [
        MigrationChain(Order.self), MigrationChain(Coupon.self), MigrationChain(Pins.self, named: "Package.resolved"),
    ]
}

/// What a customer pays less, as a share; the first release wrote a percentage.
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

/// The file of Swift's package manager, version 3, which may say what it was made from.
struct Pins: VersionedCodable {
    var originHash: String?
    var pins: [PinsV2.Pin]

    static let version: Int? = 3
    typealias PreviousVersion = PinsV2

    init(from old: PinsV2) { pins = old.pins }
}

/// The file of Swift's package manager, version 2.
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
