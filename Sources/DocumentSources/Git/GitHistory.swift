import DocumentModel
import Foundation
import MigrationCore

/// The committed states of one file, newest first, preceded by the current file if it differs from them.
struct GitHistory: Sendable {
    let repository: GitRepository
    /// The file's name as it was given.
    let file: FilePath
    /// The file's current path from the root of the repository.
    let path: FilePath
    /// Whether to leave out the current file.
    private let isCommittedOnly: Bool
    /// Names files in commits so that the names can be resolved again.
    private let naming: GitNaming

    /// Creates the history of a file in a work tree or a bare repository. The file itself may no longer exist.
    ///
    /// - Parameter isCommittedOnly: Whether to leave out the current file.
    init(of file: FilePath, isCommittedOnly: Bool = false) throws(GitProblem) {
        self.isCommittedOnly = isCommittedOnly
        if FileStatus.isLink(file) { throw .link }
        if FileStatus(path: file)?.isFolder == true { throw .noFile }
        if let ending = DocumentEnding(file), ending != .document { throw .severalDocuments }
        (repository, path) = try GitNaming.locate(file)
        self.file = file
        naming = GitNaming(repository)
    }

    /// A commit as reported by `git log`.
    private struct Commit {
        let hash: String
        let shortHash: String
        /// The nearest earlier commits that touched the file under that path, one for each line of history.
        var earlier: [String]
        let author: String
        let date: String
        let subject: String
    }

    /// Delivers the states.
    ///
    /// - Returns: The number of commits that removed the file.
    func find(isCancelled: () -> Bool, _ deliver: (DocumentReference) -> Void) throws(GitProblem) -> Int {
        // Commits to start from, each with the path of the file in that commit and the ones before it.
        var starts: [(commit: String, path: FilePath)] = [("HEAD", path)]
        var known: Set<String> = []
        var (removals, count, otherCount) = (0, 0, 0)
        var isFirst = true
        while let start = starts.popLast() {
            var commits = try self.commits(from: start.commit, touching: start.path, isCancelled).commits
            if isFirst {
                isFirst = false
                if !isCommittedOnly, let changed = try changedFile { deliver(changed) }
            }
            var index = 0
            while index < commits.count {
                if isCancelled() { return removals }
                let commit = commits[index]
                index += 1
                guard known.insert("\(commit.hash):\(start.path)").inserted else { continue }
                guard let entry = try repository.entry(at: start.path, in: commit.hash) else {
                    removals += 1
                    continue
                }
                guard case .file(let blob) = entry else {
                    otherCount += 1
                    continue
                }
                count += 1
                let (renames, unsearched) = try self.renames(to: start.path, in: commit, isCancelled)
                var earlier = commit.earlier
                for (parent, name) in renames {
                    // Commits before that parent are about a different file that had this name earlier.
                    let behind = Set(
                        try self.commits(from: parent, touching: start.path, isCancelled).commits.map(\.hash))
                    commits = commits[..<index] + commits[index...].filter { !behind.contains($0.hash) }
                    earlier.removeAll(where: behind.contains)
                    if let last = try self.commits(from: parent, touching: name, isCancelled).last {
                        earlier.append(last)
                    }
                    starts.append((parent, name))
                }
                deliver(document(commit, start.path, blob, earlier: earlier, unsearched))
            }
        }
        if count == 0, otherCount > 0 { throw .noFile }
        if count == 0, removals == 0, FileStatus(path: file) == nil { throw .neverCommitted }
        return removals
    }

    private func document(
        _ commit: Commit, _ path: FilePath, _ blob: GitRepository.ObjectID, earlier: [String],
        _ unsearched: UnsearchedRenames?
    ) -> DocumentReference {
        var revision = DocumentRevision(
            commit: commit.hash, shortCommit: commit.shortHash, author: commit.author, date: commit.date,
            subject: commit.subject, path: path.description)
        revision.unsearchedRenames = unsearched
        return GitFile(
            repository: repository, file: naming.name(of: path), blob: blob, revision: revision, history: file,
            earlier: earlier
        )
        .document(in: commit.shortHash)
    }

    /// The current file; nil if it is gone or has the same bytes as in the current commit.
    private var changedFile: DocumentReference? {
        get throws(GitProblem) {
            guard let status = FileStatus(path: file), !status.isFolder else { return nil }
            let packed = try? GzipFile.source(in: FoundFile(file, isGiven: true))
            let now = DocumentReference(packed ?? WholeFile(file: file))
            guard let head = try head, let bytes = try? OpenFile(path: file).bytes(DocumentReading()),
                case .file(let blob)? = try repository.entry(at: path, in: head)
            else { return now }
            let committed = try repository.content(of: blob)
            return committed.data == bytes.data ? nil : now
        }
    }

    /// The current commit, or nil if the repository has no commits yet.
    private var head: String? {
        get throws(GitProblem) {
            do throws(GitProblem) {
                return String(
                    decoding: try repository.run(["rev-parse", "--verify", "--quiet", "HEAD"]).dropLast(), as: UTF8.self
                )
            } catch {
                guard case .failed = error else { throw error }
                return nil
            }
        }
    }

    // MARK: - Output of git

    /// Returns the commits that changed the content at a path, newest first, on all sides of merges. Merges are
    /// included only if their content differs from that of every merged commit. Returns none if the repository has no
    /// commits. `last` is the commit that produced the content at the path as of `start`.
    private func commits(
        from start: String, touching path: FilePath, _ isCancelled: () -> Bool
    ) throws(GitProblem) -> (commits: [Commit], last: String?) {
        let arguments: [FilePath] = [
            "log", "-z", "--topo-order", "--no-color", "--no-decorate", "--no-notes", "--no-show-signature",
            "--no-mailmap", "--no-ext-diff", "--no-textconv", "--no-renames", "--encoding=UTF-8",
            // Include sides that a merge took nothing from, and rewrite parents to commits that are listed.
            "--full-history", "--simplify-merges", "--parents", "--format=%H%x00%h%x00%P%x00%an%x00%aI%x00%s",
            "--end-of-options", FilePath(start), "--", path,
        ]
        let answer: [UInt8]
        do {
            answer = try repository.run(arguments, isCancelled: isCancelled)
        } catch {
            if case .noAnswer = error { throw error }
            // HEAD leads nowhere in a repository without commits.
            if start == "HEAD", try head == nil { return ([], nil) }
            throw error
        }
        let fields = answer.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let commits = stride(from: 0, to: fields.count - 5, by: 6).map { index in
            Commit(
                hash: fields[index], shortHash: fields[index + 1],
                earlier: fields[index + 2].split(separator: " ").map(String.init), author: fields[index + 3],
                date: fields[index + 4], subject: fields[index + 5])
        }
        return try withoutEmptyMerges(commits, path)
    }

    /// Returns the commits without merges whose content at the path is that of a merged commit, which then represents
    /// the merge.
    private func withoutEmptyMerges(
        _ commits: [Commit], _ path: FilePath
    ) throws(GitProblem) -> (commits: [Commit], last: String?) {
        var standIns: [String: String] = [:]
        for merge in commits where merge.earlier.count > 1 {
            let content = try repository.entry(at: path, in: merge.hash)
            for parent in merge.earlier where try repository.entry(at: path, in: parent) == content {
                standIns[merge.hash] = parent
                break
            }
        }
        func standIn(_ hash: String) -> String {
            var hash = hash
            while let standIn = standIns[hash] { hash = standIn }
            return hash
        }
        let kept = commits.filter { standIns[$0.hash] == nil }.map { commit in
            var commit = commit
            commit.earlier = commit.earlier.map(standIn).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            return commit
        }
        return (kept, commits.first.map { standIn($0.hash) })
    }

    /// Returns the parents of a commit in which the file had a different path, and that path, as far as git detects it
    /// by comparing contents. Also returns why contents were not compared with a parent.
    private func renames(
        to path: FilePath, in commit: Commit, _ isCancelled: () -> Bool
    ) throws(GitProblem) -> (found: [(parent: String, path: FilePath)], unsearched: UnsearchedRenames?) {
        var found: [(parent: String, path: FilePath)] = []
        var unsearched: UnsearchedRenames?
        for parent in try repository.parents(of: commit.hash) {
            do throws(GitProblem) {
                guard try repository.entry(at: path, in: parent) == nil else { continue }
                let (name, problem) = try earlierName(of: path, from: parent, to: commit.hash, isCancelled)
                if let name, case .file? = try repository.entry(at: name, in: parent) { found.append((parent, name)) }
                unsearched = problem ?? unsearched
            } catch {
                guard error == .notHere else { throw error }
                // The parents of a shallow clone's oldest commit are missing, which is reported for the whole history.
                if !repository.isShallow { unsearched = .contentsMissing }
            }
        }
        return (found, unsearched)
    }

    /// The limit of git's search for renames. git first pairs files with equal contents and names. If the remaining
    /// pairs of an added and a removed file outnumber the square of this limit, it doesn't compare them: the time grows
    /// with the number of pairs, and large files would take hours. It is git's own limit (`diff.renameLimit` in
    /// git-config(1)), so that the renames found here are those that `git log` shows.
    private static let renameLimit = 1000

    /// Returns the name that a file had before a commit renamed it, or nil if the commit added the file, as far as git
    /// compared contents.
    private func earlierName(
        of path: FilePath, from parent: String, to commit: String, _ isCancelled: () -> Bool
    ) throws(GitProblem) -> (name: FilePath?, unsearched: UnsearchedRenames?) {
        let answer = try repository.run(
            [
                "diff-tree", "-r", "-M", FilePath("-l\(Self.renameLimit)"), "--diff-filter=ADR", "--name-status", "-z",
                "--no-color", "--no-ext-diff", "--no-textconv", "--end-of-options", FilePath(parent), FilePath(commit),
            ], isCancelled: isCancelled)
        // The output is R with a similarity, the old name and the new name, or A or D with one name. Each is followed
        // by a zero byte.
        var fields = answer.split(separator: 0)[...]
        var (added, removed) = (0, 0)
        while let sign = fields.popFirst(), let name = fields.popFirst() {
            switch sign.first {
            case UInt8(ascii: "A"): added += 1
            case UInt8(ascii: "D"): removed += 1
            default: if fields.popFirst()?.elementsEqual(path.bytes) == true { return (FilePath(name), nil) }
            }
        }
        let isWhole = added.multipliedReportingOverflow(by: removed).partialValue <= Self.renameLimit * Self.renameLimit
        return (nil, isWhole ? nil : .tooManyFiles(added: added, removed: removed))
    }
}

/// The names of files in commits: `COMMIT:PATH`, in git's own notation.
struct GitNaming: Sendable {
    /// The prefix of paths from the root of the repository.
    private let prefix: FilePath

    /// Creates names for the files of a repository: paths from its root if the program runs inside it, or else whole
    /// paths.
    init(_ repository: GitRepository) {
        let here = try? GitRepository.containing(.currentFolder)
        prefix = here?.gitFolder == repository.gitFolder ? "" : repository.root.appending("")
    }

    /// Returns the name of the file at a path from the root.
    func name(of path: FilePath) -> FilePath { FilePath(prefix.bytes + path.bytes) }

    /// Returns the repository that contains or contained a file, and the file's path from its root.
    static func locate(_ file: FilePath) throws(GitProblem) -> (GitRepository, FilePath) {
        // The file, and folders on its path, may be gone.
        var missing: [FilePath] = [file.lastComponent]
        var folder = file.folder.bytes.isEmpty ? FilePath.currentFolder : file.folder
        while FileStatus(path: folder)?.isFolder != true, folder != .currentFolder, folder != "/" {
            let trimmed = FilePath(
                folder.bytes.last == UInt8(ascii: "/") ? Array(folder.bytes.dropLast()) : folder.bytes)
            missing.insert(trimmed.lastComponent, at: 0)
            folder = trimmed.folder.bytes.isEmpty ? .currentFolder : trimmed.folder
        }
        let repository = try GitRepository.containing(folder)
        guard let real = folder.resolved,
            let path = repository.path(of: missing.reduce(real) { $0.appending($1) })
        else { throw .noRepository }
        return (repository, path)
    }

    /// Returns the file that `COMMIT:PATH` names, or nil if the name has a different form.
    static func document(named name: FilePath) throws(GitProblem) -> DocumentReference? {
        let bytes = name.bytes
        // A colon in braces belongs to the commit: HEAD@{2024-01-31 12:00:00}.
        var depth = 0
        let end = bytes.firstIndex { byte in
            if byte == UInt8(ascii: "{") { depth += 1 }
            if byte == UInt8(ascii: "}") { depth -= 1 }
            return byte == UInt8(ascii: ":") && depth <= 0
        }
        guard let colon = end, colon > 0, colon + 1 < bytes.count,
            let commitName = String(validating: bytes[..<colon], as: UTF8.self)
        else { return nil }
        let rest = FilePath(bytes[(colon + 1)...])
        let isFile = rest.isAbsolute || ["./", "../"].contains { rest.bytes.starts(with: $0.utf8) }
        let (repository, path) = isFile ? try locate(rest) : (try GitRepository.containing(.currentFolder), rest)
        let commit = try repository.commit(named: commitName)
        switch try repository.entry(at: path, in: commit) {
        case .file(let blob)?:
            return GitFile(repository: repository, file: rest, blob: blob).document(in: commitName)
        case .other?: throw .noFile
        case nil: throw .notInCommit(path: path.description, commit: commitName)
        }
    }
}
