import CProcess
import DocumentModel
import Foundation
import MigrationCore

/// A message on the socket: a JSON text and blocks of bytes.
///
/// On the wire: a mark, the number of blocks and the length of the text (32 bits each); for each block, its length (64
/// bits) and 1 if its bytes follow, or 0 if they are in shared memory whose descriptor was sent along; the text; and
/// the bytes of the blocks that follow. If it doesn't start with the mark, the app's code found the descriptor and
/// wrote to it.
struct Frame {
    let text: [UInt8]
    let blocks: [SharedBlock]
    let size: FrameSize

    fileprivate static let mark: UInt32 = 0xFF4D_49FE
}

/// The sizes in a frame, as announced by its header.
struct FrameSize: Equatable {
    var text = 0
    /// The size of the blocks that follow the text.
    var inline = 0
    /// The size of the blocks in shared memory.
    var shared = 0
    var blockCount = 0

    static func + (left: FrameSize, right: FrameSize) -> FrameSize {
        FrameSize(
            text: left.text + right.text, inline: left.inline + right.inline, shared: left.shared + right.shared,
            blockCount: left.blockCount + right.blockCount)
    }
}

/// A frame to send.
struct OutgoingFrame {
    var bytes: [UInt8]
    /// Descriptors that are sent with the first byte and then closed.
    var descriptors: [Int32] = []

    /// A block to send.
    struct Block {
        let length: Int
        /// Shared memory that already holds the block; nil if it has yet to be written.
        var memory: Int32?
        let write: (UnsafeMutableRawBufferPointer) -> Void

        /// Returns a block of the given bytes, or no block if they're nil.
        static func of(_ data: Data?) -> [Block] {
            data.map { data in [Block(length: data.count) { $0.copyBytes(from: data) }] } ?? []
        }
    }

    /// The size from which blocks are sent in shared memory.
    static let smallestShared = 64 << 10
    private static let mostShared = Int(cprocess_most_descriptors) - 4

    /// - Parameter mayShare: Whether large blocks may be sent in shared memory.
    init(text: [UInt8], blocks: [Block] = [], mayShare: Bool = true) {
        bytes = []
        bytes.reserveCapacity(12 + text.count)
        Self.append(Frame.mark, to: &bytes)
        Self.append(UInt32(blocks.count), to: &bytes)
        Self.append(UInt32(text.count), to: &bytes)
        var inline: [Block] = []
        for block in blocks {
            let isLarge =
                mayShare && block.length >= Self.smallestShared && descriptors.count < Self.mostShared
            let memory =
                block.memory ?? (isLarge ? SealedMemory.make(length: block.length, fill: block.write) : nil)
            if let memory { descriptors.append(memory) } else { inline.append(block) }
            Self.append(UInt64(block.length), to: &bytes)
            Self.append(UInt64(memory == nil ? 1 : 0), to: &bytes)
        }
        bytes += text
        for block in inline {
            let start = bytes.count
            bytes.append(contentsOf: repeatElement(0, count: block.length))
            bytes.withUnsafeMutableBytes { block.write(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
        }
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
    }
}

/// One end of the socket between a worker and its parent. Used by one thread at a time.
final class FrameSocket {
    var descriptor: Int32 { socket.number }
    private let socket: Descriptor
    private var received: [UInt8] = []
    private var receivedDescriptors: ArraySlice<Int32> = []
    private var start = 0
    private var knownBeginning: Beginning?
    private var chunk = [UInt8](repeating: 0, count: 64 << 10)
    private var outgoing: ArraySlice<OutgoingFrame> = []
    private var sent = 0

    /// Creates an end that uses the given socket.
    init(_ socket: Descriptor) { self.socket = socket }

    deinit {
        for memory in receivedDescriptors { close(memory) }
        for frame in outgoing { for memory in frame.descriptors { close(memory) } }
    }

    // MARK: - Sending

    /// Whether frames are waiting to be sent.
    var hasOutgoing: Bool { !outgoing.isEmpty }

    /// Queues a frame. If it has no descriptors, it's sent together with the last queued frame.
    func add(_ frame: OutgoingFrame) {
        guard frame.descriptors.isEmpty, !outgoing.isEmpty else { return outgoing.append(frame) }
        outgoing[outgoing.endIndex - 1].bytes += frame.bytes
    }

    /// Sends as much as the socket accepts, or everything if `waits` is true.
    ///
    /// - Returns: false if the other end is closed.
    func flush(waits: Bool) -> Bool {
        while let frame = outgoing.first {
            let count = frame.bytes.withUnsafeBytes { bytes in
                let first = sent == 0 ? frame.descriptors : []
                return cprocess_send(
                    descriptor, bytes.baseAddress! + sent, UInt(bytes.count - sent), first, Int32(first.count))
            }
            if count < 0 {
                if errno == EINTR { continue }
                guard errno == EAGAIN || errno == EWOULDBLOCK else { return false }
                guard waits else { return true }
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&request, 1, -1)
                continue
            }
            if sent == 0 { for memory in frame.descriptors { close(memory) } }
            outgoing[outgoing.startIndex].descriptors = []
            sent += count
            if sent == frame.bytes.count {
                outgoing.removeFirst()
                sent = 0
            }
        }
        return true
    }

    // MARK: - Receiving

    /// The maximum number of blocks in a frame.
    private static let mostBlocks = 1 << 20
    /// The maximum length of a block, which is more than any document needs.
    private static let longestBlock = UInt64(UInt32.max) * 32

    /// Returns the next frame that has arrived completely, if any.
    ///
    /// - Parameter admit: Called with the frame's sizes as soon as they are known; throws to reject the frame.
    func next(admitting admit: (FrameSize) throws(BrokenFrame) -> Void = { _ in }) throws(BrokenFrame) -> Frame? {
        guard let beginning = try beginning(admitting: admit) else {
            // Descriptors arrive with the first byte of their frame.
            let most = start < received.count ? Int(cprocess_most_descriptors) : 0
            guard receivedDescriptors.count <= most else { throw BrokenFrame(.descriptors) }
            return nil
        }
        let size = beginning.size
        var offset = start + beginning.length
        guard received.count - offset >= size.text + size.inline else {
            let sharedCount = beginning.blocks.count { !$0.isInline }
            guard receivedDescriptors.count <= sharedCount else { throw BrokenFrame(.descriptors) }
            return nil
        }
        let text = Array(received[offset..<offset + size.text])
        offset += size.text
        var blocks: [SharedBlock] = []
        for (length, isInline) in beginning.blocks {
            if isInline {
                received.withUnsafeBytes {
                    blocks.append(SharedBlock(copying: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + length])))
                }
                offset += length
            } else {
                guard let memory = receivedDescriptors.popFirst(),
                    let block = SharedBlock(descriptor: memory, length: length)
                else { throw BrokenFrame(.memory) }
                blocks.append(block)
            }
        }
        start = offset
        knownBeginning = nil
        // Remove bytes that were consumed, but rarely enough that each byte is moved about once.
        if start == received.count || start > 1 << 20, start > received.count / 2 {
            received.removeSubrange(..<start)
            if received.isEmpty, received.capacity >= 1 << 20 { received = [] }
            start = 0
        }
        return Frame(text: text, blocks: blocks, size: size)
    }

    /// Whether everything that arrived has been consumed.
    var isEmpty: Bool { start == received.count && receivedDescriptors.isEmpty }

    /// The header of a frame: its sizes and its blocks.
    private struct Beginning {
        let length: Int
        let size: FrameSize
        let blocks: [(length: Int, isInline: Bool)]
    }

    /// Returns the header of the next frame once it has arrived.
    private func beginning(admitting admit: (FrameSize) throws(BrokenFrame) -> Void) throws(BrokenFrame) -> Beginning? {
        if let knownBeginning { return knownBeginning }
        guard let mark: UInt32 = value(at: 0) else { return nil }
        guard mark == Frame.mark else { throw BrokenFrame() }
        guard let blockCount: UInt32 = value(at: 4), let textLength: UInt32 = value(at: 8) else { return nil }
        guard blockCount <= Self.mostBlocks else { throw BrokenFrame(.size) }
        var size = FrameSize(text: Int(textLength), blockCount: Int(blockCount))
        try admit(size)
        guard received.count - start >= 12 + 16 * Int(blockCount) else { return nil }
        var blocks: [(length: Int, isInline: Bool)] = []
        for number in 0..<Int(blockCount) {
            guard let length: UInt64 = value(at: 12 + 16 * number), let isInline: UInt64 = value(at: 20 + 16 * number)
            else { return nil }
            guard length <= Self.longestBlock else { throw BrokenFrame(.size) }
            blocks.append((Int(length), isInline == 1))
            if isInline == 1 { size.inline += Int(length) } else { size.shared += Int(length) }
        }
        try admit(size)
        knownBeginning = Beginning(length: 12 + 16 * Int(blockCount), size: size, blocks: blocks)
        return knownBeginning
    }

    private func value<Value: FixedWidthInteger>(at offset: Int) -> Value? {
        guard received.count - start >= offset + MemoryLayout<Value>.size else { return nil }
        return received.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start + offset, as: Value.self) }
    }

    /// The result of receiving.
    enum Arrival: Equatable {
        case bytes, nothing, end
        /// This process has too few descriptors left for the ones that arrived.
        case noRoom(SystemFailure)
    }

    /// Receives the bytes that have arrived, up to 64 KB. If `waits` is true, waits until there are some.
    ///
    /// - Throws: ``BrokenFrame`` if more descriptors arrived than a frame can have.
    func receive(waits: Bool) throws(BrokenFrame) -> Arrival {
        var memory = [Int32](repeating: -1, count: Int(cprocess_most_descriptors))
        var count: Int32 = 0
        var isCut: Int32 = 0
        let length = chunk.withUnsafeMutableBytes {
            cprocess_receive(descriptor, $0.baseAddress, UInt($0.count), &memory, &count, &isCut, waits ? 1 : 0)
        }
        let error = errno
        receivedDescriptors += memory.prefix(Int(count))
        if isCut != 0 {
            if count == cprocess_most_descriptors { throw BrokenFrame(.descriptors) }
            return .noRoom(SystemFailure(code: EMFILE, of: .descriptor))
        }
        if length > 0 {
            received += chunk[..<length]
            return .bytes
        }
        return length < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(error) ? .nothing : .end
    }
}

/// Encodes and decodes messages as JSON, with the coders for documents.
enum MessageCoding {
    static func text(of message: some Encodable, _ documents: MessageDocuments = MessageDocuments()) throws -> [UInt8] {
        let encoder = DocumentEncoder(strategies: EncodingStrategies(userInfo: documents.userInfo))
        return JSONWriter(layout: .compact).bytes(try encoder.encode(message).root)
    }

    static func document(of text: [UInt8]) throws -> Document {
        try Document(parsing: text.withUnsafeBytes { SourceBytes($0) })
    }

    static func message<Value: Decodable>(
        _ type: Value.Type, in root: DocumentNode, _ documents: MessageDocuments = MessageDocuments()
    ) throws -> Value {
        try DocumentDecoder(strategies: DecodingStrategies(userInfo: documents.userInfo)).decode(type, from: root)
    }
}
