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
    }

    /// The path of the value. For a missing key, the path where it would be.
    let path: DocumentPath
    /// The changes to try, in this order.
    private(set) var changes: [DocumentEdit]
    /// Whether the error names the value.
    let isNamed: Bool
    /// Whether there is evidence for the value before anything was tried.
    let isLikely: Bool
    /// Whether the value is an array. With fewer elements, it passes for the wrong reason if one of them is at fault.
    let isArray: Bool
    /// Whether the first change reduces an array to the one element that the failure depends on.
    private let hasElementAlone: Bool
    /// Whether the message of the failure contains the value.
    let isQuoted: Bool
    /// Whether the value is the version of the document. A version is changed only to repair the document.
    let isVersion: Bool
    /// Whether the new name of a key is only a guess. A rename then counts only if removing the key does not pass too.
    let isGuessed: Bool
    /// The effect of each change, or nil for those that were not tried.
    private(set) var effects: [Effect?]
    /// The changes with which nothing fails after the point either.
    private var complete: Set<Int> = []
    /// The changes that add a member to a record, after which another member of that record fails.
    private var unfitting: Set<Int> = []
    /// The changes that cause something to be dropped that is not dropped without them.
    private var lossy: Set<Int> = []
    /// The smallest number of fields dropped with a change that opens the document, or nil if there is no such change.
    private(set) var fewestDropped: Int?
    /// The changes that had the same effect in the whole document as in a sample of it.
    private var verified: Set<Int> = []
    /// The messages with which the migration failed at the point.
    private var messages: Set<String> = []
    /// The changes that led to another message without a path, which may come from another check, with that message.
    private(set) var elsewhere: [(change: Int, message: String)] = []

    init(
        path: DocumentPath, changes: [DocumentEdit], isNamed: Bool = false, isLikely: Bool = true,
        isArray: Bool = false, hasElementAlone: Bool = false, isQuoted: Bool = false, isVersion: Bool = false,
        isGuessed: Bool = false
    ) {
        self.isGuessed = isGuessed
        self.isQuoted = isQuoted
        self.isVersion = isVersion
        self.path = path
        self.changes = changes
        self.isNamed = isNamed
        self.isLikely = isLikely
        self.isArray = isArray
        self.hasElementAlone = hasElementAlone
        effects = Array(repeating: nil, count: changes.count)
    }

    /// The change that makes the migration fail at a later check, and a change of another candidate that makes it fail
    /// at the original point when combined with the first. Nil if another change is known to get past that point.
    private(set) var laterCheck: (change: DocumentEdit, other: DocumentEdit)?

    /// Whether the migration passes with a passing change of this value regardless of the value of another candidate.
    /// If so, this value decides whether the other one is checked.
    var isSwitch = false

    /// Records the effect of a change.
    ///
    /// - Parameters:
    ///   - failure: How the changed document failed, or nil if it did not.
    ///   - drops: Whether the change causes something to be dropped.
    ///   - dropped: The number of fields dropped with the change, if known.
    mutating func note(
        _ effect: Effect, of change: Int, _ failure: MigrationFailure?, drops: Bool = false, dropped: Int? = nil
    ) {
        effects[change] = effect
        if drops { lossy.insert(change) }
        if failure == nil, effect == .passes, let dropped { fewestDropped = min(dropped, fewestDropped ?? dropped) }
        if failure == nil { complete.insert(change) }
        if case .add(let path, _) = changes[change], let record = path.parent, !record.isRoot,
            failure?.path?.hasPrefix(record) == true
        {
            unfitting.insert(change)
        }
        if effect == .follows, let failure { messages.insert(failure.message) }
        if effect == .follows || effect == .echoes, let failure, failure.path == nil {
            elsewhere.append((change, failure.message))
        }
    }

    /// Records that the migration gets past the point with a change, and fails at a later check.
    ///
    /// - Parameter change: A change that fails at the point when combined with `other`, a change of another candidate.
    mutating func noteLaterCheck(of change: Int, besides other: DocumentEdit) {
        effects[change] = .passes
        elsewhere.removeAll { $0.change == change }
        laterCheck = (changes[change], other)
    }

    /// Records the effect of a change that was not planned.
    mutating func note(_ effect: Effect, ofNew change: DocumentEdit, _ failure: MigrationFailure?) {
        changes.append(change)
        effects.append(effect)
        note(effect, of: changes.count - 1, failure)
    }

    /// Records that a change causes something to be dropped, and returns whether that was not known before.
    mutating func noteLoss(with change: DocumentEdit) -> Bool {
        changes.firstIndex(of: change).map { lossy.insert($0).inserted } ?? false
    }

    /// Whether the migration passes with one of the changes, and not only because an element that is at fault was
    /// removed.
    var passes: Bool { effects.contains(.passes) && (!hasElementAlone || effects[0] == .passes) }

    /// Whether one of the changes opens the document without any failure.
    var opens: Bool { complete.contains { effects[$0] == .passes } }

    /// Whether the migration passes in any run, which doesn't have to prove anything.
    var passesInSomeRun: Bool { effects.contains(.passes) || !complete.isEmpty }

    /// Whether the migration passes only if the value is removed.
    var isOnlyRemoved: Bool {
        passes
            && zip(changes, effects).allSatisfy { change, effect in
                if case .remove = change { true } else { effect != .passes }
            }
    }

    /// Whether another value was tried and showed something, rather than failing before the point.
    var isTriedOnce: Bool { effectsOfValues.contains { $0 != nil && $0 != .unknown } }

    /// Whether all changes were tried.
    var isTried: Bool { effects.allSatisfy { $0 != nil } }

    /// Whether the message changes with the value: most values lead to a distinct message, which hardly ever contains
    /// the value. A message that is always the same, or that contains the new value, may belong to another failure,
    /// caused by a replacement that is itself wrong. Adding a missing value never counts.
    var isFollowed: Bool {
        if case .add? = changes.first { return false }
        let effects = effectsOfValues.compactMap(\.self).filter { $0 != .unknown && $0 != .passes }
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

    /// The effects of replacement values. Removals don't count, because another failure without the value proves
    /// nothing.
    private var effectsOfValues: [Effect?] {
        zip(changes, effects).compactMap { change, effect in
            if case .remove = change { return .none }
            return .some(effect)
        }
    }

    /// The changes for which to report whether the migration passes.
    var reportedChanges: [Int] {
        effects.indices.filter { isFailing($0) || effects[$0] == .passes }
    }

    /// The changes with which the migration fails at the original point.
    var failingChanges: [DocumentEdit] { effects.indices.filter(isFailing).map { changes[$0] } }

    /// Returns whether the migration fails at the original point with a change. If another change passes, a failure
    /// with another message may have come after that point.
    private func isFailing(_ change: Int) -> Bool {
        guard let effect = effects[change], Set.failing.contains(effect) else { return false }
        return !passes || effect.isSameFailure
    }

    /// Records the effect of a change in the whole document after it was tried in a sample.
    mutating func verify(_ change: Int, _ effect: Effect) {
        let isPassing = effects[change] == .passes
        if isPassing ? effect == .passes : Set.failing.contains(effect) { verified.insert(change) }
    }

    /// Returns the values, set or added, with which the migration passes, or those with which it fails at the original
    /// point.
    ///
    /// - Parameter isOfWhole: Pass false if the values were tried in a sample, to get only those that had the same
    ///   effect in the whole document.
    func values(passing: Bool, isOfWhole: Bool = true) -> [Document] {
        effects.indices.compactMap { index in
            let isWanted = passing ? effects[index] == .passes : isFailing(index)
            return isWanted && (isOfWhole || verified.contains(index)) ? changes[index].value : nil
        }
    }

    /// Returns the change that keeps the meaning of the document, and with which nothing fails and nothing more is
    /// dropped. If no change opens the document, returns one that gets past the failure. A version counts only if no
    /// other version works.
    func repair(_ isRepair: (DocumentEdit) -> Bool) -> DocumentEdit? {
        let whole = effects.indices.filter {
            effects[$0] == .passes && !lossy.contains($0) && !unfitting.contains($0)
        }
        let repairs = whole.filter { isRepair(changes[$0]) }
        if let repair = repairs.first(where: complete.contains) { return changes[repair] }
        if isVersion, let first = whole.first(where: complete.contains) {
            // The number and its text are the same version.
            let names = whole.filter(complete.contains).map { changes[$0].name }
            return Set(names).count == 1 ? changes[first] : nil
        }
        // A change that leads to another failure is not a repair if the document opens with another value.
        return opens ? nil : repairs.first.map { changes[$0] }
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
        let all = effects.indices.filter { effects[$0] == .passes }
        let best = all.filter(complete.contains)
        let passing = (best.isEmpty ? all : best).map { changes[$0] }
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

    /// The whole numbers that were tried, and whether the migration passes with them.
    var triedNumbers: [Int: Bool] {
        var tried: [Int: Bool] = [:]
        for (change, effect) in zip(changes, effects) {
            if let number = change.wholeNumber, let effect, effect != .unknown { tried[number] = effect == .passes }
        }
        return tried
    }
}

extension DocumentEdit {
    /// The string that is set.
    fileprivate var text: String? { if case .set(_, let value) = self { value.root.string } else { nil } }

    /// The string or the number that is set or added.
    fileprivate var name: String? {
        value.flatMap { $0.root.string ?? $0.root.numberText }
    }

    /// The whole number that is set.
    fileprivate var wholeNumber: Int? { if case .set(_, let value) = self { value.root.wholeNumber } else { nil } }
}
