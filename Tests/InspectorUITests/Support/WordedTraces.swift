import DocumentModel
import MigrationCore

// These tests are about what the screens show, not about the wording of reasons, so fixtures have their own wording.

extension Reason: ExpressibleByStringLiteral {
    public init(stringLiteral words: String) { self = .text(words) }
}

extension MigrationFailure {
    init(
        kind: Kind, step: Step? = nil, path: DocumentPath? = nil, culprit: Culprit? = nil, message: String,
        location: SourceLocation? = nil, tried: [DocumentVersion]? = nil
    ) {
        self.init(
            .text(message, kind: kind, path: path, tried: tried), step: step, culprit: culprit, location: location)
    }

    /// Returns the same failure with another message.
    func saying(_ message: String) -> MigrationFailure {
        MigrationFailure(
            kind: kind, step: step, path: path, culprit: culprit, message: message, location: location, tried: tried)
    }
}

extension MigrationTrace {
    /// Replaces the trace's failure.
    mutating func fail(_ change: (MigrationFailure) -> MigrationFailure) {
        guard let failure else { return }
        if case .failed = opening {
            opening = .failed(change(failure))
        } else {
            steps[steps.count - 1].ending = .failed(change(failure))
        }
    }
}
