import DocumentModel
import Foundation

/// Conclusions from the runs.
extension CulpritSearch {
    func passingChange(_ index: Int) -> DocumentEdit? {
        candidates[index].passingChange(besides: node(index), isRepair: isRepair)
    }

    func isRepair(_ edit: DocumentEdit) -> Bool {
        repairs.contains(edit.moved(to: original(of: edit.path))) && !isSpelledInVain(edit)
    }

    /// Returns whether a change only spells a text in another way, though other words that are spelled like the original
    /// pass too: the spelling is not what is wrong.
    private func isSpelledInVain(_ edit: DocumentEdit) -> Bool {
        guard case .set(let path, let value) = edit, value.root.kind == .string,
            let old = searched.document.root.descendant(at: path)?.string
        else { return false }
        let spelling = Spelling(of: old)
        let moved = original(of: path)
        guard repairs.isSameRead(edit.moved(to: moved)), !repairs.isNearestChoice(edit.moved(to: moved)) else {
            return false
        }
        return candidates.contains { candidate in
            candidate.path == path
                && candidate.trials.contains { trial in
                    guard trial.passes, case .set(_, let other) = trial.change, let text = other.root.string else {
                        return false
                    }
                    return Spelling(of: text) == spelling && !repairs.isSameRead(trial.change.moved(to: moved))
                        && !repairs.isChoice(text, at: moved)
                }
        }
    }

    /// Returns the value of a candidate in the document in which values are changed, or nil if it is missing there.
    func node(_ index: Int) -> DocumentNode? { searched.document.root.descendant(at: candidates[index].path) }

    /// Returns whether a run dropped something that the unchanged document does not drop, as far as is known. If the
    /// original failure was in decoding, only drops at the changed value count. If the version is changed, all of them
    /// do.
    func drops(_ outcome: ExperimentOutcome, with change: DocumentEdit) -> Bool {
        let place = change.place.foldingIndices
        let isVersion = candidates.contains { $0.isVersion && $0.path == change.path }
        // If it isn't known what another version leaves unread, assume that it drops something.
        // The same version, spelled in another way, is not the reason for what is dropped.
        if isVersion, repairs.isSameRead(change) { return false }
        guard let dropped = outcome.dropped else { return isVersion }
        return dropped.contains { dropped in
            !trace.dropped.contains(dropped)
                && (isVersion || failure.step != nil || place.hasPrefix(dropped)
                    || dropped.foldingIndices.hasPrefix(place))
        }
    }

    // MARK: - A run

    /// Returns whether the unchanged document failed as it did the first time.
    func isSame(_ result: MigrationFailure?) -> Bool {
        guard let result else { return false }
        return result.kind == failure.kind && result.step == failure.step && result.path == failure.path
    }

    /// Returns whether a document with fewer elements fails at the same point, with any message.
    func isStillFailing(_ result: MigrationFailure?) -> Bool {
        let point = FailurePoint(failure: failure, trace: trace, document: document)
        guard let result, let (before, now) = point.steps(result), before == now else { return false }
        return result.kind == failure.kind && result.path?.foldingIndices == failure.path?.foldingIndices
    }

    /// Returns the effect of a change on the document, or on its sample.
    func effect(_ outcome: ExperimentOutcome, of change: DocumentEdit) -> CulpritCandidate.Effect {
        effect(outcome, of: change, in: searched)
    }

    /// Returns the effect of a change on the document without the elements that were cut.
    func effectInWhole(_ outcome: ExperimentOutcome, of change: DocumentEdit) -> CulpritCandidate.Effect {
        effect(outcome, of: change, in: whole)
    }

    func effect(
        _ outcome: ExperimentOutcome, of change: DocumentEdit,
        in unchanged: (document: Document, failure: MigrationFailure)
    ) -> CulpritCandidate.Effect {
        let (document, failure) = unchanged
        guard outcome.isMade else { return .unknown }
        // A document that is read as another version has not got past the failure.
        let isOfVersion =
            sources.isOfVersion
            || failure.kind == .unsupportedVersion && !(failure.isOfShape && trace.detection.version != nil)
        // A change of version either repairs the document or shows nothing.
        if !isOfVersion, let version = candidates.first(where: { $0.isVersion && $0.path == change.path }) {
            let isPast = outcome.failures.allSatisfy { failure in
                // Only a failure of another part says that this one opens.
                version.container.map { failure.isOutside($0) } ?? false
            }
            return isPast ? .passes : .unknown
        }
        // Each key of preferences has its own stored form, independent of the other keys.
        if !isOfVersion, part == nil, let known = trace.detection.version,
            outcome.version.map({ $0 != known }) ?? outcome.failures.contains(where: \.isOfShape)
        {
            return .unknown
        }
        let result = outcome.failure(ofPart: part)
        let point = FailurePoint(failure: failure, trace: trace, document: document)
        let progress = point.progress(of: result, with: change)
        // If the code ignores values of another kind, one that fails to decode later has not got past the failure.
        if progress == .past, result?.kind == .typeMismatch, failure.kind != .typeMismatch, result?.path == change.path,
            let old = document.root.descendant(at: change.path), !old.isNull, let value = change.value?.root,
            old.kind != value.kind
        {
            return .unknown
        }
        guard progress == .there, let result else { return progress == .past ? .passes : .unknown }
        if result.kind == failure.kind, result.path == failure.path {
            // The same value in another form fails in the same way, which shows nothing.
            if result.hasSameWords(as: failure) { return repairs.isSameRead(change) ? .unknown : .fails }
        } else if failure.step == nil {
            // A value that no longer decodes as its type shows nothing about the check that failed.
            return .unknown
        } else if result.kind == failure.kind, failure.reason.isOfDecoder, let path = result.path?.foldingIndices,
            path == change.place.foldingIndices, path != failure.path?.foldingIndices
        {
            // Nor does a value of another kind that the decoder itself rejects.
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

    /// The candidates that remain: the culprit, or several if each of them could be the culprit.
    var best: [Int] {
        var passing = candidates.indices.filter { candidates[$0].passes }
        if sources.isOfVersion {
            // With another version the document is read as what it is not. That shows nothing, unless it fits whole.
            passing.removeAll { candidates[$0].isVersion && candidates[$0].repair(isRepair) == nil }
        } else {
            let version = passing.first { candidates[$0].isVersion && candidates[$0].repair(isRepair) != nil }
            passing.removeAll { candidates[$0].isVersion }
            let isMendedElsewhere = passing.contains { index in
                let candidate = candidates[index]
                return candidate.opens && (candidate.repair(isRepair) != nil || candidate.isNamed && node(index) != nil)
            }
            if let version, !isMendedElsewhere { return [version] }
        }
        // Of a container and a value inside it, the inner value is the culprit. Until that has been tried, nothing is
        // known. A renamed key doesn't count as a container.
        var smallest = passing.filter { index in
            candidates[index].isRenamed
                || !candidates.indices.contains { other in
                    candidates[other].path != candidates[index].path
                        && candidates[other].path.hasPrefix(candidates[index].path)
                        && (candidates[other].passes || !candidates[other].isTried)
                }
        }
        // A decoder names the value that is at fault. A list around it that passes without it shows nothing else.
        if let named = searched.failure.path, failure.reason.isOfDecoder,
            searched.document.root.descendant(at: named) != nil
        {
            smallest.removeAll { index in
                let path = candidates[index].path
                return candidates[index].isArray && path != named && named.hasPrefix(path)
            }
        }
        // If no shape fits, the document may be meant to have another shape than that of the error.
        if failure.isOfShape, smallest.contains(where: { candidates[$0].opens }) {
            smallest.removeAll { !candidates[$0].opens }
            // Prefer the shape that reads the most of the document.
            let fewest = smallest.compactMap { candidates[$0].fewestDropped }.min()
            smallest.removeAll { index in
                guard let dropped = candidates[index].fewestDropped, let fewest else { return false }
                return dropped > fewest
            }
        }
        let ranks = smallest.map { candidates[$0].rank(countsWords: !wordsVary) }
        let first = ranks.min()
        // A shortened array passes without the element at fault, so a value that the message follows comes first.
        if first == nil || smallest.allSatisfy({ candidates[$0].isArray }), let followed { return [followed] }
        // An error that names or quotes a value proves nothing, but it is where people look first.
        var best = zip(smallest, ranks).filter { $0.1 == first }.map(\.0)
        if !passingWhole.isEmpty { best.removeAll { !passingWhole.contains($0) } }
        // If exactly one repair opens the document, and nothing else does, the document has only this mistake.
        let mends = best.filter { candidates[$0].opens && candidates[$0].repair(isRepair) != nil }
        if mends.count == 1, best.allSatisfy({ mends.contains($0) || !candidates[$0].opens }) { return mends }
        let named = best.filter { candidates[$0].isNamed }
        let rest = best.filter { !candidates[$0].isNamed }
        let others = rest.filter { !candidates[$0].isRepeated }
        return named + rest.filter { candidates[$0].isRepeated } + others.filter { candidates[$0].laterCheck == nil }
            + others.filter { candidates[$0].laterCheck != nil }
    }

    /// The only value that the message follows.
    private var followed: Int? {
        // Nothing is known about values that were not tried.
        guard !wordsVary,
            candidates.indices.allSatisfy({ index in
                candidates[index].isTriedOnce || candidates[index].isVersion || candidates[index].isMisspelling
                    || node(index) == nil
            })
        else { return nil }
        let followed = candidates.indices.filter { candidates[$0].isFollowed && !candidates[$0].isArray }
        return followed.count == 1 ? followed[0] : nil
    }

    /// The conclusion, or nil if nothing is proved.
    var reported: MigrationFailure.Culprit? {
        guard let first = best.first else { return nil }
        let candidate = candidates[first]
        // If elements fail only together, none of them is at fault by itself.
        let arrays = isCut ? located.compactMap(\.parent) : []
        let isShared = candidates.contains { candidate in
            let path = original(of: candidate.path)
            return candidate.passes && !candidate.isArray && arrays.contains { path.hasPrefix($0) }
                && !located.contains { path.hasPrefix($0) }
        }
        if isShared || isUnmoved || wordsOfOthers.count > 1 { return nil }
        let paths = best.map { original(of: candidates[$0].path) }
        // Names that occur more than once have one path.
        let others = paths.dropFirst().filter { $0 != paths[0] }
        let failing = candidate.values(passing: false, isOfWhole: sampled == nil)
        guard let change = passingChange(first).map(inWhole) else {
            return .init(path: paths[0], certain: true, proof: CulpritProof(.follows, failing: failing))
        }
        // If there are several repairs, it isn't known which one is right.
        let isRepair = others.isEmpty && candidate.repair(isRepair) != nil
        var proof = CulpritProof(
            isRepair ? .repair(change) : .passes(change), confirmed[first] ?? nil,
            passing: candidate.values(passing: true, isOfWhole: sampled == nil), failing: failing)
        proof.isOfVersion = candidate.isVersion
        if best.count == 2 {
            let isEqual = agreements.isSuperset(of: [.first, .second])
            proof.agreement = agreements.contains(.exchanged) ? .exchanged : isEqual ? .equal : nil
        }
        // If the document opens as another version, a value with which it only gets further need not be at fault.
        let opensAsOther = !candidate.opens && candidates.contains { $0.isVersion && $0.opens }
        let isCertain = others.isEmpty && !candidate.isOnlyRemoved && !opensAsOther && !mayOnlyChoose(first)
        return .init(path: paths[0], certain: isCertain, others: others, proof: proof)
    }
}

extension CulpritSearch {
    /// Returns whether a name may only choose what a closure asks for next: the closure knows it, since it refuses other
    /// names with other messages, and what it asks for may be missing under a name that nothing mentions.
    private func mayOnlyChoose(_ index: Int) -> Bool {
        guard !outlines.contains(where: \.knowsTypes), node(index)?.string?.isName == true,
            !failure.reason.isOfDecoder
        else { return false }
        let others = candidates[index].trials.filter { !$0.passes && $0.change.value?.root.string?.isName == true }
            .compactMap(\.effect).filter { $0 != .unknown }
        return !others.isEmpty && !others.contains(where: \.isSameFailure)
    }
}

extension MigrationFailure {
    /// Returns whether the failure is in a value that is neither in a container nor around it, so that the container was
    /// read, or is read later.
    fileprivate func isOutside(_ container: DocumentPath) -> Bool {
        guard let path, !path.isRoot else { return false }
        return !path.hasPrefix(container) && !container.hasPrefix(path)
    }
}

/// How a text is spelled, whatever it says.
private struct Spelling: Equatable {
    private enum Letters { case none, small, capital, mixed }

    private let letters: Letters
    private let separators: Set<Character>
    private let hasSpaceAround: Bool

    init(of text: String) {
        let inner = text.trimmingCharacters(in: .whitespacesAndNewlines)
        hasSpaceAround = inner != text
        separators = Set(inner.filter { " _-".contains($0) })
        let cased = inner.filter(\.isCased)
        letters =
            cased.isEmpty
            ? .none : cased.allSatisfy(\.isLowercase) ? .small : cased.allSatisfy(\.isUppercase) ? .capital : .mixed
    }
}
