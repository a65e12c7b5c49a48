import MigrationInspector

/// A training log as the first release wrote it, in pounds and with older words for efforts.
struct TrainingLogV1: VersionedCodable {
    var athlete: String
    var date: String
    var unit: String
    var gym: String
    var countdownSeconds: Int
    var diary: [String]
    var warmUp: WarmUp?
    var exercises: [Exercise]

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier

    struct WarmUp: Codable {
        var type: String
        var minutes: Int
    }

    struct Exercise: Codable {
        var name: String
        var effort: String
        var tempo: String
        var restSeconds: Int
        var sets: [WorkSet]
    }

    struct WorkSet: Codable {
        var reps: Int
        var pounds: Double
    }
}
