import DisplayText
import DocumentModel
import MigrationCore

/// Handling events.
extension Inspector {
    /// Handles an event and returns the effects that the program must carry out.
    public mutating func handle(_ event: InspectorEvent) -> [InspectorEffect] {
        effects = []
        switch event {
        case .input(.key(let key)):
            message = nil
            tally = nil
            handle(key)
        case .input(.paste(let text)):
            paste(text)
        case .input(.mouse(let mouse)): handle(mouse)
        case .input(.resize(let width, let height)): size = (max(0, width), max(0, height))
        case .found(let found):
            documents.append(found)
            if let first = found.first, !givenEdits.isEmpty {
                whatIfs[first.id] = WhatIf(givenEdits, original: nil)
                givenEdits = []
            }
        case .foundAgain(let new, let order, let gone, let isAsked):
            documents.append(new)
            // There may be newer states.
            histories = histories.filter { if case .awaited = $0.value { true } else { false } }
            if documents.arrange(in: order) { applyFilter() }
            if let notice = Notice.foundAgain(new: new.count, gone: gone, isAsked: isAsked) { say(notice) }
        case .finishedFinding(let leftOut): documents.finishFinding(leftOut: leftOut)
        case .foundHistory(let document, let states, let problem):
            histories[document] = states.isEmpty ? nil : .known(states)
            if let problem { message = Message(Notice(problem), stays: true) }
            guard !states.isEmpty else { break }
            if inspection?.document == document, timeline == nil, overlay == nil {
                message = nil
                showHistory(of: document)
            } else {
                say(.foundHistory(of: documents[document]?.displayName ?? ""))
            }
        case .read(let document, let content):
            take(content, of: document)
            change(ChainTable.self) { $0.take(content, of: document) }
        case .readMigrated(let document, let content): take(content, of: document, isMigrated: true)
        case .followed(let followed): show(followed)
        case .blamed(let blamed): show(blamed)
        case .ordered(let states, let key, let values): take(order: states, by: key, values: values)
        case .checked(let checked):
            documents.note(checked)
            forgetStates(checked.map(\.document))
        case .running(let document, let progress, let known): note(progress, known, of: document)
        case .traced(let document, let trace): if inspection?.document == document { show(trace, of: document) }
        case .ranStep(let job, let trace, let hash): take(trace, hash: hash, of: job)
        case .experimenting(let document, let runs):
            if shown?.document == document, shown?.isLeftAlone == false { shown?.experiments = runs }
        case .experimented(let document, let trace):
            if shown?.document == document { show(proved: trace) }
        case .outlined(let chain, let found):
            chains.take(found, of: chain)
            if let table = chainTable, table.chain?.isExactly(chain.name) == true {
                overlay = table.knowing(chain, found)
            }
        case .observedFields(let groups): change(ChainTable.self) { $0 = $0.knowing(groups) }
        case .foundChains(let found): chains.all = found
        case .completed(let typed, let names): take(completions: names, of: typed)
        case .notOpened(let name, let reason): askPath(name, problem: reason)
        case .sourceRead(let document, let bytes):
            guard shown?.document == document else { break }
            shown?.unparsedSource = bytes
            showSourceText()
        case .shrunk(let document, let smallest, let runs):
            if shown?.document == document { show(smallest: smallest, runs: runs) }
        case .redacted(let document, let redaction):
            if let shown, shown.document == document { offer(redaction, outcome: shown.whole.outcome) }
        case .changed(let document):
            forgetStates([document])
            if inspection?.document == document { readChanged(document) }
        case .notEdited(let document):
            whatIfs[document] = nil
            if inspection?.document == document { inspect(document) }
            message = Message(.changesAreGone, stays: true)
        case .rebuilt:
            isRebuilt = true
            // The bottom line keeps showing this for as long as it is true.
            say(.rebuilt)
        case .copied(let text): offer(PageView(copied: text, repertoire), else: .copied)
        case .edited(let document, let note):
            if shown?.document == document { traceAgain() }
            if let note { message = Message(Notice(note), stays: true) }
        case .written(let writing, let outcome): note(outcome, of: writing)
        case .finished(let result): result.deliver(&self)
        case .tick: tick()
        case .notice(let text): message = Message(Notice(text))
        }
        switch event {
        case .input(.key), .input(.mouse): opening = nil
        default: openFirst()
        }
        beginTour()
        // The selected document is shown, no matter what moved the selection.
        if let selected = documents.selectedDocument, selected != inspection?.document {
            if timeline?.position(of: selected) == nil { timeline = nil }
            inspect(selected)
        }
        learnStates()
        arrange()
        return effects
    }

    /// Goes to what should be shown first, once it is known which document that is.
    private mutating func openFirst() {
        let row: Int?
        var view: InspectedView?
        switch opening {
        case .document(let title)?: row = documents.row(titled: title)
        case .view(let given)?: (row, view) = (documents.row(titled: given.title), given)
        case .timeline?:
            guard !documents.isFinding else { return }
            opening = nil
            guard documents.haveCommits else { return }
            // The first one is the newest state, committed or not.
            documents.select(row: 0)
            if let newest = documents.selectedDocument { showHistory(of: newest) }
            return
        case .failure?: row = documents.rowOfFirstProblem
        case nil: return
        }
        if let row {
            opening = nil
            documents.select(row: row)
            if let view, let document = documents.selectedDocument {
                returning = Returning(document: document, stop: view.stop, row: RowPosition(row: view.row))
                if !view.supposition.isEmpty { whatIfs[document] = WhatIf(view.supposition, original: nil) }
                // The document may already be awaited without the changes.
                if inspection?.document == document { inspect(document) }
            }
        } else if !documents.isFinding, !documents.isChecking {
            opening = nil
        }
    }

    private mutating func tick() {
        spinner &+= 1
        if isWaiting { ticksWaiting += 1 }
        overlay?.tick(in: &self)
        if message?.tick() == false { message = nil }
    }

    // MARK: The document

    /// Reads everything again, starting with the document on the screen.
    mutating func reload() {
        message = Message(.readAgain)
        if shown != nil { traceAgain() } else if let document = inspection?.document { inspect(document) }
        effects.append(.lookAgain)
    }

    /// Requests another trace of the document on the screen, with the current changes. The view stays in place
    /// meanwhile.
    mutating func traceAgain() {
        guard let shown else { return }
        returning = Returning(document: shown.document, stop: shown.stop, row: shown.step.cursor)
        inspect(shown.document)
    }

    /// Reads a document again that another program has changed. The view keeps its position.
    private mutating func readChanged(_ document: FoundDocument.ID) {
        say(.hasChanged(documents[document]?.displayName ?? ""))
        if shown == nil { inspect(document) } else { traceAgain() }
    }

    private mutating func inspect(_ document: FoundDocument.ID) {
        if case .waiting(let earlier, _)? = inspection { effects.append(.cancelTrace(earlier)) }
        for purpose in [BackgroundJob.Purpose.step, .source, .search, .hashes] { cancel(purpose) }
        ticksWaiting = 0
        if let shown { letGo(of: shown) }
        if overlay?.isOfDocument == true { closeOverlay() }
        inspection = .waiting(document, progress: nil)
        effects.append(.trace(document, supposing: whatIfs[document]?.supposition ?? Supposition()))
    }

    private mutating func note(_ progress: RunProgress, _ known: MigrationTrace?, of document: FoundDocument.ID) {
        switch inspection {
        case .waiting(document, _)?: inspection = .waiting(document, progress: progress)
        case .shown(let shown)? where shown.document == document && shown.running?.activity == progress.activity:
            self.shown?.running = progress
        case .shown(let shown)? where shown.document == document && shown.running != nil:
            // The known trace is about an earlier point of the work.
            inspection = .waiting(document, progress: progress)
        default: return
        }
        guard let known, shown == nil else { return }
        inspection = .shown(ShownDocument(known, of: document, running: progress))
        showStop()
        showSourceText()
    }

    private mutating func show(_ trace: MigrationTrace, of document: FoundDocument.ID) {
        let isChanged = whatIfs[document]?.isEmpty == false
        if !isChanged { noteResult(CheckResult(trace, versionKey: versionKey), of: document) }
        inspection = .shown(ShownDocument(trace, of: document))
        var row: RowPosition?
        if let returning, returning.document == document, let count = shown?.stopCount {
            if trace.failure == nil { shown?.stop = min(returning.stop, count - 1) }
            if shown?.stop == returning.stop { row = returning.row }
        }
        returning = nil
        if trace.outcome != .unrecognized, trace.document != nil, recordedSource == nil {
            effects.append(.prove(document, trace, among: documents.lenders(to: trace)))
        }
        effects += chains.wantAll()
        if let chain = trace.chain, recordedSource == nil { effects += chains.wantOutline(of: chain) }
        if timeline == nil { showStop(selecting: row) } else { compareWithNeighbor(selecting: row) }
        // The trace of a document that did not parse does not include its text.
        if trace.document == nil, trace.failure?.kind == .malformed, trace.outcome != .unreadable, recordedSource == nil
        {
            effects.append(.readSource(document))
        } else {
            showSourceText()
        }
    }

    /// Shows the findings of experiments. The view keeps its position.
    private mutating func show(proved trace: MigrationTrace?) {
        let earlier = shown?.failureHere?.location
        shown?.experiments = nil
        guard let trace, let document = shown?.document else { return }
        if whatIf?.isEmpty ?? true {
            documents.note([CheckedDocument(document, result: CheckResult(trace, versionKey: versionKey))])
        }
        shown?.prove(trace)
        change(ChainTable.self) { $0.noteFindings(of: trace) }
        shown?.step.renewOverview()
        guard shown?.failureHere != nil else {
            if shown?.shownStep?.finding?.notMoved.isEmpty == false {
                showStop(selecting: shown?.step.cursor)
            } else if let step = shown?.step, let difference = step.difference, !step.isArranged {
                showDifference(size: difference.nodeCount, selecting: step.cursor) { _ in difference }
            }
            return
        }
        // If there was no culprit before, the cursor moves to it, unless the user has moved the cursor.
        let isWaiting = shown?.step.position.selected == 0 && shown?.step.rows.contains(where: \.isCulprit) == false
        let selected = shown?.step.selectedRow.flatMap {
            $0.isCulprit || isWaiting ? nil : shown?.step.cursor
        }
        showStop(selecting: selected)
        if shown?.failureHere?.location != earlier { showSourceText() }
    }

    /// Updates the list if a document has changed or disappeared since it was checked.
    private mutating func noteResult(_ result: CheckResult, of document: FoundDocument.ID) {
        let earlier = documents.result(of: document)?.outcome
        documents.note([CheckedDocument(document, result: result)])
        guard let earlier, earlier != result.outcome, let name = documents[document]?.displayName else { return }
        say(Notice("\(name) \(result.wordsOfChange)"))
    }

    // MARK: Jobs

    mutating func cancel(_ purpose: BackgroundJob.Purpose) {
        if let job = jobs.removeValue(forKey: purpose) { effects.append(.cancel(job)) }
    }

    /// Starts work in place of earlier work for the same purpose. Small work is done immediately, so that small
    /// documents never flicker.
    ///
    /// - Parameters:
    ///   - size: The amount of work, in documents, rows, nodes or bytes.
    ///   - work: Does the work; returns nil if cancelled.
    ///   - take: Handles the result, unless it arrives too late.
    mutating func start<Value: Sendable>(
        _ purpose: BackgroundJob.Purpose, size: Int,
        _ work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Value?,
        then take: @escaping @Sendable (inout Inspector, Value) -> Void
    ) {
        cancel(purpose)
        jobCount += 1
        let id = BackgroundJob.ID(serial: jobCount)
        jobs[purpose] = id
        let job = BackgroundJob(id: id) { isCancelled in
            work(isCancelled).map { value in
                JobResult { inspector in
                    guard inspector.jobs[purpose] == id else { return }
                    inspector.jobs[purpose] = nil
                    take(&inspector, value)
                }
            }
        }
        if size <= Self.doneAtOnce, let result = job.work({ false }) {
            result.deliver(&self)
        } else {
            effects.append(.perform(job))
        }
    }

    /// The size up to which work is not worth waking a thread.
    private static var doneAtOnce: Int { 2000 }
}
