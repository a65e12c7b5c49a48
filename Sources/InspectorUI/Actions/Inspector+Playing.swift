import MigrationCore

/// Playing a migration.
extension Inspector {
    var canPlay: Bool {
        timeline == nil && shown.map { $0.running == nil && !$0.trace.steps.isEmpty } ?? false
    }

    /// Plays the migration from its first step.
    mutating func play() {
        playback = Playback(style: style)
        shown?.compared = nil
        focus = .step
        showsValue = false
        if style == .sideBySide { setStyle(.unified) }
        goInPlaying(toStop: 1)
    }

    mutating func endPlaying(_ words: String? = nil) {
        guard let style = playback?.style else { return }
        playback = nil
        if self.style != style { setStyle(style) }
        if let words { message = Message(words) }
    }

    /// Advances the playback by one tick.
    mutating func playOn() {
        guard playback?.isPaused == false, jobs[.step] == nil, shown != nil else { return }
        if playback?.tick() == false { goInPlaying(by: 1) }
        followPlaying()
    }

    /// Goes to the previous or next change and, while paused, waits there.
    mutating func goInPlaying(by count: Int) {
        guard let stop = shown?.stop, let steps = shown?.trace.steps.count else { return }
        if playback?.isPaused == true, playback?.go(by: count) == true { return followPlaying() }
        guard stop + count >= 1 else { return }
        guard stop + count <= steps else { return endPlaying("that was the whole way; p plays it again") }
        goInPlaying(toStop: stop + count, atEnd: count < 0)
    }

    private mutating func goInPlaying(toStop stop: Int, atEnd: Bool = false) {
        if shown?.stop == stop { showStop() } else { go(toStop: stop) }
        playback?.begin(atEnd: atEnd)
        if let failure = shown?.failureHere, shown?.shownStep?.failure != nil {
            return endPlaying("it goes no further: \(failure.kind.rawValue)")
        }
        loadRows()
    }

    /// Loads the rows of the step being played, once they are available or after they were rebuilt.
    mutating func loadRows() {
        guard let shown, playback != nil, jobs[.step] == nil else { return }
        playback?.load(shown.step.rows, shown.shownStep?.finding)
        followPlaying()
    }

    private mutating func followPlaying() {
        if jobs[.step] == nil, let row = playback?.row { shown?.step.select(row: row) }
    }
}
