import DisplayText
import DocumentModel
import Foundation
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The overview of a document")
struct OverviewScreenTests {
    @Test("the overview of a current document shows its version, the fields that no version reads, and warnings")
    func current() {
        let session = Session(width: 100, height: 24)
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 1/9 ┐┌ poem-v3.json ─────────────────── Poem · version 3 at $.version ┐
            │ ! poem-v3.json              v3 ││   ○ none ── ○ 1 PoemV1 ── ○ 2 PoemV2 ── ◉ 3 Poem               │
            │ ✓ poem-v1.json          v1 → 3 ││                                                                │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Overview ───────────────────────────────────── already current ┤
            │ ? mystery.json               – ││ !   Dropped    «dropped»                                       │
            │ ✗ poem-v7.json            v7 ✗ ││ i   Warning    the key rating occurs twice; the first one      │
            │ ✗ broken.json                – ││                counts                                          │
            │ ✗ no-name.json            v3 ✗ ││     Chain      Poem                                            │
            │ ⊘ secret.json                – ││     Version    3 Poem, found at $.version                      │
            │ ✗ clock.plist           v4 ✗ 2 ││     Format     JSON                                            │
            │                                ││ ✓   Versions   3 Poem  $.version is 3                          │
            │                                ││ ✓   Outcome    «outcome»                                       │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source ─────────────────────────────────────────────── 6 lines ┤
            │                                ││   1 │ {                                                        ┃
            │                                ││   2 │   "version": 3,                                          ┃
            │                                ││     │              ^ version at $.version                      ┃
            │                                ││   3 │   "author": {"name": "Anonymous"},                       ┃
            │                                ││   4 │   "lines": ["An epicure dining at Crewe", "found a rathe›┃
            │                                ││   5 │   "rating": "love"                                       │
            └ ✗ 5 failed ────────────────────┘└────────────────────────────────────────────────────────────────┘
             ↓ document  Tab panel  e error  v value  / filter  f outcome  D causes  ? all keys  q quit
            """#,
            [
                "dropped": PoemFixtures.current.droppedSentences.joined(),
                "outcome": PoemFixtures.current.outcomeSentence ?? "none",
            ])
    }

    @Test("the overview shows how the version was found, and that its path has no value")
    func ways() {
        func screen(_ change: (inout MigrationTrace) -> Void) -> String {
            var trace = PoemFixtures.current
            change(&trace)
            return Session([trace], width: 120, height: 40).screen
        }
        #expect(screen { _ in }.contains("3 Poem, found at $.version"))
        #expect(screen { $0.detection.path = nil }.contains("3 Poem, found by the document's shape"))
        let unversioned = screen {
            $0.detection.path = nil
            $0.detection.version = .unversioned
        }
        #expect(unversioned.contains("none UnversionedPoem, since there is no version key"))
        #expect(unversioned.contains("Poem · no version"))
        #expect(screen { $0.detection.attempts[0].found = nil }.contains("$.version is not there"))
        for (format, words) in [
            (.json, "JSON"), (.plistXML, "property list, XML"), (.plistBinary, "property list, binary"),
        ] as [(DocumentFormat, String)] {
            #expect(screen { $0.format = format }.contains("Format     \(words)"))
        }
    }

    @Test("the overview of an unrecognized document shows its format")
    func unrecognized() {
        var session = Session(width: 100, height: 18)
        session.type("j j j")
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 4/9 ┐┌ mystery.json ──────────────────────────────────────────────────┐
            │ ! poem-v3.json              v3 ││   ? «headline»                                                 │
            │ ✓ poem-v1.json          v1 → 3 ││                                                                │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Overview ──────────────────────────────────────── unrecognized ┤
            │ ? mystery.json               – ││     Format     JSON                                            │
            │ ✗ poem-v7.json            v7 ✗ ││                                                                │
            │ ✗ broken.json                – ││                                                                │
            │ ✗ no-name.json            v3 ✗ ││                                                                │
            │ ⊘ secret.json                – ││                                                                │
            │ ✗ clock.plist           v4 ✗ 2 ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source ──────────────────────────────────────────────── 1 line ┤
            │                                ││   1 │ {"hello": "world", "list": [1, 2, 3]}                    │
            │                                ││                                                                │
            │                                ││                                                                │
            └ ✗ 2 of 7 problems ─────────────┘└────────────────────────────────────────────────────────────────┘
             ↑↓ document  Tab panel  e error  v value  / filter  f outcome  D causes  ? all keys  q quit
            """#,
            ["headline": PoemFixtures.unrecognized.headline])
    }

    @Test("the overview of an unsupported version shows all versions that were tried")
    func unsupported() {
        var session = Session(width: 110, height: 24)
        session.type("j j j j")
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 5/9 ┐┌ poem-v7.json ───────────────────────────── Poem · version 7 at $.version ┐
            │ ! poem-v3.json              v3 ││   ○ none ── ○ 1 PoemV1 ── ○ 2 PoemV2 ── ○ 3 Poem   ✗ 7                   │
            │ ✓ poem-v1.json          v1 → 3 ││                                           unsupportedVersion             │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Overview ──────────────────────────────────────────────────────── failed ┤
            │ ? mystery.json               – ││ ✗ version 7 is newer than this chain knows                               │
            │ ✗ poem-v7.json            v7 ✗ ││     Chain      Poem                                                      │
            │ ✗ broken.json                – ││     Version    7, found at $.version                                     │
            │ ✗ no-name.json            v3 ✗ ││     Format     JSON                                                      │
            │ ⊘ secret.json                – ││     Versions   3 Poem                $.version is 7, not 3               │
            │ ✗ clock.plist           v4 ✗ 2 ││                2 PoemV2              $.version is 7, not 2               │
            │                                ││                1 PoemV1              $.version is 7, not 1               │
            │                                ││                none UnversionedPoem  the document has a version          │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                │├ Source  line 1, column 13 ─────────────────────────────────────── 1 line ┤
            │                                ││   1 │ {"version": 7, "title": "From the future"}                         │
            │                                ││     │             ^ unsupportedVersion                                   │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                ││                                                                          │
            └ ✗ 3 of 7 problems ─────────────┘└──────────────────────────────────────────────────────────────────────────┘
             ↑↓ document  Tab panel  e error  v value  / filter  f outcome  D causes  Enter look  ? all keys  q quit
            """#)
    }

    @Test("a malformed text is shown with the message and a caret")
    func malformed() {
        var session = Session(width: 100, height: 18)
        session.type("j j j j j")
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 6/9 ┐┌ broken.json ───────────────────────────────────────────────────┐
            │ ! poem-v3.json              v3 ││   ✗ «headline»                                                 │
            │ ✓ poem-v1.json          v1 → 3 ││                                                                │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Overview ────────────────────────────────────────────── failed ┤
            │ ? mystery.json               – ││ ✗ found ',', expected a value                                  │
            │ ✗ poem-v7.json            v7 ✗ ││                                                                │
            │ ✗ broken.json                – ││                                                                │
            │ ✗ no-name.json            v3 ✗ │├ Source  line 2, column 12 ──────────────────────────── 5 lines ┤
            │ ⊘ secret.json                – ││   1 │ {                                                        │
            │ ✗ clock.plist           v4 ✗ 2 ││   2 │   "version": ,                                           │
            │                                ││     │            ^ malformed                                   │
            │                                ││   3 │   "author": "Anonymous"                                  │
            │                                ││   4 │ }                                                        │
            │                                ││   5 │                                                          │
            │                                ││                                                                │
            │                                ││                                                                │
            └ ✗ 4 of 7 problems ─────────────┘└────────────────────────────────────────────────────────────────┘
             ↑↓ document  Tab panel  e error  / filter  f outcome  D causes  Enter look  ? all keys  q quit
            """#,
            ["headline": PoemFixtures.malformed.headline])
    }

    @Test("a field missing from the first version read is shown as missing in the document")
    func missingField() {
        var session = Session(width: 110, height: 28)
        session.type("j j j j j j")
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 7/9 ┐┌ no-name.json ───────────────────────────── Poem · version 3 at $.version ┐
            │ ! poem-v3.json              v3 ││   ○ none ── ○ 1 PoemV1 ── ○ 2 PoemV2 ── ✗ 3 Poem                         │
            │ ✓ poem-v1.json          v1 → 3 ││                                    keyNotFound                           │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Reading as 3 Poem ─────────────────────────────────────────────── failed ┤
            │ ? mystery.json               – ││     version  3                                                           │
            │ ✗ poem-v7.json            v7 ✗ ││     author   {1}                                                         │
            │ ✗ broken.json                – ││       born  1871                                                         │
            │ ✗ no-name.json            v3 ✗ ││ ✗     name  missing  ◀ No value associated with key name                 │
            │ ⊘ secret.json                – ││     lines    []                                                          │
            │ ✗ clock.plist           v4 ✗ 2 ││     rating   "meh"                                                       │
            │                                ││                                                                          │
            │                                ││     Chain      Poem                                                      │
            │                                ││     Version    3 Poem, found at $.version                                │
            │                                ││     Format     JSON                                                      │
            │                                ││ ✓   Versions   3 Poem  $.version is 3                                    │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                │├ Source  line 3, column 13 ────────────────────────────────────── 6 lines ┤
            │                                ││   1 │ {                                                                  │
            │                                ││   2 │   "version": 3,                                                    │
            │                                ││   3 │   "author": {"born": 1871},                                        │
            │                                ││     │             ^ keyNotFound at $.author.name                         │
            │                                ││   4 │   "lines": [],                                                     │
            │                                ││   5 │   "rating": "meh"                                                  │
            │                                ││   6 │ }                                                                  │
            └ ✗ 5 of 7 problems ─────────────┘└──────────────────────────────────────────────────────────────────────────┘
             ↑↓ document  Tab panel  e error  v value  / filter  f outcome  D causes  Enter look  ? all keys  q quit
            """#)
    }

    @Test("parts are listed by their paths, and a current part is not shown as migrated")
    func partsByPath() {
        func part(_ path: String, to target: Int = 1) -> MigrationTrace {
            let document = PoemFixtures.document("{}")
            return MigrationTrace(
                source: path, chain: "Member", target: .number(target),
                detection: VersionDetection(version: .number(1)), path: DocumentPath("$." + path),
                document: document, rewriting: .made(document))
        }
        let trace = MigrationTrace(
            source: "club.json", format: .json, chain: "Club",
            versions: [.init(version: .number(1), type: "Club")], target: .number(1),
            detection: VersionDetection(version: .number(1)),
            parts: [part("members[0]"), part("committee.members[12].substitute", to: 2)],
            document: PoemFixtures.document("{}"), rewriting: .made(PoemFixtures.document("{}")))
        let screen = Session([trace]).screen
        #expect(screen.contains("✓   members[0]                        v1   "))
        #expect(screen.contains("✓   committee.members[12].substitute  v1 → 2"))
        #expect(screen.contains("Outcome    \(trace.outcomeSentence ?? "none")"))
        #expect(!screen.contains("0 steps") && !screen.contains("1 → 1"))
    }

    private struct Zone: Codable {
        var id: String
        var name: String
    }

    @Test("a label that fits on neither side of its caret leaves out the error's kind, and is where more of it fits")
    func labelBeforeCaret() {
        func screen(key: String, width: Int) -> String {
            let list = """
                <?xml version="1.0"?><plist version="1.0"><dict><key>\(key)</key>\
                <string>[{"id":"0","name":"Asia/Taipei"},{"id":"1"}]</string></dict></plist>
                """
            let chain = MigrationChain(
                preferences: "Clock", keys: [StoredPreference(key, [Zone].self, storedAs: .native)])
            let trace = chain.trace(Data(list.utf8), source: "clock.plist")
            return Session([trace], width: width, height: 24).screen
        }
        #expect(screen(key: "arrayTimezone", width: 120).contains("^ keyNotFound at $.arrayTimezone[1].name"))
        #expect(screen(key: "arrayTimezone", width: 80).contains("│       at $.arrayTimezone[1].name ^"))
        #expect(screen(key: "arrayOfTheTimezonesOfCities", width: 80).contains("│ at $.arrayOfTheTimezonesOfCitie… ^"))
    }

    @Test("the overview of an unreadable document shows the reason")
    func unreadable() {
        var session = Session(width: 100, height: 18)
        session.type("j j j j j j j")
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 8/9 ┐┌ secret.json ───────────────────────────────────────────────────┐
            │ ! poem-v3.json              v3 ││   ⊘ «headline»                                                 │
            │ ✓ poem-v1.json          v1 → 3 ││                                                                │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Overview ────────────────────────────────────────── unreadable ┤
            │ ? mystery.json               – ││ ✗ permission denied                                            │
            │ ✗ poem-v7.json            v7 ✗ ││                                                                │
            │ ✗ broken.json                – ││                                                                │
            │ ✗ no-name.json            v3 ✗ ││                                                                │
            │ ⊘ secret.json                – ││                                                                │
            │ ✗ clock.plist           v4 ✗ 2 ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source ────────────────────────────────────────────────────────┤
            │                                ││ There is no text to show.                                      │
            │                                ││                                                                │
            │                                ││                                                                │
            └ ✗ 6 of 7 problems ─────────────┘└────────────────────────────────────────────────────────────────┘
             ↑↓ document  Tab panel  e error  / filter  f outcome  D causes  Enter look  ? all keys  q quit
            """#,
            ["headline": PoemFixtures.unreadable.headline])
    }

    @Test("parts that migrate separately are listed in the overview")
    func parts() {
        var session = Session(width: 110, height: 24)
        session.type("G")
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 9/9 ┐┌ clock.plist ────────────────────────────── Clock preferences · version 4 ┐
            │ ! poem-v3.json              v3 ││   ◉ 4 v4 ── ○ 5 v5                                                       │
            │ ✓ poem-v1.json          v1 → 3 ││   ✗ fieldNoLongerValid                                                   │
            │ ✗ poem-rating-9.json    v1 ✗ 2 │├ Overview ──────────────────────────────────────────────────────── failed ┤
            │ ? mystery.json               – ││     Parts that migrate on their own                                      │
            │ ✗ poem-v7.json            v7 ✗ ││ ✗   TimeZone  v1 ✗ 2  starRating  9  ◀ Star rating 9 is no longer valid  │
            │ ✗ broken.json                – ││ ✓   period    v1 → 3                                                     │
            │ ✗ no-name.json            v3 ✗ ││                                                                          │
            │ ⊘ secret.json                – ││     Chain      Clock preferences                                         │
            │ ✗ clock.plist           v4 ✗ 2 ││     Version    4 v4, found by the document's shape                       │
            │                                ││     Format     property list, XML                                        │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                │├ Source  line 5, column 17 ─────────────────────────────────────── 1 line ┤
            │                                ││   1 │ {"period": "x", "TimeZone": "y"}                                   │
            │                                ││     │                 ^ fieldNoLongerValid names $.rating                │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                ││                                                                          │
            │                                ││                                                                          │
            └ ✗ 7 of 7 problems ─────────────┘└──────────────────────────────────────────────────────────────────────────┘
             ↑ document  Tab panel  e error  v value  / filter  f outcome  D causes  Enter look  ? all keys  q quit
            """#)
    }

    @Test("a part opens like a document")
    func part() {
        var session = Session(width: 80, height: 24)
        session.type("G Tab Enter")
        expectPicture(
            session.screen,
            #"""
            ┌ clock.plist › $.TimeZone ───────────────────── Poem · version 1 at $.version ┐
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

    @Test("an unencodable value and versions tried without a reason are shown in the overview")
    func unwrittenAndTried() throws {
        var unwritten = PoemFixtures.current
        unwritten.rewriting = .madeUnencodable("Poem has no way out")
        let reason = try #require(unwritten.notEncodable)
        #expect(
            Session([unwritten], width: 200, height: 30).screen.contains("i   Written    \(reason.unwrittenSentence)"))
        var newer = PoemFixtures.newer
        newer.detection.attempts = []
        #expect(Session([newer], width: 140, height: 30).screen.contains("Versions   3, 2, 1, none"))
    }

    @Test("the chain, the version and the version key are in the title as far as they fit whole", arguments: 100...130)
    func trailing(width: Int) throws {
        var trace = PoemFixtures.current
        trace.source = "a-document-with-quite-a-long-name.json"
        let screen = Session([trace], width: width, height: 20).screen
        let line = try #require(screen.split(separator: "\n").first)
        let title = try #require(line.split(separator: "┐").last)
        let end = title.reversed().prefix { $0 != "─" }.reversed().map(String.init).joined()
        let pieces = ["Poem", " · version 3", " at $.version"]
        let fitting = (1...3).map { pieces.prefix($0).joined() }
        #expect(fitting.map { " \($0) " }.contains(end), "\(end)")
        // The next piece would not have fit.
        let room = title.count { $0 == "─" }
        if let shown = fitting.firstIndex(where: { " \($0) " == end }), shown < 2 {
            #expect(room - pieces[shown + 1].count <= 2, "\(line)")
        }
    }

    @Test(
        "every version that was tried is shown with its reason in a panel of any width",
        arguments: [40, 60, 100])
    func narrowAttempts(width: Int) throws {
        let rows = OverviewRows.rows(PoemFixtures.newer, width: width, repertoire: .unicode)
        let text = rows.map { row in
            StepRowLine(row, glyphs: .unicode, width: width).runs.map(\.text).joined()
        }
        for attempt in PoemFixtures.newer.detection.attempts {
            #expect(text.contains { $0.contains("\(attempt.version) \(attempt.type)") }, "\(text)")
        }
        let words = text.joined(separator: " ").split(separator: " ").joined(separator: " ")
        for attempt in PoemFixtures.newer.detection.attempts {
            #expect(words.contains(try #require(attempt.reason).sentenceWithPlace.prefix(20)), "\(words)")
        }
        #expect(text.allSatisfy { TextWidth.columns(of: $0) <= width })
    }

    @Test("Escape leads from a part to the whole document, and then to the list")
    func leavingPart() {
        var session = Session(width: 120, height: 30)
        session.open("clock.plist")
        let whole = session.screen
        session.type("Tab Enter")
        #expect(session.inspector.shown?.partPath.isEmpty == false)
        session.type("Esc")
        #expect(session.inspector.shown?.partPath.isEmpty == true && session.inspector.focus == .step)
        // The previous selection is restored.
        #expect(session.inspector.shown?.stop == 0 && session.inspector.shown?.selectedPart != nil)
        session.type("Esc")
        #expect(session.inspector.focus == .documents && session.screen == whole)
        session.type("/ text:clock Enter Esc")
        #expect(session.inspector.documents.filter.isEmpty)
    }
}
