import DocumentModel

/// The point where a migration failed, to check whether a run with a change got past it.
///
/// The check works for every kind of chain. A run that fails in a later step, or while decoding after the step's
/// closure, got past the point. If both runs fail in the same decoding, their decoding errors are compared. Everything
/// before the changed value is read as in the original run, so an error about another value comes later, and so does
/// one after more values were read. A document of no known shape is compared by the nearest shape, and a part that
/// migrates separately is compared only with itself.
struct FailurePoint {
    /// How far a changed run got.
    enum Progress {
        /// It got past the point.
        case past
        /// It failed at the point, with the same message or another one.
        case there
        /// It failed before the point, or it isn't known where.
        case unknown
    }

    let failure: MigrationFailure
    let trace: MigrationTrace
    /// The document in which values are changed.
    let document: Document

    /// Returns how far a run with a change got, given its failure, if any.
    func progress(of result: MigrationFailure?, with change: DocumentEdit) -> Progress {
        guard let result else { return .past }
        guard let (before, now) = steps(result) else { return .unknown }
        if isPastVersion(result) { return .past }
        if now != before { return now > before ? .past : .unknown }
        if isPastPart(result, change) { return .past }
        // Only errors from the same code can be compared.
        guard failure.nearestShape == result.nearestShape, failure.complaint.isOfDecoder,
            result.complaint.isOfDecoder, let before = failure.complaint.path, let now = result.complaint.path
        else { return .there }
        // An error about an element before that of the original error.
        if now.isElement(before: before) { return .unknown }
        return isPastValue(before, now, result, change) ? .past : .there
    }

    /// Returns whether the version was unknown, and now something else fails.
    private func isPastVersion(_ result: MigrationFailure) -> Bool {
        if case .unsupportedVersion = result.reason { return false }
        return failure.kind == .unsupportedVersion && !failure.isOfShape && result.kind != .unsupportedVersion
            && (result.path == nil || result.path != failure.path)
            && !trace.detection.attempts.contains { $0.path != nil && $0.path == result.path }
    }

    /// Returns how far the document got in the original run and in this one: 0 if decoding failed, or else twice the
    /// number of the version that was not reached, plus one if the result of a closure could not be decoded.
    func steps(_ result: MigrationFailure) -> (Int, Int)? {
        func number(_ failure: MigrationFailure) -> Int? {
            guard let step = failure.step else { return 0 }
            return trace.versions.firstIndex { $0.version == step.to }.map {
                2 * ($0 + 1) + (failure.readCount == nil ? 0 : 1)
            }
        }
        guard let before = number(failure), let now = number(result) else { return nil }
        return (before, now)
    }

    /// Returns whether a change inside the failed part makes it pass, so that something outside it fails.
    private func isPastPart(_ result: MigrationFailure, _ change: DocumentEdit) -> Bool {
        guard failure.step == nil, let path = failure.path, let new = result.path,
            // If several shapes were tried, each may have other parts.
            trace.detection.version != nil || trace.versions.count == 1
        else { return false }
        let failed = trace.parts.lazy.filter { $0.failure != nil }.compactMap(\.path).first { path.hasPrefix($0) }
        guard let failed, !failed.isRoot else { return false }
        return change.place.hasPrefix(failed) && !new.hasPrefix(failed) && !failed.hasPrefix(new)
    }

    /// Returns whether the original decoding error was about the changed value, and the new one is about another value.
    private func isPastValue(
        _ before: DocumentPath, _ now: DocumentPath, _ result: MigrationFailure, _ change: DocumentEdit
    ) -> Bool {
        if now.isRelated(to: before) { return false }
        // After steps, another element may be at that path, which lacks the value that the document has there.
        if failure.complaint.kind == .keyNotFound, change.place == before, document.root.descendant(at: before) != nil {
            return false
        }
        // The steps may have moved the new value to that path.
        if let value = change.value?.root, MessageWords(result.message).says(value),
            !MessageWords(failure.message).says(value),
            document.root.descendant(at: now)?.isEqual(to: value) != true
        {
            return false
        }
        if change.value?.root.kind.isContainer == false, !now.isRelated(to: change.place),
            now.foldingIndices != before.foldingIndices, now.foldingIndices != change.place.foldingIndices,
            let read = failure.readCount, let nowRead = result.readCount, nowRead > read
        {
            return true
        }
        // The old name of the key is missing now, and may have been read earlier.
        if case .rename(let path, _) = change, now.hasPrefix(path) { return false }
        if failure.step == nil { return change.place == before }
        // After steps, the error names a value in their result. It is known to come later only if the document has it
        // too.
        guard change.place == before || change.place == failure.culprit?.path else { return false }
        return [now, before.renamed(now, to: change.place), result.culprit?.path].contains { place in
            guard let place, !place.isRelated(to: change.place) else { return false }
            let read = result.complaint.kind == .keyNotFound ? place.parent : place
            return read.flatMap(document.root.descendant) != nil
        }
    }
}

extension MigrationFailure {
    /// The reason reported by the code that failed. If no shape fits, that of the nearest shape.
    var complaint: Reason {
        guard case .noShapeFits(let attempts, let nearest) = reason else { return reason }
        return attempts[nearest: nearest]?.reason ?? reason
    }

    /// Returns the same failure, with the paths of its reason in the names that documents have, as far as the fields of
    /// their versions are known.
    func spelled(by outlines: [VersionOutline]) -> MigrationFailure {
        guard outlines.contains(where: { $0.fields.contains { $0.declaredPath != nil } }) else { return self }
        var failure = self
        failure.reason = reason.changingPaths { path in
            outlines.lazy.map { $0.spelled(path) }.first { $0 != path } ?? path
        }
        return failure
    }

    /// Whether no shape fits the document, or a part of it.
    package var isOfShape: Bool { if case .noShapeFits = reason { true } else { false } }

    /// The index and the type of the nearest shape, or nil if shapes were not tried.
    fileprivate var nearestShape: [String]? {
        guard case .noShapeFits(let attempts, let nearest) = reason, let shape = attempts[nearest: nearest] else {
            return nil
        }
        return ["\(nearest ?? 0)", shape.type]
    }
}

extension Reason {
    /// Whether the reason comes from a decoder, about a path in the document.
    var isOfDecoder: Bool {
        switch kind {
        case .keyNotFound, .typeMismatch, .valueNotFound, .dataCorrupted: true
        default: false
        }
    }
}

extension DocumentPath {
    /// Returns the old form of another path, if this path was `old` before and only their common beginning was renamed.
    fileprivate func renamed(_ other: DocumentPath, to old: DocumentPath) -> DocumentPath? {
        let common = zip(components.reversed(), old.components.reversed()).prefix { $0 == $1 }.count
        let beginning = DocumentPath(Array(components.dropLast(common)))
        guard common > 0, other.hasPrefix(beginning) else { return nil }
        return DocumentPath(Array(old.components.dropLast(common))).appending(other.inside(beginning))
    }

    /// Returns whether the path leads through an earlier element of an array than the other path.
    fileprivate func isElement(before other: DocumentPath) -> Bool {
        let parting = zip(components, other.components).first { $0 != $1 }
        guard case (.index(let own), .index(let other))? = parting else { return false }
        return own < other
    }

    fileprivate func isRelated(to other: DocumentPath) -> Bool { hasPrefix(other) || other.hasPrefix(self) }
}

extension DocumentEdit {
    /// The path of the value after the change.
    package var place: DocumentPath {
        if case .rename(let path, let name) = self { (path.parent ?? .root).appending(key: name) } else { path }
    }

    /// The value that the change puts into the document.
    var value: Document? {
        switch self {
        case .set(_, let value), .add(_, let value): value
        case .rename, .remove: nil
        }
    }
}
