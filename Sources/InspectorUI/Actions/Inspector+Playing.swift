import MigrationCore

/// Playing a migration.
extension KeyCommand {
    /// Plays the migration from its first step.
    static let play = KeyCommand("play") { now in
        if now.timeline != nil { return .nothing(.timelineDoesNotPlay) }
        guard let shown = now.shown, shown.running == nil else { return .nothing(.notReadYet) }
        return .when(!shown.trace.steps.isEmpty, else: .noSteps) { $0.play() }
    }
    static let pause = KeyCommand("pause", always: { $0.change(Playback.self) { $0.isPaused.toggle() } })
    static let slower = changePace("slower", faster: false)
    static let faster = changePace("faster", faster: true)
    static let previousBeat = goToBeat("previousBeat", -1)
    static let nextBeat = goToBeat("nextBeat", 1)

    private static func changePace(_ name: String, faster: Bool) -> KeyCommand {
        KeyCommand(name) {
            .when($0.playback?.canGo(faster: faster) ?? false) {
                $0.change(Playback.self) { $0.go(faster: faster) }
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

extension Playback: Overlay {
    var keys: [KeyGroup] {
        [
            KeyGroup(hint: "pace", .init(.slower, "-"), .init(.faster, "+", "=")),
            KeyGroup(
                hint: "change", .init(.previousBeat, .left, "h", "["), .init(.nextBeat, .right, "l", "]")),
            KeyGroup(hint: "wait or go on", .init(.pause, " ")),
            KeyGroup(hint: "end", isAlwaysShown: true, .init(.close, .escape, "p", "q")),
        ]
    }
    var isOfDocument: Bool { true }

    func rows(in frame: Rect) -> Rect? { nil }

    /// The mouse ends the playing and acts on the panels.
    func clicked(_ mouse: InspectorMouse, in inspector: inout Inspector) -> Bool {
        inspector.closeOverlay()
        return false
    }

    func tick(in inspector: inout Inspector) { inspector.playOn() }

    func closed(in inspector: inout Inspector) {
        if inspector.kept.style != style { inspector.setStyle(style) }
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
