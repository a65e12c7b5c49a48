import DocumentSources
import MigrationCore

/// `check --merge`: combines reports.
struct MergeCommand {
    let reports: [FilePath]
    let reporting: CheckReporting

    func run() throws -> ExitStatus {
        do {
            let printer = CheckPrinter(reporting, baseline: try reporting.baseline.map { try Baseline(reading: $0) })
            for path in reports {
                try ReportReader(path: path).read { piece in
                    switch piece {
                    case .result(let result, let line): try printer.add(result, writtenAs: line)
                    case .end(let report, let completeness):
                        if completeness < leastCompleteness {
                            throw ReportProblem.withoutResults(areOnlyFailuresWanted: !reporting.isStrict)
                        }
                        try printer.add(report)
                    }
                }
            }
            let status = try printer.finish()
            if printer.documentCount == 0 { Console.complain(CommandWords.noDocuments) }
            return status
        } catch let error where error is SourceError || error is ReportError {
            Console.complain("\(error)")
            return .noInput
        }
    }

    /// How complete the reports must be.
    private var leastCompleteness: ReportReader.Completeness {
        reporting.isStrict ? .whole : reporting.baseline == nil ? .incomplete : .failures
    }
}
