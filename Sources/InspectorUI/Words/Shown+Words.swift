import DisplayText
import DocumentModel
import MigrationCore

// What the screens show of names and messages that may be of any length: drawing must not take longer for them.

extension DocumentPath {
    /// The path with the middle of long names left out.
    var shown: DocumentPath {
        DocumentPath(
            components.map {
                if case .key(let name) = $0 { .key(name.withoutMiddle(most: Self.longestName)) } else { $0 }
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
