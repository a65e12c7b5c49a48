import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The screen of a failure")
struct FailureScreenTests {
    private func session(_ trace: MigrationTrace, height: Int = 22) -> Session {
        Session([trace], width: 100, height: height)
    }

    @Test("a message that is too long shows both of its ends")
    func longMessage() {
        var trace = PoemFixtures.missingField
        trace.fail { $0.saying("Number \(String(repeating: "9", count: 900)) is not representable in Int.") }
        let screen = Session([trace], width: 80, height: 24).screen
        #expect(screen.contains("✗ Number "))
        #expect(screen.contains("9…9"))
        #expect(screen.contains("is not representable in Int."))
    }

    @Test("a field present under the document's spelling of its name is not reported as missing")
    func spelling() throws {
        struct Walk: VersionedCodable {
            var stepCount: Int
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        let chain = MigrationChain(Walk.self, decoding: DecodingStrategies(keys: .convertFromSnakeCase))
        let document = try Document(json: #"{"version": 1, "step_count": "many"}"#)
        let trace = chain.trace(document, source: "walk.json")
        let screen = session(trace).screen
        let message = try #require(trace.failure?.message)
        #expect(screen.contains(#"✗   step_count  "many"  ◀ \#(message)"#))
        #expect(!screen.contains("never made") && !screen.contains(" stepCount  "))
    }

    @Test("the name of a missing field is shown before Swift's wording")
    func missing() {
        var trace = PoemFixtures.missingField
        trace.fail { $0.saying("no value for name") }
        expectPicture(
            session(trace).screen,
            #"""
            ┌ • Documents ────────────── 1/1 ┐┌ no-name.json ─────────────────── Poem · version 3 at $.version ┐
            │ ✗ no-name.json            v3 ✗ ││   ○ none ── ○ 1 PoemV1 ── ○ 2 PoemV2 ── ✗ 3 Poem               │
            │                                ││                                    keyNotFound                 │
            │                                │├ Reading as 3 Poem ───────────────────────────────────── failed ┤
            │                                ││     version  3                                                 ┃
            │                                ││     author   {1}                                               ┃
            │                                ││       born  1871                                               ┃
            │                                ││ ✗     name  missing  ◀ no value for name                       ┃
            │                                ││     lines    []                                                ┃
            │                                ││     rating   "meh"                                             ┃
            │                                ││                                                                ┃
            │                                ││     Chain      Poem                                            ┃
            │                                ││     Version    3 Poem, found at $.version                      ┃
            │                                ││     Format     JSON                                            │
            │                                │├ Source  line 3, column 13 ──────────────────────────── 6 lines ┤
            │                                ││   1 │ {                                                        ┃
            │                                ││   2 │   "version": 3,                                          ┃
            │                                ││   3 │   "author": {"born": 1871},                              ┃
            │                                ││     │             ^ keyNotFound at $.author.name               │
            │                                ││   4 │   "lines": [],                                           │
            └ ✗ 1 failed ────────────────────┘└────────────────────────────────────────────────────────────────┘
             Tab panel  v value  D causes  Enter look  Z zoom  s source  C what if  ? all keys  q quit
            """#)
    }

    @Test("if no shape matches, the field is lit up with the message of the shape that fails at it")
    func shape() throws {
        let document = PoemFixtures.document("{\n  \"title\": \"Emma\",\n  \"active\": null\n}")
        let trace = MigrationTrace(
            source: "book.json", format: .json, chain: "Book",
            versions: [.init(version: .number(1), type: "BookV1"), .init(version: .number(2), type: "BookV2")],
            detection: VersionDetection(
                version: nil,
                attempts: [
                    .init(version: .number(2), type: "BookV2", path: nil, found: nil, reason: "no key createdAt"),
                    .init(
                        version: .number(1), type: "BookV1", path: nil, found: nil,
                        reason: "expected Bool, found null (at $.active)"),
                ]),
            opening: .failed(
                MigrationFailure(
                    kind: .unsupportedVersion, path: DocumentPath("$.active"),
                    culprit: .init(path: .root.appending(key: "active"), certain: false),
                    message: "expected Bool, found null",
                    location: SourceLocation(line: 3, column: 13, offset: 35))),
            document: document)
        expectPicture(
            session(trace).screen,
            #"""
            ┌ • Documents ────────────── 1/1 ┐┌ book.json ─────────────────────────────────────────────── Book ┐
            │ ✗ book.json                  – ││   ○ 1 BookV1 ── ○ 2 BookV2                                     │
            │                                ││   ✗ unsupportedVersion                                         │
            │                                │├ Overview ────────────────────────────────────────────── failed ┤
            │                                ││     title   "Emma"                                             │
            │                                ││ ✗   active  null  ◀ «message»                                  │
            │                                ││                                                                │
            │                                ││     Chain      Book                                            │
            │                                ││ ?   Version    «unknown»                                       │
            │                                ││     Versions   2 BookV2  no key createdAt                      │
            │                                ││                1 BookV1                                        │
            │                                ││                expected Bool, found null (at $.active)         │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source  line 3, column 13 ──────────────────────────── 4 lines ┤
            │                                ││   1 │ {                                                        │
            │                                ││   2 │   "title": "Emma",                                       │
            │                                ││   3 │   "active": null                                         │
            │                                ││     │             ^ unsupportedVersion at $.active             │
            │                                ││   4 │ }                                                        │
            └ ✗ 1 failed ────────────────────┘└────────────────────────────────────────────────────────────────┘
             Tab panel  v value  D causes  Enter look  Z zoom  s source  C what if  ? all keys  q quit
            """#,
            ["message": try #require(trace.failure).messageAtCulprit, "unknown": trace.unknownVersion])
    }

    @Test("the path of a failure that continues inside a string of JSON is followed into the string")
    func insideString() {
        let text = #"[{\"id\":\"0\",\"name\":\"Asia/Taipei\"},{\"id\":\"1\"}]"#
        let trace = MigrationTrace(
            source: "zones", format: .json, chain: "Zones",
            versions: [.init(version: .number(4), type: "JSON string"), .init(version: .number(5), type: "Zones")],
            detection: VersionDetection(version: .number(4)),
            opening: .failed(
                MigrationFailure(
                    kind: .keyNotFound, path: DocumentPath("$[1].name"), culprit: nil, message: "no value for name",
                    location: SourceLocation(line: 1, column: 34, offset: 33, within: .root))),
            document: PoemFixtures.document("\"\(text)\""))
        expectPicture(
            session(trace).screen,
            #"""
            ┌ • Documents ────────────── 1/1 ┐┌ zones ────────────────────────────────────── Zones · version 4 ┐
            │ ✗ zones                   v4 ✗ ││   ✗ 4 JSON string ── ○ 5 Zones                                 │
            │                                ││   keyNotFound                                                  │
            │                                │├ Reading as 4 JSON string ────────────────────────────── failed ┤
            │                                ││     [0]  {id: "0", name: "Asia/Taipei"}                        │
            │                                ││     [1]  {1}                                                   │
            │                                ││       id    "1"                                                │
            │                                ││ ✗     name  missing  ◀ no value for name                       │
            │                                ││                                                                │
            │                                ││     Chain      Zones                                           │
            │                                ││     Version    4 JSON string, found by the document's shape    │
            │                                ││     Format     JSON                                            │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source  line 1, column 34 in the string at $ ────────── 1 line ┤
            │                                ││   1 │ [{"id":"0","name":"Asia/Taipei"},{"id":"1"}]             │
            │                                ││     │         keyNotFound at $[1].name ^                       │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            └ ✗ 1 failed ────────────────────┘└────────────────────────────────────────────────────────────────┘
             Tab panel  v value  D causes  Enter look  Z zoom  s source  C what if  ? all keys  q quit
            """#)
    }

    @Test("all values that may be the cause are lit in the source")
    func severalCauses() throws {
        func session(in text: String) throws -> Session {
            let document = try Document(parsing: SourceBytes(text))
            let place = try #require(DocumentPath("$.from"))
            let other = try #require(DocumentPath("$.to"))
            let edit = DocumentEdit.set(place, PoemFixtures.document("2"))
            let failure = MigrationFailure(
                kind: .fieldNoLongerValid, step: .init(from: .number(1), to: .number(2)), path: .root,
                message: "A span ends after it begins")
            let trace = MigrationTrace(
                source: "span.json", format: .json, chain: "Span", versions: PoemFixtures.versions,
                target: .number(2), detection: VersionDetection(version: .number(1)),
                steps: [
                    MigrationStep(
                        from: .number(1), to: .number(2), fromType: "SpanV1", toType: "Span", seconds: 0,
                        before: document, ending: .failed(failure))
                ], document: document)
            return self.session(
                trace.proving(.init(path: place, certain: false, others: [other], proof: CulpritProof(.passes(edit)))))
        }
        func lit(_ text: String) throws -> String {
            let shown = try session(in: text)
            let source = shown.canvas.picture(of: .culprit).split(separator: "\n").suffix(3).joined(separator: "\n")
            return source.filter { !$0.isWhitespace && $0 != "·" }
        }
        #expect(try lit(#"{"version": 1, "from": 91, "to": 37}"#).hasSuffix("9137"))
        #expect(try lit("{\"version\": 1,\n\"from\": 91,\n\"to\": 37}").hasSuffix("9137"))
    }

    /// Preferences with one key that migrates and one that doesn't.
    private static let partlyFailed: MigrationTrace = {
        func part(_ key: String, _ opening: MigrationTrace.Opening) -> MigrationTrace {
            MigrationTrace(
                source: key, chain: "Clock", detection: VersionDetection(version: .number(4)),
                opening: opening, path: .root.appending(key: key))
        }
        let failure = MigrationFailure(
            kind: .typeMismatch, path: .root, message: "expected String, found a number",
            location: SourceLocation(line: 1, column: 25, offset: 24))
        let before = PoemFixtures.document("{\"period\": \"x\", \"zone\": 7}")
        return MigrationTrace(
            source: "clock.json", format: .json, chain: "Clock",
            versions: [.init(version: .number(4), type: "strings"), .init(version: .number(5), type: "values")],
            target: .number(5), detection: VersionDetection(version: .number(4)),
            opening: .failedInParts,
            steps: [
                MigrationStep(
                    from: .number(4), to: .number(5), fromType: "strings", toType: "values", seconds: 0, before: before,
                    ending: .made(PoemFixtures.document("{\"period\": {\"minutes\": 10}, \"zone\": 7}")))
            ],
            parts: [part("period", .opened), part("zone", .failed(failure))],
            document: before)
    }()

    @Test("a part that failed is lit up in the step with its reason, and counted in the step's title")
    func failedPart() {
        var session = session(Self.partlyFailed)
        session.type("Right Tab")
        #expect(session.screen.contains("├ • Step 4 → 5 ─"))
        #expect(session.screen.contains("1 failed, 1 changed"))
        #expect(session.screen.contains("✗   zone    7  ◀ expected String, found a number"))
        #expect(session.canvas.picture(of: .culprit).contains("zone"))
        #expect(session.canvas.picture { $0.modifiers.contains(.selected) }.contains("zone"))
        session.type("d")
        #expect(session.screen.contains("1 failed, 1 changed"))
        #expect(session.canvas.picture(of: .culprit).contains("zone"))
    }

    @Test("if only parts cannot be read, their version is shown as broken, and the failed parts come first")
    func parts() {
        expectPicture(
            session(Self.partlyFailed).screen,
            #"""
            ┌ • Documents ────────────── 1/1 ┐┌ clock.json ───────────────────────────────── Clock · version 4 ┐
            │ ✗ clock.json              v4 ✗ ││   ✗ 4 strings ── ○ 5 values                                    │
            │                                ││   typeMismatch                                                 │
            │                                │├ Overview ────────────────────────────────────────────── failed ┤
            │                                ││     Parts that migrate on their own                            │
            │                                ││ ✗   zone    v4 ✗  ◀ expected String, found a number            │
            │                                ││ ✓   period  v4                                                 │
            │                                ││                                                                │
            │                                ││     Chain      Clock                                           │
            │                                ││     Version    4 strings, found by the document's shape        │
            │                                ││     Format     JSON                                            │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source  line 1, column 25 ───────────────────────────── 1 line ┤
            │                                ││   1 │ {"period": "x", "zone": 7}                               │
            │                                ││     │                         ^ typeMismatch at $.zone         │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            └ ✗ 1 failed ────────────────────┘└────────────────────────────────────────────────────────────────┘
             → step  Tab panel  v value  D causes  Enter look  Z zoom  s source  w write  ? all keys  q quit
            """#)
    }

    @Test("an empty file is reported as empty")
    func empty() {
        var trace = PoemFixtures.malformed
        let problem = ParseProblem.empty(isWhitespace: false)
        trace.fail { _ in
            MigrationFailure(
                .malformed(problem: problem), location: SourceLocation(line: 1, column: 1, offset: 0))
        }
        var session = session(trace)
        session.send(.sourceRead(0, SourceBytes("")))
        expectPicture(
            session.screen,
            #"""
            ┌ • Documents ────────────── 1/1 ┐┌ broken.json ───────────────────────────────────────────────────┐
            │ ✗ broken.json                – ││   ✗ «headline»                                                 │
            │                                ││                                                                │
            │                                │├ Overview ────────────────────────────────────────────── failed ┤
            │                                ││ ✗ «problem»                                                    │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                │├ Source  line 1, column 1 ────────────────────────────── 1 line ┤
            │                                ││   1 │                                                          │
            │                                ││     │ ^ malformed                                              │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            │                                ││                                                                │
            └ ✗ 1 failed ────────────────────┘└────────────────────────────────────────────────────────────────┘
             Tab panel  D causes  Enter look  Z zoom  s source  w write  y copy  ? all keys  q quit
            """#,
            ["headline": trace.headline, "problem": "\(problem)"])
    }

    @Test("an XML element is lit up as a whole, not just its tag")
    func element() throws {
        let text = "<plist><dict><key>zone</key><integer>7</integer></dict></plist>"
        let document = try Document(parsing: SourceBytes("<?xml version=\"1.0\"?>\n" + text))
        var trace = PoemFixtures.missingField
        trace.document = document
        trace.format = .plistXML
        trace.opening = .failed(
            MigrationFailure(
                kind: .typeMismatch, path: DocumentPath("$.zone"),
                culprit: .init(path: .root.appending(key: "zone"), certain: true),
                message: "Expected a string", location: SourceLocation(line: 2, column: 29, offset: 50)))
        let canvas = session(trace).canvas
        var lit: [Int: String] = [:]
        for y in 8..<canvas.height {
            for x in 0..<canvas.width where canvas[x, y].style.role == Style.culprit.role {
                lit[y, default: ""] += canvas[x, y].text
            }
        }
        #expect(lit.values.sorted() == ["<integer>7</integer>"])
    }
}
