import DocumentModel
import Foundation
import MigrationCore
@_spi(Fuzzing) import MigrationWorker

let frameTarget = FuzzTarget(
    name: "frame", summary: "forged frames of a worker, and changed ones of its parent; reached: a trace was read"
) { try Frames(examples: Examples()) }

/// An input consists of a byte for the wanted answer, a byte for the way to ask, and frames.
private struct Frames: FuzzSubject {
    private let examples: Examples
    /// The frames by the kind of answer. Traces are first, because they contain the most.
    private let answers: [[WireFrame]]
    private let requests: [[UInt8]]
    private let mutator = Mutator(
        Mutator.json.words.map { String(decoding: $0, as: UTF8.self) } + ["\0\0\0\0", "\u{1}\0\0\0"])

    /// The ways to ask for a document: with edits, with steps reported before the answer, or as a recorded trace.
    private enum Way {
        static let edits: UInt8 = 1, sendsSteps: UInt8 = 2, opensTraces: UInt8 = 4
    }

    init(examples: Examples) throws {
        self.examples = examples
        let traces = try examples.texts.map { try examples.trace(of: $0) }
        let edit = DocumentEditError.self
        answers = [
            try traces.map { try WireFrame($0) }, try traces.map { try WireFrame($0, isKnown: true) },
            try examples.texts.map { try WireFrame(examples.result(of: $0)) },
            try examples.texts.map { try WireFrame(examples.migration(of: $0)) },
            [try WireFrame(.known("Poem")), try WireFrame(.known(nil))],
            try examples.outlines().map { try WireFrame($0) },
            [
                try WireFrame(
                    DocumentDecoder().decode(edit, from: Document(json: #"{"path":"$","problem":"exists"}"#).root))
            ],
            [try WireFrame(examples.host.chains())],
        ]
        requests = try examples.texts.map {
            try WireFrame.bytes(
                of: WorkerRequest(examples.name, bytes: SourceBytes(Data($0)), chain: "Poem"), wanting: .trace)
        }
    }

    func input(_ random: inout SplitMix64) -> [UInt8] {
        if random.below(8) == 0 {
            var bytes = requests[random.below(requests.count)]
            mutator.mutate(&bytes, times: random.below(2), &random)
            return [0, 0] + bytes
        }
        let wanted = random.below(3) > 0 ? 0 : [0, 2, 3, 4, 5, 6, 7][random.below(7)]
        let way = UInt8(random.below(8)) | (wanted == 6 ? Way.edits : 0)
        // Most frames are of the wanted kind.
        var kinds = [random.below(8) == 0 ? random.below(answers.count) : wanted]
        if random.below(4) == 0 { kinds.append(wanted) }
        if way & Way.sendsSteps != 0, random.below(2) == 0 { kinds.insert(1, at: 0) }
        var frames = kinds.map { answers[$0][random.below(answers[$0].count)] }
        if random.below(3) > 0 { forge(&frames[random.below(frames.count)], &random) }
        var bytes = frames.flatMap(\.bytes)
        if random.below(12) == 0 { mutator.mutate(&bytes, times: 1, &random) }
        return [UInt8(wanted), way] + bytes
    }

    // MARK: - Forging

    private static let numbers = [
        "-1", "0", "1", "2", "100", "4294967295", "4294967296", "17179869184", "9223372036854775807",
        "-9223372036854775808", "18446744073709551615", "1e308", "-1e308", "1e-400", "0.5", "-0",
    ]

    private func forge(_ frame: inout WireFrame, _ random: inout SplitMix64) {
        switch random.below(8) {
        case 0, 1:
            // Replace some values: with another type, with too many, or with none.
            if let text = try? Document(parsing: SourceBytes(Data(frame.text))) {
                frame.text = MutatedDocument.bytes(text, &random)
            }
        case 2, 3: replaceNumber(in: &frame.text, with: random.one(of: Self.numbers), &random)
        case 4: nest(in: &frame.text, &random)
        case 5, 6: forgeBlock(&frame.blocks, &random)
        default:
            guard !frame.blocks.isEmpty else { return }
            let block = random.below(frame.blocks.count)
            switch random.below(4) {
            case 0: frame.blocks.remove(at: block)
            case 1: frame.blocks.append(frame.blocks[block])
            case 2: frame.blocks[block].removeLast(min(frame.blocks[block].count, 1 + random.below(40)))
            default: frame.blocks[block] += [UInt8](repeating: 0, count: 1 + random.below(40))
            }
        }
    }

    /// Replaces the next number after a random position in the text.
    private func replaceNumber(in text: inout [UInt8], with number: String, _ random: inout SplitMix64) {
        let place = random.below(text.count)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = text[place...].firstIndex(where: digits.contains) else { return }
        let end = text[start...].firstIndex { !digits.contains($0) } ?? text.endIndex
        text.replaceSubrange(start..<end, with: number.utf8)
    }

    /// Inserts nested values after a random position in the text.
    private func nest(in text: inout [UInt8], _ random: inout SplitMix64) {
        let place = random.below(text.count)
        guard let start = text[place...].firstIndex(of: UInt8(ascii: "[")) else { return }
        let depth = 1 + random.below(random.below(4) == 0 ? 100_000 : 300)
        let (open, inside, close) =
            random.below(2) == 0 ? ("[", "", "]") : (#"{"caught":{"_0":"#, #"{"notRecorded":{}}"#, "}}")
        let nested = String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
        text.insert(contentsOf: nested.utf8, at: start + 1)
    }

    /// Changes a word of a block. The descriptions of its nodes are at its end.
    private func forgeBlock(_ blocks: inout [[UInt8]], _ random: inout SplitMix64) {
        guard !blocks.isEmpty else { return }
        let block = random.below(blocks.count)
        let wordCount = blocks[block].count / 4
        guard wordCount > 0 else { return }
        for _ in 0...random.below(2) {
            let word = wordCount - 1 - random.below(random.below(2) == 0 ? wordCount : min(wordCount, 64))
            let values: [UInt32] = [
                0, 1, 2, .max, .max - 1, UInt32(wordCount), UInt32(random.below(100)), 0x0102, 0x0203,
            ]
            withUnsafeBytes(of: values[random.below(values.count)]) {
                blocks[block].replaceSubrange(4 * word..<4 * word + 4, with: $0)
            }
        }
    }

    // MARK: - Reading

    func run(_ input: [UInt8]) throws -> Depth {
        guard input.count > 2 else { return .refused }
        let bytes = Array(input[2...])
        for request in (try? WireFrame.requests(bytes)) ?? [] { _ = request.document.name }
        let path = DocumentPath.root.appending(key: "a")
        var request = WorkerRequest(
            examples.name, bytes: SourceBytes("{}"), edits: input[1] & Way.edits == 0 ? [] : [.remove(path)],
            opensTraces: input[1] & Way.opensTraces != 0)
        request.sendsSteps = input[1] & Way.sendsSteps != 0
        switch input[0] {
        case 2: return try read(bytes, request, .outcome) { try look(at: $0) }
        case 3: return try read(bytes, request, .migration) { try look(at: $0.document.result) }
        case 4: return try read(bytes, request, .seriesChain) { _ in }
        case 5: return try read(bytes, request, .outline) { _ in }
        case 7: return (try? WireFrame.chains(bytes)) == nil ? .refused : .parsed
        default:
            let wanted: [Wanted<MigrationTrace>] = [.trace, .step, .detection, .document]
            var depth = Depth.refused
            for wanted in wanted.prefix(input[0] == 0 ? 1 : 4) {
                depth = max(depth, try read(bytes, request, wanted) { try look(at: $0, of: request) })
            }
            return depth == .parsed ? .reached : depth
        }
    }

    private func read<Answer>(
        _ bytes: [UInt8], _ request: WorkerRequest, _ wanted: Wanted<Answer>, _ look: (Answer) throws -> Void
    ) throws -> Depth {
        guard let replies = try? WireFrame.replies(bytes, to: request, wanting: wanted), !replies.isEmpty else {
            return .refused
        }
        for reply in replies {
            switch reply {
            case .success(let answer): try look(answer)
            case .failure(let error):
                try Broken.unless(!request.edits.isEmpty, "a change that was not asked for was refused")
                _ = error.description
            }
        }
        return .parsed
    }

    private func look(at result: CheckResult) throws {
        try Broken.unless(result.source == examples.name.name, "the result is of \(result.source)")
        try Broken.unless(
            (result.failure != nil) == (result.outcome == .failed || result.outcome == .unreadable),
            "\(result.outcome), \(result.failure?.message ?? "for no reason")")
        _ = (result.failure?.message, result.failure?.tried, result.warnings.map(\.description))
        var report = CheckReport()
        report.add(result)
        _ = try? DocumentEncoder().encode(report)
    }

    private func look(at trace: MigrationTrace, of request: WorkerRequest) throws {
        try Broken.unless(
            request.opensTraces || trace.source == examples.name.name, "the trace is of \(trace.source)")
        for document in [trace.document, trace.steps.last?.after, trace.result].compactMap(\.self) {
            let text = JSONWriter(layout: .pretty()).data(document.root)
            try Broken.unless((try? Document(parsing: SourceBytes(text))) != nil, "what is written is no JSON")
            for node in document.root.nodes { _ = node.location }
            for spacing in [JSONWriter.Spacing.matching(document)] {
                _ = JSONWriter(layout: spacing).data(document.root)
            }
        }
        for step in trace.steps { _ = step.difference?.patch.document }
        _ = try? trace.resultData()
        _ = try? DocumentEncoder().encode(trace)
        _ = (trace.failure?.message, CheckResult(trace))
        if Screen.isShown(of: trace) { Screen.show(trace) }
    }
}
