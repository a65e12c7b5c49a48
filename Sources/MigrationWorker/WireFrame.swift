import DocumentModel
import DocumentSources
import Foundation

/// The frames between a worker and its parent as bytes, for those who try what becomes of other ones.
@_spi(Fuzzing) public enum WireFrame {
    /// What a worker sends.
    public static func bytes(of reply: WorkerReply) throws -> [UInt8] {
        switch reply {
        case .result(let result): return try bytes(SentReply.result(SentResult(result)))
        case .migration(let document, let data):
            return try bytes(SentReply.migration(SentMigration(document)), OutgoingFrame.Block.of(data))
        case .chain(let name): return try bytes(SentReply.chain(name))
        case .outline(let outline): return try bytes(SentReply.outline(outline))
        case .notEdited(let error): return try bytes(SentReply.notEdited(error))
        case .trace(let trace):
            var packer = SentTrace.Packer()
            let (packed, blocks) = packer.packWithBlocks(trace)
            return try bytes(SentReply.trace(packed), blocks)
        }
    }

    /// What a parent sends.
    public static func bytes(of request: WorkerRequest) throws -> [UInt8] {
        var last: SentRequest?
        guard let frame = OutgoingFrame(request, behind: &last) else { throw BrokenFrame() }
        return frame.bytes
    }

    /// What a parent makes of bytes from a worker.
    ///
    /// - Throws: What it throws at the first that is none.
    public static func replies(_ bytes: [UInt8]) throws -> [WorkerReply] {
        var known: [Document] = []
        return try frames(bytes).compactMap { frame in
            let sent = try MessageCoding.message(SentReply.self, in: frame.text)
            defer { if sent.isAnswer { known = [] } }
            return try sent.reply(frame.blocks, behind: &known, source: "")
        }
    }

    /// What a worker makes of bytes from its parent.
    ///
    /// - Throws: What it throws at the first that is none.
    public static func requests(_ bytes: [UInt8]) throws -> [WorkerRequest] {
        try frames(bytes).map { frame in
            try MessageCoding.message(SentRequest.self, in: frame.text).request(in: frame)
        }
    }

    private static func bytes(_ message: some Encodable, _ blocks: [OutgoingFrame.Block] = []) throws -> [UInt8] {
        OutgoingFrame(text: try MessageCoding.text(of: message), blocks: blocks).bytes
    }

    private static func frames(_ bytes: [UInt8]) throws -> [Frame] {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, WorkerProcess.streamType, 0, &ends) == 0 else { throw BrokenFrame() }
        for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
        let (sender, receiver) = (FrameSocket(Descriptor(ends[0])), FrameSocket(Descriptor(ends[1])))
        var sent = 0
        var frames: [Frame] = []
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(sender.descriptor, $0.baseAddress! + sent, $0.count - sent) }
            guard count > 0 else { throw BrokenFrame() }
            sent += count
            while receiver.receive(waits: false) == .bytes {}
            while let frame = try receiver.next() { frames.append(frame) }
        }
        return frames
    }
}
