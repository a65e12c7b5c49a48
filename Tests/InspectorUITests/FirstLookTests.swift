import Testing

@testable import InspectorUI

@Suite("The first look at documents")
struct FirstLookTests {
    @Test("a failure is the first thing seen: the broken link, the field in the step and its place in the source")
    func failure() {
        var session = Session([PoemFixtures.current, PoemFixtures.migrating, PoemFixtures.failing], height: 24)
        session.type("e")
        #expect(
            session.screen == """
                ┌ • Documents ────────────── 3/3 ┐┌ poem-rating-9.json ───────────────────────────────── Poem · version 1 at $.version ┐
                │ ✓ poem-v3.json              v3 ││   ● none ── ● 1 PoemV1 ──✗── ○ 2 PoemV2 ── ○ 3 Poem                                │
                │ ✓ poem-v1.json          v1 → 3 ││                 fieldNoLongerValid                                                 │
                │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Step 1 → 2 ──────────────────────────────────────────────────────────────── failed ┤
                │                                ││     Stars became words.                                                            │
                │                                ││     version     1                                                                  │
                │                                ││     author      "Anonymous"                                                        │
                │                                ││     poem        "An epicure dining at Crewe\\nfound a rather large mouse in his st› │
                │                                ││ ✗   starRating  9  ◀ Star rating 9 is no longer valid (likely culprit)             │
                │                                ││     rating      never made: fieldNoLongerValid names it                            │
                │                                ││                                                                                    │
                │                                ││                                                                                    │
                │                                ││                                                                                    │
                │                                │├ Source  line 5, column 17 ──────────────────────────────────────────────── 7 lines ┤
                │                                ││   2 │   "version": 1,                                                              │
                │                                ││   3 │   "author": "Anonymous",                                                     │
                │                                ││   4 │   "poem": "An epicure dining at Crewe\\nfound a rather large mouse in his ste›│
                │                                ││   5 │   "starRating": 9                                                            │
                │                                ││     │                 ^ fieldNoLongerValid at $.rating                             │
                │                                ││   6 │ }                                                                            │
                │                                ││   7 │                                                                              │
                │                                ││                                                                                    │
                └ ✗ 1 failed ────────────────────┘└────────────────────────────────────────────────────────────────────────────────────┘
                 ↑ document  ← step  Tab panel  Enter look  Z zoom  v value  s source  / filter  f outcome  ? all keys  q quit
                """)
    }
}
