import DocumentModel
import MigrationCore

/// A document that was found, before anything else is known about it.
public struct FoundDocument: Hashable, Sendable, Identifiable {
    /// Identifies a document for as long as the program runs. The program that finds documents assigns the IDs; an
    /// ``Inspector`` only compares them and passes them back.
    public struct ID: Hashable, Sendable {
        public let number: Int

        public init(_ number: Int) { self.number = number }
    }

    public let id: ID
    /// The name by which the program can find the document again.
    public var name: String
    /// The heading in the list: the folder relative to what was opened (`poems/`), or the file that holds several
    /// documents (`poems/all.jsonl`). Consecutive documents with the same heading are listed under it. Empty for a
    /// document that was opened directly.
    public var heading: String
    /// A name that is unique under the heading: `rating-9.json`, `line 12`.
    public var displayName: String
    /// A name that is unique among all documents, for use as a title: `poems/rating-9.json`, `poems/all.jsonl#L12`.
    public var title: String
    /// The number of the document's first line in its file; nil if the file has no lines.
    public var firstLine: Int?
    /// The commit that the document was read from; nil for a document that is not from a commit.
    public var revision: DocumentRevision?
    /// Whether the document is not there in this state of its history.
    public var isAbsent: Bool
    /// The name of the file whose states have this one among them, once any are found.
    public var history: String

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - displayName: The same as `name` if nil.
    ///   - title: `heading` followed by `displayName` if nil.
    ///   - firstLine: The number of the document's first line in its file.
    ///   - revision: The commit that the document was read from.
    ///   - isAbsent: Whether the document is not there; if nil, whether the commit deletes it.
    ///   - history: The name of the file that the document is a state of; `name` if nil.
    public init(
        id: ID, name: String, heading: String = "", displayName: String? = nil, title: String? = nil,
        firstLine: Int? = 1,
        revision: DocumentRevision? = nil, isAbsent: Bool? = nil, history: String? = nil
    ) {
        self.revision = revision
        self.isAbsent = isAbsent ?? (revision?.change == .deleted)
        self.history = history ?? name
        self.id = id
        self.name = name
        self.heading = heading
        self.displayName = displayName ?? name
        self.title = title ?? heading + self.displayName
        self.firstLine = firstLine
    }
}

extension FoundDocument {
    /// Whether the document is a row of a store, or another part of a file that keeps its name when others come or go.
    /// The heading of a document that is a whole file is a folder.
    var isRow: Bool {
        firstLine == nil && revision == nil && !heading.isEmpty && heading.utf8.last != UInt8(ascii: "/")
    }

    /// The folder of the file that holds the document, under which the file is listed.
    var folderOfFile: String {
        let heading = heading.unicodeScalars
        return String(heading[..<(heading.lastIndex(of: "/") ?? heading.startIndex)])
    }
}

/// Files that were skipped because they are not documents, and the reason.
public struct LeftOut: Hashable, Sendable {
    /// The reason, as it follows a number: "hidden", "not documents".
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
