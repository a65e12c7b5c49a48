import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Causes, changes and long texts")
struct CauseTests {
    private let traces = [PoemFixtures.failing, PoemFixtures.newer, PoemFixtures.current, PoemFixtures.failing]

    @Test("causes of failures are counted, the most frequent first, and one of them can be opened")
    func causes() {
        var session = Session(traces)
        session.type("D")
        #expect(session.screen.contains("┌ Why documents fail"))
        #expect(session.screen.contains("1  2 × Poem · 1 to 2 · fieldNoLongerValid at $.rating"))
        #expect(session.screen.contains("2  1 × Poem · unsupportedVersion"))
        session.type("Enter")
        #expect(session.screen.contains("✗ 2 of 4 of one cause"))
        session.type("Esc")
        #expect(session.inspector.documents.rowCount == 4)
    }

    @Test("the key } goes to the next document with a different failure")
    func otherCause() {
        var session = Session(traces)
        session.type("}")
        #expect(session.inspector.documents.selectedDocument == 1)
        session.type("}")
        #expect(session.inspector.documents.selectedDocument == 3)
        session.type("}")
        #expect(session.inspector.documents.selectedDocument == 1)
    }

    @Test("n and N go from change to change, or from match to match during a search")
    func changes() {
        var session = Session([PoemFixtures.migrating])
        session.type("2 g")
        var places: [Int] = []
        for _ in 0..<4 {
            session.type("n")
            places.append(session.inspector.shown?.step.position.selected ?? -1)
            #expect(session.inspector.shown?.step.selectedRow?.sign != StepRow.Sign.none)
        }
        // There is no change after the last one.
        #expect(places.sorted() == places && Set(places).count == 2)
        session.type("N")
        #expect(session.inspector.shown?.step.position.selected == places[0])
        session.type("/ text:Crewe Enter")
        #expect(session.inspector.command(for: "n")?.command == .nextMatch)
    }

    @Test("a long text is read in full, wrapped")
    func longText() {
        let end = "the very end"
        let poem = String(repeating: "an epicure dining at Crewe found ", count: 20) + end
        let document = PoemFixtures.document(#"{"version": 3, "poem": "\#(poem)", "short": "a"}"#)
        var trace = PoemFixtures.current
        trace.document = document
        var session = Session([trace])
        session.type("2 v g j j")
        #expect(!session.screen.contains(end))
        session.type("Enter")
        #expect(session.screen.contains("┌ $.poem") && session.screen.contains(end))
        session.type("Esc j")
        #expect(session.inspector.command(for: .enter)?.command == .zoom)
    }

    @Test("the mouse can be released to the terminal and taken back")
    func mouse() {
        var session = Session(traces)
        session.type("M M")
        let taken = session.effects.compactMap { if case .takeMouse(let isTaken) = $0 { isTaken } else { nil } }
        #expect(taken == [false, true])
    }

    @Test("the help page explains the signs and the mouse")
    func signs() {
        var session = Session(traces, width: 100, height: 90)
        session.type("? G")
        for words in [
            "opens, and something is lost", "⊘", "the field that broke it", "click",
            "M lets the mouse go, and takes it back",
        ] {
            #expect(session.screen.contains(words), "\(words)")
        }
    }
}
