import Foundation
import MigrationInspector

/// A training log with an identity, a name in two parts, and optional facts about habits.
struct TrainingLogV3: VersionedCodable {
    var id: UUID
    var firstName: String
    var lastName: String
    var date: String
    var countdown: Int
    var notes: String
    var streakDays: Int?
    var rampKilograms: Double?
    var nickname: String?  // intended
    var isPublic: Bool?
    var reference: String?
    var warmUp: TrainingLogV2.WarmUp?
    var exercises: [Exercise]

    static let version: Int? = 3
    typealias PreviousVersion = TrainingLogV2

    init(from old: TrainingLogV2) throws {
        guard let space = old.athlete.firstIndex(of: " ") else { throw TrainingLogError.nameInOnePart }
        id = UUID()
        firstName = String(old.athlete[..<space])
        lastName = String(old.athlete[old.athlete.index(after: space)...])
        date = old.date
        countdown = max(10, old.countdownSeconds)
        notes = old.diary.joined(separator: "\n")
        warmUp = old.warmUp
        exercises = old.exercises.map { Exercise($0) }
    }

    struct Exercise: Codable {
        var name: String
        var effort: Effort
        var restMinutes: Double
        var sets: [TrainingLogV2.WorkSet]

        init(_ old: TrainingLogV2.Exercise) {
            guard old.restSeconds >= 0 else { fatalError("A pause cannot end before it begins") }
            name = old.name
            effort = old.effort
            restMinutes = Double(old.restSeconds) / 60
            sets = old.sets
        }
    }
}
