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
        let changed = before.removing(allOf: paths)
        if changed.identity == before.identity { return false }
        guard try isRepeatable() else {
            unknown = budget.isSpent ? .budget : .differs
            return nil
        }
        if budget.isSpent {
            unknown = .budget
            return nil
        }
        let rest = after.removing(allOf: newPaths ?? paths)
        switch try outcome(of: changed) {
        case .made(let made): if !made.root.isEqual(to: rest.root) { return true }
        case .refused(.refused): return true
        case .refused(let reason):
            unknown = reason
            return nil
        }
        return try readsOtherValues(paths, newPaths ?? paths, rest)
    }

    /// Whether the step makes something else of other values in a field. Without the field it may take a default that is
    /// equal to the value.
    private mutating func readsOtherValues(
        _ paths: [DocumentPath], _ newPaths: [DocumentPath], _ rest: Document
    ) throws -> Bool? {
        let values = before.root.ids(along: paths).flatMap { Array(before.root.nodes[$0].nodes) }
            .filter { !$0.kind.isContainer && $0.kind != .key && !$0.isNull }
        let trials = values.map { ($0.id, TrialValues(for: $0)) }
        for round in 0..<TrialValues.enough {
            let changes = trials.compactMap { id, trial in trial[round].map { (id, Document?.some($0)) } }
            if changes.isEmpty { break }
            if budget.isSpent {
                unknown = .budget
                return nil
            }
            let changed = before.replacing(Dictionary(changes) { first, _ in first })
            switch try outcome(of: changed) {
            case .made(let made): if !made.removing(allOf: newPaths).root.isEqual(to: rest.root) { return true }
            case .refused(.refused): return true
            case .refused: break
            }
        }
        return false
    }

    private mutating func outcome(of document: Document) throws -> StepSearch.Outcome {
        let outcome = try run(document)
        budget.spend(document.byteCount, on: outcome)
        return outcome
    }

    private mutating func isRepeatable() throws -> Bool {
        if let isRepeated { return isRepeated }
        if budget.isSpent { return false }
        var isSame = false
        if case .made(let made) = try outcome(of: before) { isSame = made.root.isEqual(to: after.root) }
        isRepeated = isSame
        return isSame
    }
}

extension Document {
    /// Returns the document without the values at the given paths, which may contain `[*]` for all elements.
    package func removing(allOf paths: [DocumentPath]) -> Document {
        let nodes = root.ids(along: paths)
        return nodes.isEmpty ? self : replacing(Dictionary(uniqueKeysWithValues: nodes.map { ($0, Document?.none) }))
    }
}
