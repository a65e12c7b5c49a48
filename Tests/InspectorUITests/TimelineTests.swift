import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The timeline of a document's states")
struct TimelineTests {
    /// A state of a small document, with the given version as the newest one.
    private static func state(_ name: String, _ json: String, version: Int, failing: Bool = false) -> MigrationTrace {
        let document = PoemFixtures.document(json)
        let failure = MigrationFailure(
            kind: .dataCorrupted, path: DocumentPath("$.rating"), message: "no such rating")
        return MigrationTrace(
            source: name, format: .json, chain: "Poem", versions: PoemFixtures.versions, target: .number(version),
            detection: VersionDetection(version: .number(version), path: DocumentPath("$.version"), attempts: []),
            opening: failing ? .failed(failure) : .opened, document: document)
    }

    private static let states = [
        state("a.json", #"{"version": 1, "rating": 3, "number": 2, "title": "one"}"#, version: 1),
        state("b.json", #"{"version": 1, "rating": 4, "number": 1, "title": "one"}"#, version: 1),
        state("c.json", #"{"version": 2, "rating": 4, "number": 4, "title": "two"}"#, version: 2),
        state("d.json", #"{"version": 2, "rating": 9, "number": 3}"#, version: 2, failing: true),
    ]

    private static func session(width: Int = 120, order: DocumentPath? = nil) -> Session {
        Session(states, width: width, order: order) { _ in "backups/" }
    }

    @Test("each state is shown with its changes since the previous one, from whichever side it is reached")
    func neighbors() {
        var session = Self.session()
        session.type("O")
        #expect(session.screen.contains("Timeline of backups/") && session.screen.contains("1 of 4"))
        #expect(session.screen.contains("The first state"))
        session.type("]")
        #expect(session.screen.contains("Changed from a.json") && session.screen.contains("~   rating   3 → 4"))
        session.type("] ]")
        #expect(session.screen.contains("Changed from c.json") && session.screen.contains("-   title"))
        session.type("[")
        #expect(session.screen.contains("Changed from b.json") && session.screen.contains("\"one\" → \"two\""))
        // Left and right move between states here, and not between steps of the chain.
        session.type("Left Right l")
        #expect(session.screen.contains("4 of 4"))
        session.type("]")
        #expect(session.screen.contains("this is the last state"))
        session.type("Esc")
        #expect(session.inspector.timeline == nil && session.inspector.focus == .documents)
        #expect(session.inspector.documents.selectedDocument == 3 && session.inspector.shown?.compared == nil)
    }

    @Test("the first state is called the first one found if renames before it were not looked for")
    func unsearchedRenames() throws {
        var revision = DocumentRevision(
            commit: "abc1234", shortCommit: "abc1234", author: "Ada", date: "2024-01-31", subject: "moved",
            path: "a.json")
        for (unsearched, title) in [(nil, "The first state "), (.contentsMissing, "The first state found")]
            as [(UnsearchedRenames?, String)]
        {
            revision.unsearchedRenames = unsearched
            var session = Session(Self.states, revision: revision)
            #expect(
                session.screen.contains("renames were not looked for in commit abc1234") == (unsearched != nil))
            session.inspector.histories[0] = .known([StateInTime(document: 0, before: [])])
            session.type("O")
            #expect(session.screen.contains(title))
            #expect(session.screen.contains("may have had another name before") == (unsearched != nil))
        }
    }

    @Test("changes of version and outcome are marked and one key away, and each version is above its first state")
    func turns() throws {
        var session = Self.session()
        session.type("O }")
        #expect(session.inspector.documents.selectedDocument == 2)
        #expect(session.screen.contains("version 2 since here"))
        session.type("}")
        #expect(session.screen.contains("fails since here") && session.screen.contains("no such rating"))
        session.type("}")
        #expect(session.screen.contains("the version and the outcome do not change after this state"))
        session.type("{")
        #expect(session.inspector.documents.selectedDocument == 2)
        let line = try #require(session.inspector.layout.timelineLine)
        #expect(line.labels.map(\.text) == ["v1", "v2"] && line.labels.map(\.x) == [0, 2 * line.pitch])
        #expect(
            line.cells.map(\.sign.text) == ["✓", "✓", "✓", "✗"]
                && line.cells.map(\.isHere) == [false, false, true, false])
    }

    @Test("a state on a side of a merge has its own row, and the versions are those of the line to the newest state")
    func sides() {
        let session = Session(Self.states)
        let timeline = Timeline(title: "a", states: [0, 1, 2, 3], sides: [2])
        let line = TimelineLine(
            timeline, here: 3, documents: session.inspector.documents, width: 40, glyphs: session.inspector.glyphs)
        #expect(line.cells.map(\.isOnSide) == [false, false, true, false])
        // Version 2 begins on the side, but is named at the first state on the line.
        #expect(line.labels.map(\.text) == ["v1", "v2"] && line.labels.map(\.x) == [0, 3 * line.pitch])
    }

    @Test("a value is followed through the states, and each of its changes leads to its state")
    func following() {
        var session = Self.session()
        session.type("O ] f")
        #expect(session.screen.contains("$.rating in 4 states"))
        #expect(session.screen.contains("a.json  3") && session.screen.contains("b.json  3 → 4"))
        #expect(session.screen.contains("d.json  4 → 9"))
        // The cursor is on the value that holds in the current state.
        #expect(session.inspector.menu?.position.selected == 1)
        session.type("3")
        #expect(session.inspector.documents.selectedDocument == 3)
        #expect(session.inspector.shown?.step.selectedRow?.node?.path == DocumentPath("$.rating"))
        // A missing value is shown as "none".
        session.type("[ [ [ v g j j j j f")
        #expect(session.screen.contains("$.title in 4 states") && session.screen.contains("\"two\" → none"))
    }

    @Test("a state on a branch is compared with the states it came from, wherever those are")
    func branches() throws {
        // State a comes first, then b on one branch and d on the other, and c merges them.
        var session = Session(Self.states)
        session.send(
            .foundHistory(
                0,
                [
                    StateInTime(document: 2, before: [3, 1]), StateInTime(document: 3, before: [0]),
                    StateInTime(document: 1, before: [0]), StateInTime(document: 0, before: []),
                ], problem: nil))
        session.type("] ]")
        #expect(session.inspector.documents.selectedDocument == 3)
        // Not compared with b, which is listed before it.
        #expect(session.screen.contains("Changed from a.json") && session.screen.contains("~   rating   3 → 9"))
        #expect(session.screen.contains("fails since here"))
        session.type("]")
        // The state before it on its own line fails.
        #expect(session.screen.contains("Changed from d.json") && session.screen.contains("opens since here"))
        session.type("[ [ f")
        // The merge took its rating from one of the two.
        #expect(session.screen.contains("b.json  3 → 4") && session.screen.contains("d.json  3 → 9"))
        #expect(!session.screen.contains("c.json  "))
    }

    @Test("an unreadable state is skipped, and its successor is compared with the state before it")
    func unread() throws {
        let documents = [#"{"a": 1}"#, nil, #"{"a": 1}"#, #"{"a": 2}"#].map { $0.map(PoemFixtures.document) }
        let states = (0..<4).map { StateInTime(document: .init($0), before: $0 == 0 ? [] : [.init($0 - 1)]) }
        let path = try #require(DocumentPath("$.a"))
        let followed = try #require(FollowedValue(path, in: states) { documents[$0.number] })
        #expect(followed.unreadCount == 1 && followed.states == [0, 1, 2, 3])
        #expect(followed.changes.map(\.state) == [0, 3])
        #expect(followed.changes.map(\.old) == [nil, "1"] && followed.changes.map(\.new) == ["1", "2"])
        #expect(FollowedValue(path, in: states, isCancelled: { true }, read: { _ in nil }) == nil)
    }

    @Test("states can be ordered by a value, given in advance or chosen on the screen")
    func ordering() throws {
        var session = Self.session(order: DocumentPath("$.number"))
        session.type("O")
        #expect(session.inspector.timeline?.states == [1, 0, 3, 2])
        #expect(session.screen.contains("2 of 4") && session.screen.contains("Changed from b.json"))
        session.type("v g j j O")
        #expect(session.inspector.timeline?.states == [0, 1, 2, 3] && session.screen.contains("ordered by $.rating"))
        // A value that no state has can't order them.
        session.send(.ordered([0, 1, 2, 3], by: try #require(DocumentPath("$.x")), isKnown: false))
        #expect(session.screen.contains("no state has a value at $.x"))
        #expect(session.screen.contains("Timeline of backups/  by $.rating"))
        // An order requested for another timeline is ignored.
        session.send(.ordered([3, 2], by: try #require(DocumentPath("$.x")), isKnown: true))
        #expect(session.inspector.timeline?.states == [0, 1, 2, 3])
    }

    @Test("two states that are not neighbors are compared with a mark, and Escape returns to the neighbor")
    func marked() {
        var session = Self.session()
        session.type("O m ] ] =")
        #expect(session.screen.contains("Compared with backups/a.json"))
        #expect(session.screen.contains("~   version  1 → 2"))
        session.type("Esc")
        #expect(session.screen.contains("Changed from b.json") && session.inspector.timeline != nil)
        session.type("e")
        #expect(session.inspector.timelinePosition == 3)
        session.type("E")
        #expect(session.screen.contains("no state before this has a problem"))
        session.type("[")
        session.type("= =")
        #expect(session.screen.contains("Changed from b.json"))
        session = Session([Self.states[0], Self.states[0]]) { _ in "backups/" }
        session.type("O ]")
        #expect(session.screen.contains("Nothing differs."))
    }

    @Test("a neighbor that arrives late is compared then, and one that can't be read is reported")
    func reading() {
        var session = Self.session()
        session.holdsStates = true
        session.type("g j O")
        #expect(session.inspector.shown?.compared == nil)
        #expect(session.effects.contains { if case .read(0) = $0 { true } else { false } })
        session.type("]")
        // This is not the state before the current one.
        session.send(.read(0, Self.states[0].document))
        #expect(session.screen.contains("Changed from b.json"))
        session.type("[")
        #expect(session.screen.contains("Changed from a.json"))
        session.type("Esc g j j O")
        session.send(.read(1, nil))
        #expect(session.screen.contains("there are not two states to compare"))
    }

    @Test("selecting a document elsewhere ends the timeline, and a single document has none")
    func ending() {
        var session = Session(Self.states) { $0 < 3 ? "a/" : "b/" }
        session.type("O")
        #expect(session.inspector.timeline?.states == [0, 1, 2])
        // The next problem is one in the timeline.
        session.type("e")
        #expect(session.inspector.timelinePosition == 0)
        #expect(session.screen.contains("no state after this has a problem"))
        session.send(.foundAgain([], order: [0, 1, 2, 3], gone: 0, isAsked: true))
        #expect(session.inspector.timelinePosition == 0)
        session.type("Esc G")
        session.type("O")
        #expect(session.screen.contains("there is no other document in its folder"))
    }

    @Test("a thousand states are shown as a window around the current one in any width", arguments: [30, 80, 200])
    func thousand(width: Int) throws {
        let timeline = Timeline(title: "", states: (0..<1000).map { .init($0) })
        var documents = DocumentList()
        documents.append(timeline.states.map { FoundDocument(id: $0, name: "\($0.number)") })
        for here in [0, 1, 500, 998, 999] {
            let line = TimelineLine(timeline, here: here, documents: documents, width: width, glyphs: .unicode)
            #expect(line.cells.count == width && line.cells.allSatisfy { $0.x < width })
            let cell = try #require(line.cells.first { $0.isHere })
            #expect(cell.position == here && line.position(at: cell.x) == here)
            #expect(line.goesOn.left == (line.cells[0].position > 0))
            #expect(line.goesOn.right == (line.cells[width - 1].position < 999))
        }
        let few = Timeline(title: "", states: [0, 1, 2])
        let line = TimelineLine(few, here: 0, documents: documents, width: width, glyphs: .unicode)
        #expect(line.cells.map(\.x) == [0, 4, 8] && line.position(at: 5) == 1 && line.position(at: 20) == nil)
    }

    @Test("late results for another state or timeline are ignored")
    func late() throws {
        var session = Self.session()
        let path = try #require(DocumentPath("$.rating"))
        let other = try #require(
            FollowedValue(path, in: [StateInTime(document: 0, before: [])]) { _ in Self.states[0].document })
        session.type("O")
        session.send(.followed(other))
        #expect(session.inspector.menu == nil)
        session.type("Esc")
        #expect(session.effects.contains { if case .stopReading = $0 { true } else { false } })
        // A history that arrives after another document was selected opens nothing.
        session.type("1 g j")
        let history = [StateInTime(document: 3, before: [])]
        session.send(.foundHistory(0, history, problem: nil))
        #expect(session.inspector.timeline == nil && session.inspector.documents.selectedDocument == 1)
        #expect(session.screen.contains("the history of a.json is found; H shows it there"))
        session.type("k H")
        #expect(session.screen.contains("2 of 2"))
        // A document read for another purpose doesn't affect a comparison with a mark.
        session = Self.session()
        session.type("O m ] ] =")
        session.send(.read(1, Self.states[1].document))
        #expect(session.screen.contains("Compared with backups/a.json"))
    }

    @Test("a state that changes on disk is read again, and changes in memory are not a state")
    func changing() {
        var session = Self.session()
        session.type("O ]")
        let count = { (session: Session) in session.effects.count { if case .read = $0 { true } else { false } } }
        session.holdsStates = true
        session.send(.checked([CheckedDocument(0, result: CheckResult(Self.states[0]))]))
        #expect(count(session) == 1 && session.inspector.shown?.compared == nil)
        session.send(.read(0, Self.states[2].document))
        #expect(session.screen.contains("Changed from a.json") && session.screen.contains("~   rating") == false)
        // Without changes in memory, the previous state is already known.
        session.type("]")
        #expect(count(session) == 1)
        session.inspector.whatIfs[2] = WhatIf([.remove(.root)], original: nil)
        session.type("[ ]")
        session.send(.traced(2, Self.states[2]))
        #expect(session.screen.contains("what if"))
        session.type("]")
        #expect(session.screen.contains("Changed from c.json"))
    }

    @Test("a state that comes from a distant one reads that one only once")
    func farAway() {
        var session = Session(Array(repeating: Self.states[0], count: 12))
        session.holdsStates = true
        let states = (0..<11).reversed().map { StateInTime(document: .init($0), before: $0 > 0 ? [0] : []) }
        session.type("G")
        session.send(.foundHistory(11, states, problem: nil))
        session.type("[")
        session.send(.read(0, Self.states[0].document))
        for _ in 0..<5 { session.type("[") }
        #expect(session.effects.count { if case .read = $0 { true } else { false } } == 2)
        #expect(session.screen.contains("Changed from a.json"))
    }

    @Test("a search for a turn reports whether all states have been checked")
    func unchecked() {
        var session = Session(Self.states, checked: false) { _ in "backups/" }
        session.type("O }")
        #expect(session.screen.contains("not all states after this one are checked yet"))
        session.type("[ ] ] ] ]")
        #expect(session.inspector.timelinePosition == 3)
        session.type("}")
        #expect(session.inspector.timeline != nil && session.screen.contains("do not change after this state"))
    }

    @Test("the cursor selects a value of this state, not the former position of a moved one")
    func moved() throws {
        let (old, new) = (
            #"{"l": ["a long text", "bbbbb", "ccccc"]}"#, #"{"l": ["bbbbb", "ccccc"], "m": "a long text"}"#
        )
        var session = Session([Self.state("a", old, version: 1), Self.state("b", new, version: 1)]) { _ in "x/" }
        session.type("O ]")
        let row = try #require(session.inspector.shown?.step.rows.firstIndex { $0.sign == .moved })
        for _ in 0..<20 { session.type("k") }
        for _ in 0..<row { session.type("j") }
        #expect(session.inspector.shown?.selectedValue == nil)
    }

    @Test("a click on a state selects it")
    func click() throws {
        var session = Self.session()
        session.type("O")
        let line = try #require(session.inspector.layout.timelineLine)
        let chain = session.inspector.layout.chain
        session.click(chain.x + Layout.chainMargin + line.cells[2].x, chain.y + 1)
        #expect(session.inspector.documents.selectedDocument == 2)
    }
}
