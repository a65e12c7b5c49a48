import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Documents that changed since they were checked")
struct RereadingTests {
    @Test("a file that disappeared is marked and counted as unreadable, with a message")
    func vanished() {
        let gone = MigrationTrace(
            source: "poem-v1.json", opening: .failed(MigrationFailure(kind: .unreadable, message: "no such file")))
        var session = Session(
            [PoemFixtures.current, gone, PoemFixtures.failing], width: 100, height: 12, checked: false)
        session.send(
            .checked(
                [PoemFixtures.current, PoemFixtures.migrating, PoemFixtures.failing].enumerated().map {
                    CheckedDocument(.init($0.offset), result: CheckResult($0.element))
                }))
        #expect(session.screen.contains("✓ poem-v1.json"))
        session.type("j")
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 2/3 ┐┌ poem-v1.json ──────────────────────────────────────────────────┐
            │ ! poem-v3.json              v3 ││   ⊘ «headline»                                                 │
            │ ⊘ poem-v1.json               – ││                                                                │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Overview ────────────────────────────────────────── unreadable ┤
            │                                ││ ✗ no such file                                                 │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source ────────────────────────────────────────────────────────┤
            │                                ││ There is no text to show.                                      │
            │                                ││                                                                │
            └ ✗ 1 of 2 problems ─────────────┘└────────────────────────────────────────────────────────────────┘
             poem-v1.json «change»
            """#,
            ["headline": gone.headline, "change": CheckResult(gone).wordsOfChange])
        #expect(session.inspector.documents.count(of: .migrated) == 0)
        #expect(session.inspector.documents.count(of: .unreadable) == 1)
    }

    @Test("r reads the document on the screen again")
    func reload() {
        var session = Session([PoemFixtures.failing], width: 100, height: 24)
        session.holdsTraces = true
        session.type("r")
        #expect(session.screen.contains("everything is read again"))
        #expect(session.effects.contains { if case .lookAgain = $0 { true } else { false } })
        #expect(session.effects.contains { if case .trace(0, _) = $0 { true } else { false } })
        session.send(.traced(0, PoemFixtures.migrating))
        #expect(session.screen.contains("poem-rating-9.json \(CheckResult(PoemFixtures.migrating).wordsOfChange)"))
        #expect(session.screen.contains("1 PoemV1 ── ◉ 2 PoemV2"))
    }

    @Test("a file that was fixed in the meantime loses its mark")
    func mended() {
        var session = Session([PoemFixtures.current, PoemFixtures.migrating], width: 100, height: 24, checked: false)
        session.send(.checked([CheckedDocument(1, result: CheckResult(source: "", outcome: .failed))]))
        session.type("j")
        #expect(session.screen.contains("✓ poem-v1.json"))
        #expect(session.screen.contains("poem-v1.json \(CheckResult(PoemFixtures.migrating).wordsOfChange)"))
    }

    @Test("new documents are inserted in order, the selection is kept, and a message counts new and gone documents")
    func foundAgain() throws {
        var session = Session([PoemFixtures.current, PoemFixtures.failing], width: 100, height: 24)
        session.type("j")
        let new = [FoundDocument(id: 7, name: "new.json"), FoundDocument(id: 8, name: "other.json")]
        session.send(.foundAgain(new, order: [7, 0, 8, 1], gone: 1, isAsked: false))
        #expect(session.screen.contains("2 new documents, 1 is gone"))
        #expect(session.inspector.documents.selectedDocument == 1)
        let rows = (0..<4).map { session.inspector.documents.row($0).document.name }
        #expect(rows == ["new.json", "poem-v3.json", "other.json", "poem-rating-9.json"])
        #expect(session.inspector.documents.row(3).result?.outcome == .failed)
        // A filter applies to old and new documents.
        session.send(.checked([CheckedDocument(8, result: CheckResult(source: "", outcome: .failed))]))
        session.type("f")
        #expect(session.inspector.documents.rowCount == 2)
        let third = FoundDocument(id: 9, name: "third.json")
        session.send(.foundAgain([third], order: [9, 1, 8, 0, 7], gone: 0, isAsked: true))
        #expect(session.screen.contains("everything is read again: 1 new document"))
        let shown = (0..<2).map { session.inspector.documents.row($0).document.name }
        #expect(session.inspector.documents.rowCount == 2 && shown == ["poem-rating-9.json", "other.json"])
        // An order that omits some documents is ignored.
        session.send(.foundAgain([], order: [9], gone: 0, isAsked: true))
        #expect(session.inspector.documents.count == 5 && session.inspector.documents.selectedDocument == 1)
    }

    @Test("the committed states of a document are looked up once, listed after the others, and show their commit")
    func history() throws {
        var session = Session([PoemFixtures.failing, PoemFixtures.migrating, PoemFixtures.current])
        session.type("H")
        #expect(session.effects.contains { if case .findHistory(0) = $0 { true } else { false } })
        let revision = DocumentRevision(
            commit: "3f2a9c1b", shortCommit: "3f2a9c1", author: "Ada", date: "2024-03-01T10:00:00Z", subject: "begun",
            path: "poem.json")
        let state = FoundDocument(
            id: 2, name: "3f2a9c1:poem.json", heading: "poem.json", displayName: "2024-03-01 3f2a9c1 begun",
            title: "3f2a9c1:poem.json", revision: revision)
        session.send(.found([state]))
        session.send(.foundHistory(0, [StateInTime(document: 2, before: [])], problem: nil))
        // It starts at the current state: the file as it is now, after the committed states.
        #expect(session.inspector.documents.selectedDocument == 0 && session.screen.contains("2 of 2"))
        session.type("[")
        #expect(session.inspector.documents.selectedDocument == 2)
        #expect(session.screen.contains("2024-03-01 3f2a9c1  Ada: begun"))
        session.type("Esc")
        #expect(session.screen.contains("3f2a9c1:poem.json") && session.screen.contains("2024-03-01 3f2a9c1 begun"))
        session.type("0")
        #expect(session.screen.contains("Commit     3f2a9c1 2024-03-01, Ada: begun"))
        // A history that is already known is shown at once, from each of its states.
        session.type("H")
        #expect(session.screen.contains("1 of 2"))
        session.type("Esc 1 g H")
        #expect(session.screen.contains("2 of 2"))
        #expect(session.effects.count { if case .findHistory = $0 { true } else { false } } == 1)
        session.type("Esc 1 g j H")
        session.send(.foundHistory(1, [], problem: "poem.json: is not in a git work tree"))
        #expect(session.screen.contains("is not in a git work tree"))
    }
}
