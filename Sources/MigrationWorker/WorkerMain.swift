import CProcess
import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// A worker process, which runs the app's code for its parent, one document at a time, on its main thread.
///
/// The parent starts its own program again with the same arguments, so anything that an embedding program does before
/// its `main` gets here is done in both. The worker finds the socket, the page and the lifeline at descriptors 3 to 5,
/// and moves them to numbers that the app's code doesn't use by accident.
public enum WorkerMain {
    /// The environment variable that is set in a worker, to the limit for its address space in bytes; 0 for no limit.
    static let variable = "MIGRATION_INSPECTOR_WORKER"

    /// The environment variable with the types that must not be asked for their fields: the mark of the chain and the
    /// index of the version of each.
    static let unaskableVariable = "MIGRATION_INSPECTOR_UNASKABLE"

    /// The first number for the worker's descriptors: close to the process's limit, but at most 200.
    fileprivate static let firstDescriptor: Int32 = {
        let most = cprocess_current_limit(Int32(cprocess_descriptors))
        return Int32(clamping: min(200, max(most, 36) - 32))
    }()
    private static let stackLength: UInt64 = 64 << 20

    /// In a worker process, does its work and then ends the process. In any other process, does nothing.
    ///
    /// - Parameter chains: Makes the chains. Called once, and only in a worker.
    @MainActor
    public static func runIfWorker(chains: () -> [MigrationChain]) {
        guard let value = getenv(variable), let memoryLimit = UInt64(String(cString: value)) else { return }
        unsetenv(variable)
        let unaskable = getenv(unaskableVariable).map { Set(unaskable: String(cString: $0)) } ?? []
        unsetenv(unaskableVariable)
        let socket = fcntl(3, F_DUPFD_CLOEXEC, firstDescriptor)
        let pageDescriptor = fcntl(4, F_DUPFD_CLOEXEC, firstDescriptor + 1)
        let streams = [STDOUT_FILENO, STDERR_FILENO].map { fcntl($0, F_DUPFD_CLOEXEC, firstDescriptor + 2) }
        // While this is open, the process doesn't stay stopped once its parent is gone.
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
        Worker(FrameSocket(Descriptor(socket)), page, streams, chains, unaskable).run()
    }

    private static func prepareProcess(memoryLimit: UInt64) {
        cprocess_limit(Int32(cprocess_stack), stackLength)
        // 1 byte: a limit of 0 wouldn't prevent the system from piping cores to a program (core(5)).
        cprocess_limit(Int32(cprocess_core), 1)
        if memoryLimit > 0 { cprocess_limit(Int32(cprocess_memory), memoryLimit) }
        cprocess_unbuffer_output()
        // The file size limit also applies to shared memory. Blocks that exceed it are sent over the socket.
        signal(SIGXFSZ, SIG_IGN)
        #if os(Linux)
            // If memory runs out anyway, the system should end this process, not the program or another one.
            let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
            if file >= 0 {
                _ = write(file, "1000", 4)
                close(file)
            }
        #endif
    }

    /// Watches the socket on a separate thread, even while the app's code loops. Ends the process when the other end is
    /// closed, because the parent is gone, or when this end is closed or replaced by another file, because the app's
    /// code did that and nothing more can be answered.
    private static func watchParent(_ socket: Int32, _ page: WorkerPage) {
        var status = stat()
        fstat(socket, &status)
        do throws(SystemFailure) {
            try WorkThread.start(name: "watch", stackSize: 256 << 10) { [status] in
                while true {
                    var request = pollfd(fd: socket, events: 0, revents: 0)
                    var now = stat()
                    // poll(2) doesn't return when the descriptor is closed in the meantime.
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

    /// The interval at which to check that the socket still exists, in milliseconds.
    private static let watchInterval: Int32 = 200

    /// Ends the process because the parent is gone.
    fileprivate static func endWithParent(_ page: WorkerPage) -> Never {
        page.state = .disconnected
        end()
    }

    /// Ends the process and everything it started, and removes its temporary files.
    fileprivate static func end() -> Never {
        TemporaryFiles.removeAll {
            kill(0, SIGKILL)
            _exit(0)
        }
    }
}

/// The work of a worker's main thread.
///
/// ## Invariant
/// An instance is used only by the main thread, which makes it `Sendable`.
private final class Worker: @unchecked Sendable {
    private let socket: FrameSocket
    private let page: WorkerPage
    private let opener: DocumentOpener
    private let folder: Int32 = {
        let folder = cprocess_open_folder(".")
        defer { close(folder) }
        return fcntl(folder, F_DUPFD_CLOEXEC, WorkerMain.firstDescriptor)
    }()
    /// The previous answer, if an identical one doesn't have to be encoded again.
    private var lastAnswer: SentReply?
    private var lastRequest: SentRequest?
    private var lastDocument: DocumentReference?
    /// The value of ``DocumentOpener/asking`` when the file of the last document was checked.
    private var lastAsking: UInt64?
    /// The number of the latest request.
    private var number: UInt64 = 0
    /// Documents in shared memory that haven't been sent yet, each with its memory. They are retained so that no other
    /// document can get the identity of one that was freed.
    private var movedDocuments: [ObjectIdentifier: (document: Document, memory: Int32)] = [:]
    /// The documents sent so far for the current request.
    private var documents = MessageDocuments()
    /// Standard output and standard error, which stay open here even if the app's code closes its own.
    private let streams: [Int32]
    let unaskable: Set<RunPlace.Asked>
    /// Whether the places at which the app's code prints are reported. Checks don't report them.
    private var marksOutput = false
    /// Whether the current request wants intermediate results.
    private var sendsSteps = false

    init(
        _ socket: FrameSocket, _ page: WorkerPage, _ streams: [Int32], _ chains: [MigrationChain],
        _ unaskable: Set<RunPlace.Asked>
    ) {
        self.socket = socket
        self.page = page
        self.streams = streams
        self.unaskable = unaskable
        opener = DocumentOpener(chains: chains) { byteCount, share in
            page.byteCount = byteCount
            page.readShare = UInt64(share * 1000)
        }
        opener.observe(by: self)
    }

    func run() -> Never {
        DecodingPlace.current = page.node
        send(.chains(opener.chains.map(ChainDescription.init)))
        var arrivals: UInt64 = 0
        while true {
            // Everything that has arrived by now was requested before any of it is answered.
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

    /// The size from which a document uses memory that an idle worker shouldn't keep.
    private static let largeDocument = 4 << 20

    /// Releases everything about the document that was answered for.
    private func forget() {
        for moved in movedDocuments.values { close(moved.memory) }
        movedDocuments = [:]
        documents = MessageDocuments()
        if page.byteCount >= Self.largeDocument { cprocess_trim_memory() }
    }

    private func answer(_ frame: Frame) throws {
        number += 1
        if !frame.text.isEmpty { lastRequest = try SentRequest(frame.text) }
        guard let sent = lastRequest else { throw BrokenFrame() }
        let request = try sent.request(
            in: frame, behind: lastDocument, wereAskedTogether: lastAsking == opener.asking)
        lastDocument = request.document
        // The file isn't checked for a request that brings its bytes.
        if request.bytes == nil { lastAsking = opener.asking }
        // Descriptors that earlier documents left open could keep this one from being opened, so another worker opens
        // it.
        if number > 1, areDescriptorsScarce { WorkerMain.end() }
        guard page.claim(number) else { return }
        // The app's code may have changed the working directory for an earlier document.
        fchdir(folder)
        separateOutput(isOfMany: sent.wanted.isOfMany)
        sendsSteps = request.sendsSteps
        switch sent.wanted {
        case .outcome:
            answer(request, .outcome) { send(SentReply($0)) }
        case .migration:
            answer(request, .migration) { send(SentReply($0.document), OutgoingFrame.Block.of($0.data)) }
        case .trace: answer(request, .trace) { send(.trace($0)) }
        case .step: answer(request, .step) { send(.trace($0)) }
        case .made: answer(request, .made) { send(.trace($0)) }
        case .writing: answer(request, .writing) { send(.trace($0)) }
        case .detection: answer(request, .detection) { send(.trace($0)) }
        case .document: answer(request, .document) { send(.trace($0)) }
        case .seriesChain: answer(request, .seriesChain) { send(.chain($0)) }
        case .outline: answer(request, .outline) { send(.outline($0)) }
        case .store:
            StoreCopying.onProgress.withLock { [page] in $0 = { page.readShare = UInt64($1 * 1000) } }
            // A copy that reaches the file size limit should fail with an error, not a signal.
            let previous = signal(SIGXFSZ, SIG_IGN)
            defer { signal(SIGXFSZ, previous) }
            answer(request, .store) { send(.store($0.answer), OutgoingFrame.Block.of($0.bytes?.data)) }
            StoreCopying.onProgress.withLock { $0 = nil }
        }
    }

    /// Whether half of the descriptors that this process may have are taken. The app's code may leave some open, or
    /// lower the limit.
    private var areDescriptorsScarce: Bool {
        let free = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
        if free >= 0 { close(free) }
        return free < 0 || UInt64(free) > cprocess_current_limit(Int32(cprocess_descriptors)) / 2
    }

    /// Makes the requested answer and sends it.
    private func answer<Answer>(_ request: WorkerRequest, _ wanted: Wanted<Answer>, send sendAnswer: (Answer) -> Void) {
        let reply = wanted.reply(of: opener, to: request)
        page.place.pointee.phase = RunPlace.Phase.idle.rawValue
        switch reply {
        case .success(let answer): sendAnswer(answer)
        case .failure(let error): send(.notEdited(error))
        }
    }

    /// Separates the app's output for this request from its earlier output.
    ///
    /// Marks take time, here and in the parent, and the code of most apps prints nothing. So for one of many documents,
    /// no mark is written if nothing has been printed since the last: the pipes are empty and the parent has taken
    /// nothing. The parent sets its flag before it reads, so the pipes are checked first.
    private func separateOutput(isOfMany: Bool) {
        let arePipesEmpty = streams.allSatisfy { cprocess_unread_bytes($0) == 0 }
        let mark = !isOfMany || !arePipesEmpty || page.hasTakenOutput ? OutputMark(number: number) : nil
        for (index, stream) in streams.enumerated() where mark?.write(to: stream) != false {
            page.separate(stream: index, for: number)
        }
        marksOutput = !isOfMany
    }

    /// Moves a large document to memory shared with the parent, so that there is only one copy. Returns any other
    /// document unchanged.
    private func moved(_ document: Document) -> Document {
        let packed = PackedDocument(document)
        // There are two copies for a moment. The memory of the value it was made from is free by now.
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

    /// Sends a reply, without its text if it's the same as the previous one.
    private func send(_ reply: SentReply, _ blocks: [OutgoingFrame.Block] = []) {
        if reply.repeats(lastAnswer) { return send(OutgoingFrame(text: [], blocks: blocks)) }
        // A reply consists of plain values, which can always be encoded.
        let encoded = try? reply.encoded(documents) { movedDocuments.removeValue(forKey: $0.identity)?.memory }
        guard let encoded else { _exit(70) }
        lastAnswer = reply.isRepeatable ? reply : nil
        send(OutgoingFrame(text: encoded.text, blocks: blocks + encoded.blocks))
    }

    private func send(_ frame: OutgoingFrame) {
        socket.add(frame)
        if !socket.flush(waits: true) { WorkerMain.endWithParent(page) }
    }
}

extension Worker: OpeningObserver {
    var place: UnsafeMutablePointer<RunPlace> { page.place }

    func hasRecordedPlace() {
        guard marksOutput else { return }
        for stream in streams { OutputMark(number: number, place: place.pointee).write(to: stream) }
    }

    func read(_ document: Document, of reference: DocumentReference) -> Document {
        guard sendsSteps else { return document }
        let document = moved(document)
        knows(MigrationTrace(source: reference.name, format: document.format, document: document))
        return document
    }

    func knows(_ trace: MigrationTrace) { if sendsSteps { send(.known(trace)) } }

    func made(_ document: Document) -> Document { moved(document) }
}

extension Set<RunPlace.Asked> {
    /// Creates the set from its text in the environment of a worker.
    fileprivate init(unaskable text: String) {
        self.init(
            text.split(separator: ",").compactMap { entry in
                let parts = entry.split(separator: ".")
                guard parts.count == 2, let chain = UInt64(parts[0]), let stage = Int32(parts[1]) else { return nil }
                return RunPlace.Asked(chain: chain, stage: stage)
            })
    }

    /// The text of the set in the environment of a worker.
    var unaskableText: String { map { "\($0.chain).\($0.stage)" }.joined(separator: ",") }
}
