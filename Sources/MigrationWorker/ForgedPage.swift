import DocumentModel
import Foundation
import MigrationCore

/// What a parent makes of a page and of output that say anything, for those who try what becomes of it.
@_spi(Fuzzing) public struct ForgedPage {
    private let page: WorkerPage
    private let chains: [ChainDescription]

    /// The number of words of a page.
    public static let wordCount = WorkerPage.length / 8

    /// The word that stands for a chain.
    public static func mark(of chain: ChainDescription) -> UInt64 { MigrationChain.mark(of: chain.name) }

    /// The mark that a worker writes to a stream, with words of any values.
    public static func mark(number: UInt64, chain: UInt64, phase: Int32, first: Int32, stage: Int32) -> [UInt8] {
        var place = RunPlace()
        (place.chain, place.phase, place.first, place.stage) = (chain, phase, first, stage)
        return OutputMark(number: number, place: place).bytes
    }

    /// A page of these words; nil where there is no memory for it.
    public init?(_ words: [UInt64], among chains: [ChainDescription]) {
        let descriptor = WorkerPage.makeDescriptor()
        defer { if descriptor >= 0 { close(descriptor) } }
        let length = WorkerPage.length
        guard words.count <= Self.wordCount, let page = WorkerPage(descriptor: descriptor),
            let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { return nil }
        words.withUnsafeBytes { memory.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        munmap(memory, length)
        (self.page, self.chains) = (page, chains)
    }

    /// The limit for the document of a request, and how long the app's code counts as having been at work.
    public func seconds(at request: WorkerRequest, after time: Duration) -> (limit: Double?, used: Duration) {
        var clock = AppClock()
        return (WorkerHost().limit(of: page, at: request), clock.time(of: page, at: request, after: time))
    }

    /// How many requests are left to the worker.
    public func requestsLeft(first: UInt64, _ counts: ClosedRange<Int>) -> Int { page.revoke(first: first, counts) }

    /// How far the work is.
    public func progress(after time: Duration) -> WorkerProgress {
        var watch = ProgressWatch(chains: chains)
        return watch.progress(on: page, after: time)
    }

    /// What is told of a document at which the worker is lost.
    ///
    /// - Parameters:
    ///   - known: What was told of it before.
    ///   - output: What was printed to either stream.
    public func trace(of known: MigrationTrace, ending: Int32, output: [[UInt8]]) -> MigrationTrace {
        let captured = output.map { bytes in
            var captured = CapturedOutput()
            captured.append(bytes, before: 1 << 40)
            return captured
        }
        let lost = LostWorker(
            isFirst: true, ending: ending, cause: nil, place: page.seenPlace, node: page.seenNode,
            fault: page.seenFault,
            output: captured, known: nil)
        let place = LostPlace(lost.place, among: chains)
        _ = place.isReached(by: known)
        var trace = place.trace(known, failingBecause: .crashed(lost.crash, frame: nil), node: lost.node)
        trace.output = CapturedOutput.printed(captured, among: chains, isLost: true)
        return trace
    }
}
