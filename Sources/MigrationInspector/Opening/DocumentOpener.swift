import CursesTerminal
import DocumentModel
import DocumentSources
import MigrationCore

/// Opens documents: reads, parses, finds the chain, and has it check or trace. The one way from a name to an outcome.
struct DocumentOpener: Sendable {
    /// The chains among which documents are recognized.
    let chains: [MigrationChain]
    /// The chain to open every document with; nil to recognize it.
    let namedChain: MigrationChain?
    /// The version to stop at; nil for the newest.
    let target: DocumentVersion?
    /// Whether a file that holds a trace opens as that trace; else it is a document like any other.
    var opensTraces = false
    private let seriesChains = SeriesChains()

    init(chains: [MigrationChain], namedChain: MigrationChain? = nil, target: DocumentVersion? = nil) {
        self.chains = chains
        self.namedChain = namedChain
        self.target = target
    }

    /// The outcome of a document.
    func check(_ reference: DocumentReference) -> CheckResult {
        watched(reference) {
            var result =
                switch open(reference, tracing: false) {
                case .document(let document, let chain):
                    chain.check(document, source: reference.name, to: target)
                case .recognized(let document): document.check(source: reference.name, to: target)
                case .ended(let trace): CheckResult(trace)
                }
            result.container = reference.container
            return result
        }
    }

    /// The whole trace of a document; nil when it was cancelled.
    ///
    /// - Parameters:
    ///   - progress: Told now and then which share of the document has been read and parsed.
    ///   - isCancelled: Asked now and then.
    func trace(
        _ reference: DocumentReference, progress: ((Double) -> Void)? = nil, isCancelled: () -> Bool = { false }
    ) -> MigrationTrace? {
        watched(reference) {
            switch open(reference, tracing: true, progress: progress, isCancelled: isCancelled) {
            case .document(let document, let chain):
                isCancelled() ? nil : chain.trace(document, source: reference.name, to: target)
            case .recognized(let document):
                isCancelled() ? nil : document.trace(source: reference.name, to: target)
            case .ended(let trace): isCancelled() ? nil : trace
            }
        }
    }

    /// The code of an app's types runs in `work`, and may trap: then the document is named.
    func watched<Result>(_ reference: DocumentReference, _ work: () -> Result) -> Result {
        CrashNote.during(SafeText.line("opening \(reference.name)"), work)
    }

    private enum Opened {
        case document(Document, MigrationChain)
        case recognized(RecognizedDocument)
        /// There is nothing more to do: the document could not be read or parsed, or belongs to no chain.
        case ended(MigrationTrace)
    }

    private func open(
        _ reference: DocumentReference, tracing: Bool, progress: ((Double) -> Void)? = nil,
        isCancelled: () -> Bool = { false }
    ) -> Opened {
        let chain = reference.series.flatMap(self.chain(of:)) ?? namedChain
        var ended = MigrationTrace(
            source: reference.name, chain: chain?.name, versions: chain?.versions ?? [],
            target: chain.map { target ?? $0.newestVersion })
        do {
            let document = try parse(reference, progress: progress, isCancelled: isCancelled)
            if let chain { return .document(document, chain) }
            if opensTraces, let trace = MigrationTrace(recordedIn: document) { return .ended(trace) }
            switch chains.recognize(document, tracing: tracing) {
            case .recognized(let recognized): return .recognized(recognized)
            case .unrecognized(let reasons):
                ended.format = document.format
                ended.document = document
                ended.opening = .unrecognized(reasons)
            }
        } catch let error as DocumentParseError {
            ended.format = error.format
            ended.opening = .failed(MigrationFailure(parsing: error))
        } catch let error as SourceError {
            ended.opening = .failed(MigrationFailure(.unreadable(message: error.message)))
        } catch {
            ended.opening = .failed(MigrationFailure(.unreadable(message: FailureText.words(for: error))))
        }
        return .ended(ended)
    }

    /// The chain that the documents of a series are opened with; nil where each has to be recognized by itself.
    func chain(of series: DocumentSeries) -> MigrationChain? {
        namedChain ?? seriesChains.chain(of: series, among: chains)
    }

    /// Reading counts for a fifth of the way, parsing for the rest.
    private func parse(
        _ reference: DocumentReference, progress: ((Double) -> Void)?, isCancelled: () -> Bool
    ) throws -> Document {
        let bytes = try reference.read(
            progress: { count, total in
                if let progress, let total { progress(0.2 * Double(count) / Double(max(1, total))) }
            },
            isCancelled: isCancelled)
        return try withoutActuallyEscaping(isCancelled) { isCancelled in
            try Document(parsing: bytes) { count in
                progress?(0.2 + 0.8 * Double(count) / Double(max(1, bytes.count)))
                return !isCancelled()
            }
        }
    }
}

extension MigrationTrace {
    /// The trace that was written to a file, of whatever version the file is; nil for any other document.
    fileprivate init?(recordedIn document: Document) {
        guard document.root["traceVersion"] != nil,
            let trace = try? DocumentDecoder().decode(versioned: MigrationTrace.self, from: document.root)
        else { return nil }
        self = trace
    }
}

/// The chains that the documents of series share: found once for a series, and kept.
///
/// The rows of a store's column are documents of one kind, so the chain that most of them fit is the chain of all. A
/// row that would fit another, or none, is a row that went wrong. Which chain that is, a sample says.
private final class SeriesChains: Sendable {
    /// nil for a series of which no document that was looked at belongs to a chain.
    private let known = Locked<[DocumentSeries: MigrationChain?]>([:])

    /// How many documents are looked at from either end of the series.
    private static let sampleSize = 32

    /// The chain of a series; nil where the sample fits none, or cannot be read.
    func chain(of series: DocumentSeries, among chains: [MigrationChain]) -> MigrationChain? {
        // Another thread that asks for the same series meanwhile would only look at the same documents.
        known.withLock { known in
            if let chain = known[series] { return chain }
            guard let sample = try? series.sample(limit: Self.sampleSize) else { return nil }
            let chain = Self.chain(of: sample, among: chains)
            known[series] = .some(chain)
            return chain
        }
    }

    /// The chain that most of the documents fit; of two that fit as many, the one that comes first.
    private static func chain(of sample: [SourceBytes], among chains: [MigrationChain]) -> MigrationChain? {
        var votes: [ExactText: Int] = [:]
        for bytes in sample {
            guard let document = try? Document(parsing: bytes) else { continue }
            if let chain = chains.recognize(document).chain { votes[ExactText(chain.name), default: 0] += 1 }
        }
        guard let most = votes.values.max() else { return nil }
        return chains.first { votes[ExactText($0.name)] == most }
    }
}
