import DocumentModel
import Testing

@testable import MigrationCore

/// A step of a document, with the findings of experiments in this process.
struct ExaminedStep {
    let step: MigrationStep
    let finding: StepFinding?
    let runs: Int

    /// Examines a step.
    ///
    /// - Parameters:
    ///   - number: The index of the step, from 0.
    ///   - outcome: Transforms the outcome of each run.
    init(
        _ document: Document, of chain: MigrationChain, number: Int = 0, lenders: [Document] = [],
        budget: ExperimentBudget = ExperimentBudget(),
        outcome: @escaping (StepSearch.Outcome) -> StepSearch.Outcome = { $0 }
    ) throws {
        let trace = chain.trace(document)
        var step = try #require(trace.steps.dropFirst(number).first)
        let versions = Set(trace.detection.attempts.compactMap(\.path) + [trace.detection.path].compactMap(\.self))
        let search = StepSearch(
            before: step.before, after: step.after, versions: Array(versions),
            dropped: number == 0 ? trace.dropped : [],
            lenders: lenders, outline: chain.outline(of: step.from), budget: budget
        ) { [step] changed in
            let run = chain.trace(changed, to: step.to)
            let taken = run.detection.version == step.from ? run.steps.last : nil
            return outcome(taken?.after.map { .made($0) } ?? .refused(.refused))
        }
        var made = try #require(search)
        finding = try made.finding()
        runs = made.runs
        step.finding = finding
        self.step = step
    }

    /// Returns the paths that a value comes from, or nil if nothing is known about it.
    func origins(of path: String) -> [String]? {
        finding?.origins.first { "\($0.path)" == path }?.from.map { "\($0)" }
    }

    /// The paths of the lost values.
    var lost: [String]? { finding?.lost.map { "\($0)" } }
}
