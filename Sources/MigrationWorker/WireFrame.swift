import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// The frames between a worker and its parent, as bytes, for fuzzing.
@_spi(Fuzzing) public struct WireFrame: Sendable {
    /// The JSON text.
    public var text: [UInt8]
    /// The bytes of each block. In these frames, all blocks follow the text.
    public var blocks: [[UInt8]]

    /// Creates a frame with arbitrary contents.
    public init(text: [UInt8], blocks: [[UInt8]] = []) { (self.text, self.blocks) = (text, blocks) }

    private init(_ reply: SentReply, _ blocks: [OutgoingFrame.Block] = []) throws {
        let encoded = try reply.encoded(MessageDocuments())
        text = encoded.text
        self.blocks = (blocks + encoded.blocks).map { block in
            var bytes = [UInt8](repeating: 0, count: block.length)
            bytes.withUnsafeMutableBytes { block.write($0) }
            return bytes
        }
    }

    /// The frame as it is sent over the socket.
    public var bytes: [UInt8] {
        let blocks = blocks.map { bytes in
            OutgoingFrame.Block(length: bytes.count) { $0.copyBytes(from: bytes) }
        }
        return OutgoingFrame(text: text, blocks: blocks, mayShare: false).bytes
    }

    // MARK: - Frames of a worker

    public init(_ result: CheckResult) throws { try self.init(SentReply(result)) }

    public init(_ migration: WrittenMigration) throws {
        try self.init(SentReply(migration.document), OutgoingFrame.Block.of(migration.data))
    }

    /// - Parameter isKnown: Whether this is an intermediate result, which the answer still follows.
    public init(_ trace: MigrationTrace, isKnown: Bool = false) throws {
        try self.init(isKnown ? SentReply.known(trace) : .trace(trace))
    }

    public init(_ chains: [ChainDescription]) throws { try self.init(.chains(chains)) }
    public init(_ chain: SeriesChain) throws { try self.init(.chain(chain)) }
    public init(_ outline: VersionOutline?) throws { try self.init(.outline(outline)) }
    public init(_ error: DocumentEditError) throws { try self.init(.notEdited(error)) }

    // MARK: - Frames of a parent

    /// Returns the bytes that a parent sends for a request.
    public static func bytes<Answer>(of request: WorkerRequest, wanting wanted: Wanted<Answer>) throws -> [UInt8] {
        var last: SentRequest?
        guard let frame = OutgoingFrame(request, wanting: wanted.name, behind: &last) else { throw BrokenFrame() }
        return frame.bytes
    }

    // MARK: - Decoding

    /// Returns the replies that a parent reads from a worker's bytes.
    ///
    /// - Throws: The error for the first frame that isn't a valid reply.
    public static func replies<Answer>(
        _ bytes: [UInt8], to request: WorkerRequest, wanting wanted: Wanted<Answer>
    ) throws -> [WorkerReply<Answer>] {
        var reader = ReplyReader(mostShared: 1 << 30)
        var replies: [WorkerReply<Answer>] = []
        let admit = { (size: FrameSize) throws(BrokenFrame) in
            try reader.admit(size, about: request, wanting: wanted.name)
        }
        try forEachFrame(bytes, admitting: admit) { frame in
            if case .answer(let reply) = try reader.read(frame, to: request, wanting: wanted) { replies.append(reply) }
        }
        return replies
    }

    /// Returns the chains that a parent reads from a worker's bytes.
    ///
    /// - Throws: The error for the first frame that contains no chains.
    public static func chains(_ bytes: [UInt8]) throws -> [ChainDescription] {
        var chains: [ChainDescription] = []
        try forEachFrame(bytes) { chains += try ReplyReader.chains(in: $0) }
        return chains
    }

    /// Returns the requests that a worker reads from its parent's bytes.
    ///
    /// - Throws: The error for the first frame that isn't a valid request.
    public static func requests(_ bytes: [UInt8]) throws -> [WorkerRequest] {
        var requests: [WorkerRequest] = []
        try forEachFrame(bytes) { frame in
            requests.append(try SentRequest(frame.text).request(in: frame))
        }
        return requests
    }

    private static func forEachFrame(
        _ bytes: [UInt8], admitting admit: (FrameSize) throws(BrokenFrame) -> Void = { _ in },
        _ body: (Frame) throws -> Void
    ) throws {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, WorkerProcess.streamType, 0, &ends) == 0 else { throw BrokenFrame() }
        for end in ends { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
        let (sender, receiver) = (FrameSocket(Descriptor(ends[0])), FrameSocket(Descriptor(ends[1])))
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(sender.descriptor, $0.baseAddress! + sent, $0.count - sent) }
            guard count > 0 else { throw BrokenFrame() }
            sent += count
            while try receiver.receive(waits: false) == .bytes {
                while let frame = try receiver.next(admitting: admit) { try body(frame) }
            }
        }
    }
}
