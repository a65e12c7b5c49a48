import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Canceling background work")
struct CancellingTests {
    /// A step between two documents too large to compare right away.
    private func large(_ count: Int = 20_000) -> MigrationTrace {
        func document(_ word: String) -> Document {
            PoemFixtures.document("[" + (0..<count).map { "{\"\(word)\":\($0)}" }.joined(separator: ",") + "]")
        }
        var trace = PoemFixtures.migrating
        trace.steps = [
            MigrationStep(
                from: .number(1), to: .number(2), fromType: "PoemV1", toType: "PoemV2", seconds: 0,
                before: document("stars"), ending: .made(document("rating")))
        ]
        return trace
    }

    @Test("moving to another document cancels the comparison for the previous one")
    func movingOn() {
        var session = Session([large(), PoemFixtures.current])
        session.holdsJobs = true
        session.type("j k")
        let comparing = session.heldJobs.first
        #expect(comparing?.id == session.inspector.jobs[.step])
        session.type("j")
        #expect(comparing != nil)
        #expect(
            session.effects.contains { if case .cancel(let id) = $0 { id == comparing?.id } else { false } })
    }

    @Test("a comparison canceled while it runs ends soon and returns nothing")
    func comparing() throws {
        var session = Session([large()])
        session.holdsJobs = true
        session.type("r")
        let job = try #require(session.heldJobs.first)
        var asked = 0
        #expect(
            job.run {
                asked += 1
                return asked > 3
            } == nil)
        #expect(asked == 4)
        #expect(job.run { false } != nil)
    }

    @Test("a long comparison shows that it is running, and nothing flickers before that")
    func saying() throws {
        var session = Session([large(1000)])
        session.holdsJobs = true
        session.type("r")
        #expect(!session.screen.contains("comparing") && !session.screen.contains("reading the text"))
        for _ in 0..<3 { session.send(.tick) }
        let rows = session.inspector.layout.rows(of: .step)
        #expect(session.screen.contains("comparing"))
        let line = session.canvas.picture(of: .progress).split(separator: "\n", omittingEmptySubsequences: false)[
            rows.y]
        #expect(line.drop { $0 == " " }.hasSuffix("comparing"))
        for job in session.heldJobs { if let event = job.run(isCancelled: { false }) { session.send(event) } }
        #expect(!session.screen.contains("comparing"))
    }

    @Test("arranging the rows of a canceled comparison ends soon and returns nothing")
    func arranging() throws {
        var session = Session([large()])
        session.holdsJobs = true
        session.type("d")
        let job = try #require(session.heldJobs.first)
        var asked = 0
        #expect(
            job.run {
                asked += 1
                return asked > 2
            } == nil)
        #expect(asked < 6)
        #expect(job.run { false } != nil)
    }
}
