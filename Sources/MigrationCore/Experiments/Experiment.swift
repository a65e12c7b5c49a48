import DocumentModel

/// One run of a migration as an experiment.
package struct Experiment: Sendable {
    /// The changes to the document. Empty to check whether it behaves the same again.
    package var edits: [DocumentEdit] = []
    /// Whether this must be the first or second run of its process, because a proof relies on it.
    package var isConfirmation = false
    /// The document to change, if it isn't the one that was traced.
    package var sample: Document?

    /// Creates a run of a document with changes.
    package init(edits: [DocumentEdit] = [], isConfirmation: Bool = false, sample: Document? = nil) {
        (self.edits, self.isConfirmation, self.sample) = (edits, isConfirmation, sample)
    }
}

/// The outcome of a run.
package struct ExperimentOutcome: Sendable {
    /// How the changed document failed. If its parts migrate separately, the failure of each part.
    package var failures: [MigrationFailure]
    /// The version of the document, or nil if it was not determined.
    package var version: DocumentVersion?
    /// The topmost fields that nothing read, or nil if it isn't known what the steps read.
    package var dropped: [DocumentPath]?
    /// Whether the change could be made.
    private(set) var isMade = true

    /// Creates the outcome of an impossible change. The document fails as before, and nothing is known about the
    /// change.
    package static func notMade(_ failures: [MigrationFailure]) -> ExperimentOutcome {
        var outcome = ExperimentOutcome(failures, version: nil)
        outcome.isMade = false
        return outcome
    }

    /// Creates the outcome of a run with the given failure, or with none.
    package init(_ failure: MigrationFailure?, version: DocumentVersion?, dropped: [DocumentPath]? = []) {
        self.init(failure.map { [$0] } ?? [], version: version, dropped: dropped)
    }

    /// Creates the outcome of a run.
    package init(_ failures: [MigrationFailure], version: DocumentVersion?, dropped: [DocumentPath]? = []) {
        (self.failures, self.version, self.dropped) = (failures, version, dropped)
    }

    /// The first failure, or nil if there is none.
    package var failure: MigrationFailure? { failures.first }

    /// Returns the failure of a part that migrates separately, or of the document if `part` is nil. Returns nil if it
    /// did not fail. A failure without a path, such as a crash, counts as one of any part.
    func failure(ofPart part: DocumentPath?) -> MigrationFailure? {
        guard let part else { return failure }
        return failures.first { $0.path?.hasPrefix(part) ?? true }
    }
}

/// The amount of work that experiments may do. It is counted in runs and bytes, never in time, so that the results are
/// reproducible.
package struct ExperimentBudget: Sendable, Equatable {
    /// The number of runs left.
    package var runs = 1_000
    /// The number of document bytes that may still be decoded.
    package var bytes = 80_000_000
    /// The number of lost processes left: a crash costs 1, and a timeout costs 5.
    package var losses = 100

    /// Creates the budget for one document.
    package init() {}

    /// Whether the budget is used up.
    package var isSpent: Bool { runs <= 0 || bytes <= 0 || losses <= 0 }

    /// Whether at most a fifth of the whole budget is left, which is kept to check how far a value passes, and on which
    /// others it depends.
    var isLow: Bool { runs <= 200 || bytes <= 16_000_000 }

    /// Returns whether the budget is enough for a document at all: to run it unchanged twice, and changed once.
    func allows(_ document: Document) -> Bool { document.byteCount * 3 <= bytes }

    /// Deducts one run.
    ///
    /// - Parameter reason: Why the run made nothing, or nil if it did.
    mutating func spend(_ byteCount: Int, on reason: StepFinding.Left.Reason?) {
        runs -= 1
        bytes -= byteCount
        losses -= reason == .crashed ? 1 : reason == .timedOut ? 5 : 0
    }
}

extension StepSearch.Outcome {
    /// Why the step made no document, or nil if it made one.
    var refusal: StepFinding.Left.Reason? { if case .refused(let reason) = self { reason } else { nil } }
}

extension MigrationFailure {
    /// The failure as a reason why nothing is known about what was tried.
    package var refusal: StepFinding.Left.Reason {
        switch kind {
        case .crashed: .crashed
        case .timedOut: .timedOut
        default: .refused
        }
    }
}

extension Document {
    /// The number of bytes in the source of the document, or an estimate if it has none.
    package var byteCount: Int { source?.count ?? root.nodes.count * 8 }

    /// Creates an array of these elements.
    init(array elements: some Sequence<DocumentNode>) {
        var builder = DocumentBuilder()
        builder.beginArray()
        for element in elements { builder.append(element) }
        builder.end()
        self = builder.finish()
    }

    /// Creates an object of these members.
    init(object members: some Sequence<(name: String, value: DocumentNode)>) {
        var builder = DocumentBuilder()
        builder.beginObject()
        for (name, value) in members {
            builder.key(name)
            builder.append(value)
        }
        builder.end()
        self = builder.finish()
    }

    /// Creates a container like another one, with some of its members or elements.
    init(container: DocumentNode, children: some Sequence<DocumentNode.Child>) {
        self =
            container.kind == .object
            ? Document(object: children.map { ($0.key?.string ?? "", $0.value) })
            : Document(array: children.map(\.value))
    }
}
