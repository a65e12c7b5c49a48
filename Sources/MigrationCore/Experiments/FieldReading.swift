import DocumentModel

/// Determines whether a step reads fields that stay in its payload. If it does, its result without the field, or with
/// another value there, differs in more than the field itself.
///
/// The values that a closure takes from a payload are not recorded, so this takes experiments.
package struct FieldReading {
    private let before: Document
    private let after: Document
    private let run: (Document) throws -> StepSearch.Outcome
    private var budget: ExperimentBudget
    /// Why nothing is known about the last field, or nil if something is.
    package private(set) var unknown: StepFinding.Left.Reason?
    /// Whether the step repeats its result for the unchanged document, or nil if that was not checked yet.
    private var isRepeated: Bool?

    /// - Parameter run: Runs the step on a changed document.
    package init(
        before: Document, after: Document, budget: ExperimentBudget = ExperimentBudget(),
        run: @escaping (Document) throws -> StepSearch.Outcome
    ) {
        (self.before, self.after, self.budget, self.run) = (before, after, budget, run)
    }

    /// Returns whether the step reads a field, or nil if that isn't known. ``unknown`` then says why: the result of the
    /// step differs in every run, the step ends its process without the field, or the budget is used up.
    ///
    /// - Parameters:
    ///   - paths: The paths of the field, with `[*]` for all elements of an array.
    ///   - newPaths: The paths of the field in the result of the step, or nil if they are the same.
    /// - Throws: Any error that `run` throws.
    package mutating func reads(_ paths: [DocumentPath], now newPaths: [DocumentPath]? = nil) throws -> Bool? {
        unknown = nil
        let without = before.removing(allOf: paths)
        if without.identity == before.identity { return false }
        if isRepeated == nil, !budget.isSpent {
            let outcome = try outcome(of: before)
            isRepeated = if case .made(let made) = outcome { made.root.isEqual(to: after.root) } else { false }
        }
        guard isRepeated == true else {
            unknown = budget.isSpent ? .budget : .differs
            return nil
        }
        let newPaths = newPaths ?? paths
        let rest = after.removing(allOf: newPaths)
        let values = before.root.ids(along: paths).flatMap { Array(before.root.nodes[$0].nodes) }
            .filter { !$0.kind.isContainer && $0.kind != .key && !$0.isNull }
        let trials = values.map { ($0.id, TrialValues(for: $0)) }
        // Without the field, the step may take a default that is equal to the value, so other values are tried too.
        var changes = [without]
        for round in 0..<TrialValues.enough {
            let others = trials.compactMap { id, trial in trial[round].map { (id, Document?.some($0)) } }
            if !others.isEmpty { changes.append(before.replacing(Dictionary(others) { first, _ in first })) }
        }
        // A closure ignores a value of a kind that it does not expect, and only reads it in another one.
        let fields = before.root.ids(along: paths)
        for kinds in TrialValues.ofOtherKinds {
            let others = fields.map { id in
                (id, kinds.first { $0.root.kind != before.root.nodes[id].kind })
            }
            if !others.isEmpty { changes.append(before.replacing(Dictionary(others) { first, _ in first })) }
        }
        for (number, changed) in changes.enumerated() {
            if budget.isSpent {
                unknown = .budget
                return nil
            }
            switch try outcome(of: changed) {
            case .made(let made):
                let made = number == 0 ? made : made.removing(allOf: newPaths)
                if !made.root.isEqual(to: rest.root) { return true }
            case .refused(.refused): return true
            case .refused(let reason) where number == 0:
                unknown = reason
                return nil
            case .refused: break
            }
        }
        return false
    }

    private mutating func outcome(of document: Document) throws -> StepSearch.Outcome {
        let outcome = try run(document)
        budget.spend(document.byteCount, on: outcome.refusal)
        return outcome
    }
}

extension Document {
    /// Returns the document without the values at the given paths, which may contain `[*]` for all elements.
    package func removing(allOf paths: [DocumentPath]) -> Document {
        let nodes = root.ids(along: paths)
        return nodes.isEmpty ? self : replacing(Dictionary(uniqueKeysWithValues: nodes.map { ($0, Document?.none) }))
    }
}
