/// A committed state of a document.
public struct DocumentRevision: Sendable, Hashable, Codable {
    /// The full hash of the commit.
    public var commit: String
    /// The name of the author.
    public var author: String
    /// The author date, in ISO 8601 with the author's time zone.
    public var date: String
    /// The committer date, in the same form. States are ordered by it.
    public var committed: String
    /// The first line of the commit message.
    public var subject: String
    /// The path of the file at that time, from the root of the repository.
    public var path: String
    /// The commits of the states that this one was made from, the one on its own line first.
    public var parents: [String]
    /// 0 for the states that lead to the present content, and another number for each side of a merge.
    public var lane: Int
    /// The change of the file in this commit.
    public var change: Change
    /// The abbreviated hash that still identifies the commit.
    public var shortCommit: String
    /// The reason why a rename of the file in this commit could not be detected; nil if the search was complete or
    /// unnecessary.
    public var unsearchedRenames: UnsearchedRenames?
    /// The path that the commit gave to the file if it is not there any more because it was renamed.
    public var renamedTo: String?
    /// Whether the clone lacks the older commits, so that earlier states may be missing.
    public var isInShallowClone = false

    /// The change of a file in a commit.
    public enum Change: String, Sendable, Hashable, Codable {
        /// The file was created or changed.
        case modified
        /// The file had another path before.
        case renamed
        /// The file is not there any more, was renamed, or is no longer a file.
        case deleted
    }

    /// Creates a revision.
    ///
    /// - Parameter committed: The committer date; nil if it is the author date.
    public init(
        commit: String, shortCommit: String, author: String, date: String, committed: String? = nil, subject: String,
        path: String, parents: [String] = [], lane: Int = 0, change: Change = .modified
    ) {
        self.commit = commit
        self.shortCommit = shortCommit
        self.author = author
        self.date = date
        self.committed = committed ?? date
        self.subject = subject
        self.path = path
        self.parents = parents
        self.lane = lane
        self.change = change
    }

    /// Whether this is the first state in a shallow clone.
    public var isAtBorder: Bool { isInShallowClone && parents.isEmpty }

    /// Whether the states before this one are known: the clone has them, and renames were searched for.
    package var knowsPast: Bool { !isAtBorder && unsearchedRenames == nil }

    /// Whether the state is on a side of a merge. A shallow clone does not show that.
    package var isOnSide: Bool { lane > 0 && !isInShallowClone }

    /// The day of the committer date, as `2024-03-01`.
    public var day: String { String(committed.prefix(10)) }

    private enum CodingKeys: CodingKey {
        case commit, author, date, committed, subject, path, parents, lane, change, renamedTo, unsearchedRenames
    }

    /// Reads a revision. The abbreviated hash is not part of it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let commit = try container.decode(String.self, forKey: .commit)
        self.init(
            commit: commit, shortCommit: String(commit.prefix(7)),
            author: try container.decode(String.self, forKey: .author),
            date: try container.decode(String.self, forKey: .date),
            // Earlier reports have none of these.
            committed: try container.decodeIfPresent(String.self, forKey: .committed),
            subject: try container.decode(String.self, forKey: .subject),
            path: try container.decode(String.self, forKey: .path),
            parents: try container.decodeIfPresent([String].self, forKey: .parents) ?? [],
            lane: try container.decodeIfPresent(Int.self, forKey: .lane) ?? 0,
            change: try container.decodeIfPresent(Change.self, forKey: .change) ?? .modified)
        renamedTo = try container.decodeIfPresent(String.self, forKey: .renamedTo)
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
