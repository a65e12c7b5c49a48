import DocumentModel
import MigrationCore

/// A document that was found, before anything is known about it.
public struct FoundDocument: Hashable, Sendable, Identifiable {
    /// Tells a document from all others for as long as the program runs. The program that finds documents gives it to
    /// them; an ``Inspector`` compares it and hands it back.
    public struct ID: Hashable, Sendable {
        public let number: Int

        public init(_ number: Int) { self.number = number }
    }

    public let id: ID
    /// The name by which the program finds it again.
    public var name: String
    /// Where it lies below what was opened: a folder (`poems/`), or a file that holds several documents
    /// (`poems/all.jsonl`). Documents that follow each other in one place stand below its name in the list. Empty for
    /// what was opened itself.
    public var place: String
    /// The name that tells it from the others in that place: `rating-9.json`, `line 12`.
    public var displayName: String
    /// The name that tells it from all others, for a title: `poems/rating-9.json`, `poems/all.jsonl#L12`.
    public var title: String
    /// The number of its first line in the file that it lies in; nil where that has no lines.
    public var firstLine: Int?
    /// The commit that it lies in; nil where it lies in none.
    public var revision: DocumentRevision?

    /// A document in a place.
    ///
    /// - Parameters:
    ///   - displayName: The same as `name` if nil.
    ///   - title: `place` and `displayName` one behind the other if nil.
    ///   - firstLine: The number of its first line in its file.
    ///   - revision: The commit that it lies in.
    public init(
        id: ID, name: String, place: String = "", displayName: String? = nil, title: String? = nil, firstLine: Int? = 1,
        revision: DocumentRevision? = nil
    ) {
        self.revision = revision
        self.id = id
        self.name = name
        self.place = place
        self.displayName = displayName ?? name
        self.title = title ?? place + self.displayName
        self.firstLine = firstLine
    }
}

/// Files that are not documents, and why.
public struct LeftOut: Hashable, Sendable {
    /// The reason, as it goes on after a number: "hidden", "not documents".
    public var reason: String
    public var count: Int

    public init(_ reason: String, count: Int) {
        self.reason = reason
        self.count = count
    }
}

/// The result of a check in the background.
public struct CheckedDocument: Sendable {
    public var document: FoundDocument.ID
    public var result: CheckResult

    public init(_ document: FoundDocument.ID, result: CheckResult) {
        self.document = document
        self.result = result
    }
}
