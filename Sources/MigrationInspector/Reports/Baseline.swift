import DocumentModel
import DocumentSources
import MigrationCore

/// The failures of an earlier report, beside which those of today are seen.
struct Baseline {
    /// What makes a failure the same as an earlier one.
    private struct Key: Hashable {
        let source: ExactText
        let kind: String?
        let step: MigrationFailure.Step?
        let path: DocumentPath?

        init(_ result: CheckResult) {
            source = ExactText(result.source)
            kind = result.problemKind
            step = result.failure?.step
            path = result.failure?.path
        }
    }

    /// The report.
    let path: FilePath
    private var known: Set<Key> = []
    private var knownSources: Set<ExactText> = []
    /// The documents with failures, in their order.
    private var awaited: [String] = []
    /// Those of them that were met.
    private var met: Set<ExactText> = []
    private var mended: [String] = []
    private var knownCount = 0
    private var newCount = 0

    /// Reads a report.
    ///
    /// - Throws: `SourceError`, ``ReportError``.
    init(reading path: FilePath) throws {
        self.path = path
        try ReportReader(path: path).read { piece in
            switch piece {
            case .result(let result, _): add(result)
            case .end(_, .incomplete): throw ReportProblem.withoutResults(areOnlyFailuresWanted: true)
            case .end: break
            }
        }
    }

    private mutating func add(_ result: CheckResult) {
        guard result.outcome.isProblem else { return }
        known.insert(Key(result))
        if knownSources.insert(ExactText(result.source)).inserted { awaited.append(result.source) }
    }

    /// Takes notice of a document of today.
    ///
    /// - Returns: Whether it has a failure, and the earlier report had it too.
    mutating func meet(_ result: CheckResult) -> Bool {
        let isKnown = result.outcome.isProblem && known.contains(Key(result))
        let source = ExactText(result.source)
        if knownSources.contains(source), met.insert(source).inserted, !result.outcome.isProblem {
            mended.append(result.source)
        }
        if result.outcome.isProblem {
            if isKnown { knownCount += 1 } else { newCount += 1 }
        }
        return isKnown
    }

    /// What came of the earlier failures, and what is new.
    var lines: [String] {
        let gone = awaited.filter { !met.contains(ExactText($0)) }
        let counts = [
            (knownCount, "known"), (newCount, "new"), (mended.count, "mended"), (gone.count, "not met again"),
        ]
        let words = counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return ["failures beside \(path): \(words)"] + mended.map { "  mended: \($0)" }
            + gone.map { "  not met again: \($0)" }
    }
}
