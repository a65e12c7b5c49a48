/// A committed state of a document.
public struct DocumentRevision: Sendable, Hashable, Codable {
    /// The hash of the commit, in full.
    public var commit: String
    /// The name of who wrote it.
    public var author: String
    /// When it was written, in ISO 8601 with the author's time zone.
    public var date: String
    /// The first line of its message.
    public var subject: String
    /// Where the file was then, from the root of the repository.
    public var path: String
    /// The hash as far as it is needed to tell the commit from others.
    public var shortCommit: String
    /// Why it was not found out whether the file had another name before this commit, which has it under a new one; nil
    /// where it was, or there was nothing to find out.
    public var unsearchedRenames: UnsearchedRenames?

    /// Makes a revision from its parts.
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

    /// Reads a revision, whose short hash is not written.
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

/// Why renames were not looked for in a commit.
public enum UnsearchedRenames: Sendable, Hashable, Codable {
    /// The commit adds and removes so many files that to compare them all would take too long.
    case tooManyFiles(added: Int, removed: Int)
    /// Contents that would have to be compared are not here.
    case contentsMissing
}
