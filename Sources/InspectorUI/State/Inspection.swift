import DocumentModel
import MigrationCore
import MigrationWorker

/// The selected document: its trace is awaited, or it is shown.
enum Inspection: Sendable {
    /// `progress` is how far the trace is, once that is known.
    case waiting(FoundDocument.ID, progress: WorkerProgress?)
    case shown(ShownDocument)

    var document: FoundDocument.ID {
        switch self {
        case .waiting(let document, _): document
        case .shown(let shown): shown.document
        }
    }

    /// How far the trace is that is awaited; nil where none is, or nothing is known of it.
    var progress: WorkerProgress? {
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
    /// Whether it is the state before, which nobody marked.
    var isNeighbor = false
}

/// A document's trace, the stop that is shown (the overview or a step), and the views of it.
struct ShownDocument: Sendable {
    let document: FoundDocument.ID
    /// Where the work on the document is; nil once it is done. Until then the trace is what is known of it up to there,
    /// and its failure only says where that is.
    var running: WorkerProgress?
    /// How many experiments were made to find out why it fails, while they are; nil when none are.
    var experiments: Int?
    /// Whether it is shrunk meanwhile, rather than looked into.
    var isShrinking = false
    /// Whether experiments were given up: what is told of them later is not wanted.
    var isLeftAlone = false
    /// The trace of the whole document.
    private(set) var whole: MigrationTrace
    /// The trace that is shown: the whole document's or that of a part.
    private(set) var trace: MigrationTrace
    /// The way to that part, as positions in the traces' parts.
    private(set) var partPath: [Int] = []
    /// 0 is the overview, then come the steps, and then all of them as one.
    var stop: Int
    /// The document that this one is compared with, in place of what is at the stop.
    var compared: MarkedDocument?
    var step = StepView()
    /// The value at the stop, while it is shown in place of the rows.
    var value: ValueView?
    var source = SourceView()
    /// The text of a document that did not parse.
    var unparsedSource: SourceBytes?
    /// What is known of what the steps made, where that is too much to keep; nil where all of it stays.
    private var hashes: SnapshotHashes?
    /// The positions of the steps that gave another result when they were run again. What they made last stays.
    private var changingSteps: Set<Int> = []
    /// The position of the step whose documents stay while none is shown: the one that was shown last.
    private var lastStep = 0
    /// The step that is run again to be shown.
    var awaitedStep: AwaitedStep?

    /// A step that is run again.
    struct AwaitedStep: Sendable {
        let job: BackgroundJob.ID
        /// Its position among the steps.
        let step: Int
        /// The row to select when it is there.
        let row: RowPlace?
    }

    init(_ trace: MigrationTrace, of document: FoundDocument.ID, running: WorkerProgress? = nil) {
        self.document = document
        self.running = running
        whole = trace
        self.trace = trace
        stop = Self.firstStop(trace)
    }

    /// Takes what experiments found out; what is shown stays.
    mutating func prove(_ proved: MigrationTrace) {
        whole = proved
        showPart()
        dropSnapshots()
    }

    private mutating func showPart() {
        trace = whole
        for index in partPath where trace.parts.indices.contains(index) { trace = trace.parts[index] }
    }

    // MARK: Documents that are not kept

    /// The position of the step whose documents are shown; nil where that are those of none.
    private var stepWithDocuments: Int? {
        guard partPath.isEmpty, compared == nil, stop > 0, !trace.steps.isEmpty else { return nil }
        return min(stop, trace.steps.count) - 1
    }

    /// The position of the step that has to be run again to be shown.
    var missingStep: Int? {
        guard let hashes, let step = stepWithDocuments, trace.lacksSnapshots(ofStep: step, hashes) else { return nil }
        return step
    }

    /// Whether it is known what the steps made, so that it need not be kept.
    var isHashed: Bool { hashes != nil }

    /// Whether more documents are kept than are shown, and these are larger than that.
    func keepsMore(than largest: Int) -> Bool {
        hashes == nil && running == nil && whole.steps.reduce(0) { $0 + ($1.after?.memorySize ?? 0) } > largest
    }

    /// Takes what is to be known of the trace's documents, and keeps no more of these than what is shown needs.
    mutating func dropSnapshots(_ hashes: SnapshotHashes) {
        self.hashes = hashes
        dropSnapshots()
    }

    /// Keeps no more documents of a large migration than what is shown needs.
    mutating func dropSnapshots() {
        guard let hashes else { return }
        lastStep = stepWithDocuments ?? lastStep
        whole.dropSnapshots(except: changingSteps.union([lastStep]), hashes)
        showPart()
    }

    /// Takes the documents of a step that was run again, and notes whether they are others than before.
    ///
    /// - Parameter hash: The hash of what it made.
    mutating func take(_ again: MigrationStep, hash: UInt64?, forStep step: Int) {
        if hash != hashes?.made[step] { changingSteps.insert(step) }
        whole.take(again, forStep: step)
        showPart()
    }

    /// Whether the shown step gave another result when it was run again.
    var isChanging: Bool { stepWithDocuments.map(changingSteps.contains) ?? false }

    /// Whether all steps can be shown as one.
    var hasWholeWay: Bool {
        let isMade = trace.steps.last?.after != nil || partPath.isEmpty && hashes?.made.last.flatMap(\.self) != nil
        return trace.steps.count > 1 && trace.steps.first?.before != nil && isMade
    }

    /// Whether there is a document in the newest version to be written.
    var hasResult: Bool {
        whole.result != nil || whole.rewriting == nil && hashes?.made.last.flatMap(\.self) != nil
    }

    /// The failure as it is told of the document before a step. A proof names a value of the document as it was read: a
    /// later one may hold it at the same place, or not.
    func told(_ failure: MigrationFailure, in before: Document) -> MigrationFailure {
        guard let culprit = failure.culprit, culprit.proof != nil, let first = trace.document,
            trace.steps.first?.before?.identity != before.identity || trace.steps.count > 1
        else { return failure }
        let (now, then) = (before.value(at: culprit.path), first.value(at: culprit.path))
        if let now, let then, now.isEqual(to: then) { return failure }
        var told = failure
        told.culprit = nil
        return told
    }

    /// Shows a part of the document as if it were one of its own.
    mutating func enter(_ path: [Int]) {
        partPath = path
        showPart()
        goToFirstStop()
    }

    /// Goes where reading begins.
    mutating func goToFirstStop() { stop = Self.firstStop(trace) }

    /// A failed step is what people come for; otherwise reading begins at the first step.
    private static func firstStop(_ trace: MigrationTrace) -> Int {
        if trace.steps.last?.failure != nil { return trace.steps.count }
        return trace.outcome == .failed || trace.steps.isEmpty ? 0 : 1
    }

    /// Where the part is in the whole document.
    var partPlace: DocumentPath {
        var place = DocumentPath.root
        var part = whole
        for index in partPath {
            part = part.parts[index]
            if let path = part.path { place = place.appending(path) }
        }
        return place
    }

    /// The part that is selected in the rows, as a position in the trace's parts.
    var selectedPart: Int? {
        guard value == nil, case .part(let part, _)? = step.selectedRow?.body else { return nil }
        return part
    }

    /// What shows the text behind the trace; nil where there is nothing to show. A part without a text of its own
    /// is shown where it is in the whole document.
    var sourceRequest: SourceRequest? {
        let document = trace.earliestDocument
        if !partPath.isEmpty, document?.source == nil, failureHere?.location?.within == nil,
            let whole = whole.document, whole.source != nil
        {
            return SourceRequest(
                document: whole, bytes: nil, failure: failureHere?.told(ofWholeWithPartAt: partPlace), versionPath: nil,
                part: partPlace)
        }
        guard document != nil || unparsedSource != nil else { return nil }
        return SourceRequest(
            document: document, bytes: unparsedSource, failure: endedFailureHere, versionPath: trace.detection.path)
    }

    var stopCount: Int { trace.steps.count + (hasWholeWay ? 2 : 1) }

    /// Whether all steps are shown as one, at the last stop.
    var isWholeWay: Bool { stop > trace.steps.count && compared == nil }

    /// The step that is shown; nil in the overview.
    var shownStep: MigrationStep? {
        compared == nil && stop > 0 && stop <= trace.steps.count ? trace.steps[stop - 1] : nil
    }

    /// The failure, if it belongs to the stop that is shown.
    var failureHere: MigrationFailure? {
        guard let failure = trace.failure, !isWholeWay, compared == nil else { return nil }
        if let shownStep { return shownStep.failure ?? (isBrokenInPart ? failure : nil) }
        // Where the document has got past the step, what failed was a part of it.
        return failure.step == nil || trace.steps.last?.failure == nil ? failure : nil
    }

    /// The failure of the stop that is shown, unless it only says where the work on the document is.
    var endedFailureHere: MigrationFailure? { running == nil ? failureHere : nil }

    /// Whether this is the step in which a part of the document failed, and the rest did not.
    private var isBrokenInPart: Bool { stop == trace.steps.count && trace.isMigratedButForParts }

    /// The parts that failed in the shown step, while the rest did not.
    var failedParts: [FailedPart] {
        guard isBrokenInPart else { return [] }
        return trace.parts.compactMap { part in
            guard let path = part.path, let failure = part.failure else { return nil }
            // The path of the part is that of the field.
            return FailedPart(path: path, failure: MigrationFailure(failure.reason))
        }
    }

    /// The document as it is at this stop: after the step, or before it if it failed.
    var documentHere: Document? {
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
        guard let document = documentHere, let failure = failureHere.map({ told($0, in: document) }),
            let path = failure.culprit?.path ?? failure.path, document.value(at: path) != nil
        else { return nil }
        return (path, failure)
    }

    /// The value of the document as it was read that is selected in the step, or that the selected one was made from.
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

    /// The selected value of this document, while it is compared with another; nil for one that only the other has.
    private var comparedValue: DocumentNode? {
        if let value { return value.selectedNode }
        guard let row = step.selectedRow, row.sign != .removed else { return nil }
        if case .movedAway = row.body { return nil }
        return row.node.flatMap { whole.document?.value(at: $0.path) }
    }

    /// The value of the original document from which the one at `path` was made, in the document behind `count` steps.
    private func origin(of path: DocumentPath, behind count: Int) -> DocumentNode? {
        let steps = trace.steps.prefix(count)
        let origin = steps.reversed().reduce(DocumentPath?.some(path)) { path, step in
            path.flatMap { step.origin(of: $0) }
        }
        return origin.flatMap { trace.steps.first?.before?.value(at: $0) }
    }
}

extension MigrationStep {
    /// Where the value was before the step that stands at the path behind it, or the first of those that it was made
    /// from, as experiments show; nil where that is not known.
    fileprivate func origin(of path: DocumentPath) -> DocumentPath? {
        let folded = path.foldingIndices
        let known = finding?.origins.filter { folded.hasPrefix($0.path) }.max {
            $0.path.components.count < $1.path.components.count
        }
        if let known {
            // Of what was made from several values, which one a part of it is made from is not known, unless that is equal.
            let isWhole = known.path == folded || known.from.count == 1
            if isWhole, let from = known.from.first, !from.components.contains(.everyElement) { return from }
            let candidates = (isWhole ? Array(known.from.prefix(1)) : known.from).filter { from in
                // Nor is it known which element it was, unless the one at the same position holds the same value.
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
    /// The path with the positions of another in place of `*`, in their order.
    fileprivate func taking(positionsOf other: DocumentPath) -> DocumentPath {
        var positions = other.components.filter { if case .index = $0 { true } else { false } }[...]
        return DocumentPath(components.map { $0 == .everyElement ? positions.popFirst() ?? .index(0) : $0 })
    }
}

extension MigrationTrace {
    /// The document before the first step and behind the last; nil where there are fewer than two steps, or not all of
    /// them made one.
    var wholeWay: (before: Document, after: Document)? {
        guard steps.count > 1, let before = steps.first?.before, let after = steps.last?.after else { return nil }
        return (before, after)
    }

    /// The document as it was read, or what came before the first step.
    var earliestDocument: Document? { document ?? steps.first?.before }
}
