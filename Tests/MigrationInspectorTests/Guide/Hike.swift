import Foundation
import MigrationCore
import Testing

/// A hike without the mood that older ones were noted with.
private struct Hike: VersionedCodable {
    var title: String

    static let version: Int? = 2
    typealias PreviousVersion = HikeV1

    init(from old: HikeV1) { title = old.title }
}

private struct HikeV1: VersionedCodable {
    var title: String
    var mood: String

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}

@Suite("The guide's examples of experiments")
struct HikeTests {
    @Test("an intended loss is declared with the chain")
    func intendedLoss() {
        let hikes = MigrationChain(Hike.self, intendedLosses: [2: ["$.mood"]])
        #expect(hikes.intendedLosses.map { $0.map(\.description) } == [[], ["$.mood"]])
        #expect(hikes.isRepeatable)
    }

    @Test("a migration with side effects is not repeated")
    func notRepeatable() {
        let counted = MigrationChain(Hike.self, isRepeatable: false)
        #expect(!counted.isRepeatable)
        #expect(counted.check(Data(#"{"version": 1, "title": "Up", "mood": "good"}"#.utf8)).outcome == .migrated)
    }
}
