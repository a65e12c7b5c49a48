import DocumentModel
import Foundation

/// The search for what the values that a step made depend on, and for the values that it lost or narrowed.
///
/// The search changes the document before the step, many values at once, and compares what the step makes of it. A group
/// of changes with which the result stays the same answers for all of its values; a group that the step refuses, or
/// with which the result differs, is halved. So the number of runs grows with what is found, not with the document.
///
/// 1. The unchanged document runs twice. What differs from run to run takes no part.
/// 2. Values that the result has at the same place, or elsewhere, are presumed to be carried on: all of them are changed
///    at once, and each has to arrive.
/// 3. All others are changed, at once, to one value after the other. Those with which the result never differs are lost.
/// 4. Of those with which it does, simpler values are tried. Where the result stays the same, it holds less of the value.
/// 5. For origins, groups are halved down to single fields. Then the values of half the records are changed, by the bits
///    of their numbers, so that each value of the result shows which one it depends on.
///
/// A value that the step did not accept any other in place of, or that there were no runs left for, is in
/// ``StepFinding/left``: nothing is known of it.
///
/// Groups: Dorfman, "The detection of defective members of large populations" (1943). Halves: Zeller and Hildebrandt,
/// "Simplifying and isolating failure-inducing input" (2002).
package struct StepSearch {
    /// What came of a run of the step.
    package enum Outcome: Sendable {
        /// It made this document.
        case made(Document)
        /// It made none.
        case refused(StepFinding.Left.Reason)
    }

    /// Runs the step with another document before it.
    private let run: (Document) throws -> Outcome
    let before: Document
    let after: Document
    let difference: DocumentDifference
    /// The values that have no counterpart in the result, as the difference pairs them, with how long their paths are: the
    /// outermost, in order.
    private(set) var removed: [(nodes: DocumentNode.Nodes, depth: Int)] = []
    let leaves: DocumentLeaves
    let versions: [DocumentPath]
    /// What nothing reads of the document before, folded.
    let dropped: [DocumentPath]
    let findsOrigins: Bool
    var budget: ExperimentBudget
    /// Why nothing is known where there is no finding.
    package private(set) var notExamined = StepFinding.Left.Reason.differs
    /// How many runs there were.
    package private(set) var runs = 0
    /// What differs from run to run.
    var differing = ResultChanges()
    /// What is known of each leaf.
    var states: [State]
    /// For each value of the result that another document changes, the leaves that it depends on.
    var origins: [DocumentNode.ID: Set<Int>] = [:]
    var narrowed: [(leaf: Int, how: Narrowing.How)] = []
    /// Of each field that was asked for: whether an element is skipped where a value of it does not decode.
    var skips: [Int: Bool] = [:]
    /// Elements that the result lacks, though it depends on how much is in them.
    var counted: Set<DocumentPath> = []
    /// Leaves of which it was not found out whether they are narrowed, for there were no runs left.
    var unsimplified: Set<Int> = []
    /// Whether there were no runs left before origins were looked for.
    private(set) var isSpentOnLosses = false
    /// The values of the result that change with something, though it is not known with which leaf.
    var unexplained: Set<DocumentNode.ID> = []
    /// Whether some change of the lists of the document was refused.
    var isListUnknown = false
    /// Whether it is not known somewhere what comes of values in place of null or of an empty container.
    var isEmptyUnknown = false

    /// What experiments have shown of a value.
    struct State {
        /// Where the result has the value too, if it does.
        var partner: DocumentNode?
        /// Whether the value arrives at its partner, whatever it is.
        var isCarried = false
        /// Whether the result differs with another value.
        var matters = false
        /// Whether another value brings back the element that it is in, and changes nothing else.
        var bringsBack = false
        /// How many other values were accepted without a difference in the result.
        var accepted = 0
        /// Of a number, what is known of smaller ones and of larger ones.
        var (smaller, larger) = (Side(), Side())
        /// Why another value was not accepted.
        var refusal: StepFinding.Left.Reason?
    }

    /// What experiments have shown of the numbers on one side of a number.
    struct Side {
        /// Whether one was accepted.
        var isAccepted = false
        /// Whether one was accepted that is far from it: smaller by half the number, or larger by as much as it is, and by
        /// hundreds.
        var isFarAccepted = false
        /// The nearest that was refused.
        var refused: Double?

        /// Whether all that is accepted may be alike: near and far numbers were tried.
        var isKnown: Bool { isAccepted && (isFarAccepted || refused != nil) }
    }

    /// A search in a step; nil where there is nothing to find out.
    ///
    /// - Parameters:
    ///   - versions: Where the documents before and after have their version, which is no value to look at.
    ///   - dropped: What nothing reads of the document before, folded.
    ///   - lenders: Other documents of the version before, which lend their values.
    ///   - outline: What is known of the fields of that version.
    ///   - findsOrigins: Whether it is asked where the values that the step made come from.
    ///   - run: Runs the step with a changed document.
    package init?(
        before: Document?, after: Document?, versions: [DocumentPath], dropped: [DocumentPath] = [],
        lenders: [Document] = [], outline: VersionOutline? = nil, findsOrigins: Bool = true,
        budget: ExperimentBudget = ExperimentBudget(),
        run: @escaping (Document) throws -> Outcome
    ) {
        guard let before, let after, budget.allows(before) else { return nil }
        (self.before, self.after, self.run, self.versions, self.dropped) = (before, after, run, versions, dropped)
        (self.findsOrigins, self.budget) = (findsOrigins, budget)
        leaves = DocumentLeaves(
            of: before, except: versions + dropped, lenders: lenders, outline: outline)
        difference = DocumentDifference(old: before.root, new: after.root)
        states = leaves.all.map { _ in State() }
        removed = removedValues
        notePartners()
    }

    /// Makes the experiments.
    ///
    /// - Returns: What they show; nil where the step does not do the same each time, or differs as a whole.
    /// - Throws: What `run` throws.
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
        try simplify()
        isSpentOnLosses = budget.isSpent
        if findsOrigins {
            let known = leaves.all.indices.map { states[$0].matters }
            try findOrigins()
            for leaf in origins.values.joined() where !states[leaf].isCarried { states[leaf].matters = true }
            try simplify { !known[$0] }
        }
        return StepFinding(
            origins: findsOrigins ? toldOrigins : [], lost: toldLosses, narrowed: toldNarrowings, left: left,
            differing: differing.places(in: after), notMoved: notMoved, runs: runs)
    }

    // MARK: - Runs

    enum Result {
        case same
        /// The result is this one; ``changes(in:)`` says where it differs, which takes much longer than to see that it does.
        case changed(Document)
        case refused(StepFinding.Left.Reason)
    }

    mutating func outcome(of document: Document) throws -> Outcome {
        runs += 1
        let outcome = try run(document)
        budget.spend(document.byteCount, on: outcome)
        return outcome
    }

    /// Runs the step with values changed; nil removes one.
    mutating func result(of changes: [(leaf: Int, value: Document?)]) throws -> Result {
        if budget.isSpent { return .refused(.budget) }
        let replaced = Dictionary(uniqueKeysWithValues: changes.map { (leaves.all[$0.leaf].node.id, $0.value) })
        switch try outcome(of: before.replacing(replaced)) {
        case .refused(let reason): return .refused(reason)
        case .made(let document): return isSame(document, as: after) ? .same : .changed(document)
        }
    }

    /// Whether two results are equal, apart from what differs from run to run.
    func isSame(_ result: Document, as other: Document) -> Bool {
        result.root.isEqual(to: other.root)
            || !differing.isEmpty && ResultChanges(other, result, except: differing).isEmpty
    }

    func changes(in result: Document) -> ResultChanges { ResultChanges(after, result, except: differing) }

    /// Changes the leaves of a group together, and halves the group for as long as it is refused.
    ///
    /// Groups are sorted by field, so halves are whole fields first: what is refused is as a rule refused for all values
    /// of a field.
    ///
    /// - Parameters:
    ///   - isOfOneValue: Whether all leaves of a field are changed to the same value, or to one of the same form.
    ///   - value: What to put in place of a leaf; nil where there is nothing to try.
    ///   - note: Given a group that was accepted, with the result if it is another. It returns whether the group has to be
    ///     halved.
    ///   - refuse: Given leaves whose values were not accepted.
    mutating func sift(
        _ group: ArraySlice<Int>, isOfOneValue: Bool = true, _ value: (Int) -> Document??,
        note: (inout StepSearch, ArraySlice<Int>, Document?) throws -> Bool,
        refuse: (inout StepSearch, ArraySlice<Int>, StepFinding.Left.Reason) -> Void
    ) throws {
        let changes = group.compactMap { leaf in value(leaf).map { (leaf: leaf, value: $0) } }
        if changes.isEmpty { return }
        let group = changes.map(\.leaf)[...]
        switch try result(of: changes) {
        case .same: _ = try note(&self, group, nil)
        case .changed(let result):
            guard try note(&self, group, result), group.count > 1 else { return }
            for half in halves(of: group) {
                try sift(half, isOfOneValue: isOfOneValue, value, note: note, refuse: refuse)
            }
        case .refused(let reason):
            guard group.count > 1, reason != .budget else { return refuse(&self, group, reason) }
            if isOfOneValue, isOfOneField(group), case .refused(let reason) = try result(of: [changes[0]]) {
                // What one record of the field is refused is hardly ever accepted for all others, and each would take a run.
                return refuse(&self, group, reason)
            }
            for half in halves(of: group) {
                try sift(half, isOfOneValue: isOfOneValue, value, note: note, refuse: refuse)
            }
        }
    }

    func isOfOneField(_ group: ArraySlice<Int>) -> Bool {
        leaves.all[group[group.startIndex]].field == leaves.all[group[group.endIndex - 1]].field
    }

    /// Two halves of a group, divided between two fields where it has several.
    func halves(of group: ArraySlice<Int>) -> [ArraySlice<Int>] {
        var middle = group.startIndex + group.count / 2
        if !isOfOneField(group) {
            let borders = group.indices.dropFirst().filter {
                leaves.all[group[$0]].field != leaves.all[group[$0 - 1]].field
            }
            middle = borders.min { abs($0 - middle) < abs($1 - middle) } ?? middle
        }
        return [group[..<middle], group[middle...]]
    }
}
