import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `check --merge`: adds reports up.
struct MergeCommand {
    let reports: [FilePath]
    let format: CheckFormat

    func run() throws -> ExitStatus {
        var sum = CheckReport()
        var tests = JUnitReport()
        /// Results that are not passed on at once.
        var results: [CheckResult] = []
        do {
            for path in reports {
                try ReportReader(path: path).read { piece in
                    switch piece {
                    case .result(let result, let line):
                        if format == .json { results.append(result) } else { try pass(result, line, &tests) }
                    case .summary(let report): sum.add(report)
                    case .report(let report):
                        if format == .json {
                            results += report.results
                        } else {
                            for result in report.results { try pass(result, nil, &tests) }
                        }
                        sum.add(report.withoutResults)
                    }
                }
            }
        } catch let error as SourceError {
            Console.complain("\(error)")
            return .noInput
        } catch let error as ReportError {
            Console.complain("\(error)")
            return .noInput
        }
        switch format {
        case .text: try Console.print(CheckText.summary(of: sum))
        case .github: try Console.print(CheckText.counts(of: sum))
        case .junit: try Console.print(tests.text)
        case .jsonl: try Console.print(JSONText.text(of: CheckReport.Summary(sum), layout: .compact))
        case .json: try Console.print(JSONText.text(of: sum.with(results: results), layout: .pretty))
        }
        if sum.counts.documents == 0 {
            Console.complain(CommandWords.noDocuments)
            return .documentsFailed
        }
        return sum.counts.areAllPassed ? .success : .documentsFailed
    }

    /// Passes a result on, as it was written where it may stay so.
    private func pass(_ result: CheckResult, _ line: SourceBytes?, _ tests: inout JUnitReport) throws {
        switch format {
        case .jsonl:
            if let line {
                let ending = line.count > 0 && line[line.count - 1] == 0x0D ? line.count - 1 : line.count
                try Console.write(line.data(in: 0..<ending) + Data("\n".utf8))
            } else {
                try Console.print(JSONText.text(of: result, layout: .compact))
            }
        case .github:
            for line in WorkflowCommands.lines(for: result, isKnown: false, isStrict: false) { try Console.print(line) }
        case .junit: tests.add(result, excerpt: [], isKnown: false, isStrict: false)
        case .text, .json: break
        }
    }
}
