import DocumentModel

/// A value of a document that was decoded from the first of several shapes that fits: what a trace tells of it.
///
/// Its versions count from 1, the oldest shape. Every shape leads straight to the value, so there is one step at most.
struct FallbackPart<Value> {
    /// Newest first.
    let shapes: [FallbackShape<Value>]
    let attempts: FallbackAttempts<Value>
    let node: DocumentNode
    /// Where it is in its document, as types call it.
    let codingPath: DocumentPath
    /// The same, as the document calls it.
    let path: DocumentPath
    let strategies: DecodingStrategies
    /// Whether something inside was carried forward.
    let hasMigratedParts: Bool
    /// How long the attempts took.
    let seconds: Double

    /// The place among the shapes of the one that fits.
    private var fitting: Int? { attempts.value == nil ? nil : attempts.failures.count }

    /// The same reason, told of the value, in the names of the document.
    private func told(_ reason: Reason) -> Reason {
        reason.changingPaths { node.spelled($0.inside(codingPath), by: strategies) }
    }

    private func version(at index: Int) -> ChainVersion {
        ChainVersion(version: .number(shapes.count - index), type: shapes[index].typeName)
    }

    /// The part as `recorder` keeps it; `reads` knows what was read of the document.
    func recorded(by recorder: PartRecorder, reads: ReadRecord?) -> RecordedPart {
        var builder = TraceBuilder(
            source: "\(path)", document: recorder.isTracing ? Document(copying: node) : nil,
            chain: String(describing: Value.self), versions: shapes.indices.reversed().map(version),
            target: nil, isTracing: recorder.isTracing)
        builder.format(node.document.format)
        guard let fitting else {
            fail(&builder)
            return RecordedPart(path: path, node: node, builder, thrown: attempts.failures.last?.error)
        }
        builder.detect(version(at: fitting).version, attempts: detectionAttempts)
        builder.warn(ambiguity(fitting, recorder, reads))
        let ending: () -> MigrationStep.Ending = { self.ending(shapes[fitting], recorder.encoder) }
        if fitting > 0 {
            builder.step(
                version(at: fitting), version(at: 0), note: shapes[fitting].note, seconds: seconds, ending)
        } else {
            builder.decoded(in: seconds)
            // A value of the newest shape may still hold parts that were carried forward.
            if hasMigratedParts { builder.rewrite(ending) }
        }
        return RecordedPart(path: path, node: node, builder, thrown: nil)
    }

    /// What the app writes for the value.
    private func ending(_ shape: FallbackShape<Value>, _ encoder: DocumentEncoder) -> MigrationStep.Ending {
        let type = String(describing: Value.self)
        guard let writer = shape.writer, let value = attempts.value else {
            return .madeUnencodable(.decodesOnly(type: type))
        }
        return .init(encoding: type) { try writer.document(of: value, encoder, node.document.format) }
    }

    /// What was tried, newest first, and why it did not fit.
    private func detectionAttempts() -> [VersionDetection.Attempt] {
        shapes.indices.prefix(attempts.failures.count + 1).map { index in
            let failure = index < attempts.failures.count ? attempts.failures[index] : nil
            return VersionDetection.Attempt(
                version: version(at: index).version, type: shapes[index].typeName, path: nil, found: nil,
                reason: failure.map { told($0.reason) })
        }
    }

    /// A warning, if older shapes fit as well.
    private func ambiguity(_ fitting: Int, _ recorder: PartRecorder, _ reads: ReadRecord?) -> [Reason] {
        let decoder = DocumentDecoder(strategies: recorder.decoding)
        func fits(_ shape: FallbackShape<Value>, _ node: DocumentNode, _ record: ReadRecord?) -> Bool {
            (try? shape.code.value(from: shape.code.decode(node, decoder, record))) != nil
        }
        let older = shapes[(fitting + 1)...].filter { fits($0, node, nil) }
        guard !older.isEmpty else { return [] }
        // A record has room for the whole document, so it had better be a small one.
        let copy = Document(copying: node).root
        let unread = older.map { shape in
            let record = ReadRecord()
            _ = fits(shape, copy, record)
            return (shape.typeName, record.droppedPaths(in: copy))
        }
        let taken = (shapes[fitting].typeName, reads?.droppedPaths(in: node) ?? [])
        return ShapeAmbiguity([taken] + unread)?.warning(ofWhole: false) ?? []
    }

    // MARK: - No shape fits

    /// A value that no shape fits. Where one does, and the value made of it was refused, that is the step that failed.
    private func fail(_ builder: inout TraceBuilder) {
        guard let refused = attempts.failures.firstIndex(where: \.isDecoded) else {
            builder.detect(nil, attempts: detectionAttempts)
            return builder.fail(failure)
        }
        builder.detect(version(at: refused).version) {
            detectionAttempts().prefix(refused + 1).enumerated().map { index, attempt in
                var attempt = attempt
                if index == refused { attempt.reason = nil }
                return attempt
            }
        }
        let reason = told(attempts.failures[refused].reason)
        let culprit =
            reason.path.flatMap { $0.isRoot || node.descendant(at: $0) == nil ? nil : .init(path: $0, certain: true) }
            ?? CulpritFinder(root: node) { _ in true }
            .likeliest(path: reason.path, message: reason.authorsMessage ?? "")
        let step = MigrationFailure.Step(from: version(at: refused).version, to: version(at: 0).version)
        builder.failStep(
            version(at: refused), version(at: 0), note: shapes[refused].note, seconds: seconds
        ) { _ in MigrationFailure(reason, step: step, culprit: culprit) }
    }

    /// The failure of a value that no shape fits, as of a document of its own.
    private var failure: MigrationFailure {
        let failures = zip(shapes, attempts.failures).map { shape, failure in
            ShapeFailure(type: shape.typeName, reason: told(failure.reason))
        }
        let complaints = failures.map { ShapeComplaint($0.reason, in: node) }
        let weights = complaints.map(\.weight)
        let nearest = weights.max().flatMap(weights.firstIndex)
        return MigrationFailure(
            .noShapeFits(attempts: failures, nearest: nearest), culprit: nearest.flatMap { complaints[$0].culprit })
    }
}

/// What one shape has against a value, and how near it comes to naming a field of it.
private struct ShapeComplaint {
    let culprit: MigrationFailure.Culprit?
    /// A value that is there and wrong says more than one that is missing.
    let weight: Int

    init(_ reason: Reason, in node: DocumentNode) {
        let path = reason.path
        let isThere = path.flatMap { $0.isRoot ? nil : node.descendant(at: $0) } != nil
        if let path, isThere {
            culprit = .init(path: path, certain: false)
        } else if let path, reason.kind == .keyNotFound {
            culprit = CulpritFinder(root: node) { _ in true }.misspelling(of: path) { $0 }
        } else {
            culprit = nil
        }
        weight = isThere ? 2 : culprit == nil ? 0 : 1
    }
}
