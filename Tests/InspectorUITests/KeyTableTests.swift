import Testing

@testable import InspectorUI

/// The contexts with different keys, and the key sequences that lead there.
enum KeyContext {
    static let ways = [
        ("documents", "1"), ("rows", "2"), ("value", "2 v"), ("source", "3"), ("page", "?"), ("chain", "t"),
        ("playing", "p"), ("menu", "y"), ("name filter", "1 /"), ("search text", "2 /"), ("entry", "w t"),
        ("path", "F"),
    ]

    /// The commands of each key, in the order in which they are tried.
    static func commands(after way: String) -> [InspectorKey: [KeyCommand]] {
        var session = Session()
        session.type("j \(way)")
        var commands: [InspectorKey: [KeyCommand]] = [:]
        for binding in session.inspector.keys.flatMap(\.bindings) {
            for key in binding.keys { commands[key, default: []].append(binding.command) }
        }
        return commands
    }
}

/// Keys keep their meaning, because people know them by heart.
@Suite("The meaning of every key")
struct KeyTableTests {
    @Test("every key has its commands in each context, in the order in which they are tried")
    func meanings() {
        var lines: [String] = []
        for (name, way) in KeyContext.ways {
            var meanings: [String: [String]] = [:]
            for (key, commands) in KeyContext.commands(after: way) {
                meanings[key.name()] = commands.map(\.description)
            }
            lines += meanings.sorted { $0.key < $1.key }.map {
                "\(name): \($0.key) \($0.value.joined(separator: ", "))"
            }
        }
        #expect(lines.joined(separator: "\n") == Self.expected)
    }

    private static let expected = """
        documents: , previousTourStop
        documents: . nextTourStop
        documents: / filterByName
        documents: 1 showDocuments
        documents: 2 showStep
        documents: 3 showSource
        documents: = compare
        documents: ? help
        documents: C offerPassing, pickChain, change
        documents: Ctrl-B pageUp
        documents: Ctrl-C quit
        documents: Ctrl-D halfPageDown
        documents: Ctrl-F pageDown
        documents: Ctrl-L redraw
        documents: Ctrl-O edit
        documents: Ctrl-R redoChange
        documents: Ctrl-U halfPageUp
        documents: Ctrl-Z suspend
        documents: D filterByCause
        documents: E previousProblem
        documents: End last
        documents: Enter showStep, zoom
        documents: Esc back
        documents: F openOther
        documents: F1 help
        documents: F5 reload
        documents: G last
        documents: H history
        documents: Home first
        documents: M toggleMouse
        documents: O folderTimeline
        documents: PgDn pageDown
        documents: PgUp pageUp
        documents: R restart
        documents: S shrink
        documents: Shift-Tab previousPanel
        documents: Space pageDown
        documents: T tour, leaveTour
        documents: Tab nextPanel
        documents: Z zoom, unzoom
        documents: [ previousStep
        documents: ] nextStep
        documents: a repair
        documents: b pageUp
        documents: d changeStyle
        documents: e nextProblem
        documents: f filterByOutcome
        documents: g first
        documents: h previousStep
        documents: j down
        documents: k up
        documents: l nextStep
        documents: m mark
        documents: o edit
        documents: p play
        documents: q quit
        documents: r reload
        documents: s showSource
        documents: t chainTable
        documents: u undoChange
        documents: v toggleValue
        documents: w write
        documents: x stop
        documents: y copy
        documents: } nextCause
        documents: ← previousStep
        documents: ↑ up
        documents: → nextStep
        documents: ↓ down
        rows: , previousTourStop
        rows: . nextTourStop
        rows: / search
        rows: 1 showDocuments
        rows: 2 showStep
        rows: 3 showSource
        rows: < scrollLeft
        rows: = compare
        rows: > scrollRight
        rows: ? help
        rows: B blame
        rows: C offerPassing, pickChain, change
        rows: Ctrl-B pageUp
        rows: Ctrl-C quit
        rows: Ctrl-D halfPageDown
        rows: Ctrl-F pageDown
        rows: Ctrl-L redraw
        rows: Ctrl-O edit
        rows: Ctrl-R redoChange
        rows: Ctrl-U halfPageUp
        rows: Ctrl-Z suspend
        rows: E previousProblem
        rows: End newestState, last
        rows: Enter toggleFold, read, openPart, zoom
        rows: Esc leaveTimeline, back
        rows: F openOther
        rows: F1 help
        rows: F5 reload
        rows: G newestState, last
        rows: H history
        rows: Home oldestState, first
        rows: M toggleMouse
        rows: N previousMatch, previousChange
        rows: O orderByValue, folderTimeline
        rows: PgDn pageDown
        rows: PgUp pageUp
        rows: R restart
        rows: S shrink
        rows: Shift-Tab previousPanel
        rows: Space toggleFold
        rows: T tour, leaveTour
        rows: Tab nextPanel
        rows: V seeMigrated
        rows: Z zoom, unzoom
        rows: [ previousState, previousStep
        rows: ] nextState, nextStep
        rows: a repair
        rows: d changeStyle
        rows: e nextProblem
        rows: f follow
        rows: g oldestState, first
        rows: h previousState, previousStep
        rows: j down
        rows: k up
        rows: l nextState, nextStep
        rows: m mark
        rows: n nextMatch, nextChange
        rows: o openAll, edit
        rows: p playTime, play
        rows: q quit
        rows: r reload
        rows: s showSource
        rows: t chainTable
        rows: u undoChange
        rows: v toggleValue
        rows: w write
        rows: x stop
        rows: y copy
        rows: z toggleFold
        rows: { previousTurn
        rows: } nextTurn, nextCause
        rows: ← previousState, previousStep
        rows: ↑ up
        rows: → nextState, nextStep
        rows: ↓ down
        value: , previousTourStop
        value: . nextTourStop
        value: / search
        value: 1 showDocuments
        value: 2 showStep
        value: 3 showSource
        value: < scrollLeft
        value: = compare
        value: > scrollRight
        value: ? help
        value: B blame
        value: C offerPassing, pickChain, change
        value: Ctrl-B pageUp
        value: Ctrl-C quit
        value: Ctrl-D halfPageDown
        value: Ctrl-F pageDown
        value: Ctrl-L redraw
        value: Ctrl-O edit
        value: Ctrl-R redoChange
        value: Ctrl-U halfPageUp
        value: Ctrl-Z suspend
        value: E previousProblem
        value: End last
        value: Enter toggleFold, read, zoom
        value: Esc leaveTimeline, back
        value: F openOther
        value: F1 help
        value: F5 reload
        value: G last
        value: H history
        value: Home first
        value: M toggleMouse
        value: N previousMatch
        value: O orderByValue, folderTimeline
        value: PgDn pageDown
        value: PgUp pageUp
        value: R restart
        value: S shrink
        value: Shift-Tab previousPanel
        value: Space toggleFold
        value: T tour, leaveTour
        value: Tab nextPanel
        value: V seeMigrated
        value: Z zoom, unzoom
        value: [ previousState, previousStep
        value: ] nextState, nextStep
        value: a repair
        value: c closeAll
        value: d changeStyle
        value: e nextProblem
        value: f follow
        value: g first
        value: h closeOrLeave
        value: j down
        value: k up
        value: l openOrEnter
        value: m mark
        value: n nextMatch
        value: o openAll, edit
        value: p playTime, play
        value: q quit
        value: r reload
        value: s showSource
        value: t chainTable
        value: u undoChange
        value: v toggleValue
        value: w write
        value: x stop
        value: y copy
        value: z toggleFold
        value: { previousTurn
        value: } nextTurn, nextCause
        value: ← closeOrLeave
        value: ↑ up
        value: → openOrEnter
        value: ↓ down
        source: , previousTourStop
        source: . nextTourStop
        source: / search
        source: 1 showDocuments
        source: 2 showStep
        source: 3 showSource
        source: < scrollLeft
        source: = compare
        source: > scrollRight
        source: ? help
        source: C offerPassing, pickChain, change
        source: Ctrl-B pageUp
        source: Ctrl-C quit
        source: Ctrl-D halfPageDown
        source: Ctrl-F pageDown
        source: Ctrl-L redraw
        source: Ctrl-O edit
        source: Ctrl-R redoChange
        source: Ctrl-U halfPageUp
        source: Ctrl-Z suspend
        source: E previousProblem
        source: End last
        source: Enter zoom
        source: Esc leaveTimeline, back
        source: F openOther
        source: F1 help
        source: F5 reload
        source: G last
        source: H history
        source: Home first
        source: M toggleMouse
        source: N previousMatch
        source: O folderTimeline
        source: PgDn pageDown
        source: PgUp pageUp
        source: R restart
        source: S shrink
        source: Shift-Tab previousPanel
        source: Space pageDown
        source: T tour, leaveTour
        source: Tab nextPanel
        source: Z zoom, unzoom
        source: [ previousState, previousStep
        source: ] nextState, nextStep
        source: a repair
        source: b pageUp
        source: d changeStyle
        source: e nextProblem
        source: f follow
        source: g first
        source: h scrollLeft
        source: j down
        source: k up
        source: l scrollRight
        source: m mark
        source: n nextMatch
        source: o edit
        source: p playTime, play
        source: q quit
        source: r reload
        source: s showSource
        source: t chainTable
        source: u undoChange
        source: v toggleValue
        source: w write
        source: x stop
        source: y copy
        source: { previousTurn
        source: } nextTurn, nextCause
        source: ← scrollLeft
        source: ↑ up
        source: → scrollRight
        source: ↓ down
        page: , previousTourStop
        page: . nextTourStop
        page: ? close
        page: Ctrl-B pageUp
        page: Ctrl-D halfPageDown
        page: Ctrl-F pageDown
        page: Ctrl-L redraw
        page: Ctrl-U halfPageUp
        page: Ctrl-Z suspend
        page: End last
        page: Enter close
        page: Esc close
        page: G last
        page: Home first
        page: M toggleMouse
        page: PgDn pageDown
        page: PgUp pageUp
        page: Space pageDown
        page: T tour, leaveTour
        page: g first
        page: j down
        page: k up
        page: q close
        page: ↑ up
        page: ↓ down
        chain: , previousTourStop
        chain: . nextTourStop
        chain: Ctrl-B pageUp
        chain: Ctrl-D halfPageDown
        chain: Ctrl-F pageDown
        chain: Ctrl-L redraw
        chain: Ctrl-U halfPageUp
        chain: Ctrl-Z suspend
        chain: End last
        chain: Esc close
        chain: G last
        chain: Home first
        chain: M toggleMouse
        chain: PgDn pageDown
        chain: PgUp pageUp
        chain: T tour, leaveTour
        chain: [ previousVersion
        chain: ] nextVersion
        chain: g first
        chain: h previousVersion
        chain: j down
        chain: k up
        chain: l nextVersion
        chain: q close
        chain: t close
        chain: ← previousVersion
        chain: ↑ up
        chain: → nextVersion
        chain: ↓ down
        playing: + faster
        playing: , previousTourStop
        playing: - slower
        playing: . nextTourStop
        playing: = faster
        playing: Esc close
        playing: Space pause
        playing: T tour, leaveTour
        playing: [ previousBeat
        playing: ] nextBeat
        playing: h previousBeat
        playing: l nextBeat
        playing: p close
        playing: q close
        playing: ← previousBeat
        playing: → nextBeat
        menu: , previousTourStop
        menu: . nextTourStop
        menu: Enter chooseItem
        menu: Esc close
        menu: T tour, leaveTour
        menu: j down
        menu: k up
        menu: ↑ up
        menu: ↓ down
        name filter: Enter endTyping
        name filter: Esc leaveTyping
        search text: Enter endTyping
        search text: Esc leaveTyping
        entry: Enter endTyping
        entry: Esc leaveTyping
        path: Enter endTyping
        path: Esc leaveTyping
        path: Shift-Tab previousCompletion
        path: Tab nextCompletion
        """
}
