import MigrationInspector

/// The count of a turnstile. Its migration stands for one that must not be repeated.
struct Turnstile: VersionedCodable {
    var entries: Int
    static let version: Int? = 2
    typealias PreviousVersion = TurnstileV1

    init(from old: TurnstileV1) { entries = old.turns }
}

struct TurnstileV1: VersionedCodable {
    var turns: Int
    var gate: String
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}
