import MigrationInspector

/// The effort of an exercise, since version 2.
enum Effort: String, Codable {
    case light
    case moderate
    case heavy
}

/// The activity of a warm-up, since version 2.
enum Activity: String, Codable {
    case rowing
    case cycling
    case skipping
}

/// An error in a log as a whole.
enum TrainingLogError: Error {
    case unknownUnit
    case nameInOnePart
}

/// A training log in kilograms.
struct TrainingLogV2: VersionedCodable {
    var athlete: String
    var date: String
    var gym: String
    var countdownSeconds: Int
    var diary: [String]
    var warmUp: WarmUp?
    var exercises: [Exercise]

    static let version: Int? = 2
    typealias PreviousVersion = TrainingLogV1

    init(from old: TrainingLogV1) throws {
        warmUp = try old.warmUp.map { try WarmUp($0, at: [CodingKeys.warmUp]) }
        guard old.unit == "lb" else { throw TrainingLogError.unknownUnit }
        athlete = old.athlete
        date = old.date
        gym = old.gym
        countdownSeconds = old.countdownSeconds
        diary = old.diary
        exercises = try old.exercises.enumerated().map { position, exercise in
            try Exercise(exercise, at: [CodingKeys.exercises, PathKey(position)])
        }
    }

    struct WarmUp: Codable {
        var activity: Activity
        var minutes: Int

        private static let activities: [String: Activity] = [
            "Rowing": .rowing, "Cycling": .cycling, "Rope": .skipping,
        ]

        init(_ old: TrainingLogV1.WarmUp, at path: [any CodingKey]) throws {
            guard let known = Self.activities[old.type] else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(
                        codingPath: path + [CodingKeys.activity],
                        debugDescription: "unknown workout type \(old.type)"))
            }
            activity = known
            minutes = old.minutes
        }
    }

    struct Exercise: Codable {
        var name: String
        var effort: Effort
        var restSeconds: Int
        var sets: [WorkSet]

        private static let efforts: [String: Effort] = ["easy": .light, "fair": .moderate, "hard": .heavy]

        init(_ old: TrainingLogV1.Exercise, at path: [any CodingKey]) throws {
            guard let known = Self.efforts[old.effort] else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(
                        codingPath: path + [CodingKeys.effort],
                        debugDescription: "'\(old.effort)' is no effort any more"))
            }
            name = old.name
            effort = known
            restSeconds = old.restSeconds
            sets = try old.sets.enumerated().map { position, set in
                try WorkSet(set, at: path + [CodingKeys.sets, PathKey(position)])
            }
        }
    }

    struct WorkSet: Codable {
        var reps: Int
        var kilograms: Double

        init(_ old: TrainingLogV1.WorkSet, at path: [any CodingKey]) throws {
            guard old.pounds >= 0 else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(
                        codingPath: path + [CodingKeys.kilograms],
                        debugDescription: "A set cannot weigh less than nothing"))
            }
            reps = old.reps
            kilograms = (old.pounds * 4.5359237).rounded() / 10
        }
    }
}
