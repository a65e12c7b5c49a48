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
    private var fitting: Int? { attempts.value == nil ? nil : attempts.errors.count }

    /// A path that an error names, as from the value, in the names of the document.
    private func place(_ path: DocumentPath) -> DocumentPath {
        node.spelled(path.inside(codingPath), by: strategies)
    }

    private func version(at index: Int) -> DocumentVersion { .number(shapes.count - index) }

    /// The part as `recorder` keeps it; `reads` knows what was read of the document.
    func recorded(by recorder: PartRecorder, reads: ReadRecord?) -> RecordedPart {
        var trace = MigrationTrace(
            source: "\(path)", format: node.document.format, chain: String(describing: Value.self),
            target: shapes.isEmpty ? nil : version(at: 0), outcome: .failed)
        if recorder.isTracing {
            trace.versions = shapes.indices.reversed().map {
                ChainVersion(version: version(at: $0), type: shapes[$0].typeName)
            }
            trace.document = Document(copying: node)
            trace.detection.attempts = detectionAttempts
        }
        guard let fitting else {
            trace.failure = failure
            let thrown = attempts.errors.last.map(MigrationFailure.init(classifying:))
            return RecordedPart(path: path, node: node, trace: trace, thrown: thrown)
        }
        trace.detection.version = version(at: fitting)
        trace.outcome = fitting == 0 && !hasMigratedParts ? .current : .migrated
        trace.warnings = ambiguity(fitting, recorder, reads).map { [$0] } ?? []
        if recorder.isTracing { finish(&trace, fitting, recorder) }
        return RecordedPart(path: path, node: node, trace: trace, thrown: nil)
    }

    /// Adds the step, if there is one, and the result.
    private func finish(_ trace: inout MigrationTrace, _ fitting: Int, _ recorder: PartRecorder) {
        guard trace.outcome == .migrated, let document = trace.document else {
            trace.result = trace.document
            trace.decodingSeconds = seconds
            return
        }
        do {
            trace.result = try encoded(by: recorder.encoder)
        } catch {
            trace.warnings.append("\(Value.self) was made, but does not encode: \(MigrationFailure.words(for: error))")
        }
        // A value of the newest shape may still hold parts that were carried forward.
        guard fitting > 0 else {
            trace.decodingSeconds = seconds
            return
        }
        trace.steps = [
            MigrationStep(
                from: version(at: fitting), to: version(at: 0), fromType: shapes[fitting].typeName,
                toType: shapes[0].typeName, note: shapes[fitting].note, seconds: seconds, before: document,
                after: trace.result)
        ]
    }

    /// What the app writes for the value; nil if its type only decodes.
    private func encoded(by encoder: DocumentEncoder) throws -> Document? {
        try (attempts.value as? any Encodable).map { try encoder.encode($0, as: node.document.format) }
    }

    /// What was tried, newest first, and why it did not fit.
    private var detectionAttempts: [VersionDetection.Attempt] {
        shapes.indices.prefix(attempts.errors.count + 1).map { index in
            let error = index < attempts.errors.count ? attempts.errors[index] : nil
            return VersionDetection.Attempt(
                version: version(at: index), type: shapes[index].typeName, path: nil, found: nil,
                reason: error.map { ShapeAttempt.reason($0, place: place) })
        }
    }

    /// A warning, if older shapes fit as well.
    private func ambiguity(_ fitting: Int, _ recorder: PartRecorder, _ reads: ReadRecord?) -> String? {
        let decoder = DocumentDecoder(strategies: recorder.decoding)
        func fits(_ shape: FallbackShape<Value>, _ node: DocumentNode, _ record: ReadRecord?) -> Bool {
            guard let decoded = try? decoder.decode(shape.type, from: node, recording: record) else { return false }
            return (try? shape.make(decoded)) != nil
        }
        let older = shapes[(fitting + 1)...].filter { fits($0, node, nil) }
        guard !older.isEmpty else { return nil }
        var ambiguity = ShapeAmbiguity(
            taken: shapes[fitting].typeName, unread: reads?.droppedPaths(in: node) ?? [])
        // A record has room for the whole document, so it had better be a small one.
        let copy = Document(copying: node).root
        for shape in older {
            let record = ReadRecord()
            if fits(shape, copy, record) {
                ambiguity.add(shape.typeName, unread: record.droppedPaths(in: copy))
            }
        }
        return ambiguity.warning.map { "The value \($0)" }
    }

    /// The failure of a value that no shape fits, as of a document of its own.
    private var failure: MigrationFailure {
        let reasons = zip(shapes, attempts.errors).map { "\($0.typeName): \(ShapeAttempt.reason($1, place: place))" }
        let complaints = attempts.errors.map { ShapeComplaint($0, in: node, place: place) }
        let nearest = complaints.reduce(complaints.first) { best, next in
            next.weight > best?.weight ?? 0 ? next : best
        }
        return MigrationFailure(
            kind: .unsupportedVersion, path: nearest?.path, culprit: nearest?.culprit,
            message: "No shape fits: " + reasons.joined(separator: "; "),
            tried: shapes.indices.map(version))
    }
}

/// What one shape has against a value, and how near it comes to naming a field of it.
private struct ShapeComplaint {
    let path: DocumentPath?
    let culprit: MigrationFailure.Culprit?
    /// A value that is there and wrong says more than one that is missing.
    let weight: Int

    init(_ error: any Error, in node: DocumentNode, place: (DocumentPath) -> DocumentPath) {
        let failure = MigrationFailure(classifying: error)
        path = failure.path.map(place)
        let isThere = path.flatMap { $0.isRoot ? nil : node.descendant(at: $0) } != nil
        if let path, isThere {
            culprit = .init(path: path, certain: false)
        } else if let path, failure.kind == .keyNotFound {
            culprit = CulpritFinder(root: node) { _ in true }.misspelling(of: path) { $0 }
        } else {
            culprit = nil
        }
        weight = isThere ? 2 : culprit == nil ? 0 : 1
    }
}
