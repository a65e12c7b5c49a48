import MigrationCore

/// A ship's log that fails in many ways, for tests of experiments.
struct Voyage: VersionedCodable, Equatable {
    static let version: Int? = 3
    typealias PreviousVersion = VoyageV2

    struct Port: Codable, Equatable {
        var name: String
        var tons: Int
    }

    var ports: [Port]
    var captain: String
    var state: String

    init(from old: VoyageV2) throws {
        struct TooFull: Error {}
        guard old.tons.reduce(0, +) <= old.capacity else { throw TooFull() }
        ports = zip(old.ports, old.tons).map { Port(name: $0, tons: $1) }
        captain = old.captain
        state = old.state
    }
}

struct VoyageV2: VersionedCodable, Equatable {
    static let version: Int? = 2
    typealias PreviousVersion = VoyageV1

    var ports: [String]
    var tons: [Int]
    var capacity: Int
    var captain: String
    var state: String

    init(from old: VoyageV1) throws {
        struct UnknownSail: Error, CustomStringConvertible {
            let description: String
        }
        ports = old.legs.map(\.port)
        tons = try old.legs.enumerated().map { index, leg in
            guard let cargo = Int(leg.cargo) else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.tons], debugDescription: "the cargo is no number of tons"))
            }
            guard (0...5).contains(leg.crew) || old.isUnchecked else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [], debugDescription: "\(leg.crew) is no crew for leg \(index)"))
            }
            return cargo
        }
        capacity = old.capacity
        captain = old.captain
        struct BrokenSeal: Error {}
        if let seal = old.seal, seal.utf8.reduce(7, { ($0 &* 31 &+ Int($1)) % 9973 }) != 4 { throw BrokenSeal() }
        guard let state = ["sails": "under way", "rests": "at anchor"][old.state] else {
            throw UnknownSail(description: "no such state: \(old.state)")
        }
        self.state = state
    }
}

struct VoyageV1: VersionedCodable, Equatable {
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier

    struct Leg: Codable, Equatable {
        var port: String
        var cargo: String
        var crew: Int
    }

    var legs: [Leg]
    var capacity: Int
    /// Almost no string is right, so guessing one is hopeless.
    var seal: String?
    var captain: String
    var state: String
    var isUnchecked: Bool
}
