import DocumentModel
import MigrationCore

/// The document that one looks at: its trace, the step one is at, and the views of it.
struct Inspection: Sendable {
    /// The document's place among those that were found.
    let index: Int
    /// The trace of the whole document; nil until it is there.
    private(set) var whole: MigrationTrace?
    /// The trace that is shown: the whole document's or that of a part.
    private(set) var trace: MigrationTrace?
    /// The way to that part, as places in the traces' parts.
    private(set) var partPath: [Int] = []
    var progress: Double?
    /// 0 is the overview, then come the steps.
    var stop = 0
    var step = StepView()
    var value: ValueView?
    var source = SourceView()
    /// The text of a document that did not parse.
    var unparsedSource: SourceBytes?
    /// The width that the overview's rows were made for; nil when they are not there.
    var overviewWidth: Int?

    init(index: Int) {
        self.index = index
    }

    mutating func show(_ trace: MigrationTrace) {
        whole = trace
        enter([])
    }

    /// Shows a part of the document as if it were one of its own.
    mutating func enter(_ path: [Int]) {
        guard var part = whole else { return }
        for index in path where part.parts.indices.contains(index) { part = part.parts[index] }
        partPath = path
        trace = part
        stop = Self.firstStop(part)
    }

    /// A failed step is what one came for; else the first step is where reading begins.
    private static func firstStop(_ trace: MigrationTrace) -> Int {
        if trace.steps.last?.failure != nil { return trace.steps.count }
        if trace.outcome == .failed { return 0 }
        return trace.steps.isEmpty ? 0 : 1
    }

    /// Where the part is in the whole document.
    private var partPlace: DocumentPath {
        var place = DocumentPath.root
        var part = whole
        for index in partPath {
            part = part?.parts[index]
            if let path = part?.path { place = place.appending(path) }
        }
        return place
    }

    /// What shows the text behind the trace; nil where there is nothing to show. A part without a text of its own
    /// is shown where it is in the whole document.
    var sourceRequest: SourceRequest? {
        guard let trace else { return nil }
        let document = trace.document ?? trace.steps.first?.before
        if !partPath.isEmpty, document?.source == nil, failureHere?.location?.within == nil,
            let whole = whole?.document,
            whole.source != nil
        {
            return SourceRequest(
                document: whole, bytes: nil, failure: failureHere?.told(ofWholeWithPartAt: partPlace), versionPath: nil,
                part: partPlace)
        }
        guard document != nil || unparsedSource != nil else { return nil }
        return SourceRequest(
            document: document, bytes: unparsedSource, failure: failureHere, versionPath: trace.detection.path)
    }

    var stopCount: Int { (trace?.steps.count ?? 0) + 1 }

    /// The step one is at; nil in the overview.
    var shownStep: MigrationStep? {
        guard let trace, stop > 0, stop <= trace.steps.count else { return nil }
        return trace.steps[stop - 1]
    }

    /// The failure, if it is of the step or overview that one is at.
    var failureHere: MigrationFailure? {
        guard let trace, let failure = trace.failure else { return nil }
        if let shownStep { return shownStep.failure }
        // Where the document has got past the step, what failed was a part of it.
        return failure.step == nil || trace.steps.last?.failure == nil ? failure : nil
    }

    /// The document as it is at this stop: after the step, or before it if it failed.
    var documentHere: Document? {
        if let shownStep { return shownStep.failure == nil ? shownStep.after : shownStep.before }
        return trace?.document ?? trace?.steps.first?.before
    }

    /// The version of ``documentHere``, and the name of its type.
    var versionHere: (version: DocumentVersion, type: String?)? {
        if let step = shownStep {
            return step.failure != nil ? (step.from, step.fromType) : (step.to, step.toType)
        }
        guard let trace, let version = trace.detection.version else { return nil }
        return (version, trace.versions.first { $0.version == version }?.type)
    }

    /// The culprit in ``documentHere``, for the value view.
    var culpritHere: (node: DocumentNode.ID, blame: StepRow.Blame)? {
        guard let failure = failureHere, let document = documentHere,
            let path = failure.culprit?.path ?? failure.path, let node = document.root.descendant(at: path)
        else { return nil }
        let isLikely = failure.culprit.map { !$0.certain } ?? false
        return (node.id, StepRow.Blame(message: failure.message, isLikely: isLikely))
    }
}
