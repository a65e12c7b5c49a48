import CProcess
import DocumentModel
import Foundation
import MigrationCore

/// What goes over the socket at a time: a JSON text, and blocks of bytes.
///
/// On the wire: a mark, the number of blocks and the length of the text (32 bits each), for each block its length (64
/// bits) and 1 if its bytes follow or 0 if they lie in memory whose descriptor came along, the text, and the blocks'
/// bytes. Other bytes than the mark are the app's, which found the descriptor.
struct Frame {
    let text: [UInt8]
    let blocks: [SharedBlock]
    let size: FrameSize

    fileprivate static let mark: UInt32 = 0xFF4D_49FE
}

/// How many bytes a frame brings, as its beginning says.
struct FrameSize: Equatable {
    var text = 0
    /// Those of blocks that follow the text.
    var inline = 0
    /// Those of blocks that lie in memory of their own.
    var shared = 0
    var blockCount = 0

    static func + (left: FrameSize, right: FrameSize) -> FrameSize {
        FrameSize(
            text: left.text + right.text, inline: left.inline + right.inline, shared: left.shared + right.shared,
            blockCount: left.blockCount + right.blockCount)
    }
}

/// A frame on its way out.
struct OutgoingFrame {
    var bytes: [UInt8]
    /// Sent with the first byte, and closed then.
    var descriptors: [Int32] = []

    /// A block on its way.
    struct Block {
        let length: Int
        /// Memory that holds it already; nil where it is yet to be written.
        var memory: Int32?
        let write: (UnsafeMutableRawBufferPointer) -> Void

        /// The block of some bytes, if there are any.
        static func of(_ data: Data?) -> [Block] {
            data.map { data in [Block(length: data.count) { $0.copyBytes(from: data) }] } ?? []
        }
    }

    /// Blocks from this size on lie in shared memory.
    static let smallestShared = 64 << 10
    private static let mostShared = Int(cprocess_most_descriptors) - 4

    /// - Parameter mayShare: Whether large blocks lie in shared memory.
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

    /// Talks over a socket.
    init(_ socket: Descriptor) { self.socket = socket }

    deinit {
        for memory in receivedDescriptors { close(memory) }
        for frame in outgoing { for memory in frame.descriptors { close(memory) } }
    }

    // MARK: - Sending

    /// Whether something waits to be sent.
    var hasOutgoing: Bool { !outgoing.isEmpty }

    /// Has a frame sent, behind those that wait: with the last of them, where it brings no descriptors.
    func add(_ frame: OutgoingFrame) {
        guard frame.descriptors.isEmpty, !outgoing.isEmpty else { return outgoing.append(frame) }
        outgoing[outgoing.endIndex - 1].bytes += frame.bytes
    }

    /// Sends what the socket takes; all of it where that `waits`.
    ///
    /// - Returns: false when the other end is gone.
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

    /// The most blocks that a frame has.
    private static let mostBlocks = 1 << 20
    /// A block is shorter than any that can be a document's.
    private static let longestBlock = UInt64(UInt32.max) * 32

    /// The next frame that has arrived whole.
    ///
    /// - Parameter admit: Given how much a frame brings as soon as that is known; throws to have none of it.
    /// - Throws: ``BrokenFrame``.
    func next(admitting admit: (FrameSize) throws(BrokenFrame) -> Void = { _ in }) throws(BrokenFrame) -> Frame? {
        guard let beginning = try beginning(admitting: admit) else {
            // They come with the first byte of the frame that they are for.
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
        // What was taken makes room, seldom enough that this moves each byte about once.
        if start == received.count || start > 1 << 20, start > received.count / 2 {
            received.removeSubrange(..<start)
            if received.isEmpty, received.capacity >= 1 << 20 { received = [] }
            start = 0
        }
        return Frame(text: text, blocks: blocks, size: size)
    }

    /// Whether nothing has arrived that was not taken.
    var isEmpty: Bool { start == received.count && receivedDescriptors.isEmpty }

    /// What a frame begins with: how much it brings, and each of its blocks.
    private struct Beginning {
        let length: Int
        let size: FrameSize
        let blocks: [(length: Int, isInline: Bool)]
    }

    /// The beginning of the next frame, once it is there.
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

    /// What came of receiving.
    enum Arrival: Equatable {
        case bytes, nothing, end
        /// This process has no room for the descriptors that came.
        case noRoom(SystemFailure)
    }

    /// Receives what is there, up to 64 KB; where that `waits`, once something is.
    ///
    /// - Throws: ``BrokenFrame``, where more descriptors came than a frame has.
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

/// How messages become texts: with the coders of documents.
enum MessageCoding {
    private static let encoder = DocumentEncoder(
        strategies: EncodingStrategies(
            userInfo: Dictionary(
                uniqueKeysWithValues: [DocumentVersion.keepsNumber].compactMap { $0.map { ($0, true) } })))

    static func text(of message: some Encodable) throws -> [UInt8] {
        JSONWriter(layout: .compact).bytes(try encoder.encode(message).root)
    }

    static func message<Value: Decodable>(_ type: Value.Type, in text: [UInt8]) throws -> Value {
        let bytes = text.withUnsafeBytes { SourceBytes($0) }
        return try DocumentDecoder().decode(type, from: try Document(parsing: bytes).root)
    }
}
