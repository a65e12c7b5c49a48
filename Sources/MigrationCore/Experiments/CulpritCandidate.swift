import DocumentModel

/// A value of a document that may be behind its failure, with the changes to try on it and what came of them.
struct CulpritCandidate: Sendable {
    /// What one change of a value does to a migration that failed.
    enum Effect: Sendable {
        /// The migration gets past the point where it failed.
        case passes
        /// It fails there, in the same words.
        case fails
        /// It fails there, in the same words but for the value itself, which they quote.
        case quotes
        /// It fails there, in other words.
        case follows
        /// It fails in the same step with an error of another kind, which may be before that point or behind it.
        case differs
        /// It fails there, in words that say the new value.
        case echoes
        /// It fails before, or nothing can be said of it.
        case unknown
    }

    /// Where the value is; of a missing key where it would be.
    let path: DocumentPath
    /// What is tried, in this order.
    private(set) var changes: [DocumentEdit]
    /// Whether the error names the value.
    let isNamed: Bool
    /// Whether something speaks for the value before anything was tried.
    let isLikely: Bool
    /// Whether the value is an array: with fewer elements it passes for the wrong reason where one of them is at fault.
    let isArray: Bool
    /// Whether the first change leaves of an array only the element without which it would not fail.
    private let hasElementAlone: Bool
    /// Whether the message of the failure says the value.
    let isQuoted: Bool
    /// Whether the value is the version of the document, which is only changed to mend it.
    let isVersion: Bool
    /// Whether it is not known that the code knows the name that a key is given: then it has to do more than leave it out.
    let isGuessed: Bool
    /// What came of each change; nil for those that were not tried.
    private(set) var effects: [Effect?]
    /// The changes with which nothing fails behind the point either.
    private var complete: Set<Int> = []
    /// The members that were added to a record which then fails in another member of it.
    private var unfitting: Set<Int> = []
    /// The changes with which something is dropped that is not dropped without them.
    private var lossy: Set<Int> = []
    /// How many fields are dropped at least with a change with which nothing fails; nil where there is none.
    private(set) var fewestDropped: Int?
    /// The changes that had the same effect in the whole document as in a sample of it.
    private var verified: Set<Int> = []
    /// The messages with which the migration failed at the point.
    private var messages: Set<String> = []
    /// The changes with which it failed in other words at no place, which may be those of another check, with the words.
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

    /// The change with which it fails at a later check, and the one beside which it fails at the point all the same; nil
    /// where it is known of another change that the migration gets past the point.
    private(set) var laterCheck: (change: DocumentEdit, other: DocumentEdit)?

    /// Whether, with a change with which the migration passes, it does so whatever stands in place of another candidate: then
    /// the value decides whether that one is looked at.
    var isSwitch = false

    /// Notes what came of a change.
    ///
    /// - Parameters:
    ///   - failure: How the changed document failed; nil where it did not.
    ///   - drops: Whether something is dropped that is not dropped without the change.
    ///   - dropped: How many fields are dropped with it, where that is known.
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

    /// Notes that the migration gets past the point with a change, and fails at a later check.
    ///
    /// - Parameter change: Made with `other`, a change of another candidate, it fails at the point.
    mutating func noteLaterCheck(of change: Int, besides other: DocumentEdit) {
        effects[change] = .passes
        elsewhere.removeAll { $0.change == change }
        laterCheck = (changes[change], other)
    }

    /// Notes what came of a change that was not planned.
    mutating func note(_ effect: Effect, ofNew change: DocumentEdit, _ failure: MigrationFailure?) {
        changes.append(change)
        effects.append(effect)
        note(effect, of: changes.count - 1, failure)
    }

    /// Notes that something is dropped with a change that is not dropped without it; returns whether that is news.
    mutating func noteLoss(with change: DocumentEdit) -> Bool {
        changes.firstIndex(of: change).map { lossy.insert($0).inserted } ?? false
    }

    /// Whether the migration passes with one of the changes, and not only because an element is gone that is at fault.
    var passes: Bool { effects.contains(.passes) && (!hasElementAlone || effects[0] == .passes) }

    /// Whether nothing fails with one of the changes.
    var opens: Bool { complete.contains { effects[$0] == .passes } }

    /// Whether the migration passes in one of the runs, which need not prove anything.
    var passesInSomeRun: Bool { effects.contains(.passes) || !complete.isEmpty }

    /// Whether the migration passes only when the value is not there.
    var isOnlyRemoved: Bool {
        passes
            && zip(changes, effects).allSatisfy { change, effect in
                if case .remove = change { true } else { effect != .passes }
            }
    }

    /// Whether another value said something: was tried, and not refused before the point where it fails.
    var isTriedOnce: Bool { effectsOfValues.contains { $0 != nil && $0 != .unknown } }

    /// Whether all changes were tried.
    var isTried: Bool { effects.allSatisfy { $0 != nil } }

    /// Whether the failure's words change with the value whenever it is changed, and hardly ever say it: most values make
    /// words of their own. Words that are always the same, or that say the new value, may be those of another failure, of
    /// a value that is wrong itself. What is not there is followed by nothing.
    var isFollowed: Bool {
        if case .add? = changes.first { return false }
        let effects = effectsOfValues.compactMap(\.self).filter { $0 != .unknown && $0 != .passes }
        return effects.allSatisfy { $0 == .follows || $0 == .echoes } && messages.count > 1
            && messages.count * 2 > effects.count
    }

    /// Whether the words said the value, and say each other one in its place. Words that say only the new one are those of
    /// another failure: that of a value that is wrong itself.
    var isRepeated: Bool {
        let effects = effectsOfValues
        return isQuoted && !effects.contains(.fails) && (effects.contains(.quotes) || effects.contains(.echoes))
    }

    /// Whether the words of the failure say the value whenever it fails at the point: it is looked at itself.
    var isSaid: Bool { !effectsOfValues.contains(.fails) && effectsOfValues.contains(.quotes) }

    /// What came of other values in its place: that something else fails without it does not speak against it.
    private var effectsOfValues: [Effect?] {
        zip(changes, effects).compactMap { change, effect in
            if case .remove = change { return .none }
            return .some(effect)
        }
    }

    /// The changes of which it is told whether the migration passes with them.
    var toldChanges: [Int] {
        effects.indices.filter { isFailing($0) || effects[$0] == .passes }
    }

    /// The changes with which the migration fails where it failed.
    var failingChanges: [DocumentEdit] { effects.indices.filter(isFailing).map { changes[$0] } }

    /// Whether the migration fails where it failed with a change. Where it passes with another one, what fails in other words
    /// may have got past that.
    private func isFailing(_ change: Int) -> Bool {
        guard let effect = effects[change], Set.failing.contains(effect) else { return false }
        return !passes || effect.isSameFailure
    }

    /// Notes what came of a change in the whole document that had been tried in a sample.
    mutating func verify(_ change: Int, _ effect: Effect) {
        let isPassing = effects[change] == .passes
        if isPassing ? effect == .passes : Set.failing.contains(effect) { verified.insert(change) }
    }

    /// The values that were set, or added, with which the migration passes, or with which it fails where it failed.
    ///
    /// - Parameter isOfWhole: False where they were tried in a sample, and only those are wanted with which the whole
    ///   document did the same.
    func values(passing: Bool, isOfWhole: Bool = true) -> [Document] {
        effects.indices.compactMap { index in
            let isWanted = passing ? effects[index] == .passes : isFailing(index)
            return isWanted && (isOfWhole || verified.contains(index)) ? changes[index].value : nil
        }
    }

    /// The change that keeps what the document means, and with which nothing fails and nothing more is dropped; where none
    /// opens the document, one with which it gets past the failure. Of versions it has to be the only one.
    func repair(_ isRepair: (DocumentEdit) -> Bool) -> DocumentEdit? {
        let whole = effects.indices.filter {
            effects[$0] == .passes && !lossy.contains($0) && !unfitting.contains($0)
        }
        let repairs = whole.filter { isRepair(changes[$0]) }
        if let repair = repairs.first(where: complete.contains) { return changes[repair] }
        if isVersion, let first = whole.first(where: complete.contains) {
            // The number and its text are one version.
            let names = whole.filter(complete.contains).map { changes[$0].name }
            return Set(names).count == 1 ? changes[first] : nil
        }
        // What leads to another failure does not mend a document that opens with another value.
        return opens ? nil : repairs.first.map { changes[$0] }
    }

    /// The change with which the migration passes: a repair if there is one; else, if there is one, a change with which
    /// nothing fails later either. Of whole numbers the one nearest to what was there, of texts one that is spelled nearly
    /// alike, else the first.
    ///
    /// - Parameters:
    ///   - original: The value that was there.
    ///   - isRepair: Whether a change keeps what the document means.
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
    /// The text that is set.
    fileprivate var text: String? { if case .set(_, let value) = self { value.root.string } else { nil } }

    /// The text or the number that is set or added.
    fileprivate var name: String? {
        value.flatMap { $0.root.string ?? $0.root.numberText }
    }

    /// The whole number that is set.
    fileprivate var wholeNumber: Int? { if case .set(_, let value) = self { value.root.wholeNumber } else { nil } }
}
