import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Makes replies of the frames of a worker, which runs foreign code in its own address space, so that any frame may be
/// forged. This is the one place where what a worker says becomes what this process goes by, and where it is checked.
struct ReplyReader {
    /// How many bytes of memory a worker may share at a time.
    let mostShared: Int
    /// What was said last: a frame without a text says it again.
    private var last: SentReply?
    /// What was told of the documents of the request at hand, and how much was sent about it.
    private var documents: [Document] = []
    private var taken = FrameSize()

    init(mostShared: Int) { self.mostShared = mostShared }

    /// What a frame is.
    enum Reading<Answer> {
        /// What is known so far; the answer follows.
        case told(MigrationTrace)
        case answer(WorkerReply<Answer>)
    }

    // MARK: - How much is taken

    /// What a worker may send about any document, and beside that for each byte of it: traces name the types of each
    /// version for each part of a document.
    private static let text = (ofMany: 256 << 10, ofOne: 4 << 20)
    private static let inline = 16 << 20
    private static let bytesPerByte = (ofMany: 16, ofOne: 256)
    /// What is told of one document takes no more memory than this share of the machine's.
    private static let mostText = Int(clamping: ProcessInfo.processInfo.physicalMemory / 16)
    /// A system has room for some 65,000 mappings in a process (vm.max_map_count).
    private static let mostBlocks = 16_384

    /// Checks how much a frame brings, before any of that is kept.
    ///
    /// - Throws: ``BrokenFrame``.
    func admit(_ size: FrameSize, about request: WorkerRequest?, wanting name: WantedName) throws(BrokenFrame) {
        let all = taken + size
        let text = name.isOfMany ? Self.text.ofMany : Self.text.ofOne
        guard all.shared <= mostShared, all.blockCount <= Self.mostBlocks else { throw BrokenFrame(.size) }
        if size.text <= text, all.inline <= Self.inline { return }
        // How large the document is takes a system call to find out.
        let bytesPerByte = name.isOfMany ? Self.bytesPerByte.ofMany : Self.bytesPerByte.ofOne
        let more = min(Self.mostText, bytesPerByte * (request?.mostBytes ?? 0))
        guard size.text <= text + more, all.inline <= Self.inline + more else { throw BrokenFrame(.size) }
    }

    // MARK: - Reading

    /// The chains that a worker names.
    ///
    /// - Throws: ``BrokenFrame``.
    static func chains(in frame: Frame) throws(BrokenFrame) -> [ChainDescription] {
        guard case .chains(let chains) = try message(in: frame), frame.blocks.isEmpty else {
            throw BrokenFrame(.kind)
        }
        guard chains.allSatisfy(\.isWhole) else { throw BrokenFrame(.sense) }
        return chains
    }

    /// The reply that a frame is to a request.
    ///
    /// - Parameters:
    ///   - output: What the app's code printed meanwhile.
    ///   - chains: Those of the worker.
    /// - Throws: ``BrokenFrame``.
    mutating func read<Answer>(
        _ frame: Frame, to request: WorkerRequest, wanting wanted: Wanted<Answer>,
        printed output: [CapturedOutput] = [],
        among chains: [ChainDescription] = []
    ) throws(BrokenFrame) -> Reading<Answer> {
        taken = taken + frame.size
        if !frame.text.isEmpty { last = try Self.message(in: frame) }
        guard let reply = last else { throw BrokenFrame() }
        var context = Context(
            request: request, output: output, chains: chains, blocks: frame.blocks, documents: documents)
        switch reply {
        case .known(let sent):
            guard request.tellsSteps else { throw BrokenFrame(.kind) }
            let trace = try context.trace(sent, isTold: true)
            documents = context.documents
            return .told(trace)
        case .notEdited(let error):
            guard !request.edits.isEmpty, frame.blocks.isEmpty else { throw BrokenFrame(.kind) }
            begin()
            return .answer(.failure(error))
        default:
            guard let answer = try wanted.take(reply, &context), context.blocks.isEmpty else {
                throw BrokenFrame(.kind)
            }
            begin()
            return .answer(.success(answer))
        }
    }

    /// Forgets what was told of a request: the next one begins.
    private mutating func begin() { (documents, taken) = ([], FrameSize()) }

    private static func message(in frame: Frame) throws(BrokenFrame) -> SentReply {
        do { return try MessageCoding.message(SentReply.self, in: frame.text) } catch { throw BrokenFrame() }
    }

    /// What a reply is read with.
    struct Context {
        let request: WorkerRequest
        fileprivate let output: [CapturedOutput]
        fileprivate let chains: [ChainDescription]
        /// The blocks of the frame that nothing was made of yet.
        fileprivate(set) var blocks: [SharedBlock]
        fileprivate var documents: [Document]

        /// A result that says one thing.
        func result(_ sent: SentResult) throws(BrokenFrame) -> CheckResult {
            let result = sent.result(source: request.document.name)
            guard (result.failure != nil) == (result.outcome == .failed || result.outcome == .unreadable) else {
                throw BrokenFrame(.sense)
            }
            return result
        }

        mutating func migration(_ sent: SentMigration) throws(BrokenFrame) -> WrittenMigration {
            var document = sent.document(source: request.document.name)
            document.result = try result(sent.result)
            let data = blocks.popLast().map { Data($0.bytes) }
            let isWritten = document.hasResult && document.result.outcome != .current && document.notWritable == nil
            guard isWritten == (data != nil) else { throw BrokenFrame(.sense) }
            return WrittenMigration(document: document, data: data)
        }

        mutating func store(_ answer: StoreAnswer, to question: StoreQuestion) throws(BrokenFrame) -> StoreReply? {
            switch (question, answer) {
            case (.columns, .columns), (.rows, .rows), (.copy, .copied), (_, .failed): return StoreReply(answer)
            case (.cell, .cell):
                guard let block = blocks.popLast() else { throw BrokenFrame(.sense) }
                return StoreReply(answer, bytes: SourceBytes(Data(block.bytes)))
            case (.columns, _), (.rows, _), (.cell, _), (.copy, _): return nil
            }
        }

        mutating func trace(_ sent: SentTrace, isTold: Bool = false) throws(BrokenFrame) -> MigrationTrace {
            var trace = try sent.trace(blocks, behind: &documents)
            blocks = []
            // Only a trace that was recorded may be one of another document.
            if !request.opensTraces { trace.source = request.document.name }
            if !isTold { trace.output = CapturedOutput.printed(output, among: chains) }
            return trace
        }
    }
}
