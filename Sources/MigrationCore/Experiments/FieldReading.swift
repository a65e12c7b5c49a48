import DocumentModel

/// Whether a step reads fields that stay in its payload: without one of them, or with other values there, more of the
/// result differs than the field itself.
///
/// What a closure takes out of a payload is not recorded, so this is found out by experiment.
package struct FieldReading {
    private let before: Document
    private let after: Document
    private let run: (Document) throws -> StepSearch.Outcome
    private var budget: ExperimentBudget
    /// Why nothing is known of the field that was asked for last; nil where something is.
    package private(set) var unknown: StepFinding.Left.Reason?
    /// Whether the step makes the same of the unchanged document; nil as long as that was not asked.
    private var isRepeated: Bool?

    /// - Parameter run: Runs the step with a changed document before it.
    package init(
        before: Document, after: Document, budget: ExperimentBudget = ExperimentBudget(),
        run: @escaping (Document) throws -> StepSearch.Outcome
    ) {
        (self.before, self.after, self.budget, self.run) = (before, after, budget, run)
    }

    /// Whether the step reads a field; nil where that is not known, and ``unknown`` says why: the step makes something else
    /// in every run, it ends its process without the field, or the budget is spent.
    ///
    /// - Parameters:
    ///   - paths: Where the field is; `[*]` for all elements of an array.
    ///   - newPaths: Where it is in what the step made; at the same places, if nil.
    /// - Throws: What `run` throws.
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
    /// The document without the values at paths, in which `[*]` stands for all elements.
    package func removing(allOf paths: [DocumentPath]) -> Document {
        let nodes = root.ids(along: paths)
        return nodes.isEmpty ? self : replacing(Dictionary(uniqueKeysWithValues: nodes.map { ($0, Document?.none) }))
    }
}
