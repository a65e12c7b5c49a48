import DisplayText
import DocumentModel
import Testing

@testable import InspectorUI

@Suite("The step panel")
struct StepScreenTests {
    @Test("a successful step shows its changes")
    func unified() {
        var session = Session(width: 100, height: 20)
        session.type("j Tab")
        expectPicture(
            session.screen,
            #"""
            ┌ Documents ──────────────── 2/9 ┐┌ poem-v1.json ─────────────────── Poem · version 1 at $.version ┐
            │ ! poem-v3.json              v3 ││   ○ none ── ● 1 PoemV1 ── ◉ 2 PoemV2 ── ● 3 Poem   all         │
            │ ✓ poem-v1.json          v1 → 3 ││                                                                │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ • Step 1 → 2 ────────── 1 added, 1 removed, 1 changed · «time» ┤
            │ ? mystery.json               – ││     Stars became words.                                        │
            │ ✗ poem-v7.json            v7 ✗ ││ ~   version     1 → 2                                          │
            │ ✗ broken.json                – ││     author      "Anonymous"                                    │
            │ ✗ no-name.json            v3 ✗ ││     poem        "An epicure dining at Crewe\nfound a rather l› │
            │ ⊘ secret.json                – ││ -   starRating  5                                              │
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
             ↓ row  ←→ step  Tab panel  e error  d diff style  v value  / search  w write  ? all keys  q quit
            """#,
            ["time": NumberWords.seconds(PoemFixtures.migrating.steps[0].seconds)])
    }

    @Test("added arrays and objects are shown open")
    func last() {
        var session = Session(width: 80, height: 24)
        session.type("j Tab l")
        expectPicture(
            session.screen,
            #"""
            ┌ poem-v1.json ───────────────────────────────── Poem · version 1 at $.version ┐
            │   ○ none ── ● 1 PoemV1 ── ● 2 PoemV2 ── ◉ 3 Poem   all                       │
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
             ↓ row  ←→ step  Tab panel  e error  d diff style  y copy  ? all keys  q quit
            """#,
            ["time": NumberWords.seconds(PoemFixtures.migrating.steps[1].seconds)])
    }

    @Test("the documents before and after a step are shown side by side")
    func sideBySide() {
        var session = Session(width: 80, height: 24)
        session.type("j Tab l d")
        expectPicture(
            session.screen,
            #"""
            ┌ poem-v1.json ───────────────────────────────── Poem · version 1 at $.version ┐
            │   ○ none ── ● 1 PoemV1 ── ● 2 PoemV2 ── ◉ 3 Poem   all                       │
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
             ↓ row  ←→ step  Tab panel  e error  d diff style  y copy  ? all keys  q quit
            """#,
            ["time": NumberWords.seconds(PoemFixtures.migrating.steps[1].seconds)])
    }

    @Test("the value at a step is shown as a tree")
    func value() {
        var session = Session(width: 80, height: 24)
        session.type("j Tab l v G")
        expectPicture(
            session.screen,
            #"""
            ┌ poem-v1.json ───────────────────────────────── Poem · version 1 at $.version ┐
            │   ○ none ── ● 1 PoemV1 ── ● 2 PoemV2 ── ◉ 3 Poem   all                       │
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
            │   ○ none ── ● 1 PoemV1 ── ● 2 PoemV2 ── ◉ 3 Poem   all                       │
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

    @Test(
        "an unencodable result is a warning with its reason, and the next step says that it has no document before it")
    func unwritten() {
        var trace = PoemFixtures.migrating
        trace.steps[0].ending = .madeUnencodable("PoemV2 has no way out")
        trace.steps[1].before = nil
        var session = Session([trace], width: 200, height: 24)
        session.type("2")
        #expect(session.canvas.picture(of: .warning).contains("i   PoemV2 has no way out"))
        session.type("l")
        #expect(session.screen.contains(trace.steps[1].withoutBefore))
        #expect(!session.canvas.picture(of: .warning).contains("i   "))
    }

    @Test("a long note or message keeps to its lines and shows its beginning and its end", arguments: [30, 40, 70])
    func longMessage(width: Int) {
        var trace = PoemFixtures.failing
        // Each word takes most of a line, so that lines are far from full.
        let words = (0..<30).map { "word\($0)" + String(repeating: "x", count: width / 2) }
        trace.fail { $0.saying(words.joined(separator: " ")) }
        var session = Session([trace], width: width + 4, height: 30)
        session.type("2")
        let lines = session.inspector.layout.preamble.lines.filter { $0.contains { $0.style == .failed } }
        let text = lines.map { $0.map(\.text).joined() }
        #expect(text.count <= 4 && text.count > 1)
        #expect(text.first?.contains("word0") == true)
        #expect(text.last?.hasSuffix(words[29].suffix(6)) == true, "\(text)")
    }

    @Test(
        "the remarks after the kind of error are shown whole or not at all",
        arguments: Array(64...74) + [40, 100, 104, 130])
    func remarks(width: Int) throws {
        var trace = PoemFixtures.failing
        trace.dropped = [.root.appending(key: "mood"), .root.appending(key: "weather")]
        var session = Session([trace], width: width, height: 24)
        session.type("2")
        let remarks = try #require(trace.remarks)
        let line = try #require(session.screen.split(separator: "\n").first { $0.contains("fieldNoLongerValid") })
        #expect(line.contains("! " + remarks) || !line.contains("!"))
        // The remarks are shown as soon as they fit inside the frame.
        let end = line.prefix { $0 != "!" }.reversed().drop { $0 == " " || $0 == "│" }.count
        if end + 2 + 2 + remarks.count <= width - 1 - Layout.chainMargin {
            #expect(line.contains("! " + remarks), "\(line)")
        }
    }

    @Test("data is shown by its first bytes and its size")
    func data() throws {
        let text = """
            <?xml version="1.0"?><plist version="1.0"><dict><key>a</key><data>AAECAwQFBgcICQoLDA0ODxAR</data>\
            <key>b</key><data>/wA=</data></dict></plist>
            """
        var trace = PoemFixtures.current
        trace.document = try Document(parsing: SourceBytes(text))
        var session = Session([trace], width: 90, height: 24)
        session.type("2 v")
        #expect(session.screen.contains("a: <000102030405060708090a0b0c0d0e0f...> 18 bytes"))
        #expect(session.screen.contains("b: <ff00> 2 bytes"))
    }
}
