import CursesTerminal
import DocumentModel
import DocumentSources
import InspectorUI
import MigrationCore
import MigrationWorker

/// The event loop: passes events to the ``Inspector``, performs the effects it requests, and draws what it shows.
@MainActor
final class InspectorSession {
    private let terminal: any SessionTerminal
    private let mailbox: EventMailbox
    private let feed: DocumentFeed
    private let tracer: TraceWorker
    private let jobs: JobRunner
    private let states: StateReader
    private let host: WorkerHost
    private var inspector: Inspector
    private var isDone = false
    private let watch: FileWatch
    /// The documents that are open.
    private var walker: DocumentWalker?
    /// The documents that the user wants to open instead.
    private let wanted = Locked<DocumentWalker?>(nil)
    /// The documents to open after this session, and the state carried over to them.
    private(set) var next: (walker: DocumentWalker, carried: Inspector.Carried)?
    /// The view that a new build of the program should show, if the user requested a restart.
    private(set) var viewForNewBuild: InspectedView?

    /// - Parameters:
    ///   - title: The origin of the documents.
    ///   - first: The title of the document to show first; nil for the first one that fails.
    ///   - order: The value that orders the documents of one folder, file or column in time; nil to keep their order
    ///     there.
    ///   - tour: A guided tour of the documents.
    ///   - startsTour: Whether to start with the tour.
    ///   - view: The view to show first instead, if the program was restarted with one.
    ///   - carried: The state carried over from the documents that were open before; nil for those named on the command
    ///     line.
    init(
        terminal: any SessionTerminal, opener: Opener, title: String, first: String?, opensTimeline: Bool = false,
        order: OrderKey?,
        tour: Tour?, startsTour: Bool, view: InspectedView?, carried: Inspector.Carried? = nil
    ) {
        self.terminal = terminal
        mailbox = EventMailbox(waker: terminal.waker)
        // The list shows the files as they are. Edits in memory are up to the inspector.
        var unchanged = opener
        unchanged.edits = []
        feed = DocumentFeed(opener: unchanged, mailbox: mailbox)
        tracer = TraceWorker(opener: unchanged, mailbox: mailbox)
        jobs = JobRunner(mailbox: mailbox)
        states = StateReader(opener: unchanged, feed: feed, mailbox: mailbox)
        watch = FileWatch(mailbox: mailbox, program: Restart.program.map { FilePath($0) }, feed: feed)
        host = opener.host
        terminal.onStop = WorkerHost.pause
        terminal.onContinue = WorkerHost.resume
        host.onMainThreadWork { [waker = terminal.waker] in waker.wake() }
        inspector = Inspector(
            title: title, first: first, opensTimeline: opensTimeline, edits: opener.edits, order: order,
            versionKey: opener.versionKey, tour: tour, startsTour: startsTour,
            view: view, program: Console.programName,
            repertoire: terminal.glyphs.repertoire)
        if let carried { inspector.goOn(from: carried) }
    }

    private static let tickInterval = Duration.milliseconds(120)

    /// Shows the documents that `walker` finds until the user quits.
    ///
    /// - Parameters:
    ///   - folder: The folder that names in the list are relative to; nil for what was opened.
    ///   - endsSettled: Whether to end by itself once the screen stays as it is.
    /// - Returns: The signal that ended the session, if any. The terminal is then still open.
    func run(
        _ walker: DocumentWalker, below folder: FilePath?, endsSettled: Bool = false
    ) -> TerminationSignal? {
        self.walker = walker
        feed.start(walker, below: folder)
        watch.start()
        defer {
            watch.stop()
            feed.stop()
            states.cancel()
            tracer.cancel()
        }
        handle(.input(.resize(width: terminal.size.width, height: terminal.size.height)))
        var nextTick = ContinuousClock.now
        while !isDone {
            draw()
            if endsSettled, inspector.isSettled, mailbox.isEmpty { return nil }
            let wait: Duration? = inspector.wantsTicks ? max(.zero, nextTick - .now) : nil
            for event in terminal.nextEvents(timeout: wait) where !isDone {
                switch event {
                case .input(let input): handle(.input(input))
                case .woken:
                    host.runOnMainThread()
                    for event in mailbox.drain() { take(event) }
                    if let walker = wanted.withLock({ $0 }) {
                        next = (walker, inspector.carried)
                        isDone = true
                    }
                case .terminate(let signal): return signal
                }
            }
            if inspector.wantsTicks, ContinuousClock.now >= nextTick {
                handle(.tick)
                nextTick = .now + Self.tickInterval
            }
        }
        return nil
    }

    private func draw() {
        let canvas = inspector.canvas(
            width: terminal.size.width, height: terminal.size.height, glyphs: terminal.glyphs)
        terminal.present(canvas, theme: terminal.theme)
    }

    private func handle(_ event: InspectorEvent) {
        for effect in inspector.handle(event) { perform(effect) }
    }

    /// Handles an event from another thread, which cannot access the terminal's clipboard.
    private func take(_ event: InspectorEvent) {
        if case .copied(let text) = event { copy(text) }
        handle(event)
    }

    private func copy(_ text: String) {
        if !terminal.copy(text) { handle(.notice(CommandWords.tooLongToCopy)) }
    }

    private func outline(_ chain: String) {
        mailbox.start("outline") { [host, mailbox] in
            let known = try? host.chains().first { $0.name.isExactly(chain) }
            let outlines = known.flatMap { try? host.outlines(of: $0) }
            // A recorded trace may be of a chain that this program doesn't have.
            mailbox.post(.outlined(known ?? ChainDescription(name: chain, versions: []), outlines ?? []))
        }
    }

    /// Opens something else once a document is found in it, which may take long. Until then, everything stays as it is.
    private func open(_ name: String) {
        guard let open = walker else { return }
        mailbox.start("open") { [mailbox, wanted] in
            let walker = open.looking(through: [GivenName(PathCompletion.path(name))])
            if let problem = walker.problemOfOpening { return mailbox.post(.notOpened(name, because: problem)) }
            wanted.withLock { $0 = walker }
            mailbox.wake()
        }
    }

    private func perform(_ effect: InspectorEffect) {
        switch effect {
        case .trace(let document, let supposition):
            guard let reference = feed.reference(of: document) else { return }
            tracer.trace(reference, of: document, supposing: supposition)
            watch.watch(reference, of: document)
        case .prove(let document, let trace, let lenders):
            guard let reference = feed.reference(of: document) else { return }
            tracer.prove(trace, reference, of: document, among: lenders.compactMap(feed.reference))
        case .shrink(let document, let trace):
            guard let reference = feed.reference(of: document) else { return }
            tracer.shrink(trace, reference, of: document)
        case .redact(let document, let trace):
            guard let reference = feed.reference(of: document) else { return }
            tracer.redact(trace, reference, of: document)
        case .outline(let chain): outline(chain)
        case .findChains:
            mailbox.start("chains") { [host, mailbox] in
                if let chains = try? host.chains() { mailbox.post(.foundChains(chains)) }
            }
        case .complete(let text):
            mailbox.start("complete") { [mailbox] in
                mailbox.post(.completed(text, PathCompletion.names(beginning: text)))
            }
        case .open(let name): open(name)
        case .findHistory(let document): feed.findHistory(of: document)
        case .read(let document): states.read(document)
        case .readMigrated(let document): states.readMigrated(document)
        case .blame(let request): states.blame(request)
        case .follow(let request): states.follow(request)
        case .order(let documents, let key): states.order(documents, by: key)
        case .observeFields(let groups): states.observeFields(of: groups)
        case .stopReading: states.cancel()
        case .lookAgain: feed.lookAgain(.all)
        case .cancelTrace: tracer.cancel()
        case .stopTrace: tracer.stop()
        case .readSource(let document):
            guard let reference = feed.reference(of: document) else { return }
            tracer.readSource(reference, of: document)
        case .takeMouse(let isTaken): terminal.takesMouse = isTaken
        case .copy(let text): copy(text)
        case .copyStory(let document, let trace, let supposition):
            guard let reference = feed.reference(of: document) else { return }
            guard trace.hasAllSnapshots else {
                // The text comes back as an event, and is then copied.
                mailbox.start("story") { [tracer, mailbox] in
                    do {
                        let whole = try tracer.completed(trace, reference, supposing: supposition)
                        mailbox.post(.copied(TraceStory.text(of: whole, reference, edits: supposition.edits)))
                    } catch {
                        mailbox.post(.notice("\(error)"))
                    }
                }
                return
            }
            take(.copied(TraceStory.text(of: trace, reference, edits: supposition.edits)))
        case .edit(let document, let location):
            guard let reference = feed.reference(of: document) else { return }
            var note: String?
            terminal.lend { note = Editor().open(reference, at: location, isAskedToEnd: $0) }
            handle(.edited(document, note: note))
        case .write(let writing):
            guard let reference = feed.reference(of: writing.document) else { return }
            mailbox.start("write") { [mailbox, tracer] in
                let outcome = FileWriting(writing: writing, reference: reference) {
                    try tracer.completed($0, reference, supposing: writing.supposition)
                }.perform()
                mailbox.post(.written(writing, outcome))
            }
        case .perform(let job): jobs.perform(job)
        case .cancel(let id):
            jobs.cancel(id)
            tracer.cancelStep(id)
        case .runStep(let job, let document, let version, let supposition):
            guard let reference = feed.reference(of: document) else { return }
            tracer.runStep(job, of: reference, to: version, supposing: supposition)
        case .redraw: terminal.redraw()
        case .suspend: terminal.suspend()
        case .restart(let view):
            viewForNewBuild = view
            isDone = true
        case .quit: isDone = true
        }
    }
}

extension DocumentWalker {
    /// The reason why the path cannot be opened instead of the current one; nil if a document is found there.
    fileprivate var problemOfOpening: String? {
        guard let given = given.first, given.exists else { return "\(SourceProblem.noSuchFile)" }
        if given.isReadOnce { return CommandWords.onlyOnCommandLine }
        var first: DocumentReference?
        let leftOut = try? walk(isCancelled: { first != nil }, deliver: { first = first ?? $0.first })
        if let first { return first.isGiven ? first.problem.map { "\($0.reason)" } : nil }
        return CommandWords.nothingToOpen(leftOut: leftOut ?? [:])
    }
}
