import MigrationCore

/// Two fields that are never right, for tests of experiments.
struct Pair: VersionedCodable {
    static let version: Int? = 2
    typealias PreviousVersion = PairV1

    var both: String

    init(from old: PairV1) throws {
        struct BadCombination: Error { let words: String }
        throw BadCombination(words: "\(String(describing: old.first)) and \(String(describing: old.second))")
    }
}

struct PairV1: VersionedCodable {
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier

    /// None of the values that are tried is one of its cases.
    enum Letter: String, Codable { case a, b }

    var first: Letter?
    var second: Letter?
}
