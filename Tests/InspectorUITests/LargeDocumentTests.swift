import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

/// Tests of large migrations, which keep only the documents on the screen in memory.
@Suite("Steps with documents too large to keep")
struct LargeDocumentTests {
    /// A session with the poem of version 1, whose documents count as large.
    private func session() -> Session {
        var session = Session([PoemFixtures.migrating])
        show(in: &session)
        session.type("Tab")
        return session
    }

    private func show(_ trace: MigrationTrace = PoemFixtures.migrating, in session: inout Session) {
        session.inspector.largestSnapshots = 0
        session.send(.traced(0, trace))
    }

    /// The steps that were requested and have not ended since.
    private func asked(_ session: Session) -> [(job: BackgroundJob.ID, version: DocumentVersion)] {
        var asked: [(job: BackgroundJob.ID, version: DocumentVersion)] = []
        for effect in session.effects {
            switch effect {
            case .runStep(let job, of: 0, let version, _): asked.append((job, version))
            case .cancel(let job): asked.removeAll { $0.job == job }
            default: break
            }
        }
        return asked
    }

    /// Answers the latest request, with the result of the first run or with another one.
    private func answer(
        _ session: inout Session, _ change: (inout MigrationTrace) -> Void = { _ in }
    ) throws {
        let last = try #require(asked(session).last)
        var trace = PoemFixtures.migrating
        trace.steps = trace.steps.filter { $0.to == last.version }
        change(&trace)
        session.send(.ranStep(last.job, trace, hash: trace.steps.last?.after?.root.valueHash))
    }

    private func kept(_ session: Session) -> [Bool] {
        session.inspector.shown?.whole.steps.flatMap { [$0.before != nil, $0.after != nil] } ?? []
    }

    @Test("documents of the shown step stay in memory, and another step runs again when it is shown")
    func runsAgain() throws {
        var session = session()
        #expect(session.screen.contains("Step 1 → 2") && session.screen.contains("starRating"))
        #expect(kept(session) == [true, true, true, false])
        #expect(asked(session).isEmpty)
        session.type("Right")
        #expect(asked(session).map { "\($0.version)" } == ["3"])
        #expect(session.inspector.wantsTicks)
        for _ in 0..<4 { session.send(.tick) }
        #expect(session.screen.contains("Step 2 → 3") && session.screen.contains("running the step again"))
        try answer(&session)
        #expect(session.screen.contains("1 added, 1 removed, 2 changed"))
        #expect(!session.screen.contains("again") && !session.screen.contains("another result"))
        #expect(kept(session) == [true, true, true, true])
        session.type("Left")
        #expect(asked(session).count == 1, "both documents were still there")
        #expect(kept(session) == [true, true, true, false])
    }

    @Test("all steps can be shown as one, and the newest version can be written, even if it isn't in memory")
    func wholeWay() throws {
        var session = session()
        #expect(session.screen.contains("all  "))
        session.type("Right")
        try answer(&session)
        session.type("Right")
        #expect(session.screen.contains("All steps 1 → 3") && asked(session).count == 1)
        session.type("Left Left w")
        #expect(kept(session) == [true, true, true, false])
        #expect(session.screen.contains("the document in version 3"))
        session.type("n Enter")
        let trace = session.effects.compactMap { effect in
            if case .write(let writing) = effect { writing.product.trace } else { nil }
        }.last
        #expect(trace?.hasAllSnapshots == false)
        #expect(PoemFixtures.migrating.hasAllSnapshots)
    }

    @Test("a step that makes another result in each run is reported, and its latest result stays")
    func changing() throws {
        var session = session()
        session.type("Right")
        let other = try Document(parsing: SourceBytes(#"{"version":3,"author":"Edward Lear"}"#))
        try answer(&session) { $0.steps[0].ending = .made(other) }
        #expect(session.screen.contains("this step gives another result in every run"))
        #expect(session.screen.contains("Edward Lear"))
        session.type("Left")
        #expect(!session.screen.contains("another result"))
        #expect(kept(session) == [true, true, true, true])
        session.type("Right")
        #expect(asked(session).count == 1 && session.screen.contains("another result"))
    }

    @Test("a step that fails when it runs again is reported, and an answer that arrives too late is ignored")
    func failing() throws {
        var session = session()
        session.type("Right")
        let early = try #require(asked(session).last)
        session.type("Left Right")
        #expect(asked(session).count == 1)
        session.send(.ranStep(early.job, PoemFixtures.failing, hash: nil))
        #expect(!session.screen.contains("does not do again"))
        try answer(&session) { $0.steps[0].ending = .failed(PoemFixtures.ratingFailure) }
        #expect(session.screen.contains("the step does not do again what it did"))
        session.type("Left Right")
        let job = try #require(asked(session).last).job
        session.send(.ranStep(job, nil, hash: nil))
        #expect(session.screen.contains("the step does not do again what it did"))
    }

    @Test("the documents before a failure stay in memory, also after experiments")
    func failed() throws {
        var session = Session([PoemFixtures.migrating])
        var trace = PoemFixtures.migrating
        trace.steps[1].ending = .failed(PoemFixtures.ratingFailure)
        show(trace, in: &session)
        session.type("Tab Left")
        #expect(session.screen.contains("Step 1 → 2") && kept(session) == [true, true, true, false])
        session.send(.experimented(0, trace))
        #expect(kept(session) == [true, true, true, false])
        session.type("Right")
        #expect(asked(session).isEmpty && session.screen.contains("Step 2 → 3"))
    }

    @Test("small documents stay in memory, and so do those of a recorded trace")
    func small() {
        var session = Session([PoemFixtures.migrating])
        #expect(kept(session) == [true, true, true, true])
        session.inspector.largestSnapshots = 0
        var recorded = PoemFixtures.migrating
        recorded.source = "elsewhere.json"
        session.send(.traced(0, recorded))
        #expect(kept(session) == [true, true, true, true])
        let hashes = SnapshotHashes(of: PoemFixtures.migrating).made.compactMap(\.self)
        #expect(Set(hashes).count == 2)
    }

    @Test("playing waits until a step has run again")
    func playing() throws {
        var session = session()
        session.type("p")
        var ticks = 0
        while asked(session).isEmpty, ticks < 500 {
            session.send(.tick)
            ticks += 1
        }
        #expect(asked(session).map { "\($0.version)" } == ["3"])
        for _ in 0..<20 { session.send(.tick) }
        #expect(session.inspector.playback != nil && asked(session).count == 1)
        try answer(&session)
        while session.inspector.playback != nil, ticks < 1000 {
            session.send(.tick)
            ticks += 1
        }
        #expect(session.screen.contains("Step 2 → 3") && session.screen.contains("lines"))
    }
}
