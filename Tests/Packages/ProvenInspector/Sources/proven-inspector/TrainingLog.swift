import Foundation
import MigrationInspector

/// A training log as the app writes it today.
struct TrainingLog: VersionedCodable {
    var id: UUID
    var firstName: String
    var lastName: String
    var date: String
    var countdown: Int
    var notes: String
    var weeksInARow: Int?
    var warmUpSets: Int?
    var hasLink: Bool
    var warmUp: TrainingLogV2.WarmUp?
    var exercises: [Exercise]
    var totalKilograms: Double
    var migratedAt: Date

    static let version: Int? = 4
    typealias PreviousVersion = TrainingLogV3

    init(from old: TrainingLogV3) throws {
        if let days = old.streakDays, days < 0 {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [], debugDescription: "A habit cannot be younger than today"))
        }
        id = old.id
        firstName = old.firstName
        lastName = old.lastName
        date = old.date
        countdown = old.countdown
        notes = old.notes
        weeksInARow = old.streakDays.map { $0 / 7 }
        warmUpSets = old.rampKilograms.map { Self.setsToTheEmptyBar(inStepsOf: $0) }
        hasLink = old.reference?.contains("://") ?? false
        warmUp = old.warmUp
        exercises = try old.exercises.enumerated().map { position, exercise in
            try Exercise(exercise, at: [CodingKeys.exercises, PathKey(position)])
        }
        let loads = old.exercises.flatMap(\.sets).map { Double($0.reps) * $0.kilograms }
        totalKilograms = loads.reduce(0, +).rounded()
        migratedAt = Date()
    }

    /// Returns how many sets it takes to reach the weight of the bar, 20 kilograms. Never returns if the weight doesn't
    /// grow.
    private static func setsToTheEmptyBar(inStepsOf ramp: Double) -> Int {
        var sets = 0
        var weight = 0.0
        while weight < 20 {
            weight += ramp
            sets += 1
        }
        return sets
    }

    struct Exercise: Codable {
        var name: String
        var effort: Effort
        var restMinutes: Double
        var sets: [WorkSet]

        init(_ old: TrainingLogV3.Exercise, at path: [any CodingKey]) throws {
            name = old.name
            effort = old.effort
            restMinutes = old.restMinutes
            sets = try old.sets.enumerated().map { position, set in
                try WorkSet(set, at: path + [CodingKeys.sets, PathKey(position)])
            }
        }
    }

    struct WorkSet: Codable {
        var reps: Int
        var load: String

        init(_ old: TrainingLogV2.WorkSet, at path: [any CodingKey]) throws {
            guard old.kilograms <= 450 else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: path + [CodingKeys.load], debugDescription: "Nobody has lifted that much"))
            }
            reps = old.reps
            load = "\(old.kilograms) kg"
        }
    }
}
