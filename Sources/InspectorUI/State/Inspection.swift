import DocumentModel
import MigrationCore

/// The selected document, either awaiting its trace or shown.
enum Inspection: Sendable {
    /// `progress` is how far the trace has come, once that is known.
    case waiting(FoundDocument.ID, progress: RunProgress?)
    case shown(ShownDocument)

    var document: FoundDocument.ID {
        switch self {
        case .waiting(let document, _): document
        case .shown(let shown): shown.document
        }
    }

    /// How far the awaited trace has come; nil if no trace is awaited or nothing is known about it.
    var progress: RunProgress? {
        switch self {
        case .waiting(_, let progress): progress
        case .shown(let shown): shown.running
        }
    }

    var shown: ShownDocument? {
        get { if case .shown(let shown) = self { shown } else { nil } }
        set { if let newValue { self = .shown(newValue) } }
    }
}

/// A document that others are compared with, as it was when it was marked.
struct MarkedDocument: Sendable {
    let title: String
    let document: Document
    /// Whether this is the previous state of a timeline rather than a document that the user marked.
    var isNeighbor = false
    /// Whether both documents are shown in the shape of the newest version.
    var isMigrated = false
}

/// A document's trace, the stop that is shown (the overview or a step), and its views.
struct ShownDocument: Sendable {
    let document: FoundDocument.ID
    /// How far the work on the document has come; nil once it is done. Until then, the trace holds what is known so
    /// far, and its failure only marks the current position.
    var running: RunProgress?
    /// The number of experiments made so far to find out why the document fails; nil if none are running.
    var experiments: Int?
    /// Whether the running experiments shrink the document rather than look for the culprit.
    var isShrinking = false
    /// Whether the experiments were stopped, so that late reports about them are ignored.
    var isLeftAlone = false
    /// The trace of the whole document.
    private(set) var whole: MigrationTrace
    /// The trace that is shown, either the whole document's or a part's.
    private(set) var trace: MigrationTrace
    /// The path to that part, as positions in the traces' parts.
    private(set) var partPath: [Int] = []
    /// The stop: 0 is the overview, followed by the steps, followed by all steps as one.
    var stop: Int
    /// The document that this one is compared with, shown instead of the content of the stop.
    var compared: MarkedDocument?
    var step = StepView()
    /// The value at the stop, if it is shown instead of the rows.
    var value: ValueView?
    var source = SourceView()
    /// The text of a document that did not parse.
    var unparsedSource: SourceBytes?
    /// The hashes of the steps' results if the results are too large to keep; nil if all are kept.
    private var hashes: SnapshotHashes?
    /// The positions of the steps that gave a different result when they were run again. Their latest results are
    /// kept.
    private var changingSteps: Set<Int> = []
    /// The position of the step shown last, whose documents are kept while no step is shown.
    private var lastStep = 0
    /// The step that is being run again to be shown.
    var awaitedStep: AwaitedStep?

    /// A step that is being run again.
    struct AwaitedStep: Sendable {
        let job: BackgroundJob.ID
        /// The step's position in the trace.
        let step: Int
        /// The row to select once the step is shown.
        let row: RowPosition?
    }

    init(_ trace: MigrationTrace, of document: FoundDocument.ID, running: RunProgress? = nil) {
        self.document = document
        self.running = running
        whole = trace
        self.trace = trace
        stop = Self.firstStop(trace)
    }

    /// Takes a trace with the results of experiments. The view stays the same.
    mutating func prove(_ proved: MigrationTrace) {
        whole = proved
        showPart()
        dropSnapshots()
    }

    private mutating func showPart() {
        trace = whole
        for index in partPath where trace.parts.indices.contains(index) { trace = trace.parts[index] }
    }

    // MARK: Dropped documents

    /// The position of the step whose documents are shown; nil if no step's documents are shown.
    private var stepWithDocuments: Int? {
        guard partPath.isEmpty, compared == nil, stop > 0, !trace.steps.isEmpty else { return nil }
        return min(stop, trace.steps.count) - 1
    }

    /// The position of the step that has to be run again before it can be shown.
    var missingStep: Int? {
        guard let hashes, let step = stepWithDocuments, trace.lacksSnapshots(ofStep: step, hashes) else { return nil }
        return step
    }

    /// Whether the results of the steps are hashed, so that they need not be kept.
    var isHashed: Bool { hashes != nil }

    /// Returns whether the documents of all steps are kept and together take up more than this many bytes of memory.
    func keepsMore(than largest: Int) -> Bool {
        hashes == nil && running == nil && whole.steps.reduce(0) { $0 + ($1.after?.memorySize ?? 0) } > largest
    }

    /// Takes the hashes of the trace's documents, and drops all documents that are not needed for the current view.
    mutating func dropSnapshots(_ hashes: SnapshotHashes) {
        self.hashes = hashes
        dropSnapshots()
    }

    /// Drops the documents of a large migration that are not needed for the current view.
    mutating func dropSnapshots() {
        guard let hashes else { return }
        lastStep = stepWithDocuments ?? lastStep
        whole.dropSnapshots(except: changingSteps.union([lastStep]), hashes)
        showPart()
    }

    /// Takes the documents of a step that was run again, and notes whether they differ from the earlier ones.
    ///
    /// - Parameter hash: The hash of the step's result.
    mutating func take(_ again: MigrationStep, hash: UInt64?, forStep step: Int) {
        if hash != hashes?.made[step] { changingSteps.insert(step) }
        whole.take(again, forStep: step)
        showPart()
    }

    /// Whether the shown step gave a different result when it was run again.
    var isChanging: Bool { stepWithDocuments.map(changingSteps.contains) ?? false }

    /// Whether all steps can be shown as one.
    var hasWholeWay: Bool {
        let isMade = trace.steps.last?.after != nil || partPath.isEmpty && hashes?.made.last.flatMap(\.self) != nil
        return trace.steps.count > 1 && trace.steps.first?.before != nil && isMade
    }

    /// Whether there is a document in the newest version that can be written.
    var hasResult: Bool {
        whole.result != nil || whole.rewriting == nil && hashes?.made.last.flatMap(\.self) != nil
    }

    /// Returns the failure as it applies to the document before a step. A proof names a value of the document as it
    /// was read. If the value at that path differs in a later document, the culprit is left out.
    func reported(_ failure: MigrationFailure, in before: Document) -> MigrationFailure {
        guard let culprit = failure.culprit, culprit.proof != nil, let first = trace.document,
            trace.steps.first?.before?.identity != before.identity || trace.steps.count > 1
        else { return failure }
        let (now, then) = (before.value(at: culprit.path), first.value(at: culprit.path))
        if let now, let then, now.isEqual(to: then) { return failure }
        var reported = failure
        reported.culprit = nil
        return reported
    }

    /// Shows a part of the document as if it were a document by itself.
    mutating func enter(_ path: [Int]) {
        partPath = path
        showPart()
        goToFirstStop()
    }

    /// Goes to the stop where reading starts.
    mutating func goToFirstStop() { stop = Self.firstStop(trace) }

    /// Returns the failed step if there is one, the overview if there is no step to look at, or else the first step.
    private static func firstStop(_ trace: MigrationTrace) -> Int {
        if trace.steps.last?.failure != nil { return trace.steps.count }
        return trace.outcome == .failed || trace.steps.isEmpty ? 0 : 1
    }

    /// The path of the part in the whole document.
    var pathOfPart: DocumentPath {
        var whole = DocumentPath.root
        var part = self.whole
        for index in partPath {
            part = part.parts[index]
            whole = whole.appending(part.base)
        }
        return whole
    }

    /// The part that is selected in the rows, as a position in the trace's parts.
    var selectedPart: Int? {
        guard value == nil, case .part(let part, _)? = step.selectedRow?.body else { return nil }
        return part
    }

    /// The request for the source text of the trace; nil if there is nothing to show. For a part without its own
    /// text, the request shows the part's location in the whole document.
    var sourceRequest: SourceRequest? {
        let document = trace.earliestDocument
        if !partPath.isEmpty, document?.source == nil, failureHere?.location?.within == nil,
            let whole = whole.document, whole.source != nil
        {
            return SourceRequest(
                document: whole, bytes: nil, failure: failureHere?.relocated(toWholeWithPartAt: pathOfPart),
                versionPath: nil,
                part: pathOfPart)
        }
        guard document != nil || unparsedSource != nil else { return nil }
        return SourceRequest(
            document: document, bytes: unparsedSource, failure: endedFailureHere, versionPath: trace.detection.path)
    }

    var stopCount: Int { trace.steps.count + (hasWholeWay ? 2 : 1) }

    /// Whether the last stop is shown, with all steps as one.
    var isWholeWay: Bool { stop > trace.steps.count && compared == nil }

    /// The step that is shown; nil in the overview.
    var shownStep: MigrationStep? {
        compared == nil && stop > 0 && stop <= trace.steps.count ? trace.steps[stop - 1] : nil
    }

    /// The failure, if it belongs to the stop that is shown.
    var failureHere: MigrationFailure? {
        guard let failure = trace.failure, !isWholeWay, compared == nil else { return nil }
        if let shownStep { return shownStep.failure ?? (isBrokenInPart ? failure : nil) }
        // If the document as a whole passed the step, one of its parts failed.
        return failure.step == nil || trace.steps.last?.failure == nil ? failure : nil
    }

    /// The failure of the stop that is shown, unless it only marks where the work on the document is.
    var endedFailureHere: MigrationFailure? { running == nil ? failureHere : nil }

    /// Whether a part of the document failed in this step while the rest did not.
    private var isBrokenInPart: Bool { stop == trace.steps.count && trace.isMigratedButForParts }

    /// The parts that failed in the shown step, if the rest did not.
    var failedParts: [FailedPart] {
        guard isBrokenInPart else { return [] }
        return trace.parts.compactMap { part in
            guard let path = part.path, let failure = part.failure else { return nil }
            // The path of the part is the path of the field.
            return FailedPart(path: path, failure: MigrationFailure(failure.reason))
        }
    }

    /// The fields of the document before the shown step that the app does not read. Only the document itself can have
    /// any; all later documents are made by the app.
    var droppedHere: [DocumentPath] {
        stop == 1 && shownStep != nil && trace.leftOver != nil ? trace.dropped : []
    }

    /// The document at this stop: after the step, or before it if it failed.
    var documentHere: Document? {
        if compared?.isMigrated == true { return whole.result }
        if isWholeWay { return trace.wholeWay?.after }
        guard let shownStep else { return trace.earliestDocument }
        return shownStep.failure == nil ? shownStep.after : shownStep.before
    }

    /// The version of ``documentHere``, and the name of its type.
    var versionHere: (version: DocumentVersion, type: String?)? {
        if let step = shownStep ?? (isWholeWay ? trace.steps.last : nil) {
            return step.failure != nil ? (step.from, step.fromType) : (step.to, step.toType)
        }
        guard let version = trace.detection.version else { return nil }
        return (version, trace.versions.first { $0.version == version }?.type)
    }

    /// The culprit in ``documentHere``, for the value view.
    var culpritHere: (path: DocumentPath, failure: MigrationFailure)? {
        guard let document = documentHere, let failure = failureHere.map({ reported($0, in: document) }),
            let path = failure.culprit?.path ?? failure.path, document.value(at: path) != nil
        else { return nil }
        return (path, failure)
    }

    /// The value of the original document that is selected in the step, or that the selected value was made from.
    var selectedValue: DocumentNode? {
        if compared != nil { return comparedValue }
        if let value {
            if shownStep == nil, !isWholeWay { return value.selectedNode }
            return origin(of: value.selectedPath, behind: shownStep?.failure == nil ? stop : stop - 1)
        }
        let isCompared = step.difference != nil
        guard stop > 1, !isWholeWay else {
            return trace.earliestDocument.flatMap { step.selectedRow?.value(in: $0, isCompared: isCompared) }
                ?? step.selectedRow?.node.flatMap { origin(of: $0.path, behind: stop) }
        }
        guard let row = step.selectedRow, let before = shownStep?.before else { return nil }
        return row.value(in: before, isCompared: isCompared).map { origin(of: $0.path, behind: stop - 1) }
            ?? row.node.flatMap { origin(of: $0.path, behind: stop) }
    }

    /// The selected value of this document while it is compared with another; nil if only the other document has the
    /// value.
    private var comparedValue: DocumentNode? {
        if let value { return value.selectedNode }
        guard let row = step.selectedRow, row.sign != .removed else { return nil }
        if case .movedAway = row.body { return nil }
        // The source is that of the document as it was read.
        if compared?.isMigrated == true { return nil }
        return row.node.flatMap { whole.document?.value(at: $0.path) }
    }

    /// Returns the value of the original document that the value at `path` was made from, where `path` is in the
    /// document after `count` steps.
    private func origin(of path: DocumentPath, behind count: Int) -> DocumentNode? {
        let steps = trace.steps.prefix(count)
        let origin = steps.reversed().reduce(DocumentPath?.some(path)) { path, step in
            path.flatMap { step.origin(of: $0) }
        }
        return origin.flatMap { trace.steps.first?.before?.value(at: $0) }
    }
}

extension MigrationStep {
    /// Returns the path before the step of the value at `path` after it, or the first of the values that it was made
    /// from, as shown by experiments; nil if that is not known.
    fileprivate func origin(of path: DocumentPath) -> DocumentPath? {
        let folded = path.foldingIndices
        let known = finding?.origins.filter { folded.hasPrefix($0.path) }.max {
            $0.path.components.count < $1.path.components.count
        }
        if let known {
            // If a value was made from several others, the origin of one of its parts is only known if the two are
            // equal.
            let isWhole = known.path == folded || known.from.count == 1
            if isWhole, let from = known.from.first, !from.components.contains(.everyElement) { return from }
            let candidates = (isWhole ? Array(known.from.prefix(1)) : known.from).filter { from in
                // The origin's element is only known if the one at the same position holds the same value.
                guard let old = before?.value(at: from.taking(positionsOf: path)),
                    let new = after?.value(at: path)
                else { return false }
                return old.isEqual(to: new)
            }
            return candidates.count == 1 ? candidates[0].taking(positionsOf: path) : nil
        }
        guard let node = after?.value(at: path), let before else { return nil }
        return StepRow.same(as: node, in: before)?.path
    }
}

extension DocumentPath {
    /// Returns the path with each `*` replaced by the next array position in the other path.
    fileprivate func taking(positionsOf other: DocumentPath) -> DocumentPath {
        var positions = other.components.filter { if case .index = $0 { true } else { false } }[...]
        return DocumentPath(components.map { $0 == .everyElement ? positions.popFirst() ?? .index(0) : $0 })
    }
}
