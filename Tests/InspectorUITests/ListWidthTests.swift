import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The width of the document list")
struct ListWidthTests {
    private func session(_ width: Int, name: String) -> Session {
        var trace = PoemFixtures.migrating
        trace.source = name
        return Session([PoemFixtures.current, trace], width: width, height: 12)
    }

    private static let long = "the-collected-limericks-of-crewe-1931.json"

    @Test("a list of short names leaves the space to the document", arguments: [100, 120, 200])
    func short(width: Int) {
        #expect(Layout(session(width, name: "poem.json").inspector)[.documents].frame.width == 34)
    }

    @Test("long names are shown whole in a wide window")
    func wide() {
        #expect(session(160, name: Self.long).screen.contains("✓ \(Self.long) v1 → 3"))
    }

    @Test("a list filtered down to short names needs no space for the long ones")
    func filtered() {
        var session = session(160, name: Self.long)
        session.type("/ text:poem Enter")
        #expect(Layout(session.inspector)[.documents].frame.width == 34)
        session.type("Esc")
        #expect(session.screen.contains("✓ \(Self.long) v1 → 3"))
    }

    @Test("a name that doesn't fit is cut in the middle, because its end distinguishes it from others")
    func cut() {
        expectPicture(
            session(100, name: Self.long).screen,
            #"""
            ┌ • Documents ──────────────────── 1/2 ┐┌ poem-v3.json ───────────── Poem · version 3 at $.version ┐
            │ ! poem-v3.json                    v3 ││   ○ none ── ○ 1 PoemV1 ── ○ 2 PoemV2 ── ◉ 3 Poem         │
            │ ✓ the-collected…ewe-1931.json v1 → 3 ││                                                          │
            │                                      │├ Overview ─────────────────────────────── already current ┤
            │                                      ││ !   Dropped    «dropped»                                 ┃
            │                                      ││ i   Warning    the key rating occurs twice; the first    │
            │                                      ││                one counts                                │
            │                                      │├ Source ───────────────────────────────────────── 6 lines ┤
            │                                      ││   2 │   "version": 3,                                    ┃
            │                                      ││     │              ^ version at $.version                │
            └──────────────────────────────────────┘└──────────────────────────────────────────────────────────┘
             ↓ document  Tab panel  v value  / filter  f outcome  Enter look  Z zoom  ? all keys  q quit
            """#,
            ["dropped": PoemFixtures.current.droppedSentences.joined()])
    }

    @Test("a narrow window gives the document the larger part")
    func narrow() {
        let layout = Layout(session(80, name: Self.long + Self.long).inspector)
        #expect(layout[.documents].frame.width == 36)
    }
}
