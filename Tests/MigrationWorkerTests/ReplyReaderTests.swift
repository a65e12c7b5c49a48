import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable @_spi(Fuzzing) import MigrationWorker

@Suite("Checks of a worker's answer")
struct ReplyReaderTests {
    private let request = WorkerRequest(.nothing, bytes: SourceBytes(#"{"version": 3}"#))
    private let edited = WorkerRequest(.nothing, bytes: SourceBytes("{}"), edits: [.remove(.root)])

    /// The rule that frames break as an answer, or nil if they break none.
    private func broken<Answer>(
        _ frames: [WireFrame], _ wanted: Wanted<Answer>, of request: WorkerRequest? = nil
    ) throws -> BrokenFrame? {
        do {
            _ = try WireFrame.replies(frames.flatMap(\.bytes), to: request ?? self.request, wanting: wanted)
            return nil
        } catch let error as BrokenFrame {
            return error
        }
    }

    private static let trace: MigrationTrace = {
        var trace = MigrationTrace(source: "another")
        trace.document = try? Document(json: #"{"a": ["b"]}"#)
        return trace
    }()

    private static func refusal() throws -> DocumentEditError {
        try DocumentDecoder().decode(
            DocumentEditError.self, from: Document(json: #"{"path":"$","problem":"missing"}"#).root)
    }

    @Test("an answer must be of the requested kind")
    func kinds() throws {
        let result = CheckResult(source: "", outcome: .current)
        let (trace, kind) = (Self.trace, BrokenFrame(.kind))
        let frames: [(name: WantedName?, frame: WireFrame)] = [
            (.outcome, try WireFrame(result)), (.migration, try WireFrame(WrittenMigration(document: .init(result)))),
            (.trace, try WireFrame(trace)), (.seriesChain, try WireFrame(.known("Poem"))),
            (.outline, try WireFrame(VersionOutline())), (nil, try WireFrame(trace, isKnown: true)),
            (nil, try WireFrame([ChainDescription]())),
            (nil, try WireFrame(Self.refusal())),
        ]
        func expect<Answer>(_ wanted: Wanted<Answer>, _ name: WantedName) throws {
            for (other, frame) in frames {
                let expected = other == name ? nil : kind
                #expect(try broken([frame], wanted) == expected, "\(wanted.name) answered by \(frame)")
            }
        }
        try expect(.outcome, .outcome)
        try expect(.migration, .migration)
        for wanted in [Wanted<MigrationTrace>.trace, .step, .detection, .document] { try expect(wanted, .trace) }
        try expect(.seriesChain, .seriesChain)
        try expect(.outline, .outline)
    }

    @Test("steps may be reported before an answer, and edits refused, only if the request allows it")
    func ways() throws {
        var reported = request
        reported.sendsSteps = true
        let frames = [try WireFrame(Self.trace, isKnown: true), try WireFrame(Self.trace)]
        #expect(try broken(frames, .trace, of: reported) == nil && broken(frames, .trace) == BrokenFrame(.kind))
        let refusal = try WireFrame(Self.refusal())
        #expect(try broken([refusal], .outcome, of: edited) == nil)
        let replies = try WireFrame.replies(refusal.bytes, to: edited, wanting: .outcome)
        #expect(try replies == [.failure(Self.refusal())])
    }

    @Test("an answer is about the document of its request")
    func source() throws {
        let document = GivenName(FilePath("a.json")).document
        for opensTraces in [false, true] {
            let request = WorkerRequest(document, bytes: SourceBytes("{}"), opensTraces: opensTraces)
            let replies = try WireFrame.replies(WireFrame(Self.trace).bytes, to: request, wanting: .trace)
            // A recorded trace may be of any document.
            #expect(try replies.map { try $0.get().source } == [opensTraces ? "another" : "a.json"])
            let result = CheckResult(source: "another", outcome: .current)
            let results = try WireFrame.replies(WireFrame(result).bytes, to: request, wanting: .outcome)
            #expect(try results.map { try $0.get().source } == ["a.json"])
        }
    }

    @Test("an answer that contradicts itself is broken")
    func sense() throws {
        let failure = MigrationFailure(.thrown(message: "m"))
        for outcome in MigrationOutcome.allCases {
            for hasFailure in [false, true] {
                let result = CheckResult(source: "", outcome: outcome, failure: hasFailure ? failure : nil)
                let isSound =
                    outcome != .deleted && hasFailure == (outcome == .failed || outcome == .unreadable)
                #expect(try broken([WireFrame(result)], .outcome) == (isSound ? nil : BrokenFrame(.sense)))
                var document = MigratedDocument(result)
                #expect(
                    try broken([WireFrame(.init(document: document))], .migration) == (isSound ? nil : .init(.sense)))
                document.hasResult = true
                let data = Data("{}".utf8)
                for data in [nil, data] where isSound {
                    let isWritten = outcome != .current
                    #expect(
                        try broken([WireFrame(.init(document: document, data: data))], .migration)
                            == ((data != nil) == isWritten ? nil : .init(.sense)))
                }
            }
        }
        // Workers know nothing of experiments and histories.
        let changes: [(inout CheckResult) -> Void] = [
            { $0.lost = [] }, { $0.narrowed = [] }, { $0.examined = Examination(notExamined: .off) },
            { $0.reopens = .opens }, { $0.observed = ObservedVersion(version: .number(1), path: nil) },
        ]
        for change in changes {
            var result = CheckResult(source: "", outcome: .current)
            change(&result)
            #expect(try broken([WireFrame(result)], .outcome) == BrokenFrame(.sense))
        }
        let chain = ChainDescription(try #require(ExampleChains.all.first))
        #expect(try WireFrame.chains(WireFrame([chain]).bytes) == [chain])
        let short = ChainDescription(name: "a", versions: chain.versions)
        #expect(throws: BrokenFrame(.sense)) { try WireFrame.chains(WireFrame([short]).bytes) }
    }

    @Test("an answer has a block for each of its documents, and a document in each block")
    func blocks() throws {
        let whole = try WireFrame(Self.trace)
        let (kind, document) = (BrokenFrame(.kind), BrokenFrame(.document))
        var frame = try WireFrame(CheckResult(source: "", outcome: .current))
        frame.blocks = [[1, 2, 3]]
        #expect(try broken([frame], .outcome) == kind)
        for blocks in [[], whole.blocks + whole.blocks, [whole.blocks[0].dropLast()], [[]]] {
            frame = WireFrame(text: whole.text, blocks: blocks)
            #expect(try broken([frame], .trace) == document)
        }
    }

    @Test("an answer is unreadable if it is not a message, has an impossible number or is nested too deeply")
    func unreadable() throws {
        func text(_ members: String, after: String = "}") -> String {
            #"{"result":{"versionCandidates":[],"_0":{"source":"","dropped":[],\#(members)"# + after
        }
        let nested = text(#""outcome":"current","warnings":["#, after: "")
        for text in [
            "", "{}", "[]", #"{"result":{}}"#,
            text(#""outcome":"lost","warnings":[]}}"#),
            text(
                #""outcome":"failed","warnings":[],"failure":{"reason":{"notRecorded":{}},"location":{"line":0,"column":1,"offset":0}}}}"#
            ),
            text(#""outcome":"failed","warnings":[],"failure":{"reason":{"timedOut":{"seconds":1e400}}}}}"#),
            nested + String(repeating: #"{"caught":{"_0":"#, count: 600),
            nested + String(repeating: "[", count: 60_000),
        ] {
            #expect(try broken([WireFrame(text: Array(text.utf8))], .outcome) == BrokenFrame(), "\(text.prefix(100))")
        }
        let sound = WireFrame(text: Array(text(#""outcome":"current","warnings":[]}}"#).utf8))
        #expect(try broken([sound], .outcome) == nil)
        // Even a reason nested as deeply as a message allows has its words.
        let deep = 250
        let deepest =
            nested + String(repeating: #"{"caught":{"_0":"#, count: deep) + #"{"notRecorded":{}}"#
            + String(repeating: "}}", count: deep) + "]}}}"
        let replies = try WireFrame.replies(WireFrame(text: Array(deepest.utf8)).bytes, to: request, wanting: .outcome)
        #expect(try replies.first?.get().warnings.first?.description.contains("does not say why") == true)
    }

    // MARK: - Size limits

    @Test("the size of an answer is limited by that of its document, and is checked before the content arrives")
    func sizes() throws {
        let reader = ReplyReader(mostShared: 1 << 20)
        func admits(_ size: FrameSize, _ name: WantedName = .outcome, documentOf byteCount: Int = 0) -> Bool {
            let bytes = SourceBytes(Data(repeating: 32, count: byteCount))
            do throws(BrokenFrame) {
                try reader.admit(size, about: WorkerRequest(.nothing, bytes: bytes), wanting: name)
                return true
            } catch {
                #expect(error == BrokenFrame(.size))
                return false
            }
        }
        let (kilobyte, megabyte) = (1 << 10, 1 << 20)
        #expect(admits(FrameSize(text: 256 * kilobyte)) && !admits(FrameSize(text: 256 * kilobyte + 1)))
        #expect(admits(FrameSize(text: 4 * megabyte), .trace) && !admits(FrameSize(text: 4 * megabyte + 1), .trace))
        // A larger document may have a larger answer.
        #expect(admits(FrameSize(text: 512 * kilobyte), documentOf: 16 * kilobyte))
        #expect(!admits(FrameSize(text: 512 * kilobyte + 1), documentOf: 16 * kilobyte))
        #expect(admits(FrameSize(inline: 16 * megabyte)) && !admits(FrameSize(inline: 16 * megabyte + 1)))
        #expect(admits(FrameSize(inline: 17 * megabyte), documentOf: 64 * kilobyte))
        // The trace of a single document may be larger, but never larger than the machine has room for.
        #expect(admits(FrameSize(text: 4 * megabyte + 256 * kilobyte), .trace, documentOf: kilobyte))
        #expect(!admits(FrameSize(text: 1 << 40), .trace, documentOf: 64 * megabyte))
        #expect(admits(FrameSize(shared: megabyte)) && !admits(FrameSize(shared: megabyte + 1), documentOf: megabyte))
        #expect(admits(FrameSize(blockCount: 16_384)) && !admits(FrameSize(blockCount: 16_385)))
        // For a document in a file, the size of the file counts.
        let folder = try TemporaryFolder()
        let file = GivenName(FilePath(try folder.write(String(repeating: " ", count: 128 * kilobyte), to: "a.json")))
            .document
        func admits(_ text: Int, about document: DocumentReference) -> Bool {
            (try? reader.admit(FrameSize(text: text), about: WorkerRequest(document), wanting: .outcome)) != nil
        }
        #expect(admits(2 * megabyte, about: file) && !admits(3 * megabyte, about: file))
        #expect(!admits(2 * megabyte, about: .nothing))
    }

    @Test("the size limit applies to all frames of an answer together, and starts over with each answer")
    func sums() throws {
        var reported = WorkerRequest(.nothing, bytes: SourceBytes("{}"))
        reported.sendsSteps = true
        var large = Self.trace
        large.document = try Document(json: "\"\(String(repeating: "x", count: 60_000))\"")
        let frame = try WireFrame(large, isKnown: true)
        let most = (16 << 20) / frame.blocks[0].count
        func frames(_ count: Int) -> [WireFrame] { Array(repeating: frame, count: count) }
        #expect(try broken(frames(most), .trace, of: reported) == nil)
        #expect(try broken(frames(most + 1), .trace, of: reported) == BrokenFrame(.size))
        let answer = try WireFrame(Self.trace)
        #expect(try broken(frames(most - 1) + [answer] + frames(most - 1) + [answer], .trace, of: reported) == nil)
    }
}
