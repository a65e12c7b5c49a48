import DocumentModel

extension MigrationChain {
    /// The chain of a type that finds out by itself which shape a document has. Its versions are the shapes, which count from 1, oldest
    /// first; each leads to the newest in one step.
    ///
    ///     MigrationChain(fallback: User.self)
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - name: What the chain is called; the name of the type unless you say otherwise.
    ///   - decoding: How the app decodes dates, data, keys and the like.
    ///   - encoding: How the app encodes them.
    public init<Value: FallbackDecodable & Encodable>(
        fallback type: Value.Type, named name: String? = nil, decoding: DecodingStrategies = DecodingStrategies(),
        encoding: EncodingStrategies = EncodingStrategies()
    ) {
        self.init(
            FallbackChain<Value>(
                name: name ?? String(describing: type), decoder: DocumentDecoder(strategies: decoding),
                encoder: DocumentEncoder(strategies: encoding)))
    }
}

/// A chain of a type whose own `init(from:)` tries one shape after the other.
private struct FallbackChain<Value: FallbackDecodable & Encodable>: ChainSystem {
    let name: String
    private let decoder: DocumentDecoder
    private let encoder: DocumentEncoder
    /// The versions, and the fields of each, oldest first.
    let versions: [ChainVersion]
    private let fields: [OnceComputed<TypeFields>]

    init(name: String, decoder: DocumentDecoder, encoder: DocumentEncoder) {
        self.name = name
        self.decoder = decoder
        self.encoder = encoder
        let shapes = Value.shapes.reversed()
        versions = shapes.enumerated().map { ChainVersion(version: .number($0 + 1), type: $1.typeName) }
        fields = shapes.map { shape in
            OnceComputed { TypeFields(of: shape.type, userInfo: decoder.strategies.userInfo) }
        }
    }

    func fit(of document: Document, names: Set<String>) -> ChainFit {
        let fieldNames = Set(names.lazy.map { decoder.strategies.fieldName(ofKey: $0) })
        let fits = zip(versions, fields).map { version, fields in
            let shares = ChainFit.Shares(fields.value, fieldNames, except: nil)
            return ChainFit(version: .notAsked, type: version.type, shares: shares)
        }
        let none = ChainFit(
            version: .notAsked, type: name, shares: .init(TypeFields(), fieldNames, except: nil))
        // Of equal fits the newest counts, which is the last.
        return fits.max { $0.shares.sum <= $1.shares.sum } ?? none
    }

    func check(_ document: Document, source: String, to target: DocumentVersion?) -> CheckResult {
        CheckResult(trace(document, source: source, to: target, isTracing: false))
    }

    func trace(_ document: Document, source: String, to target: DocumentVersion?) -> MigrationTrace {
        trace(document, source: source, to: target, isTracing: true)
    }

    private func trace(
        _ document: Document, source: String, to target: DocumentVersion?, isTracing: Bool
    ) -> MigrationTrace {
        let record = ReadRecord()
        let recorder = PartRecorder(isTracing: isTracing, decoding: decoder.strategies, encoder: encoder)
        var trace = MigrationTrace(
            source: source, format: document.format, chain: name, versions: isTracing ? versions : [],
            target: target ?? newestVersion, warnings: document.root.duplicateNameWarnings, outcome: .failed,
            document: document)
        do {
            _ = try decoder.reporting(to: recorder).decode(Value.self, from: document.root, recording: record)
            trace.dropped = record.droppedPaths(in: document.root)
            trace.outcome = .current
            trace.result = document
        } catch {
            trace.failure = failure(error, recorder.part(throwing: error), document)
        }
        trace.warnings += recorder.warnings
        // The value itself is a part too, the one at the root.
        let parts = recorder.parts
        guard let whole = parts.last(where: \.path.isRoot) else {
            if isTracing { trace.parts = parts.map { $0.trace(inside: .root, record) } }
            return trace
        }
        let told = whole.trace(inside: .root, record)
        trace.detection = told.detection
        trace.steps = told.steps
        trace.decodingSeconds = told.decodingSeconds
        trace.parts = told.parts
        if trace.failure == nil {
            trace.outcome = whole.trace.outcome
            trace.result = told.result
            if let target { stop(&trace, at: target) }
        }
        return trace
    }

    /// Takes back the step, where it leads too far. There is only one, so one can stop before it or behind it.
    private func stop(_ trace: inout MigrationTrace, at target: DocumentVersion) {
        guard target != newestVersion else { return }
        trace.steps = []
        if target == trace.detection.version {
            trace.outcome = .current
            trace.result = trace.document
        } else {
            let known = versions.map(\.version.description).joined(separator: ", ")
            trace.outcome = .failed
            trace.result = nil
            trace.dropped = []
            trace.failure = MigrationFailure(
                kind: .unsupportedVersion,
                message: "\(name) goes straight to version \(newestVersion), not to version \(target); "
                    + "its versions are \(known)",
                tried: versions.reversed().map(\.version))
        }
    }

    /// Why the document is not decoded; `part` is the part that threw, which may be the whole.
    private func failure(_ error: any Error, _ part: RecordedPart?, _ document: Document) -> MigrationFailure {
        var failure = part?.failureOfWhole ?? MigrationFailure(classifying: error)
        if part?.path.isRoot == true { failure.tried = part?.trace.failure?.tried }
        if let path = failure.culprit?.path ?? failure.path {
            let spelled = document.root.spelled(path, by: decoder.strategies)
            failure.location = document.root.deepestDescendant(along: spelled).node.location
        }
        return failure
    }
}
