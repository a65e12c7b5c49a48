import DocumentModel
import MigrationCore

/// Going from step to step, and what the panels show at each.
extension Inspector {
    mutating func go(toStop stop: Int) -> [InspectorEffect] {
        guard let inspection, stop >= 0, stop < inspection.stopCount, stop != inspection.stop else { return [] }
        let sourceShowsAnother = inspection.failureHere != nil
        self.inspection?.stop = stop
        let effects = showStop()
        // Only a failure points into the source.
        let isOther = sourceShowsAnother != (self.inspection?.failureHere != nil)
        return effects + (isOther ? showSourceText() : [])
    }

    mutating func enterPart(_ path: [Int]) -> [InspectorEffect] {
        inspection?.enter(path)
        return showStop() + showSourceText()
    }

    /// Makes the rows of the step one is at.
    mutating func showStop() -> [InspectorEffect] {
        guard let inspection else { return [] }
        let cancelled = [inspection.step.job, searchJob].compactMap { $0 }.map(InspectorEffect.cancel)
        searchJob = nil
        self.inspection?.step = StepView()
        self.inspection?.overviewWidth = nil
        self.inspection?.value = nil
        if showsValue { showValue() }
        guard let step = inspection.shownStep else { return cancelled }
        switch (step.before, step.ending) {
        case (let before?, .made(let after)):
            let work = BackgroundJob.Work.compare(before: before, after: after, style)
            return cancelled + startStep(work, size: before.nodeCount + after.nodeCount)
        case (let before?, .failed(let failure)):
            return cancelled + startStep(.failure(before, failure), size: before.nodeCount)
        case (_, .madeUnencodable(let reason)):
            self.inspection?.step.show(failure: [
                StepRow(sign: .warning, body: .text([StyledText("\(reason)", .warning)]))
            ])
        case (nil, _):
            let text = "what version \(step.from) made cannot be written, so there is nothing to compare with"
            self.inspection?.step.show(failure: [StepRow(body: .text([StyledText(text, .dim)]))])
        }
        return cancelled
    }

    private mutating func startStep(_ work: BackgroundJob.Work, size: Int) -> [InspectorEffect] {
        let job = BackgroundJob(id: makeJobID(), work: work)
        self.inspection?.step.job = job.id
        return start(job, size: size)
    }

    /// Does at once what takes no time, so that small documents never flicker.
    private mutating func start(_ job: BackgroundJob, size: Int) -> [InspectorEffect] {
        guard size <= Self.doneAtOnce, case .finished(let result)? = job.run(isCancelled: { false }) else {
            return [.perform(job)]
        }
        return take(result)
    }

    /// Nodes, or bytes of a source, for which no thread is worth waking.
    private static var doneAtOnce: Int { 2000 }

    mutating func setStyle(_ style: DifferenceStyle) -> [InspectorEffect] {
        self.style = style
        guard let difference = inspection?.step.difference else { return showStop() }
        let cancelled = inspection?.step.job.map { [InspectorEffect.cancel($0)] } ?? []
        return cancelled + startStep(.arrange(difference, style), size: difference.nodeCount)
    }

    mutating func setShowsValue(_ shows: Bool) {
        showsValue = shows
        if shows { showValue() } else { inspection?.value = nil }
    }

    private mutating func showValue() {
        guard let document = inspection?.documentHere else { return }
        let culprit = inspection?.culpritHere
        inspection?.value = ValueView(document, culprit: culprit)
    }

    // MARK: The source

    mutating func showSourceText() -> [InspectorEffect] {
        guard let inspection, inspection.trace != nil else { return [] }
        let cancelled = inspection.source.job.map { [InspectorEffect.cancel($0)] } ?? []
        self.inspection?.source.job = nil
        guard let request = inspection.sourceRequest else {
            let reason = reasonForNoText
            self.inspection?.source.show(reason: reason)
            return cancelled
        }
        let job = BackgroundJob(id: makeJobID(), work: .source(request))
        self.inspection?.source.job = job.id
        return cancelled + start(job, size: (request.document?.source ?? request.bytes)?.count ?? 0)
    }

    private var reasonForNoText: String {
        recordedSource == nil ? "There is no text to show." : "The trace does not hold the text."
    }

    /// Marks in the source what is selected in the step, while that has the keyboard. Scrolling the source itself
    /// leaves the mark where it is.
    mutating func followSelection() {
        switch focus {
        case .documents: inspection?.source.unfollow()
        case .source: break
        case .step:
            let range = selectedValue?.sourceRange
            inspection?.source.follow(range)
        }
    }

    /// The value of the document as it was read that is selected in the step.
    private var selectedValue: DocumentNode? {
        // Behind the first step are documents that were never read.
        guard let inspection, inspection.stop <= 1 else { return nil }
        if showsValue, let value = inspection.value {
            return inspection.shownStep?.failure != nil || inspection.stop == 0 ? value.selectedNode : nil
        }
        let document = inspection.trace?.document ?? inspection.trace?.steps.first?.before
        return document.flatMap {
            inspection.step.selectedRow?.value(in: $0, isCompared: inspection.step.difference != nil)
        }
    }

    // MARK: Results

    /// Takes what a job found out, if it is still wanted.
    mutating func take(_ result: JobResult) -> [InspectorEffect] {
        switch result.value {
        case .filtered(let matching):
            documents.finishFilter(job: result.id, matching: matching)
            return inspectSelection()
        case .difference(let difference, let rows):
            if inspection?.step.job == result.id { inspection?.step.show(difference, rows) }
        case .rows(let rows):
            if inspection?.step.job == result.id { inspection?.step.show(failure: rows) }
        case .source(let text):
            if inspection?.source.job == result.id { show(text) }
        case .found(let found):
            if searchJob == result.id { show(found) }
        }
        return []
    }

    private mutating func show(_ text: SourceText?) {
        if let text {
            inspection?.source.show(text)
        } else if let document = inspection?.trace?.document ?? inspection?.trace?.steps.first?.before {
            let culprit = inspection?.trace?.document == nil ? nil : inspection?.culpritHere
            inspection?.source.show(ValueView(document, culprit: culprit))
        } else {
            let reason = reasonForNoText
            inspection?.source.show(reason: reason)
        }
    }

    // MARK: Searching

    mutating func startSearch(forward: Bool, includingStart: Bool) -> [InspectorEffect] {
        guard let search, !search.isEmpty, let inspection else { return [] }
        let cancelled = searchJob.map { [InspectorEffect.cancel($0)] } ?? []
        let target: SearchRequest.Place
        let size: Int
        if focus == .source, let text = inspection.source.text {
            target = .source(text, from: lastMatchOffset ?? inspection.source.searchOffset)
            size = text.bytes.count
        } else if let tree = treeHere {
            let node = tree.selected.node
            target = .values(tree.document, from: forward ? node.id : node.key?.id ?? node.id)
            size = tree.document.nodeCount
        } else {
            target = .rows(inspection.step.rows, from: inspection.step.position.selected)
            size = inspection.step.rows.count
        }
        let request = SearchRequest(search: search, place: target, isForward: forward, includesStart: includingStart)
        let job = BackgroundJob(id: makeJobID(), work: .search(request))
        searchJob = job.id
        return cancelled + start(job, size: size)
    }

    /// Says so when the search went round and ended where it began.
    private mutating func noteOnlyMatch(_ isSame: Bool) {
        if isSame { message = Message("no other match: \(search?.text ?? "")") }
    }

    /// The match in the source that was found last, while one is still on its line.
    private var lastMatchOffset: Int? {
        guard let offset = sourceMatch, let source = inspection?.source, let text = source.text,
            text.row(ofLine: text.lines.line(at: offset)) == source.position.selected
        else { return nil }
        return offset
    }

    /// The tree that has the keyboard, if one has.
    var treeHere: ValueView? {
        get {
            switch focus {
            case .documents: nil
            case .step: showsValue ? inspection?.value : nil
            case .source: inspection?.source.tree
            }
        }
        set {
            guard let newValue else { return }
            if focus == .source { inspection?.source.tree = newValue } else { inspection?.value = newValue }
        }
    }

    private mutating func show(_ found: SearchResult) {
        searchJob = nil
        let text = search?.text ?? ""
        switch found {
        case .row(let row?):
            noteOnlyMatch(inspection?.step.position.selected == row)
            inspection?.step.select(row)
        case .value(let cursor?):
            noteOnlyMatch(treeHere?.selected == cursor)
            treeHere?.reveal(cursor)
        case .source(let offset?):
            noteOnlyMatch(lastMatchOffset == offset)
            sourceMatch = offset
            let width = Layout(self).source.content.width - sourceGutter
            inspection?.source.reveal(offset, width: width)
        default: message = Message("not found: \(text)")
        }
    }
}
