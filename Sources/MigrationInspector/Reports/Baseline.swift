import DocumentModel
import DocumentSources
import MigrationCore

/// The failures of an earlier report, which new results are compared with.
struct Baseline {
    /// The properties by which a failure is recognized as an earlier one.
    private struct Key: Hashable {
        let source: ExactText
        let kind: String?
        let step: MigrationFailure.Step?
        let path: DocumentPath?

        init(_ result: CheckResult) {
            source = Baseline.name(of: result)
            kind = result.problemKind
            step = result.failure?.step?.asReported
            path = result.failure?.path
        }
    }

    /// The values that a document drops and loses.
    private struct Losses {
        var dropped: Set<DocumentPath>
        var lost: Set<ValueLoss>
        var narrowed: Set<ValueNarrowing>
        /// The values that were not examined.
        var left: Set<StepFinding.Left>
        /// The meanings of folded paths.
        var folds: PathFolds

        init(_ result: CheckResult) {
            let losses = (result.lost ?? []).map { ValueLoss(path: $0.path, step: $0.step?.asReported, part: $0.part) }
            let narrowings = (result.narrowed ?? []).map {
                ValueNarrowing(path: $0.path, how: $0.how, step: $0.step?.asReported, part: $0.part)
            }
            (dropped, lost) = (Set(result.dropped), Set(losses))
            (narrowed, left) = (Set(narrowings), Set(result.examined?.left ?? []))
            folds = result.folds
        }

        mutating func formUnion(_ other: Losses) {
            dropped.formUnion(other.dropped)
            lost.formUnion(other.lost)
            narrowed.formUnion(other.narrowed)
            left.formUnion(other.left)
        }

        func isSubset(of other: Losses) -> Bool {
            // A path that stood for more than ten values may stand for ten now, which aren't folded.
            dropped.subtracting(other.dropped).allSatisfy(other.folds.mayCover)
                && lost.subtracting(other.lost).map(\.path).allSatisfy(other.folds.mayCover)
                && narrowed.subtracting(other.narrowed).map(\.path).allSatisfy(other.folds.mayCover)
                && left.isSubset(of: other.left) && other.folds.covers(folds)
        }
    }

    /// The path of the report.
    let path: FilePath
    /// Whether a document that drops or loses something counts as failed.
    var countsLosses = false
    private var known: Set<Key> = []
    private var knownLosses: [ExactText: Losses] = [:]
    private var knownSources: Set<ExactText> = []
    /// The documents with failures, in order, and whether they only lose something.
    private var awaited: [(source: String, name: ExactText, isLossy: Bool)] = []
    /// Those of them that have been found again.
    private var met: Set<ExactText> = []
    /// The documents that failed then and pass now. The unreadable rest of a packed document has the same name and may
    /// still fail.
    private var passing: [(source: String, name: ExactText)] = []
    private var failing: Set<ExactText> = []
    private var new: [String] = []
    private var knownCount = 0

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

    /// Returns the name by which a document is found in both reports: `./docs//a.json` becomes `docs/a.json`.
    private static func name(of result: CheckResult) -> ExactText {
        // A file name may contain anything but a slash.
        let slash = UInt8(ascii: "/")
        var parts = result.source.utf8.split(separator: slash).map { Substring($0) }.filter { $0 != "." }
        if result.source.utf8.first == slash { parts.insert("", at: 0) }
        return ExactText(parts.joined(separator: "/"))
    }

    private mutating func add(_ result: CheckResult) {
        let name = Self.name(of: result)
        let isLossy = result.isPassed && result.isDoubtful
        if isLossy {
            knownLosses[name, default: Losses(result)].formUnion(Losses(result))
        } else if result.outcome.isProblem {
            known.insert(Key(result))
        } else {
            return
        }
        if knownSources.insert(name).inserted { awaited.append((result.source, name, isLossy)) }
    }

    /// Compares a new result with the earlier report.
    ///
    /// - Returns: Whether the document has a failure that the earlier report had too.
    mutating func meet(_ result: CheckResult) -> Bool {
        let name = Self.name(of: result)
        let isLossy = result.isPassed && result.isDoubtful
        let fails = result.outcome.isProblem || countsLosses && isLossy
        let isKnown =
            isLossy
            ? countsLosses && knownLosses[name].map(Losses(result).isSubset) ?? false
            : result.outcome.isProblem && known.contains(Key(result))
        let isFirst = knownSources.contains(name) && met.insert(name).inserted
        if fails {
            failing.insert(name)
            if isKnown { knownCount += 1 } else { new.append(result.source) }
        } else if isFirst, countsLosses || knownLosses[name] == nil {
            passing.append((result.source, name))
        }
        return isKnown
    }

    /// The changes since the earlier report, and the new failures.
    var lines: [String] {
        let awaited = awaited.filter { countsLosses || !$0.isLossy }
        let mended = passing.filter { !failing.contains($0.name) }.map(\.source)
        let gone = awaited.filter { !met.contains($0.name) }.map(\.source)
        let counts = [
            (knownCount, "known"), (new.count, "new"), (mended.count, "mended"), (gone.count, "not met again"),
        ]
        let words = counts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let doubt =
            gone.count > 1 && met.isEmpty
            ? ["  none of them was met again: paths are compared as they are given, so give the same ones"] : []
        return ["failures beside \(path): \(words)"] + doubt + new.map { "  new: \($0)" }
            + mended.map { "  mended: \($0)" } + gone.map { "  not met again: \($0)" }
    }
}

extension DocumentVersion {
    /// The same version as it is read from a report, which doesn't contain the number of a version that documents spell.
    fileprivate var asReported: DocumentVersion {
        switch self {
        case .written(_, let text): .name(text)
        case .values(_, let values): .values(nil, values)
        case .unversioned, .number, .name: self
        }
    }
}

extension MigrationFailure.Step {
    /// The step with its versions as they are read from a report.
    fileprivate var asReported: MigrationFailure.Step {
        MigrationFailure.Step(from: from.asReported, to: to.asReported)
    }
}
