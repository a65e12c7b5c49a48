import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Reads check reports: one JSON value, or JSON Lines with a result per line and a summary at the end. A file may
/// contain several reports, one after the other.
struct ReportReader {
    /// A piece of a report.
    enum Piece {
        /// The result for one document, and the JSON Lines value that it was read from, if any.
        case result(CheckResult, line: Document?)
        /// A report without its results, which have been delivered before it as far as they were written.
        case end(CheckReport, Completeness)
    }

    /// Which of its results a report contains.
    enum Completeness: Comparable {
        /// Some failures are missing.
        case incomplete
        /// Some results are missing, but no failures.
        case failures
        case whole

        /// - Throws: ``ReportProblem`` if there are more results than the report counts.
        fileprivate init(_ counts: CheckReport.Counts, results: [MigrationOutcome: Int]) throws {
            self = .whole
            for outcome in MigrationOutcome.counted {
                let (counted, found) = (counts[outcome], results[outcome, default: 0])
                if found > counted { throw ReportProblem.contradictory(outcome, counted: counted, found: found) }
                if found < counted { self = min(self, outcome.isProblem ? .incomplete : .failures) }
            }
        }
    }

    /// The file, or `-` for standard input.
    let path: FilePath

    /// Delivers the pieces in order.
    ///
    /// - Throws: ``SourceError``; ``ReportError`` if something isn't a report, or isn't complete; the errors of
    ///   `deliver`.
    func read(_ deliver: (Piece) throws -> Void) throws {
        var failure: (any Error)?
        var results: [MigrationOutcome: Int] = [:]
        var isEmpty = true
        var before: Document?
        try ValueStream(path).values { bytes, line in
            isEmpty = false
            do {
                func count(_ result: CheckResult, line: Document?) throws {
                    if result.outcome != .deleted { results[result.outcome, default: 0] += 1 }
                    try deliver(.result(result, line: line))
                }
                switch try Self.value(bytes, after: before) {
                case .result(let result, let line):
                    before = line
                    try count(result, line: line)
                case .summary(let report) where results.values.reduce(0, +) > report.counts.documents:
                    throw ReportProblem.noSummary
                case .report where !results.isEmpty: throw ReportProblem.noSummary
                case .summary(let report), .report(let report):
                    for result in report.results { try count(result, line: nil) }
                    try deliver(.end(report.withoutResults, Completeness(report.counts, results: results)))
                    results = [:]
                    before = nil
                }
                return true
            } catch let error as ReportProblem {
                failure = ReportError(path: path, line: line, problem: error)
            } catch {
                failure = error
            }
            return false
        }
        if let failure { throw failure }
        if isEmpty { throw ReportError(path: path, line: nil, problem: .empty) }
        if !results.isEmpty { throw ReportError(path: path, line: nil, problem: .noSummary) }
    }

    /// A JSON value of a report.
    private enum Value {
        case result(CheckResult, Document)
        /// A report whose results precede it.
        case summary(CheckReport)
        /// A report with its results.
        case report(CheckReport)
    }

    /// - Parameter before: The result on the line before, with all its members.
    private static func value(_ bytes: SourceBytes, after before: Document?) throws -> Value {
        var document: Document
        do { document = try Document(parsing: bytes) } catch { throw ReportProblem.malformed("\(error)") }
        do {
            if document.root["summary"] != nil {
                let summary = try DocumentDecoder().decode(CheckReport.Summary.self, from: document.root)
                return .summary(summary.report)
            }
            if document.root["causes"] != nil {
                let report = try DocumentDecoder().decode(CheckReport.self, from: document.root)
                return .report(report.with(results: report.results.map(\.readBack)))
            }
            if document.root["source"] != nil, document.root["outcome"] != nil {
                guard let whole = try ResultLines.whole(document, after: before) else {
                    throw ReportProblem.malformed("the line before lacks what this one leaves out")
                }
                document = whole
                return .result(
                    try DocumentDecoder().decode(CheckResult.self, from: document.root).readBack, document)
            }
        } catch let error as DecodingError {
            throw ReportProblem.malformed(MigrationFailure(parsing: error).message)
        }
        throw ReportProblem.noReport
    }
}

extension CheckResult {
    /// The result with the version that null stood for: a document that migrated, or failed in a step, is unversioned
    /// rather than of an unknown version.
    fileprivate var readBack: CheckResult {
        var result = self
        if version == nil, isPassed || failure?.step != nil { result.version = .unversioned }
        return result
    }
}

/// A problem with a report that is read.
enum ReportProblem: Error {
    case malformed(String)
    /// The value is JSON, but not a report.
    case noReport
    case empty
    /// There are results without a summary after them.
    case noSummary
    /// There are more results with an outcome than the report counts.
    case contradictory(MigrationOutcome, counted: Int, found: Int)
    /// Together with the reports before it, there are more documents than a report can count.
    case tooManyDocuments
    /// There are fewer results than the summary counts, but all of them, or all failures, are needed.
    case withoutResults(areOnlyFailuresWanted: Bool)
}

/// A report that cannot be read.
struct ReportError: Error {
    let path: FilePath
    /// The line of the file; nil if the problem isn't on one line.
    let line: Int?
    let problem: ReportProblem
}

extension ReportError: CustomStringConvertible {
    /// The problem, where it is, and what would have been right.
    var description: String {
        let place = line.map { "\(path):\($0)" } ?? "\(path)"
        switch problem {
        case .malformed(let message): return "\(place): no report: \(message)"
        case .noReport: return "\(place): no report; what check --format json or jsonl writes is one"
        case .empty: return "\(place): empty, where a report was wanted"
        case .noSummary:
            return
                "\(place): results without a summary of their own, so the check that wrote them did not come to its end"
        case .contradictory(let outcome, let counted, let found):
            return
                "\(place): no report: it counts \(counted) documents as \(outcome), and its results say so of \(found)"
        case .tooManyDocuments:
            return
                "\(place): with the reports before it, these are more than \(CheckReport.mostDocuments) documents, "
                + "and no report counts as many"
        case .withoutResults(true):
            return
                "\(place): its summary counts failures of which it does not say where they are; give the whole report"
        case .withoutResults(false):
            return "\(place): its summary counts documents of which it says nothing else; give the whole report"
        }
    }
}
