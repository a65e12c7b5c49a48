import DocumentModel
import Foundation

/// The search for the values that the results of a step depend on, and for those that the step lost or narrowed.
///
/// The search changes many values at once in the document before the step, and compares the results. If the result
/// stays the same for a group of changes, that answers the question for all its values. If the step refuses the group,
/// or the result differs, the group is halved. So the number of runs grows with the number of findings, not with the
/// size of the document.
///
/// 1. The unchanged document runs twice. Anything that differs between runs is ignored.
/// 2. Values that the result has at the same path, or elsewhere, are presumed to be carried over: all of them are
///    changed at once, and each new value has to arrive.
/// 3. All others are changed at once, to one value after another. Those that never affect the result are lost.
/// 4. For those that do, simpler values are tried. If the result stays the same, it keeps less of the value.
/// 5. To find origins, groups are halved down to single fields. Then half of the records are changed at a time,
///    selected by the bits of their indices, so that each value of the result shows which one it depends on.
///
/// If the step accepted no replacement for a value, or no runs were left to try one, the value is listed in
/// ``StepFinding/left``: nothing is known about it.
///
/// The use of groups comes from Dorfman, "The detection of defective members of large populations" (1943), and halving
/// them from Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input" (2002).
package struct StepSearch {
    /// The outcome of a run of the step.
    package enum Outcome: Sendable {
        /// The step made this document.
        case made(Document)
        /// The step made no document.
        case refused(StepFinding.Left.Reason)
    }

    /// Runs the step on another document.
    private let run: (Document) throws -> Outcome
    let before: Document
    let after: Document
    let difference: DocumentDifference
    /// The paths of values without a counterpart in the difference.
    let removed: Set<DocumentPath>
    let leaves: DocumentLeaves
    let versions: [DocumentPath]
    /// The paths of the version that the step may have read.
    let readVersions: [DocumentPath]
    /// The known fields of the version before the step.
    let outline: VersionOutline?
    /// The paths in the document before the step that nothing reads, folded.
    let dropped: [DocumentPath]
    let findsOrigins: Bool
    var budget: ExperimentBudget
    /// Why nothing is known, if there is no finding.
    package private(set) var notExamined = StepFinding.Left.Reason.differs
    /// The number of runs so far.
    package private(set) var runs = 0
    /// The differences between identical runs.
    var differing = ResultChanges()
    /// The knowledge about each leaf.
    var states: [State]
    /// For each value of the result that changes with the document, the leaves that it depends on.
    var origins: [DocumentNode.ID: Set<Int>] = [:]
    var narrowed: [(leaf: Int, how: Narrowing.How)] = []
    /// For each field that was checked, whether an element is skipped if a value of the field fails to decode.
    var skips: [Int: Bool] = [:]
    /// Elements that the result lacks, though it depends on how much is in them, or may depend on it.
    var counted: Set<DocumentPath> = []
    /// The leaves for which it was not determined whether they are narrowed, because no runs were left.
    var unsimplified: Set<Int> = []
    /// Whether no runs were left before the search for origins.
    private(set) var isSpentOnLosses = false
    /// The values of the result that change with something, without knowing which leaf.
    var unexplained: Set<DocumentNode.ID> = []
    /// Whether a change of the arrays of the document was refused.
    var isListUnknown = false
    /// Whether the effect of replacing any null or empty container is not known.
    var isEmptyUnknown = false
    /// Whether the step may depend on the names in an object: other names were refused, and its type is not known to ask
    /// only for its fields.
    var areNamesUnknown = false

    /// The knowledge about a value from experiments.
    struct State {
        /// The counterpart of the value in the result, if it has one.
        var partner: DocumentNode?
        /// Whether any value arrives at its counterpart.
        var isCarried = false
        /// Whether the result differs with another value.
        var matters = false { didSet { if matters { bringsBack = false } } }
        /// Whether other values bring back the element around it, and change nothing else.
        var bringsBack = false
        /// The number of other values that were accepted without a difference in the result.
        var accepted = 0
        /// For a number, the knowledge about smaller and larger ones.
        var (smaller, larger) = (Side(), Side())
        /// Why another value was not accepted.
        var refusal: StepFinding.Left.Reason?
    }

    /// The knowledge about the numbers on one side of a number.
    struct Side {
        /// Whether a number was accepted.
        var isAccepted = false
        /// Whether a distant number was accepted: smaller by at least half the number, or larger by at least the number
        /// itself and at least 500; and, on the side of zero, a number of the other sign.
        var isFarAccepted = false
        /// The nearest number that was refused.
        var refused: Double?

        /// Whether enough numbers, near and distant, were tried on this side.
        var isKnown: Bool { isAccepted && (isFarAccepted || refused != nil) }
    }

    /// Creates a search for a step. Returns nil if there is nothing to examine.
    ///
    /// - Parameters:
    ///   - versions: The paths of the version in the documents before and after the step, which is not examined.
    ///   - dropped: The paths in the document before the step that nothing reads, folded.
    ///   - lenders: Other documents of the version before the step, whose values can be tried.
    ///   - outline: The known fields of that version.
    ///   - findsOrigins: Whether to find the origins of the values that the step made.
    ///   - run: Runs the step on a changed document.
    package init?(
        before: Document?, after: Document?, versions: [DocumentPath], dropped: [DocumentPath] = [],
        lenders: [Document] = [], outline: VersionOutline? = nil, findsOrigins: Bool = true,
        budget: ExperimentBudget = ExperimentBudget(),
        run: @escaping (Document) throws -> Outcome
    ) {
        guard let before, let after, budget.allows(before) else { return nil }
        (self.before, self.after, self.run, self.versions, self.dropped) = (before, after, run, versions, dropped)
        (self.outline, self.findsOrigins, self.budget) = (outline, findsOrigins, budget)
        leaves = DocumentLeaves(
            of: before, except: versions + dropped, lenders: lenders, outline: outline)
        // Unless the type is known not to have the version among its own fields, its values may come from there.
        readVersions = versions.filter { path in outline.map { $0[path] != nil } ?? true }
        difference = DocumentDifference(old: before.root, new: after.root)
        states = leaves.all.map { _ in State() }
        removed = Set(difference.changes.filter { $0.kind == .removed }.map(\.path))
        notePartners()
    }

    /// Runs the experiments.
    ///
    /// - Returns: The findings, or nil if the step is not deterministic, or its results differ entirely.
    /// - Throws: Any error that `run` throws.
    package mutating func finding() throws -> StepFinding? {
        for _ in 0..<2 {
            guard case .made(let document) = try outcome(of: before) else {
                notExamined = .refused
                return nil
            }
            if document.root.isEqual(to: after.root) { continue }
            differing.formUnion(ResultChanges(after, document))
            if differing.areOther { return nil }
        }
        try presume(leaves.all.indices.filter { states[$0].partner != nil })
        try presumeElsewhere(leaves.all.indices.filter { !states[$0].isCarried && states[$0].partner == nil })
        try sortOut()
        try findMerged()
        noteSigns()
        try simplify()
        isSpentOnLosses = budget.isSpent
        if findsOrigins {
            let known = leaves.all.indices.map { states[$0].matters }
            try findOrigins()
            for leaf in origins.values.joined() where !states[leaf].isCarried { states[leaf].matters = true }
            try simplify { !known[$0] }
        }
        return StepFinding(
            origins: findsOrigins ? reportedOrigins : [], lost: reportedLosses, narrowed: reportedNarrowings,
            left: left,
            differing: differing.places(in: after), notMoved: notMoved, runs: runs)
    }

    // MARK: - Runs

    enum Result {
        case same
        /// The result is this document. ``changes(in:)`` returns the differences, which takes much longer than
        /// detecting that there are any.
        case changed(Document)
        case refused(StepFinding.Left.Reason)
    }

    mutating func outcome(of document: Document) throws -> Outcome {
        runs += 1
        let outcome = try run(document)
        budget.spend(document.byteCount, on: outcome.refusal)
        return outcome
    }

    /// Returns what the step makes of a document, or nil if it makes nothing, or the budget is used up.
    mutating func made(of document: Document) throws -> Document? {
        guard !budget.isSpent, case .made(let made) = try outcome(of: document) else { return nil }
        return made
    }

    /// Runs the step with leaves replaced, or removed if the replacement is nil.
    mutating func result(of group: some Sequence<Int>, _ value: (Int) -> Document?) throws -> Result {
        if budget.isSpent { return .refused(.budget) }
        let replaced = Dictionary(uniqueKeysWithValues: group.map { (leaves.all[$0].node.id, value($0)) })
        switch try outcome(of: before.replacing(replaced)) {
        case .refused(let reason): return .refused(reason)
        case .made(let document): return isSame(document, as: after) ? .same : .changed(document)
        }
    }

    /// Returns whether two results are equal, apart from the differences between identical runs.
    func isSame(_ result: Document, as other: Document) -> Bool {
        result.root.isEqual(to: other.root)
            || !differing.isEmpty && ResultChanges(other, result, except: differing).isEmpty
    }

    func changes(in result: Document) -> ResultChanges { ResultChanges(after, result, except: differing) }

    /// Changes the leaves of a group together, and halves the group as long as it is refused.
    ///
    /// Groups are sorted by field, so the first halves are whole fields. A refusal usually applies to all values of a
    /// field.
    ///
    /// - Parameters:
    ///   - value: Returns the replacement for a leaf, or nil if there is nothing to try.
    ///   - removes: Whether to remove the leaves instead. `value` then returns nil.
    ///   - isOfOneValue: Whether all leaves of a field are changed to the same value, or to values of the same form.
    ///   - refuse: Called with leaves whose values were not accepted.
    ///   - divides: Called with a group that was accepted, and with the result if it differs. It returns whether to
    ///     halve the group.
    mutating func sift(
        _ group: [Int], _ value: (Int) -> Document?, removes: Bool = false, isOfOneValue: Bool = true,
        refuse: (inout StepSearch, [Int], StepFinding.Left.Reason) -> Void = { _, _, _ in },
        divides: (inout StepSearch, [Int], Document?) throws -> Bool
    ) throws {
        let group = removes ? group : group.filter { value($0) != nil }
        if group.isEmpty { return }
        switch try result(of: group, value) {
        case .same:
            _ = try divides(&self, group, nil)
            return
        case .changed(let result): guard try divides(&self, group, result), group.count > 1 else { return }
        case .refused(let reason):
            guard group.count > 1, reason != .budget else { return refuse(&self, group, reason) }
            if isOfOneValue, isOfOneField(group), case .refused(let reason) = try result(of: [group[0]], value) {
                // A value that is refused in one record of the field is hardly ever accepted in all the others, and
                // each would take a run.
                return refuse(&self, group, reason)
            }
        }
        for half in halves(of: group) {
            try sift(half, value, removes: removes, isOfOneValue: isOfOneValue, refuse: refuse, divides: divides)
        }
    }

    /// Changes the leaves of a group together, and halves the group as long as it is refused.
    ///
    /// - Returns: The groups that were accepted, each with the result if it differs.
    mutating func accepted(
        _ group: [Int], _ value: (Int) -> Document?,
        refuse: (inout StepSearch, [Int], StepFinding.Left.Reason) -> Void = { _, _, _ in }
    ) throws -> [(group: [Int], result: Document?)] {
        var accepted: [(group: [Int], result: Document?)] = []
        try sift(group, value, refuse: refuse) { _, group, result in
            accepted.append((group, result))
            return false
        }
        return accepted
    }

    func isOfOneField(_ group: [Int]) -> Bool {
        group.first.map { leaves.all[$0].field } == group.last.map { leaves.all[$0].field }
    }

    /// Returns the leaves of a group by field.
    func fields(of group: [Int]) -> [[Int]] {
        Dictionary(grouping: group) { leaves.all[$0].field }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns two halves of a group, divided between two fields if it has several.
    private func halves(of group: [Int]) -> [[Int]] {
        var middle = group.count / 2
        if !isOfOneField(group) {
            let borders = group.indices.dropFirst().filter {
                leaves.all[group[$0]].field != leaves.all[group[$0 - 1]].field
            }
            middle = borders.min { abs($0 - middle) < abs($1 - middle) } ?? middle
        }
        return [Array(group[..<middle]), Array(group[middle...])]
    }
}
