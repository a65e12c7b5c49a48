import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Observes the documents that are opened, and the runs of their chains.
protocol OpeningObserver: RunObserver {
    /// Called with each document that was read, before the app's code detects its version. Returns the document to use
    /// from then on, which is the same or a copy in other memory.
    func read(_ document: Document, of reference: DocumentReference) -> Document
}

/// Opens documents: reads and parses them, finds their chain, and has it check or trace them. This is the only way from
/// a name to an outcome, and the only type that runs the app's code, either in a worker process or, on request, in the
/// program itself.
final class DocumentOpener {
    /// The chains that documents can belong to.
    private(set) var chains: [MigrationChain]
    private var seriesChains = SeriesChains()
    /// Called with a document's size in bytes and, now and then, the fraction that has been read and parsed.
    private let progress: (_ byteCount: Int, _ share: Double) -> Void

    init(chains: [MigrationChain], progress: @escaping (_ byteCount: Int, _ share: Double) -> Void = { _, _ in }) {
        self.chains = chains
        self.progress = progress
    }

    /// Documents opened while this number stays the same count as asked for together. See
    /// ``DocumentReference/read(asking:progress:isCancelled:)``.
    var asking: UInt64?

    private weak var observer: (any OpeningObserver)?

    /// Makes an object observe what is opened from now on.
    func observe(by observer: some OpeningObserver) {
        self.observer = observer
        for index in chains.indices { chains[index].observer = observer }
    }

    // MARK: - Answers; see ``Wanted``

    func seriesChain(_ request: WorkerRequest) -> SeriesChain {
        do throws(SourceError) {
            if let problem = request.document.problem { throw problem }
            guard let series = request.document.series else { return .known(nil) }
            return .known(try chain(of: series, request)?.name)
        } catch {
            return .unknown(.unreadable(problem: error.reason))
        }
    }

    func outline(_ request: WorkerRequest) -> VersionOutline? {
        request.target.flatMap { version in named(request)?.outline(of: version) }
    }

    func check(_ request: WorkerRequest) throws(DocumentEditError) -> CheckResult {
        let name = request.document.name
        let watch = Stopwatch(runs: request.isTimed)
        var result =
            switch try open(request, for: .outcome) {
            case .document(let document, let chain): chain.check(document, source: name, to: request.target)
            case .recognized(let document): document.check(source: name, to: request.target)
            case .ended(let trace): CheckResult(trace, versionKey: request.versionKey)
            }
        result.container = request.document.container
        result.seconds = request.isTimed ? watch.seconds : nil
        return result
    }

    func migration(_ request: WorkerRequest) throws(DocumentEditError) -> WrittenMigration {
        let name = request.document.name
        var (made, data) =
            switch try open(request, for: .result) {
            case .document(let document, let chain): chain.migrate(document, source: name, to: request.target)
            case .recognized(let document): document.migrate(source: name, to: request.target)
            case .ended(let trace): (document: MigratedDocument(trace), data: Data?.none)
            }
        made.result.container = request.document.container
        return WrittenMigration(document: made, data: data)
    }

    /// - Parameter isShown: Whether the document is shown on screen. It then has a text with source locations even if
    ///   it was edited.
    func trace(_ request: WorkerRequest, isShown: Bool) throws(DocumentEditError) -> MigrationTrace {
        let name = request.document.name
        return switch try open(request, for: .trace, isShown: isShown) {
        case .document(let document, let chain): chain.trace(document, source: name, to: request.target)
        case .recognized(let document): document.trace(source: name, to: request.target)
        case .ended(let trace): trace
        }
    }

    func writing(_ request: WorkerRequest) throws(DocumentEditError) -> MigrationTrace {
        var trace =
            switch try open(request, for: .writing) {
            case .document(let document, let chain): chain.writing(document, to: request.target)
            case .recognized(let document): document.writing(to: request.target)
            case .ended(let trace): trace
            }
        (trace.document, trace.steps) = (nil, [])
        return trace
    }

    func detection(_ request: WorkerRequest) throws(DocumentEditError) -> MigrationTrace {
        switch try open(request, for: .trace) {
        case .document(let document, let chain):
            chain.detection(of: document, source: request.document.name, to: request.target)
        case .recognized(let document): document.trace(source: request.document.name, to: request.target)
        case .ended(let trace): trace
        }
    }

    func reading(_ request: WorkerRequest) throws(DocumentEditError) -> MigrationTrace {
        var trace = MigrationTrace(source: request.document.name)
        let parsed = try? parse(request, allowsJSON5: allowsJSON5(named(request)))
        trace.document = try parsed?.applying(request.edits)
        trace.format = trace.document?.format
        return trace
    }

    private enum Opened {
        case document(Document, MigrationChain)
        case recognized(RecognizedDocument)
        /// The work is done: the document could not be read or parsed, or belongs to no chain.
        case ended(MigrationTrace)
    }

    // MARK: - Opening

    private func open(
        _ request: WorkerRequest, for detail: RunDetail, isShown: Bool = false
    ) throws(DocumentEditError) -> Opened {
        let (reference, target) = (request.document, request.target)
        let chain = reference.series.flatMap { try? self.chain(of: $0, request) } ?? named(request)
        func ended(
            _ opening: MigrationTrace.Opening, _ format: DocumentFormat?, _ document: Document? = nil
        ) -> Opened {
            .ended(
                MigrationTrace(
                    source: reference.name, format: format, chain: chain?.name, versions: chain?.versions ?? [],
                    target: chain.map { target ?? $0.newestVersion }, opening: opening, document: document))
        }
        let document: Document
        do {
            document = try read(request, isShown: isShown, allowsJSON5: allowsJSON5(chain))
        } catch let error as DocumentEditError {
            throw error
        } catch let error as SourceError {
            return ended(.failed(MigrationFailure(.unreadable(problem: error.reason))), nil)
        } catch {
            return ended(.failed(MigrationFailure(parsing: error)), (error as? DocumentParseError)?.format)
        }
        if let chain { return .document(document, chain) }
        if request.opensTraces, let trace = MigrationTrace(recordedIn: document) { return .ended(trace) }
        switch Recognition(of: document, among: chains, for: detail) {
        case .recognized(let recognized): return .recognized(recognized)
        case .unrecognized(let reasons):
            // Chains that read only JSON also claim their documents when those are in JSON5, and report them as
            // malformed.
            if let problem = document.json5Problem, let chain = jsonChain(of: document) {
                return .ended(
                    MigrationTrace(
                        source: reference.name, format: .json, chain: chain.name, versions: chain.versions,
                        target: target ?? chain.newestVersion, opening: .failed(MigrationFailure(parsing: problem))))
            }
            return ended(.unrecognized(reasons), document.format, document)
        }
    }

    /// Whether documents of a chain, or of any chain if it's nil, may be JSON5.
    private func allowsJSON5(_ chain: MigrationChain?) -> Bool {
        chain?.allowsJSON5 ?? chains.contains(where: \.allowsJSON5)
    }

    /// The chain that would claim a document if it were JSON.
    private func jsonChain(of document: Document) -> MigrationChain? {
        let json = Document(copying: document.root, as: .json)
        return chains.filter { !$0.allowsJSON5 }.recognize(json, tracing: false).chain
    }

    /// Reads, parses and edits the document. If the observer returns another one in its place, the original is freed on
    /// return.
    private func read(_ request: WorkerRequest, isShown: Bool, allowsJSON5: Bool) throws -> Document {
        let document = try parse(request, allowsJSON5: allowsJSON5)
        var changed = try document.applying(request.edits)
        if isShown, !request.edits.isEmpty {
            changed = document.splicing(request.edits) ?? changed.written(like: document)
        }
        return observer?.read(changed, of: request.document) ?? changed
    }

    private func named(_ request: WorkerRequest) -> MigrationChain? {
        guard let name = request.chain, let chain = chains.first(where: { $0.name.isExactly(name) }) else { return nil }
        return request.version.flatMap(chain.reading) ?? chain
    }

    /// Returns the chain that opens the documents of a series; nil if each one has to be recognized separately.
    private func chain(of series: DocumentSeries, _ request: WorkerRequest) throws(SourceError) -> MigrationChain? {
        if let named = named(request) { return named }
        return try seriesChains.chain(of: series, among: chains)
    }

    /// Reads and parses the document. Reading counts as a fifth of the progress, parsing as the rest.
    private func parse(_ request: WorkerRequest, allowsJSON5: Bool) throws -> Document {
        let bytes =
            try request.bytes
            ?? request.document.read(asking: asking) { [progress] count, total in
                if let total { progress(total, 0.2 * Double(count) / Double(max(1, total))) }
            }
        progress(bytes.count, 0.2)
        let document = try Document(parsing: bytes, allowsJSON5: allowsJSON5) { [progress] count in
            progress(bytes.count, 0.2 + 0.8 * Double(count) / Double(max(1, bytes.count)))
            return true
        }
        progress(bytes.count, 1)
        return document
    }
}

extension Document {
    /// Returns the same document, parsed from the text that would be written in place of `original`.
    fileprivate func written(like original: Document) -> Document {
        guard let text = try? SourceBytes(data(like: original)) else { return self }
        return (try? original.format == .json5 ? Document(json5: text) : Document(parsing: text)) ?? self
    }
}

extension MigrationTrace {
    /// The trace with only its last step, without the earlier documents.
    var withLastStepOnly: MigrationTrace {
        var trace = self
        trace.steps = Array(steps.suffix(1))
        trace.detection.attempts = []
        if !steps.isEmpty { trace.document = nil }
        return trace
    }

    /// The trace with only the result of its last step, and nothing about the document or its chain.
    var withResultOnly: MigrationTrace {
        var trace = withLastStepOnly
        for index in trace.steps.indices { trace.steps[index].before = nil }
        (trace.document, trace.versions, trace.parts, trace.warnings) = (nil, [], [], [])
        (trace.dropped, trace.leftOver) = ([], nil)
        return trace
    }

    /// Decodes a trace that was written to a file, in any version of its format; returns nil for any other document.
    fileprivate init?(recordedIn document: Document) {
        guard document.root["traceVersion"] != nil,
            let trace = try? DocumentDecoder().decode(versioned: MigrationTrace.self, from: document.root)
        else { return nil }
        self = trace
    }
}

/// The chains that the documents of each series share, looked up once per series and cached.
///
/// The rows of a store's column are documents of one kind, so the chain that most of them fit is the chain of all. A
/// row that fits another chain, or none, is a damaged row. A sample of the rows decides which chain it is.
private struct SeriesChains {
    /// The value is nil for a series whose sample fits no chain.
    private var known: [DocumentSeries: MigrationChain?] = [:]

    /// The number of documents to sample from each end of the series.
    private static let sampleSize = 32

    /// Returns the chain of a series; nil if the sample fits none.
    ///
    /// - Throws: ``SourceError`` if the sample cannot be read.
    mutating func chain(
        of series: DocumentSeries, among chains: [MigrationChain]
    ) throws(SourceError) -> MigrationChain? {
        if let chain = known[series] { return chain }
        let chain = Self.chain(of: try series.sample(limit: Self.sampleSize), among: chains)
        known[series] = .some(chain)
        return chain
    }

    /// Returns the chain that most of the documents fit; in a tie, the one that's declared first.
    private static func chain(of sample: [SourceBytes], among chains: [MigrationChain]) -> MigrationChain? {
        var votes: [ExactText: Int] = [:]
        for bytes in sample {
            let allowsJSON5 = chains.contains(where: \.allowsJSON5)
            guard let document = try? Document(parsing: bytes, allowsJSON5: allowsJSON5) else { continue }
            if let chain = chains.recognize(document).chain { votes[ExactText(chain.name), default: 0] += 1 }
        }
        guard let most = votes.values.max() else { return nil }
        return chains.first { votes[ExactText($0.name)] == most }
    }
}
