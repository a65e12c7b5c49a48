import DocumentModel

/// One run of a migration, to find something out.
package struct Experiment: Sendable {
    /// What is changed; nothing, to see whether the document does the same again.
    package var edits: [DocumentEdit] = []
    /// Whether the run is to be the first one of its process, or the one behind that, because a proof rests on it.
    package var isConfirmation = false
    /// The document that is changed, if it is not the one that was traced.
    package var sample: Document?

    /// A run of a document with changes.
    package init(edits: [DocumentEdit] = [], isConfirmation: Bool = false, sample: Document? = nil) {
        (self.edits, self.isConfirmation, self.sample) = (edits, isConfirmation, sample)
    }
}

/// What came of a run.
package struct ExperimentOutcome: Sendable {
    /// How the changed document failed: of one whose parts migrate by themselves, each part.
    package var failures: [MigrationFailure]
    /// The version that it was found to be; nil where that is not known.
    package var version: DocumentVersion?
    /// The topmost fields that nothing read; nil where it is not known what the steps read.
    package var dropped: [DocumentPath]?
    /// Whether the document could be changed as it was wanted.
    private(set) var isMade = true

    /// The change is not possible, so the document fails as it did, and nothing is known of the change.
    package static func notMade(_ failures: [MigrationFailure]) -> ExperimentOutcome {
        var outcome = ExperimentOutcome(failures, version: nil)
        outcome.isMade = false
        return outcome
    }

    /// What came of a run that failed in this way, or not at all.
    package init(_ failure: MigrationFailure?, version: DocumentVersion?, dropped: [DocumentPath]? = []) {
        self.init(failure.map { [$0] } ?? [], version: version, dropped: dropped)
    }

    /// What came of a run.
    package init(_ failures: [MigrationFailure], version: DocumentVersion?, dropped: [DocumentPath]? = []) {
        (self.failures, self.version, self.dropped) = (failures, version, dropped)
    }

    /// The first failure; nil where there is none.
    package var failure: MigrationFailure? { failures.first }

    /// How a part failed that migrates by itself, or where no part is asked for the document; nil where it did not. What
    /// fails at no place, as a crash does, may be a failure of any part.
    func failure(ofPart part: DocumentPath?) -> MigrationFailure? {
        guard let part else { return failure }
        return failures.first { $0.path?.hasPrefix(part) ?? true }
    }
}

/// How much experiments may cost: counted in runs and bytes, never in time, so that they always find the same.
package struct ExperimentBudget: Sendable, Equatable {
    /// How many runs there may be.
    package var runs = 1_000
    /// How many bytes of documents may be decoded.
    package var bytes = 80_000_000
    /// What runs may cost that end their process: 1 for each that ends it, 5 for each that runs out of time.
    package var losses = 100

    /// The budget of one document.
    package init() {}

    /// Whether nothing is left.
    package var isSpent: Bool { runs <= 0 || bytes <= 0 || losses <= 0 }

    /// Whether it suffices for a document at all: to run it unchanged twice, and changed once.
    func allows(_ document: Document) -> Bool { document.byteCount * 3 <= bytes }

    /// Takes one run off.
    package mutating func spend(_ byteCount: Int, on result: MigrationFailure?) {
        runs -= 1
        bytes -= byteCount
        switch result?.kind {
        case .crashed: losses -= 1
        case .timedOut: losses -= 5
        default: break
        }
    }

    /// Takes one run of a step off.
    mutating func spend(_ byteCount: Int, on outcome: StepSearch.Outcome) {
        runs -= 1
        bytes -= byteCount
        switch outcome {
        case .refused(.crashed): losses -= 1
        case .refused(.timedOut): losses -= 5
        default: break
        }
    }
}

extension Document {
    /// How many bytes are decoded with it, or as many as it would have as JSON.
    package var byteCount: Int { source?.count ?? root.nodes.count * 8 }

    /// An array of these elements.
    init(array elements: some Sequence<DocumentNode>) {
        var builder = DocumentBuilder()
        builder.beginArray()
        for element in elements { builder.append(element) }
        builder.end()
        self = builder.finish()
    }

    /// An object of these members.
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
}
