import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("What-if changes")
struct WhatIfTests {
    private static let stars = DocumentPath.root.appending(key: "starRating")

    /// A poem that fails, with a repair that was proved, and that passes once the repair is made.
    private func session(panel: String = "2", isRepair: Bool = true) -> Session {
        var trace = PoemFixtures.failing
        trace = trace.proving(
            .init(
                path: Self.stars, certain: true,
                proof: CulpritProof(
                    isRepair
                        ? .repair(.set(Self.stars, PoemFixtures.document("5")))
                        : .passes(.set(Self.stars, PoemFixtures.document("5"))),
                    passing: [PoemFixtures.document("5"), PoemFixtures.document("3")])))
        var session = Session([trace])
        session.changed = { edits in
            edits.last == .set(Self.stars, PoemFixtures.document("5")) ? PoemFixtures.migrating : trace
        }
        session.type(panel)
        return session
    }

    private func edits(_ session: Session) -> [DocumentEdit] { session.inspector.whatIf?.edits ?? [] }

    @Test("without a repair, the key says whether experiments may still find one")
    func noRepairYet() throws {
        var session = session(isRepair: false)
        let document = try #require(session.inspector.inspection?.document)
        session.send(.experimenting(document, runs: 0))
        session.type("a")
        #expect(session.screen.contains("experiments are still running"))
        session.send(.experimented(document, nil))
        session.type("a")
        #expect(session.screen.contains("no repair is known: what passes may mean something else"))
    }

    @Test("one key makes the proved repair, one undoes it, and one redoes it")
    func repair() {
        var session = session()
        #expect(session.screen.contains("a try repair"))
        session.type("a")
        #expect(session.screen.contains("what if $.starRating is 5"))
        #expect(session.screen.contains("poem-rating-9.json  what if"))
        #expect(session.screen.contains("+   rating"))
        // The list is about the file, which doesn't change.
        #expect(session.screen.contains("│ ✗ poem-rating-9.json"))
        #expect(session.inspector.documents.result(of: 0)?.outcome == .failed)
        session.type("u")
        #expect(!session.screen.contains("what if"))
        #expect(session.screen.contains("never made"))
        session.type("C-r")
        #expect(session.screen.contains("what if $.starRating is 5"))
    }

    @Test("a value is edited as JSON, and invalid JSON is refused with the text kept")
    func editing() {
        var session = session()
        session.type("C e")
        #expect(session.screen.contains("$.starRating: 9"))
        session.type("Backspace text:five Enter")
        #expect(edits(session).isEmpty)
        #expect(session.screen.contains("put texts in quotes"))
        session.type("C-u text:4 Enter")
        #expect(edits(session) == [.set(Self.stars, PoemFixtures.document("4"))])
        session.type("C e Esc")
        #expect(edits(session).count == 1 && session.inspector.prompt == nil)
    }

    @Test("values that merely pass are offered in the menu, the nearest first, and no key applies one directly")
    func passing() {
        var session = session(isRepair: false)
        #expect(session.screen.contains("C what passes") && !session.screen.contains("a try repair"))
        session.type("a")
        #expect(edits(session).isEmpty)
        session.type("C")
        #expect(
            session.screen.contains("1  $.starRating is 5  (gets past this; the rest is not known)")
                && !session.screen.contains("(repair)"))
        session.type("1")
        #expect(edits(session) == [.set(Self.stars, PoemFixtures.document("5"))])
    }

    @Test("values can be removed, renamed, added, and set to one that was seen to pass")
    func structure() {
        var session = session()
        session.type("C d")
        #expect(edits(session) == [.remove(Self.stars)])
        session.type("u C n C-u text:rating Enter")
        #expect(edits(session) == [.rename(Self.stars, to: "rating")])
        session.type("u C 1")
        #expect(edits(session) == [.set(Self.stars, PoemFixtures.document("3"))])
        session.type("u C i text:year Enter")
        #expect(session.screen.contains("a name, a colon and a value are wanted"))
        session.type("text::1871 Enter")
        #expect(edits(session) == [.add(DocumentPath.root.appending(key: "year"), PoemFixtures.document("1871"))])
        // A prepended sign and the colon after it are one Character.
        session.type("u C i text:year\u{600}:1871 Enter")
        #expect(edits(session) == [.add(DocumentPath([.key("year\u{600}")]), PoemFixtures.document("1871"))])
        session.type("u C i text:author:1 Enter")
        #expect(session.screen.contains("there is a value at $.author already"))
        session.type("Esc")
        #expect(edits(session).isEmpty)
    }

    @Test("an element is added after the selected one, and at the end of a selected list")
    func elements() {
        var trace = PoemFixtures.unrecognized
        trace.document = PoemFixtures.document(#"{"list": [1, 2, 3]}"#)
        let list = DocumentPath.root.appending(key: "list")
        for (row, position) in [(1, 3), (2, 1), (3, 2), (4, 3)] {
            var session = Session([trace])
            session.type("2 v g" + String(repeating: " j", count: row) + " C i text:9 Enter")
            #expect(edits(session) == [.add(list.appending(index: position), PoemFixtures.document("9"))])
        }
    }

    @Test("the value on the source line and the one in the tree of values can be changed")
    func panels() {
        var session = session(panel: "3 k")
        session.type("C")
        #expect(session.screen.contains("┌ What if $.poem"))
        session.type("Esc 2 v g j C")
        #expect(session.screen.contains("┌ What if $.version"))
    }

    @Test("a value that the migration made can't be changed")
    func made() {
        var session = Session([PoemFixtures.migrating])
        session.type("2 Right G C")
        #expect(session.inspector.menu == nil)
        #expect(session.screen.contains("the migration made this value"))
    }

    @Test("a menu closes with Escape, and its items are chosen with the arrows, their keys or the mouse")
    func menu() {
        var session = session()
        session.type("C Esc")
        #expect(session.inspector.menu == nil)
        session.type("C Enter")
        #expect(edits(session) == [.set(Self.stars, PoemFixtures.document("5"))])
        session.type("u C Down Enter")
        #expect(edits(session) == [.set(Self.stars, PoemFixtures.document("3"))])
        session.type("u C")
        let frame = session.inspector.layout.overlay
        session.click(frame.x + 3, frame.y + 1)
        #expect(edits(session) == [.set(Self.stars, PoemFixtures.document("5"))])
        session.type("C")
        session.click(0, 0)
        #expect(session.inspector.menu == nil)
    }

    @Test("a click in a menu that is scrolled chooses the item that is shown there")
    func scrolledMenu() throws {
        let passing = (10..<19).map { PoemFixtures.document("\($0)") }
        let trace = PoemFixtures.failing.proving(
            .init(
                path: Self.stars, certain: true,
                proof: CulpritProof(.passes(.set(Self.stars, passing[0])), passing: passing)))
        var session = Session([trace], width: 80, height: 12)
        session.type("2 C" + String(repeating: " Down", count: 10))
        let top = try #require(session.inspector.menu?.position.top)
        try #require(top > 0 && top < passing.count)
        let frame = session.inspector.layout.overlay
        session.click(frame.x + 3, frame.y + 1)
        #expect(edits(session) == [.set(Self.stars, passing[top])])
    }

    private func writings(_ session: Session) -> [Writing] {
        session.effects.compactMap { if case .write(let writing) = $0 { writing } else { nil } }
    }

    @Test("writing a file asks for a name, and replaces an existing file only when confirmed")
    func writing() throws {
        var session = session()
        session.type("a w")
        for line in ["m  the mended document", "n  the document in version 3", "s  the story", "t  the trace"] {
            #expect(session.screen.contains(line))
        }
        session.type("m")
        #expect(session.screen.contains("Write to: poem-rating-9.mended.json"))
        session.type("Enter")
        let first = try #require(writings(session).last)
        #expect(first.name == "poem-rating-9.mended.json" && !first.replaces)
        session.send(.written(first, .exists(isDocument: false)))
        #expect(session.screen.contains("that file exists; Enter replaces it"))
        session.type("Enter")
        #expect(try #require(writings(session).last).replaces)
        // Another name has to be confirmed separately.
        session.send(.written(first, .exists(isDocument: true)))
        #expect(session.screen.contains("that is the document itself"))
        session.type("text:5 Enter")
        let other = try #require(writings(session).last)
        #expect(other.name == "poem-rating-9.mended.json5" && !other.replaces)
        session.send(.written(other, .done(note: nil)))
        #expect(session.screen.contains("written: poem-rating-9.mended.json5"))
        // The message stays until a key is pressed.
        for _ in 0..<100 { session.send(.tick) }
        #expect(session.screen.contains("written: poem-rating-9.mended.json5"))
        session.send(.rebuilt)
        #expect(session.screen.contains("written: poem-rating-9.mended.json5"))
        session.type("j")
        #expect(!session.screen.contains("written: "))
    }

    @Test("the smallest document with the same failure is shown as one change of the whole document, and can be undone")
    func shrinking() {
        var session = session()
        session.type("S")
        #expect(session.effects.contains { if case .shrink(0, _) = $0 { true } else { false } })
        #expect(session.screen.contains("shrinking, 0 runs so far; x stops it"))
        #expect(session.inspector.command(for: "S") == nil)
        let smallest = PoemFixtures.document(#"{"version": 1, "starRating": 0}"#)
        session.send(.shrunk(0, smallest, runs: 42))
        #expect(edits(session) == [.set(.root, smallest)])
        #expect(session.screen.contains("shrunk in 42 runs"))
        session.type("u S")
        session.send(.shrunk(0, nil, runs: 0))
        #expect(session.screen.contains("nothing to shrink") && edits(session).isEmpty)
        // Running experiments give way to shrinking. A key stops it, and results that arrive later are ignored.
        session.send(.experimenting(0, runs: 5))
        session.type("S x")
        #expect(session.effects.contains { if case .cancelTrace(0) = $0 { true } else { false } })
        #expect(session.screen.contains("stopped; the document is as it was"))
        session.send(.shrunk(0, smallest, runs: 42))
        #expect(edits(session).isEmpty && !session.screen.contains("shrunk"))
    }

    @Test("a redacted copy is offered with what is kept, and is written under a neutral name")
    func redacting() throws {
        var session = session()
        session.type("w r")
        #expect(session.effects.contains { if case .redact(0, _) = $0 { true } else { false } })
        let redaction = try DocumentRedactor.redact(
            PoemFixtures.document(#"{"version": 1, "author": "Ada"}"#), redactsNames: false,
            replacements: Replacements()
        ) { $0.root["version"]?.numberText == "1" }
        session.send(.redacted(0, .success(redaction)))
        #expect(session.screen.contains("fails alike; kept as they are: $.version"))
        session.type("w Enter")
        let writing = try #require(writings(session).last)
        #expect(writing.name == "document.json")
        if case .document(let document) = writing.product {
            #expect(document.root["author"]?.string?.count == 3 && document.root["author"]?.string != "Ada")
        } else {
            Issue.record("the copy is not written")
        }
        session.send(.redacted(0, .failure(.endsDifferently)))
        #expect(session.screen.contains("not redacted: it ends in another way each time"))
    }

    @Test("writing over the document itself leaves no pending changes")
    func replaced() throws {
        var session = session()
        session.type("a w m Enter")
        let writing = try #require(writings(session).last)
        session.send(.written(writing, .done(note: "the old file is kept as a.bak", isDocument: true)))
        #expect(edits(session).isEmpty && !session.screen.contains("what if"))
        session.send(.changed(0))
        #expect(session.screen.contains("written: ") && session.screen.contains("a.bak"))
    }

    @Test("the other values of a type with few values are offered in the menu")
    func choices() throws {
        var session = Session([PoemFixtures.migrating])
        var outline = VersionOutline()
        outline.fields = [
            .init(
                path: DocumentPath([.key("author")]), type: "Author", isRequired: true,
                choices: ["Anonymous", "Nobody", "Ada"].map { Document(text: $0) })
        ]
        let trace = PoemFixtures.migrating
        let chain = try #require(trace.chain)
        #expect(session.effects.contains { if case .outline(chain) = $0 { true } else { false } })
        session.send(
            .outlined(
                ChainDescription(name: chain, versions: trace.versions),
                trace.versions.map { $0.version == trace.detection.version ? outline : nil }))
        session.type("s g j j j C")
        #expect(session.screen.contains("What if $.author"))
        #expect(
            session.screen.contains(#"1  $.author is "Nobody""#) && session.screen.contains(#"2  $.author is "Ada""#))
        session.type("2")
        #expect(edits(session) == [.set(DocumentPath([.key("author")]), Document(text: "Ada"))])
    }

    @Test("the cursor stays on the changed value, even if other rows are folded afterwards")
    func cursor() throws {
        func trace(_ text: String) -> MigrationTrace {
            MigrationTrace(
                source: "a.json", format: .json, chain: "Notes",
                versions: [.init(version: .number(1), type: "NoteV1"), .init(version: .number(2), type: "Note")],
                target: .number(2), detection: VersionDetection(version: .number(1)), opening: .opened,
                steps: [
                    MigrationStep(
                        from: .number(1), to: .number(2), fromType: "NoteV1", toType: "Note", seconds: 0,
                        before: PoemFixtures.document(text), ending: .made(PoemFixtures.document(#"{"x": 1}"#)))
                ], document: PoemFixtures.document(text))
        }
        var session = Session([trace(#"{"a": 1, "b": 2, "c": 3}"#)])
        session.changed = { _ in trace(#"{"z": 0, "a": 1, "b": 5, "c": 3}"#) }
        session.type("2 1 2")
        while session.inspector.shown?.step.selectedRow?.label?.text != "b" {
            let row = session.inspector.shown?.step.position.selected
            session.type("j")
            try #require(session.inspector.shown?.step.position.selected != row)
        }
        session.type("C e C-u text:5 Enter")
        #expect(session.inspector.shown?.step.selectedRow?.label?.text == "b")
    }

    @Test("a key that has nothing to do says why")
    func nothing() {
        var session = session()
        for (key, words) in [
            ("u", "nothing is changed"), ("=", "m marks one"), ("R", "not rebuilt"), ("x", "nothing is running"),
        ] {
            session.type(key)
            #expect(session.screen.contains(words), "\(key)")
        }
        session.type("y ~")
        #expect(session.inspector.menu != nil)
    }

    @Test("a part of a file is written under a name with the part and the extension of its format")
    func partNames() {
        var inspector = Inspector(title: "books.sqlite")
        _ = inspector.handle(
            .found([
                FoundDocument(
                    id: 0, name: "books.sqlite#ZBOOK/3/ZMETA", heading: "books.sqlite", displayName: "ZBOOK/3/ZMETA",
                    title: "books.sqlite#ZBOOK/3/ZMETA")
            ]))
        _ = inspector.handle(.input(.resize(width: 100, height: 30)))
        _ = inspector.handle(.traced(0, PoemFixtures.failing))
        for key in ["w", "s"] { _ = inspector.handle(.input(.key(.character(Character(key))))) }
        #expect(inspector.canvas(width: 100, height: 30).text.contains("Write to: books-ZBOOK-3-ZMETA.md"))
    }

    @Test("changes given at the start apply to the first document")
    func given() {
        var inspector = Inspector(title: "poem.json", edits: [.remove(Self.stars)])
        let effects = inspector.handle(.found([FoundDocument(id: 0, name: "poem.json")]))
        let edits = effects.compactMap { effect -> [DocumentEdit]? in
            if case .trace(0, let supposed) = effect { supposed.edits } else { nil }
        }
        #expect(edits == [[.remove(Self.stars)]])
    }
}
