import DocumentModel

/// The search for what the values that a step made depend on, and for the values that it forgot.
///
/// It runs nothing, like ``CulpritSearch``: each experiment changes one value of the document before the step. The
/// unchanged document runs twice, so that what differs in every run (an identifier that is made, the time) takes no
/// part.
///
/// If the document has long arrays and the step accepts a sample of it, the values are changed in the sample. A value
/// that seems lost there is tried in the whole document too.
package struct StepSearch: Sendable {
    /// What came of a run of the step.
    package enum Outcome: Sendable {
        /// It made this document.
        case made(Document)
        /// It failed, or made what cannot be written.
        case failed
        /// The changed document was not decoded, so the step never saw it.
        case notDecoded
    }

    /// A value of the document before, and what came of its changes.
    private struct Leaf {
        let path: DocumentPath
        /// Where it is in the whole document.
        let original: DocumentPath
        let value: DocumentNode
        /// Other values in its place; the last change removes it.
        let changes: [DocumentEdit]
        /// How many other values the step accepted.
        var accepted = 0
        /// Whether some change made a difference.
        var matters = false
        /// What it changed, the positions of elements folded.
        var changed: Set<DocumentPath> = []
        /// How many changes were tried.
        var tried = 0
        /// The numbers of changes that were accepted and made no difference.
        var indifferent: [Int] = []

        /// The change, of the whole document.
        func wholeChange(_ number: Int) -> DocumentEdit {
            if case .set(_, let value) = changes[number] { .set(original, value) } else { .remove(original) }
        }

        /// Whether nothing depends on the value, as far as can be known: four other values at least were accepted, or
        /// all that there are.
        var isLost: Bool { !matters && tried == changes.count && accepted >= min(4, changes.count - 1) && accepted > 0 }
    }

    private enum Stage {
        case repeating(Int)
        /// The sample runs unchanged.
        case sampling(Int)
        case trying(Int)
        /// A change of a leaf that seems lost, by their numbers, runs with the whole document.
        case confirming(Int)
        case ended
    }

    private let after: Document
    /// What the step makes of the sample; nil as long as that is not known, or where there is none.
    private var afterSample: Document?
    private var sampled: SampledDocument?
    /// The leaves of a sample in which no dictionary is cut, for the case that the step wants all of one.
    private let wholeDictionaries: (sample: SampledDocument, leaves: [Leaf])?
    /// Other leaves, for the case that the step does not take the sample.
    private let wholeLeaves: [Leaf]
    /// The changes that are to be confirmed with the whole document.
    private var confirmations: [(leaf: Int, change: Int)] = []
    private let targets: [Target]
    /// The values that moved, as far as they are equal.
    private let moves: [ValueMove]
    /// What nothing reads of the document before, folded.
    private let dropped: [DocumentPath]
    /// Whether values are read that no change of another one reaches: those of a name that occurs twice, and containers
    /// without anything in them.
    private let hasUntried: Bool
    private var leaves: [Leaf]
    /// What is tried: the number of a leaf, and that of a change.
    private var plan: [(leaf: Int, change: Int)]
    private var stage = Stage.repeating(0)
    private let byteCount: Int
    private var budget: ExperimentBudget
    /// The places that differ in every run, folded.
    private var differing: Set<DocumentPath> = []
    private var isRepeatable = true

    /// A value that the step made new or changed, the positions of elements folded.
    private struct Target {
        let path: DocumentPath
        /// Where it was before, if it only moved.
        var moved: Set<DocumentPath> = []
        /// Where it was before, if it is a container that moved and changed: that it is the same one is likely at first.
        var movedAndChanged: Set<DocumentPath> = []
    }

    /// A search in a step; nil where there is nothing to find out.
    ///
    /// - Parameters:
    ///   - versions: Where the documents before and after have their version, which is no value to look at.
    ///   - dropped: What nothing reads of the document before, folded.
    ///   - lenders: Other documents of the version before.
    package init?(
        _ step: MigrationStep, versions: [DocumentPath], dropped: [DocumentPath] = [], lenders: [Document] = [],
        budget: ExperimentBudget = ExperimentBudget()
    ) {
        guard let before = step.before, budget.allows(before), let after = step.after, let difference = step.difference
        else { return nil }
        self.after = after
        self.budget = budget
        byteCount = before.byteCount
        targets = Self.targets(of: difference, except: versions)
        moves = difference.changes.compactMap { change in
            change.kind == .moved ? change.from.map { ValueMove(from: $0, path: change.path) } : nil
        }
        hasUntried = before.root.nodes.contains { node in
            node.kind.isContainer && node.count == 0 || node.kind == .object && node.repeatsNames
        }
        self.dropped = dropped
        let excluded = Set(versions + dropped)
        wholeLeaves = Self.leaves(of: before, nil, lenders, except: excluded)
        sampled = SampledDocument(before)
        leaves = sampled.map { Self.leaves(of: $0.document, $0, lenders, except: excluded) } ?? wholeLeaves
        let next = sampled?.cutsDictionaries == true ? SampledDocument(before, cutsDictionaries: false) : nil
        wholeDictionaries = next.map { ($0, Self.leaves(of: $0.document, $0, lenders, except: excluded)) }
        guard !leaves.isEmpty else { return nil }
        plan = Self.plan(leaves)
    }

    private static func leaves(
        of document: Document, _ sample: SampledDocument?, _ lenders: [Document], except excluded: Set<DocumentPath>
    ) -> [Leaf] {
        let relatives = Relatives(document: document, lenders: lenders)
        var leaves: [Leaf] = []
        visit(.root, document.root, except: excluded) { path, node in
            var values = TrialValues(relatives: relatives.values(at: path)).values(for: node)
            if node.kind == .null { values += TrialValues.ofEveryKind }
            if values.isEmpty { return }
            leaves.append(
                Leaf(
                    path: path, original: sample?.original(of: path) ?? path, value: node,
                    changes: values.map { .set(path, $0) } + [.remove(path)]))
        }
        return leaves
    }

    /// One change of each leaf, then the next of each: a budget that is spent leaves out none of them.
    private static func plan(_ leaves: [Leaf]) -> [(leaf: Int, change: Int)] {
        let most = leaves.map(\.changes.count).max() ?? 0
        return (0..<most).flatMap { change in
            leaves.indices.filter { change < leaves[$0].changes.count }.map { ($0, change) }
        }
    }

    /// The sample of the document before that experiments are made with; nil where they are made with all of it.
    package var sample: Document? { afterSample == nil && !isSampling ? nil : sampled?.document }

    private var isSampling: Bool { if case .sampling = stage { true } else { false } }

    /// The experiment to make next; nil when the search has come to its end.
    package var next: Experiment? {
        switch stage {
        case .repeating: Experiment(edits: [])
        case .sampling: Experiment(edits: [], isOfSample: true)
        case .trying(let number):
            Experiment(
                edits: [leaves[plan[number].leaf].changes[plan[number].change]], isOfSample: afterSample != nil)
        case .confirming(let number):
            Experiment(edits: [leaves[confirmations[number].leaf].wholeChange(confirmations[number].change)])
        case .ended: nil
        }
    }

    /// Notes what came of the experiment.
    ///
    /// - Parameter lost: How the run ended its process, or ran out of time, if it did.
    package mutating func take(_ outcome: Outcome, lost: MigrationFailure? = nil) {
        budget.spend(next?.isOfSample == true ? sampled?.document.byteCount ?? byteCount : byteCount, on: lost)
        switch stage {
        case .repeating(let number):
            guard case .made(let document) = outcome else {
                (isRepeatable, stage) = (false, .ended)
                return
            }
            differing.formUnion(Self.differences(after.root, document.root, except: []))
            // What differs as a whole can tell nothing.
            if differing.contains(.root) {
                stage = .ended
            } else if number == 0 {
                stage = .repeating(1)
            } else {
                stage = sampled == nil ? trying(from: 0) : .sampling(0)
            }
        case .sampling(let number):
            if case .made(let document) = outcome {
                if let afterSample {
                    differing.formUnion(Self.differences(afterSample.root, document.root, except: []))
                }
                afterSample = document
                stage = number == 0 ? .sampling(1) : trying(from: 0)
            } else if sampled?.cutsDictionaries == true, let next = wholeDictionaries {
                (sampled, leaves, afterSample) = (next.sample, next.leaves, nil)
                plan = Self.plan(leaves)
                stage = .sampling(0)
            } else {
                // The step wants more of the document.
                afterSample = nil
                leaves = wholeLeaves
                plan = Self.plan(leaves)
                stage = trying(from: 0)
            }
        case .trying(let number):
            note(outcome, plan[number])
            stage = trying(from: number + 1)
        case .confirming(let number):
            confirm(outcome, confirmations[number].leaf)
            stage = confirming(from: number + 1)
        case .ended: break
        }
    }

    private mutating func trying(from number: Int) -> Stage {
        if !budget.isSpent, number < plan.count { return .trying(number) }
        guard afterSample != nil else { return .ended }
        confirmations = leaves.indices.filter { leaves[$0].isLost }.flatMap { leaf in
            leaves[leaf].indifferent.prefix(4).map { (leaf, $0) }
        }
        return confirming(from: 0)
    }

    private mutating func confirming(from number: Int) -> Stage {
        if number >= confirmations.count { return .ended }
        if !budget.isSpent { return .confirming(number) }
        // What could not be tried with the whole document is not known.
        for (leaf, _) in confirmations[number...] { leaves[leaf].matters = true }
        return .ended
    }

    private mutating func note(_ outcome: Outcome, _ run: (leaf: Int, change: Int)) {
        var leaf = leaves[run.leaf]
        leaf.tried += 1
        switch outcome {
        case .notDecoded: break
        case .failed: leaf.matters = true
        case .made(let document):
            if run.change < leaf.changes.count - 1 { leaf.accepted += 1 }
            let changed = Self.differences((afterSample ?? after).root, document.root, except: differing)
            if changed.isEmpty { leaf.indifferent.append(run.change) } else { leaf.matters = true }
            leaf.changed.formUnion(changed)
        }
        leaves[run.leaf] = leaf
    }

    private mutating func confirm(_ outcome: Outcome, _ leaf: Int) {
        guard case .made(let document) = outcome else {
            leaves[leaf].matters = true
            return
        }
        if !Self.differences(after.root, document.root, except: differing).isEmpty { leaves[leaf].matters = true }
    }

    // MARK: - What follows

    /// What was found out; nil where the step does not do the same each time.
    package var finding: StepFinding? {
        guard isRepeatable, case .ended = stage, !differing.contains(.root) else { return nil }
        return StepFinding(
            origins: origins, lost: lost, differing: differing.sorted { "\($0)" < "\($1)" },
            notMoved: moves.filter { isRefuted($0) })
    }

    /// Whether a value is known not to have moved: nothing reads it, or other values were accepted in its place and changed
    /// nothing there.
    private func isRefuted(_ move: ValueMove) -> Bool {
        let (from, to) = (move.from.foldingIndices, move.path.foldingIndices)
        // What is said of every element is true of those that nothing reads.
        if dropped.contains(where: { from.hasPrefix($0) && !$0.components.contains(.everyElement) }) { return true }
        if differing.contains(where: { $0.hasPrefix(to) || to.hasPrefix($0) }) { return false }
        let own = leaves.filter { $0.accepted > 0 && $0.original.hasPrefix(move.from) }
        return !own.isEmpty
            && !own.contains { leaf in leaf.changed.contains { $0.hasPrefix(to) || to.hasPrefix($0) } }
    }

    private var origins: [ValueOrigin] {
        let refuted = moves.filter { isRefuted($0) }
        return targets.compactMap { target in
            // What is inside the target, or what it is inside of.
            let concerns = { (path: DocumentPath) in path.hasPrefix(target.path) || target.path.hasPrefix(path) }
            if differing.contains(where: concerns) { return nil }
            let isNotRefuted = { (place: DocumentPath) in
                !refuted.contains { $0.from.foldingIndices == place && $0.path.foldingIndices == target.path }
            }
            let likely = target.movedAndChanged.filter(isNotRefuted)
            let shown = likely.filter { place in
                leaves.contains { $0.path.foldingIndices.hasPrefix(place) && $0.changed.contains(where: concerns) }
            }
            let moved = target.moved.filter(isNotRefuted).union(shown)
            var from = moved
            for leaf in leaves where leaf.changed.contains(where: concerns) { from.insert(leaf.path.foldingIndices) }
            // What is like it may have become it after all.
            if from.isEmpty, !likely.isEmpty { return nil }
            // That nothing has an effect is known only when everything was tried.
            if from.isEmpty, hasUntried || dropped.contains(where: { $0.components.contains(.everyElement) }) {
                return nil
            }
            if from.isEmpty, leaves.contains(where: { $0.tried < $0.changes.count }) { return nil }
            // It may be made of a member of a dictionary that is not in the sample.
            if from.isEmpty, afterSample != nil, sampled?.cutsDictionaries == true { return nil }
            // In the order of the document; what moved may be none of the sample's.
            let found = leaves.map(\.path.foldingIndices).filter(from.contains)
            return ValueOrigin(path: target.path, from: (found + moved.sorted { "\($0)" < "\($1)" }).unique())
        }
    }

    /// Whether the value may be carried on to a place that differs in every run for another reason.
    private func mayBeHidden(_ leaf: Leaf) -> Bool {
        if differing.isEmpty { return false }
        var isFound = false
        func visit(_ path: DocumentPath, _ node: DocumentNode, _ isInside: Bool) {
            let isInside = isInside || differing.contains(path)
            if isInside, !node.kind.isContainer, node.isEqual(to: leaf.value) { isFound = true }
            for child in node.children where !isFound {
                visit(path.appending(child.component).foldingIndices, child.value, isInside)
            }
        }
        visit(.root, (afterSample ?? after).root, false)
        return isFound
    }

    private var lost: [DocumentPath] {
        var paths: [DocumentPath] = []
        for leaf in leaves where leaf.isLost && !mayBeHidden(leaf) {
            let folded = leaf.path.foldingIndices
            // Elsewhere the field may hold others, of which some matter.
            let isWhole = leaves.allSatisfy { !$0.path.foldingIndices.hasPrefix(folded) || $0.isLost }
            paths.append(isWhole ? folded : leaf.original)
        }
        return paths.unique()
    }

    // MARK: - Documents

    /// Visits the scalar values, in sampled elements of arrays.
    private static func visit(
        _ path: DocumentPath, _ node: DocumentNode, except excluded: Set<DocumentPath>,
        _ body: (DocumentPath, DocumentNode) -> Void
    ) {
        if excluded.contains(path.foldingIndices) || excluded.contains(path) { return }
        switch node.kind {
        case .array:
            for (position, element) in node.sample() {
                visit(path.appending(index: position), element, except: excluded, body)
            }
        case .object:
            for member in node.members {
                visit(path.appending(key: member.name), member.value, except: excluded, body)
            }
        default: body(path, node)
        }
    }

    private static func targets(of difference: DocumentDifference, except versions: [DocumentPath]) -> [Target] {
        var targets: [Target] = []
        var positions: [DocumentPath: Int] = [:]
        for change in difference.changes where change.kind != .removed {
            let path = change.path.foldingIndices
            // What was made for the version alone is not worth a word.
            if versions.contains(where: { $0.hasPrefix(change.path) }), change.new?.leafCount ?? 1 <= 1 { continue }
            let position = positions[path] ?? targets.count
            if position == targets.count {
                targets.append(Target(path: path))
                positions[path] = position
            }
            guard change.kind == .moved, let from = change.from, let old = change.old, let new = change.new else {
                continue
            }
            if old.isEqual(to: new) {
                targets[position].moved.insert(from.foldingIndices)
            } else {
                targets[position].movedAndChanged.insert(from.foldingIndices)
            }
        }
        return targets
    }

    /// Where two documents differ, the positions of elements folded: an array of another length as a whole.
    private static func differences(
        _ old: DocumentNode, _ new: DocumentNode, except excluded: Set<DocumentPath>
    ) -> Set<DocumentPath> {
        var found: Set<DocumentPath> = []
        func compare(_ path: DocumentPath, _ old: DocumentNode?, _ new: DocumentNode?) {
            if excluded.contains(path) { return }
            guard let old, let new, old.kind == new.kind else {
                found.insert(path)
                return
            }
            if old.isEqual(to: new) { return }
            switch old.kind {
            case .array where old.count == new.count:
                for (left, right) in zip(old.elements, new.elements) {
                    compare(path.appending(.everyElement), left, right)
                }
            case .object:
                for member in old.members {
                    compare(path.appending(key: member.name), member.value, new[member.name])
                }
                for member in new.members where old[member.name] == nil {
                    compare(path.appending(key: member.name), nil, member.value)
                }
            default: found.insert(path)
            }
        }
        compare(.root, old, new)
        return found
    }
}

extension DocumentNode {
    /// Whether a name of the object occurs twice.
    fileprivate var repeatsNames: Bool {
        var known: Set<ExactText> = []
        return members.contains { !known.insert(ExactText($0.name)).inserted }
    }

    /// How many values there are that hold no others.
    fileprivate var leafCount: Int { kind.isContainer ? children.reduce(0) { $0 + $1.value.leafCount } : 1 }
}

extension Sequence where Element: Hashable {
    /// The elements, each once, in their order.
    fileprivate func unique() -> [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
