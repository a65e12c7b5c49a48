import DocumentModel
import Foundation
import MigrationCore
@_spi(Fuzzing) import MigrationWorker

let frameTarget = FuzzTarget(
    name: "frame", summary: "changed frames between worker and parent; reached: a trace with its documents was read"
) { try Frames(examples: Examples()) }

private struct Frames: FuzzSubject {
    private let frames: [[UInt8]]
    private let mutator = Mutator(
        Mutator.json.words.map { String(decoding: $0, as: UTF8.self) } + ["\0\0\0\0", "\u{1}\0\0\0"])

    init(examples: Examples) throws {
        frames = try examples.texts.flatMap { text in
            let trace = try WireFrame.bytes(of: .trace(examples.trace(of: text)))
            // Twice as many traces as anything else, for they hold the most.
            return [
                trace, trace,
                try WireFrame.bytes(of: .result(examples.result(of: text))),
                try WireFrame.bytes(
                    of: WorkerRequest(examples.name, bytes: SourceBytes(Data(text)), wanted: .trace, chain: "Poem")),
            ]
        }
    }

    func input(_ random: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in 0...random.below(2) {
            var frame = frames[random.below(frames.count)]
            if number == 0 { change(&frame, &random) }
            bytes += frame
        }
        return bytes
    }

    private func change(_ frame: inout [UInt8], _ random: inout SplitMix64) {
        let place = random.below(frame.count)
        switch random.below(8) {
        case 0: break
        case 1, 2: mutator.mutate(&frame, times: 1, &random)
        case 3, 4:
            // The documents' blocks stand at the end.
            let place = frame.count - 1 - place / 3
            frame[place] =
                random.below(2) == 0 ? UInt8(random.below(256)) : frame[place] ^ (1 << UInt8(random.below(8)))
        default:
            // Another number leaves the text a text.
            guard let digit = frame[place...].firstIndex(where: { 0x30...0x39 ~= $0 }) else { break }
            frame[digit] = 0x30 + UInt8(random.below(10))
        }
    }

    func run(_ input: [UInt8]) throws -> Depth {
        _ = try? WireFrame.requests(input)
        guard let replies = try? WireFrame.replies(input), !replies.isEmpty else { return .refused }
        var depth = Depth.parsed
        for case .trace(let trace) in replies {
            for document in [trace.document, trace.steps.last?.after, trace.result].compactMap(\.self) {
                _ = JSONWriter(layout: .pretty()).data(document.root)
                for node in document.root.nodes { _ = node.location }
                depth = .reached
            }
            for step in trace.steps { _ = step.difference?.patch.document }
            _ = try? DocumentEncoder().encode(trace)
        }
        return depth
    }
}
