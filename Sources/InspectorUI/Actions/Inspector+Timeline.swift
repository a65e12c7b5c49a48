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
    static let oldestState = goToEnd("oldestState", isForward: false)
    static let newestState = goToEnd("newestState", isForward: true)
    static let previousTurn = goToTurn("previousTurn", -1)
    static let nextTurn = goToTurn("nextTurn", 1)
    /// Searches for the states in which the value under the cursor changed.
    static let follow = KeyCommand("follow") {
        guard let timeline = $0.timeline else { return .nothing() }
        guard let path = $0.pathInTime, let state = $0.stateOfValueInTime else { return .nothing($0.whyNotFollowed) }
        return .change { inspector in
            inspector.message = Message(.following(path, timeline.states.count))
            inspector.effects.append(.follow(inspector.request(for: path, in: state, of: timeline)))
        }
    }
    /// Searches for the states that last changed the values of this one.
    static let blame = KeyCommand("blame") {
        guard let timeline = $0.timeline, let state = $0.inspection?.document else { return .nothing() }
        if let shown = $0.shown, shown.whole.document == nil { return .nothing(.noValueInState) }
        return .change { inspector in
            inspector.message = Message(.blaming(timeline.states.count))
            inspector.effects.append(
                .blame(inspector.request(for: inspector.pathInTime ?? .root, in: state, of: timeline)))
        }
    }
    static let seeMigrated = KeyCommand("seeMigrated") {
        guard let timeline = $0.timeline else { return .nothing() }
        return .change { $0.see(migrated: !timeline.isMigrated) }
    }
    static let orderByValue = KeyCommand("orderByValue") {
        guard let timeline = $0.timeline else { return .nothing() }
        if timeline.isHistory { return .nothing(.commitsHaveAnOrder) }
        guard let path = $0.pathInTime else { return .nothing(.noValue) }
        return .change { $0.effects.append(.order(timeline.states, by: .value(path))) }
    }

    private static func goToState(_ name: String, _ offset: Int, else notice: Notice) -> KeyCommand {
        KeyCommand(name) {
            guard let timeline = $0.timeline, let here = $0.timelinePosition else { return .nothing() }
            guard let state = timeline.state(at: here + offset) else { return .nothing(notice) }
            return .change { $0.go(toState: state) }
        }
    }

    private static func goToEnd(_ name: String, isForward: Bool) -> KeyCommand {
        KeyCommand(name) {
            guard let timeline = $0.timeline, let here = $0.timelinePosition,
                let state = timeline.state(at: isForward ? timeline.states.count - 1 : 0)
            else { return .nothing() }
            return .when(timeline.state(at: here) != state) { $0.go(toState: state) }
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
        let lanes = all.map(\.document).compactMap { state in
            documents[state]?.revision.flatMap { $0.isOnSide ? (state, $0.lane) : nil }
        }
        open(
            Timeline(
                title: title, states: all.map(\.document), before: before, deleted: absent(among: all.map(\.document)),
                lanes: Dictionary(lanes) { first, _ in first }),
            at: document)
    }

    private func absent(among states: [FoundDocument.ID]) -> Set<FoundDocument.ID> {
        Set(states.filter { documents[$0]?.isAbsent == true })
    }

    /// The states of the selected document that are not in git: the same row in the files of one folder, or else the
    /// documents in the same folder or file.
    var documentsBeside: [FoundDocument.ID] {
        guard let document = inspection?.document else { return [] }
        let rows = documents.sameRows(as: document)
        return rows.count > 1 ? rows : documents.documents(beside: document)
    }

    /// Shows the documents of one folder as a timeline, in the order of the list or, if requested, ordered by a value.
    fileprivate mutating func showFolderTimeline() {
        guard let document = inspection?.document else { return }
        // Committed states already have an order.
        if documents[document]?.revision != nil { return showHistory(of: document) }
        let states = documentsBeside
        let isRow = documents.sameRows(as: document).count > 1
        let folder = documents[document].map { isRow ? $0.displayName : $0.heading } ?? ""
        var timeline = Timeline(
            title: folder.isEmpty ? title : folder, states: states, deleted: absent(among: states))
        timeline.isOfRow = isRow
        open(timeline, at: document)
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
    mutating func take(order states: [FoundDocument.ID], by key: OrderKey, values: [FoundDocument.ID: String]) {
        // The user may have opened another timeline in the meantime.
        guard let timeline, Set(states) == Set(timeline.states) else { return }
        guard !values.isEmpty else {
            message = Message(.notOrdered(by: key))
            return
        }
        message = Message(.ordered(by: key, isNew: states != timeline.states))
        self.timeline = timeline.ordered(states, by: key, values: values)
        if let document = inspection?.document { go(toState: document, following: timeline.followedPath) }
    }

    /// Discards the content of states that may have changed.
    mutating func forgetStates(_ changed: [FoundDocument.ID]) {
        guard timeline != nil else { return }
        for state in changed { timeline?.forget(state) }
        let before = inspection.flatMap { timeline?.stateCompared(with: $0.document) }
        if let before, changed.contains(before), shown?.compared?.isNeighbor != false {
            compareWithNeighbor(selecting: shown?.step.cursor)
        }
    }

    // MARK: Facts about the states

    /// Adds results to the timeline until the time for them is used up.
    mutating func learnStates() {
        let noted = documents.takeNoted()
        guard let timeline else { return }
        self.timeline?.facts.note(choice: documents.observations.choiceCount)
        self.timeline?.facts.lookAgain(at: noted.lazy.compactMap { timeline.position(of: $0) })
        guard let waiting = self.timeline?.facts.takeWaiting() else { return }
        for position in waiting.new { learnState(at: position, timeline) }
        for position in waiting.again {
            learnState(at: position, timeline)
            // The next states are compared with this one, across deletions.
            var next = timeline.statesAfter(timeline.states[position])
            while let later = next.popLast() {
                if documents.result(of: later)?.outcome == .deleted { next += timeline.statesAfter(later) }
                let isTurn = turns(in: later)?.isEmpty == false
                if let position = timeline.position(of: later) {
                    self.timeline?.facts.set(isTurn: isTurn, at: position)
                }
            }
        }
    }

    private mutating func learnState(at position: Int, _ timeline: Timeline) {
        let state = timeline.states[position]
        let result = documents.result(of: state)
        // A state in which no version is observed has no name.
        let version = result?.version ?? result?.observed.flatMap { $0.path == nil ? nil : $0.version }
        let fact = TimelineFacts.Fact(
            sign: StateSign(result), version: version.flatMap { self.timeline?.facts.number(of: $0) },
            isTurn: turns(in: state)?.isEmpty == false, isRenamed: documents[state]?.revision?.change == .renamed)
        self.timeline?.facts.set(fact, at: position)
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
        let turns = result.turns(after: line, isWhole: documents[state]?.revision?.knowsPast ?? false)
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
        guard let timeline, let document = inspection?.document, let before = timeline.stateCompared(with: document),
            case .document(let content)? = timeline[before]
        else { return nil }
        return MarkedDocument(
            title: nameInTime(before), document: content, isNeighbor: true, isMigrated: timeline.isMigrated)
    }

    private func nameInTime(_ state: FoundDocument.ID) -> String {
        guard let document = documents[state] else { return "" }
        return document.revision.map { "\($0.day) \($0.shortCommit)" } ?? timeline?.name(of: document) ?? ""
    }

    /// The name of the earlier state since which nothing has changed; nil if the current one differs from the one before.
    var unchangedSince: String? {
        guard let unchanged = timeline?.unchanged, unchanged.state == inspection?.document else { return nil }
        return nameInTime(unchanged.since)
    }

    /// Looks for the last change before the current state if that is like the one that it was compared with.
    mutating func lookForLastChange() {
        guard let shown, shown.compared?.isNeighbor == true, shown.step.difference?.root.kind == .unchanged else {
            return
        }
        if timeline?.noteUnchanged(shown.document) == true { return compareWithEarlier() }
        self.shown?.compared = nil
        self.shown?.step = StepView()
    }

    /// Shows the changes since the previous state, which is read first if necessary.
    mutating func compareWithNeighbor(selecting row: RowPosition? = nil) {
        timeline?.forgetUnchanged()
        compareWithEarlier(selecting: row)
    }

    private mutating func compareWithEarlier(selecting row: RowPosition? = nil) {
        guard let shown, let isMigrated = timeline?.isMigrated, timelinePosition != nil else { return }
        let document = isMigrated ? shown.whole.result : shown.whole.document
        // A document with edits in memory does not have the content of the state.
        if let document, whatIf?.edits.isEmpty != false {
            timeline?.note(.document(document), of: shown.document)
        }
        if let before = timeline?.stateCompared(with: shown.document), timeline?[before] == nil,
            timeline?.awaited != before
        {
            timeline?.awaited = before
            effects.append(isMigrated ? .readMigrated(before) : .read(before))
        }
        let neighbor = document == nil ? nil : neighbor
        self.shown?.compared = neighbor
        self.shown?.stop = 0
        showStop(selecting: row ?? timeline?.followedPath.map { RowPosition(row: 0, path: $0) })
    }

    mutating func take(_ document: Document?, of state: FoundDocument.ID, isMigrated: Bool = false) {
        guard timeline?.awaited == state, timeline?.isMigrated == isMigrated else { return }
        timeline?.note(document.map { .document($0) } ?? .unreadable, of: state)
        // A marked document remains the one that this document is compared with.
        guard let shown, timeline?.stateCompared(with: shown.document) == state, shown.compared?.isNeighbor != false
        else { return }
        compareWithEarlier()
    }

    /// Shows the states as they are, or in the newest version.
    fileprivate mutating func see(migrated: Bool) {
        timeline?.see(migrated: migrated)
        message = Message(.sees(migrated: migrated))
        compareWithNeighbor(selecting: shown?.step.cursor)
    }

    // MARK: Following a value

    fileprivate func request(
        for path: DocumentPath, in state: FoundDocument.ID, of timeline: Timeline
    ) -> FollowRequest {
        FollowRequest(
            path: path, state: state, states: timeline.statesInTime,
            versions: timeline.states.map { documents.result(of: $0).flatMap(\.openedVersion) },
            isMigrated: timeline.isMigrated)
    }

    /// The path of the value under the cursor, in a timeline.
    var pathInTime: DocumentPath? {
        guard timeline != nil, focus == .step, let shown, shown.partPath.isEmpty else { return nil }
        return shown.value?.selectedPath ?? shown.step.selectedRow?.node?.path
    }

    /// The state that has the value under the cursor: the current one, or the one that it is compared with.
    fileprivate var stateOfValueInTime: FoundDocument.ID? {
        guard let timeline, let shown else { return nil }
        let isHere =
            shown.compared?.isMigrated == true ? shown.step.selectedRow?.sign != .removed : shown.selectedValue != nil
        if shown.compared == nil || shown.value != nil || isHere { return shown.document }
        return shown.compared?.isNeighbor == true ? timeline.stateCompared(with: shown.document) : nil
    }

    /// Why no value can be followed, and which key helps.
    fileprivate var whyNotFollowed: Notice {
        guard let shown else { return .notReadYet }
        if focus == .source { return .followsInStep }
        if shown.step.rows.contains(where: { $0.node != nil && $0.sign != .none }) { return .noValueButChanges }
        return shown.documentHere == nil ? .noValueInState : .noValueButDocument
    }

    /// Returns a value truncated to leave room for another beside it.
    private func brief(_ value: Document?) -> String {
        guard let value else { return "none" }
        let text = ValueText.runs(value.root, budget: size.width).map(\.text).joined()
        return TextWidth.truncate(text, to: max(12, (size.width - 50) / 2), middle: true, glyphs: glyphs)
    }

    /// Opens a menu of the states in which a value changed.
    mutating func show(_ followed: FollowedValue) {
        // The user may have opened another timeline in the meantime.
        guard let timeline, followed.states == timeline.states else { return }
        message = nil
        self.timeline?.followed = followed
        let changes = followed.history?.changes ?? []
        let items = changes.map { change in
            let state = timeline.states[change.state]
            let document = documents[state]
            let who = document?.revision.map { "\($0.day) \($0.shortCommit) \($0.author)" }
            return (
                label: "\(who ?? document.map(timeline.name) ?? "")  "
                    + MenuWords.change(change, document?.revision, brief, arrow: glyphs.arrow),
                choose: { @Sendable (inspector: inout Inspector) in
                    inspector.go(toState: state, following: change.path)
                }
            )
        }
        let title = MenuWords.states(
            of: followed.path, in: timeline.states.count, unread: followed.history?.unread.count ?? 0,
            isMigrated: timeline.isMigrated)
        guard var menu = MenuView(title, numbered: items) else {
            message = Message(.notFollowed(followed.path))
            return
        }
        // Select the latest change up to the current state.
        if let here = timelinePosition,
            let row = changes.lastIndex(where: { $0.state <= here })
        {
            menu.select(row: row)
        }
        offer(menu, else: .followed(followed.path))
    }
}

extension Inspector {
    /// Opens a menu of the values of a state, each with the state that last changed it.
    mutating func show(_ blamed: BlamedValues) {
        guard let timeline, blamed.request.states.map(\.document) == timeline.states,
            blamed.request.isMigrated == timeline.isMigrated
        else { return }
        message = nil
        let values = blamed.blame?.values ?? []
        let items = values.map { value in
            let state = timeline.states[value.state]
            let document = documents[state]
            let who =
                document?.revision.map { "\($0.day) \($0.shortCommit) \($0.author)" } ?? document?.displayName ?? ""
            let text = "\(DocumentSelector(of: value.value))  \(value.value.briefText)"
            return (
                label: MenuWords.blamed(who, text, mayBeEarlier: value.mayBeEarlier(document?.revision)),
                choose: { @Sendable (inspector: inout Inspector) in inspector.go(toState: state) }
            )
        }
        let title = MenuWords.blame(documents[blamed.request.state]?.displayName ?? "", isMigrated: timeline.isMigrated)
        guard var menu = MenuView(title, numbered: items) else {
            message = Message(.notBlamed)
            return
        }
        if let row = values.firstIndex(where: { $0.path.hasPrefix(blamed.request.path) }) { menu.select(row: row) }
        offer(menu, else: .blamed)
    }
}

extension CheckResult {
    /// The version of a document that opens; nil if it doesn't.
    fileprivate var openedVersion: DocumentVersion? { outcome == .current || outcome == .migrated ? version : nil }
}
