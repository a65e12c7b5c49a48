import DocumentModel

/// What the runs say.
extension CulpritSearch {
    func passingChange(_ index: Int) -> DocumentEdit? {
        candidates[index].passingChange(
            besides: searched.root.descendant(at: candidates[index].path), isRepair: isRepair)
    }

    func isRepair(_ edit: DocumentEdit) -> Bool {
        repairs.contains(sampled.map { edit.moved(to: $0.original(of: edit.path)) } ?? edit)
    }

    /// Whether a run dropped something that the document without the change does not drop, as far as is known: behind a
    /// decoding that failed that is only what the change put there, and everything behind a version that was not known.
    func drops(_ outcome: ExperimentOutcome, with change: DocumentEdit) -> Bool {
        let place = change.place.foldingIndices
        let isVersion = candidates.contains { $0.isVersion && $0.path == change.path }
        // Of a version under which fields are left unread it is not known that they fit it, unless it is the same one.
        guard let dropped = outcome.dropped else { return isVersion && !repairs.isSameRead(change) }
        return dropped.contains { dropped in
            !trace.dropped.contains(dropped)
                && (isVersion || failure.step != nil || place.hasPrefix(dropped)
                    || dropped.foldingIndices.hasPrefix(place))
        }
    }

    // MARK: - A run

    /// Whether the unchanged document failed as it did at first.
    func isSame(_ result: MigrationFailure?) -> Bool {
        guard let result else { return false }
        return result.kind == failure.kind && result.step == failure.step && result.path == failure.path
    }

    /// Whether a document with fewer elements fails at the same point, in whatever words.
    func isStillFailing(_ result: MigrationFailure?) -> Bool {
        let point = FailurePoint(failure: failure, trace: trace, document: document)
        guard let result, let (before, now) = point.steps(result), before == now else { return false }
        return result.kind == failure.kind
            && result.path?.foldingIndices == failure.path?.foldingIndices
    }

    /// What a change does to the document, or to its sample.
    func effect(_ outcome: ExperimentOutcome, of change: DocumentEdit) -> CulpritCandidate.Effect {
        effect(outcome, of: change, besides: sampledFailure ?? unchangedFailure, in: searched)
    }

    /// What a change does to the document without the elements that were taken away.
    func effectInWhole(_ outcome: ExperimentOutcome, of change: DocumentEdit) -> CulpritCandidate.Effect {
        let (document, failure) = cut ?? (document, unchangedFailure)
        return effect(outcome, of: change, besides: failure, in: document)
    }

    func effect(
        _ outcome: ExperimentOutcome, of change: DocumentEdit, besides failure: MigrationFailure,
        in document: Document
    ) -> CulpritCandidate.Effect {
        guard outcome.isMade else { return .unknown }
        // A document that is taken for another version has not got past anything.
        let isOfVersion =
            sources.isOfVersion
            || failure.kind == .unsupportedVersion && !(failure.isOfShape && trace.detection.version != nil)
        // Another version mends the document, or says nothing of it.
        if !isOfVersion, candidates.contains(where: { $0.isVersion && $0.path == change.path }) {
            return outcome.failures.isEmpty ? .passes : .unknown
        }
        // A part of preferences has a form of its own, whatever the others have.
        if !isOfVersion, part == nil, let known = trace.detection.version,
            outcome.version.map({ $0 != known }) ?? outcome.failures.contains(where: \.isOfShape)
        {
            return .unknown
        }
        let result = outcome.failure(ofPart: part)
        let point = FailurePoint(failure: failure, trace: trace, document: document)
        let progress = point.progress(of: result, with: change)
        // Code that takes no notice of values of another kind has got past nothing with one that does not decode then.
        if progress == .past, result?.kind == .typeMismatch, failure.kind != .typeMismatch, result?.path == change.path,
            let old = document.root.descendant(at: change.path), !old.isNull, let value = change.value?.root,
            old.kind != value.kind
        {
            return .unknown
        }
        guard progress == .there, let result else { return progress == .past ? .passes : .unknown }
        if result.kind == failure.kind, result.path == failure.path {
            // The same value, read another way, fails as it did.
            if result.hasSameWords(as: failure) { return repairs.isSameRead(change) ? .unknown : .fails }
        } else if failure.step == nil {
            // A value that no longer decodes as what it was says nothing of the check that failed.
            return .unknown
        } else if result.kind == failure.kind, failure.reason.isOfDecoder, let path = result.path?.foldingIndices,
            path == change.place.foldingIndices, path != failure.path?.foldingIndices
        {
            // Nor does a value of another kind, which the decoder complains of itself.
            return .unknown
        }
        guard let value = change.value else { return .follows }
        if result.kind != failure.kind {
            return result.path == failure.path && result.path != nil ? .follows : .differs
        }
        let words = MessageWords(result.reason.authorsMessage ?? result.message)
        if let original = document.root.descendant(at: change.path),
            MessageWords(failure.reason.authorsMessage ?? failure.message).without(original)
                == words.without(value.root)
        {
            return .quotes
        }
        return words.says(value.root) ? .echoes : .follows
    }

    // MARK: - All runs

    /// The candidates that remain: the culprit, or several where any one of them could be it.
    var best: [Int] {
        var passing = candidates.indices.filter { candidates[$0].passes }
        if !sources.isOfVersion {
            let version = passing.first { candidates[$0].isVersion && candidates[$0].repair(isRepair) != nil }
            passing.removeAll { candidates[$0].isVersion }
            let isMendedElsewhere = passing.contains { index in
                let candidate = candidates[index]
                let isThere = searched.root.descendant(at: candidate.path) != nil
                return candidate.opens && (candidate.repair(isRepair) != nil || candidate.isNamed && isThere)
            }
            if let version, !isMendedElsewhere { return [version] }
        }
        // Of a container and what is inside it, it is what is inside; as long as that is not tried, nothing is known. A name is
        // not inside.
        var smallest = passing.filter { index in
            candidates[index].isRenamed
                || !candidates.indices.contains { other in
                    candidates[other].path != candidates[index].path
                        && candidates[other].path.hasPrefix(candidates[index].path)
                        && (candidates[other].passes || !candidates[other].isTried)
                }
        }
        // Of a document that no shape fits another shape may be meant than the one of the error.
        if failure.isOfShape, smallest.contains(where: { candidates[$0].opens }) {
            smallest.removeAll { !candidates[$0].opens }
            // It is the one that reads most of what is there.
            let fewest = smallest.compactMap { candidates[$0].fewestDropped }.min()
            smallest.removeAll { index in
                guard let dropped = candidates[index].fewestDropped, let fewest else { return false }
                return dropped > fewest
            }
        }
        let ranks = smallest.map { candidates[$0].rank(countsWords: !wordsVary) }
        let first = ranks.min()
        // An array that is cut passes without what is at fault, so a value that the words follow comes first.
        if first == nil || smallest.allSatisfy({ candidates[$0].isArray }), let followed { return [followed] }
        // That an error names a value, or quotes it, proves nothing of it; a person looks there first.
        var best = zip(smallest, ranks).filter { $0.1 == first }.map(\.0)
        if !passingWhole.isEmpty { best.removeAll { !passingWhole.contains($0) } }
        // Where one repair opens the document, and nothing else does, the document has this one mistake.
        let mends = best.filter { candidates[$0].opens && candidates[$0].repair(isRepair) != nil }
        if mends.count == 1, best.allSatisfy({ mends.contains($0) || !candidates[$0].opens }) { return mends }
        let named = best.filter { candidates[$0].isNamed }
        let rest = best.filter { !candidates[$0].isNamed }
        let others = rest.filter { !candidates[$0].isRepeated }
        return named + rest.filter { candidates[$0].isRepeated } + others.filter { candidates[$0].laterCheck == nil }
            + others.filter { candidates[$0].laterCheck != nil }
    }

    /// The one value that the words follow.
    private var followed: Int? {
        // Of values that were not tried nothing is known.
        guard !wordsVary,
            candidates.allSatisfy({ candidate in
                candidate.isTriedOnce || candidate.isVersion || candidate.isMisspelling
                    || searched.root.descendant(at: candidate.path) == nil
            })
        else { return nil }
        let followed = candidates.indices.filter { candidates[$0].isFollowed && !candidates[$0].isArray }
        return followed.count == 1 ? followed[0] : nil
    }

    /// What was found out; nil where nothing is proved.
    var told: MigrationFailure.Culprit? {
        guard let first = best.first else { return nil }
        let candidate = candidates[first]
        // Of elements that fail only together none is at fault by itself.
        let arrays = cut.map { _ in located.compactMap(\.parent) } ?? []
        let isShared = candidates.contains { candidate in
            let path = sampled?.original(of: candidate.path) ?? candidate.path
            return candidate.passes && !candidate.isArray && arrays.contains { path.hasPrefix($0) }
                && !located.contains { path.hasPrefix($0) }
        }
        if isShared || isUnmoved || wordsOfOthers.count > 1 { return nil }
        let paths = best.map { index in sampled?.original(of: candidates[index].path) ?? candidates[index].path }
        let others = Array(paths.dropFirst())
        guard let change = passingChange(first).map(inWhole) else {
            return .init(
                path: paths[0], certain: true,
                proof: CulpritProof(.follows, failing: candidate.values(passing: false, isOfWhole: sampled == nil)))
        }
        // Of several repairs none is known to be the right one.
        let isRepair = others.isEmpty && candidate.repair(isRepair) != nil
        var proof = CulpritProof(
            isRepair ? .repair(change) : .passes(change), confirmed[first] ?? nil,
            passing: candidate.values(passing: true, isOfWhole: sampled == nil),
            failing: candidate.values(passing: false, isOfWhole: sampled == nil))
        proof.isOfVersion = candidate.isVersion
        if best.count == 2 {
            let isEqual = agreements.isSuperset(of: [.first, .second])
            proof.agreement = agreements.contains(.exchanged) ? .exchanged : isEqual ? .equal : nil
        }
        return .init(
            path: paths[0], certain: others.isEmpty && !candidate.isOnlyRemoved, others: others, proof: proof)
    }
}

extension CulpritCandidate.Effect {
    /// Whether the migration fails where it failed, in the same words but for the value that they quote.
    var isSameFailure: Bool { self == .fails || self == .quotes }
}

extension Set<CulpritCandidate.Effect> {
    /// Those with which the migration fails where it failed.
    static var failing: Self { [.fails, .quotes, .follows, .echoes] }
}

extension CulpritCandidate {
    /// Whether the key may only have another name than it should have.
    var isMisspelling: Bool { if case .rename = changes.first { true } else { false } }

    /// Whether the migration passes when the key has that name.
    var isRenamed: Bool { isMisspelling && passes }

    /// Whether the migration passes with a value of another kind than an array.
    private var passesAsOther: Bool {
        zip(changes, effects).contains { change, effect in
            effect == .passes && change.value.map { $0.root.kind != .array } ?? false
        }
    }

    /// The smaller, the likelier: first what was only misspelt, then what the words follow; an array that the error does not
    /// name last, but for a value that only decides whether another one is looked at.
    fileprivate func rank(countsWords: Bool) -> Int {
        if isRenamed { return 0 }
        let follows = countsWords && isFollowed
        return (follows ? 1 : 2) + (isSwitch ? 8 : 0) + (isArray && !follows && !isNamed && !passesAsOther ? 4 : 0)
    }
}
