import DocumentModel
import Foundation
import MigrationCore

/// The committed states of one file, or of documents in a file, newest first, preceded by the current one if it differs
/// from them.
struct GitHistory: Sendable {
    let repository: GitRepository
    /// The name as it was given: `FILE`, `COMMIT:FILE`, or either followed by `#` and a document in the file.
    let name: FilePath
    /// The file.
    let file: FilePath
    /// The documents in the file: the name of each after `#`, and that of its history. Empty if the file is the document.
    let parts: [(name: String, history: FilePath)]
    /// The commit to start from.
    private(set) var start: String
    /// The file's path from the root of the repository, in that commit.
    private(set) var path: FilePath
    /// Whether to leave out the current file.
    let isCommittedOnly: Bool
    /// Names files in commits so that the names can be resolved again.
    private let naming: GitNaming

    /// Creates the history of a file in a work tree or a bare repository, up to the current commit or the one that is
    /// named. The file itself may no longer exist.
    ///
    /// - Parameters:
    ///   - parts: The names of the documents in the file, after `#`; empty for the file or the document that is named.
    ///   - isCommittedOnly: Whether to leave out the current file.
    init(of name: FilePath, parts: [String] = [], isCommittedOnly: Bool = false) throws(GitProblem) {
        if FileStatus(path: name) == nil {
            if let (file, part) = Self.container(in: name) {
                try self.init(name, file: file, parts: [(part, name)], isCommittedOnly: isCommittedOnly)
                return
            }
            if let place = try GitNaming.place(named: name) {
                try self.init(name, at: place)
                return
            }
        }
        let parts = parts.map { ($0, name + "#\($0)") }
        try self.init(name, file: name, parts: parts, isCommittedOnly: isCommittedOnly)
    }

    private init(
        _ name: FilePath, file: FilePath, parts: [(name: String, history: FilePath)], isCommittedOnly: Bool
    ) throws(GitProblem) {
        if FileStatus.isLink(file) { throw .link }
        if FileStatus(path: file)?.isFolder == true { throw .noFile }
        let (repository, path) = try GitNaming.locate(file)
        self.init(
            name, repository, file: file, path: path, parts: parts, start: "HEAD", isCommittedOnly: isCommittedOnly)
    }

    /// Creates the history of a file up to a commit.
    ///
    /// - Parameters:
    ///   - name: The name for reports.
    ///   - parts: The names of the documents in the file, after `#`; empty for the file or the document at the place.
    init(_ name: FilePath, at place: GitNaming.Place, parts: [String] = []) throws(GitProblem) {
        var (file, parts) = (place, parts.map { (name: $0, history: name + "#\($0)") })
        if try place.entry == nil {
            for (container, part) in place.containers {
                guard case .file? = try container.entry else { continue }
                (file, parts) = (container, [(part, name)])
                break
            }
        }
        switch try file.entry {
        case .other(.link)?: throw .link
        case .other?: throw .noFile
        case .file?, nil: break
        }
        self.init(
            name, place.repository, file: file.written, path: file.path, parts: parts, start: place.commit,
            isCommittedOnly: true)
    }

    private init(
        _ name: FilePath, _ repository: GitRepository, file: FilePath, path: FilePath,
        parts: [(name: String, history: FilePath)], start: String, isCommittedOnly: Bool
    ) {
        (self.name, self.repository, self.file, self.path) = (name, repository, file, path)
        (self.parts, self.start, self.isCommittedOnly) = (parts, start, isCommittedOnly)
        naming = GitNaming(repository)
    }

    /// Returns the history up to a commit.
    ///
    /// - Parameter path: The file's path in that commit.
    func ending(at commit: String, named path: FilePath) -> GitHistory {
        var history = self
        (history.start, history.path) = (commit, path)
        return history
    }

    /// Whether the history ends at a commit that was named, whatever is on the disk.
    var isOfCommit: Bool { start != "HEAD" }

    /// Returns the existing file with the longest name that `name` begins with, and the rest after a `#`.
    private static func container(in name: FilePath) -> (file: FilePath, part: String)? {
        let bytes = name.bytes
        for mark in bytes.indices.reversed() where bytes[mark] == UInt8(ascii: "#") {
            let file = FilePath(bytes[..<mark])
            guard let status = FileStatus(path: file), !status.isFolder,
                let part = String(validating: bytes[(mark + 1)...], as: UTF8.self)
            else { continue }
            return (file, part)
        }
        return nil
    }

    /// A commit as reported by `git log`.
    private struct Commit {
        let hash: String
        let shortHash: String
        /// The nearest earlier commits that touched the file under that path, one for each line of history.
        var earlier: [String]
        let author: String
        let date: String
        let committed: String
        let subject: String
    }

    /// The lines of history. Line 0 leads to the present content: it follows the first parent, unless a merge took the
    /// content of another one.
    struct Lanes {
        /// The lanes of commits that a later state was made from, by hash.
        private var known: [String: Int] = [:]
        private var count = 1

        /// - Parameter newest: The commit with the present content.
        init(newest: String?) { if let newest { known[newest] = 0 } }

        /// Returns the lane of a state, and continues it with the states that it was made from. All later states must
        /// have been placed before.
        mutating func place(_ commit: String, before earlier: [String]) -> Int {
            let lane = known[commit] ?? new()
            for (number, commit) in earlier.enumerated() {
                // Where sides part, the earlier states belong to the line that leads to the present.
                known[commit] = min(number == 0 ? lane : new(), known[commit] ?? .max)
            }
            return lane
        }

        private mutating func new() -> Int {
            defer { count += 1 }
            return count
        }
    }

    /// Delivers the states.
    func find(isCancelled: () -> Bool, _ deliver: (DocumentReference) -> Void) throws(GitProblem) {
        if parts.isEmpty { return try findFiles(isCancelled: isCancelled, deliver) }
        var states: [DocumentReference] = []
        try findFiles(isCancelled: isCancelled) { states.append($0) }
        if isCancelled() { return }
        let found = statesOfParts(among: states, isCancelled)
        if found.isEmpty, !isCancelled() { throw .neverCommitted }
        found.forEach(deliver)
    }

    /// Delivers the states of the file.
    private func findFiles(isCancelled: () -> Bool, _ deliver: (DocumentReference) -> Void) throws(GitProblem) {
        // Commits to start from, each with the path of the file in that commit and the ones before it.
        var starts: [(commit: String, path: FilePath)] = [(start, path)]
        var known: Set<String> = []
        var (isEmpty, lanes) = (true, Lanes(newest: nil))
        var isFirst = true
        while let start = starts.popLast() {
            var (commits, newest) = try self.commits(from: start.commit, touching: start.path, isCancelled)
            let missing = commits.isEmpty ? [] : try repository.missingContents(at: start.path, from: start.commit)
            if isFirst {
                isFirst = false
                // git finds none if the first parent of a merge without the file never had it, which a shallow clone does
                // not show.
                lanes = Lanes(newest: newest ?? (repository.isShallow ? nil : commits.first?.hash))
                if !isCommittedOnly, let changed = try changedFile { deliver(changed) }
            }
            var index = 0
            while index < commits.count {
                if isCancelled() { return }
                var commit = commits[index]
                index += 1
                guard known.insert("\(commit.hash):\(start.path)").inserted else { continue }
                isEmpty = false
                let entry = try repository.entry(at: start.path, in: commit.hash)
                guard case .file(let blob)? = entry else {
                    let absence: GitProblem.Absence =
                        if case .other(let kind)? = entry {
                            kind
                        } else if let name = laterName(of: start.path, in: commit, isCancelled) {
                            .renamed(to: name.description)
                        } else {
                            .deleted
                        }
                    var revision = revision(
                        commit, start.path, lanes.place(commit.hash, before: commit.earlier), change: .deleted)
                    if case .renamed(let name) = absence { revision.renamedTo = name }
                    deliver(document(revision, start.path, nil).failing(because: .git(.absent(absence))))
                    continue
                }
                let (renames, unsearched) = try self.renames(to: start.path, in: commit, isCancelled)
                var earlier = commit.earlier
                // In a shallow clone, a missing parent may be the one that the content is from, and the first parent may
                // have had the file in the commits before it.
                let parents = try repository.parents(of: commit.hash)
                let isConnected =
                    !repository.isShallow
                    || parents.allSatisfy(repository.hasCommit)
                        && (!earlier.isEmpty || renames.first?.parent == parents.first)
                // The commits before parents in which the file did not have another name.
                var kept: Set<String> = []
                for parent in renames.isEmpty ? [] : parents
                where repository.hasCommit(parent) && !renames.contains(where: { $0.parent == parent }) {
                    kept.formUnion(
                        try self.commits(from: parent, touching: start.path, isCancelled).commits.map(\.hash))
                }
                for (parent, name) in renames {
                    // Other commits before that parent are about a different file that had this name earlier.
                    let behind = Set(
                        try self.commits(from: parent, touching: start.path, isCancelled).commits.map(\.hash)
                    ).subtracting(kept)
                    commits = commits[..<index] + commits[index...].filter { !behind.contains($0.hash) }
                    earlier.removeAll(where: behind.contains)
                    if isConnected, let last = try self.commits(from: parent, touching: name, isCancelled).last {
                        earlier.append(last)
                    }
                    starts.append((parent, name))
                }
                commit.earlier = earlier
                var revision = revision(
                    commit, start.path, lanes.place(commit.hash, before: commit.earlier),
                    change: renames.isEmpty || !kept.isEmpty ? .modified : .renamed)
                revision.unsearchedRenames = unsearched
                let state = document(revision, start.path, blob)
                deliver(missing.contains(blob) ? state.failing(because: .git(.notHere)) : state)
            }
        }
        if isEmpty, isOfCommit || FileStatus(path: file) == nil {
            throw repository.isShallow ? .beforeShallow : .neverCommitted
        }
    }

    private func revision(
        _ commit: Commit, _ path: FilePath, _ lane: Int, change: DocumentRevision.Change
    ) -> DocumentRevision {
        var revision = DocumentRevision(
            commit: commit.hash, shortCommit: commit.shortHash, author: commit.author, date: commit.date,
            committed: commit.committed, subject: commit.subject, path: path.description, parents: commit.earlier,
            lane: lane, change: change)
        // The commits that a shallow clone lacks may have had the file, even if its oldest ones don't.
        revision.isInShallowClone = repository.isShallow
        return revision
    }

    private func document(
        _ revision: DocumentRevision, _ path: FilePath, _ blob: GitRepository.ObjectID?
    ) -> DocumentReference {
        GitFile(
            repository: repository, file: naming.name(of: path), blob: blob, revision: revision, history: name
        )
        .document(in: revision.shortCommit)
    }

    /// The current file; nil if it is gone or has the content of the current commit.
    private var changedFile: DocumentReference? {
        get throws(GitProblem) {
            guard let status = FileStatus(path: file), !status.isFolder else { return nil }
            let now = DocumentReference(
                (try? GzipFile.source(in: FoundFile(file, isGiven: true))) ?? WholeFile(file: file))
            guard status.refusal == nil, let real = file.resolved, let head = try head,
                case .file(let blob)? = try repository.entry(at: path, in: head)
            else { return now }
            if try repository.contentID(of: real) == blob { return nil }
            guard let bytes = try? OpenFile(path: file).bytes(DocumentReading()),
                let committed = try? repository.content(of: blob)
            else { return now }
            return bytes.isText(equalButForLineEndsTo: committed) ? nil : now
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
            // Include sides that a merge took nothing from.
            "--full-history", "--simplify-merges", "--format=%H%x00%h%x00%an%x00%aI%x00%cI%x00%s",
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
        let listed = stride(from: 0, to: fields.count - 5, by: 6).map { index in
            Commit(
                hash: fields[index], shortHash: fields[index + 1], earlier: [], author: fields[index + 2],
                date: fields[index + 3], committed: fields[index + 4], subject: fields[index + 5])
        }
        let earlier = try earlier(of: listed.map(\.hash), touching: path, isCancelled)
        var commits = listed.compactMap { commit -> Commit? in
            guard let earlier = earlier[commit.hash] else { return nil }
            var commit = commit
            commit.earlier = earlier
            return commit
        }
        if repository.isShallow { commits = try connected(commits, path, isCancelled) }
        return (commits, try lastChange(of: path, before: start, isCancelled))
    }

    /// Returns the commits that produced the contents of the parents of each commit, that of the first parent first. At a
    /// merge whose content is that of a merged commit, git follows the first of these, whatever happened on the other
    /// sides; such merges are left out.
    private func earlier(
        of commits: [String], touching path: FilePath, _ isCancelled: () -> Bool
    ) throws(GitProblem) -> [String: [String]] {
        if commits.isEmpty { return [:] }
        let answer = try repository.run(
            ["rev-list", "--parents", "--stdin", "--", path],
            input: Array(commits.joined(separator: "\n").utf8) + [0x0A],
            isCancelled: isCancelled)
        var earlier: [String: [String]] = [:]
        for line in answer.split(separator: 0x0A) {
            let hashes = line.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
            earlier[hashes[0]] = Array(hashes.dropFirst())
        }
        return earlier
    }

    /// Returns the commit that produced the content at a path as of `start`, following the first of the merged commits
    /// that have this content; nil if there has never been any.
    private func lastChange(
        of path: FilePath, before start: String, _ isCancelled: () -> Bool
    ) throws(GitProblem) -> String? {
        let answer = try repository.run(
            ["log", "-1", "--format=%H", "--no-renames", "--end-of-options", FilePath(start), "--", path],
            isCancelled: isCancelled)
        return answer.isEmpty ? nil : String(decoding: answer.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// Connects the commits of a shallow clone. git does not follow the parents of its oldest commits, even those that are
    /// here. A merge of which the clone has the parent with the same content is left out.
    private func connected(
        _ commits: [Commit], _ path: FilePath, _ isCancelled: () -> Bool
    ) throws(GitProblem) -> [Commit] {
        var standIns: [String: String] = [:]
        var first: [String: String?] = [:]
        var empty: Set<String> = []
        for commit in commits {
            // Parents after a missing one are of no use: the line may go through the missing one.
            let all = try repository.parents(of: commit.hash)
            let parents = all.prefix(while: repository.hasCommit)
            let isCut = parents.count < all.count
            guard isCut || commit.earlier.count < parents.count else { continue }
            let content = try repository.entry(at: path, in: commit.hash)
            let contents = try parents.map { (parent) throws(GitProblem) in try repository.entry(at: path, in: parent) }
            if let number = contents.firstIndex(of: content) {
                // A merge without the file, like a parent that never had it as far as is known, is not a state.
                if let last = try lastChange(of: path, before: parents[number], isCancelled) {
                    standIns[commit.hash] = last
                } else {
                    empty.insert(commit.hash)
                }
            } else {
                first[commit.hash] = isCut ? .some(nil) : try lastChange(of: path, before: parents[0], isCancelled)
            }
        }
        func standIn(_ hash: String) -> String {
            var hash = hash
            while let standIn = standIns[hash] { hash = standIn }
            return hash
        }
        return commits.filter { standIns[$0.hash] == nil && !empty.contains($0.hash) }.map { commit in
            var commit = commit
            var earlier = commit.earlier
            switch first[commit.hash] {
            case .some(let first?): earlier.insert(first, at: 0)
            // The first parent of a merge may have had the file in the commits that the clone lacks.
            case .some(nil): earlier = []
            case nil: break
            }
            commit.earlier = earlier.map(standIn).reduce(into: []) { earlier, hash in
                if !earlier.contains(hash), !empty.contains(hash) { earlier.append(hash) }
            }
            return commit
        }
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
                let (name, problem) = try name(of: path, isEarlier: true, from: parent, to: commit.hash, isCancelled)
                if let name, case .file? = try repository.entry(at: name, in: parent) { found.append((parent, name)) }
                unsearched = problem ?? unsearched
            } catch {
                // Other files may be damaged or missing, which makes comparing impossible but not this list.
                if case .noAnswer = error { throw error }
                if isCancelled() { throw error }
                // The parents of a shallow clone's oldest commits are missing, which is reported for the whole history.
                if repository.hasCommit(parent) {
                    unsearched = .contentsMissing
                }
            }
        }
        return (found, unsearched)
    }

    /// Returns the path that a commit gave to the file that had another path before; nil if it deleted the file, as far
    /// as git compared contents.
    private func laterName(of path: FilePath, in commit: Commit, _ isCancelled: () -> Bool) -> FilePath? {
        for parent in (try? repository.parents(of: commit.hash)) ?? [] {
            // Without the contents of a parent, nothing is known of a rename.
            let answer = try? name(of: path, isEarlier: false, from: parent, to: commit.hash, isCancelled)
            if let name = answer?.name { return name }
        }
        return nil
    }

    /// The limit of git's search for renames. git first pairs files with equal contents and names. If the remaining
    /// pairs of an added and a removed file outnumber the square of this limit, it doesn't compare them: the time grows
    /// with the number of pairs, and large files would take hours. It is git's own limit (`diff.renameLimit` in
    /// git-config(1)), so that the renames found here are those that `git log` shows.
    private static let renameLimit = 1000

    /// Returns the other name of a file that a commit renamed, or nil if it didn't, as far as git compared contents.
    ///
    /// - Parameter isEarlier: Whether to return the name before the commit for the one after it, and not the reverse.
    private func name(
        of path: FilePath, isEarlier: Bool, from parent: String, to commit: String, _ isCancelled: () -> Bool
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
            default:
                guard let later = fields.popFirst() else { continue }
                let (known, other) = isEarlier ? (later, name) : (name, later)
                if known.elementsEqual(path.bytes) { return (FilePath(other), nil) }
            }
        }
        let isWhole = added.multipliedReportingOverflow(by: removed).partialValue <= Self.renameLimit * Self.renameLimit
        return (nil, isWhole ? nil : .tooManyFiles(added: added, removed: removed))
    }
}

extension SourceBytes {
    /// Returns whether this is a text that differs from another at most in its line ends, which git may replace when it
    /// writes or commits a file (gitattributes(5), `core.autocrlf` in git-config(1)).
    fileprivate func isText(equalButForLineEndsTo other: SourceBytes) -> Bool {
        let (texts, carriageReturn) = ([data, other.data], UInt8(ascii: "\r"))
        guard !texts.contains(where: { $0.contains(0) }) else { return false }
        let lines = texts.map { text in
            text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
                line.last == carriageReturn ? line.dropLast() : line
            }
        }
        return lines[0] == lines[1]
    }
}
