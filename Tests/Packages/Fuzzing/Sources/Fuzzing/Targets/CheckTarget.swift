import DocumentModel
import MigrationCore

let checkTarget = FuzzTarget(
    name: "check", summary: "changed documents of the demo-data, checked and traced; reached: a step ran",
    usualCount: 5_000
) { try Checks(examples: Examples()) }

private struct Checks: FuzzSubject {
    let examples: Examples

    func input(_ random: inout SplitMix64) -> [UInt8] { examples.mutated(&random) }

    func run(_ input: [UInt8]) throws -> Depth {
        let result = try examples.result(of: input)
        let trace = try examples.trace(of: input)
        try Broken.unless(
            CheckResult(trace, versionKey: nil) == result,
            "check says \(result.outcome) (\(result.failure?.message ?? "")), trace \(trace.outcome) "
                + "(\(trace.failure?.message ?? ""))")
        _ = try? trace.resultData()
        for step in trace.steps { _ = step.difference?.changes.count }
        if result.failure?.kind == .malformed || result.failure?.kind == .unreadable { return .refused }
        return trace.steps.isEmpty && trace.parts.allSatisfy(\.steps.isEmpty) ? .parsed : .reached
    }
}
