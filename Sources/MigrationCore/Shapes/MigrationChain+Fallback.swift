import DocumentModel

extension MigrationChain {
    /// Creates the chain of a type that detects the shape of a document itself. Its versions are the shapes, numbered
    /// from 1, oldest first. Each migrates to the newest in a single step.
    ///
    ///     MigrationChain(fallback: User.self)
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - name: The name of the chain. The default is the name of the type.
    ///   - decoding: How the app decodes dates, data, and keys.
    ///   - encoding: How the app encodes them.
    ///   - isRepeatable: Whether the migrations have no side effects, so that experiments may run them many times.
    public init<Value: FallbackDecodable & Encodable>(
        fallback type: Value.Type, named name: String? = nil, decoding: DecodingStrategies = DecodingStrategies(),
        encoding: EncodingStrategies = EncodingStrategies(), isRepeatable: Bool = true
    ) {
        self.init(
            FallbackChain<Value>(
                name: name ?? typeName(type), decoder: DocumentDecoder(strategies: decoding),
                encoder: DocumentEncoder(strategies: encoding)), isRepeatable: isRepeatable)
    }
}

/// The chain of a type whose own `init(from:)` tries one shape after another.
private final class FallbackChain<Value: FallbackDecodable & Encodable>: ChainSystem {
    let name: String
    let decoder: DocumentDecoder
    let encoder: DocumentEncoder
    /// The versions, oldest first, and the fields of each.
    let versions: [ChainVersion]
    private let fields: [KeptFields]

    init(name: String, decoder: DocumentDecoder, encoder: DocumentEncoder) {
        self.name = name
        self.decoder = decoder
        self.encoder = encoder
        let shapes = Value.shapes.inChainOrder
        versions = shapes.enumerated().map { ChainVersion(version: .number($0 + 1), type: $1.typeName) }
        fields = shapes.map { KeptFields($0.code, userInfo: decoder.strategies.userInfo) }
    }

    func outline(ofVersion index: Int) -> VersionOutline {
        Array(Value.shapes.inChainOrder)[index].code.outline(userInfo: decoder.strategies.userInfo)
    }

    func fit(
        of reading: Reading, claim: DetectedStage?
    ) -> (fit: ChainFit, found: DetectedStage?) {
        func shares(_ fields: TypeFields) -> ChainFit.Shares {
            let found = fields.names(in: reading.root, decoder.strategies)
            return ChainFit.Shares(fields, found.names, and: found.otherCount, except: nil)
        }
        reading.observer?.enter(name, .describing)
        let fits = versions.indices.map { index in
            let fields = fields[index].value(of: name, stage: index, for: reading.observer)
            return ChainFit(
                version: .notAsked, type: versions[index].type, shares: shares(fields),
                root: fields.nesting.isEmpty ? reading.root.insteadOfObject : nil)
        }
        let none = ChainFit(version: .notAsked, type: name, shares: shares(TypeFields()))
        // If several fit equally well, the newest counts, which is the last.
        return (fits.max { $0.shares.sum <= $1.shares.sum } ?? none, nil)
    }

    func run(
        _ document: Document, source: String, to target: DocumentVersion?, found: DetectedStage?, detail: RunDetail,
        for observer: (any RunObserver)?
    ) -> MigrationTrace {
        let reading = reading(document, detail: detail)
        var builder = TraceBuilder(self, document, source: source, target: target, detail: detail)
        var error: (any Error)?
        var written: MigrationStep.Ending?
        do {
            let value = try reading.decoder.decode(Value.self, from: reading.root, recording: reading.record)
            builder.trace.dropped = reading.dropped
            builder.warn(reading.caught)
            if detail == .writing {
                written = MigrationStep.Ending(encoding: name) {
                    try encoder.encode(value, as: document.format.written)
                }
            }
        } catch let thrown {
            error = thrown
        }
        let (warnings, parts) = reading.recorder.findings
        if let whole = parts.last(where: \.path.isRoot) {
            // The value itself is a part too, the one at the root.
            builder.adopt(whole, reading.record)
            builder.warn(warnings)
        } else {
            builder.note(reading.recorder, reading.record)
        }
        if let error {
            if builder.trace.steps.last?.failure == nil { builder.fail(failure(error, reading)) }
            if let observer { chooseNearest(&builder.trace, reading, observer) }
            builder.locate { document.location(along: reading.spell($0)) }
        } else if let target, target != newestVersion {
            // There is only one step, so a run can stop only before it or after it.
            builder.takeBackSteps()
            if let version = builder.trace.detection.version, version != target {
                builder.trace.dropped = []
                builder.fail(unreachable(target, from: version, isStraight: true))
            }
        }
        if let written { builder.rewrite(written) }
        return builder.trace
    }

    /// Reports the error of the shape whose fields fit the document best, if no shape fits.
    private func chooseNearest(_ trace: inout MigrationTrace, _ reading: Reading, _ observer: any RunObserver) {
        guard var failure = trace.failure, case .noShapeFits(let attempts, let nearest?) = failure.reason,
            attempts.count == fields.count
        else { return }
        let fits = ShapeFit.all(of: fields, chain: name, reading.root, decoder.strategies, for: observer)
        guard let best = fits.indices.max(by: { fits[$0] < fits[$1] || fits[$0] == fits[$1] && $0 > $1 }),
            fits[best] > fits[nearest]
        else { return }
        failure.reason = .noShapeFits(attempts: attempts, nearest: best)
        failure.culprit = .init(likelyBecauseOf: attempts[best].reason, in: reading.root)
        trace.replace(failure)
    }

    /// Returns why the document cannot be decoded, which may be because of a part.
    private func failure(_ error: any Error, _ reading: Reading) -> MigrationFailure {
        reading.recorder.part(throwing: error)?.failureOfWhole ?? MigrationFailure(reading.reason(error))
    }
}
