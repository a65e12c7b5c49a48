import DocumentModel
import MigrationCore

// What the screens show is the matter here, not what a reason says: fixtures have their own words.

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

    /// The same failure, in other words.
    func saying(_ message: String) -> MigrationFailure {
        MigrationFailure(
            kind: kind, step: step, path: path, culprit: culprit, message: message, location: location, tried: tried)
    }
}

extension MigrationTrace {
    /// The same trace, its failure another one.
    mutating func fail(_ change: (MigrationFailure) -> MigrationFailure) {
        guard let failure else { return }
        if case .failed = opening {
            opening = .failed(change(failure))
        } else {
            steps[steps.count - 1].ending = .failed(change(failure))
        }
    }
}
