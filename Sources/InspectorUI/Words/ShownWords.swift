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

extension DocumentNode {
    /// A description of what holds this document inside another one; nil for any other value.
    var heldWords: String? {
        guard let form = heldForm else { return nil }
        return isKeyedArchive ? "\(form.words), \(Reason.archiveWords(type: archivedClass))" : form.words
    }
}

extension EmbeddedForm {
    fileprivate var words: String {
        switch self {
        case .text: "in a string"
        case .data: "in data"
        case .base64: "in base64"
        }
    }
}

extension RunProgress {
    /// Returns what is running, for how long, and how to stop it.
    func words(_ glyphs: Glyphs) -> String { "\(words(arrow: glyphs.arrow)); \(InspectorKey.stop.name()) stops it" }

    /// A word shown in place of the outcome while there is none.
    static let word = "running"
}
