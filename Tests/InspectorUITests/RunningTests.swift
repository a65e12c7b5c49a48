import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("A document that takes long to run")
struct RunningTests {
    /// A document whose step from 1 to 2 has not ended, with everything that is known so far.
    private static let known: MigrationTrace = {
        var trace = PoemFixtures.failing
        trace.steps[0].ending = .failed(MigrationFailure(.timedOut(seconds: 2)))
        return trace
    }()

    private static func inStep(seconds: Int, here: Int) -> RunProgress {
        RunProgress(.step(from: .number(1), to: .number(2)), seconds: seconds, secondsHere: here)
    }

    private func session(width: Int = 120, height: Int = 36, keys: String = "r") -> Session {
        var session = Session([Self.known], width: width, height: height, checked: false)
        session.holdsTraces = true
        session.type(keys)
        return session
    }

    @Test(
        "the screen shows where a running document is, for how long, and how to stop it",
        arguments: [(120, 36), (80, 24), (40, 10)])
    func words(width: Int, height: Int) {
        // A narrow window shows only the document while it has the keyboard focus.
        var session = session(width: width, height: height, keys: width < 70 ? "Tab r" : "r")
        for progress in [
            Self.inStep(seconds: 12, here: 12), Self.inStep(seconds: 12, here: 0),
            RunProgress(.decoding(.number(1)), seconds: 3, secondsHere: 3),
        ] {
            session.send(.running(0, progress))
            for _ in 0..<3 { session.send(.tick) }
            let words = session.screen.split { " │\n".contains($0) }.joined(separator: " ")
            #expect(words.contains(progress.words(.unicode).prefix(width / 2)), "\(session.screen)")
        }
    }

    @Test("the version, the completed steps and the source are shown as soon as they are known, without a failure")
    func known() {
        var session = session()
        session.send(.running(0, Self.inStep(seconds: 2, here: 2)))
        session.send(.running(0, Self.inStep(seconds: 2, here: 2), known: Self.known))
        session.send(.running(0, Self.inStep(seconds: 3, here: 3)))
        let screen = session.screen
        #expect(screen.contains("Step 1 → 2 ─"))
        #expect(screen.contains(Self.inStep(seconds: 3, here: 3).words(.unicode)))
        #expect(screen.contains("version 1 at $.version"))
        #expect(screen.contains("\"starRating\": 9"))
        #expect(screen.contains("◉ 1 PoemV1") || screen.contains("● 1 PoemV1"))
        #expect(!screen.contains("failed ┤") && !screen.contains("─✗─") && !screen.contains("timedOut"))
        // The known trace was about another position.
        session.send(
            .running(0, RunProgress(.step(from: .number(2), to: .number(3)), seconds: 9, secondsHere: 0)))
        #expect(session.inspector.shown == nil)
        session.send(.traced(0, PoemFixtures.migrating))
        #expect(session.inspector.shown?.running == nil)
        #expect(!session.inspector.wantsTicks || session.inspector.message != nil)
        // This arrives too late.
        session.send(.running(0, Self.inStep(seconds: 9, here: 9), known: Self.known))
        #expect(session.inspector.shown?.running == nil)
    }

    @Test("x stops a running document, and is offered once it works")
    func stopping() {
        var session = session()
        #expect(session.inspector.command(for: "x") == nil)
        session.send(.running(0, Self.inStep(seconds: 0, here: 0)))
        #expect(session.inspector.command(for: "x") == nil)
        for _ in 0..<100 { session.send(.tick) }
        // Even after a short time, the screen says only what is running.
        #expect(session.screen.contains("in step 1 → 2") && !session.screen.contains("reading the document"))
        session.send(.running(0, Self.inStep(seconds: 1, here: 1)))
        for _ in 0..<100 { session.send(.tick) }
        #expect(session.screen.contains("x stop"))
        session.type("x")
        #expect(session.effects.contains { if case .stopTrace(0) = $0 { true } else { false } })
        session.send(.traced(0, Self.known))
        #expect(session.inspector.command(for: "x") == nil)
        #expect(session.screen.contains("timedOut") && session.screen.contains("\(Reason.timedOut(seconds: 2))"))
    }

    @Test(
        "a bar shows how much of the document is read, below the result of its check", arguments: [0, 0.5, 1, 7])
    func reading(share: Double) throws {
        var session = Session([PoemFixtures.failing], width: 120, height: 30)
        session.holdsTraces = true
        session.type("r")
        let progress = RunProgress(.reading(share: share), seconds: 2, secondsHere: 2)
        session.send(.running(0, progress))
        for _ in 0..<3 { session.send(.tick) }
        let glyphs = session.canvas.glyphs
        let lines = session.screen.split(separator: "\n")
        let words = progress.words(glyphs)
        let line = try #require(lines.first { $0.contains(words) })
        let bar = line[try #require(line.range(of: words)).upperBound...]
        let (full, empty) = (
            bar.count { String($0) == glyphs.barFull }, bar.count { String($0) == glyphs.barEmpty }
        )
        let width = full + empty
        #expect(width > 4 && full == Int((min(1, share) * Double(width)).rounded()), "\(line)")
        let failure = PoemFixtures.ratingFailure
        // The author's message leads, and Swift's name for the kind follows.
        let reported = try #require(lines.firstIndex { $0.contains(failure.messageWithPath) })
        #expect(lines[reported + 1].contains(failure.kind.rawValue))
        #expect(try #require(lines.firstIndex(of: line)) > reported + 1)
    }
}
