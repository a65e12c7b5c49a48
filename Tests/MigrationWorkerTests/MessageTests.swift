import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationWorker

@Suite("What a worker and its parent say to each other")
struct MessageTests {
    /// Every document of the demo-data.
    private static func documents() throws -> [DocumentReference] {
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(Project.path("demo-data")))]).walk { found += $0 }
        try #require(found.count > 40)
        return found
    }

    private static func send(_ reply: SentReply, documents: [Document] = []) throws -> (SentReply, [SharedBlock]) {
        let (sender, receiver) = try sockets()
        let blocks = documents.map { document in
            let packed = PackedDocument(document)
            return OutgoingFrame.Block(length: packed.blockLength) { packed.write(document, into: $0) }
        }
        sender.add(OutgoingFrame(text: try MessageCoding.text(of: reply), blocks: blocks))
        while sender.hasOutgoing {
            #expect(sender.flush(waits: false))
            _ = receiver.receive(waits: false)
        }
        while receiver.receive(waits: false) == .bytes {}
        let frame = try #require(try receiver.next())
        return (try MessageCoding.message(SentReply.self, in: frame.text), frame.blocks)
    }

    static func sockets() throws -> (FrameSocket, FrameSocket) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return (FrameSocket(Descriptor(ends[0])), FrameSocket(Descriptor(ends[1])))
    }

    @Test("a result arrives as it was, with every reason")
    func results() throws {
        let opener = DocumentOpener(chains: ExampleChains.all)
        for document in try Self.documents() {
            guard case .result(let result) = opener.reply(to: WorkerRequest(document, wanted: .outcome)) else {
                Issue.record("no result of \(document)")
                continue
            }
            guard case .result(let sent) = try Self.send(.result(SentResult(result))).0 else {
                Issue.record("another message about \(document)")
                continue
            }
            #expect(sent.result(source: document.name) == result)
        }
    }

    @Test("a trace arrives as it was, with its documents byte for byte and the places in them")
    func traces() throws {
        let opener = DocumentOpener(chains: ExampleChains.all)
        for document in try Self.documents() {
            var arrived = MigrationTrace(source: document.name)
            guard case .trace(let trace) = opener.reply(to: WorkerRequest(document, wanted: .trace)) else {
                Issue.record("no trace of \(document)")
                continue
            }
            var packer = SentTrace.Packer()
            var known: [Document] = []
            var before = MigrationTrace(source: document.name, document: trace.document)
            before.steps = trace.steps.dropLast()
            for trace in [before, trace] {
                let (packed, documents) = packer.pack(trace)
                let (reply, blocks) = try Self.send(.trace(packed), documents: documents)
                guard case .trace(let sent) = reply else {
                    Issue.record("another message about \(document)")
                    continue
                }
                arrived = try sent.trace(blocks, behind: &known)
            }
            #expect(try MessageCoding.text(of: arrived) == MessageCoding.text(of: trace), "\(document)")
            #expect(arrived.document?.source?.data == trace.document?.source?.data)
            #expect(arrived.document?.root.location == trace.document?.root.location)
            #expect(arrived.steps.map { $0.after?.source == nil } == trace.steps.map { $0.after?.source == nil })
            if let first = arrived.steps.first?.before { #expect(first.identity == arrived.document?.identity) }
        }
    }

    /// What a worker answers to a request that came over a socket.
    private static func answer(_ request: WorkerRequest) throws -> WorkerReply {
        let text = try MessageCoding.text(of: try #require(SentRequest(request)))
        let sent = try MessageCoding.message(SentRequest.self, in: text)
        return DocumentOpener(chains: ExampleChains.all).reply(
            to: sent.request(file: request.document.file, bytes: request.bytes))
    }

    @Test("a document is changed before the app's code sees it, also in a way that is not possible")
    func edits() throws {
        let path = try #require(DocumentPath("$.starRating"))
        let three = try Document(json: "3")
        let failing = try #require(try Self.documents().first { $0.name.hasSuffix("poems/rating-9.json") })
        guard
            case .result(let result) = try Self.answer(
                WorkerRequest(failing, edits: [.set(path, three)], wanted: .outcome)),
            case .notEdited(let error) = try Self.answer(
                WorkerRequest(failing, edits: [.add(path, three)], wanted: .outcome))
        else {
            Issue.record("other replies")
            return
        }
        #expect(result.outcome == .migrated)
        #expect(error.path == path && error.problem == .exists)
    }

    @Test("one step comes alone, with its before and after")
    func oneStep() throws {
        let document = try #require(try Self.documents().first { $0.name.hasSuffix("poems/rating-9.json") })
        let path = try #require(DocumentPath("$.starRating"))
        let edits = [DocumentEdit.set(path, try Document(json: "4"))]
        func trace(_ wanted: WorkerRequest.Wanted, _ target: Int) throws -> MigrationTrace? {
            let request = WorkerRequest(document, edits: edits, wanted: wanted, target: .number(target))
            return if case .trace(let trace) = try Self.answer(request) { trace } else { nil }
        }
        let whole = try #require(try trace(.trace, 3))
        #expect(whole.steps.count == 2)
        for (index, step) in whole.steps.enumerated() {
            let alone = try #require(try trace(.step, index + 2)?.steps)
            #expect(try trace(.step, index + 2)?.detection.attempts.isEmpty == true)
            #expect(alone.count == 1 && alone[0].before == step.before && alone[0].after == step.after)
        }
        #expect(try trace(.step, 1)?.steps.isEmpty == true)
    }

    @Test("a document that does not fit in a frame lies in sealed memory")
    func largeDocuments() throws {
        let text = "[" + (0..<100_000).map { "{\"n\": \($0)}" }.joined(separator: ",") + "]"
        let document = try Document(parsing: SourceBytes(text))
        let packed = PackedDocument(document)
        let frame = OutgoingFrame(
            text: [], blocks: [.init(length: packed.blockLength) { packed.write(document, into: $0) }])
        #expect(frame.descriptors.count == 1 && frame.bytes.count < 100)
        let block = try #require(SharedBlock(descriptor: frame.descriptors[0], length: packed.blockLength))
        let arrived = try #require(packed.document(in: block.bytes, of: block))
        #expect(arrived.root.isEqual(to: document.root))
        #expect(arrived.source?.data == Data(text.utf8))
    }

    @Test("a block in which any word is another one is refused, or is a document that can be walked")
    func brokenBlocks() throws {
        let text = #"{"name": "Ode \u00e9", "lines": [1, 2.5, {"a": null}], "ok": true}"#
        let document = try Document(parsing: SourceBytes(text))
        let packed = PackedDocument(document)
        var whole = [UInt8](repeating: 0, count: packed.blockLength)
        whole.withUnsafeMutableBytes { packed.write(document, into: $0) }
        var generator = SeededGenerator(seed: 1)
        var refused = 0
        // What the last word of a node may be: a number that is flagged as escaped, a date.
        let kinds: [UInt32] = [0x0203, 6]
        for offset in stride(from: 0, to: whole.count - 4, by: 4) {
            for value in [0, 1, UInt32.max, .random(in: 0...100, using: &generator)] + kinds {
                var bytes = whole
                withUnsafeBytes(of: value) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
                let block = bytes.withUnsafeBytes { SharedBlock(copying: $0) }
                guard let broken = packed.document(in: block.bytes, of: block) else {
                    refused += 1
                    continue
                }
                _ = broken.root.isEqual(to: document.root)
                _ = JSONWriter(layout: .pretty).data(broken.root)
                for node in broken.root.nodes where node.kind != .key {
                    _ = JSONWriter().data(Document(copying: node).root)
                }
            }
        }
        #expect(refused > 20)
    }

    @Test("half a frame is none yet, and frames that arrive together are told apart")
    func pieces() throws {
        let (sender, receiver) = try Self.sockets()
        let frames = ["one", "", "three"].map { OutgoingFrame(text: Array($0.utf8)) }
        let bytes = frames.flatMap(\.bytes)
        var texts: [String] = []
        for byte in bytes {
            #expect(write(sender.descriptor, [byte], 1) == 1)
            #expect(receiver.receive(waits: false) == .bytes)
            while let frame = try receiver.next() { texts.append(String(decoding: frame.text, as: UTF8.self)) }
        }
        #expect(texts == ["one", "", "three"])
        #expect(receiver.receive(waits: false) == .nothing)
    }

    @Test("bytes that are no frame are not waited behind", arguments: ["hello", "\u{0}\u{0}\u{0}\u{0}"])
    func strayBytes(_ text: String) throws {
        let (sender, receiver) = try Self.sockets()
        #expect(write(sender.descriptor, text, text.utf8.count) == text.utf8.count)
        #expect(receiver.receive(waits: false) == .bytes)
        #expect(throws: BrokenFrame.self) { try receiver.next() }
    }
}
