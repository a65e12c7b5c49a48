/// A committed state of a document.
public struct DocumentRevision: Sendable, Hashable, Codable {
    /// The full hash of the commit.
    public var commit: String
    /// The name of the author.
    public var author: String
    /// The author date, in ISO 8601 with the author's time zone.
    public var date: String
    /// The first line of the commit message.
    public var subject: String
    /// The path of the file at that time, from the root of the repository.
    public var path: String
    /// The abbreviated hash that still identifies the commit.
    public var shortCommit: String
    /// The reason why a rename of the file in this commit could not be detected; nil if the search was complete or
    /// unnecessary.
    public var unsearchedRenames: UnsearchedRenames?

    /// Creates a revision.
    public init(commit: String, shortCommit: String, author: String, date: String, subject: String, path: String) {
        self.commit = commit
        self.shortCommit = shortCommit
        self.author = author
        self.date = date
        self.subject = subject
        self.path = path
    }

    /// The day, as `2024-03-01`.
    public var day: String { String(date.prefix(10)) }

    private enum CodingKeys: CodingKey { case commit, author, date, subject, path, unsearchedRenames }

    /// Reads a revision. The abbreviated hash is not part of it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        commit = try container.decode(String.self, forKey: .commit)
        author = try container.decode(String.self, forKey: .author)
        date = try container.decode(String.self, forKey: .date)
        subject = try container.decode(String.self, forKey: .subject)
        path = try container.decode(String.self, forKey: .path)
        shortCommit = String(commit.prefix(7))
        unsearchedRenames = try container.decodeIfPresent(UnsearchedRenames.self, forKey: .unsearchedRenames)
    }
}

/// The reason why a commit was not searched for renames.
public enum UnsearchedRenames: Sendable, Hashable, Codable {
    /// The commit adds and removes too many files to compare them in reasonable time.
    case tooManyFiles(added: Int, removed: Int)
    /// Contents that would have to be compared are missing from the repository.
    case contentsMissing
}
