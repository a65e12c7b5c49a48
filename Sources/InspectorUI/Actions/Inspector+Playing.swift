import MigrationCore

/// Playing a migration.
extension KeyCommand {
    /// Plays the migration from its first step.
    static let play = KeyCommand("play") { now in
        if now.timeline != nil { return .nothing() }
        guard let shown = now.shown, shown.running == nil else { return .nothing(.notReadYet) }
        return .when(!shown.trace.steps.isEmpty, else: .noSteps) { $0.play() }
    }
    static let pause = KeyCommand("pause", always: { $0.changePlaying { $0.isPaused.toggle() } })
    static let slower = changePace("slower", faster: false)
    static let faster = changePace("faster", faster: true)
    static let previousBeat = goToBeat("previousBeat", -1)
    static let nextBeat = goToBeat("nextBeat", 1)

    private static func changePace(_ name: String, faster: Bool) -> KeyCommand {
        KeyCommand(name) {
            .when($0.playing?.pace.canGo(faster: faster) ?? false) {
                $0.changePlaying { $0.pace.go(faster: faster) }
            }
        }
    }

    private static func goToBeat(_ name: String, _ count: Int) -> KeyCommand {
        KeyCommand(name) { _ in
            .change {
                $0.change(Playback.self) { $0.isPaused = true }
                $0.goInPlaying(by: count)
            }
        }
    }
}

extension Playing {
    /// The keys, among them those that go to the previous and the next beat.
    fileprivate func keys(_ beats: KeyGroup) -> [KeyGroup] {
        [
            KeyGroup(hint: "pace", .init(.slower, "-"), .init(.faster, "+", "=")), beats,
            KeyGroup(hint: "wait or go on", .init(.pause, " ")),
            KeyGroup(hint: "end", isAlwaysShown: true, .init(.close, .escape, "p", "q")),
        ]
    }

    func rows(in frame: Rect) -> Rect? { nil }

    /// The mouse ends the playing and acts on the panels.
    func clicked(_ mouse: InspectorMouse, in inspector: inout Inspector) -> Bool {
        inspector.closeOverlay()
        return false
    }
}

extension Playback: Playing {
    var keys: [KeyGroup] {
        keys(
            KeyGroup(
                hint: "change", .init(.previousBeat, .left, "h", "["), .init(.nextBeat, .right, "l", "]")))
    }
    var isOfDocument: Bool { true }

    func tick(in inspector: inout Inspector) { inspector.playOn() }

    func closed(in inspector: inout Inspector) {
        if inspector.kept.style != style { inspector.setStyle(style) }
    }
}

/// Playing through time.
extension KeyCommand {
    /// Plays the states of a timeline, from the first one if the last one is shown.
    static let playTime = KeyCommand("playTime") {
        guard let timeline = $0.timeline, let here = $0.timelinePosition else { return .nothing() }
        return .when(timeline.states.count > 1, else: .onlyState) {
            $0.overlay = TimePlayback()
            if here == timeline.states.count - 1 { $0.go(toState: timeline.states[0]) }
        }
    }
    fileprivate static let previousMoment = goToMoment("previousMoment", -1)
    fileprivate static let nextMoment = goToMoment("nextMoment", 1)

    private static func goToMoment(_ name: String, _ offset: Int) -> KeyCommand {
        KeyCommand(name) {
            guard let here = $0.timelinePosition, let state = $0.timeline?.state(at: here + offset) else {
                return .nothing(offset < 0 ? .firstState : .lastState)
            }
            return .change {
                $0.changePlaying {
                    $0.isPaused = true
                    $0.pace.restart()
                }
                $0.go(toState: state)
            }
        }
    }
}

extension TimePlayback: Playing {
    var keys: [KeyGroup] {
        keys(
            KeyGroup(
                hint: "state", .init(.previousMoment, .left, "h", "["), .init(.nextMoment, .right, "l", "]")))
    }

    func tick(in inspector: inout Inspector) { inspector.playTimeOn() }
}

extension Inspector {
    /// Advances the timeline by one tick. A state that is not on the screen yet is waited for.
    fileprivate mutating func playTimeOn() {
        guard let timeline, let here = timelinePosition else { return closeOverlay() }
        guard playing?.isPaused == false, shown != nil, jobs[.step] == nil, timeline.awaited == nil else { return }
        var isOver = false
        changePlaying { isOver = $0.pace.tick() }
        guard isOver else { return }
        guard let next = timeline.state(at: here + 1) else {
            closeOverlay()
            message = Message(.playedAllStates)
            return
        }
        go(toState: next)
    }
}

extension Inspector {
    fileprivate mutating func play() {
        overlay = Playback(style: kept.style)
        shown?.compared = nil
        focus = .step
        showsValue = false
        if kept.style == .sideBySide { setStyle(.unified) }
        goInPlaying(toStop: 1)
    }

    private mutating func endPlaying(_ notice: Notice) {
        closeOverlay()
        message = Message(notice)
    }

    /// Advances the playback by one tick.
    fileprivate mutating func playOn() {
        guard playback?.isPaused == false, jobs[.step] == nil, shown != nil else { return }
        var isGoingOn = true
        change(Playback.self) { isGoingOn = $0.tick() }
        if !isGoingOn { goInPlaying(by: 1) }
        followPlaying()
    }

    /// Goes to the previous or next change and, while paused, waits there.
    fileprivate mutating func goInPlaying(by count: Int) {
        guard let stop = shown?.stop, let steps = shown?.trace.steps.count else { return }
        var isInStep = false
        change(Playback.self) { isInStep = $0.isPaused && $0.go(by: count) }
        if isInStep { return followPlaying() }
        guard stop + count >= 1 else { return }
        guard stop + count <= steps else { return endPlaying(.playedAll) }
        goInPlaying(toStop: stop + count, atEnd: count < 0)
    }

    private mutating func goInPlaying(toStop stop: Int, atEnd: Bool = false) {
        if shown?.stop == stop { showStop() } else { go(toStop: stop) }
        change(Playback.self) { $0.begin(atEnd: atEnd) }
        if let failure = shown?.failureHere, shown?.shownStep?.failure != nil {
            return endPlaying(.playedToFailure(failure.kind))
        }
        loadRows()
    }

    /// Loads the rows of the step being played, once they are available or after they were rebuilt.
    mutating func loadRows() {
        guard let shown, jobs[.step] == nil else { return }
        change(Playback.self) { $0.load(shown.step.rows, shown.shownStep?.finding) }
        followPlaying()
    }

    private mutating func followPlaying() {
        if jobs[.step] == nil, let row = playback?.row { shown?.step.select(row: row) }
    }
}
