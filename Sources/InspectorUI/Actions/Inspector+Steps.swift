import DocumentModel
import MigrationCore

/// Going from step to step, and what the panels show at each.
extension Inspector {
    mutating func go(toStop stop: Int) {
        guard let shown, stop >= 0, stop < shown.stopCount, stop != shown.stop else { return }
        self.shown?.stop = stop
        showStop()
        // Only a failure points into the source.
        if (shown.failureHere == nil) != (self.shown?.failureHere == nil) { showSourceText() }
    }

    mutating func enterSelectedPart() {
        guard let shown, let part = shown.selectedPart else { return }
        enterPart(shown.partPath + [part])
    }

    mutating func leavePart() { if let shown { enterPart(shown.partPath.dropLast()) } }

    private mutating func enterPart(_ path: [Int]) {
        shown?.enter(path)
        showStop()
        showSourceText()
    }

    /// Makes the rows of the step one is at.
    mutating func showStop() {
        guard let shown else { return }
        cancel(shown.step.job)
        cancelSearch()
        self.shown?.step = StepView()
        showValue()
        guard let step = shown.shownStep else { return }
        switch (step.before, step.ending) {
        case (let before?, .made(let after)):
            let work = BackgroundJob.Work.compare(before: before, after: after, style, failed: shown.failedParts)
            startStep(work, size: before.nodeCount + after.nodeCount)
        case (let before?, .failed(let failure)):
            startStep(.failure(before, failure), size: before.nodeCount)
        case (_, .madeUnencodable(let reason)): showInsteadOfRows("\(reason)", .warning)
        case (nil, _):
            showInsteadOfRows("what version \(step.from) made cannot be written, so there is nothing to compare with")
        }
    }

    private mutating func showInsteadOfRows(_ text: String, _ sign: StepRow.Sign = .none) {
        let style: Style = sign == .warning ? .warning : .dim
        shown?.step.show(failure: [StepRow(sign: sign, body: .text([StyledText(text, style)]))])
    }

    private mutating func startStep(_ work: BackgroundJob.Work, size: Int) {
        let job = BackgroundJob(id: makeJobID(), work: work)
        shown?.step.job = job.id
        start(job, size: size)
    }

    mutating func setStyle(_ style: DifferenceStyle) {
        self.style = style
        guard let difference = shown?.step.difference else { return showStop() }
        cancel(shown?.step.job)
        startStep(.arrange(difference, style, failed: shown?.failedParts ?? []), size: difference.nodeCount)
    }

    /// Shows the value at the step in place of what the step changed, or the other way round.
    mutating func showValue() {
        let culprit = shown?.culpritHere
        let document = showsValue ? shown?.documentHere : nil
        shown?.value = document.map { ValueView($0, culprit: culprit) }
    }

    // MARK: The source

    mutating func showSourceText() {
        guard let shown else { return }
        cancel(shown.source.job)
        self.shown?.source.job = nil
        guard let request = shown.sourceRequest else { return show(nil) }
        let job = BackgroundJob(id: makeJobID(), work: .source(request))
        self.shown?.source.job = job.id
        start(job, size: (request.document?.source ?? request.bytes)?.count ?? 0)
    }

    /// Shows the text that the document was read from, or its values where there is none.
    mutating func show(_ text: SourceText?) {
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

    // MARK: Searching

    mutating func startSearch(forward: Bool, includingStart: Bool) {
        guard let search, !search.isEmpty, let place = self[focus]?.searchPlace(forward: forward) else { return }
        cancelSearch()
        let request = SearchRequest(search: search, place: place, isForward: forward, includesStart: includingStart)
        let job = BackgroundJob(id: makeJobID(), work: .search(request))
        searchJob = (job.id, focus)
        start(job, size: place.size)
    }

    mutating func show(_ match: SearchResult, in panel: Panel) {
        let text = search?.text ?? ""
        if case .nothing = match {
            message = Message("not found: \(text)")
        } else {
            let area = layout[panel].content
            // A search that went round may end where it began.
            if self[panel]?.reveal(match, in: area) == true { message = Message("no other match: \(text)") }
        }
    }
}
