import DocumentModel
import ExampleChains
import Foundation
import MigrationCore
@_spi(Fuzzing) import MigrationWorker

let pageTarget = FuzzTarget(
    name: "page", summary: "pages and output of a worker that say anything; reached: a place in a chain was read",
    usualCount: 50_000
) { try Pages(examples: Examples()) }

/// An input consists of the words of a page and the captured output.
private struct Pages: FuzzSubject {
    private let traces: [MigrationTrace]
    private let chains: [ChainDescription]
    private let name: WorkerRequest

    /// The number of words of a page that have a meaning.
    private static let wordCount = 48
    /// The first word of a position in a chain, which identifies the chain.
    private static let placeWord = 8

    init(examples: Examples) throws {
        chains = try examples.host.chains()
        traces = try examples.texts.prefix(12).map { try examples.trace(of: $0) }
        name = WorkerRequest(examples.name, bytes: SourceBytes(String(repeating: " ", count: 3_000_000)))
    }

    private static let edges: [UInt64] = [
        0, 1, 2, 3, 7, 8, 999, 1000, 1001, 1 << 20, 1 << 31 - 1, 1 << 31, 1 << 32 - 1, 1 << 32, 1 << 62, 1 << 63 - 1,
        1 << 63, 1 << 63 + 1, .max - 1, .max, 0xFFFF_FFFF_0000_0004, 0x0000_0001_0000_0004, 0x0000_0000_0000_0005,
    ]

    private func number(_ random: inout SplitMix64) -> UInt64 {
        switch random.below(8) {
        case 0: random.next()
        case 1: ForgedPage.mark(of: chains[random.below(chains.count)])
        case 2, 3: UInt64(random.below(8)) << 32 | UInt64(random.below(9))
        default: Self.edges[random.below(Self.edges.count)]
        }
    }

    func input(_ random: inout SplitMix64) -> [UInt8] {
        var words = (0..<Self.wordCount).map { _ in random.below(2) == 0 ? 0 : number(&random) }
        if random.below(3) > 0 {
            words[Self.placeWord] = ForgedPage.mark(of: chains[random.below(chains.count)])
            // Most positions are in a step, and most of their versions are in the chain.
            let phase = random.below(3) > 0 ? 4 + random.below(3) : random.below(8)
            words[Self.placeWord + 1] = UInt64(phase) | UInt64(random.below(2)) << 32
            words[Self.placeWord + 2] = UInt64(1 + random.below(3))
        }
        var bytes = words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
        for _ in 0..<random.below(4) {
            let values = (0..<4).map { _ in number(&random) }
            bytes += ForgedPage.mark(
                number: values[0], chain: values[1], phase: Int32(truncatingIfNeeded: values[2]),
                first: Int32(truncatingIfNeeded: values[2] >> 32), stage: Int32(truncatingIfNeeded: values[3]))
            bytes += "a line\n\u{1B}[31m".utf8.prefix(random.below(16))
            if random.below(4) == 0 { bytes.removeLast(random.below(30)) }
        }
        return bytes
    }

    func run(_ input: [UInt8]) throws -> Depth {
        let length = 8 * Self.wordCount
        guard input.count >= length else { return .refused }
        let words = input[..<length].withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
        guard let page = ForgedPage(words, among: chains) else { throw Broken(description: "there is no page") }
        for time in [Duration.zero, .milliseconds(10), .seconds(5), .seconds(100), .seconds(1_000_000)] {
            let (limit, used) = page.seconds(at: name, after: time)
            // The document has 3 MB, which the program knows whatever the page says.
            try Broken.unless(limit.map { $0 >= 0 && $0 <= 13 } == true, "the limit is \(limit ?? -1)")
            try Broken.unless(used >= time - .seconds(13) && used <= time, "\(used) of \(time)")
            let progress = page.progress(after: time)
            _ = (progress.shown.words(), progress.shown.activity)
        }
        for (first, counts) in [(1, 0...1), (5, 2...9), (.max, 0...3), (1 << 63, 1...300)]
            as [(UInt64, ClosedRange<Int>)]
        {
            let left = page.requestsLeft(first: first, counts)
            try Broken.unless(counts.contains(left), "\(left) of \(counts)")
        }
        let known = traces[Int(words[0] % UInt64(traces.count))]
        let output = Array(input[length...])
        let trace = page.trace(of: known, ending: Int32(truncatingIfNeeded: words[1]) % 64, output: [output, output])
        _ = (trace.failure?.message, try? DocumentEncoder().encode(trace))
        try Broken.unless(trace.failure?.kind == .crashed, "a lost worker's document is \(trace.outcome)")
        if Screen.isShown(of: trace) { Screen.show(trace) }
        return words[Self.placeWord] != 0 && trace.failure?.step != nil ? .reached : .parsed
    }
}
