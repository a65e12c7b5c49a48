import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Reopening the result of a migration")
struct ReopeningTests {
    private struct Plan: VersionedCodable {
        var name: String
        /// Has the name of the version key, which overwrites it.
        var version: String
        static let version: Int? = 2
        typealias PreviousVersion = PlanV1
        init(from old: PlanV1) { (name, version) = (old.name, "draft") }
    }

    private struct PlanV1: VersionedCodable {
        var name: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a document whose version overwrites a field of the type does not open again")
    func clash() throws {
        let made = MigrationChain(Plan.self).migrate(try Document(json: #"{"version": 1, "name": "a"}"#)).document
        #expect(made.result.outcome == .migrated && made.hasResult)
        #expect(made.notReopened?.kind == .typeMismatch && made.notReopened?.path == DocumentPath("$.version"))
        #expect(made.notReopened?.reopeningSentence.contains("expected String, found a number") == true)
    }

    @Test("a document that opens again has no failure to reopen", arguments: [nil, DocumentVersion.number(2)])
    func opens(target: DocumentVersion?) throws {
        let chain = MigrationChain(Voyage.self)
        let document = try Document(
            json: """
                {"version": 1, "legs": [], "capacity": 2, "captain": "a", "state": "sails", "isUnchecked": false}
                """)
        let made = chain.migrate(document, to: target).document
        #expect(made.hasResult && made.notReopened == nil)
    }

    @Test("a reopening is encoded as true or as the failure, and decodes to the same")
    func coding() throws {
        let failure = MigrationFailure(.thrown(message: "no"))
        for reopening in [Reopening.opens, .fails(failure)] {
            let data = try JSONEncoder().encode([reopening])
            let read = try JSONDecoder().decode([Reopening].self, from: data)
            #expect(read.map { $0.failure?.message } == [reopening.failure?.message])
            if reopening == .opens { #expect(String(decoding: data, as: UTF8.self) == "[true]") }
        }
    }
}
