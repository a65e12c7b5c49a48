import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("The history of a file")
struct GitHistoryTests {
    /// The states of a file, newest first: the commit, or an empty string for the uncommitted file, and the text.
    private func states(_ file: FilePath) throws -> [(commit: String, text: String)] {
        var found: [DocumentReference] = []
        let leftOut = try DocumentWalker([GivenName(historyOf: file)]).walk { found += $0 }
        #expect(leftOut.isEmpty)
        return try found.map { document in
            if document.problem?.reason == .git(.absent(.deleted)) {
                return (document.revision?.commit ?? "", "deleted")
            }
            return (document.revision?.commit ?? "", String(decoding: try document.read().data, as: UTF8.self))
        }
    }

    private func states(_ git: GitFolder, _ name: String = "a.json") throws -> [(commit: String, text: String)] {
        try states(FilePath(git.path(name)))
    }

    private func problem(_ file: String) -> SourceProblem? {
        var problem: SourceProblem?
        _ = try? DocumentWalker([GivenName(historyOf: FilePath(file))]).walk { problem = $0.first?.problem?.reason }
        return problem
    }

    private static let lines = (1...30).map { "line \($0)\n" }.joined()

    @Test("a history has every committed state through renames, newest first, and any uncommitted one before them")
    func renames() throws {
        let git = try GitFolder()
        var expected = [try git.commit(Self.lines + "1", to: "old name.json", "begun")]
        try git.commit("other", to: "other.json")
        expected.append(try git.commit(Self.lines + "2", to: "old name.json", "changed"))
        try FileManager.default.createDirectory(atPath: git.path("docs"), withIntermediateDirectories: true)
        try git.git("mv", "old name.json", "docs/a.json")
        expected.append(try git.commit("moved"))
        expected.append(try git.commit(Self.lines + "3", to: "docs/a.json", "changed again"))
        let follow = try git.git("log", "--follow", "--format=%H", "--", "docs/a.json").split(separator: "\n")
        let found = try states(git, "docs/a.json")
        #expect(found.map(\.commit) == expected.reversed() && found.map { Substring($0.commit) } == follow)
        #expect(found.map { $0.text.last } == ["3", "2", "2", "1"])
        try git.folder.write("now", to: "docs/a.json")
        #expect(try states(git, "docs/a.json").map(\.commit) == [""] + expected.reversed())
        #expect(try states(git, "docs/a.json").first?.text == "now")
    }

    @Test("a state has its author, date, subject and path")
    func revisions() throws {
        let git = try GitFolder()
        let hash = try git.commit("{}", to: "docs/a.json", "Überschrift\n\nand more")
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("docs/a.json")))]).walk { found += $0 }
        let short = try #require(found.first?.revision).shortCommit
        #expect(short.count >= 4 && hash.hasPrefix(short))
        #expect(
            found.first?.revision
                == DocumentRevision(
                    commit: hash, shortCommit: short, author: "Ada Lovelace", date: "2023-11-14T23:13:20+00:00",
                    subject: "Überschrift", path: "docs/a.json"))
        #expect(found.first?.name == "\(short):\(git.path("docs/a.json"))")
        #expect(found.first?.container == .git)
        // The name leads back to it.
        let again = GivenName(FilePath(try #require(found.first?.name)))
        #expect(try again.isOneDocument && again.document.read().data == Data("{}".utf8))
    }

    @Test("a history has merges in which the file differs from all that was merged, and the states of both sides")
    func merges() throws {
        let git = try GitFolder()
        try git.commit(Self.lines + "a", to: "a.json")
        try git.git("checkout", "--quiet", "-b", "side")
        let side = try git.commit(Self.lines + "side", to: "a.json")
        try git.git("checkout", "--quiet", "main")
        let main = try git.commit(Self.lines + "main", to: "a.json")
        _ = try? git.git("merge", "--quiet", "side")
        let merge = try git.commit(Self.lines + "both", to: "a.json", "merged")
        // A merge that adopts one side is not a state.
        try git.git("checkout", "--quiet", "-b", "other")
        try git.commit("unrelated", to: "b.json")
        try git.git("checkout", "--quiet", "main")
        let last = try git.commit(Self.lines + "last", to: "a.json")
        try git.git("merge", "--quiet", "--no-edit", "other")
        let found = try states(git)
        #expect(found.map(\.commit).prefix(2) == [last, merge])
        #expect(Set(found.map(\.commit)).isSuperset(of: [side, main]) && found.count == 5)
        for state in found { #expect(try git.git("show", "\(state.commit):a.json") == state.text) }
    }

    @Test("a history has the states of a side that a merge ignored, and knows which state each came from")
    func sides() throws {
        let git = try GitFolder()
        let base = try git.commit(Self.lines + "a", to: "a.json")
        try git.git("checkout", "--quiet", "-b", "side")
        let side = try git.commit(Self.lines + "side", to: "a.json")
        try git.git("checkout", "--quiet", "main")
        let main = try git.commit(Self.lines + "main", to: "a.json")
        try git.git("merge", "--quiet", "--no-edit", "-s", "ours", "side")
        try git.git("mv", "a.json", "b.json")
        let renamed = try git.commit("renamed")
        let last = try git.commit(Self.lines + "last", to: "b.json")
        var found: [DocumentReference] = []
        _ = try DocumentWalker([GivenName(historyOf: FilePath(git.path("b.json")))]).walk { found += $0 }
        let commits = found.map { $0.revision?.commit ?? "" }
        #expect(Set(commits) == [base, side, main, renamed, last] && commits.count == 5)
        let before = zip(commits, found.statesBefore()).map { ($0, $1.map { commits[$0] }) }
        let expected = [base: [], side: [base], main: [base], renamed: [main], last: [renamed]]
        #expect(Dictionary(uniqueKeysWithValues: before) == expected)
    }

    @Test("a history follows each side of a merge under its own name if one side has renamed the file")
    func mergedRenames() throws {
        let git = try GitFolder()
        let first = try git.commit(Self.lines + "a", to: "a.json")
        try git.git("checkout", "--quiet", "-b", "side")
        try git.git("mv", "a.json", "b.json")
        let side = try git.commit("renamed")
        try git.git("checkout", "--quiet", "main")
        let main = try git.commit("0\n" + Self.lines + "a", to: "a.json")
        try git.git("merge", "--quiet", "--no-edit", "side")
        let merge = try git.git("rev-parse", "HEAD")
        let found = try states(git, "b.json")
        #expect(found.first?.commit == merge && Set(found.map(\.commit)) == [merge, side, main, first])
        #expect(found.count == 4)
        var references: [DocumentReference] = []
        _ = try DocumentWalker([GivenName(historyOf: FilePath(git.path("b.json")))]).walk { references += $0 }
        let before = references.statesBefore().map { Set($0.compactMap { references[$0].revision?.commit }) }
        #expect(before[0] == [side, main])
    }

    @Test("a history is refused for links, and a folder or a file with several documents has those of its documents")
    func notDocuments() throws {
        let git = try GitFolder()
        try git.commit("{}", to: "docs/a.json")
        try git.commit("{}\n{}", to: "lines.jsonl")
        try git.folder.link("link.json", to: "docs/a.json")
        try git.commit()
        #expect(problem(git.path("docs")) == nil && problem(git.path("docs/")) == nil)
        #expect(try states(FilePath(git.path("lines.jsonl"))).map(\.text) == ["{}", "{}"])
        #expect(problem(git.path("link.json")) == .git(.link))
    }

    @Test("a deletion is a state of its own, and an earlier file of that name is another file")
    func removals() throws {
        let git = try GitFolder()
        try git.commit("another\n" + String(repeating: "x\n", count: 40), to: "a.json")
        try git.git("rm", "--quiet", "a.json")
        try git.commit("gone")
        let first = try git.commit(Self.lines, to: "b.json")
        try git.git("mv", "b.json", "a.json")
        let second = try git.commit("renamed")
        #expect(try states(git).map(\.commit) == [second, first])
        try git.git("rm", "--quiet", "a.json")
        let gone = try git.commit("gone again")
        #expect(try states(git).map(\.commit) == [gone, second, first])
        #expect(try states(git).map(\.text) == ["deleted", Self.lines, Self.lines])
        let third = try git.commit("{}", to: "a.json")
        #expect(try states(git).map(\.commit) == [third, gone, second, first])
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("a.json")))]).walk { found += $0 }
        #expect(found.statesBefore() == [[1], [2], [3], []])
        #expect(found.compactMap(\.revision?.change) == [.modified, .deleted, .renamed, .modified])
    }

    @Test("a state in which the file was a link or a folder says so")
    func others() throws {
        let git = try GitFolder()
        try git.commit("1", to: "a.json")
        try git.git("rm", "--quiet", "a.json")
        try git.folder.link("a.json", to: "b.json")
        try git.commit("link")
        try git.git("rm", "--quiet", "a.json")
        try git.commit("{}", to: "a.json/inside.json")
        try git.git("rm", "--quiet", "-r", "a.json")
        try git.commit("2", to: "a.json")
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("a.json")))]).walk { found += $0 }
        let absences = found.map { document -> GitProblem.Absence? in
            if case .git(.absent(let absence))? = document.problem?.reason { absence } else { nil }
        }
        #expect(absences == [nil, .folder, .link, nil])
    }

    @Test("the line to the present goes through the first parent, or the side that a merge took the content from")
    func lanes() throws {
        let git = try GitFolder()
        let base = try git.commit(Self.lines + "a", to: "a.json")
        try git.git("checkout", "--quiet", "-b", "side")
        let side = try git.commit(Self.lines + "side", to: "a.json")
        try git.git("checkout", "--quiet", "main")
        // main has not changed the file since, but the merge is not what either has.
        try git.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
        let byHand = try git.commit(Self.lines + "by hand", to: "a.json")
        try git.git("checkout", "--quiet", "-b", "taken")
        let taken = try git.commit(Self.lines + "taken", to: "a.json")
        try git.git("checkout", "--quiet", "main")
        let given = try git.commit(Self.lines + "given up", to: "a.json")
        try git.git("merge", "--quiet", "-s", "ours", "--no-commit", "taken")
        try git.git("checkout", "taken", "--", "a.json")
        try git.commit("takes the other side")
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("a.json")))]).walk { found += $0 }
        let lanes = Dictionary(
            uniqueKeysWithValues: found.compactMap(\.revision).map { ($0.commit, $0.lane == 0) })
        #expect(lanes == [base: true, side: false, byHand: true, taken: true, given: false])
        // What is not committed follows the content that the merge took.
        try git.folder.write("now", to: "a.json")
        found = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("a.json")))]).walk { found += $0 }
        #expect(found.statesBefore()[0].map { found[$0].revision?.commit } == [taken])
    }

    @Test("the line to the present does not go through a side that undid its change before it was merged")
    func undone() throws {
        let git = try GitFolder()
        /// Commits two changes on a branch of its own, of which the second undoes the first, and merges them.
        func undo(_ text: String, from branch: String) throws -> [String] {
            try git.git("checkout", "--quiet", "-b", "\(branch)-undone")
            let changes = try [text + " for a while", text].map { try git.commit(Self.lines + $0, to: "a.json") }
            try git.git("checkout", "--quiet", branch)
            try git.git("merge", "--quiet", "--no-ff", "\(branch)-undone")
            return changes
        }
        let base = try git.commit(Self.lines + "a", to: "a.json")
        let undone = try undo("a", from: "main")
        let later = try git.commit(Self.lines + "b", to: "a.json")
        // So is a side of a side that main takes nothing from.
        try git.git("checkout", "--quiet", "-b", "side")
        let side = try git.commit(Self.lines + "side", to: "a.json")
        let undoneThere = try undo("side", from: "side")
        let end = try git.commit(Self.lines + "side, later", to: "a.json")
        try git.git("checkout", "--quiet", "main")
        try git.git("merge", "--quiet", "--no-ff", "-s", "ours", "side")

        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("a.json")))]).walk { found += $0 }
        let revisions = found.compactMap(\.revision)
        #expect(Set(revisions.map(\.commit)) == Set([base, later, side, end] + undone + undoneThere))
        #expect(revisions.filter { $0.lane == 0 }.map(\.commit) == [later, base])
        let earlier = Dictionary(uniqueKeysWithValues: revisions.map { ($0.commit, $0.parents) })
        #expect(earlier[later] == [base] && earlier[side] == [later] && earlier[end] == [side])
    }

    @Test("a file that differs from what is committed only in its line ends is not another state")
    func lineEnds() throws {
        let git = try GitFolder()
        let hash = try git.commit("{\n\"a\": 1\n}\n", to: "a.json")
        try git.folder.write("{\r\n\"a\": 1\r\n}\r\n", to: "a.json")
        #expect(try states(git).map(\.commit) == [hash])
        try git.folder.write("{\r\n\"a\": 2\r\n}\r\n", to: "a.json")
        #expect(try states(git).map(\.commit) == ["", hash])
    }

    @Test("a packed file that is committed is not another state")
    func packed() throws {
        let git = try GitFolder()
        try git.folder.write(try Gzip.pack(Data("{}".utf8), as: "x"), to: "a.json.gz")
        let hash = try git.commit()
        #expect(try states(git, "a.json.gz").map(\.commit) == [hash])
    }

    @Test("a damaged content elsewhere in the repository does not end the list")
    func damaged() throws {
        let git = try GitFolder()
        let first = try git.commit("1", to: "a.json")
        try git.git("rm", "--quiet", "a.json")
        try git.commit(Self.lines, to: "b.json")
        try git.git("rm", "--quiet", "b.json")
        let back = try git.commit("2", to: "a.json")
        let blob = try git.git("rev-parse", "HEAD~1:b.json")
        try FileManager.default.removeItem(
            atPath: git.path(".git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))"))
        let found = try states(git).map(\.commit)
        #expect(found.first == back && found.last == first && found.count == 3)
    }

    @Test(
        "a history is found under names with a leading dash, line ends, quotes, colons or pattern characters",
        arguments: [
            "-n.json", "a\nb.json", "\"q\".json", "a:b.json", "*.json", ":(top)a.json", "ü.json", "a b/c d.json",
        ])
    func names(_ name: String) throws {
        let git = try GitFolder()
        try git.folder.write("other", to: "x.json")
        let hashes = try ["1", "2"].map { try git.commit($0, to: name) }
        #expect(try states(git, name).map(\.commit) == hashes.reversed())
        #expect(try states(git, name).map(\.text) == ["2", "1"])
    }

    @Test("a history is found under a name that is not UTF-8")
    func bytes() throws {
        let git = try GitFolder()
        let file = FilePath(Array(git.folder.path.utf8) + Array("/caf".utf8) + [0xE9] + Array(".json".utf8))
        let descriptor = open(file.cString, O_WRONLY | O_CREAT, 0o644)
        #expect(Foundation.write(descriptor, "{}", 2) == 2)
        close(descriptor)
        let hash = try git.commit()
        #expect(try states(file).map(\.commit) == [hash])
    }

    @Test("a history is read from repositories with SHA-256, bare ones and other work trees")
    func kinds() throws {
        let git = try GitFolder("--object-format=sha256")
        let hashes = try ["1", "2"].map { try git.commit($0, to: "sub/a.json") }
        #expect(hashes.allSatisfy { $0.count == 64 })
        #expect(try states(git, "sub/a.json").map(\.commit) == hashes.reversed())
        let others = try TemporaryFolder()
        try git.git("clone", "--quiet", "--bare", git.folder.path, others.path("bare.git"))
        #expect(try states(FilePath(others.path("bare.git/sub/a.json"))).map(\.commit) == hashes.reversed())
        try git.git("worktree", "add", "--quiet", others.path("tree"))
        #expect(try states(FilePath(others.path("tree/sub/a.json"))).map(\.commit) == hashes.reversed())
    }

    @Test("a shallow clone has the states that are there, and one without contents reports them as missing")
    func partial() throws {
        let git = try GitFolder()
        let hashes = try (1...4).map { try git.commit("\($0)", to: "a.json") }
        let others = try TemporaryFolder()
        try git.git("clone", "--quiet", "--depth=2", "file://\(git.folder.path)", others.path("shallow"))
        #expect(try states(FilePath(others.path("shallow/a.json"))).map(\.commit) == hashes.suffix(2).reversed())
        #expect(problem(others.path("shallow/b.json")) == .git(.beforeShallow))
        try git.git("config", "uploadpack.allowFilter", "true")
        try git.git(
            "clone", "--quiet", "--no-checkout", "--filter=blob:none", "file://\(git.folder.path)",
            others.path("partial"))
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: FilePath(others.path("partial/a.json")))]).walk { found += $0 }
        #expect(found.count == 4)
        let error = #expect(throws: SourceError.self) { try found.first?.read() }
        #expect(error?.reason == .git(.notHere))
    }

    @Test("a commit whose first parent a shallow clone lacks comes after no state of the other parent")
    func cutMerges() throws {
        for isRenamed in [false, true] {
            let git = try GitFolder()
            try git.commit(Self.lines, to: "b.json", "first")
            try git.git("branch", "side")
            if isRenamed { try git.git("mv", "b.json", "a.json") }
            let name = isRenamed ? "a.json" : "b.json"
            try git.commit(Self.lines + "main", to: name, "main")
            try git.commit("x", to: "other.txt", "main again")
            try git.git("checkout", "--quiet", "side")
            try git.commit(Self.lines + "side", to: "b.json", "side")
            try git.git("checkout", "--quiet", "main")
            try git.git("merge", "--quiet", "--strategy=ours", "--no-commit", "side")
            let merge = try git.commit(Self.lines + "merged", to: name, "merged")
            // The newest commit makes the side as near as the merge, and nearer than its first parent.
            let top = try git.git("commit-tree", "HEAD^{tree}", "-p", merge, "-p", "side", "-m", "top")
            try git.git("reset", "--quiet", "--hard", top)
            let others = try TemporaryFolder()
            let clone = others.path("clone")
            try git.git("clone", "--quiet", "--depth=2", "file://\(git.folder.path)", clone)
            var found: [DocumentReference] = []
            try DocumentWalker([GivenName(historyOf: FilePath("\(clone)/\(name)"))]).walk { found += $0 }
            let state = try #require(found.first { $0.revision?.commit == merge }?.revision)
            #expect(state.parents.isEmpty && !state.knowsPast)
        }
    }

    @Test("a file that a side renamed keeps the states that it had under its name on the line to the present")
    func renamedOnSide() throws {
        let git = try GitFolder()
        let first = try git.commit(Self.lines, to: "a.json", "first")
        let second = try git.commit(Self.lines + "2", to: "a.json", "second")
        try git.git("checkout", "--quiet", "-b", "side")
        try git.git("mv", "a.json", "b.json")
        let side = try git.commit("renamed on the side")
        try git.git("checkout", "--quiet", "main")
        try git.commit("x", to: "other.txt")
        try git.git("merge", "--quiet", "--strategy=ours", "--no-commit", "side")
        let merge = try git.commit(Self.lines + "3", to: "a.json", "kept under its name")
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("a.json")))]).walk { found += $0 }
        let line = found.compactMap(\.revision).filter { $0.lane == 0 }
        #expect(line.map(\.commit) == [merge, second, first])
        #expect(line.first?.parents == [second, side] && line.first?.change == .modified)
    }

    @Test("a pointer of Git LFS is reported as one")
    func largeFiles() throws {
        let git = try GitFolder()
        try git.commit("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", to: "a.json")
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("a.json")))]).walk { found += $0 }
        let error = #expect(throws: SourceError.self) { try found.first?.read() }
        #expect(error?.reason == .git(.largeFilePointer))
    }

    @Test("a missing history is reported with one clear reason")
    func none() throws {
        let folder = try TemporaryFolder()
        #expect(problem(try folder.write("{}", to: "a.json")) == .git(.noRepository))
        #expect(problem(folder.path("no/such/folder/a.json")) == .git(.noRepository))
        let git = try GitFolder()
        #expect(problem(git.path("a.json")) == .git(.neverCommitted))
        // An uncommitted file has only its current state.
        try git.folder.write("{}", to: "a.json")
        #expect(try states(git).map(\.commit) == [""])
        try git.commit()
        try git.folder.write("{}", to: "b.json")
        #expect(try states(git, "b.json").map(\.commit) == [""])
        #expect(problem(git.path("c.json")) == .git(.neverCommitted))
    }

    @Test("programs that a repository's configuration names are not run")
    func configured() throws {
        let git = try GitFolder()
        try git.commit("1", to: "a.json")
        try git.commit("2", to: "a.json")
        let trap = try git.folder.write("#!/bin/sh\ntouch '\(git.path("sprung"))'\ncat\n", to: ".git/trap")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: trap)
        for name in [
            "core.fsmonitor", "core.pager", "pager.log", "diff.external", "diff.trap.textconv", "diff.trap.command",
            "filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "gpg.program", "core.sshCommand",
            "credential.helper", "core.editor", "core.askPass", "core.gitProxy",
        ] { try git.git("config", name, trap) }
        try git.git("config", "log.showSignature", "true")
        try git.git("config", "log.follow", "true")
        try git.git("config", "alias.log", "!\(trap)")
        for hook in ["post-index-change", "reference-transaction", "post-checkout"] {
            try FileManager.default.copyItem(atPath: trap, toPath: git.path(".git/hooks/\(hook)"))
        }
        try git.folder.write("*.json diff=trap filter=trap\n", to: ".git/info/attributes")
        try git.folder.write("3", to: "a.json")
        #expect(try states(git).map(\.text) == ["3", "2", "1"])
        #expect(!FileManager.default.fileExists(atPath: git.path("sprung")))
        // The trap works.
        _ = try? git.git("status")
        #expect(FileManager.default.fileExists(atPath: git.path("sprung")))
    }

    private static let pipeNames = [
        ".git", ".git/HEAD", ".git/config", ".git/packed-refs", ".git/shallow", ".git/commondir",
        ".git/info/attributes",
        ".git/info/grafts", ".git/objects/info/alternates", ".git/objects/info/commit-graph", ".git/objects/pack/x.idx",
    ]

    @Test("a named pipe in place of one of git's files is refused by its name", arguments: pipeNames)
    func pipes(name: String) throws {
        let git = try GitFolder()
        try git.commit("{}", to: "docs/a.json")
        let path = git.path(name)
        try? FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        let real = try #require(FilePath(git.folder.path).resolved).appending(FilePath(name))
        #expect(problem(git.path("docs/a.json")) == .git(.isSpecialFile(path: real.description, .namedPipe)))
        #expect(
            GivenName(FilePath("HEAD:\(git.path("docs/a.json"))")).document.problem?.reason
                == .git(.isSpecialFile(path: real.description, .namedPipe)))
    }

    @Test("a named pipe in the git folder of a linked work tree, or in the one that all share, is refused")
    func pipesOfWorkTrees() throws {
        for name in ["worktrees/tree/index", "packed-refs"] {
            let (git, others) = (try GitFolder(), try TemporaryFolder())
            try git.commit("{}", to: "a.json")
            try git.git("worktree", "add", "--quiet", others.path("tree"))
            try? FileManager.default.removeItem(atPath: git.path(".git/\(name)"))
            try #require(mkfifo(git.path(".git/\(name)"), 0o600) == 0)
            guard case .git(.isSpecialFile(let path, .namedPipe))? = problem(others.path("tree/a.json")) else {
                Issue.record("\(name)")
                continue
            }
            #expect(path.hasSuffix(name))
        }
    }

    @Test("a history is read without the files that the configuration and the work tree name")
    func named() throws {
        let git = try GitFolder()
        let first = try git.commit(Self.lines + "1", to: "old.json")
        try git.git("mv", "old.json", "a.json")
        let second = try git.commit(Self.lines + "2", to: "a.json")
        let pipe = git.path(".git/hooks/pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for name in [
            "core.attributesFile", "core.excludesFile", "mailmap.file", "diff.orderFile", "blame.ignoreRevsFile",
        ] {
            try git.git("config", name, pipe)
        }
        for name in ["normalTarget", "perfTarget", "eventTarget"] {
            try git.git("config", "trace2.\(name)", git.path("written"))
        }
        for name in [".gitattributes", ".mailmap", ".gitmodules"] {
            try #require(mkfifo(git.path(name), 0o600) == 0)
        }
        // The index of a repository with several work trees is not checked beforehand.
        try FileManager.default.removeItem(atPath: git.path(".git/index"))
        try FileManager.default.createSymbolicLink(atPath: git.path(".git/index"), withDestinationPath: "nowhere")
        #expect(try states(git).map(\.commit) == [second, first])
        #expect(!FileManager.default.fileExists(atPath: git.path("written")))
    }

    @Test("a history is that of the repository that was found, whatever work tree it claims as its own")
    func otherWorkTree() throws {
        let git = try GitFolder()
        let hash = try git.commit("1", to: "sub/a.json")
        try git.git("init", "--quiet", git.path("sub"))
        try git.git("-C", git.path("sub"), "add", "a.json")
        try git.git("-C", git.path("sub"), "commit", "--quiet", "--message", "inner")
        try git.git("-C", git.path("sub"), "config", "core.worktree", git.folder.path)
        #expect(try states(git, "sub/a.json").allSatisfy { $0.commit != hash })
    }

    @Test("a commit with too many files for git to compare is reported, because the file may have been renamed in it")
    func tooManyFiles() throws {
        let git = try GitFolder()
        func replaceFiles(_ folder: String, but former: String) throws {
            try? FileManager.default.removeItem(atPath: git.path(former))
            for number in 0...1000 { try git.folder.write("\(folder) \(number)", to: "\(folder)/\(number)") }
        }
        try replaceFiles("one", but: "two")
        let first = try git.commit(Self.lines + "1", to: "old.json")
        try replaceFiles("two", but: "one")
        try git.git("mv", "old.json", "a.json")
        let second = try git.commit(Self.lines + "2", to: "a.json")
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("a.json")))]).walk { found += $0 }
        #expect(found.map { $0.revision?.commit } == [second])
        #expect(found.first?.revision?.unsearchedRenames == .tooManyFiles(added: 1002, removed: 1002))
        // Identical contents are found among any number of files.
        try replaceFiles("three", but: "two")
        try git.git("mv", "a.json", "b.json")
        let third = try git.commit("renamed only")
        found = []
        try DocumentWalker([GivenName(historyOf: FilePath(git.path("b.json")))]).walk { found += $0 }
        #expect(found.map { $0.revision?.commit } == [third, second] && first != second)
        #expect(found.map { $0.revision?.unsearchedRenames == nil } == [true, false])
    }

    @Test("a clone without contents reports that renames were not searched, and fetches nothing")
    func missingContents() throws {
        let git = try GitFolder()
        try git.commit(Self.lines + "1", to: "old.json")
        try git.git("mv", "old.json", "a.json")
        let last = try git.commit(Self.lines + "2", to: "a.json")
        try git.git("config", "uploadpack.allowFilter", "true")
        let others = try TemporaryFolder()
        try git.git(
            "clone", "--quiet", "--no-checkout", "--filter=blob:none", "file://\(git.folder.path)", others.path("clone")
        )
        for url in ["ext::sh -c touch% \(others.path("sprung"))", "file://\(git.folder.path)"] {
            try git.git("-C", others.path("clone"), "config", "remote.origin.url", url)
            try git.git(
                "-C", others.path("clone"), "config", "remote.origin.uploadpack",
                "touch \(others.path("sprung")); false")
            var found: [DocumentReference] = []
            try DocumentWalker([GivenName(historyOf: FilePath(others.path("clone/a.json")))]).walk { found += $0 }
            #expect(found.map { $0.revision?.commit } == [last])
            #expect(found.first?.revision?.unsearchedRenames == .contentsMissing)
            #expect(throws: SourceError.self) { try found.first?.read() }
            #expect(!FileManager.default.fileExists(atPath: others.path("sprung")))
        }
    }

    @Test("an existing file named COMMIT:PATH comes first, and a wrong commit or path is reported")
    func commitPaths() throws {
        let git = try GitFolder()
        try git.commit("{}", to: "a.json")
        try git.commit("{}", to: "docs/b.json")
        func meaning(_ name: String) -> SourceProblem? { GivenName(FilePath(name)).document.problem?.reason }
        let root = git.folder.path
        #expect(meaning("HEAD:\(root)/a.json") == nil)
        #expect(meaning("main~1:\(root)/docs/b.json") == .git(.notInCommit(path: "docs/b.json", commit: "main~1")))
        #expect(meaning("nonsense:\(root)/a.json") == .git(.noSuchCommit("nonsense")))
        #expect(meaning("--all:\(root)/a.json") == .git(.noSuchCommit("--all")))
        #expect(meaning("HEAD:\(root)/docs") == .isFolder)
        #expect(meaning("HEAD@{2100-01-01 12:00:00}:\(root)/a.json") == nil)
        guard case .git(.failed(let message))? = meaning("HEAD@{2015-01-01}:\(root)/a.json") else {
            Issue.record("a time before the log of HEAD begins was accepted")
            return
        }
        #expect(message.hasPrefix("log for 'HEAD' only goes back to "))
        #expect(!GivenName(FilePath("nonsense:\(root)/a.json")).exists)
        let other = try TemporaryFolder()
        #expect(meaning("HEAD:\(other.path)/a.json") == .noSuchFile)
        let file = try git.folder.write("[]", to: "HEAD:a.json")
        #expect(try GivenName(FilePath(file)).document.read().data == Data("[]".utf8))
    }
}
