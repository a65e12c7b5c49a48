import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("A document that is not what it was when it was checked")
struct RereadingTests {
    @Test("a file that is gone is marked and counted as unreadable, and a line says so")
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

    @Test("the document on the screen is read again when asked for")
    func reload() {
        var session = Session([PoemFixtures.failing], width: 100, height: 24)
        session.holdsTraces = true
        session.type("r")
        #expect(session.screen.contains("poem-rating-9.json is read again"))
        #expect(session.effects.contains { if case .trace(0, _) = $0 { true } else { false } })
        session.send(.traced(0, PoemFixtures.migrating))
        #expect(session.screen.contains("poem-rating-9.json \(CheckResult(PoemFixtures.migrating).wordsOfChange)"))
        #expect(session.screen.contains("1 PoemV1 ── ◉ 2 PoemV2"))
    }

    @Test("a file that was mended meanwhile loses its mark")
    func mended() {
        var session = Session([PoemFixtures.current, PoemFixtures.migrating], width: 100, height: 24, checked: false)
        session.send(.checked([CheckedDocument(1, result: CheckResult(source: "", outcome: .failed))]))
        session.type("j")
        #expect(session.screen.contains("✓ poem-v1.json"))
        #expect(session.screen.contains("poem-v1.json \(CheckResult(PoemFixtures.migrating).wordsOfChange)"))
    }
}
