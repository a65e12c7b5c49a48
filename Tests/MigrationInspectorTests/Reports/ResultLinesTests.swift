import DocumentModel
import MigrationCore
import Testing

@testable import MigrationInspector

@Suite("Lines of results")
struct ResultLinesTests {
    @Test("each result has the same line as without the results before it")
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

    @Test("results of versions that compare as the same, but are spelled differently, are two different lines")
    func spelledVersions() throws {
        var lines = ResultLines()
        let minors = [4, 2].map { minor in
            DocumentVersion.values(
                400, (try? Document(json: #"{"major": 4, "minor": \#(minor)}"#)) ?? Document(text: ""))
        }
        for version in minors + [.written(400, as: "4.4"), .written(400, as: "4.2")] {
            var result = CheckResult(source: "a.json", outcome: .current)
            result.version = version
            let line = try lines.line(for: result)
            #expect(line == (try JSONText.text(of: result, layout: .compact)))
            result.target = version
            #expect(try lines.line(for: result) == JSONText.text(of: result, layout: .compact))
        }
    }

    @Test("results that differ only in how Unicode spells an accent are two different lines")
    func equivalentTexts() throws {
        var lines = ResultLines()
        let changes: [(inout CheckResult, String) -> Void] = [
            { $0.failure = MigrationFailure(.text($1)) }, { $0.version = .name($1) }, { $0.warnings = [.text($1)] },
        ]
        for change in changes {
            for text in ["\u{E9}", "e\u{301}", "\u{E9}"] {
                var result = CheckResult(source: "a.json", outcome: .current)
                change(&result, text)
                #expect(try lines.line(for: result).isExactly(JSONText.text(of: result, layout: .compact)))
            }
        }
        for name in ["\u{E9}", "e\u{301}"] {
            let result = CheckResult(source: name, outcome: .current)
            #expect(try lines.line(for: result).isExactly(JSONText.text(of: result, layout: .compact)))
        }
    }
}
