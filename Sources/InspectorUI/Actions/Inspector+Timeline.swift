import DisplayText
import DocumentModel
import MigrationCore

/// Moving through time. Outside a timeline, most of these commands do nothing, and their keys have other meanings.
extension KeyCommand {
    static let history = KeyCommand("history") {
        guard let document = $0.inspection?.document else { return .nothing() }
        return .when($0.timeline == nil, else: .isTimeline) { $0.showHistory(of: document) }
    }
    static let folderTimeline = KeyCommand("folderTimeline") {
        .when($0.timeline == nil && $0.documentsBeside.count > 1, else: .aloneInFolder) { $0.showFolderTimeline() }
    }
    static let leaveTimeline = KeyCommand("leaveTimeline") {
        let isMarked = $0.shown?.compared.map { !$0.isNeighbor } ?? false
        return .when($0.timeline != nil && !$0.isZoomed && !isMarked) { $0.leaveTimeline() }
    }
    static let previousState = goToState("previousState", -1, else: .firstState)
    static let nextState = goToState("nextState", 1, else: .lastState)
    static let previousTurn = goToTurn("previousTurn", -1)
    static let nextTurn = goToTurn("nextTurn", 1)
    /// Searches for the states in which the value under the cursor changed.
    static let follow = KeyCommand("follow") {
        guard let timeline = $0.timeline else { return .nothing() }
        guard let path = $0.pathInTime else { return .nothing(.noValue) }
        return .change {
            $0.message = Message(.following(path, timeline.states.count))
            $0.effects.append(.follow(path, in: timeline.statesInTime))
        }
    }
    static let orderByValue = KeyCommand("orderByValue") {
        guard let timeline = $0.timeline else { return .nothing() }
        if timeline.isHistory { return .nothing(.commitsHaveAnOrder) }
        guard let path = $0.pathInTime else { return .nothing(.noValue) }
        return .change { $0.effects.append(.order(timeline.states, by: path)) }
    }

    private static func goToState(_ name: String, _ offset: Int, else notice: Notice) -> KeyCommand {
        KeyCommand(name) {
            guard let timeline = $0.timeline, let here = $0.timelinePosition else { return .nothing() }
            guard let state = timeline.state(at: here + offset) else { return .nothing(notice) }
            return .change { $0.go(toState: state) }
        }
    }

    private static func goToTurn(_ name: String, _ direction: Int) -> KeyCommand {
        KeyCommand(name) { .when($0.timelinePosition != nil) { $0.goToTurn(direction) } }
    }
}

extension Inspector {
    // MARK: Opening and leaving

    /// Shows the committed states of a document as a timeline, or requests them if they are not known.
    mutating func showHistory(of document: FoundDocument.ID) {
        for case (let now, .known(let states)) in histories
        where now == document || states.contains(where: { $0.document == document }) {
            return show(states, until: now, at: document)
        }
        message = Message(.lookingForCommits)
        guard histories[document] == nil else { return }
        histories[document] = .awaited
        effects.append(.findHistory(document))
    }

    /// - Parameter now: The document on the disk.
    private mutating func show(_ states: [StateInTime], until now: FoundDocument.ID, at document: FoundDocument.ID) {
        let title = documents[now].map { $0.revision?.path ?? $0.displayName } ?? ""
        var all = Array(states.reversed())
        if !all.contains(where: { $0.document == now }) {
            // The current content of the file follows the latest commit.
            let newest = states.first { documents[$0.document]?.revision?.lane ?? 0 == 0 }
            all.append(StateInTime(document: now, before: newest.map { [$0.document] } ?? []))
        }
        let before = Dictionary(all.map { ($0.document, $0.before) }) { first, _ in first }
        let deleted = all.map(\.document).filter { documents[$0]?.revision?.change == .deleted }
        let sides = all.map(\.document).filter { documents[$0]?.revision?.isOnSide == true }
        open(
            Timeline(
                title: title, states: all.map(\.document), before: before, deleted: Set(deleted), sides: Set(sides)),
            at: document)
    }

    /// The documents in the same folder as the selected one.
    var documentsBeside: [FoundDocument.ID] { inspection.map { documents.documents(beside: $0.document) } ?? [] }

    /// Shows the documents of one folder as a timeline, in the order of the list or, if requested, ordered by a value.
    fileprivate mutating func showFolderTimeline() {
        guard let document = inspection?.document else { return }
        // Committed states already have an order.
        if documents[document]?.revision != nil { return showHistory(of: document) }
        let states = documentsBeside
        let folder = documents[document]?.heading ?? ""
        open(Timeline(title: folder.isEmpty ? title : folder, states: states), at: document)
        if let order { effects.append(.order(states, by: order)) }
    }

    private mutating func open(_ timeline: Timeline, at document: FoundDocument.ID) {
        setFilter(DocumentFilter())
        closeOverlay()
        self.timeline = timeline
        isZoomed = false
        focus = .step
        go(toState: document)
    }

    /// Leaves the timeline. The current state stays the selected document.
    mutating func leaveTimeline() {
        timeline = nil
        effects.append(.stopReading)
        focus = .documents
        shown?.goToFirstStop()
        compare(with: nil)
    }

    /// Applies the requested order.
    mutating func take(order states: [FoundDocument.ID], by path: DocumentPath, isKnown: Bool) {
        // The user may have opened another timeline in the meantime.
        guard let timeline, Set(states) == Set(timeline.states) else { return }
        guard isKnown else {
            message = Message(.notOrdered(by: path))
            return
        }
        message = Message(.ordered(by: path, isNew: states != timeline.states))
        self.timeline = timeline.ordered(states, by: path)
        if let document = inspection?.document { go(toState: document, following: timeline.followedPath) }
    }

    /// Discards the content of states that may have changed.
    mutating func forgetStates(_ changed: [FoundDocument.ID]) {
        guard timeline != nil else { return }
        for state in changed { timeline?.forget(state) }
        let before = inspection.flatMap { timeline?.stateBefore($0.document) }
        if let before, changed.contains(before), shown?.compared?.isNeighbor != false {
            compareWithNeighbor(selecting: shown?.step.cursor)
        }
    }

    // MARK: Moving

    /// - Parameter followed: The path of the value to select there.
    mutating func go(toState state: FoundDocument.ID, following followed: DocumentPath? = nil) {
        timeline?.followedPath = followed
        guard let row = documents.row(of: state) else { return }
        documents.select(row: row)
        // If the state is already selected, compare it with its neighbor right away.
        if inspection?.document == state, shown != nil { compareWithNeighbor() }
    }

    /// Goes to the next state in a direction where the version or the outcome changes.
    fileprivate mutating func goToTurn(_ direction: Int) {
        guard let timeline, var position = timelinePosition else { return }
        var isChecked = true
        while let state = timeline.state(at: position + direction) {
            position += direction
            guard let turns = turns(in: state) else {
                isChecked = false
                continue
            }
            guard !turns.isEmpty else { continue }
            return go(toState: state)
        }
        message = Message(.noTurn(direction, isKnown: isChecked))
    }

    /// Returns the changes in a state of the timeline; nil if they are not known yet.
    func turns(in state: FoundDocument.ID) -> [HistoryTurn]? {
        guard let timeline, let result = documents.result(of: state) else { return nil }
        var isChecked = true
        let line = timeline.line(before: state).lazy.map { earlier in
            let result = documents.result(of: earlier)
            if result == nil { isChecked = false }
            return result ?? CheckResult(source: "", outcome: .unreadable)
        }
        let revision = documents[state]?.revision
        let isWhole = revision.map { !$0.isAtBorder && $0.unsearchedRenames == nil } ?? false
        let turns = result.turns(after: line, isWhole: isWhole)
        return isChecked || !turns.isEmpty ? turns : nil
    }

    /// Returns the row of the next state in a direction that has a problem.
    func rowOfProblemInTime(_ direction: Int) -> Int? {
        guard let timeline, var position = timelinePosition else { return nil }
        while let state = timeline.state(at: position + direction) {
            position += direction
            if documents.result(of: state)?.outcome.isProblem == true { return documents.row(of: state) }
        }
        return nil
    }

    // MARK: Comparing with the neighbor

    /// The state that the current one is compared with, unless another document is marked.
    var neighbor: MarkedDocument? {
        guard let timeline, let document = inspection?.document, let before = timeline.stateBefore(document),
            case .document(let content)? = timeline[before]
        else { return nil }
        return MarkedDocument(
            title: documents[before].map { $0.revision.map { "\($0.day) \($0.shortCommit)" } ?? $0.displayName } ?? "",
            document: content, isNeighbor: true)
    }

    /// Shows the changes since the previous state, which is read first if necessary.
    mutating func compareWithNeighbor(selecting row: RowPosition? = nil) {
        guard let shown, timeline != nil, timelinePosition != nil else { return }
        // A document with edits in memory does not have the content of the state.
        if let document = shown.whole.document, whatIf?.edits.isEmpty != false {
            timeline?.note(.document(document), of: shown.document)
        }
        if let before = timeline?.stateBefore(shown.document), timeline?[before] == nil, timeline?.awaited != before {
            timeline?.awaited = before
            effects.append(.read(before))
        }
        let neighbor = shown.whole.document == nil ? nil : neighbor
        self.shown?.compared = neighbor
        self.shown?.stop = 0
        showStop(selecting: row ?? timeline?.followedPath.map { RowPosition(row: 0, path: $0) })
    }

    mutating func take(_ document: Document?, of state: FoundDocument.ID) {
        guard timeline?.awaited == state else { return }
        timeline?.note(document.map { .document($0) } ?? .unreadable, of: state)
        // A marked document remains the one that this document is compared with.
        guard let shown, timeline?.stateBefore(shown.document) == state, shown.compared?.isNeighbor != false else {
            return
        }
        compareWithNeighbor()
    }

    // MARK: Following a value

    /// The path of the value under the cursor, in a timeline.
    var pathInTime: DocumentPath? {
        guard timeline != nil, focus == .step, let shown, shown.partPath.isEmpty else { return nil }
        return shown.value?.selectedPath ?? shown.step.selectedRow?.node?.path
    }

    /// Returns a value truncated to leave room for another beside it.
    private func brief(_ value: String?) -> String {
        value.map { TextWidth.truncate($0, to: max(12, (size.width - 50) / 2), middle: true, glyphs: glyphs) } ?? "none"
    }

    /// Opens a menu of the states in which a value changed.
    mutating func show(_ followed: FollowedValue) {
        // The user may have opened another timeline in the meantime.
        guard let timeline, followed.states == timeline.states else { return }
        message = nil
        let items = followed.changes.map { change in
            let document = documents[change.state]
            let who = document?.revision.map { "\($0.day) \($0.shortCommit) \($0.author)" }
            let (old, new) = (brief(change.old), brief(change.new))
            let values = change.isFirst ? new : "\(old) \(glyphs.arrow) \(new)"
            return (
                label: "\(who ?? document?.displayName ?? "")  \(values)",
                choose: { @Sendable (inspector: inout Inspector) in
                    inspector.go(toState: change.state, following: followed.path)
                }
            )
        }
        let title = MenuWords.states(
            of: followed.path, in: timeline.states.count, unread: followed.unreadCount)
        guard var menu = MenuView(title, numbered: items) else {
            message = Message(.notFollowed(followed.path))
            return
        }
        // Select the latest change up to the current state.
        if let here = timelinePosition,
            let row = followed.changes.lastIndex(where: { timeline.position(of: $0.state).map { $0 <= here } ?? false })
        {
            menu.select(row: row)
        }
        offer(menu, else: .followed(followed.path))
    }
}
