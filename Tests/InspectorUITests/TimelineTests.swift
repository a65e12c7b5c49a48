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

    private static func session(width: Int = 120, order: OrderKey? = nil) -> Session {
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

    @Test("a history that is opened as such is a timeline on its newest state, unless the user is elsewhere already")
    func openedAsTimeline() {
        func states(_ inspector: inout Inspector, then event: InspectorEvent?) -> [InspectorEffect] {
            let revisions = (0..<3).map { number in
                DocumentRevision(
                    commit: "c\(number)", shortCommit: "c\(number)", author: "Ada", date: "2024-01-31", subject: "s",
                    path: "a.json")
            }
            _ = inspector.handle(
                .found(
                    revisions.enumerated().map {
                        FoundDocument(id: .init($0), name: "\($1.commit):a.json", revision: $1, history: "a.json")
                    }))
            if let event { _ = inspector.handle(event) }
            return inspector.handle(.finishedFinding(leftOut: []))
        }
        func searched(_ effects: [InspectorEffect]) -> [FoundDocument.ID] {
            effects.compactMap { if case .findHistory(let document) = $0 { document } else { nil } }
        }
        var inspector = Inspector(title: "a.json", opensTimeline: true)
        #expect(searched(states(&inspector, then: nil)) == [.init(0)])
        let line = (0..<3).map { StateInTime(document: .init($0), before: $0 < 2 ? [.init($0 + 1)] : []) }
        _ = inspector.handle(.foundHistory(.init(0), line, problem: nil))
        #expect(inspector.timeline?.states == [.init(2), .init(1), .init(0)])
        #expect(inspector.documents.selectedDocument == .init(0))
        inspector = Inspector(title: "a.json", opensTimeline: true)
        #expect(searched(states(&inspector, then: .input(.key(.down)))).isEmpty)
        inspector = Inspector(title: "a.json")
        #expect(searched(states(&inspector, then: nil)).isEmpty)
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
        #expect(line.bands.map(\.name) == ["v1", "v2"] && line.bands.map(\.x) == [0, 2 * line.pitch])
        #expect(
            line.columns.map { $0.signs[0] } == [.opens, .opens, .opens, .failed]
                && line.columns.map(\.isHere) == [false, false, true, false]
                && line.columns.map(\.isTurn) == [false, false, true, true])
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

    @Test("an element is followed by its identity when others are inserted before it, and the rows say so")
    func followingAnElement() {
        func pins(_ pins: String...) -> MigrationTrace {
            Self.state("s", #"{"pins": [\#(pins.joined(separator: ", "))]}"#, version: 1)
        }
        func pin(_ identity: String, _ version: String) -> String {
            #"{"identity": "\#(identity)", "state": {"version": "\#(version)"}}"#
        }
        var session = Session([
            pins(pin("rose", "1.0")), pins(pin("rose", "1.1")), pins(pin("moss", "7.0"), pin("rose", "1.1")),
            pins(pin("moss", "8.0"), pin("rose", "2.0")),
        ]) { _ in "x/" }
        session.type("O ] f")
        #expect(session.screen.contains("$.pins[0].state.version in 4 states"))
        #expect(session.screen.contains("\"1.0\" → \"1.1\"  by identity"))
        #expect(session.screen.contains("\"1.1\" → \"2.0\"  by identity"))
        #expect(!session.screen.contains("8.0"))
        session.type("3")
        #expect(session.inspector.documents.selectedDocument == 3)
        #expect(session.inspector.shown?.step.selectedRow?.node?.path == DocumentPath("$.pins[1].state.version"))
        session.type("B")
        #expect(session.screen.contains("Who last changed the values of s"))
        #expect(session.screen.contains("$.pins[identity=rose].state.version  \"2.0\""))
        #expect(session.inspector.menu?.rowCount == 4)
    }

    @Test("the states are compared in the newest version on request, and as they are again")
    func migrated() throws {
        func state(_ old: String, _ new: String) -> MigrationTrace {
            let (before, after) = (PoemFixtures.document(old), PoemFixtures.document(new))
            var trace = Self.state("s", old, version: 1)
            trace.steps = [
                MigrationStep(
                    from: .number(1), to: .number(2), fromType: "A", toType: "B", seconds: 0, before: before,
                    ending: .made(after))
            ]
            return trace
        }
        var session = Session([
            state(#"{"stars": 4}"#, #"{"rating": "love"}"#), state(#"{"stars": 5}"#, #"{"rating": "love"}"#),
            state(#"{"stars": 1}"#, #"{"rating": "hate"}"#),
        ]) { _ in "x/" }
        session.type("O ]")
        #expect(session.screen.contains("stars  4 → 5"))
        session.type("V")
        #expect(session.screen.contains("Nothing differs from the state before"))
        session.type("]")
        #expect(session.screen.contains("rating  \"love\" → \"hate\""))
        session.type("V")
        #expect(session.screen.contains("stars  5 → 1"))
        #expect(!session.screen.contains("as migrated  "))
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
        let request = FollowRequest(path: path, state: 3, states: states, versions: [nil, nil, nil, nil])
        let followed = try #require(FollowedValue(request) { documents[$0.number] })
        let history = try #require(followed.history)
        #expect(history.unread == [1] && followed.states == [0, 1, 2, 3])
        #expect(history.changes.map(\.state) == [0, 3] && history.changes.map(\.isAfterUnread) == [false, false])
        #expect(history.changes.map { $0.event.old?.root.numberText } == [nil, "1"])
        #expect(history.changes.map { $0.event.new?.root.numberText } == ["1", "2"])
        #expect(FollowedValue(request, isCancelled: { true }, read: { documents[$0.number] }) == nil)
    }

    @Test("states can be ordered by a value, given in advance or chosen on the screen")
    func ordering() throws {
        var session = Self.session(order: OrderKey("$.number"))
        session.type("O")
        #expect(session.inspector.timeline?.states == [1, 0, 3, 2])
        #expect(session.screen.contains("2 of 4") && session.screen.contains("Changed from b.json"))
        session.type("v g j j O")
        #expect(session.inspector.timeline?.states == [0, 1, 2, 3] && session.screen.contains("ordered by $.rating"))
        // A value that no state has can't order them.
        session.send(.ordered([0, 1, 2, 3], by: try #require(OrderKey("$.x")), values: [:]))
        #expect(session.screen.contains("no state has a value at $.x"))
        #expect(session.screen.contains("Timeline of backups/  by $.rating"))
        // An order requested for another timeline is ignored.
        session.send(.ordered([3, 2], by: try #require(OrderKey("$.x")), values: [3: "1", 2: "2"]))
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
        #expect(session.screen.contains("Nothing differs from the state before"))
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

    @Test("late results for another state or timeline are ignored")
    func late() throws {
        var session = Self.session()
        let path = try #require(DocumentPath("$.rating"))
        let other = try #require(
            FollowedValue(
                FollowRequest(
                    path: path, state: 0, states: [StateInTime(document: 0, before: [])], versions: [nil])
            ) { _ in Self.states[0].document })
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
        var session = Session([Self.states[0]] + Array(repeating: Self.states[1], count: 11))
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
        session.click(chain.x + Layout.chainMargin + line.columns[2].x, chain.y + 1)
        #expect(session.inspector.documents.selectedDocument == 2)
    }

    @Test("O on a row shows that one row through the backups of a folder, and not the rows of one backup")
    func rowsOfBackups() {
        let names = [
            ("2021", "BOOK/1/META"), ("2021", "BOOK/2/META"), ("2022", "BOOK/1/META"), ("2023", "BOOK/2/META"),
        ]
        let traces = names.enumerated().map { Self.state("\($1)", #"{"version": 1, "rating": \#($0)}"#, version: 1) }
        var session = Session(traces, rows: names.map { ("backups/\($0).sqlite", $1) })
        session.type("O")
        #expect(session.inspector.timeline?.states == [0, 2])
        #expect(session.screen.contains("Timeline of BOOK/1/META") && session.screen.contains("backups/2021.sqlite"))
        session.type("]")
        #expect(session.screen.contains("Changed from backups/2021.sqlite"))
    }

    @Test("a state like those before it shows what changed last, and when")
    func unchanged() {
        let same = #"{"version": 1, "rating": 4, "number": 1, "title": "one"}"#
        var session = Session([
            Self.states[0], Self.state("b.json", same, version: 1), Self.state("c.json", same, version: 1),
            Self.state("d.json", same, version: 1),
        ]) { _ in "backups/" }
        session.type("G O")
        #expect(session.screen.contains("Last changed in b.json from a.json; the same since then"))
        #expect(session.screen.contains("~   rating   3 → 4") && !session.screen.contains("Nothing differs"))
        // The value under the cursor is one of this state.
        session.type("f")
        #expect(session.screen.contains("$.rating in 4 states"))
        session.type("Esc [ [")
        #expect(session.screen.contains("Changed from a.json"))
        // Where nothing ever changed, the document itself is shown.
        session = Session(Array(repeating: Self.states[0], count: 40)) { _ in "backups/" }
        session.type("O ] ]")
        #expect(session.screen.contains("Nothing differs from the 2 states before"))
        session.type("G")
        #expect(session.screen.contains("Nothing differs from the 32 states before"))
        #expect(session.inspector.shown?.step.rowCount ?? 0 > 0)
    }

    @Test("while earlier states are read, the screen does not say that nothing differs")
    func lookingForTheLastChange() {
        let same = Self.state("b.json", #"{"version": 1, "rating": 3, "number": 2, "title": "one"}"#, version: 1)
        var session = Session([Self.states[1], same, same]) { _ in "backups/" }
        session.holdsStates = true
        session.type("G O")
        session.send(.read(1, same.document))
        #expect(session.screen.contains("Looking for the last change") && !session.screen.contains("Nothing differs"))
        session.send(.read(0, Self.states[1].document))
        #expect(session.screen.contains("Last changed in b.json from b.json"))
    }

    @Test("where f cannot follow a value, it says which key helps")
    func notFollowed() {
        var session = Self.session()
        session.type("O 3 f")
        #expect(session.screen.contains("f follows a value of the changes; 2 goes there"))
        session.type("2 f")
        #expect(session.screen.contains("v shows all values of this state"))
        session.type("v f")
        #expect(session.inspector.menu != nil)
        let malformed = PoemFixtures.malformed
        session = Session([malformed, malformed]) { _ in "x/" }
        session.type("O f")
        #expect(session.screen.contains("this state has no values that can be read; [ and ] go to others"))
        session = Self.session()
        session.holdsTraces = true
        session.type("G O f")
        #expect(session.inspector.menu == nil)
    }

    @Test("g, G, Home and End go to the oldest and the newest state, and then to the first and the last row")
    func ends() {
        var session = Self.session()
        session.type("O End")
        #expect(session.inspector.timelinePosition == 3)
        session.type("Home")
        #expect(session.inspector.timelinePosition == 0)
        session.type("G G")
        #expect(session.inspector.timelinePosition == 3)
        #expect(session.inspector.shown?.step.position.selected == session.inspector.shown.map { $0.step.rowCount - 1 })
        session.type("g j g")
        #expect(session.inspector.timelinePosition == 0 && session.inspector.shown?.step.position.selected == 0)
    }

    @Test("p plays the states from the first to the last, waits for each, and can be paused")
    func playing() {
        var session = Self.session()
        session.type("O End p")
        #expect(session.inspector.timelinePosition == 0 && session.inspector.wantsTicks)
        #expect(session.screen.contains("playing 1 of 4 · pace 3 of 5"))
        func tick(_ count: Int) { for _ in 0..<count { session.send(.tick) } }
        for _ in 0..<100 where session.inspector.timelinePosition == 0 { tick(1) }
        #expect(session.inspector.timelinePosition == 1 && session.screen.contains("Changed from a.json"))
        session.type("Space")
        tick(200)
        #expect(session.inspector.timelinePosition == 1 && session.screen.contains("waiting 2 of 4"))
        session.type("Right + Left Space")
        #expect(session.inspector.timelinePosition == 1 && session.screen.contains("pace 4 of 5"))
        // A state that is not on the screen yet is not passed over.
        session.holdsTraces = true
        tick(100)
        #expect(session.inspector.timelinePosition == 2)
        session.holdsTraces = false
        session.send(.traced(2, Self.states[2]))
        for _ in 0..<100 where session.inspector.playing != nil { tick(1) }
        #expect(session.inspector.timelinePosition == 3 && session.inspector.playing == nil)
        #expect(session.screen.contains("that was the newest state; p plays from the first one"))
        session.type("p Esc")
        #expect(session.inspector.playing == nil && session.inspector.timeline != nil)
        let alone = Session([Self.states[0]]) { _ in "x/" }
        var only = alone
        only.send(.foundHistory(0, [StateInTime(document: 0, before: [])], problem: nil))
        only.type("p")
        #expect(only.screen.contains("there is only one state"))
    }

    @Test("the help of a timeline begins with its keys, and lists no key twice")
    func help() throws {
        var session = Self.session()
        session.type("O ?")
        let first = try #require(session.inspector.page?.lines.first)
        guard case .heading("Keys in timelines") = first else {
            Issue.record("the help begins with \(first)")
            return
        }
        let headings = session.inspector.page?.lines.filter {
            if case .heading("Keys in timelines") = $0 { true } else { false }
        }
        #expect(headings?.count == 1)
        session.type("Esc Esc ?")
        guard case .heading("Start here")? = session.inspector.page?.lines.first else {
            Issue.record("the help does not begin at the start")
            return
        }
    }
}
