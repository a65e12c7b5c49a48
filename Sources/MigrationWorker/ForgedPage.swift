import DocumentModel
import Foundation
import MigrationCore

/// How a parent interprets a page and output with arbitrary contents, for fuzzing.
@_spi(Fuzzing) public struct ForgedPage {
    private let page: WorkerPage
    private let chains: [ChainDescription]

    /// The number of 64-bit words in a page.
    public static let wordCount = WorkerPage.length / 8

    /// Returns the word that identifies a chain.
    public static func mark(of chain: ChainDescription) -> UInt64 { MigrationChain.mark(of: chain.name) }

    /// Returns the mark that a worker writes to a stream, with arbitrary values.
    public static func mark(number: UInt64, chain: UInt64, phase: Int32, first: Int32, stage: Int32) -> [UInt8] {
        var place = RunPlace()
        (place.chain, place.phase, place.first, place.stage) = (chain, phase, first, stage)
        return OutputMark(number: number, place: place).bytes
    }

    /// Creates a page with the given words; returns nil if there is no memory for it.
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

    /// Returns the time limit for the document of a request, and how long the app's code counts as having run.
    public func seconds(at request: WorkerRequest, after time: Duration) -> (limit: Double?, used: Duration) {
        var clock = AppClock()
        return (WorkerHost().limit(of: page, at: request), clock.time(of: page, at: request, after: time))
    }

    /// Returns how many requests are left to the worker.
    public func requestsLeft(first: UInt64, _ counts: ClosedRange<Int>) -> Int { page.revoke(first: first, counts) }

    /// Returns the progress that the page shows.
    public func progress(after time: Duration) -> WorkerProgress {
        var watch = ProgressWatch(chains: chains)
        return watch.progress(on: page, after: time)
    }

    /// Returns the trace of a document whose worker is lost.
    ///
    /// - Parameters:
    ///   - known: The trace as far as it was reported before.
    ///   - output: The output to each stream.
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
        let place = WorkerLocation(lost.place, among: chains)
        _ = place.isReached(by: known)
        var trace = place.trace(known, failingBecause: .crashed(lost.crash, frame: nil), node: lost.node)
        trace.output = CapturedOutput.printed(captured, among: chains, isLost: true)
        return trace
    }
}
