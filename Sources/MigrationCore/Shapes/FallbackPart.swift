import DocumentModel

/// A value in a document that was decoded from the first of several shapes that fits, as recorded for a trace.
///
/// Its versions are numbered from 1, the oldest shape. Every shape leads directly to the value, so there is at most one
/// step.
struct FallbackPart<Value> {
    /// The shapes, newest first.
    let shapes: [FallbackShape<Value>]
    let attempts: FallbackAttempts<Value>
    let node: DocumentNode
    /// The path of the value in its document, in the names of types.
    let codingPath: DocumentPath
    /// The same path, in the names used by the document.
    let path: DocumentPath
    let recorder: PartRecorder
    /// Whether something inside the value was migrated.
    let hasMigratedParts: Bool
    /// The time that the attempts took, in seconds.
    let seconds: Double

    /// The index of the shape that fits, or nil if none does.
    private var fitting: Int? { attempts.value == nil ? nil : attempts.failures.count }

    /// Returns the same reason with paths that start at the value, in the names used by the document.
    private func reported(_ reason: Reason) -> Reason {
        reason.changingPaths { node.spelled($0.inside(codingPath), by: recorder.decoding) }
    }

    /// Returns why a shape does not fit, with paths that start at the value. If a part inside the value threw the error,
    /// its paths are moved as well.
    private func reason(at index: Int) -> Reason {
        let failed = attempts.failures[index]
        let inside = failed.isDecoded ? nil : failed.parts.last?.failure(inside: path)
        return inside?.reason ?? reported(failed.reason)
    }

    private func version(at index: Int) -> ChainVersion {
        ChainVersion(version: .number(shapes.count - index), type: shapes[index].typeName)
    }

    /// Returns the part for the recorder. `reads` is the record of what was read from the document.
    func recorded(_ reads: ReadRecord?) -> RecordedPart {
        var builder = TraceBuilder(
            source: "\(path)", document: recorder.detail.keepsSteps ? Document(copying: node) : nil,
            chain: typeName(Value.self), versions: shapes.indices.inChainOrder.map(version),
            target: nil, detail: recorder.detail)
        builder.trace.format = node.document.format
        guard let fitting else {
            fail(&builder)
            return RecordedPart(path: path, node: node, builder, thrown: attempts.failures.last?.error)
        }
        builder.detect(version(at: fitting).version) { detectionAttempts(fitting) }
        builder.warn(ambiguity(fitting, reads))
        let ending = recorder.detail.encodes(isResult: path.isRoot) ? ending(shapes[fitting]) : .checked
        if fitting > 0 {
            builder.step(version(at: fitting), version(at: 0), note: shapes[fitting].note, seconds: seconds, ending)
        } else {
            builder.trace.decodingSeconds = seconds
            // A value of the newest shape may still contain parts that were migrated.
            if hasMigratedParts { builder.rewrite(ending) }
        }
        return RecordedPart(path: path, node: node, builder, thrown: nil)
    }

    /// Returns the document that the app writes for the value.
    private func ending(_ shape: FallbackShape<Value>) -> MigrationStep.Ending {
        let type = typeName(Value.self)
        guard let writer = shape.writer, let value = attempts.value else {
            return .madeUnencodable(.decodesOnly(type: type))
        }
        return .init(encoding: type) { try writer.document(of: value, recorder.encoder, node.document.format) }
    }

    /// Returns the shapes that were tried, down to the one at `match`, newest first, with the reasons they did not fit.
    private func detectionAttempts(_ match: Int?) -> [VersionDetection.Attempt] {
        shapes.indices.prefix((match ?? shapes.count) + 1).map { index in
            VersionDetection.Attempt(
                version: version(at: index).version, type: shapes[index].typeName,
                reason: index == match ? nil : reason(at: index))
        }
    }

    /// Returns a warning if older shapes fit too.
    private func ambiguity(_ fitting: Int, _ reads: ReadRecord?) -> [Reason] {
        let decoder = DocumentDecoder(strategies: recorder.decoding)
        func fits(_ shape: FallbackShape<Value>, _ node: DocumentNode, _ record: ReadRecord?) -> Bool {
            (try? shape.code.value(from: shape.code.decode(node, decoder, record))) != nil
        }
        let older = shapes[(fitting + 1)...].filter { fits($0, node, nil) }
        guard !older.isEmpty else { return [] }
        // A record takes memory for the whole document, so use a small one.
        let copy = Document(copying: node).root
        let unread = older.map { shape in
            let record = ReadRecord()
            _ = fits(shape, copy, record)
            return (type: shape.typeName, unread: record.droppedPaths(in: copy))
        }
        let taken = (type: shapes[fitting].typeName, unread: reads?.droppedPaths(in: node) ?? [])
        return Reason.ambiguity(of: [taken] + unread, ofWhole: false)
    }

    // MARK: - No shape fits

    /// Records that no shape fits. If a shape was decoded but no value could be made from it, that is the step that
    /// failed.
    private func fail(_ builder: inout TraceBuilder) {
        guard let refused = attempts.failures.firstIndex(where: \.isDecoded) else {
            if let inside = failureInside {
                // If several shapes get as far as a part and no further, that says nothing about which is right.
                let isOnly = attempts.failures.count { !$0.parts.isEmpty } == 1
                builder.detect(isOnly ? version(at: inside.attempt).version : nil) {
                    detectionAttempts(isOnly ? inside.attempt : nil)
                }
                return builder.fail(inside.failure)
            }
            builder.detect(nil) { detectionAttempts(nil) }
            return builder.fail(failure)
        }
        builder.detect(version(at: refused).version) { detectionAttempts(refused) }
        let reason = reported(attempts.failures[refused].reason)
        let (old, new) = (version(at: refused), version(at: 0))
        let failure = MigrationFailure(
            reason, step: .init(from: old.version, to: new.version),
            culprit: CulpritFinder(root: node).culprit(of: reason))
        builder.step(old, new, note: shapes[refused].note, seconds: seconds, .failed(failure))
    }

    /// The shape that fails because of a part inside the value, with that failure. Nil if no shape does, or one was
    /// decoded. A part that has a shape but was refused is preferred to one that has none.
    var failureInside: (attempt: Int, failure: MigrationFailure)? {
        guard attempts.value == nil, !attempts.failures.contains(where: \.isDecoded) else { return nil }
        let inside = attempts.failures.enumerated().compactMap { index, failure in
            failure.parts.last.map { (index, $0) }
        }
        let best = inside.first { $0.1.trace.detection.version != nil } ?? inside.first
        return best.flatMap { index, part in
            part.failure(inside: path).map { (index, $0) }
        }
    }

    /// The failure of a value that no shape fits, as a separate document.
    private var failure: MigrationFailure {
        let failures = shapes.indices.map { ShapeFailure(type: shapes[$0].typeName, reason: reason(at: $0)) }
        let complaints = failures.map { complaint($0.reason) }
        // Of equal complaints, that of the shape counts that has read most of the value; then the newest.
        let weights = zip(attempts.failures, complaints).map { ($1.weight, $0.readCount) }
        let nearest = weights.indices.max { weights[$0] < weights[$1] || weights[$0] == weights[$1] && $0 > $1 }
        return MigrationFailure(
            .noShapeFits(attempts: failures, nearest: nearest), culprit: nearest.flatMap { complaints[$0].culprit })
    }

    /// Returns the field that a shape's error is about, and a weight. An existing value that is wrong is better
    /// evidence than a missing one.
    private func complaint(_ reason: Reason) -> (culprit: MigrationFailure.Culprit?, weight: Int) {
        let culprit = MigrationFailure.Culprit(likelyBecauseOf: reason, in: node)
        return (culprit, culprit == nil ? 0 : culprit?.path == reason.path ? 2 : 1)
    }
}

extension MigrationFailure.Culprit {
    /// Creates the field that the error of a shape is about: the existing value that it names, or a field whose name
    /// resembles that of a missing one. Returns nil if there is neither.
    init?(likelyBecauseOf reason: Reason, in root: DocumentNode) {
        guard let path = reason.path else { return nil }
        if !path.isRoot, root.descendant(at: path) != nil {
            self.init(path: path, certain: false)
        } else if reason.kind == .keyNotFound, let culprit = CulpritFinder(root: root).misspelling(of: path) {
            self = culprit
        } else {
            return nil
        }
    }
}
