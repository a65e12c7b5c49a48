import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The overview of a whole history")
struct TimelineOverviewTests {
    /// A state of a history.
    private struct State {
        var version: Int? = 1
        var outcome = MigrationOutcome.current
        var lane = 0
        var change = DocumentRevision.Change.modified
        var date = "2024-01-01"
        var before: [Int]?
    }

    /// A session with the states of a history, oldest first, at the newest one.
    private static func session(_ states: [State], width: Int = 100, height: Int = 30) -> Session {
        // One more, for the file on the disk.
        let traces = (0...states.count).map { number in
            MigrationTrace(
                source: "s.json", format: .json, document: PoemFixtures.document(#"{"number": \#(number * number)}"#))
        }
        var session = Session(
            traces, width: width, height: height, checked: false,
            documents: states.enumerated().map {
                var revision = DocumentRevision(
                    commit: "commit\($0)", shortCommit: "c\($0)", author: "Ada", date: $1.date, subject: "change \($0)",
                    path: "s.json", lane: $1.lane, change: $1.change)
                revision.parents = $0 == 0 ? [] : ["commit\($0 - 1)"]
                return FoundDocument(id: .init($0), name: "s.json", revision: revision)
            })
        session.send(
            .checked(
                states.enumerated().map { number, state in
                    CheckedDocument(.init(number), result: result(state))
                }))
        let found = states.enumerated().map { number, state in
            StateInTime(
                document: .init(number), before: (state.before ?? (number == 0 ? [] : [number - 1])).map { .init($0) },
                isDeleted: state.outcome == .deleted)
        }
        let newest = FoundDocument.ID(states.count - 1)
        session.type("End")
        session.send(.foundHistory(newest, found.reversed(), problem: nil))
        // Showing a state checks it again.
        session.send(.checked([CheckedDocument(newest, result: result(states[states.count - 1]))]))
        return session
    }

    private static func result(_ state: State) -> CheckResult {
        var result = CheckResult(source: "s.json", outcome: state.outcome)
        result.chain = "Notes"
        result.version = state.version.map { .number($0) }
        if state.outcome == .failed { result.failure = MigrationFailure(kind: .dataCorrupted, message: "broken") }
        return result
    }

    /// The rows of the timeline as text.
    private static func rows(_ session: Session) -> [String] {
        let chain = session.inspector.layout.chain
        return session.screen.split(separator: "\n", omittingEmptySubsequences: false)[chain.minY..<chain.maxY].map {
            var line = String($0.dropFirst().dropLast())
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    @Test("each version of v1, v2, v3, v2, v3 is above its own states, at any width")
    func versionsThatComeBack() throws {
        let versions = [1, 1, 1, 2, 3, 2, 3, 3, 3, 3]
        let states = versions.map { State(version: $0) }
        for width in [40, 60, 120] {
            let session = Self.session(states, width: width)
            let line = try #require(session.inspector.layout.timelineLine)
            #expect(line.bands.map(\.x) == [0, 3, 4, 5, 6].map { $0 * line.pitch })
            #expect(line.bands.map(\.name) == ["v1", "v2", "v3", "v2", "v3"])
        }
        // Where a name has no room, there is a line in its place.
        let narrow = Self.session(states, width: 30)
        let line = try #require(narrow.inspector.layout.timelineLine)
        #expect(line.pitch == 2)
        #expect(line.bands.map(\.name) == ["v1", nil, nil, nil, "v3"])
        #expect(Self.rows(narrow)[0] == "   v1─── │ │ │ v3─────")
    }

    @Test("a column of several states has their worst sign, and a version in between is not hidden by the others")
    func worst() throws {
        var states = (0..<400).map { State(version: $0 < 200 ? 1 : 2) }
        states[101].outcome = .failed
        states[310].version = 3
        let session = Self.session(states, width: 48)
        let line = try #require(session.inspector.layout.timelineLine)
        #expect(line.columns.count == 40 && line.columns.allSatisfy { $0.states.count == 10 })
        #expect(line.columns.indices.filter { line.columns[$0].signs[0] == .failed } == [10])
        #expect(line.columns.indices.filter { line.columns[$0].isTurn } == [10, 20, 31])
        #expect(line.bands.map(\.x) == [0, 20, 31, 32] && line.bands.map(\.name) == ["v1", "v2", nil, "v2"])
        expectPicture(
            Self.rows(session).joined(separator: "\n"),
            """
               v1──────────────────v2─────────│v2──────
               ✓✓✓✓✓✓✓✓✓✓✗✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓✓
                         ^         ^          ^
               └2024-01-01                  2024-01-01┘
             ‹ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓ ✓[✓]
               2024-01-01 c399  Ada: change 399
               ✓ v2  current
            """)
    }

    @Test("a click on a column goes to the first of its worst states, and one below to the state itself")
    func click() throws {
        var states = (0..<400).map { _ in State() }
        states[104].outcome = .failed
        states[107].outcome = .failed
        var session = Self.session(states, width: 48)
        let (chain, row) = (
            session.inspector.layout.chain,
            { (session: Session, row: TimelineLine.Row) in
                session.inspector.layout.timelineLine?.rows.firstIndex(of: row)
            }
        )
        session.click(chain.x + Layout.chainMargin + 10, chain.y + (try #require(row(session, .states))))
        #expect(session.inspector.timelinePosition == 104)
        let cell = try #require(session.inspector.layout.timelineLine?.window.first { $0.position == 107 })
        session.click(chain.x + Layout.chainMargin + cell.x, chain.y + (try #require(row(session, .window))))
        #expect(session.inspector.timelinePosition == 107)
    }

    @Test("a state that is not checked keeps its column from looking as if all were well")
    func unchecked() {
        var session = Self.session((0..<90).map { _ in State() }, width: 48)
        #expect(session.inspector.layout.timelineLine?.columns[0].signs[0] == .opens)
        session = Session(
            (0..<90).map { MigrationTrace(source: "\($0)", document: PoemFixtures.document("{}")) }, width: 48,
            height: 30, checked: false
        ) { _ in "x/" }
        session.send(.checked([CheckedDocument(0, result: Self.result(State()))]))
        session.type("O")
        #expect(session.inspector.layout.timelineLine?.columns[0].states == 0..<2)
        #expect(session.inspector.layout.timelineLine?.columns[0].signs[0] == .unchecked)
    }

    @Test("sides of merges, a deletion and a rename are drawn, and each label is at its own state")
    func sides() {
        var states = (0..<9).map { State(date: "2024-01-0\($0 + 1)") }
        states[2] = State(lane: 1, date: "2024-01-03", before: [1])
        states[3] = State(outcome: .failed, lane: 1, date: "2024-01-04", before: [2])
        states[4] = State(lane: 2, date: "2024-01-05", before: [1])
        states[5] = State(date: "2024-01-06", before: [1, 3])
        states[6] = State(date: "2024-01-07", before: [5, 4])
        states[7] = State(version: nil, outcome: .deleted, change: .deleted, date: "2024-01-08")
        states[8] = State(version: 2, change: .renamed, date: "2024-01-09")
        expectPicture(
            Self.rows(Self.session(states, width: 60)).joined(separator: "\n"),
            """
               v1───────────────────────       v2
               ✓───✓───────────────✓───✓───-──[✓]
                   ├───✓───✗───────┘   │
                   └───────────✓───────┘
                           ^               ^   »
               └2024-01-01 └2024-01-04         └2024-01-09
               2024-01-09 c8  Ada: change 8
               ✓ v2  • there again since here  • version 2 since h…
            """)
    }

    @Test("a state on a side of a merge says so before anything that a narrow screen cuts")
    func namesSide() {
        var states = (0..<5).map { _ in State() }
        states[2].lane = 1
        var session = Self.session(states, width: 46)
        #expect(!Self.rows(session).contains { $0.contains("on a side") })
        session.type("[ [")
        #expect(Self.rows(session).contains { $0.hasPrefix("   2024-01-01 c2  on a side  Ada: ch") })
    }

    @Test(
        "the years, months or days that begin are below the first column in them",
        arguments: [
            (["2020-05-01", "2021-02-01", "2022-03-01"], ["2020-05-01", "2021", "2022", "2022-03-01"]),
            (["2021-01-03", "2021-02-01", "2021-03-01"], ["2021-01-03", "2021-02", "2021-03", "2021-03-01"]),
            (["2021-01-03", "2021-01-14", "2021-01-20"], ["2021-01-03", "2021-01-14", "2021-01-20"]),
        ])
    func dates(days: [String], labels: [String]) throws {
        // Twenty states of each day.
        let states = (0..<60).map { State(date: days[$0 / 20]) }
        let session = Self.session(states, width: 68)
        let line = try #require(session.inspector.layout.timelineLine)
        #expect(line.axis.labels.map(\.text) == labels)
        #expect(line.axis.labels[1].x == line.columns[20].x && line.axis.labels.last?.isRightAligned == true)
    }

    @Test("the file on the disk has no date, and the dates before it keep theirs")
    func now() throws {
        let days = ["2021-01-03", "2021-02-01", "2021-03-01"]
        var session = Self.session((0..<60).map { State(date: days[$0 / 20]) }, width: 68)
        session.type("Esc")
        session.send(.found([FoundDocument(id: 60, name: "s.json", history: "s.json")]))
        session.type("End")
        let history = (0..<60).reversed().map {
            StateInTime(document: .init($0), before: $0 == 0 ? [] : [.init($0 - 1)])
        }
        session.send(.foundHistory(60, history, problem: nil))
        let line = try #require(session.inspector.layout.timelineLine)
        #expect(line.axis.labels.map(\.text) == ["2021-01-03", "2021-02", "2021-03", "now"])
    }

    @Test("states ordered by a value have it below them, a date without its time")
    func orderValues() throws {
        let traces = ["2024-03-02T10:00:00Z", "2024-03-01T10:00:00Z", "2024-02-01T10:00:00Z"].map {
            MigrationTrace(source: $0, document: PoemFixtures.document(#"{"at": "\#($0)"}"#))
        }
        var session = Session(traces, order: OrderKey("$.at")) { _ in "x/" }
        session.type("O")
        let line = try #require(session.inspector.layout.timelineLine)
        #expect(line.axis.labels.map(\.text) == ["2024-02-01", "2024-03-01", "2024-03-02"])
        #expect(line.axis.labels.map(\.x) == line.columns.map(\.x))
        #expect(session.screen.contains("└2024-02-01 └2024-03-01 └2024-03-02"))
    }

    @Test("a number that is followed is drawn over time, from its least to its greatest value")
    func followedNumber() throws {
        var session = Self.session((0..<8).map { _ in State() }, width: 60)
        session.type("n f Esc")
        let line = try #require(session.inspector.layout.timelineLine)
        // The squares of 0 to 7.
        #expect(line.numbers == 0...49 && line.levels == [0, 0, 0, 1, 2, 4, 5, 7])
        #expect(session.screen.contains("▁▁▁▁▁▁▁▁▁▁▁▁▂▂▂▂▃▃▃▃▅▅▅▅▆▆▆▆█"))
        #expect(session.screen.contains("$.number: 49 of 0 to 49"))
        session.type("[ [")
        #expect(session.screen.contains("$.number: 25 of 0 to 49"))
        let ascii = session.inspector.canvas(width: 60, height: 30, glyphs: .ascii).text
        #expect(ascii.contains("____________....,,,,~~~~====#"))
    }

    @Test("a followed value that is no number has a mark in each state in which it changed")
    func followedText() throws {
        var session = Session(
            ["a", "b", "b", "c"].map {
                MigrationTrace(source: $0, document: PoemFixtures.document(#"{"name": "\#($0)"}"#))
            }
        ) { _ in "x/" }
        session.type("O ] n f Esc")
        let line = try #require(session.inspector.layout.timelineLine)
        #expect(line.rows.contains(.followed) && line.numbers == nil && line.changes == [1, 3])
        let gap = String(repeating: " ", count: 2 * line.pitch - 1)
        let glyph = Glyphs.unicode.bullet
        #expect(session.screen.contains(glyph + gap + glyph))
    }

    @Test("many results are taken a part at a time, and all of them in the end")
    func many() {
        let count = 5000
        var session = Session(
            (0..<count).map { MigrationTrace(source: "\($0)", document: PoemFixtures.document("{}")) }
        ) { _ in "x/" }
        session.type("O")
        #expect(session.inspector.timeline?.facts.isWaiting == true && session.inspector.wantsTicks)
        for _ in 0..<3 { session.send(.tick) }
        #expect(session.inspector.timeline?.facts.isWaiting == false)
        let columns = session.inspector.layout.timelineLine?.columns ?? []
        #expect(columns.count > 100 && columns.allSatisfy { $0.signs[0] != .unchecked })
    }

    @Test("a result that arrives late changes the turns of the states after it, also across a deletion")
    func lateResults() {
        var session = Self.session([
            State(), State(version: nil, outcome: .deleted, change: .deleted), State(), State(outcome: .failed),
        ])
        let turns = { (session: Session) in session.inspector.layout.timelineLine?.columns.map(\.isTurn) }
        #expect(turns(session) == [false, true, true, true])
        session.send(.checked([CheckedDocument(0, result: Self.result(State(outcome: .failed)))]))
        #expect(turns(session) == [true, true, true, true])
        session.send(.checked([CheckedDocument(3, result: Self.result(State()))]))
        #expect(turns(session) == [true, true, true, false])
        session.send(.checked([CheckedDocument(0, result: Self.result(State(version: 2)))]))
        #expect(session.inspector.layout.timelineLine?.bands.map(\.name) == ["v2", "v1"])
    }

    @Test(
        "a small window keeps the rows that matter most",
        arguments: [(10, 4), (14, 4), (20, 5), (24, 7), (40, 8)])
    func heights(height: Int, rows: Int) throws {
        var states = (0..<300).map { State(lane: $0 % 50 == 3 ? 1 : 0) }
        states[100].outcome = .failed
        let session = Self.session(states, width: 80, height: height)
        let line = try #require(session.inspector.layout.timelineLine)
        #expect(line.rows.count == rows)
        #expect(line.rows.contains(.states) && line.rows.contains(.name) && line.rows.contains(.outcome))
        #expect(session.inspector.layout[.step].content.height >= 1)
    }
}
