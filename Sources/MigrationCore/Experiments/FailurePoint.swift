import DocumentModel

/// The point where a migration failed, and the question whether a run with a change got past it.
///
/// It is one question for every kind of chain. A run that fails in a later step got past the point, or in the decoding
/// behind the step's closure. Of runs that fail in the same decoding the decoders' complaints are compared: what is read
/// before the changed value is as it was, so a complaint of another value comes later, and so does one behind more values
/// that were read. A document of no known shape is compared by the shape that came nearest, and a part that
/// migrates by itself only with itself.
struct FailurePoint {
    /// How far a changed run came.
    enum Progress {
        /// It got past the point.
        case past
        /// It failed at the point, in the same words or in others.
        case there
        /// It failed before the point, or it is not known where.
        case unknown
    }

    let failure: MigrationFailure
    let trace: MigrationTrace
    /// The document in which values are changed.
    let document: Document

    /// How far a run came with a change that failed in this way, or not at all.
    func progress(of result: MigrationFailure?, with change: DocumentEdit) -> Progress {
        guard let result else { return .past }
        guard let (before, now) = steps(result) else { return .unknown }
        if isPastVersion(result) { return .past }
        if now != before { return now > before ? .past : .unknown }
        if isPastPart(result, change) || isPastValue(result, change) { return .past }
        return isBeforeElement(result) ? .unknown : .there
    }

    /// Whether the version was not known, and now something else fails.
    private func isPastVersion(_ result: MigrationFailure) -> Bool {
        failure.kind == .unsupportedVersion && !failure.isOfShape && result.kind != .unsupportedVersion
            && (result.path == nil || result.path != failure.path)
    }

    /// How far the document came, each time: 0 where its decoding failed, else twice the number of the version that was not
    /// reached, and one more where what a closure had made did not decode.
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

    /// Whether a change inside the part that failed lets it pass: something outside it fails.
    private func isPastPart(_ result: MigrationFailure, _ change: DocumentEdit) -> Bool {
        guard failure.step == nil, let path = failure.path, let new = result.path,
            // Of several shapes each may have other parts.
            trace.detection.version != nil || trace.versions.count == 1
        else { return false }
        let failed = trace.parts.lazy.filter { $0.failure != nil }.compactMap(\.path).first { path.hasPrefix($0) }
        guard let failed, !failed.isRoot else { return false }
        return change.place.hasPrefix(failed) && !new.hasPrefix(failed) && !failed.hasPrefix(new)
    }

    /// Whether the changed value is the one that a decoder complained of, and now it complains of another one.
    private func isPastValue(_ result: MigrationFailure, _ change: DocumentEdit) -> Bool {
        guard let (old, new) = complaints(result), old.isOfDecoder, new.isOfDecoder, let before = old.path,
            let now = new.path, !now.isRelated(to: before), !now.isElement(before: before)
        else { return false }
        // Behind steps another element may be at that place: one that lacks what the document has there.
        if old.kind == .keyNotFound, change.place == before, document.root.descendant(at: before) != nil {
            return false
        }
        // What the steps moved there may be the value that was put in.
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
        // The name under which it was is missing now, and may have been read before.
        if case .rename(let path, _) = change, now.hasPrefix(path) { return false }
        if failure.step == nil { return change.place == before }
        // Behind steps the error names a value of what they made. That it comes later is known only of one that the
        // document has too.
        guard change.place == before || change.place == failure.culprit?.path else { return false }
        return [now, before.renamed(now, to: change.place), result.culprit?.path].contains { place in
            guard let place, !place.isRelated(to: change.place) else { return false }
            let read = new.kind == .keyNotFound ? place.parent : place
            return read.flatMap(document.root.descendant) != nil
        }
    }

    /// Whether a decoder complains of an element before the one that it complained of.
    private func isBeforeElement(_ result: MigrationFailure) -> Bool {
        guard let (old, new) = complaints(result), old.isOfDecoder, new.isOfDecoder, let before = old.path,
            let now = new.path
        else { return false }
        return now.isElement(before: before)
    }

    /// What the same code complains of, each time; nil where it is not the same.
    private func complaints(_ result: MigrationFailure) -> (Reason, Reason)? {
        guard failure.nearestShape == result.nearestShape else { return nil }
        return (failure.complaint, result.complaint)
    }
}

extension MigrationFailure {
    /// What the code says that failed: of a document of no known shape, that of the shape that came nearest.
    var complaint: Reason {
        guard case .noShapeFits(let attempts, let nearest) = reason else { return reason }
        return attempts[nearest: nearest]?.reason ?? reason
    }

    /// Whether no shape fits: of the document, or of a part of it.
    package var isOfShape: Bool { if case .noShapeFits = reason { true } else { false } }

    /// The shape that came nearest, by its number and its type; nil where shapes were not tried.
    fileprivate var nearestShape: [String]? {
        guard case .noShapeFits(let attempts, let nearest) = reason, let shape = attempts[nearest: nearest] else {
            return nil
        }
        return ["\(nearest ?? 0)", shape.type]
    }
}

extension Reason {
    /// Whether a decoder says it of a place in the document.
    var isOfDecoder: Bool {
        switch kind {
        case .keyNotFound, .typeMismatch, .valueNotFound, .dataCorrupted: true
        default: false
        }
    }
}

extension DocumentPath {
    /// What another path was called where this one was `old`, if only the beginning has another name now.
    fileprivate func renamed(_ other: DocumentPath, to old: DocumentPath) -> DocumentPath? {
        let common = zip(components.reversed(), old.components.reversed()).prefix { $0 == $1 }.count
        let beginning = DocumentPath(Array(components.dropLast(common)))
        guard common > 0, other.hasPrefix(beginning) else { return nil }
        return DocumentPath(Array(old.components.dropLast(common))).appending(other.inside(beginning))
    }

    /// Whether the path leads through an earlier element of an array than the other one.
    fileprivate func isElement(before other: DocumentPath) -> Bool {
        let parting = zip(components, other.components).first { $0 != $1 }
        guard case (.index(let own), .index(let other))? = parting else { return false }
        return own < other
    }

    fileprivate func isRelated(to other: DocumentPath) -> Bool { hasPrefix(other) || other.hasPrefix(self) }
}

extension DocumentEdit {
    /// Where the value is that the change puts there, or leaves there.
    package var place: DocumentPath {
        if case .rename(let path, let name) = self { (path.parent ?? .root).appending(key: name) } else { path }
    }

    /// The value that is put into the document.
    var value: Document? {
        switch self {
        case .set(_, let value), .add(_, let value): value
        case .rename, .remove: nil
        }
    }
}
