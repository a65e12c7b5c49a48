import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Turns a worker's frames into replies. The worker runs foreign code in its address space, so any frame may be forged.
/// This is the only place where this process accepts data from a worker, and where it's checked.
struct ReplyReader {
    /// The maximum number of bytes of memory that a worker may share at a time.
    let mostShared: Int
    /// The previous result, which a frame without a text repeats.
    private var last: SentReply?
    /// The documents received for the current request, and the total size of its frames.
    private var documents = MessageDocuments()
    private var taken = FrameSize()

    init(mostShared: Int) { self.mostShared = mostShared }

    /// The meaning of a frame.
    enum Reading<Answer> {
        /// An intermediate result; the answer follows.
        case reported(MigrationTrace)
        case answer(WorkerReply<Answer>)
    }

    // MARK: - Size limits

    /// The number of bytes that a worker may send for any document, plus a number for each byte of the document: traces
    /// name the types of each version for each part of a document.
    private static let text = (ofMany: 256 << 10, ofOne: 4 << 20)
    private static let inline = 16 << 20
    private static let bytesPerByte = (ofMany: 16, ofOne: 256)
    /// The limit for one document's data, as a fraction of the machine's memory.
    private static let mostText = Int(clamping: ProcessInfo.processInfo.physicalMemory / 16)
    /// Linux allows a process about 65,000 mappings (vm.max_map_count).
    private static let mostBlocks = 16_384

    /// Checks the sizes in a frame before any of it is kept.
    ///
    /// - Throws: ``BrokenFrame`` if it's too large.
    func admit(_ size: FrameSize, about request: WorkerRequest?, wanting name: WantedName) throws(BrokenFrame) {
        let all = taken + size
        let text = name.isOfMany ? Self.text.ofMany : Self.text.ofOne
        guard all.shared <= mostShared, all.blockCount <= Self.mostBlocks else { throw BrokenFrame(.size) }
        if size.text <= text, all.inline <= Self.inline { return }
        // Finding out how large the document is takes a system call.
        let bytesPerByte = name.isOfMany ? Self.bytesPerByte.ofMany : Self.bytesPerByte.ofOne
        let more = min(Self.mostText, bytesPerByte * (request?.mostBytes ?? 0))
        guard size.text <= text + more, all.inline <= Self.inline + more else { throw BrokenFrame(.size) }
    }

    // MARK: - Reading

    /// Returns the chains that a worker reports.
    ///
    /// - Throws: ``BrokenFrame``.
    static func chains(in frame: Frame) throws(BrokenFrame) -> [ChainDescription] {
        var blocks = frame.blocks
        guard case .chains(let chains) = try SentReply(frame.text, &blocks), frame.blocks.isEmpty else {
            throw BrokenFrame(.kind)
        }
        guard chains.allSatisfy(\.isWhole) else { throw BrokenFrame(.sense) }
        return chains
    }

    /// Reads a frame as a reply to a request.
    ///
    /// - Parameters:
    ///   - output: The output of the app's code in the meantime.
    ///   - chains: The chains of the worker.
    /// - Throws: ``BrokenFrame``.
    mutating func read<Answer>(
        _ frame: Frame, to request: WorkerRequest, wanting wanted: Wanted<Answer>,
        printed output: [CapturedOutput] = [],
        among chains: [ChainDescription] = []
    ) throws(BrokenFrame) -> Reading<Answer> {
        taken = taken + frame.size
        var blocks = frame.blocks
        let documents = request.sendsSteps || wanted.name.isTrace ? documents : nil
        guard let reply = try frame.text.isEmpty ? last : SentReply(frame.text, &blocks, documents) else {
            throw BrokenFrame()
        }
        // The documents of a trace may be large, so it isn't kept.
        last = reply.isRepeatable ? reply : nil
        var context = Context(request: request, output: output, chains: chains, blocks: blocks)
        switch reply {
        case .known(let trace):
            guard request.sendsSteps, blocks.isEmpty else { throw BrokenFrame(.kind) }
            return .reported(context.trace(trace, isKnown: true))
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

    /// Discards the documents of the answered request, before the next one begins.
    private mutating func begin() { (documents, taken) = (MessageDocuments(), FrameSize()) }

    /// The context for reading a reply.
    struct Context {
        let request: WorkerRequest
        fileprivate let output: [CapturedOutput]
        fileprivate let chains: [ChainDescription]
        /// The blocks of the frame that haven't been used yet.
        fileprivate(set) var blocks: [SharedBlock]

        /// Returns a result after checking that its outcome and its failure agree, and that it's of no experiment and no
        /// history, which workers don't know. A deleted document is never sent to a worker.
        func result(_ sent: CheckResult) throws(BrokenFrame) -> CheckResult {
            guard sent.outcome != .deleted,
                (sent.failure != nil) == (sent.outcome == .failed || sent.outcome == .unreadable),
                sent.lost == nil, sent.narrowed == nil, sent.examined == nil, sent.reopens == nil,
                sent.revision == nil, sent.observed == nil
            else {
                throw BrokenFrame(.sense)
            }
            var result = sent
            result.source = request.document.name
            return result
        }

        mutating func migration(_ sent: MigratedDocument) throws(BrokenFrame) -> WrittenMigration {
            var document = sent
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

        func trace(_ sent: MigrationTrace, isKnown: Bool = false) -> MigrationTrace {
            var trace = sent
            // Only a recorded trace may be of another document.
            if !request.opensTraces { trace.source = request.document.name }
            if !isKnown { trace.output = CapturedOutput.printed(output, among: chains) }
            return trace
        }
    }
}
