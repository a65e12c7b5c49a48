import Testing

@testable import InspectorUI

@Suite("The first look at documents")
struct FirstLookTests {
    @Test("the first screen shows a failure: the broken link, the field and its position in the source")
    func wideFailure() {
        var session = Session(width: 120, height: 36)
        session.type("e e")
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 4/9 ┐┌ mystery.json ──────────────────────────────────────────────────────────────────────┐
            │ ! poem-v3.json              v3 ││   ? «headline»                                                                     │
            │ ✓ poem-v1.json          v1 → 3 ││                                                                                    │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Overview ──────────────────────────────────────────────────────────── unrecognized ┤
            │ ? mystery.json               – ││     Format     JSON                                                                │
            │ ✗ poem-v7.json            v7 ✗ ││                                                                                    │
            │ ✗ broken.json                – ││                                                                                    │
            │ ✗ no-name.json            v3 ✗ ││                                                                                    │
            │ ⊘ secret.json                – ││                                                                                    │
            │ ✗ clock.plist           v4 ✗ 2 ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                │├ Source ──────────────────────────────────────────────────────────────────── 1 line ┤
            │                                ││   1 │ {"hello": "world", "list": [1, 2, 3]}                                        │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            │                                ││                                                                                    │
            └ ✗ 2 of 7 problems ─────────────┘└────────────────────────────────────────────────────────────────────────────────────┘
             ↑↓ document  Tab panel  e error  v value  / filter  f outcome  D causes  Enter look  Z zoom  ? all keys  q quit
            """#,
            ["headline": PoemFixtures.unrecognized.headline])
    }

    @Test("a narrow window shows the list and as much of the document as fits")
    func narrowList() {
        var session = Session(width: 80, height: 24)
        session.type("j j")
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ──────────── 3/9 ┐┌ poem-rating-9.json ──────── Poem · version 1 ┐
            │ ! poem-v3.json            v3 ││   ○ none ── ● 1 ──✗── ○ 2 ── ○ 3             │
            │ ✓ poem-v1.json        v1 → 3 ││          fieldNoLongerValid                  │
            │ ✗ poem-rating-9.json  v1 ✗ 2 │├ Step 1 → 2 ────────────────────────── failed ┤
            │ ? mystery.json             – ││     Stars became words.                      │
            │ ✗ poem-v7.json          v7 ✗ ││ ✗ Star rating 9 is no longer valid           │
            │ ✗ broken.json              – ││     version     1                            │
            │ ✗ no-name.json          v3 ✗ ││     author      "Anonymous"                  │
            │ ⊘ secret.json              – ││     poem        "An epicure dining at Crewe› │
            │ ✗ clock.plist         v4 ✗ 2 ││ ✗   starRating  9  ◀ «culprit»               │
            │                              ││     rating      «absence»                    │
            │                              ││                                              │
            │                              ││                                              │
            │                              ││                                              │
            │                              ││                                              │
            │                              │├ Source  line 5, column 17 ────────── 7 lines ┤
            │                              ││   2 │   "version": 1,                        │
            │                              ││   3 │   "author": "Anonymous",               ┃
            │                              ││   4 │   "poem": "An epicure dining at Crewe\›┃
            │                              ││   5 │   "starRating": 9                      ┃
            │                              ││     │                 ^ error names $.rating ┃
            │                              ││   6 │ }                                      │
            └ ✗ 1 of 7 problems ───────────┘└──────────────────────────────────────────────┘
             ↑↓ document  ← step  Tab panel  e error  v value  Z zoom  ? all keys  q quit
            """#,
            ["culprit": PoemFixtures.ratingFailure.culpritWords, "absence": PoemFixtures.ratingFailure.absence])
    }

    @Test("a step with the keyboard focus fills a narrow window")
    func narrowDetail() {
        var session = Session(width: 80, height: 24)
        session.type("j j Tab")
        expectPicture(
            session.screen,
            #"""
            ┌ poem-rating-9.json ─────────────────────────── Poem · version 1 at $.version ┐
            │   ○ none ── ● 1 PoemV1 ──✗── ○ 2 PoemV2 ── ○ 3 Poem                          │
            │                 fieldNoLongerValid                                           │
            ├ • Step 1 → 2 ──────────────────────────────────────────────────────── failed ┤
            │     Stars became words.                                                      │
            │     version     1                                                            │
            │     author      "Anonymous"                                                  │
            │     poem        "An epicure dining at Crewe\nfound a rather large mouse in › │
            │ ✗   starRating  9  ◀ «message»                                               │
            │     rating      «absence»                                                    │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            ├ Source  line 5, column 17 ────────────────────────────────────────── 7 lines ┤
            │   2 │   "version": 1,                                                        │
            │   3 │   "author": "Anonymous",                                               ┃
            │   4 │   "poem": "An epicure dining at Crewe\nfound a rather large mouse in h›┃
            │   5 ▌   "starRating": 9                                                      ┃
            │     │                 ^ fieldNoLongerValid names $.rating                    ┃
            │   6 │ }                                                                      │
            └──────────────────────────────────────────────────────────────────────────────┘
             ↑↓ row  ← step  Tab panel  e error  v value  / search  ? all keys  q quit
            """#,
            ["message": PoemFixtures.ratingFailure.messageAtCulprit, "absence": PoemFixtures.ratingFailure.absence])
    }

    @Test("a very small window shows the message above the field")
    func small() {
        var session = Session(width: 40, height: 10)
        session.type("j j Tab")
        expectPicture(
            session.screen,
            #"""
            ┌ poem-rating-9.json ──────────── Poem ┐
            │   ○ none ── ● 1 ──✗── ○ 2 ── ○ 3     │
            │          fieldNoLongerValid          │
            ├ • Step 1 → 2 ──────────────── failed ┤
            │ ✗ Star rating 9 is no longer valid   │
            │     poem        "An epicure dining › │
            │ ✗   starRating  9  ◀ «culprit»       │
            │     rating      «absence»            ┃
            └──────────────────────────────────────┘
             ↑↓ row  Esc back  ? all keys  q quit
            """#,
            ["culprit": PoemFixtures.ratingFailure.culpritWords, "absence": PoemFixtures.ratingFailure.absence])
    }

    @Test("a window below the smallest size shows one sentence about that")
    func tooSmall() {
        let session = Session(width: 29, height: 6)
        expectPicture(
            session.screen,
            #"""
            This window is too small:
            30x7 is the least.




            """#)
    }
}
