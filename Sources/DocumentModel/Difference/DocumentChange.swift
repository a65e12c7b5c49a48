/// One thing that is different between two documents, as a trace reports it.
public struct DocumentChange: Sendable {
    /// What happened to a value.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// It is only in the new document.
        case added
        /// It is only in the old document.
        case removed
        /// Another value stands in its place.
        case changed
        /// It stands at another place: it was renamed, or went elsewhere.
        case moved
    }

    /// What happened.
    public let kind: Kind
    /// Where: in the new document, for a removed value in the old one.
    public let path: DocumentPath
    /// Where a moved value was in the old document; nil for any other change.
    public let from: DocumentPath?
    /// The value in the old document; nil for an added one.
    public let old: DocumentNode?
    /// The value in the new document; nil for a removed one.
    public let new: DocumentNode?
}
