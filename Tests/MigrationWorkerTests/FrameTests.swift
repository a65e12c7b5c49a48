import CProcess
import DocumentSources
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationWorker

@Suite("Frames")
struct FrameTests {
    /// The content of a frame, for comparison with what arrives.
    private struct Content: Equatable {
        var text: [UInt8]
        var blocks: [[UInt8]]

        init(_ text: [UInt8], _ blocks: [[UInt8]]) { (self.text, self.blocks) = (text, blocks) }
        init(_ frame: Frame) { self.init(frame.text, frame.blocks.map { Array($0.bytes) }) }

        var outgoing: OutgoingFrame {
            OutgoingFrame(
                text: text,
                blocks: blocks.map { bytes in .init(length: bytes.count) { $0.copyBytes(from: bytes) } })
        }
    }

    private static func bytes(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        let seed = generator.next()
        return (0..<count).map {
            UInt8(truncatingIfNeeded: seed >> (8 * ($0 & 7))) &+ UInt8(truncatingIfNeeded: $0 / 8)
        }
    }

    @Test("frames arrive as they were sent, whatever their number and size")
    func roundTrip() throws {
        let (sender, receiver) = try MessageTests.sockets()
        let shared = OutgoingFrame.smallestShared
        var generator = SeededGenerator(seed: 3)
        for round in 0..<12 {
            let contents = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                let sizes = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    [0, 1, 4097, shared - 1, shared, shared + 1].randomElement(using: &generator) ?? 0
                }
                let length = [0, 1, 5000].randomElement(using: &generator) ?? 0
                return Content(
                    Self.bytes(length, &generator), sizes.map { Self.bytes($0, &generator) })
            }
            for content in contents { sender.add(content.outgoing) }
            var arrived: [Content] = []
            while sender.hasOutgoing || arrived.count < contents.count {
                #expect(sender.flush(waits: false))
                let arrival = try receiver.receive(waits: false)
                while let frame = try receiver.next() { arrived.append(Content(frame)) }
                if arrival == .nothing, !sender.hasOutgoing { break }
            }
            #expect(arrived == contents, "round \(round)")
        }
        #expect(try receiver.next() == nil && receiver.receive(waits: false) == .nothing)
    }

    @Test("blocks are in shared memory from 64 KB on, up to the number that one socket message can carry")
    func sharedBlocks() throws {
        for (length, isShared) in [(1, false), (OutgoingFrame.smallestShared - 1, false), (64 << 10, true)] {
            let frame = Content([1], [[UInt8](repeating: 7, count: length)]).outgoing
            #expect(
                (frame.descriptors.count == 1) == isShared && (frame.bytes.count < 100) == (isShared || length == 1))
            for descriptor in frame.descriptors { close(descriptor) }
        }
        let many = Content([], (0..<70).map { [UInt8](repeating: UInt8($0), count: 64 << 10) })
        let (sender, receiver) = try MessageTests.sockets()
        sender.add(many.outgoing)
        var arrived: Content?
        while arrived == nil {
            #expect(sender.flush(waits: false))
            let arrival = try receiver.receive(waits: false)
            arrived = try receiver.next().map(Content.init)
            if arrival != .bytes, !sender.hasOutgoing { break }
        }
        #expect(arrived == many)
    }

    @Test("a frame is sent completely if the sender waits, even if the receiver is slow")
    func waiting() throws {
        let sockets = try MessageTests.sockets()
        let sender = sockets.0
        // Used by one thread only.
        nonisolated(unsafe) let receiver = sockets.1
        let content = Content([UInt8](repeating: 65, count: 3_000_000), [])
        let received = Collected<Content>()
        Thread.detachNewThread {
            while received.all.isEmpty {
                usleep(100)
                switch try? receiver.receive(waits: false) {
                case .end, .noRoom, nil: return
                case .nothing: continue
                case .bytes: if let frame = try? receiver.next() { received.append(Content(frame)) }
                }
            }
        }
        sender.add(content.outgoing)
        #expect(sender.flush(waits: true) && !sender.hasOutgoing)
        // Anything not sent by now is lost.
        shutdown(sender.descriptor, Int32(SHUT_WR))
        #expect(waits { !received.all.isEmpty })
        #expect(received.all.first == content)
    }

    @Test("sender and receiver both notice when the other end is gone")
    func goneEnd() throws {
        var (sender, receiver): (FrameSocket?, FrameSocket?) = try MessageTests.sockets()
        sender?.add(Content([1], []).outgoing)
        #expect(sender?.flush(waits: true) == true)
        sender = nil
        #expect(try receiver?.receive(waits: true) == .bytes && receiver?.receive(waits: true) == .end)
        #expect(try receiver?.next()?.text == [1])
        (sender, receiver) = try MessageTests.sockets()
        receiver = nil
        sender?.add(Content([1], []).outgoing)
        #expect(sender?.flush(waits: false) == false)
    }

    @Test("frames that claim blocks they do not carry, or impossible sizes, are broken")
    func broken() throws {
        func frame(blocks: [(length: UInt64, isInline: UInt64)]) -> [UInt8] {
            var bytes = Array(OutgoingFrame(text: []).bytes)
            withUnsafeBytes(of: UInt32(blocks.count)) { bytes.replaceSubrange(4..<8, with: $0) }
            for block in blocks {
                withUnsafeBytes(of: block.length) { bytes += $0 }
                withUnsafeBytes(of: block.isInline) { bytes += $0 }
            }
            return bytes
        }
        for block in [(100_000, 0), (UInt64.max, 0), (UInt64.max, 1), (1 << 62, 1)] as [(UInt64, UInt64)] {
            let (sender, receiver) = try MessageTests.sockets()
            let bytes = frame(blocks: [block])
            #expect(write(sender.descriptor, bytes, bytes.count) == bytes.count)
            #expect(try receiver.receive(waits: false) == .bytes)
            #expect(throws: BrokenFrame.self, "\(block)") { try receiver.next() }
        }
        // A block whose last byte is still on its way.
        let (sender, receiver) = try MessageTests.sockets()
        let bytes = frame(blocks: [(2, 1)])
        #expect(write(sender.descriptor, bytes + [5], bytes.count + 1) == bytes.count + 1)
        #expect(try receiver.receive(waits: false) == .bytes)
        #expect(try receiver.next() == nil)
        #expect(write(sender.descriptor, [6] as [UInt8], 1) == 1)
        #expect(try receiver.receive(waits: false) == .bytes)
        #expect(try receiver.next().map(Content.init) == Content([], [[5, 6]]))
    }

    @Test("a frame can be refused for its size before its content arrives")
    func admission() throws {
        let (sender, receiver) = try MessageTests.sockets()
        let frame = Content([1, 2], [[3], [UInt8](repeating: 4, count: 70_000)]).outgoing
        defer { for descriptor in frame.descriptors { close(descriptor) } }
        // The beginning of a frame: a mark, two counts, and two numbers for each block.
        let beginning = Array(frame.bytes.prefix(44))
        #expect(write(sender.descriptor, beginning, 12) == 12)
        #expect(try receiver.receive(waits: false) == .bytes)
        var sizes: [FrameSize] = []
        #expect(try receiver.next { sizes.append($0) } == nil)
        #expect(write(sender.descriptor, Array(beginning[12...]), 32) == 32)
        #expect(try receiver.receive(waits: false) == .bytes)
        #expect(throws: BrokenFrame(.size)) {
            try receiver.next { size throws(BrokenFrame) in
                sizes.append(size)
                if size.shared > 0 { throw BrokenFrame(.size) }
            }
        }
        let whole = FrameSize(text: 2, inline: 1, shared: 70_000, blockCount: 2)
        #expect(Set(sizes.map(\.blockCount)) == [2] && sizes.first?.shared == 0 && sizes.last == whole)
    }

    @Test("a frame with descriptors that none of its blocks claims is broken")
    func strayDescriptors() throws {
        func send(_ bytes: [UInt8], _ count: Int, _ sender: FrameSocket) {
            let descriptors = [Int32](repeating: 1, count: count)
            #expect(
                cprocess_send(sender.descriptor, bytes, UInt(bytes.count), descriptors, Int32(count)) == bytes.count)
        }
        let empty = OutgoingFrame(text: []).bytes
        var withBlock = empty
        withBlock[4] = 1
        withUnsafeBytes(of: (UInt64(100_000), UInt64(0))) { withBlock += $0 }
        withBlock[8] = 200
        let stray = BrokenFrame(.descriptors)
        // With a frame that has no block, with more than its one block needs, and repeatedly with an incomplete
        // frame.
        for (bytes, count, expected) in [
            (empty, 1, stray), (withBlock, 2, stray), (withBlock, 1, nil), (Array(empty[..<5]), 60, nil),
        ] as [([UInt8], Int, BrokenFrame?)] {
            let (sender, receiver) = try MessageTests.sockets()
            send(bytes, count, sender)
            #expect(try receiver.receive(waits: false) == .bytes)
            func takeAll() throws(BrokenFrame) { while try receiver.next() != nil {} }
            if let expected {
                #expect(throws: expected) { try takeAll() }
            } else {
                try takeAll()
                #expect(!receiver.isEmpty)
                send([0xFE], 60, sender)
                #expect(try receiver.receive(waits: false) == .bytes)
                #expect(throws: stray) { try takeAll() }
            }
        }
    }

    #if os(Linux)
        @Test("a descriptor that is not memory, or whose memory may still change, is refused as a shared block")
        func openMemory() throws {
            let folder = try TemporaryFolder()
            let file = try folder.write(String(repeating: "x", count: 100_000), to: "file")
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            let (sender, _) = try MessageTests.sockets()
            let unsealed = cprocess_shared_memory()
            try #require(ftruncate(unsealed, 100_000) == 0)
            let page = WorkerPage.makeDescriptor()
            for descriptor in [
                open(file, O_RDONLY), open(file, O_RDWR), open(folder.path, O_RDONLY), open("/dev/zero", O_RDWR),
                ends[0],
                ends[1], dup(sender.descriptor), unsealed, page, -1,
            ] {
                #expect(SharedBlock(descriptor: descriptor, length: 4096) == nil, "\(descriptor)")
            }
        }

        @Test("shared memory is accepted only if it is sealed and long enough, and does not leak")
        func memory() async {
            await #expect(processExitsWith: .success) {
                func openDescriptors() throws -> Int {
                    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
                }
                func sealed(_ length: Int) throws -> Int32 {
                    try #require(
                        SealedMemory.make(length: length) { $0.copyBytes(from: [UInt8](repeating: 3, count: length)) })
                }
                let before = try openDescriptors()
                for _ in 0..<20 {
                    for (length, isTaken) in [(0, false), (1, true), (5000, true), (5001, false), (1 << 40, false)] {
                        let block = SharedBlock(descriptor: try sealed(5000), length: length)
                        #expect((block != nil) == isTaken, "\(length)")
                        #expect(block?.bytes.allSatisfy { $0 == 3 } != false)
                    }
                    let open = cprocess_shared_memory()
                    ftruncate(open, 5000)
                    #expect(SharedBlock(descriptor: open, length: 5000) == nil)
                    // Queued, received but not taken, and taken.
                    for count in 0...2 {
                        let (sender, receiver) = try MessageTests.sockets()
                        let block = OutgoingFrame.Block(length: 100_000) {
                            $0.copyBytes(from: [UInt8](repeating: 1, count: 100_000))
                        }
                        sender.add(OutgoingFrame(text: [1], blocks: [block, block]))
                        if count > 0 {
                            #expect(try sender.flush(waits: false) && receiver.receive(waits: false) == .bytes)
                        }
                        if count > 1 { #expect(try receiver.next()?.blocks.count == 2) }
                    }
                }
                // Other parts of this process may open a few descriptors for good.
                #expect(try openDescriptors() < before + 15)
                let mappings = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
                #expect(!mappings.contains("memfd:document"))
            }
        }
    #endif
}
