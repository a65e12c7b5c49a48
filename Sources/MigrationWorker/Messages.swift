import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// A document for a worker to open. A ``Wanted`` says what to return.
@dynamicMemberLookup
public struct WorkerRequest: Sendable {
    /// The document to open.
    public var document: DocumentReference
    /// The bytes of the document, if they are already in memory or cannot be read again; nil to read them.
    public var bytes: SourceBytes?
    /// How to open the document.
    var options: Options

    /// How to open documents. Many requests share their options, which are then sent only once.
    public struct Options: Sendable, Codable, Equatable {
        /// The edits to make before the app's code sees the document.
        public var edits: [DocumentEdit] = []
        /// The chain to open the document with; nil to recognize it.
        public var chain: String?
        /// The version to read the document as, regardless of the version it states; nil to detect it.
        @SentVersion public var version: DocumentVersion? = nil
        /// The version to stop at; nil for the newest.
        @SentVersion public var target: DocumentVersion? = nil
        /// The question about the store at this path; nil for any other request.
        var storeQuestion: StoreQuestion?
        /// Whether a file that contains a trace opens as that trace.
        public var opensTraces = false
        /// Whether intermediate results are reported before the app's code continues, in case it never returns. Set for
        /// documents that are shown on screen.
        public var sendsSteps = false
        /// Whether to measure how long the work takes.
        public var isTimed = false
        /// The path of the version in documents of no chain; nil to look for values that may be the version.
        public var versionKey: DocumentPath?
    }

    /// Creates a request that recognizes the chain and migrates to the newest version, unless specified otherwise.
    public init(
        _ document: DocumentReference, bytes: SourceBytes? = nil, edits: [DocumentEdit] = [], chain: String? = nil,
        target: DocumentVersion? = nil, opensTraces: Bool = false
    ) {
        let options = Options(edits: edits, chain: chain, target: target, opensTraces: opensTraces)
        self.init(document, bytes: bytes, options)
    }

    init(_ document: DocumentReference, bytes: SourceBytes?, _ options: Options) {
        (self.document, self.bytes, self.options) = (document, bytes, options)
    }

    /// An option.
    public subscript<Value>(dynamicMember option: WritableKeyPath<Options, Value>) -> Value {
        get { options[keyPath: option] }
        set { options[keyPath: option] = newValue }
    }

    /// The maximum size of the document in bytes, as far as this process knows without the worker.
    var mostBytes: Int { min(bytes?.count ?? document.mostBytes, Document.largestSourceLength) }

    /// The number of seconds allowed for reading and parsing the document, which doesn't count as time of the app's
    /// code. A large document from a source slower than 500 KB a second is never read to its end.
    var mostReadingSeconds: Double {
        bytes == nil ? 10 + Double(mostBytes / 500_000) : WorkerLimits.usualSeconds(byteCount: mostBytes)
    }
}

// MARK: - On the wire

/// A ``WorkerRequest`` in a frame. The first block is the document's ``SentLocation``, and the second, if any, the
/// document's bytes. A frame without a text repeats the previous request for another document.
struct SentRequest: Codable, Equatable {
    let way: DocumentAddress.Way
    let wanted: WantedName
    let options: WorkerRequest.Options

    /// Returns the request in a frame.
    ///
    /// - Parameters:
    ///   - last: The document of the previous request.
    ///   - wereAskedTogether: Whether the previous request was sent together with this one, so that the file needn't be
    ///     checked again.
    /// - Throws: ``BrokenFrame`` if the frame lacks a block.
    func request(
        in frame: Frame, behind last: DocumentReference? = nil, wereAskedTogether: Bool = false
    ) throws -> WorkerRequest {
        guard let first = frame.blocks.first, let block = frame.blocks.last else { throw BrokenFrame() }
        let place = try SentLocation(in: UnsafeRawBufferPointer(first.bytes))
        let bytes = try place.byteCount.map { count in
            guard frame.blocks.count > 1, let bytes = SourceBytes(in: block.bytes, count: count, of: block) else {
                throw BrokenFrame()
            }
            return bytes
        }
        let address = DocumentAddress(way, part: place.part, firstLine: place.firstLine, extent: place.extent)
        let last = bytes != nil || wereAskedTogether ? last : nil
        return WorkerRequest(address.document(in: FilePath(place.file), behind: last), bytes: bytes, options)
    }
}

extension OutgoingFrame {
    /// Encodes a request; returns nil if the document is known to be unreadable.
    ///
    /// - Parameter last: The previous request, which isn't repeated if this one asks the same.
    init?(_ request: WorkerRequest, wanting wanted: WantedName, behind last: inout SentRequest?) {
        guard let address = DocumentAddress(request.document) else { return nil }
        var blocks = [SentLocation(address, of: request).block]
        if let bytes = request.bytes {
            blocks.append(
                Block(length: bytes.count + SourceBytes.padding) { block in
                    bytes.withBytes(in: 0..<bytes.count) { block.copyMemory(from: $0) }
                })
        }
        let sent = SentRequest(way: address.way, wanted: wanted, options: request.options)
        // A request consists of plain values, which can always be encoded.
        guard let text = sent == last ? [] : try? MessageCoding.text(of: sent) else { return nil }
        last = sent
        self.init(text: text, blocks: blocks)
    }
}

/// A version that may be nil, which leaves out its key. The version of an unversioned document is encoded as null, which
/// a bare optional would decode as nil.
@propertyWrapper public struct SentVersion: Sendable, Codable, Equatable {
    /// The version.
    public var wrappedValue: DocumentVersion?

    /// Creates a wrapper.
    public init(wrappedValue: DocumentVersion?) { self.wrappedValue = wrappedValue }
}

// Synthesized coding picks these overloads, which are more specific than those of the standard library.
extension KeyedEncodingContainer {
    mutating func encode(_ value: SentVersion, forKey key: Key) throws {
        if let version = value.wrappedValue { try encode(version, forKey: key) }
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: SentVersion.Type, forKey key: Key) throws -> SentVersion {
        SentVersion(wrappedValue: contains(key) ? try decode(DocumentVersion.self, forKey: key) : nil)
    }
}

/// A worker's message in a frame. A frame without a text repeats the previous result.
enum SentReply: Codable {
    /// The chains of the program, sent once before the first request.
    case chains([ChainDescription])
    case result(SentResult)
    /// The block, if any, is the document to write.
    case migration(SentMigration)
    case trace(SentTrace)
    /// An intermediate result; the answer follows.
    case known(SentTrace)
    case chain(SeriesChain)
    case outline(VersionOutline?)
    /// The block, if any, is the requested cell.
    case store(StoreAnswer)
    case notEdited(DocumentEditError)
}

/// A ``CheckResult`` with all its reasons.
struct SentResult: Codable {
    let format: DocumentFormat?
    let container: DocumentContainer?
    let chain: String?
    @SentVersion var version: DocumentVersion?
    let versionPath: DocumentPath?
    @SentVersion var target: DocumentVersion?
    let outcome: MigrationOutcome
    let failure: MigrationFailure?
    let dropped: [DocumentPath]
    let leftOver: [DocumentPath]?
    let folds: [SentFold]
    let warnings: [Reason]
    let seconds: Double?
    /// Nil if there are none.
    let versionCandidates: [ObservedVersion]?

    init(_ result: CheckResult) {
        format = result.format
        container = result.container
        chain = result.chain
        version = result.version
        versionPath = result.versionPath
        target = result.target
        outcome = result.outcome
        failure = result.failure
        dropped = result.dropped
        leftOver = result.leftOver
        folds = result.folds.entries.map(SentFold.init)
        warnings = result.warnings
        seconds = result.seconds
        versionCandidates = result.versionCandidates.isEmpty ? nil : result.versionCandidates
    }

    func result(source: String) -> CheckResult {
        var result = CheckResult(source: source, outcome: outcome, failure: failure)
        result.format = format
        result.container = container
        result.chain = chain
        result.version = version
        result.versionPath = versionPath
        result.target = target
        result.dropped = dropped
        result.leftOver = leftOver
        result.folds = PathFolds(folds.reduce(into: [:]) { $0[$1.path] = $1.fold })
        result.warnings = warnings
        result.seconds = seconds
        result.versionCandidates = versionCandidates ?? []
        return result
    }
}

/// The paths that a folded path represents.
struct SentFold: Codable {
    let path: DocumentPath
    let count: Int
    let of: Int
    let paths: [DocumentPath]

    init(_ path: DocumentPath, _ fold: PathFold) {
        (self.path, count, of, paths) = (path, fold.count, fold.of, fold.paths)
    }

    var fold: PathFold { PathFold(count: count, of: of, paths: paths) }
}

/// A ``MigratedDocument`` without its bytes.
struct SentMigration: Codable {
    let result: SentResult
    let hasResult: Bool
    let lost: [DocumentPath]
    let notEncodable: Reason?
    let notWritable: String?
    let notReopened: MigrationFailure?

    init(_ document: MigratedDocument) {
        result = SentResult(document.result)
        hasResult = document.hasResult
        lost = document.lost
        notEncodable = document.notEncodable
        notWritable = document.notWritable
        notReopened = document.notReopened
    }

    func document(source: String) -> MigratedDocument {
        var document = MigratedDocument(result.result(source: source))
        document.hasResult = hasResult
        document.lost = lost
        document.notEncodable = notEncodable
        document.notWritable = notWritable
        document.notReopened = notReopened
        return document
    }
}

/// A trace whose documents are in blocks of the frame.
struct SentTrace: Codable {
    /// The documents, each one once, in the order of the blocks. Documents of earlier intermediate results are left
    /// out.
    var documents: [PackedDocument]
    var root: Part

    /// The trace of a document or of a part of it. Documents are numbers of blocks.
    struct Part: Codable {
        let source: String
        let format: DocumentFormat?
        let chain: String?
        let versions: [ChainVersion]
        @SentVersion var target: DocumentVersion?
        @SentVersion var version: DocumentVersion?
        let versionPath: DocumentPath?
        let attempts: [Attempt]
        let opening: MigrationTrace.Opening
        let steps: [Step]
        let path: DocumentPath?
        let instance: DocumentPath?
        let parts: [Part]
        let dropped: [DocumentPath]
        let leftOver: [DocumentPath]?
        let warnings: [Reason]
        let document: Int?
        let rewriting: Ending?
        let decodingSeconds: Double
    }

    struct Attempt: Codable {
        let version: DocumentVersion
        let type: String
        let path: DocumentPath?
        let found: Int?
        let reason: Reason?
    }

    struct Step: Codable {
        let from: DocumentVersion
        let to: DocumentVersion
        let fromType: String
        let toType: String
        let note: String?
        let seconds: Double
        let before: Int?
        let ending: Ending
    }

    enum Ending: Codable {
        case made(Int)
        case madeUnencodable(Reason)
        case checked
        case failed(MigrationFailure)
    }
}

extension SentTrace {
    /// Packs the intermediate results for a document, and then its trace.
    struct Packer {
        private var documents: [Document] = []
        private var numbers: [ObjectIdentifier: Int] = [:]

        /// Returns a trace and those of its documents that haven't been packed yet, in the order of their blocks.
        mutating func pack(_ trace: MigrationTrace) -> (trace: SentTrace, documents: [Document]) {
            let packed = documents.count
            let root = part(trace)
            let new = Array(documents[packed...])
            return (SentTrace(documents: new.map(PackedDocument.init), root: root), new)
        }

        /// Returns a trace and the blocks of those of its documents that haven't been packed yet.
        ///
        /// - Parameter memory: Returns shared memory that already holds a document, if any.
        mutating func packWithBlocks(
            _ trace: MigrationTrace, in memory: (Document) -> Int32? = { _ in nil }
        ) -> (trace: SentTrace, blocks: [OutgoingFrame.Block]) {
            let (packed, documents) = pack(trace)
            let blocks = zip(packed.documents, documents).map { packed, document in
                OutgoingFrame.Block(length: packed.blockLength, memory: memory(document)) {
                    packed.write(document, into: $0)
                }
            }
            return (packed, blocks)
        }

        private mutating func number(_ document: Document) -> Int {
            if let number = numbers[document.identity] { return number }
            numbers[document.identity] = documents.count
            documents.append(document)
            return documents.count - 1
        }

        private mutating func number(_ document: Document?) -> Int? { document.map { number($0) } }

        private mutating func ending(_ ending: MigrationStep.Ending) -> Ending {
            switch ending {
            case .made(let document): .made(number(document))
            case .madeUnencodable(let reason): .madeUnencodable(reason)
            case .checked: .checked
            case .failed(let failure): .failed(failure)
            }
        }

        private mutating func step(_ step: MigrationStep) -> Step {
            Step(
                from: step.from, to: step.to, fromType: step.fromType, toType: step.toType,
                note: step.note, seconds: step.seconds, before: number(step.before), ending: ending(step.ending))
        }

        private mutating func part(_ trace: MigrationTrace) -> Part {
            let attempts = trace.detection.attempts.map {
                Attempt(
                    version: $0.version, type: $0.type, path: $0.path, found: number($0.found),
                    reason: $0.reason)
            }
            return Part(
                source: trace.source, format: trace.format, chain: trace.chain, versions: trace.versions,
                target: trace.target, version: trace.detection.version,
                versionPath: trace.detection.path, attempts: attempts, opening: trace.opening,
                steps: trace.steps.map { step($0) }, path: trace.path, instance: trace.instance,
                parts: trace.parts.map { part($0) },
                dropped: trace.dropped, leftOver: trace.leftOver, warnings: trace.warnings,
                document: number(trace.document),
                rewriting: trace.rewriting.map { ending($0) }, decodingSeconds: trace.decodingSeconds)
        }
    }

    /// Returns the trace, with the documents from the blocks.
    ///
    /// - Parameter known: The documents that arrived before. Those in the blocks are appended.
    /// - Throws: ``BrokenFrame`` if a block is missing or contains no document.
    func trace(
        _ blocks: [SharedBlock], behind known: inout [Document]
    ) throws(BrokenFrame) -> MigrationTrace {
        guard blocks.count == documents.count else { throw BrokenFrame(.document) }
        known += try zip(documents, blocks).map { packed, block throws(BrokenFrame) in
            guard let document = packed.document(in: block.bytes, of: block) else { throw BrokenFrame(.document) }
            return document
        }
        return try Unpacker(documents: known).trace(root)
    }

    private struct Unpacker {
        let documents: [Document]

        func document(_ number: Int) throws(BrokenFrame) -> Document {
            guard documents.indices.contains(number) else { throw BrokenFrame(.document) }
            return documents[number]
        }

        func ending(_ ending: Ending) throws(BrokenFrame) -> MigrationStep.Ending {
            switch ending {
            case .made(let number): .made(try document(number))
            case .madeUnencodable(let reason): .madeUnencodable(reason)
            case .checked: .checked
            case .failed(let failure): .failed(failure)
            }
        }

        func step(_ step: Step) throws(BrokenFrame) -> MigrationStep {
            MigrationStep(
                from: step.from, to: step.to, fromType: step.fromType, toType: step.toType,
                note: step.note, seconds: step.seconds, before: try step.before.map(document),
                ending: try ending(step.ending))
        }

        func trace(_ part: Part) throws(BrokenFrame) -> MigrationTrace {
            let attempts = try part.attempts.map { (attempt) throws(BrokenFrame) in
                VersionDetection.Attempt(
                    version: attempt.version, type: attempt.type, path: attempt.path,
                    found: try attempt.found.map(document), reason: attempt.reason)
            }
            var trace = MigrationTrace(
                source: part.source, format: part.format, chain: part.chain, versions: part.versions,
                target: part.target,
                detection: VersionDetection(version: part.version, path: part.versionPath, attempts: attempts),
                opening: part.opening, steps: try part.steps.map(step), path: part.path,
                parts: try part.parts.map(trace), dropped: part.dropped, warnings: part.warnings,
                document: try part.document.map(document), rewriting: try part.rewriting.map(ending),
                decodingSeconds: part.decodingSeconds)
            (trace.instance, trace.leftOver) = (part.instance, part.leftOver)
            return trace
        }
    }
}

/// The error thrown when data on the socket isn't what a worker or its parent sends.
struct BrokenFrame: Error, Equatable {
    /// The rule that was broken; nil if the frame cannot be read at all.
    let rule: WorkerRule?

    init(_ rule: WorkerRule? = nil) { self.rule = rule }

    /// The cause of the crash that is reported for a worker that was ended because of this.
    var cause: Crash.Cause { rule.map { .brokenRule($0) } ?? .unreadableAnswer }
}
