/// Why something could not be read from a git repository.
public enum GitProblem: Error, Hashable, Sendable, Codable {
    /// There is no git program.
    case notInstalled
    /// The file lies in no git work tree and no bare repository.
    case noRepository
    /// The repository belongs to another user, and git's `safe.directory` does not name it.
    case unsafe
    /// The repository has no commit.
    case noCommits
    /// The file is in none of the commits that lead to the current one.
    case neverCommitted
    /// The repository has no such commit.
    case noSuchCommit(String)
    /// A commit has no such file.
    case notInCommit(path: String, commit: String)
    /// A symbolic link, of which a commit has only where it leads.
    case link
    /// A file that holds several documents.
    case severalDocuments
    /// Under that name a commit has a folder, or another repository.
    case noFile
    /// The content is in a repository that this one was cloned from without it.
    case notHere
    /// What is there is only the name of a file that Git LFS keeps elsewhere.
    case largeFilePointer
    /// A named pipe or a device in the place of a file of git's own.
    case isSpecialFile(path: String, SpecialFile)
    /// Git did nothing for that long, and was ended.
    case noAnswer(seconds: Int, folder: String)
    /// A document that unpacks to more than this program may have git unpack, in bytes.
    case tooLarge(limit: Int)
    /// The system did not start git, for this reason.
    case notStarted(message: String)
    /// Anything else that git says.
    case failed(message: String)
}
