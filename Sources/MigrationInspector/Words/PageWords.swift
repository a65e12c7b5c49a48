import DocumentModel

/// The words of a page that no other report has.
enum PageWords {
    /// The signs of a page with their meanings.
    static let legend: [(sign: String, meaning: String)] = [
        (sign(.added), name(.added)), (sign(.removed), name(.removed)), (sign(.changed), name(.changed)),
        (sign(.moved), name(.moved)), ("←", "the value from which a step made the new one"),
        ("●", "the version of the document"), ("○", "another version"), ("✓", "this succeeded"),
        ("✗", "this failed"), ("!", "lost or narrowed"), ("?", "not known, because it could not be examined"),
    ]

    /// The sign of a change.
    static func sign(_ kind: DocumentChange.Kind) -> String {
        switch kind {
        case .added: "+"
        case .removed: "−"
        case .changed: "~"
        case .moved: "→"
        }
    }

    /// The name of a kind of change.
    static func name(_ kind: DocumentChange.Kind) -> String {
        switch kind {
        case .added: "added"
        case .removed: "removed"
        case .changed: "changed"
        case .moved: "moved or renamed"
        }
    }
}
