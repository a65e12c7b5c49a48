import CProcess
import DocumentModel
import Foundation

/// What goes over the socket at a time: a JSON text, and blocks of bytes.
///
/// On the wire: a mark, the number of blocks and the length of the text (32 bits each), for each block its length (64
/// bits) and 1 if its bytes follow or 0 if they lie in memory whose descriptor came along, the text, and the blocks'
/// bytes. Other bytes than the mark are the app's, which found the descriptor.
struct Frame {
    let text: [UInt8]
    let blocks: [SharedBlock]

    fileprivate static let mark: UInt32 = 0xFF4D_49FE
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

    init(text: [UInt8], blocks: [Block] = []) {
        bytes = []
        bytes.reserveCapacity(12 + text.count)
        Self.append(Frame.mark, to: &bytes)
        Self.append(UInt32(blocks.count), to: &bytes)
        Self.append(UInt32(text.count), to: &bytes)
        var inline: [Block] = []
        for block in blocks {
            let isLarge = block.length >= Self.smallestShared && descriptors.count < Self.mostShared
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

    /// The next frame that has arrived whole.
    ///
    /// - Throws: ``BrokenFrame``.
    func next() throws -> Frame? {
        guard let mark: UInt32 = value(at: 0) else { return nil }
        guard mark == Frame.mark else { throw BrokenFrame() }
        guard let blockCount: UInt32 = value(at: 4), let textLength: UInt32 = value(at: 8) else { return nil }
        var offset = 12
        var lengths: [(length: Int, isInline: Bool)] = []
        for _ in 0..<Int(blockCount) {
            guard let length: UInt64 = value(at: offset), let isInline: UInt64 = value(at: offset + 8) else {
                return nil
            }
            guard length <= UInt64(UInt32.max) * 32 else { throw BrokenFrame() }
            lengths.append((Int(length), isInline == 1))
            offset += 16
        }
        let end = lengths.reduce(offset + Int(textLength)) { $0 + ($1.isInline ? $1.length : 0) }
        guard received.count - start >= end else { return nil }
        let text = Array(received[start + offset..<start + offset + Int(textLength)])
        offset += Int(textLength)
        var blocks: [SharedBlock] = []
        for (length, isInline) in lengths {
            if isInline {
                received.withUnsafeBytes {
                    blocks.append(
                        SharedBlock(
                            copying: UnsafeRawBufferPointer(rebasing: $0[start + offset..<start + offset + length])))
                }
                offset += length
            } else {
                guard let memory = receivedDescriptors.popFirst(),
                    let block = SharedBlock(descriptor: memory, length: length)
                else { throw BrokenFrame() }
                blocks.append(block)
            }
        }
        start += offset
        if start == received.count {
            received.removeAll(keepingCapacity: received.capacity < 1 << 20)
            start = 0
        }
        return Frame(text: text, blocks: blocks)
    }

    private func value<Value: FixedWidthInteger>(at offset: Int) -> Value? {
        guard received.count - start >= offset + MemoryLayout<Value>.size else { return nil }
        return received.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start + offset, as: Value.self) }
    }

    /// What came of receiving.
    enum Arrival {
        case bytes, nothing, end
    }

    /// Receives what is there; where that `waits`, until something is.
    func receive(waits: Bool) -> Arrival {
        var memory = [Int32](repeating: -1, count: Int(cprocess_most_descriptors))
        var count: Int32 = 0
        let length = chunk.withUnsafeMutableBytes {
            cprocess_receive(descriptor, $0.baseAddress, UInt($0.count), &memory, &count, waits ? 1 : 0)
        }
        let error = errno
        if length > 0 { received += chunk[..<length] }
        receivedDescriptors += memory.prefix(Int(count))
        if length > 0 { return .bytes }
        return length < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(error) ? .nothing : .end
    }
}

/// How messages become texts: with the coders of documents.
enum MessageCoding {
    static func text(of message: some Encodable) throws -> [UInt8] {
        JSONWriter(layout: .compact).bytes(try DocumentEncoder().encode(message).root)
    }

    static func message<Value: Decodable>(_ type: Value.Type, in text: [UInt8]) throws -> Value {
        let bytes = text.withUnsafeBytes { SourceBytes($0) }
        return try DocumentDecoder().decode(type, from: try Document(parsing: bytes).root)
    }
}
