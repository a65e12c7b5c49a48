import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("A trace read from a file")
struct RecordedTraceScreenTests {
    /// A session with the trace as a file keeps it: its documents are values without their source text.
    private func recorded(_ trace: MigrationTrace) throws -> Session {
        let file = try DocumentEncoder().encode(trace)
        let read = try DocumentDecoder().decode(MigrationTrace.self, from: file.root)
        var session = Session([], width: 100, height: 20)
        session.holdsTraces = true
        session.send(.found([FoundDocument(id: 0, name: "trace.json")]))
        session.send(.checked([CheckedDocument(0, result: CheckResult(read))]))
        session.send(.traced(0, read))
        return session
    }

    @Test("a recorded trace is browsed like a live one, and its title names the traced document")
    func failure() throws {
        var trace = PoemFixtures.failing
        // Too long to fit beside the field.
        trace.fail { $0.saying("Star rating 9 is no longer valid; it goes from 0 to 5") }
        expectPicture(
            try recorded(trace).screen,
            #"""
            ┌ • Documents ────────────── 1/1 ┐┌ trace.json  trace of poem-rating-9.json ───── Poem · version 1 ┐
            │ ✗ trace.json            v1 ✗ 2 ││   ○ none ── ● 1 PoemV1 ──✗── ○ 2 PoemV2 ── ○ 3 Poem            │
            │                                ││                 fieldNoLongerValid                             │
            │                                │├ Step 1 → 2 ──────────────────────────────────────────── failed ┤
            │                                ││     Stars became words.                                        │
            │                                ││ ✗ Star rating 9 is no longer valid; it goes from 0 to 5        │
            │                                ││     version     1                                              │
            │                                ││     author      "Anonymous"                                    │
            │                                ││     poem        "An epicure dining at Crewe\nfound a rather l› │
            │                                ││ ✗   starRating  9  ◀ «culprit»                                 │
            │                                ││     rating      «absence»                                      │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source  line 5, column 17  no text, its values ── $.starRating ┤
            │                                ││     version: 1                                                 ┃
            │                                ││     author: "Anonymous"                                        │
            │                                ││     poem: "An epicure dining at Crewe\nfound a rather large m› │
            │                                ││     starRating: 9  ◀ Star rating 9 is no longer valid; it goe› │
            └ ✗ 1 failed ────────────────────┘└────────────────────────────────────────────────────────────────┘
             ← step  Tab panel  v value  D causes  Enter look  Z zoom  s source  w write  ? all keys  q quit
            """#,
            ["culprit": PoemFixtures.ratingFailure.culpritWords, "absence": PoemFixtures.ratingFailure.absence])
    }

    @Test("a recorded trace of a malformed text shows the message and the location, which are all it has")
    func malformed() throws {
        let screen = try recorded(PoemFixtures.malformed).screen
        #expect(screen.contains("found ',', expected a value"))
        #expect(screen.contains("Source  line 2, column 12"))
        #expect(screen.contains("The trace does not hold the text."))
    }
}
