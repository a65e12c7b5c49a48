import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Opens documents: reads, parses, finds the chain, and has it check or trace. The one way from a name to an outcome,
/// and the only type that runs the app's code: in a worker process, or in the program itself where that is asked for.
final class DocumentOpener {
    /// The chains among which documents are recognized.
    let chains: [MigrationChain]
    private var seriesChains = SeriesChains()
    /// Told how many bytes a document has, and now and then which share of it has been read and parsed.
    private let progress: (_ byteCount: Int, _ share: Double) -> Void

    init(chains: [MigrationChain], progress: @escaping (_ byteCount: Int, _ share: Double) -> Void = { _, _ in }) {
        self.chains = chains
        self.progress = progress
    }

    /// What is asked for from now on counts as asked for together, until the number is another. See
    /// ``DocumentReference/read(asking:progress:isCancelled:)``.
    var asking: UInt64?

    /// Given what was read, before the app's code is asked what it is; gives the same document, where it is to stay.
    var onRead: (DocumentReference, Document) -> Document = { $1 }

    // MARK: - What can be wanted; see ``Wanted``

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
            case .ended(let trace): CheckResult(trace)
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

    /// - Parameter isShown: Whether a person looks at the document. It then has a text with places in it, also where it
    ///   was changed.
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
        /// There is nothing more to do: the document could not be read or parsed, or belongs to no chain.
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
            // A chain that reads JSON only claims its documents in JSON5 too: for them they are malformed.
            if let problem = document.json5Problem, let chain = jsonChain(of: document) {
                return .ended(
                    MigrationTrace(
                        source: reference.name, format: .json, chain: chain.name, versions: chain.versions,
                        target: target ?? chain.newestVersion, opening: .failed(MigrationFailure(parsing: problem))))
            }
            return ended(.unrecognized(reasons), document.format, document)
        }
    }

    /// Whether a document of a chain, or of any, may be JSON5.
    private func allowsJSON5(_ chain: MigrationChain?) -> Bool {
        chain?.allowsJSON5 ?? chains.contains(where: \.allowsJSON5)
    }

    /// The chain that would claim a document if it were JSON.
    private func jsonChain(of document: Document) -> MigrationChain? {
        let json = Document(copying: document.root, as: .json)
        return chains.filter { !$0.allowsJSON5 }.recognize(json, tracing: false).chain
    }

    /// Reads, parses and changes the document. Where another stays in its place, this one is gone when that is returned.
    private func read(_ request: WorkerRequest, isShown: Bool, allowsJSON5: Bool) throws -> Document {
        let document = try parse(request, allowsJSON5: allowsJSON5)
        var changed = try document.applying(request.edits)
        if isShown, !request.edits.isEmpty { changed = changed.written(like: document) }
        return onRead(request.document, changed)
    }

    private func named(_ request: WorkerRequest) -> MigrationChain? {
        guard let name = request.chain, let chain = chains.first(where: { $0.name.isExactly(name) }) else { return nil }
        return request.version.flatMap(chain.reading) ?? chain
    }

    /// The chain that the documents of a series are opened with; nil where each has to be recognized by itself.
    private func chain(of series: DocumentSeries, _ request: WorkerRequest) throws(SourceError) -> MigrationChain? {
        if let named = named(request) { return named }
        return try seriesChains.chain(of: series, among: chains)
    }

    /// Reading counts for a fifth of the way, parsing for the rest.
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
    /// The same document, read from a text as it would be written in place of `original`.
    fileprivate func written(like original: Document) -> Document {
        guard let text = try? SourceBytes(data(like: original)) else { return self }
        return (try? original.format == .json5 ? Document(json5: text) : Document(parsing: text)) ?? self
    }
}

extension MigrationTrace {
    /// The trace without the documents of the steps before the last.
    var withLastStepOnly: MigrationTrace {
        var trace = self
        trace.steps = Array(steps.suffix(1))
        trace.detection.attempts = []
        if !steps.isEmpty { trace.document = nil }
        return trace
    }

    /// The trace with what the last step made, and nothing else that a document or its chain has.
    var withResultOnly: MigrationTrace {
        var trace = withLastStepOnly
        for index in trace.steps.indices { trace.steps[index].before = nil }
        (trace.document, trace.versions, trace.parts, trace.warnings) = (nil, [], [], [])
        (trace.dropped, trace.leftOver) = ([], nil)
        return trace
    }

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
private struct SeriesChains {
    /// nil for a series of which no document that was looked at belongs to a chain.
    private var known: [DocumentSeries: MigrationChain?] = [:]

    /// How many documents are looked at from either end of the series.
    private static let sampleSize = 32

    /// The chain of a series; nil where the sample fits none.
    ///
    /// - Throws: ``SourceError``, where the sample cannot be read.
    mutating func chain(
        of series: DocumentSeries, among chains: [MigrationChain]
    ) throws(SourceError) -> MigrationChain? {
        if let chain = known[series] { return chain }
        let chain = Self.chain(of: try series.sample(limit: Self.sampleSize), among: chains)
        known[series] = .some(chain)
        return chain
    }

    /// The chain that most of the documents fit; of two that fit as many, the one that comes first.
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
