import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Folded rows on the screen")
struct FoldedRowsTests {
    /// A trace with one step, which turns the first text into the second.
    private func trace(_ old: String, _ new: String) -> MigrationTrace {
        var trace = PoemFixtures.migrating
        trace.steps = [
            MigrationStep(
                from: .number(1), to: .number(2), fromType: "PoemV1", toType: "PoemV2", seconds: 0,
                before: PoemFixtures.document(old), ending: .made(PoemFixtures.document(new)))
        ]
        return trace
    }

    /// A step that changes one element in the middle of forty.
    private var long: MigrationTrace {
        let old = "[" + (0..<40).map(String.init).joined(separator: ",") + "]"
        return trace(old, old.replacing(",20,", with: ",\"twenty\","))
    }

    @Test("the row under the cursor opens and closes, and the key to open all shows while it has an effect")
    func opening() {
        var session = Session([long], width: 90, height: 90)
        session.type("2 g")
        #expect(session.screen.contains("⋯ 17 unchanged") && session.screen.contains("⋯ 16 unchanged"))
        session.type("Enter")
        #expect(!session.screen.contains("⋯ 17 unchanged") && session.screen.contains("⋯ 16 unchanged"))
        #expect(session.screen.contains("[5] "))
        #expect(session.inspector.command(for: "o") != nil)
        session.type("o")
        #expect(!session.screen.contains("unchanged"))
        #expect(session.inspector.shown?.step.rowCount == 40)
        #expect(session.inspector.command(for: "o")?.command != .openAll)
    }

    @Test("opening the last fold by hand leaves nothing more to open")
    func openingByHand() {
        var session = Session([long], width: 90, height: 90)
        session.type("2 g Enter G Enter")
        #expect(session.inspector.shown?.step.rowCount == 40)
        #expect(session.inspector.command(for: "o")?.command != .openAll)
    }

    @Test("a step that changed nothing says so", arguments: ["d", ""])
    func nothing(key: String) {
        let session = shown(trace("{\"a\": 1}", "{\"a\": 1}"), key)
        #expect(session.inspector.shown?.step.rowCount == 1)
        #expect(session.screen.contains("Nothing changed"))
    }

    @Test("a step that made another kind of value shows both")
    func replacedRoot() {
        let screen = shown(trace("\"poem\"", "7")).screen
        #expect(screen.contains("\"poem\" → 7"))
    }

    @Test("a moved value is shown at its new position with the changes inside it")
    func movedWithChange() throws {
        func poet(_ number: Int, died: Int = 1930) -> String {
            "{\"id\": \(number), \"name\": \"Poet number \(number) of Crewe\", \"born\": \(1800 + number), \"died\": \(died)}"
        }
        let old = "[\(poet(1)), \(poet(2)), \(poet(3))]"
        let new = "[\(poet(3, died: 1931)), \(poet(1)), \(poet(2))]"
        let session = shown(trace(old, new))
        let rows = try #require(session.inspector.shown?.step.rows)
        let moved = try #require(rows.firstIndex { if case .movedHere = $0.body { true } else { false } })
        #expect(rows[moved].isOpen)
        let changed = try #require(rows.firstIndex { $0.sign == .changed })
        #expect(changed > moved && rows[changed].depth == rows[moved].depth + 1)
    }

    @Test("an added object that contains a moved value is open, with the moved value one level in")
    func addedAround() throws {
        let session = shown(
            trace(
                "{\"name\": \"Anonymous of Crewe in Cheshire\", \"x\": 1}",
                "{\"author\": {\"name\": \"Anonymous of Crewe in Cheshire\", \"since\": 1999}, \"x\": 1}"))
        let rows = try #require(session.inspector.shown?.step.rows)
        let added = try #require(rows.firstIndex { $0.sign == .added })
        let moved = try #require(rows.firstIndex { if case .movedHere = $0.body { true } else { false } })
        #expect(rows[added].isOpen && moved > added && rows[moved].depth == rows[added].depth + 1)
    }

    private func shown(_ trace: MigrationTrace, _ keys: String = "") -> Session {
        var session = Session([trace], width: 90, height: 30)
        session.type("2 \(keys)")
        return session
    }
}
