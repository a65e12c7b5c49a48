import MigrationCore
import Testing

@testable import MigrationInspector

@Suite("Lines of results")
struct ResultLinesTests {
    @Test("are those of each result by itself, also where the one before fared alike")
    func lines() throws {
        var results: [CheckResult] = []
        for name in ["a.json", "b \"c\"\n\\.json", "é\u{202E}", "", "a.json"] {
            for outcome in [MigrationOutcome.migrated, .migrated, .failed] {
                var result = CheckResult(source: name, outcome: outcome)
                result.chain = "Poem"
                result.version = .number(1)
                results.append(result)
                result.failure = MigrationFailure(.timedOut(seconds: 2))
                result.warnings = [.timedOut(seconds: 1)]
                results += [result, result]
            }
        }
        var lines = ResultLines()
        for result in results {
            #expect(try lines.line(for: result) == JSONText.text(of: result, layout: .compact))
        }
    }
}
