/// What came of opening a document.
public enum MigrationOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The document was of the newest version already.
    case current
    /// The document was carried forward to the newest version.
    case migrated
    /// The document could not be parsed, decoded or carried forward.
    case failed
    /// No chain, or more than one, claims the document.
    case unrecognized
    /// The document could not be read at all.
    case unreadable
}
