import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Reads check reports: one JSON value, or JSON Lines with a result a line and a summary at the end, as often as there are
/// reports one behind the other.
struct ReportReader {
    /// A piece of a report.
    enum Piece {
        /// What came of one document, with the line that says so.
        case result(CheckResult, line: SourceBytes)
        /// A whole report, with its results.
        case report(CheckReport)
        /// A report whose results came before, if they were written at all.
        case summary(CheckReport)
    }

    /// The file, or `-` for standard input.
    let path: FilePath

    /// Delivers the pieces in their order.
    ///
    /// - Throws: ``SourceError``; ``ReportProblem`` for what is no report, or is not complete; what `deliver` throws.
    func read(_ deliver: (Piece) throws -> Void) throws {
        var failure: (any Error)?
        var resultCount = 0
        var isEmpty = true
        try ValueStream(path).values { bytes, line in
            isEmpty = false
            do {
                let piece = try Self.piece(bytes)
                switch piece {
                case .result: resultCount += 1
                case .report where resultCount > 0: throw ReportProblem.noSummary
                case .summary(let report) where resultCount > report.counts.documents: throw ReportProblem.noSummary
                case .report, .summary: resultCount = 0
                }
                try deliver(piece)
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
        if resultCount > 0 { throw ReportError(path: path, line: nil, problem: .noSummary) }
    }

    private static func piece(_ bytes: SourceBytes) throws -> Piece {
        let document: Document
        do { document = try Document(parsing: bytes) } catch { throw ReportProblem.malformed("\(error)") }
        do {
            if document.root["summary"] != nil {
                let summary = try DocumentDecoder().decode(CheckReport.Summary.self, from: document.root)
                return .summary(summary.report)
            }
            if document.root["causes"] != nil {
                return .report(try DocumentDecoder().decode(CheckReport.self, from: document.root))
            }
            if document.root["source"] != nil, document.root["outcome"] != nil {
                return .result(try DocumentDecoder().decode(CheckResult.self, from: document.root), line: bytes)
            }
        } catch let error as DecodingError {
            throw ReportProblem.malformed(MigrationFailure(parsing: error).message)
        }
        throw ReportProblem.noReport
    }
}

/// What is wrong with a report that is read.
enum ReportProblem: Error {
    case malformed(String)
    /// It is JSON, but no report.
    case noReport
    case empty
    /// Results without the summary behind them.
    case noSummary
    /// A summary of failures, without the results that fail.
    case onlySummary
}

/// A report that cannot be read.
struct ReportError: Error {
    let path: FilePath
    /// The line of the file; nil where none is meant.
    let line: Int?
    let problem: ReportProblem
}

extension ReportError: CustomStringConvertible {
    /// What is wrong, where, and what would have been right.
    var description: String {
        let place = line.map { "\(path):\($0)" } ?? "\(path)"
        switch problem {
        case .malformed(let message): return "\(place): no report: \(message)"
        case .noReport: return "\(place): no report; what check --format json or jsonl writes is one"
        case .empty: return "\(place): empty, where a report was wanted"
        case .noSummary:
            return
                "\(place): results without a summary of their own, so the check that wrote them did not come to its end"
        case .onlySummary:
            return "\(place): has failures in its summary, and none of its documents; give the whole report"
        }
    }
}
