import DocumentModel

/// A value of a document that may have caused its failure, with the changes to try on it and their effects.
struct CulpritCandidate: Sendable {
    /// The effect of one change to a value on a migration that failed.
    enum Effect: Sendable {
        /// The migration gets past the point where it failed.
        case passes
        /// It fails there with the same message.
        case fails
        /// It fails there with the same message, except that the message quotes the new value.
        case quotes
        /// It fails there with another message.
        case follows
        /// It fails in the same step with an error of another kind, which may come before or after that point.
        case differs
        /// It fails there with a message that contains the new value.
        case echoes
        /// It fails earlier, or nothing can be concluded.
        case unknown

        /// Whether the migration fails as before, with the same message except for the value that it quotes.
        var isSameFailure: Bool { self == .fails || self == .quotes }

        /// Whether the migration fails at the original point.
        var isFailure: Bool { isSameFailure || self == .follows || self == .echoes }
    }

    /// A change to try, with its effect.
    struct Trial: Sendable {
        let change: DocumentEdit
        /// The effect, or nil if the change was not tried.
        var effect: Effect?
        /// How the changed document failed, or nil if it did not.
        var failure: MigrationFailure?
        /// Whether the change causes something to be dropped that is not dropped without it.
        var isLossy = false
        /// The number of fields dropped with the change, if known.
        var dropped: Int?
        /// Whether the effect in the whole document is the same as in a sample of it.
        var isVerified = false

        var passes: Bool { effect == .passes }

        /// Whether the change opens the document without any failure.
        var opens: Bool { passes && failure == nil }

        /// Whether the change adds a member to a record, after which another member of that record fails.
        var isUnfitting: Bool {
            guard case .add(let path, _) = change, let record = path.parent, !record.isRoot else { return false }
            return failure?.path?.hasPrefix(record) == true
        }

        /// Whether the change led to another message without a path, which may come from another check.
        var isElsewhere: Bool { (effect == .follows || effect == .echoes) && failure?.path == nil }
    }

    /// The path of the value. For a missing key, the path where it would be.
    let path: DocumentPath
    /// The changes to try, in this order.
    var trials: [Trial]
    /// Whether the error names the value.
    var isNamed = false
    /// Whether there is evidence for the value before anything was tried.
    var isLikely = true
    /// Whether the value is an array. With fewer elements, it passes for the wrong reason if one of them is at fault.
    var isArray = false
    /// The elements of an array.
    var elements: [DocumentNode] = []
    /// Whether the number of elements of an array is known to decide with which number another candidate passes.
    var decidesNumber = false
    /// Whether the first change reduces an array to the one element that the failure depends on.
    var hasElementAlone = false
    /// Whether the message of the failure contains the value.
    var isQuoted = false
    /// Whether the value is the version of the document. A version is changed only to repair the document.
    var isVersion = false
    /// The container that states the version, if it isn't that of the document.
    var container: DocumentPath?
    /// Whether the new name of a key is only a guess. A rename then counts only if removing the key does not pass too.
    var isGuessed = false
    /// The change that makes the migration fail at a later check, and a change of another candidate that makes it fail
    /// at the original point when combined with the first. Nil if another change is known to get past that point.
    private(set) var laterCheck: (change: DocumentEdit, other: DocumentEdit)?
    /// Whether the migration passes with a passing change of this value regardless of the value of another candidate.
    /// If so, this value decides whether the other one is checked.
    var isSwitch = false

    init(
        _ path: DocumentPath, _ changes: [DocumentEdit], isNamed: Bool = false, isLikely: Bool = true,
        isVersion: Bool = false, isGuessed: Bool = false
    ) {
        (self.path, self.isNamed, self.isLikely) = (path, isNamed, isLikely)
        (self.isVersion, self.isGuessed) = (isVersion, isGuessed)
        trials = changes.map { Trial(change: $0) }
    }

    /// Adds a change to try.
    mutating func addTrial(of change: DocumentEdit) { trials.append(Trial(change: change)) }

    /// Records that the migration gets past the point with a change, and fails at a later check.
    ///
    /// - Parameter number: The index of a change that fails at the point when combined with `other`, a change of
    ///   another candidate.
    mutating func noteLaterCheck(of number: Int, besides other: DocumentEdit) {
        trials[number].effect = .passes
        laterCheck = (trials[number].change, other)
    }

    /// Records that a change causes something to be dropped, and returns whether that was not known before.
    mutating func noteLoss(with change: DocumentEdit) -> Bool {
        guard let number = trials.firstIndex(where: { $0.change == change }), !trials[number].isLossy else {
            return false
        }
        trials[number].isLossy = true
        return true
    }

    // MARK: - All trials

    /// Whether the migration passes with one of the changes, and not only because an element that is at fault was
    /// removed.
    var passes: Bool { trials.contains(where: \.passes) && (!hasElementAlone || trials[0].passes || isOfLength) }

    /// Whether the migration passes because of the number of elements of an array, and not because one that is at fault
    /// was removed: each element is in an array with which it passes.
    var isOfLength: Bool {
        if decidesNumber { return true }
        let passing = trials.filter { $0.passes && $0.change.value?.root.kind == .array }
            .flatMap { $0.change.value.map { Array($0.root.elements) } ?? [] }
        return !elements.isEmpty && elements.allSatisfy { element in passing.contains(where: element.isEqual) }
    }

    /// Whether one of the changes opens the document without any failure.
    var opens: Bool { trials.contains(where: \.opens) }

    /// The changes with which the migration passes in any run, which doesn't have to prove anything.
    var passingTrials: [Trial] { trials.filter { $0.passes || $0.effect != nil && $0.failure == nil } }

    /// Whether the migration passes only if the value is removed, or an array loses all of its elements.
    var isOnlyRemoved: Bool { passes && trials.allSatisfy { isRemoval($0) || !$0.passes } }

    private func isRemoval(_ trial: Trial) -> Bool {
        switch trial.change {
        case .remove: true
        case .set(_, let value): isArray && value.root.kind.isContainer && value.root.count == 0
        case .add, .rename: false
        }
    }

    /// Whether another value was tried and showed something, rather than failing before the point.
    var isTriedOnce: Bool { effectsOfValues.contains { $0 != .unknown } }

    /// Whether all changes were tried.
    var isTried: Bool { trials.allSatisfy { $0.effect != nil } }

    /// Whether the candidate is a key that may only need another name.
    var isMisspelling: Bool { if case .rename = trials.first?.change { true } else { false } }

    /// Whether the migration passes after the key is renamed.
    var isRenamed: Bool { isMisspelling && passes }

    /// The smallest number of fields dropped with a change that opens the document, or nil if there is no such change.
    var fewestDropped: Int? { trials.filter(\.opens).compactMap(\.dropped).min() }

    /// Whether the message changes with the value: most values lead to a distinct message, which hardly ever contains
    /// the value. A message that is always the same, or that contains the new value, may belong to another failure,
    /// caused by a replacement that is itself wrong. Adding a missing value never counts.
    var isFollowed: Bool {
        if case .add? = trials.first?.change { return false }
        let effects = effectsOfValues.filter { $0 != .unknown && $0 != .passes }
        let messages = Set(trials.filter { $0.effect == .follows }.compactMap(\.failure?.message))
        return effects.allSatisfy { $0 == .follows || $0 == .echoes } && messages.count > 1
            && messages.count * 2 > effects.count
    }

    /// Whether the message quoted the value, and quotes each replacement too. A message that contains only the new
    /// value belongs to another failure, caused by a replacement that is itself wrong.
    var isRepeated: Bool {
        let effects = effectsOfValues
        return isQuoted && !effects.contains(.fails) && (effects.contains(.quotes) || effects.contains(.echoes))
    }

    /// Whether the message contains the value each time the migration fails at the point, because the value itself is
    /// checked.
    var isSaid: Bool { !effectsOfValues.contains(.fails) && effectsOfValues.contains(.quotes) }

    /// The effects of the replacement values that were tried. Removals don't count, because another failure without the
    /// value proves nothing.
    private var effectsOfValues: [Effect] { trials.filter { !isRemoval($0) }.compactMap(\.effect) }

    /// The indices of the changes for which to report whether the migration passes.
    var reportedChanges: [Int] { trials.indices.filter { trials[$0].passes || isFailing(trials[$0]) } }

    /// The changes with which the migration fails at the original point.
    var failingChanges: [DocumentEdit] { trials.filter(isFailing).map(\.change) }

    /// Returns whether the migration fails at the original point with a change. If another change passes, a failure
    /// with another message may have come after that point.
    private func isFailing(_ trial: Trial) -> Bool {
        trial.effect.map { $0.isFailure && (!passes || $0.isSameFailure) } ?? false
    }

    /// Returns the values, set or added, with which the migration passes, or those with which it fails at the original
    /// point.
    ///
    /// - Parameter isOfWhole: Pass false if the values were tried in a sample, to get only those that had the same
    ///   effect in the whole document.
    func values(passing: Bool, isOfWhole: Bool = true) -> [Document] {
        var values: [Document] = []
        for trial in trials where (passing ? trial.passes : isFailing(trial)) && (isOfWhole || trial.isVerified) {
            guard let value = trial.change.value, !values.contains(where: { $0.root.isEqual(to: value.root) }) else {
                continue
            }
            values.append(value)
        }
        return values
    }

    /// The whole numbers that were tried, and whether the migration passes with them.
    var triedNumbers: [Int: Bool] {
        var tried: [Int: Bool] = [:]
        for trial in trials {
            guard let number = trial.change.wholeNumber, let effect = trial.effect, effect != .unknown else { continue }
            tried[number] = effect == .passes
        }
        return tried
    }

    /// Returns the rank of the candidate, lower if it is more likely: first a key that was only misspelled, then a
    /// value that the message follows. An array that the error does not name, and that passes only with fewer elements,
    /// comes later. A value that only decides whether another one is checked comes last.
    func rank(countsWords: Bool) -> Int {
        if isRenamed { return 0 }
        let follows = countsWords && isFollowed
        let passesAsOther = trials.contains { $0.passes && $0.change.value.map { $0.root.kind != .array } ?? false }
        let isShortened = isArray && !follows && !isNamed && !passesAsOther && !isOfLength
        return (follows ? 1 : 2) + (isSwitch ? 8 : 0) + (isShortened ? 4 : 0)
    }

    // MARK: - The best change

    /// Returns the change that keeps the meaning of the document, and with which nothing fails and nothing more is
    /// dropped. If no change opens the document, returns one that gets past the failure. A version counts only if no
    /// other version works.
    func repair(_ isRepair: (DocumentEdit) -> Bool) -> DocumentEdit? {
        let whole = trials.filter { $0.passes && !$0.isLossy && !$0.isUnfitting }
        let repairs = whole.filter { isRepair($0.change) }
        if let repair = repairs.first(where: \.opens) { return repair.change }
        // Another part of the document may fail independently.
        let opening = opens || container == nil ? whole.filter(\.opens) : whole
        if isVersion, let first = opening.first {
            // The number and its text are the same version.
            return Set(opening.map(\.change.name)).count == 1 ? first.change : nil
        }
        // A change that leads to another failure is not a repair if the document opens with another value.
        return opens ? nil : repairs.first?.change
    }

    /// Returns the change with which the migration passes. A repair is preferred, then a change with which nothing
    /// fails later either. Among whole numbers, the result is the one nearest to the original; among strings, one with
    /// a similar spelling; otherwise, the first.
    ///
    /// - Parameters:
    ///   - original: The original value.
    ///   - isRepair: Returns whether a change keeps the meaning of the document.
    func passingChange(besides original: DocumentNode?, isRepair: (DocumentEdit) -> Bool) -> DocumentEdit? {
        if let repair = repair(isRepair) { return repair }
        let passing = trials.filter { $0.passes && (!opens || $0.opens) }.map(\.change)
        if let text = original?.string {
            let name = FieldName(text)
            let alike = passing.map { ($0, $0.text.map { FieldName($0).resemblance(to: name) } ?? 0) }
            if let nearest = alike.max(by: { $0.1 < $1.1 }), nearest.1 >= 0.6 { return nearest.0 }
        }
        guard let original = original?.wholeNumber else { return passing.first }
        return passing.min { left, right in
            guard let left = left.wholeNumber, let right = right.wholeNumber else { return false }
            return left.distance(from: original) < right.distance(from: original)
        }
    }
}

extension DocumentEdit {
    /// The string that is set.
    fileprivate var text: String? { if case .set(_, let value) = self { value.root.string } else { nil } }

    /// The string or the number that is set or added.
    fileprivate var name: String? { value.flatMap { $0.root.string ?? $0.root.numberText } }

    /// The whole number that is set.
    fileprivate var wholeNumber: Int? { if case .set(_, let value) = self { value.root.wholeNumber } else { nil } }
}
