import DisplayText
import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Sessions of a user")
struct SessionTests {
    private func name(_ session: Session) -> String? {
        session.inspector.documents.selectedDocument.map { session.traces[$0.number].source }
    }

    @Test("e goes from problem to problem and wraps, and E goes back")
    func errors() {
        var session = Session()
        session.type("e")
        #expect(name(session) == "poem-rating-9.json")
        session.type("e e e")
        #expect(name(session) == "broken.json")
        session.type("E")
        #expect(name(session) == "poem-v7.json")
        session.type("G e")
        #expect(name(session) == "poem-rating-9.json")
    }

    @Test("e stays within the documents that the filter shows")
    func errorsInFilter() {
        let (current, failing) = (PoemFixtures.current, PoemFixtures.failing)
        var session = Session([failing, current, current, failing, current, failing]) { $0 < 3 ? "old/" : "new/" }
        session.type("/ text:new/ Enter g e")
        #expect(session.inspector.documents.selectedDocument == 5)
        session.type("e")
        #expect(session.inspector.documents.selectedDocument == 3)
    }

    @Test("the arrow keys walk through the steps, to the overview and back")
    func steps() {
        var session = Session()
        session.type("j")
        #expect(session.screen.contains("Step 1 → 2"))
        session.type("Right")
        #expect(session.screen.contains("Step 2 → 3"))
        session.type("Right Left Left Left")
        #expect(session.screen.contains("├ Overview"))
        #expect(session.screen.contains("◉ 1 PoemV1"))
    }

    @Test("the source points at the failure in the failed step, and at the version elsewhere")
    func caret() {
        var session = Session([PoemFixtures.failing], width: 100, height: 30)
        for _ in 0..<2 {
            #expect(session.screen.contains("^ fieldNoLongerValid"))
            #expect(!session.screen.contains("^ version at $.version"))
            session.type("Left")
            #expect(!session.screen.contains("^ fieldNoLongerValid"))
            #expect(session.screen.contains("^ version at $.version"))
            session.type("Right")
        }
    }

    @Test("a document that opens has a different sign if it loses fields or has a warning")
    func signs() {
        for (dropped, warnings, sign) in [
            ([], [], "✓"), ([DocumentPath("$.a")], [], "!"), ([], ["the key poem occurs twice"], "i"),
        ] as [([DocumentPath?], [Reason], String)] {
            var trace = PoemFixtures.migrating
            trace.dropped = dropped.compactMap(\.self)
            trace.warnings = warnings
            let session = Session([trace])
            #expect(session.screen.contains("│ \(sign) \(trace.source)"), "\(sign)")
        }
    }

    @Test("fields that no version reads and warnings are shown at every step")
    func remarks() {
        var trace = PoemFixtures.migrating
        trace.dropped = [.root.appending(key: "mood"), .root.appending(key: "weather")]
        trace.warnings = ["the key poem occurs twice"]
        var session = Session([trace])
        #expect(session.screen.contains("! \(trace.remarks ?? "no remarks")"))
        session.type("Left")
        #expect(session.screen.contains("Dropped    \(trace.droppedSentences[0])"))
        #expect(session.screen.contains("Warning    the key poem occurs twice"))
    }

    @Test("Enter opens and zooms, and Escape leads all the way back")
    func zoom() {
        var session = Session()
        session.type("j Enter")
        #expect(session.inspector.focus == .step)
        session.type("Enter")
        #expect(session.inspector.isZoomed)
        #expect(!session.screen.contains("Documents"))
        session.type("Esc")
        #expect(!session.inspector.isZoomed && session.inspector.focus == .step)
        session.type("Esc")
        #expect(session.inspector.focus == .documents)
    }

    @Test("document names are filtered while typing, and Escape brings all documents back")
    func filter() {
        var session = Session()
        session.type("j j / text:rating")
        #expect(session.screen.contains("1 of 9 with \"rating\""))
        #expect(name(session) == "poem-rating-9.json")
        session.type("Esc")
        #expect(session.inspector.documents.rowCount == 9)
        #expect(name(session) == "poem-rating-9.json")
        session.type("/ text:nothing Enter")
        #expect(session.screen.contains("No document matches."))
        session.type("Esc")
        #expect(session.inspector.documents.rowCount == 9)
    }

    @Test("the current filter is in the text field and can be edited")
    func filterAgain() {
        var session = Session()
        session.type("/ text:poem Enter /")
        #expect(session.inspector.prompt?.field.text == "poem")
        let count = session.inspector.documents.rowCount
        session.type("text:-rating")
        #expect(session.inspector.documents.rowCount < count && name(session) == "poem-rating-9.json")
        session.type("Enter / C-u text:mystery Enter")
        #expect(session.inspector.documents.filter.name == "mystery" && session.inspector.documents.rowCount == 1)
    }

    @Test("Backspace in an empty text field leaves the prompt")
    func leavingByBackspace() {
        for keys in ["/", "2 /"] {
            var session = Session()
            session.type(keys + " text:a Backspace")
            #expect(session.inspector.prompt != nil)
            session.type("Backspace")
            #expect(session.inspector.prompt == nil)
        }
    }

    @Test("keys in a text field are text, and Backspace, Ctrl-W and Ctrl-U delete it")
    func typing() {
        var session = Session()
        session.type("/ text:quit Space text:q")
        #expect(session.inspector.prompt?.field.text == "quit q")
        session.type("C-w")
        #expect(session.inspector.prompt?.field.text == "quit ")
        session.type("Backspace Backspace")
        #expect(session.inspector.prompt?.field.text == "qui")
        session.type("C-u")
        #expect(session.inspector.prompt?.field.text == "")
        session.send(.input(.paste("poem\nq")))
        #expect(session.inspector.prompt?.field.text == "poem")
        #expect(session.effects.contains { if case .quit = $0 { true } else { false } } == false)
    }

    @Test("f cycles through the outcomes that occur, with their counts")
    func outcomes() {
        var session = Session()
        session.type("f")
        #expect(session.screen.contains("✗ 5 failed of 9"))
        session.type("f")
        #expect(session.screen.contains("? 1 unrecognized of 9"))
        session.type("f f")
        #expect(session.screen.contains("! 1 of 9 known to lose data"))
        session.type("f f")
        #expect(session.screen.contains("✓ 1 current of 9"))
        session.type("f")
        #expect(session.inspector.documents.filter.isEmpty)
    }

    @Test("a search goes to the next match in the value, opens its container, and reports if there is none")
    func search() {
        var session = Session()
        session.type("j l Tab v c / text:mouse Enter")
        #expect(session.screen.contains("$.lines[1]"))
        session.type("/ text:cat Enter")
        #expect(session.screen.contains("not found: cat"))
    }

    @Test("a search in lowercase ignores case, and one with a capital letter doesn't")
    func capitals() {
        let text = Array("a Mouse, a mouse, a MOUSE".utf8)
        func found(_ search: String) -> [String] {
            TextSearch(search).ranges(in: text).map { String(decoding: text[$0], as: UTF8.self) }
        }
        #expect(found("mouse") == ["Mouse", "mouse", "MOUSE"])
        #expect(found("Mouse") == ["Mouse"])
        #expect(found("MOUSE") == ["MOUSE"])
        #expect(TextSearch("mouse").matches("MOUSE") && !TextSearch("Mouse").matches("mouse"))
    }

    @Test("a click selects a document, a step in the chain or a row, and the wheel scrolls what is under it")
    func mouse() {
        var session = Session()
        session.click(4, 2)
        #expect(name(session) == "poem-v1.json")
        let row = session.screen.split(separator: "\n")[1]
        let column = row.distance(from: row.startIndex, to: row.firstRange(of: "3 Poem")?.lowerBound ?? row.startIndex)
        session.click(column, 1)
        #expect(session.screen.contains("Step 2 → 3"))
        session.click(50, 6)
        #expect(session.inspector.focus == .step)
        #expect(session.inspector.shown?.step.position.selected == 2)
        session.send(.input(.mouse(InspectorMouse(.wheelDown, x: 60, y: 30))))
        #expect(session.inspector.focus == .step)
    }

    @Test("a click selects a row of the tree of values, and nothing below its last row")
    func clickOnValue() {
        var session = Session(width: 80, height: 24)
        session.type("j 2 v")
        let rows = session.inspector.layout.rows(of: .step)
        session.click(rows.x + 4, rows.y + 2)
        #expect(session.inspector.shown?.value?.selectedPath.description == "$.author")
        session.click(rows.x + 4, rows.maxY - 1)
        #expect(session.inspector.shown?.value?.selectedPath.description == "$.author")
    }

    @Test("a click on the list's frame selects nothing")
    func clickOnFrame() {
        var session = Session(Array(repeating: PoemFixtures.current, count: 60))
        let list = session.inspector.layout[.documents].content
        session.click(list.x, list.maxY - 1)
        let last = session.inspector.documents.selectedRow
        #expect(last > 0)
        session.click(list.x, list.maxY)
        #expect(session.inspector.documents.selectedRow == last)
    }

    @Test("a text that arrives after another document was selected is not shown")
    func lateText() {
        var session = Session([PoemFixtures.malformed, PoemFixtures.malformed])
        session.type("j")
        session.send(.sourceRead(0, SourceBytes("another text")))
        #expect(session.screen.contains("\"version\": ,"))
        #expect(!session.screen.contains("another text"))
    }

    @Test("the selection and the step survive every window size")
    func resize() {
        var session = Session()
        session.type("j l Tab j j")
        let before = session.screen
        for (width, height) in [(40, 10), (10, 3), (200, 60), (120, 36)] {
            session.send(.input(.resize(width: width, height: height)))
        }
        #expect(session.screen == before)
    }

    @Test(
        "a resized window without scrolling shows the same as one that had its size from the start",
        arguments: ["", "2", "s"])
    func sizes(keys: String) {
        for trace in PoemFixtures.all {
            var session = Session([trace], width: 140, height: 60)
            session.type(keys)
            for (width, height) in [(80, 60), (120, 70), (70, 65), (140, 60)] {
                var expected = Session([trace], width: width, height: height)
                expected.type(keys)
                session.send(.input(.resize(width: width, height: height)))
                #expect(session.screen == expected.screen, "\(trace.source) \(width)x\(height)")
            }
        }
    }

    @Test("Ctrl-C quits anywhere, and q quits unless text is being typed")
    func quit() {
        for way in ["q", "C-c", "? C-c", "/ C-c"] {
            var session = Session()
            session.type(way)
            #expect(session.effects.contains { if case .quit = $0 { true } else { false } }, "\(way)")
        }
    }

    @Test("the help lists every key with its description")
    func help() {
        var session = Session(width: 100, height: 160)
        session.type("?")
        for group in KeyTable.groups where !group.help.isEmpty { #expect(session.screen.contains(group.help)) }
    }
}

@Suite("Background results")
struct BackgroundTests {
    @Test("a trace that arrives too late is ignored")
    func lateTrace() {
        var session = Session()
        session.holdsTraces = true
        session.type("j")
        session.send(.traced(0, PoemFixtures.failing))
        #expect(session.inspector.shown == nil)
        session.send(.traced(1, PoemFixtures.migrating))
        #expect(session.inspector.shown?.trace.source == "poem-v1.json")
    }

    @Test("a failure is examined with the values of similar documents that migrate")
    func experiments() throws {
        var session = Session([PoemFixtures.failing, PoemFixtures.migrating, PoemFixtures.malformed])
        var asked = session.effects.compactMap { effect -> (FoundDocument.ID, [FoundDocument.ID])? in
            if case .prove(let document, _, let lenders) = effect { (document, lenders) } else { nil }
        }
        // At the time of the trace, nothing was checked yet.
        #expect(asked.count == 1 && asked[0].0 == 0 && asked[0].1 == [])
        session.type("r")
        asked = session.effects.compactMap { effect in
            if case .prove(let document, _, let lenders) = effect { (document, lenders) } else { nil }
        }
        #expect(asked.count == 2 && asked[1].1 == [1])
        session.send(.experimenting(0, runs: 12))
        #expect(session.screen.contains("12 experiments so far"))
        session.send(.experimenting(1, runs: 13))
        #expect(session.screen.contains("12 experiments"))
        session.send(.experimented(0, nil))
        #expect(
            !session.screen.contains("experiments so far") && session.screen.contains("likely by name"))
        // For a document that migrates, its steps are examined. One that doesn't parse is not examined.
        session.type("j j")
        #expect(session.effects.count { if case .prove = $0 { true } else { false } } == 3)
    }

    @Test("experimental results are shown beside the culprit, and the selection doesn't move")
    func proof() throws {
        let culprit = try #require(PoemFixtures.failing.failure?.culprit)
        let edit = DocumentEdit.set(culprit.path, PoemFixtures.document("5"))
        let numbers = ["0", "1", "2", "3", "4", "5"].map(PoemFixtures.document)
        let failing = ["6", "-1"].map(PoemFixtures.document)
        let proof = CulpritProof(.passes(edit), passing: numbers, failing: failing)
        let proved = PoemFixtures.failing.proving(.init(path: culprit.path, certain: true, proof: proof))
        var session = Session([PoemFixtures.failing, PoemFixtures.migrating])
        session.type("Tab g")
        session.send(.experimented(1, proved))
        #expect(session.screen.contains("(likely by name)"))
        session.send(.experimented(0, proved))
        #expect(
            session.screen.contains("(proof: passes with 5)")
                && session.screen.contains("gets past this with 0 to 5")
                && session.screen.contains("does not with 6 and -1"))
        #expect(session.inspector.shown?.step.position.selected == 0)
        #expect(session.screen.contains("rating      never made"))
        session.type("G")
        #expect(session.inspector.shown?.step.position.selected != 0)
        var tied = proved
        tied = tied.proving(
            .init(path: culprit.path, certain: false, others: [DocumentPath([.key("scale")])], proof: proof))
        session.send(.experimented(0, tied))
        #expect(session.screen.contains("one of these is the cause: $.starRating, $.scale; $.starRating passes with 5"))
        // The value of a later version at the same path is another value.
        #expect(session.screen.contains("one of 2"))
    }

    @Test("the origins of values are shown beside them, and values that a step lost are marked")
    func findings() throws {
        let path = { (text: String) in DocumentPath(text) ?? .root }
        var session = Session([PoemFixtures.migrating])
        session.type("Tab j")
        let selected = session.inspector.shown?.step.position.selected
        var examined = PoemFixtures.migrating
        examined.steps[0].finding = StepFinding(
            origins: [ValueOrigin(path: path("$.rating"), from: [path("$.author"), path("$.scale[*].stars")])],
            lost: [path("$.starRating")])
        session.send(.experimented(0, examined))
        #expect(session.screen.contains("← author, scale[*].stars"))
        #expect(session.screen.contains("!   starRating"))
        #expect(session.screen.contains("lost: nothing that was tried changes the result"))
        #expect(session.screen.contains("! lost: $.starRating"))
        #expect(session.inspector.shown?.step.position.selected == selected)
        // The source marks the value that the selected one was made from.
        session.type("g")
        for _ in 0..<9 where session.inspector.shown?.step.selectedRow?.label != .key("rating") { session.type("j") }
        let author = try #require(PoemFixtures.migrating.document?.root["author"]?.sourceRange)
        #expect(session.inspector.shown?.source.followed == author)
        // This works in later steps too, whether the value was made there or carried over.
        examined.steps[1].finding = StepFinding(
            origins: [ValueOrigin(path: path("$.lines"), from: [path("$.poem")])], lost: [])
        session.send(.experimented(0, examined))
        session.type("Right g")
        for (label, origin) in [("lines", "poem"), ("rating", "author")] {
            for _ in 0..<9 where session.inspector.shown?.step.selectedRow?.label != .key(label) { session.type("j") }
            let place = try #require(PoemFixtures.migrating.document?.root[origin]?.sourceRange)
            #expect(session.inspector.shown?.source.followed == place)
        }
        session.type("v g")
        for _ in 0..<9 where session.inspector.shown?.value?.selectedPath != path("$.rating") { session.type("j") }
        #expect(session.inspector.shown?.source.followed == author)
        session.type("v Left")
        // The list and the overview show it too.
        #expect(session.screen.contains("│ ! poem-v1.json"))
        session.type("Left Left")
        #expect(session.screen.contains("lost in step 1 → 2: $.starRating"))
        examined.steps[0].finding = examined.steps[0].finding?.intending([path("$.starRating")])
        session.send(.experimented(0, examined))
        #expect(!session.screen.contains("lost in step"))
        session.type("Right")
        #expect(session.screen.contains("lost, as intended"))
    }

    @Test("leaving a document before its trace arrives cancels the trace")
    func cancel() {
        var session = Session()
        session.holdsTraces = true
        session.type("j j")
        #expect(session.effects.contains { if case .cancelTrace(1) = $0 { true } else { false } })
    }

    @Test("the list shows the progress of finding and checking documents")
    func progress() {
        var inspector = Inspector(title: "folder")
        _ = inspector.handle(.found((0..<1500).map { FoundDocument(id: .init($0), name: "\($0).json") }))
        #expect(inspector.canvas(width: 120, height: 36).text.contains("found \(NumberWords.grouped(1500))"))
        _ = inspector.handle(.finishedFinding(leftOut: []))
        _ = inspector.handle(.checked([CheckedDocument(3, result: CheckResult(source: "3", outcome: .failed))]))
        #expect(inspector.canvas(width: 120, height: 36).text.contains("checked 1 of \(NumberWords.grouped(1500))"))
        #expect(inspector.wantsTicks)
    }

    @Test("a list without documents so far shows where they are searched")
    func looking() {
        var inspector = Inspector(title: "demo-data")
        let screen = inspector.canvas(width: 80, height: 24).text
        #expect(screen.contains("Looking for documents in") && screen.contains("demo-data"))
        #expect(!screen.contains("No document"))
        _ = inspector.handle(.found([FoundDocument(id: 0, name: "a.json")]))
        #expect(!inspector.canvas(width: 80, height: 24).text.contains("Looking"))
    }

    @Test("a text that takes long to read is announced, and nothing flickers before that")
    func readingText() {
        var inspector = Inspector(title: "demo-data")
        func screen() -> String { inspector.canvas(width: 100, height: 30).text }
        _ = inspector.handle(.input(.resize(width: 100, height: 30)))
        _ = inspector.handle(.found([FoundDocument(id: 0, name: PoemFixtures.malformed.source)]))
        let asked = inspector.handle(.traced(0, PoemFixtures.malformed))
        #expect(asked.contains { if case .readSource(0) = $0 { true } else { false } })
        #expect(!screen().contains("reading the text") && !screen().contains("no text"))
        for _ in 0..<3 { _ = inspector.handle(.tick) }
        #expect(screen().contains("reading the text"))
        _ = inspector.handle(.sourceRead(0, SourceBytes(PoemFixtures.malformedText)))
        #expect(!screen().contains("reading the text") && screen().contains("\"version\": ,"))
    }

    @Test("an empty folder explains what counts as a document and how to open one")
    func empty() {
        var inspector = Inspector(title: "empty-folder")
        _ = inspector.handle(.finishedFinding(leftOut: [LeftOut("files are not documents", count: 3)]))
        let screen = inspector.canvas(width: 120, height: 36).text
        #expect(screen.contains("No documents in empty-folder."))
        #expect(screen.contains("3 files are not documents"))
        #expect(screen.contains("migration-inspector PATH"))
    }

    @Test("the filter applies to documents found later, at their positions in the list")
    func foundLater() {
        var session = Session()
        session.type("/ text:rating Enter")
        session.send(
            .found([FoundDocument(id: 9, name: "later.json"), FoundDocument(id: 10, name: "later-rating.json")]))
        #expect(
            (0..<session.inspector.documents.rowCount).map { session.inspector.documents.row($0).document.id } == [
                2, 10,
            ])
        session.type("Esc")
        #expect(session.inspector.documents.rowCount == 11)
    }

    @Test("documents found while a job filters are filtered too")
    func foundWhileFiltering() {
        var session = Session(Array(repeating: PoemFixtures.current, count: 5000), checked: false)
        session.holdsJobs = true
        session.holdsTraces = true
        session.type("/ text:later")
        session.send(.found([FoundDocument(id: 5000, name: "later.json")]))
        for job in session.heldJobs { if let event = job.run(isCancelled: { false }) { session.send(event) } }
        #expect(session.inspector.documents.rowCount == 1)
        #expect(session.inspector.documents.row(0).document.id == 5000)
    }

    @Test("many documents are filtered by a job, and results that arrive in the meantime are kept")
    func largeFilter() {
        var traces = Array(repeating: PoemFixtures.current, count: 5000)
        traces[7] = PoemFixtures.failing
        traces[4000] = PoemFixtures.failing
        var session = Session(traces, checked: false)
        session.send(.checked([CheckedDocument(7, result: CheckResult(source: "", outcome: .failed))]))
        session.holdsJobs = true
        session.type("f")
        #expect(session.heldJobs.count == 1)
        session.send(.checked([CheckedDocument(4000, result: CheckResult(source: "", outcome: .failed))]))
        if let event = session.heldJobs.first?.run(isCancelled: { false }) { session.send(event) }
        #expect(session.inspector.documents.rowCount == 2)
        #expect(session.inspector.documents.row(1).document.id == 4000)
    }

    @Test("a filter that is canceled before its job ends has no effect")
    func filterGivenUp() {
        var session = Session(Array(repeating: PoemFixtures.current, count: 5000), checked: false)
        session.holdsJobs = true
        session.holdsTraces = true
        session.type("/ text:nothing")
        #expect(!session.heldJobs.isEmpty)
        session.type("Esc")
        for job in session.heldJobs { if let event = job.run(isCancelled: { false }) { session.send(event) } }
        #expect(session.inspector.documents.rowCount == 5000)
    }

    @Test("the source follows the selection in the step, and returns to the failure")
    func following() {
        var session = Session(width: 80, height: 24)
        session.open("poem-rating-9.json")
        session.type("Tab g")
        #expect(session.screen.contains("  2 ▌   \"version\": 1,"))
        session.type("j")
        #expect(session.screen.contains("  3 ▌   \"author\": \"Anonymous\","))
        #expect(session.screen.contains("^ fieldNoLongerValid"))
        session.type("Tab")
        #expect(session.inspector.focus == .source && session.screen.contains("▌"))
        session.type("1")
        #expect(!session.screen.contains("▌"))
    }

    @Test("a source that follows the selection can be scrolled with its own keys")
    func followingSideways() throws {
        let line =
            "{\"a\": \"" + String(repeating: "x", count: 150) + "\", \"b\": \"" + String(repeating: "y", count: 150)
            + "\"}"
        var trace = PoemFixtures.current
        trace.document = PoemFixtures.document(line)
        trace.detection.path = nil
        var session = Session([trace], width: 100, height: 24)
        session.type("2 v j j")
        let source = { (session: Session) in session.inspector.shown?.source }
        let column = try #require(line.range(of: "\"yyy")).lowerBound.utf16Offset(in: line)
        let sideways = try #require(source(session)).sideways
        // The selected value starts in view, and one at the left edge needs no scrolling.
        #expect(sideways > 0 && sideways <= column && column < sideways + 60)
        session.type("3 < <")
        #expect(source(session)?.sideways == sideways - 16)
        session.type("2 g j")
        #expect(source(session)?.sideways == 0)
        session.type("1")
        #expect(source(session)?.followed == nil)
    }

    @Test("a source that followed a value far from the failure centers the failure again")
    func followingBack() throws {
        let line =
            "{\"a\": \"" + String(repeating: "x", count: 150) + "\", \"b\": \"" + String(repeating: "y", count: 150)
            + "\"}"
        let offset = try #require(line.range(of: "\"yyy")).lowerBound.utf16Offset(in: line)
        var trace = PoemFixtures.current
        trace.document = PoemFixtures.document(line)
        trace.detection.path = nil
        trace.steps = []
        trace.opening = .failed(
            MigrationFailure(
                kind: .typeMismatch, path: DocumentPath("$.b"), culprit: nil, message: "found a string",
                location: SourceLocation(line: 1, column: offset + 1, offset: offset)))
        var session = Session([trace], width: 100, height: 24)
        let source = { (session: Session) in session.inspector.shown?.source }
        let sideways = try #require(source(session)?.sideways)
        #expect(sideways > 100)
        session.type("2 v g j")
        #expect(source(session)?.sideways == 0)
        session.type("1")
        #expect(source(session)?.sideways == sideways)
    }

    @Test("the source follows the tree of values of the document that was read, and no other")
    func followingValue() {
        var session = Session(width: 100, height: 30)
        session.open("poem-rating-9.json")
        session.type("Tab v g j j")
        #expect(session.screen.contains("  3 ▌   \"author\": \"Anonymous\","))
        session.open("poem-v1.json")
        session.type("Tab Right")
        #expect(!session.screen.contains("▌"))
    }

    @Test("long values are scrolled sideways together in side-by-side style")
    func sideBySideSideways() {
        var session = Session(width: 80, height: 24)
        session.type("j Tab l d")
        #expect(session.screen.contains("author   \"Anonymous\""))
        session.type("> >")
        #expect(session.screen.contains("- poem     ‹g at Crewe\\nfound a rath› │"))
        expectPicture(
            session.screen,
            #"""
            ┌ poem-v1.json ───────────────────────────────── Poem · version 1 at $.version ┐
            │   ○ none ── ● 1 PoemV1 ── ● 2 PoemV2 ── ◉ 3 Poem   all                       │
            │                                                                              │
            ├ • Step 2 → 3 ──────────────────────── 1 added, 1 removed, 2 changed · «time» ┤
            │ - version  ‹                          │+ version  ‹                          │
            │ - author   ‹                          │+ author   ‹"}                        │
            │ - poem     ‹g at Crewe\nfound a rath› │                                      │
            │                                       │+ lines    ‹                          │
            │                                       │+   [0]  ‹g at Crewe"                 │
            │                                       │+   [1]  ‹arge mouse in his stew"     │
            │   rating   ‹                          │  rating   ‹                          │
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
        session.type("< <")
        #expect(session.screen.contains("author   \"Anonymous\""))
    }

    @Test("the cursor moves within typed text, and earlier searches can be recalled")
    func typing() {
        var session = Session()
        session.type("j Tab / text:lve Left Left text:o")
        #expect(session.inspector.prompt?.field.text == "love")
        session.type("Home Backspace text:x")
        session.type("Enter / text:Crewe Enter / text:y Up")
        #expect(session.inspector.prompt?.field.text == "Crewe")
        session.type("Up")
        #expect(session.inspector.prompt?.field.text == "xlove")
        session.type("Down Down")
        #expect(session.inspector.prompt?.field.text == "y")
    }

    @Test("a search that was made twice is recalled once, as the latest one")
    func repeatedSearch() {
        var session = Session()
        session.type("j Tab / text:love Enter / text:Crewe Enter / text:love Enter / Up")
        #expect(session.inspector.prompt?.field.text == "love")
        for _ in 0..<2 {
            session.type("Up")
            #expect(session.inspector.prompt?.field.text == "Crewe")
        }
    }

    @Test("the key that zooms a panel unzooms it again")
    func zoom() {
        var session = Session()
        let before = session.screen
        session.type("Z")
        #expect(session.screen != before)
        session.type("Z")
        #expect(session.screen == before)
    }

    @Test("the space bar moves forward by a page, as in less, and b moves back")
    func pages() {
        var session = Session(Array(repeating: PoemFixtures.current, count: 100), width: 100, height: 23)
        session.type("Space")
        #expect(session.inspector.documents.selectedRow == 19)
        session.type("Space b")
        #expect(session.inspector.documents.selectedRow == 19)
    }

    @Test("a notice is shown in the last line and disappears")
    func notice() {
        var session = Session()
        session.send(.notice("could not write the file"))
        #expect(session.screen.contains("could not write the file"))
        for _ in 0..<30 { session.send(.tick) }
        #expect(!session.screen.contains("could not write the file"))
        #expect(!session.inspector.wantsTicks)
    }

    @Test("a canceled job returns nothing")
    func cancelledJob() {
        let job = BackgroundJob(id: .init(serial: 1)) { _ in JobResult { _ in } }
        #expect(job.run(isCancelled: { true }) == nil)
        #expect(job.run(isCancelled: { false }) != nil)
    }
}
