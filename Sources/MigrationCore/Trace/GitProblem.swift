/// Why something could not be read from a git repository.
public enum GitProblem: Error, Hashable, Sendable, Codable {
    /// Git is not installed.
    case notInstalled
    /// The file is not in a git work tree or a bare repository.
    case noRepository
    /// The repository belongs to another user and is not listed in git's `safe.directory`.
    case unsafe
    /// The repository has no commits.
    case noCommits
    /// The file is not in any commit that leads to the current one.
    case neverCommitted
    /// The file is not in any commit of this shallow clone.
    case beforeShallow
    /// No state of the file or folder is as old as this day. The first one is of the other day, if there is any. A
    /// shallow clone lacks earlier states.
    case noState(day: String, first: String?, isShallow: Bool)
    /// The repository has no such commit.
    case noSuchCommit(String)
    /// The commit has no such file.
    case notInCommit(path: String, commit: String)
    /// The file is a symbolic link. Commits store only the target of a link.
    case link
    /// The file holds several documents.
    case severalDocuments
    /// The name is that of a folder, or of another repository, in the commit.
    case noFile
    /// The file is not there in this state of its history.
    case absent(Absence)
    /// The content was left out when this repository was cloned, and is only in the original.
    case notHere
    /// The content is a Git LFS pointer to a file stored elsewhere.
    case largeFilePointer
    /// One of git's own files is a named pipe or a device.
    case isSpecialFile(path: String, SpecialFile)
    /// Git made no progress for this long, and was terminated.
    case noAnswer(seconds: Int, folder: String)
    /// The document unpacks to more than git may unpack for this program, in bytes.
    case tooLarge(limit: Int)
    /// The system could not start git, for this reason.
    case notStarted(message: String)
    /// Any other error message of git.
    case failed(message: String)

    /// What a commit has in place of a file.
    public enum Absence: Hashable, Sendable, Codable {
        /// Nothing.
        case deleted
        /// The same file under another path.
        case renamed(to: String)
        /// A symbolic link.
        case link
        /// A folder.
        case folder
        /// Another repository.
        case submodule
        /// The file, but without the row or line that the document is.
        case withoutPart
    }
}
