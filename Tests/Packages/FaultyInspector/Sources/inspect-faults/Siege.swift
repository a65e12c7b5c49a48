import CAttacks
import MigrationInspector

/// A document whose step attacks the program that runs it.
struct SiegeV1: VersionedCodable, Codable {
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier

    var attack: String
    /// The number of attacks.
    var siege: Int
}

struct Siege: VersionedCodable {
    static let version: Int? = 2
    typealias PreviousVersion = SiegeV1

    var attack: String
    var days: Int

    init(from old: SiegeV1) throws {
        (attack, days) = (old.attack, old.siege)
        for _ in 0..<days where CAttacks.attack(attack) == 0 { fatalError("there is no attack \(attack)") }
    }
}
