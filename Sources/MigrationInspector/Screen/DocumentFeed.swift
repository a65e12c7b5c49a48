import CursesTerminal
import DocumentModel
import DocumentSources
import Foundation
import InspectorUI
import MigrationCore
import MigrationWorker

/// Finds documents and checks them, on separate threads, and posts the results. Looks again on request.
///
/// Finding never waits for checking, so even a large folder is listed at once.
///
/// ## Invariant
/// All mutable state is accessed only while `condition` is locked, which makes the class `Sendable`.
final class DocumentFeed: @unchecked Sendable {
    private let opener: Opener
    private let mailbox: EventMailbox
    private let condition = NSCondition()
    private var items: [DocumentReference] = []
    private var unposted: [CheckedDocument] = []
    private let run = Locked<DocumentChecks?>(nil)
    private var isStopped = false
    /// The next look at the documents, after the current work is done.
    private var wish: RefreshScope?
    /// The documents whose committed states have been requested.
    private var wantedHistories: [FoundDocument.ID] = []
    /// How long the last look took, including the checks of changed documents. Used only by the thread that finds
    /// documents.
    private var lookTime = Duration.zero
    /// The folders that contain documents, or may contain some later.
    let folders = FolderWatch()

    /// The documents to look at again.
    enum RefreshScope: Int, Comparable {
        /// Documents that are new, gone or changed.
        case changed
        /// All documents.
        case all

        static func < (left: RefreshScope, right: RefreshScope) -> Bool { left.rawValue < right.rawValue }
    }

    init(opener: Opener, mailbox: EventMailbox) {
        self.opener = opener
        self.mailbox = mailbox
    }

    /// Starts to find and check documents.
    ///
    /// - Parameter folder: The folder that displayed names are relative to; nil for what was opened.
    func start(_ walker: DocumentWalker, below folder: FilePath? = nil) {
        mailbox.start("find") { [self] in
            var known = KnownDocuments()
            var walker = walker
            let folder = folder ?? walker.shownFolder
            find(walker, checks { $0 }, &known, below: folder)
            while let work = takeWork(after: .now + rest) {
                switch work {
                case .look(let wish): lookAgain(walker, wish, &known, below: folder)
                case .history(let document):
                    if let found = findHistory(of: document, walker, &known) { walker = walker.adding(found) }
                }
            }
        }
        mailbox.start("post") { [self] in post() }
    }

    /// Looks for documents again, as soon as the current work is done.
    func lookAgain(_ wish: RefreshScope) {
        condition.withLock {
            self.wish = max(self.wish ?? wish, wish)
            condition.broadcast()
        }
    }

    /// Finds the committed states of a document.
    func findHistory(of document: FoundDocument.ID) {
        condition.withLock {
            wantedHistories.append(document)
            condition.broadcast()
        }
    }

    private enum Work {
        case look(RefreshScope)
        case history(FoundDocument.ID)
    }

    /// How long to rest after looking for changes. It's long enough that looking never takes much of the time, and
    /// longer if the system doesn't report whether anything has changed.
    private var rest: Duration {
        folders.knows ? max(.milliseconds(300), lookTime * 3) : max(.seconds(1), lookTime * 20)
    }

    /// Waits for work and returns it; returns nil after a stop. A look that the user didn't request is delayed until
    /// `time`.
    private func takeWork(after time: ContinuousClock.Instant) -> Work? {
        condition.lock()
        defer { condition.unlock() }
        while !isStopped {
            let rest = ContinuousClock.now.duration(to: time)
            if !wantedHistories.isEmpty { return .history(wantedHistories.removeFirst()) }
            if let wish, wish == .all || rest <= .zero {
                self.wish = nil
                return .look(wish)
            }
            if wish == nil {
                condition.wait()
            } else {
                _ = condition.wait(until: .now + rest / .seconds(1))
            }
        }
        return nil
    }

    /// - Parameter document: Returns the number of a checked document in the order of all that were found.
    private func checks(of document: @escaping @Sendable (_ number: Int) -> Int) -> DocumentChecks {
        let checks = opener.checks(isOrdered: false) { [self] number, _, result in
            condition.withLock {
                unposted.append(CheckedDocument(FoundDocument.ID(document(number)), result: result))
                condition.broadcast()
            }
        }
        run.withLock { $0 = checks }
        if isCancelled() { checks.cancel() }
        return checks
    }

    /// Returns a found document. Documents are numbered in the order in which they are found.
    func reference(of document: FoundDocument.ID) -> DocumentReference? {
        condition.withLock { items.indices.contains(document.number) ? items[document.number] : nil }
    }

    /// Stops finding and checking.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.broadcast()
        }
        run.withLock { $0?.cancel() }
    }

    private func isCancelled() -> Bool { condition.withLock { isStopped } }

    // MARK: - Finding

    private func find(
        _ walker: DocumentWalker, _ checks: DocumentChecks, _ known: inout KnownDocuments, below folder: FilePath
    ) {
        var first = known
        let leftOut = try? walker.walk(isCancelled: isCancelled, entering: folders.watch) { [self] batch in
            first.append(batch)
            add(batch, below: folder) { mailbox.post(.found($0)) }
            batch.forEach(checks.add)
        }
        known = first
        defer { finish(checks) }
        if let leftOut { report(leftOut) }
    }

    /// Numbers documents and announces them before anything else can refer to them: the screen has to know a document
    /// before it receives its result.
    private func add(_ found: [DocumentReference], below folder: FilePath, report: ([FoundDocument]) -> Void) {
        // Only the thread that finds documents adds any.
        let count = condition.withLock { items.count }
        let documents = zip(count..., found).map { FoundDocument(.init($0), $1, below: folder) }
        condition.withLock {
            items += found
            report(documents)
        }
    }

    private func report(_ leftOut: DocumentWalker.LeftOut) {
        mailbox.post(
            .finishedFinding(
                leftOut: DocumentWalker.Omission.allCases.compactMap { omission in
                    leftOut[omission].map { LeftOut(omission.noun(count: $0), count: $0) }
                }))
    }

    // MARK: - Looking again

    private func lookAgain(
        _ walker: DocumentWalker, _ wish: RefreshScope, _ known: inout KnownDocuments, below folder: FilePath
    ) {
        let start = ContinuousClock.now
        defer { lookTime = start.duration(to: .now) }
        var found: [DocumentReference] = []
        let leftOut = try? walker.walk(isCancelled: isCancelled, entering: folders.watch) { found += $0 }
        guard let leftOut else { return }
        let isAsked = wish == .all
        let news = known.compare(
            found, with: condition.withLock { items }, given: walker.given.map(\.path), changesAll: isAsked)
        condition.withLock { for (number, item) in news.seen { items[number] = item } }
        add(news.new, below: folder) {
            guard isAsked || !$0.isEmpty || news.goneCount > 0 else { return }
            mailbox.post(
                .foundAgain($0, order: known.order.map { .init($0) }, gone: news.goneCount, isAsked: isAsked))
        }
        report(leftOut)
        let wanted = news.changed
        guard !wanted.isEmpty else { return }
        let checks = checks { wanted[$0] }
        for number in wanted { reference(of: .init(number)).map(checks.add) }
        finish(checks)
    }

    // MARK: - History

    /// Finds the committed states of a document and checks them. They are listed after all other documents.
    ///
    /// - Returns: The name that was searched; nil if nothing was found, or if it was searched before.
    private func findHistory(
        of document: FoundDocument.ID, _ walker: DocumentWalker, _ known: inout KnownDocuments
    ) -> GivenName? {
        guard let reference = reference(of: document) else { return nil }
        guard !reference.isReadOnce, !reference.isOfCommit else {
            let problem = reference.isReadOnce ? CommandWords.noHistory : CommandWords.noHistoryOfCommit
            mailbox.post(.foundHistory(document, [], problem: problem))
            return nil
        }
        guard !reference.isRest else {
            mailbox.post(.foundHistory(document, [], problem: CommandWords.noHistoryOfRest))
            return nil
        }
        let isKnown =
            condition.withLock { items.contains { $0.revision != nil && $0.history == reference.history } }
            || walker.given.contains { $0.isHistory && $0.path == reference.history }
        if isKnown || reference.revision != nil {
            let numbers = condition.withLock {
                known.order.filter { items[$0].history == reference.history && !items[$0].isRest }
            }
            let states = condition.withLock { numbers.map { items[$0] } }
            let isCommitted = states.contains { $0.revision != nil }
            let problem = isCommitted ? nil : "\(reference.name): \(SourceProblem.git(.neverCommitted))"
            mailbox.post(
                .foundHistory(document, isCommitted ? Self.inTime(states) { numbers[$0] } : [], problem: problem))
            return nil
        }
        let name = GivenName(historyOf: reference.history, isCommittedOnly: true)
        var found: [DocumentReference] = []
        guard (try? DocumentWalker([name]).walk(isCancelled: isCancelled, deliver: { found += $0 })) != nil else {
            return nil
        }
        // A state in which the document is not there is one like any other.
        if let problem = found.first?.problem, found.first?.revision == nil {
            mailbox.post(.foundHistory(document, [], problem: "\(reference.name): \(problem.reason)"))
            return nil
        }
        let first = condition.withLock { items.count }
        let states = found.indices.filter { !found[$0].isRest }
        known.append(found)
        let checks = checks { first + $0 }
        add(found, below: "") { mailbox.post(.found($0)) }
        mailbox.post(
            .foundHistory(
                document, Self.inTime(states.map { found[$0] }) { first + states[$0] },
                problem: found.isEmpty ? "\(reference.name): \(SourceProblem.git(.neverCommitted))" : nil))
        found.forEach(checks.add)
        finish(checks)
        return found.isEmpty ? nil : name
    }

    /// - Parameter number: Returns the number of a document for its position among these.
    private static func inTime(_ states: [DocumentReference], number: (Int) -> Int) -> [StateInTime] {
        states.statesBefore().enumerated().map { position, before in
            StateInTime(document: .init(number(position)), before: before.map { FoundDocument.ID(number($0)) })
        }
    }

    // MARK: - Checking

    /// Often enough to look steady, but rarely enough to leave the screen time for keys.
    private static let postInterval = 0.05

    private func finish(_ checks: DocumentChecks) {
        do throws(WorkerError) { try checks.finish() } catch { mailbox.post(.notice("\(error)")) }
    }

    /// Posts the results of checks. This runs on a separate thread, so that a migration that never ends holds up
    /// nothing else.
    private func post() {
        while let checked = takeUnposted() {
            mailbox.post(.checked(checked))
            Thread.sleep(forTimeInterval: Self.postInterval)
        }
    }

    /// Waits for results that haven't been posted, and returns them; returns nil after a stop.
    private func takeUnposted() -> [CheckedDocument]? {
        condition.lock()
        defer { condition.unlock() }
        while !isStopped {
            if !unposted.isEmpty {
                defer { unposted = [] }
                return unposted
            }
            condition.wait()
        }
        return nil
    }
}

extension DocumentWalker {
    /// The folder that names in the list are relative to. If several paths were opened, the names are shown as given,
    /// to distinguish them.
    fileprivate var shownFolder: FilePath { given.count == 1 ? given[0].path : "" }
}

extension FoundDocument {
    /// Creates the document that `reference` names, with names that distinguish it from others.
    ///
    /// - Parameter folder: The opened folder, which names are relative to.
    init(_ id: ID, _ reference: DocumentReference, below folder: FilePath) {
        let names = reference.names(below: folder)
        self.init(
            id: id, name: reference.name, heading: names.place, displayName: names.label, title: names.title,
            firstLine: reference.firstLine, revision: reference.revision, isAbsent: reference.isAbsent,
            history: reference.history.description)
    }
}
