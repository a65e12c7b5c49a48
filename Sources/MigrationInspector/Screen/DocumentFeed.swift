import CursesTerminal
import DocumentModel
import DocumentSources
import Foundation
import InspectorUI
import MigrationCore
import MigrationWorker

/// Finds documents and checks them, on threads of their own, and posts what comes of it; and looks again when asked to.
///
/// Finding never waits for checking, so that a large folder is listed at once.
///
/// ## Invariant
/// Everything mutable is touched only while `condition` is locked, which is what makes the class `Sendable`.
final class DocumentFeed: @unchecked Sendable {
    private let opener: Opener
    private let mailbox: EventMailbox
    private let condition = NSCondition()
    private var items: [DocumentReference] = []
    private var unposted: [CheckedDocument] = []
    private let run = Locked<Checks?>(nil)
    private var isStopped = false
    /// What is to be looked at again, once what is being done is done.
    private var wish: Wish?
    /// The folders in which documents lie, or may come.
    let folders = FolderWatch()

    /// What is to be looked at again.
    enum Wish: Int, Comparable {
        /// What has come, gone or changed.
        case changed
        /// Everything.
        case all

        static func < (left: Wish, right: Wish) -> Bool { left.rawValue < right.rawValue }
    }

    init(opener: Opener, mailbox: EventMailbox) {
        self.opener = opener
        self.mailbox = mailbox
    }

    /// Begins to find documents, and to check them.
    func start(_ walker: DocumentWalker) {
        GuardedThread.start(name: "find") { [self] in
            var known = KnownDocuments()
            find(walker, checks { $0 }, &known)
            while let wish = takeWish(after: .now + rest(after: known.lookTime)) {
                lookAgain(walker, wish, &known)
            }
        }
        GuardedThread.start(name: "post") { [self] in post() }
    }

    /// Looks for documents again, as soon as what is being done is done.
    func lookAgain(_ wish: Wish) {
        condition.withLock {
            self.wish = max(self.wish ?? wish, wish)
            condition.broadcast()
        }
    }

    /// How long to rest when what changed was looked for: so long that looking never takes much of the time, and less of
    /// it where the system does not tell whether anything has changed.
    private func rest(after time: Duration) -> Duration {
        folders.knows ? max(.milliseconds(300), time * 3) : max(.seconds(1), time * 20)
    }

    /// What is to be looked at again; waits until something is, and for what nobody asked for as long as that; nil when
    /// there will be nothing any more.
    private func takeWish(after time: ContinuousClock.Instant) -> Wish? {
        condition.lock()
        defer { condition.unlock() }
        while !isStopped {
            let rest = ContinuousClock.now.duration(to: time)
            if let wish, wish == .all || rest <= .zero {
                self.wish = nil
                return wish
            }
            if wish == nil {
                condition.wait()
            } else {
                _ = condition.wait(until: .now + rest / .seconds(1))
            }
        }
        return nil
    }

    private typealias Checks = DocumentRun<DocumentReference, (document: DocumentReference, result: CheckResult)>

    /// - Parameter document: The number of a document that is checked, in the order of all that were found.
    private func checks(of document: @escaping @Sendable (_ number: Int) -> Int) -> Checks {
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

    /// Where a document is that was found. Documents are numbered in the order in which they are found.
    func reference(of document: FoundDocument.ID) -> DocumentReference? {
        condition.withLock { items.indices.contains(document.number) ? items[document.number] : nil }
    }

    /// Gives up finding and checking.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.broadcast()
        }
        run.withLock { $0?.cancel() }
    }

    private func isCancelled() -> Bool { condition.withLock { isStopped } }

    // MARK: - Finding

    /// What the thread that finds documents knows of them.
    private struct KnownDocuments {
        /// A mark of the state that each was in when it was last checked.
        var marks: [Int] = []
        /// The order in which they are shown.
        var order: [Int] = []
        /// Those that are not there any more.
        var gone: Set<Int> = []
        /// How long it took to look at all of them again, and to check what has changed.
        var lookTime = Duration.zero
    }

    private func find(_ walker: DocumentWalker, _ checks: Checks, _ known: inout KnownDocuments) {
        let folder = walker.shownFolder
        var marks = DocumentMarks()
        var found: [Int] = []
        let leftOut = try? walker.walk(isCancelled: isCancelled, entering: folders.watch) { [self] batch in
            found += batch.map { marks.mark(of: $0) }
            add(batch, below: folder) { mailbox.post(.found($0)) }
            batch.forEach(checks.add)
        }
        defer { finish(checks) }
        known.marks = found
        known.order = Array(found.indices)
        if let leftOut { tell(leftOut) }
    }

    /// Numbers documents, and tells of them before anything else can: the screen has to know a document before it hears
    /// what became of it.
    private func add(_ found: [DocumentReference], below folder: FilePath, tell: ([FoundDocument]) -> Void) {
        // Only the thread that finds documents adds any.
        let count = condition.withLock { items.count }
        let documents = zip(count..., found).map { FoundDocument(.init($0), $1, below: folder) }
        condition.withLock {
            items += found
            tell(documents)
        }
    }

    private func tell(_ leftOut: DocumentWalker.LeftOut) {
        mailbox.post(
            .finishedFinding(
                leftOut: DocumentWalker.Omission.allCases.compactMap { omission in
                    leftOut[omission].map { LeftOut(omission.noun(count: $0), count: $0) }
                }))
    }

    // MARK: - Looking again

    private func lookAgain(_ walker: DocumentWalker, _ wish: Wish, _ known: inout KnownDocuments) {
        let items = condition.withLock { self.items }
        // What is reached twice under one name is listed twice.
        var numbers: [DocumentReference: ArraySlice<Int>] = [:]
        for (number, item) in items.enumerated() { numbers[item, default: []].append(number) }
        var marks = DocumentMarks()
        var (seen, order, changed) = (Set<Int>(), [Int](), [Int]())
        var new: [DocumentReference] = []
        var renewed: [(Int, DocumentReference)] = []
        // A file that holds documents may be one that just now cannot be read: they stay as they are. So may a folder,
        // whose documents are gone then.
        var unreadable: Set<FilePath> = []
        let knownFiles = Set(items.map(\.file) + walker.given.map(\.path))
        let start = ContinuousClock.now
        var found: [DocumentReference] = []
        let leftOut = try? walker.walk(isCancelled: isCancelled, entering: folders.watch) { found += $0 }
        defer { known.lookTime = start.duration(to: .now) }
        guard let leftOut else { return }
        for item in found {
            let mark = marks.mark(of: item)
            if let number = numbers[item]?.popFirst() {
                seen.insert(number)
                order.append(number)
                renewed.append((number, item))
                if wish == .all || known.marks[number] != mark || known.gone.contains(number) { changed.append(number) }
                known.marks[number] = mark
            } else if item.problem != nil, knownFiles.contains(item.file) {
                unreadable.insert(item.file)
            } else {
                order.append(items.count + new.count)
                changed.append(items.count + new.count)
                known.marks.append(mark)
                new.append(item)
            }
        }
        let missing = items.indices.filter { !seen.contains($0) && !unreadable.contains(items[$0].file) }
        let gone = missing.filter { !known.gone.contains($0) }
        known.gone = Set(missing)
        order = order.keeping(known.order.filter { !seen.contains($0) }, after: known.order)
        known.order = order
        condition.withLock { for (number, item) in renewed { self.items[number] = item } }
        add(new, below: walker.shownFolder) {
            if wish == .all || !$0.isEmpty || !gone.isEmpty {
                mailbox.post(
                    .foundAgain(
                        $0, order: order.map { .init($0) }, gone: gone.count, isAsked: wish == .all))
            }
        }
        tell(leftOut)
        let wanted = changed + gone
        guard !wanted.isEmpty else { return }
        let checks = checks { wanted[$0] }
        for number in wanted { reference(of: .init(number)).map(checks.add) }
        finish(checks)
    }

    // MARK: - Checking

    /// Often enough to look steady, seldom enough to leave the screen time for keys.
    private static let postInterval = 0.05

    private func finish(_ checks: Checks) {
        do throws(WorkerError) { try checks.finish() } catch { mailbox.post(.notice("\(error)")) }
    }

    /// Posts what was checked. A thread of its own, so that a migration that never comes to an end holds back nothing
    /// but itself.
    private func post() {
        while let checked = takeUnposted() {
            mailbox.post(.checked(checked))
            Thread.sleep(forTimeInterval: Self.postInterval)
        }
    }

    /// What was checked since; waits where that is nothing. Nil when there will be nothing any more.
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

/// Tells by a number whether a file was changed since its documents were last looked at.
private struct DocumentMarks {
    private var last: (file: FilePath, mark: Int)?

    /// The mark of the file that a document lies in; documents of one file follow each other.
    mutating func mark(of document: DocumentReference) -> Int {
        if let last, last.file == document.file { return last.mark }
        let mark = document.stamp.hashValue
        last = (document.file, mark)
        return mark
    }
}

extension [Int] {
    /// The numbers with others between them, each of them behind the one that it followed earlier.
    fileprivate func keeping(_ others: [Int], after earlier: [Int]) -> [Int] {
        guard !others.isEmpty else { return self }
        let kept = Set(others)
        var followers: [Int: [Int]] = [:]
        var (last, first): (Int?, [Int]) = (nil, [])
        for number in earlier {
            if !kept.contains(number) {
                last = number
            } else if let last {
                followers[last, default: []].append(number)
            } else {
                first.append(number)
            }
        }
        return first + flatMap { [$0] + (followers[$0] ?? []) }
    }
}

extension DocumentWalker {
    /// The folder from which the names in the list go on. Of several things that were opened, the names as they were given
    /// tell which is which.
    fileprivate var shownFolder: FilePath { given.count == 1 ? given[0].path : "" }
}

extension FoundDocument {
    /// The document that `reference` names, with the names by which a person tells it from others.
    ///
    /// - Parameter folder: What was opened: names go on from there.
    init(_ id: ID, _ reference: DocumentReference, below folder: FilePath) {
        let names = reference.names(below: folder)
        self.init(
            id: id, name: reference.name, place: names.place, displayName: names.label, title: names.title,
            firstLine: reference.firstLine)
    }
}
