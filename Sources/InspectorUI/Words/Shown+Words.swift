import DisplayText
import DocumentModel
import MigrationCore

// Shortened forms of names and messages for the screens. They may be of any length, which must not slow down drawing.

extension DocumentPath {
    /// The path with the middle of long names left out.
    var shown: DocumentPath {
        DocumentPath(
            components.map {
                switch $0 {
                case .key(let name): .key(name.withoutMiddle(most: Self.longestName))
                case .laterKey(let name, let occurrence):
                    .laterKey(name.withoutMiddle(most: Self.longestName), occurrence: occurrence)
                default: $0
                }
            })
    }

    private static var longestName: Int { 400 }
}

extension MigrationFailure {
    /// The failure with the middle of long names and of a long message left out.
    var shown: MigrationFailure {
        var failure = changingPaths(\.shown)
        failure.reason = failure.reason.changingMessage { $0.withoutMiddle() }
        return failure
    }
}
