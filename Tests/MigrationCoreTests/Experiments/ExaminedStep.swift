import DocumentModel
import Testing

@testable import MigrationCore

/// A step of a document, and what experiments in this process show of it.
struct ExaminedStep {
    let step: MigrationStep
    let finding: StepFinding?
    let runs: Int

    /// Examines a step.
    ///
    /// - Parameters:
    ///   - number: Which of the steps, from 0.
    ///   - outcome: What to make of the outcome of each run.
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

    /// Where a value comes from, as texts; nil where nothing is said.
    func origins(of path: String) -> [String]? {
        finding?.origins.first { "\($0.path)" == path }?.from.map { "\($0)" }
    }

    /// The paths of what is lost.
    var lost: [String]? { finding?.lost.map { "\($0)" } }
}
