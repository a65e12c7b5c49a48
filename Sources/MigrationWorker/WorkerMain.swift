import CProcess
import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// A worker process: runs the app's code for its parent, one document at a time, on its main thread.
///
/// The parent starts the program again, with the arguments of its own, so that what an embedding program does before
/// its `main` gets here is done in both. The worker finds the socket, the page and the lifeline at descriptors 3 to 5,
/// and moves them to numbers that the app's code does not meet by chance.
public enum WorkerMain {
    /// Set in the environment of a worker, to how many bytes of address space it may have; 0 for any number.
    static let variable = "MIGRATION_INSPECTOR_WORKER"

    /// From where the worker has its descriptors: as far up as this process may have any, but for a few.
    fileprivate static let firstDescriptor: Int32 = {
        let most = cprocess_current_limit(Int32(cprocess_descriptors))
        return Int32(clamping: min(200, max(most, 36) - 32))
    }()
    private static let stackLength: UInt64 = 64 << 20

    /// In a worker, does its work, and ends the process with it; anywhere else, does nothing.
    ///
    /// - Parameter chains: The chains; called once, when it is certain that this is a worker.
    @MainActor
    public static func runIfWorker(chains: () -> [MigrationChain]) {
        guard let value = getenv(variable), let memoryLimit = UInt64(String(cString: value)) else { return }
        unsetenv(variable)
        let socket = fcntl(3, F_DUPFD_CLOEXEC, firstDescriptor)
        let pageDescriptor = fcntl(4, F_DUPFD_CLOEXEC, firstDescriptor + 1)
        let streams = [STDOUT_FILENO, STDERR_FILENO].map { fcntl($0, F_DUPFD_CLOEXEC, firstDescriptor + 2) }
        // As long as it is open, the process does not stay stopped when its parent is gone.
        let lifeline = fcntl(5, F_DUPFD_CLOEXEC, firstDescriptor)
        guard socket >= 0, pageDescriptor >= 0, lifeline >= 0, let page = WorkerPage(descriptor: pageDescriptor) else {
            exit(70)
        }
        for descriptor in [3, 4, 5, pageDescriptor] { close(descriptor) }
        WorkerFaults.note(in: page.fault)
        prepareProcess(memoryLimit: memoryLimit)
        watchParent(socket, page)
        page.state = .makingChains
        let chains = chains()
        do { try chains.checkDeclarations() } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(70)
        }
        Worker(FrameSocket(Descriptor(socket)), page, streams, chains).run()
    }

    private static func prepareProcess(memoryLimit: UInt64) {
        cprocess_limit(Int32(cprocess_stack), stackLength)
        // One byte: 0 would not keep a program that the system pipes cores to from being run (core(5)).
        cprocess_limit(Int32(cprocess_core), 1)
        if memoryLimit > 0 { cprocess_limit(Int32(cprocess_memory), memoryLimit) }
        cprocess_unbuffer_output()
        // Shared memory counts as a file: where it may not be that large, bytes go over the socket.
        signal(SIGXFSZ, SIG_IGN)
        #if os(Linux)
            // Should memory run out all the same, this is the process to end, not the program or another one.
            let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
            if file >= 0 {
                _ = write(file, "1000", 4)
                close(file)
            }
        #endif
    }

    /// Ends the process when the other end of the socket is closed: when the parent is gone. So it does when this end is,
    /// or is another file: the app's code did that, and nothing more can be answered. A thread of its own, so also while
    /// that code loops.
    private static func watchParent(_ socket: Int32, _ page: WorkerPage) {
        var status = stat()
        fstat(socket, &status)
        do throws(SystemFailure) {
            try WorkThread.start(name: "watch", stackSize: 256 << 10) { [status] in
                while true {
                    var request = pollfd(fd: socket, events: 0, revents: 0)
                    var now = stat()
                    // A wait does not end because a descriptor is closed meanwhile.
                    if poll(&request, 1, watchInterval) > 0 || fstat(socket, &now) != 0 || now.st_ino != status.st_ino {
                        endWithParent(page)
                    }
                }
            }
        } catch {
            page.state = .withoutThread
            _exit(70)
        }
    }

    /// How often it is looked whether the socket is still there, in milliseconds.
    private static let watchInterval: Int32 = 200

    /// Ends the process: the parent is gone.
    fileprivate static func endWithParent(_ page: WorkerPage) -> Never {
        page.state = .disconnected
        end()
    }

    /// Ends the process and what it started, and leaves no temporary file.
    fileprivate static func end() -> Never {
        TemporaryFiles.removeAll {
            kill(0, SIGKILL)
            _exit(0)
        }
    }
}

/// What the main thread of a worker does.
private final class Worker {
    private let socket: FrameSocket
    private let page: WorkerPage
    private let opener: DocumentOpener
    private let folder: Int32 = {
        let folder = cprocess_open_folder(".")
        defer { close(folder) }
        return fcntl(folder, F_DUPFD_CLOEXEC, WorkerMain.firstDescriptor)
    }()
    /// What was answered last, where the same answer need not be spelled again.
    private var lastAnswer: Repeatable?
    private var lastRequest: SentRequest?
    private var lastDocument: DocumentReference?
    /// For which asking the file of that was looked at; see ``DocumentOpener/asking``.
    private var lastAsking: UInt64?
    /// The number of the request that came last.
    private var number: UInt64 = 0
    /// Documents in shared memory that are yet to be sent, each with its memory. They are kept, so that none can have
    /// the identity of another that is gone.
    private var movedDocuments: [ObjectIdentifier: (document: Document, memory: Int32)] = [:]
    /// Standard output and standard error, also when the app's code has closed its own.
    private let streams: [Int32]

    init(_ socket: FrameSocket, _ page: WorkerPage, _ streams: [Int32], _ chains: [MigrationChain]) {
        self.socket = socket
        self.page = page
        self.streams = streams
        opener = DocumentOpener(chains: chains) { byteCount, share in
            page.byteCount = byteCount
            page.readShare = UInt64(share * 1000)
        }
    }

    func run() -> Never {
        RunPlace.current = page.place
        DecodingPlace.current = page.node
        send(.chains(opener.chains.map(ChainDescription.init)))
        var arrivals: UInt64 = 0
        while true {
            // What has arrived by now was asked for before any of it is answered.
            arrivals += 1
            opener.asking = arrivals
            do {
                while let frame = try socket.next() {
                    try answer(frame)
                    forget()
                }
            } catch {
                _exit(70)
            }
            if (try? socket.receive(waits: true)) ?? .end == .end { WorkerMain.endWithParent(page) }
        }
    }

    /// From this size on, a document takes memory that a worker without work is not to keep.
    private static let largeDocument = 4 << 20

    /// Keeps nothing of the document that was answered for.
    private func forget() {
        RunPlace.onKnown = { _ in }
        RunPlace.onMade = { $0 }
        opener.onRead = { $1 }
        for moved in movedDocuments.values { close(moved.memory) }
        movedDocuments = [:]
        if page.byteCount >= Self.largeDocument { cprocess_trim_memory() }
    }

    private func answer(_ frame: Frame) throws {
        number += 1
        if !frame.text.isEmpty { lastRequest = try MessageCoding.message(SentRequest.self, in: frame.text) }
        guard let sent = lastRequest else { throw BrokenFrame() }
        let request = try sent.request(
            in: frame, behind: lastDocument, wereAskedTogether: lastAsking == opener.asking)
        lastDocument = request.document
        // For one that brings its bytes the file was not looked at.
        if request.bytes == nil { lastAsking = opener.asking }
        // What earlier documents left open would keep this one from being opened. It goes to another worker.
        if number > 1, areDescriptorsScarce { WorkerMain.end() }
        guard page.claim(number) else { return }
        // The app's code may have gone elsewhere with the document before.
        fchdir(folder)
        separateOutput(isOfMany: sent.wanted.isOfMany)
        var packer = SentTrace.Packer()
        let tell = { [self] trace in if sent.tellsSteps { send(trace, &packer, as: SentReply.known) } }
        RunPlace.onKnown = tell
        RunPlace.onMade = { [self] in moved($0) }
        opener.onRead = { [self] reference, read in
            guard sent.tellsSteps else { return read }
            let document = moved(read)
            tell(MigrationTrace(source: reference.name, format: document.format, document: document))
            return document
        }
        switch sent.wanted {
        case .outcome:
            answer(request, .outcome) { result in
                var result = result
                result.source = ""
                send(.result(result)) { .result(SentResult(result)) }
            }
        case .migration:
            answer(request, .migration) { migration in
                var document = migration.document
                document.result.source = ""
                send(.migration(document), OutgoingFrame.Block.of(migration.data)) {
                    .migration(SentMigration(document))
                }
            }
        case .trace: answer(request, .trace) { send($0, &packer, as: SentReply.trace) }
        case .step: answer(request, .step) { send($0, &packer, as: SentReply.trace) }
        case .made: answer(request, .made) { send($0, &packer, as: SentReply.trace) }
        case .writing: answer(request, .writing) { send($0, &packer, as: SentReply.trace) }
        case .detection: answer(request, .detection) { send($0, &packer, as: SentReply.trace) }
        case .document: answer(request, .document) { send($0, &packer, as: SentReply.trace) }
        case .seriesChain: answer(request, .seriesChain) { send(.chain($0)) }
        case .outline: answer(request, .outline) { send(.outline($0)) }
        case .store:
            StoreCopying.onProgress.withLock { [page] in $0 = { page.readShare = UInt64($1 * 1000) } }
            // A copy that is as large as a file may be is an error of the call that meets it, and no signal.
            let previous = signal(SIGXFSZ, SIG_IGN)
            defer { signal(SIGXFSZ, previous) }
            answer(request, .store) { send(.store($0.answer), OutgoingFrame.Block.of($0.bytes?.data)) }
            StoreCopying.onProgress.withLock { $0 = nil }
        }
    }

    /// Whether half of the descriptors that this process may have are taken: the app's code leaves some behind, or may
    /// have lowered the limit.
    private var areDescriptorsScarce: Bool {
        let free = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        if free >= 0 { close(free) }
        return free < 0 || UInt64(free) > cprocess_current_limit(Int32(cprocess_descriptors)) / 2
    }

    /// Does what is wanted, and sends what comes of it.
    private func answer<Answer>(_ request: WorkerRequest, _ wanted: Wanted<Answer>, send sendAnswer: (Answer) -> Void) {
        let reply = wanted.reply(of: opener, to: request)
        page.place.pointee.phase = RunPlace.Phase.idle.rawValue
        switch reply {
        case .success(let answer): sendAnswer(answer)
        case .failure(let error): send(.notEdited(error))
        }
    }

    /// Separates what the app's code prints at the request from what it printed before.
    ///
    /// Marks take time, here and in the parent, and the code of most apps prints nothing. So at one of many documents
    /// there is none where nothing was printed since the last: where the pipes are empty, and the parent has taken
    /// nothing. It says that it may have before it reads, so the pipes are looked at first.
    private func separateOutput(isOfMany: Bool) {
        let arePipesEmpty = streams.allSatisfy { cprocess_unread_bytes($0) == 0 }
        let mark = !isOfMany || !arePipesEmpty || page.hasTakenOutput ? OutputMark(number: number) : nil
        for (index, stream) in streams.enumerated() where mark?.write(to: stream) != false {
            page.separate(stream: index, for: number)
        }
        // A check does not tell what was printed where.
        guard !isOfMany else {
            RunPlace.onNote = { _ in }
            return
        }
        RunPlace.onNote = { [streams, number] place in
            for stream in streams { OutputMark(number: number, place: place).write(to: stream) }
        }
    }

    /// A large document moved to memory that the parent gets too, so that there is only one; any other as it is.
    private func moved(_ document: Document) -> Document {
        let packed = PackedDocument(document)
        // It is there twice for a moment; what the value took that it was made of is free by now.
        if packed.blockLength >= Self.largeDocument { cprocess_trim_memory() }
        guard packed.blockLength >= OutgoingFrame.smallestShared,
            let memory = SealedMemory.make(length: packed.blockLength, fill: { packed.write(document, into: $0) })
        else { return document }
        let own = fcntl(memory, F_DUPFD_CLOEXEC, WorkerMain.firstDescriptor)
        guard let block = SharedBlock(descriptor: own, length: packed.blockLength),
            let shared = packed.document(in: block.bytes, of: block)
        else {
            close(memory)
            return document
        }
        movedDocuments[shared.identity] = (shared, memory)
        return shared
    }

    private func send(
        _ trace: MigrationTrace, _ packer: inout SentTrace.Packer, as reply: (SentTrace) -> SentReply
    ) {
        let (packed, blocks) = packer.packWithBlocks(trace) { document in
            movedDocuments.removeValue(forKey: document.identity)?.memory
        }
        send(reply(packed), blocks)
    }

    /// An answer that many documents have alike.
    private enum Repeatable: Equatable {
        case result(CheckResult)
        case migration(MigratedDocument)
    }

    /// Sends an answer, without its text where the one before was the same.
    private func send(
        _ answer: Repeatable, _ blocks: [OutgoingFrame.Block] = [], as reply: () -> SentReply
    ) {
        if answer == lastAnswer { return send(OutgoingFrame(text: [], blocks: blocks)) }
        send(reply(), blocks)
        lastAnswer = answer
    }

    private func send(_ reply: SentReply, _ blocks: [OutgoingFrame.Block] = []) {
        // What is sent is made of plain values, which encode.
        guard let text = try? MessageCoding.text(of: reply) else { _exit(70) }
        lastAnswer = nil
        send(OutgoingFrame(text: text, blocks: blocks))
    }

    private func send(_ frame: OutgoingFrame) {
        socket.add(frame)
        if !socket.flush(waits: true) { WorkerMain.endWithParent(page) }
    }
}
