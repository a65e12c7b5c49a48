import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Files that change while they are shown")
struct ChangingFilesTests {
    private func traces(_ session: Session) -> Int {
        session.effects.count { if case .trace = $0 { true } else { false } }
    }

    @Test("a document changed by another program is read again, and the step and the row stay selected")
    func changed() {
        var session = Session([PoemFixtures.migrating])
        session.type("2 Right j")
        let row = session.inspector.shown?.step.position.selected
        session.send(.changed(0))
        #expect(session.inspector.shown?.stop == 2 && session.inspector.shown?.step.position.selected == row)
        #expect(session.screen.contains("poem-v1.json has changed, and is read again"))
    }

    /// A trace of one step that changes the values of these members, each from a number to the next.
    private static func counting(_ names: [String]) -> MigrationTrace {
        func document(_ version: Int, _ number: Int) -> Document {
            let members = names.enumerated().map { #""\#($1)": \#(number + $0 * 10)"# }
            return PoemFixtures.document("{\(([#""version": \#(version)"#] + members).joined(separator: ", "))}")
        }
        var trace = PoemFixtures.migrating
        trace.document = document(1, 1)
        trace.steps = [
            MigrationStep(
                from: .number(1), to: .number(2), fromType: "PoemV1", toType: "PoemV2", seconds: 0,
                before: document(1, 1), ending: .made(document(2, 2)))
        ]
        return trace
    }

    @Test(
        "the selected value stays selected in a changed document that has values before it, or lacks some",
        arguments: [["x", "a", "b", "c"], ["x", "y", "z", "c"], ["c"], ["c", "a"]])
    func changedBefore(names: [String]) throws {
        var session = Session([Self.counting(["a", "b", "c"])])
        session.type("2")
        let path = DocumentPath.root.appending(key: "c")
        for _ in 0..<9 where session.inspector.shown?.step.selectedRow?.node?.path != path { session.type("j") }
        try #require(session.inspector.shown?.step.selectedRow?.node?.path == path)
        session.holdsTraces = true
        session.send(.changed(0))
        session.send(.traced(0, Self.counting(names)))
        #expect(session.inspector.shown?.step.selectedRow?.node?.path == path)
    }

    @Test("the row with the same number is selected if a changed document no longer has the selected value")
    func changedWithout() throws {
        var session = Session([Self.counting(["a", "b", "c"])])
        session.type("2 j")
        let row = try #require(session.inspector.shown?.step.position.selected)
        session.holdsTraces = true
        session.send(.changed(0))
        session.send(.traced(0, Self.counting(["x", "y", "z"])))
        #expect(session.inspector.shown?.step.position.selected == row && row > 0)
    }

    @Test("a changed document that isn't shown is not read again")
    func other() {
        var session = Session([PoemFixtures.migrating, PoemFixtures.failing])
        session.holdsTraces = true
        session.send(.changed(1))
        #expect(traces(session) == 0)
        session.send(.changed(0))
        #expect(traces(session) == 1)
    }

    @Test("changes that no longer apply to the file are dropped with a message")
    func notEdited() {
        var session = Session([PoemFixtures.failing])
        session.type("2 C d")
        session.send(.notEdited(0))
        #expect(session.inspector.whatIf == nil && session.inspector.shown != nil)
        #expect(session.screen.contains("the changes are gone"))
    }

    @Test("a new build of the program is announced, and R restarts it at the same view")
    func rebuilt() throws {
        var session = Session([PoemFixtures.current, PoemFixtures.migrating])
        session.type("R")
        #expect(!session.effects.contains { if case .restart = $0 { true } else { false } })
        session.type("j 2 Right j")
        session.send(.rebuilt)
        #expect(session.screen.contains("R restarts it here"))
        session.type("R")
        let views = session.effects.compactMap { if case .restart(let view) = $0 { view } else { nil } }
        let view = try #require(views.last)
        #expect(view == InspectedView(title: "poem-v1.json", stop: 2, row: view.row))
        #expect(view.row == session.inspector.shown?.step.position.selected)
    }

    @Test("the new build shows the same document, step, row and edits")
    func view() {
        let edit = DocumentEdit.remove(DocumentPath.root.appending(key: "mood"))
        let view = InspectedView(title: "poem-v1.json", stop: 2, row: 1, supposing: Supposition([edit]))
        var inspector = Inspector(title: "demo", view: view)
        _ = inspector.handle(.input(.resize(width: 100, height: 30)))
        let effects = inspector.handle(
            .found([FoundDocument(id: 0, name: "a.json"), FoundDocument(id: 1, name: "poem-v1.json")]))
        let traced = effects.compactMap { effect -> [DocumentEdit]? in
            if case .trace(1, let supposed) = effect { supposed.edits } else { nil }
        }
        #expect(traced.last == [edit])
        _ = inspector.handle(.traced(1, PoemFixtures.migrating))
        #expect(inspector.shown?.stop == 2 && inspector.shown?.step.position.selected == 1)
    }

    @Test("lines of a document inside a larger file keep that file's line numbers")
    func lineNumbers() {
        var inspector = Inspector(title: "poems.jsonl")
        _ = inspector.handle(.input(.resize(width: 100, height: 30)))
        _ = inspector.handle(
            .found([
                FoundDocument(id: 0, name: "poems.jsonl#L12", displayName: "line 12", firstLine: 12)
            ]))
        var trace = PoemFixtures.failing
        trace.source = "poems.jsonl#L12"
        _ = inspector.handle(.traced(0, trace))
        let screen = inspector.canvas(width: 100, height: 30).text
        #expect(screen.contains(#"16 │   "starRating": 9"#) && screen.contains("line 16, column 17"))
        _ = inspector.handle(.input(.key("2")))
        _ = inspector.handle(.input(.key("y")))
        let effects = inspector.handle(.input(.key("l")))
        #expect(effects.contains { if case .copy("poems.jsonl:16:17") = $0 { true } else { false } })
    }
}
