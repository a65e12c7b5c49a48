import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Playing a migration")
struct PlayingTests {
    private static func tick(_ session: inout Session, _ count: Int = 1) {
        for _ in 0..<count { session.send(.tick) }
    }

    /// Ticks until the number of changes that have happened is different.
    private static func nextBeat(_ session: inout Session) {
        let before = session.inspector.playback?.beat
        for _ in 0..<100 where session.inspector.playback?.beat == before { tick(&session) }
    }

    @Test("playing starts with the document before the first step, and makes one change after another")
    func changes() throws {
        var session = Session([PoemFixtures.migrating])
        session.type("2 l p")
        #expect(session.screen.contains("Step 1 → 2") && session.screen.contains("playing 0 of "))
        #expect(session.inspector.wantsTicks)
        // Values that are about to disappear are still there, and new ones are not there yet.
        #expect(session.screen.contains("    starRating  5") && !session.screen.contains(#""love""#))
        for _ in 0..<(session.inspector.playback?.beats.count ?? 0) { Self.nextBeat(&session) }
        #expect(session.screen.contains("-   starRating") && session.screen.contains(#"+   rating      "love""#))
        Self.tick(&session, 100)
        #expect(session.screen.contains("Step 2 → 3"))
        Self.tick(&session, 1000)
        #expect(session.inspector.playback == nil && !session.inspector.wantsTicks)
        #expect(session.inspector.shown?.stop == 2 && session.inspector.command(for: "+") == nil)
    }

    @Test("a value that moves is drawn on its way from its old position to the new one")
    func moves() throws {
        let (before, after) = (
            PoemFixtures.document(#"{"a": "moving on", "b": 1, "c": 2}"#),
            PoemFixtures.document(#"{"b": 1, "c": 2, "d": {"a": "moving on"}}"#)
        )
        let trace = MigrationTrace(
            source: "a.json", format: .json, chain: "Notes",
            versions: [.init(version: .number(1), type: "NoteV1"), .init(version: .number(2), type: "Note")],
            target: .number(2), detection: VersionDetection(version: .number(1)), opening: .opened,
            steps: [
                MigrationStep(
                    from: .number(1), to: .number(2), fromType: "NoteV1", toType: "Note", seconds: 0, before: before,
                    ending: .made(after))
            ], document: before)
        var session = Session([trace])
        session.type("p")
        while session.inspector.playback?.flight == nil { Self.tick(&session) }
        var rows: [Int] = []
        while session.inspector.playback?.flight != nil {
            // The value is visible in every row on its way.
            let lines = session.screen.split(separator: "\n")
            let source = lines.firstIndex { $0.contains("├ Source") } ?? lines.endIndex
            rows += lines[..<source].indices.filter { lines[$0].contains(#""moving on""#) }.suffix(1)
            Self.tick(&session)
        }
        let way = Array(Set(rows)).sorted()
        #expect(way.count > 2 && rows == rows.sorted(), "\(rows)")
        #expect(session.screen.contains("»     a  \"moving on\"  from $.a"))
    }

    @Test("playing can be slowed down, sped up, paused, moved back and forth, and ended")
    func keys() throws {
        var session = Session([PoemFixtures.migrating])
        session.type("2 d p")
        // Changes are shown in unified style during playback.
        #expect(session.inspector.kept.style == .unified)
        var ticks: [Int] = []
        for key in ["-", "+", "+"] {
            session.type(key)
            let beat = session.inspector.playback?.beat
            var count = 0
            while session.inspector.playback?.beat == beat, count < 100 {
                Self.tick(&session)
                count += 1
            }
            ticks.append(count)
            session.type("Left Space")
        }
        #expect(ticks[0] > ticks[1] && ticks[1] > ticks[2])
        session.type("Space")
        #expect(session.screen.contains("waiting") && !session.inspector.wantsTicks)
        let beat = try #require(session.inspector.playback?.beat)
        session.type("Right")
        #expect(session.inspector.playback?.beat == beat + 1)
        for _ in 0..<20 where session.inspector.shown?.stop == 1 { session.type("Right") }
        #expect(session.screen.contains("Step 2 → 3") && session.screen.contains("waiting 0 of"))
        // Back to the end of the previous step.
        session.type("Left")
        #expect(session.screen.contains("Step 1 → 2"))
        #expect(session.inspector.playback.map { $0.beat == $0.beats.count } == true)
        // At the beginning it stays there.
        for _ in 0..<20 { session.type("Left") }
        #expect(session.inspector.playback?.beat == 0 && session.inspector.shown?.stop == 1)
        session.type("j /")
        #expect(session.inspector.prompt == nil)
        session.type("Esc")
        #expect(session.inspector.playback == nil && session.inspector.kept.style == .sideBySide)
        session.type("p q")
        #expect(session.inspector.playback == nil)
        #expect(!session.effects.contains { if case .quit = $0 { true } else { false } })
    }

    @Test("playing stops at the step that fails")
    func failing() {
        var session = Session([PoemFixtures.failing, PoemFixtures.current])
        session.type("p")
        #expect(session.inspector.playback == nil && session.screen.contains("it goes no further: fieldNoLongerValid"))
        #expect(session.screen.contains("starRating  9"))
        session.type("1 j p")
        #expect(session.screen.contains("there are no steps to play"))
    }

    @Test("a step whose rows are still being computed is not skipped by any key, and starts at its first change")
    func large() throws {
        func document(_ version: Int) -> Document {
            let numbers = (0..<1500).map { "\($0 == 700 ? version : $0)" }.joined(separator: ", ")
            return PoemFixtures.document(#"{"version": \#(version), "numbers": [\#(numbers)]}"#)
        }
        let documents = (1...3).map(document)
        func step(_ number: Int) -> MigrationStep {
            MigrationStep(
                from: .number(number), to: .number(number + 1), fromType: "a", toType: "b", seconds: 0,
                before: documents[number - 1], ending: .made(documents[number]))
        }
        let trace = MigrationTrace(
            source: "a.json", format: .json, chain: "Notes",
            versions: (1...3).map { .init(version: .number($0), type: "Note") }, target: .number(3),
            detection: VersionDetection(version: .number(1)), opening: .opened, steps: [step(1), step(2)],
            document: documents[0])
        var session = Session([trace])
        session.holdsJobs = true
        session.type("p Space Right Left Right h l h")
        #expect(session.inspector.playback?.beat == 0)
        for job in session.heldJobs { if let event = job.run(isCancelled: { false }) { session.send(event) } }
        #expect(session.inspector.playback?.beats.isEmpty == false)
        #expect(session.screen.contains("of 2 changes"))
        session.holdsJobs = false
        session.type("Right Right Right Left")
        #expect(session.screen.contains("waiting 2 of 2 changes"))
    }

    @Test("playing ends when another document is selected, the document changes or the mouse is used")
    func ending() {
        var session = Session([PoemFixtures.migrating, PoemFixtures.failing])
        session.type("p")
        session.click(5, 2)
        #expect(session.inspector.playback == nil)
        session.type("1 g p")
        session.send(.changed(0))
        #expect(session.inspector.playback == nil)
    }
}
