import DocumentModel
import MigrationCore

/// Moving between steps, and filling the panels for each.
extension KeyCommand {
    static let changeStyle = KeyCommand("changeStyle") {
        let isPossible = $0.layout[.step].isShown && $0.shown?.value == nil && $0.shown?.step.difference != nil
        return .when(isPossible) { $0.setStyle($0.kept.style == .unified ? .sideBySide : .unified) }
    }
    static let toggleValue = KeyCommand("toggleValue") {
        .when($0.layout[.step].isShown && $0.shown?.documentHere != nil) {
            $0.showsValue.toggle()
            $0.showValue()
        }
    }
    static let mark = KeyCommand("mark") {
        guard let shown = $0.shown, let document = shown.whole.document else { return .nothing(.cannotMark) }
        return .change {
            let title = $0.documents[shown.document]?.title ?? ""
            $0.kept.mark = MarkedDocument(title: title, document: document)
            $0.message = Message(.marked(title))
        }
    }
    static let compare = KeyCommand("compare") {
        guard let mark = $0.kept.mark, let shown = $0.shown, let document = shown.whole.document,
            mark.document.identity != document.identity
        else { return .nothing(.noMark) }
        let isMarked = shown.compared?.isNeighbor == false
        return .change { $0.compare(with: isMarked ? $0.neighbor : mark) }
    }
}

extension Inspector {
    mutating func go(toStop stop: Int) {
        guard let shown, stop >= 0, stop < shown.stopCount, stop != shown.stop else { return }
        self.shown?.stop = stop
        self.shown?.compared = nil
        showStop()
        // The source only points at failures.
        if (shown.failureHere == nil) != (self.shown?.failureHere == nil) { showSourceText() }
    }

    /// Shows the differences from another document, or the content of the stop if `other` is nil.
    mutating func compare(with other: MarkedDocument?) {
        shown?.compared = other
        showStop()
    }

    /// Returns to the overview that lists the part.
    mutating func leavePart() {
        guard let path = shown?.partPath, let part = path.last else { return }
        enterPart(path.dropLast(), atStop: 0)
        // The rows of the overview are created when the layout is.
        arrange()
        if let row = shown?.step.row(ofPart: part) { shown?.step.select(row: row) }
    }

    mutating func enterPart(_ path: [Int], atStop stop: Int? = nil) {
        shown?.enter(path)
        if let stop { shown?.stop = stop }
        shown?.compared = nil
        showStop()
        showSourceText()
    }

    /// Creates the rows of the current stop.
    ///
    /// - Parameter row: The row to select instead of the most informative one.
    mutating func showStop(selecting row: RowPosition? = nil) {
        guard let shown else { return }
        cancel(.step)
        cancel(.search)
        self.shown?.step = StepView()
        self.shown?.awaitedStep = nil
        defer { letGo(of: shown) }
        if let missing = shown.missingStep { return runAgain(missing, selecting: row) }
        self.shown?.dropSnapshots()
        showValue()
        if let compared = shown.compared,
            let document = compared.isMigrated ? shown.whole.result : shown.whole.document
        {
            return showDifference(from: compared.document, to: document, selecting: row)
        }
        if shown.isWholeWay, let (before, after) = shown.trace.wholeWay {
            return showDifference(from: before, to: after, selecting: row)
        }
        guard let step = shown.shownStep else { return }
        switch (step.before, step.ending) {
        case (let before?, .made(let after)):
            showDifference(from: before, to: after, except: step.finding?.notMoved ?? [], selecting: row)
        case (let before?, .failed(let failure)):
            let failure = shown.reported(failure, in: before)
            start(.step, size: before.nodeCount) { _ in
                FailureRows.rows(document: before, failure: failure)
            } then: {
                $0.shown?.step.show(failure: $1)
                if let row { $0.shown?.step.select(row) }
                $0.keepWhatIsShown()
            }
        case (_, .madeUnencodable(let reason)): showInsteadOfRows("\(reason)", .warning)
        case (nil, _), (_, .checked): showInsteadOfRows(step.withoutBefore)
        }
    }

    /// Starts to drop large documents between the steps that are not shown. The current view has priority. Keeps all
    /// documents of a recorded trace, because it cannot be made again.
    private mutating func keepWhatIsShown() {
        guard let shown, recordedSource == nil, shown.keepsMore(than: largestSnapshots) else { return }
        let trace = shown.whole
        start(.hashes, size: trace.steps.reduce(0) { $0 + ($1.after?.nodeCount ?? 0) }) { _ in
            SnapshotHashes(of: trace)
        } then: {
            guard let shown = $0.shown else { return }
            $0.shown?.dropSnapshots($1)
            $0.letGo(of: shown)
        }
    }

    /// Frees the earlier view on another thread if it is large. Freeing 100 MB takes longer than a key press should.
    mutating func letGo(of shown: ShownDocument) {
        guard (shown.step.difference?.nodeCount ?? 0) > Self.mostFreedAtOnce || shown.isHashed else { return }
        let last = Locked<ShownDocument?>(shown)
        jobCount += 1
        effects.append(
            .perform(
                BackgroundJob(id: .init(serial: jobCount)) { _ in
                    last.withLock { $0 = nil }
                    return nil
                }))
    }

    /// The largest number of rows and values that are freed on the current thread.
    private static var mostFreedAtOnce: Int { 100_000 }

    /// Runs a step again whose documents are no longer in memory.
    private mutating func runAgain(_ step: Int, selecting row: RowPosition?) {
        guard let shown else { return }
        self.shown?.dropSnapshots()
        showValue()
        jobCount += 1
        let job = BackgroundJob.ID(serial: jobCount)
        jobs[.step] = job
        self.shown?.awaitedStep = .init(job: job, step: step, row: row)
        effects.append(
            .runStep(job, of: shown.document, to: shown.trace.steps[step].to, supposing: supposition))
    }

    /// Shows a step that was run again, unless it is no longer wanted.
    mutating func take(_ again: MigrationTrace?, hash: UInt64?, of job: BackgroundJob.ID) {
        guard jobs[.step] == job, let awaited = shown?.awaitedStep, awaited.job == job else { return }
        jobs[.step] = nil
        shown?.awaitedStep = nil
        guard let step = again?.steps.last, step.to == shown?.whole.steps[awaited.step].to, step.failure == nil else {
            let why = again?.failure.map { ": \($0.message)" } ?? ""
            return showInsteadOfRows("the step does not do again what it did\(why)", .warning)
        }
        shown?.take(step, hash: hash, forStep: awaited.step)
        showStop(selecting: awaited.row)
    }

    /// Compares two documents and shows their differences.
    private mutating func showDifference(
        from before: Document, to after: Document, except excluded: [ValueMove] = [], selecting row: RowPosition?
    ) {
        showDifference(size: before.nodeCount + after.nodeCount, selecting: row) { isCancelled in
            try? DocumentDifference(old: before.root, new: after.root, except: excluded) {
                if isCancelled() { throw CancellationError() }
            }
        }
    }

    private mutating func showInsteadOfRows(_ text: String, _ sign: StepRow.Sign = .none) {
        let style: Style = sign == .warning ? .warning : .dim
        shown?.step.show(failure: [StepRow(sign: sign, body: .text([StyledText(text, style)]))])
    }

    /// Arranges a difference in rows and shows them.
    ///
    /// - Parameter row: The row to select instead of the most informative one.
    mutating func showDifference(
        size: Int, selecting row: RowPosition? = nil,
        _ difference: @escaping @Sendable (_ isCancelled: () -> Bool) -> DocumentDifference?
    ) {
        let (style, failed, finding) = (kept.style, shown?.failedParts ?? [], shown?.shownStep?.finding)
        let (isStep, dropped) = (shown?.compared == nil, shown?.droppedHere ?? [])
        start(.step, size: size) { isCancelled in
            difference(isCancelled).flatMap {
                DifferenceRows(
                    $0, style: style, failed: failed, finding: finding, dropped: dropped, isStep: isStep,
                    isCancelled: isCancelled)
            }
        } then: {
            $0.shown?.step.show($1)
            if let row { $0.shown?.step.select(row) }
            $0.loadRows()
            $0.keepWhatIsShown()
            $0.lookForLastChange()
        }
    }

    mutating func setStyle(_ style: DifferenceStyle) {
        kept.style = style
        guard let difference = shown?.step.difference else { return showStop() }
        showDifference(size: difference.nodeCount) { _ in difference }
    }

    /// Shows the value at the step or the changes of the step, as `showsValue` says.
    mutating func showValue() {
        let culprit = shown?.culpritHere
        let document = showsValue ? shown?.documentHere : nil
        shown?.value = document.map { ValueView($0, culprit: culprit) }
    }

    // MARK: The source

    mutating func showSourceText() {
        guard let shown else { return }
        cancel(.source)
        guard var request = shown.sourceRequest else { return show(nil) }
        request.firstLine = documents[shown.document]?.firstLine ?? 1
        start(.source, size: (request.document?.source ?? request.bytes)?.count ?? 0) { [request] _ in
            .some(SourceText(request))
        } then: {
            $0.show($1)
        }
    }

    /// Shows the text that the document was read from, or its values if there is no text.
    private mutating func show(_ text: SourceText?) {
        guard let shown else { return }
        if let text {
            self.shown?.source.show(text)
        } else if let document = shown.trace.earliestDocument {
            let culprit = shown.trace.document == nil ? nil : shown.culpritHere
            self.shown?.source.show(ValueView(document, culprit: culprit))
        } else {
            let isRecorded = recordedSource != nil
            self.shown?.source.show(
                reason: isRecorded ? "The trace does not hold the text." : "There is no text to show.")
        }
    }
}
