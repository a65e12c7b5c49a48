import Testing

@testable import InspectorUI

@Suite("The step panel")
struct StepScreenTests {
    @Test("a step that went well shows what it changed")
    func unified() {
        var session = Session(width: 100, height: 20)
        session.type("j Tab")
        expectPicture(
            session.screen,
            #"""
            ┌ Documents ──────────────── 2/9 ┐┌ poem-v1.json ─────────────────── Poem · version 1 at $.version ┐
            │ ! poem-v3.json              v3 ││   ○ none ── ● 1 PoemV1 ── ◉ 2 PoemV2 ── ● 3 Poem               │
            │ ✓ poem-v1.json          v1 → 3 ││                                                                │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ • Step 1 → 2 ────────── 1 added, 1 removed, 1 changed · «time» ┤
            │ ? mystery.json               – ││     Stars became words.                                        │
            │ ✗ poem-v7.json            v7 ✗ ││ ~   version     1 → 2                                          │
            │ ✗ broken.json                – ││     author      "Anonymous"                                    │
            │ ✗ no-name.json            v3 ✗ ││     poem        "An epicure dining at Crewe\nfound a rather l› │
            │ ! secret.json                – ││ -   starRating  5                                              │
            │ ✗ clock.plist           v4 ✗ 2 ││ +   rating      "love"                                         │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source ─────────────────────────────────────────────── 7 lines ┤
            │                                ││   1 │ {                                                        ┃
            │                                ││   2 ▌   "version": 1,                                          ┃
            │                                ││     │              ^ version at $.version                      │
            │                                ││   3 │   "author": "Anonymous",                                 │
            └ ✗ 5 failed ────────────────────┘└────────────────────────────────────────────────────────────────┘
             ↓ row  ←→ step  Tab panel  e error  d diff style  v value  / search  ? all keys  q quit
            """#,
            ["time": NumberWords.seconds(PoemFixtures.migrating.steps[0].seconds)])
    }

    @Test("arrays and objects that were added are shown open")
    func last() {
        var session = Session(width: 80, height: 24)
        session.type("j Tab l")
        expectPicture(
            session.screen,
            #"""
            ┌ poem-v1.json ───────────────────────────────── Poem · version 1 at $.version ┐
            │   ○ none ── ● 1 PoemV1 ── ● 2 PoemV2 ── ◉ 3 Poem                             │
            │                                                                              │
            ├ • Step 2 → 3 ──────────────────────── 1 added, 1 removed, 2 changed · «time» ┤
            │ ~   version  2 → 3                                                           │
            │ -   author   "Anonymous"                                                     │
            │ +   author   {1}                                                             │
            │ +     name  "Anonymous"                                                      │
            │ -   poem     "An epicure dining at Crewe\nfound a rather large mouse in his› │
            │ +   lines    [2]                                                             │
            │ +     [0]  "An epicure dining at Crewe"                                      │
            │ +     [1]  "found a rather large mouse in his stew"                          │
            │     rating   "love"                                                          │
            │                                                                              │
            │                                                                              │
            ├ Source ───────────────────────────────────────────────────────────── 7 lines ┤
            │   1 │ {                                                                      ┃
            │   2 │   "version": 1,                                                        ┃
            │     │              ^ version at $.version                                    ┃
            │   3 │   "author": "Anonymous",                                               ┃
            │   4 │   "poem": "An epicure dining at Crewe\nfound a rather large mouse in h›│
            │   5 │   "starRating": 5                                                      │
            └──────────────────────────────────────────────────────────────────────────────┘
             ↓ row  ← step  Tab panel  e error  d diff style  v value  ? all keys  q quit
            """#,
            ["time": NumberWords.seconds(PoemFixtures.migrating.steps[1].seconds)])
    }

    @Test("before and after stand beside each other")
    func sideBySide() {
        var session = Session(width: 80, height: 24)
        session.type("j Tab l d")
        expectPicture(
            session.screen,
            #"""
            ┌ poem-v1.json ───────────────────────────────── Poem · version 1 at $.version ┐
            │   ○ none ── ● 1 PoemV1 ── ● 2 PoemV2 ── ◉ 3 Poem                             │
            │                                                                              │
            ├ • Step 2 → 3 ──────────────────────── 1 added, 1 removed, 2 changed · «time» ┤
            │ - version  2                          │+ version  3                          │
            │ - author   "Anonymous"                │+ author   {name: "Anonymous"}        │
            │ - poem     "An epicure dining at Cre› │                                      │
            │                                       │+ lines    [2]                        │
            │                                       │+   [0]  "An epicure dining at Crewe" │
            │                                       │+   [1]  "found a rather large mouse› │
            │   rating   "love"                     │  rating   "love"                     │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            ├ Source ───────────────────────────────────────────────────────────── 7 lines ┤
            │   1 │ {                                                                      ┃
            │   2 │   "version": 1,                                                        ┃
            │     │              ^ version at $.version                                    ┃
            │   3 │   "author": "Anonymous",                                               ┃
            │   4 │   "poem": "An epicure dining at Crewe\nfound a rather large mouse in h›│
            │   5 │   "starRating": 5                                                      │
            └──────────────────────────────────────────────────────────────────────────────┘
             ↓ row  ← step  Tab panel  e error  d diff style  v value  ? all keys  q quit
            """#,
            ["time": NumberWords.seconds(PoemFixtures.migrating.steps[1].seconds)])
    }

    @Test("the value at a step is a tree")
    func value() {
        var session = Session(width: 80, height: 24)
        session.type("j Tab l v G")
        expectPicture(
            session.screen,
            #"""
            ┌ poem-v1.json ───────────────────────────────── Poem · version 1 at $.version ┐
            │   ○ none ── ● 1 PoemV1 ── ● 2 PoemV2 ── ◉ 3 Poem                             │
            │                                                                              │
            ├ • Value at 3 Poem ───────────────────────────────────────────────── $.rating ┤
            │ ▼ {4}                                                                        │
            │     version: 3                                                               │
            │   ▼ author: {1}                                                              │
            │       name: "Anonymous"                                                      │
            │   ▼ lines: [2]                                                               │
            │       [0] "An epicure dining at Crewe"                                       │
            │       [1] "found a rather large mouse in his stew"                           │
            │     rating: "love"                                                           │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            ├ Source ───────────────────────────────────────────────────────────── 7 lines ┤
            │   1 │ {                                                                      ┃
            │   2 │   "version": 1,                                                        ┃
            │     │              ^ version at $.version                                    ┃
            │   3 │   "author": "Anonymous",                                               ┃
            │   4 │   "poem": "An epicure dining at Crewe\nfound a rather large mouse in h›│
            │   5 │   "starRating": 5                                                      │
            └──────────────────────────────────────────────────────────────────────────────┘
             ↑ row  ← fold  Tab panel  e error  v value  / search  ? all keys  q quit
            """#)
    }

    @Test("a closed object shows its beginning")
    func valueClosed() {
        var session = Session(width: 80, height: 24)
        session.type("j Tab l v c")
        expectPicture(
            session.screen,
            #"""
            ┌ poem-v1.json ───────────────────────────────── Poem · version 1 at $.version ┐
            │   ○ none ── ● 1 PoemV1 ── ● 2 PoemV2 ── ◉ 3 Poem                             │
            │                                                                              │
            ├ • Value at 3 Poem ──────────────────────────────────────────────────────── $ ┤
            │ ▶ {version: 3, author: {name: "Anonymous"}, lines: ["An epicure dining at C› │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            │                                                                              │
            ├ Source ───────────────────────────────────────────────────────────── 7 lines ┤
            │   1 │ {                                                                      ┃
            │   2 │   "version": 1,                                                        ┃
            │     │              ^ version at $.version                                    ┃
            │   3 │   "author": "Anonymous",                                               ┃
            │   4 │   "poem": "An epicure dining at Crewe\nfound a rather large mouse in h›│
            │   5 │   "starRating": 5                                                      │
            └──────────────────────────────────────────────────────────────────────────────┘
             → fold  Enter open  Tab panel  e error  v value  o all  ? all keys  q quit
            """#)
    }
}
