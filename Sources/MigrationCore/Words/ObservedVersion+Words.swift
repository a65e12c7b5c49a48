import DocumentModel

extension ObservedVersion {
    /// The version and where it was observed: `version 2, observed at $.lockfileVersion`.
    package var words: String {
        path.map { "version \(version), observed at \($0)" } ?? "no version observed"
    }

    /// What it means that a version is only observed.
    package static let meaning = "no chain, so nothing migrates"
}

extension DocumentVersion {
    /// Returns whether the version comes before another in a list: by its numbers, as in a file name.
    package func isObserved(before other: DocumentVersion) -> Bool {
        if (self == .unversioned) != (other == .unversioned) { return self == .unversioned }
        if let number, let otherNumber = other.number { return number < otherNumber }
        if (number == nil) != (other.number == nil) { return number != nil }
        return DocumentOrder.precedes(description, other.description)
    }
}
