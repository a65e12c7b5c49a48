import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable @_spi(Fuzzing) import MigrationWorker

@Suite("Messages between a worker and its parent")
struct MessageTests {
    /// Every document in the demo data.
    private static func documents() throws -> [DocumentReference] {
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(Project.path("demo-data")))]).walk { found += $0 }
        try #require(found.count > 40)
        return found
    }

    /// Returns the frame of a reply as it arrives.
    private static func send(_ reply: SentReply, _ documents: MessageDocuments) throws -> Frame {
        let (sender, receiver) = try sockets()
        let (text, blocks) = try reply.encoded(documents)
        sender.add(OutgoingFrame(text: text, blocks: blocks))
        while sender.hasOutgoing {
            #expect(sender.flush(waits: false))
            _ = try receiver.receive(waits: false)
        }
        while try receiver.receive(waits: false) == .bytes {}
        return try #require(try receiver.next())
    }

    /// Returns the trace in a frame.
    private static func trace(
        in text: [UInt8], _ blocks: [SharedBlock], _ documents: MessageDocuments = MessageDocuments()
    ) throws -> MigrationTrace? {
        var blocks = blocks
        guard case .trace(let trace) = try SentReply(text, &blocks, documents), blocks.isEmpty else { return nil }
        return trace
    }

    static func sockets() throws -> (FrameSocket, FrameSocket) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        return (FrameSocket(Descriptor(ends[0])), FrameSocket(Descriptor(ends[1])))
    }

    @Test("a check result arrives unchanged, with every reason")
    func results() throws {
        let opener = DocumentOpener(chains: ExampleChains.all)
        for document in try Self.documents() {
            let result = try Wanted.outcome.reply(of: opener, to: WorkerRequest(document)).get()
            let arrived = try WireFrame.replies(
                WireFrame(result).bytes, to: WorkerRequest(document), wanting: .outcome)
            #expect(try arrived.map { try $0.get() } == [result], "\(document)")
        }
    }

    @Test("a migration to any version writes the result of the trace, and arrives unchanged")
    func migrations() throws {
        let opener = DocumentOpener(chains: ExampleChains.all)
        var writtenCount = 0
        for document in try Self.documents() {
            let targets = try Self.trace(document, opener).versions.map(\.version)
            for target in [nil] + targets.map(Optional.some) {
                let trace = try Self.trace(document, opener, to: target)
                let request = WorkerRequest(document, target: target)
                let migration = try Wanted.migration.reply(of: opener, to: request).get()
                let (made, data) = (migration.document, migration.data)
                #expect(made == Self.reported(of: trace, in: document), "\(document) to \(String(describing: target))")
                let isWritten = trace.result != nil && trace.outcome != .current
                #expect((data != nil) == isWritten)
                // This document's type calls Foundation's encoder, which writes keys in any order.
                let isStable = !document.name.hasSuffix("collection-of-things.json")
                let expected = try isWritten ? trace.resultData() : nil
                #expect(isStable ? data == expected : data?.count == expected?.count, "\(document)")
                if data != nil { writtenCount += 1 }
                let arrived = try WireFrame.replies(WireFrame(migration).bytes, to: request, wanting: .migration)
                let sent = try #require(arrived.first).get()
                #expect(arrived.count == 1 && sent.document == made && sent.data == data)
            }
        }
        #expect(writtenCount > 40)
    }

    private static func trace(
        _ document: DocumentReference, _ opener: DocumentOpener, to target: DocumentVersion? = nil
    ) throws -> MigrationTrace {
        try Wanted.trace.reply(of: opener, to: WorkerRequest(document, target: target)).get()
    }

    private static func reported(of trace: MigrationTrace, in document: DocumentReference) -> MigratedDocument {
        var reported = MigratedDocument(trace)
        reported.result.container = document.container
        return reported
    }

    @Test("a trace arrives unchanged, with its documents byte for byte and their source locations")
    func traces() throws {
        let opener = DocumentOpener(chains: ExampleChains.all)
        for document in try Self.documents() {
            var arrived = MigrationTrace(source: document.name)
            let trace = try Self.trace(document, opener)
            let (sent, received) = (MessageDocuments(), MessageDocuments())
            var before = MigrationTrace(source: document.name, document: trace.document)
            before.steps = trace.steps.dropLast()
            for trace in [before, trace] {
                let frame = try Self.send(.trace(trace), sent)
                arrived = try #require(try Self.trace(in: frame.text, frame.blocks, received), "\(document)")
            }
            #expect(arrived.text == trace.text, "\(document)")
            #expect(arrived.document?.source?.data == trace.document?.source?.data)
            #expect(arrived.document?.root.location == trace.document?.root.location)
            #expect(arrived.steps.map { $0.after?.source == nil } == trace.steps.map { $0.after?.source == nil })
            if let first = arrived.steps.first?.before { #expect(first.identity == arrived.document?.identity) }
        }
    }

    @Test("a trace arrives unchanged with everything it can hold")
    func everything() throws {
        let documents = try (0..<4).map { try Document(json: "{\"n\": \($0)}") }
        let path = try #require(DocumentPath("$.a[1]"))
        let reason = Reason.notEncodable(type: "T", because: .timedOut(seconds: 1))
        let failure = MigrationFailure(
            .crashed(Crash(.exit(3), place: "a+0x1", lastWords: "b", isVerdict: true), frame: "c"),
            step: .init(from: .unversioned, to: .name("v2")), culprit: .init(path: path, certain: true),
            location: SourceLocation(line: 3, column: 4, offset: 50))
        func step(_ number: Int, _ before: Document?, _ ending: MigrationStep.Ending) -> MigrationStep {
            MigrationStep(
                from: number == 0 ? .unversioned : .number(number), to: .number(number + 1), fromType: "A\(number)",
                toType: "B\(number)", note: number == 0 ? nil : "note \(number)", seconds: Double(number) / 2,
                before: before, ending: ending)
        }
        let detection = VersionDetection(
            version: .unversioned, path: path,
            attempts: [
                .init(version: .number(2), type: "A", path: path, found: documents[3], reason: reason),
                .init(version: .unversioned, type: "B", path: nil, found: nil, reason: nil),
            ])
        let part = MigrationTrace(
            source: "part", chain: "c", target: .name("v5"), opening: .failed(failure), path: path,
            document: documents[1], rewriting: .madeUnencodable(reason), decodingSeconds: 0.25)
        for opening in [MigrationTrace.Opening.opened, .failed(failure), .failedInParts, .unrecognized([reason])] {
            for target in [nil, .unversioned, .number(7)] as [DocumentVersion?] {
                let trace = MigrationTrace(
                    source: "s", format: .plistXML, chain: "c", versions: [.init(version: .unversioned, type: "A")],
                    target: target, detection: detection, opening: opening,
                    steps: [
                        step(0, documents[0], .made(documents[1])), step(1, documents[1], .madeUnencodable(reason)),
                        step(2, nil, .checked), step(3, documents[2], .failed(failure)),
                    ], path: path, parts: [part], dropped: [path, .root], warnings: [reason],
                    document: documents[0], rewriting: .made(documents[2]), decodingSeconds: 0.5)
                let sent = MessageDocuments()
                let frame = try Self.send(.trace(trace), sent)
                // Each document is sent once, however often the trace refers to it.
                #expect(Set(sent.all.map(\.identity)) == Set(documents.map(\.identity)) && sent.all.count == 4)
                let (text, blocks) = (frame.text, frame.blocks)
                let arrived = try #require(try Self.trace(in: text, blocks))
                var (expected, found) = ("", "")
                dump(Self.plain(trace), to: &expected)
                dump(Self.plain(arrived), to: &found)
                #expect(found == expected)
                // A trace with a missing or extra block is refused, and so is one with a document that was never
                // sent.
                let broken = BrokenFrame(.document)
                #expect(throws: broken) { try Self.trace(in: text, blocks.dropLast()) }
                #expect(throws: broken) { try Self.trace(in: text, blocks + blocks) }
                // These documents were sent before.
                let again = try Self.send(.trace(trace), sent)
                #expect(again.blocks.isEmpty)
                #expect(throws: broken) { try Self.trace(in: again.text, []) }
            }
        }
    }

    /// The whole content of a trace, with its documents as text.
    private static func plain(_ trace: MigrationTrace) -> [Any] {
        func text(_ document: Document?) -> String {
            document.map { JSONWriter(layout: .compact).string($0.root) } ?? "-"
        }
        func ending(_ ending: MigrationStep.Ending?) -> Any {
            if case .made(let document)? = ending { return text(document) }
            return ending as Any
        }
        let steps: [Any] = trace.steps.flatMap { step -> [Any] in
            [
                step.from, step.to, step.fromType, step.toType, step.note as Any, step.seconds, text(step.before),
                ending(step.ending),
            ]
        }
        let attempts: [Any] = trace.detection.attempts.flatMap { attempt -> [Any] in
            [attempt.version, attempt.type, attempt.path as Any, text(attempt.found), attempt.reason as Any]
        }
        return [
            trace.source, trace.format as Any, trace.chain as Any, trace.versions, trace.target as Any,
            trace.detection.version as Any, trace.detection.path as Any, attempts, trace.opening, steps,
            trace.path as Any, trace.parts.map(plain), trace.dropped, trace.warnings, text(trace.document),
            ending(trace.rewriting), trace.decodingSeconds,
        ]
    }

    @Test("results and requests arrive unchanged with everything they can hold")
    func resultsAndRequests() throws {
        let path = try #require(DocumentPath("$.a[1]"))
        let folder = try TemporaryFolder()
        let line = GivenName(FilePath(try folder.write("{}\n\n{}", to: "a.jsonl") + "#L3")).document
        for version in [nil, .unversioned, .number(2), .name("v2")] as [DocumentVersion?] {
            var result = CheckResult(
                source: "s", outcome: .failed,
                failure: MigrationFailure(
                    .timedOut(seconds: 2.5), step: .init(from: .unversioned, to: .number(1)),
                    location: SourceLocation(line: 1, column: 2, offset: 3)))
            (result.format, result.container, result.chain) = (.plistBinary, .sqlite, "Poem")
            (result.version, result.versionPath, result.target) = (version, path, version)
            (result.dropped, result.warnings) = ([path, .root], [.timedOut(seconds: 1)])
            (result.leftOver, result.seconds) = (version == nil ? nil : [path], 0.5)
            let paths = (0..<5).map { path.appending(.index($0)) }
            result.folds = PathFolds([path.appending(.everyElement): PathFold(count: 5, of: 9, paths: paths)])
            result.versionCandidates = [ObservedVersion(version: .unversioned, path: path)]
            result.source = line.name
            let arrived = try WireFrame.replies(WireFrame(result).bytes, to: WorkerRequest(line), wanting: .outcome)
            #expect(try arrived.map { try $0.get() } == [result])
            for isSet in [false, true] {
                var request = WorkerRequest(
                    line, bytes: isSet ? SourceBytes("{}") : nil,
                    edits: isSet ? [.remove(path), .set(path, try Document(json: "1"))] : [],
                    chain: isSet ? "Poem" : nil, target: version, opensTraces: isSet)
                request.sendsSteps = isSet
                let arrived = try #require(
                    try WireFrame.requests(WireFrame.bytes(of: request, wanting: .detection)).first)
                #expect(arrived.document == request.document && arrived.edits == request.edits)
                #expect(arrived.bytes.map { Array($0.data) } == request.bytes.map { Array($0.data) })
                #expect(arrived.chain == request.chain)
                #expect(arrived.target == request.target && arrived.opensTraces == isSet)
                #expect(arrived.sendsSteps == isSet)
            }
        }
    }

    /// A worker's reply to a request that was sent over a socket.
    private static func answer<Answer>(
        _ request: WorkerRequest, _ wanted: Wanted<Answer>
    ) throws -> WorkerReply<Answer> {
        let arrived = try #require(try WireFrame.requests(WireFrame.bytes(of: request, wanting: wanted)).first)
        return wanted.reply(of: DocumentOpener(chains: ExampleChains.all), to: arrived)
    }

    @Test("a document is edited before the app's code sees it, and an impossible edit is refused")
    func edits() throws {
        let path = try #require(DocumentPath("$.starRating"))
        let three = try Document(json: "3")
        let failing = try #require(try Self.documents().first { $0.name.hasSuffix("poems/rating-9.json") })
        guard
            case .success(let result) = try Self.answer(
                WorkerRequest(failing, edits: [.set(path, three)]), .outcome),
            case .failure(let error) = try Self.answer(WorkerRequest(failing, edits: [.add(path, three)]), .outcome)
        else {
            Issue.record("other replies")
            return
        }
        #expect(result.outcome == .migrated)
        #expect(error.path == path && error.problem == .exists)
    }

    @Test("a request for one step gets only that step, with its before and after")
    func oneStep() throws {
        let document = try #require(try Self.documents().first { $0.name.hasSuffix("poems/rating-9.json") })
        let path = try #require(DocumentPath("$.starRating"))
        let edits = [DocumentEdit.set(path, try Document(json: "4"))]
        func trace(_ wanted: Wanted<MigrationTrace>, _ target: Int) throws -> MigrationTrace? {
            try Self.answer(WorkerRequest(document, edits: edits, target: .number(target)), wanted).answer
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

    @Test("a document too large for a frame is sent in sealed memory")
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

    @Test("a block with any word changed is refused, or is a document that can be walked")
    func brokenBlocks() throws {
        let text = #"{"name": "Ode \u00e9", "lines": [1, 2.5, {"a": null}], "ok": true}"#
        let document = try Document(parsing: SourceBytes(text))
        let packed = PackedDocument(document)
        var whole = [UInt8](repeating: 0, count: packed.blockLength)
        whole.withUnsafeMutableBytes { packed.write(document, into: $0) }
        var generator = SeededGenerator(seed: 1)
        var refused = 0
        // Possible last words of a node: a number flagged as escaped, a number flagged as an integer, a date.
        let kinds: [UInt32] = [0x0203, 0x0403, 6]
        for offset in stride(from: 0, to: whole.count - 4, by: 4) {
            for value in [0, 1, UInt32.max, .random(in: 0...100, using: &generator)] + kinds {
                var bytes = whole
                withUnsafeBytes(of: value) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
                let block = bytes.withUnsafeBytes { SharedBlock(copying: $0) }
                guard let broken = packed.document(in: block.bytes, of: block) else {
                    refused += 1
                    continue
                }
                // The difference looks at hashes first and the comparison at values: they must agree.
                let changes = DocumentDifference(old: document.root, new: broken.root).changes
                #expect(changes.isEmpty == broken.root.isEqual(to: document.root))
                _ = JSONWriter(layout: .pretty).data(broken.root)
                for node in broken.root.nodes where node.kind != .key {
                    _ = JSONWriter().data(Document(copying: node).root)
                }
            }
        }
        #expect(refused > 20)
    }

    @Test("half a frame is not a frame yet, and frames that arrive together are separated")
    func pieces() throws {
        let (sender, receiver) = try Self.sockets()
        let frames = ["one", "", "three"].map { OutgoingFrame(text: Array($0.utf8)) }
        let bytes = frames.flatMap(\.bytes)
        var texts: [String] = []
        for byte in bytes {
            #expect(write(sender.descriptor, [byte], 1) == 1)
            #expect(try receiver.receive(waits: false) == .bytes)
            while let frame = try receiver.next() { texts.append(String(decoding: frame.text, as: UTF8.self)) }
        }
        #expect(texts == ["one", "", "three"])
        #expect(try receiver.receive(waits: false) == .nothing)
    }

    @Test("the file of documents that are requested together is checked only for the first of them")
    func askedTogether() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("visitors.sqlite")
        try StoreWriter.make(
            path, "CREATE TABLE T (ID INTEGER PRIMARY KEY, D TEXT)", "INSERT INTO T (D) VALUES ('{}'), ('[]')")
        let (sender, receiver) = try Self.sockets()
        var last: SentRequest?
        for key in 1...3 {
            let cell = GivenName(FilePath(path + "#T/\(key)/D")).document
            sender.add(try #require(OutgoingFrame(WorkerRequest(cell), wanting: .outcome, behind: &last)))
        }
        #expect(sender.flush(waits: true))
        while try receiver.receive(waits: false) == .bytes {}
        let first = try #require(try receiver.next())
        let sent = try SentRequest(first.text)
        let document = try sent.request(in: first).document
        #expect(try document.read().data == Data("{}".utf8))
        unlink(path)
        let (second, third) = (try #require(try receiver.next()), try #require(try receiver.next()))
        let together = try sent.request(in: second, behind: document, wereAskedTogether: true).document
        #expect(together.name == path + "#T/2/D" && together.problem == nil)
        // Reading it shows that the file is gone.
        #expect(throws: SourceError.self) { try together.read() }
        #expect(try sent.request(in: third, behind: document).document.problem != nil)
    }

    @Test("bytes that are not a frame are refused at once", arguments: ["hello", "\u{0}\u{0}\u{0}\u{0}"])
    func strayBytes(_ text: String) throws {
        let (sender, receiver) = try Self.sockets()
        #expect(write(sender.descriptor, text, text.utf8.count) == text.utf8.count)
        #expect(try receiver.receive(waits: false) == .bytes)
        #expect(throws: BrokenFrame.self) { try receiver.next() }
    }
}
