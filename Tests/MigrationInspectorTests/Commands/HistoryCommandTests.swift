import DocumentSources
import Foundation
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Checking the history of a file")
struct HistoryCommandTests {
    /// Thirty commits of a poem in three versions, which is moved in the eleventh and fails from the fourth to the
    /// seventh.
    private static func makePoems() throws -> (git: GitFolder, hashes: [String]) {
        let git = try GitFolder()
        let body = (1...30).map { "line \($0)\\n" }.joined()
        var hashes: [String] = []
        for number in 1...10 {
            let rating = (4...7).contains(number) ? 9 : number % 6
            let text = #"{"version": 1, "author": "A", "poem": "\#(body)\#(number)", "starRating": \#(rating)}"#
            hashes.append(try git.commit(text, to: "poem.json", "version 1, number \(number)"))
        }
        try git.git("mv", "poem.json", "moved.json")
        hashes.append(try git.commit("moved"))
        for number in 12...20 {
            let text = #"{"version": 2, "author": "A", "poem": "\#(body)\#(number)", "rating": "love"}"#
            hashes.append(try git.commit(text, to: "moved.json", "version 2, number \(number)"))
        }
        for number in 21...30 {
            let lines = (1...40).map { #""line \#($0)""# }.joined(separator: ", ")
            let text = #"{"version": 3, "author": {"name": "A"}, "lines": [\#(lines), "\#(number)"], "rating": "love"}"#
            hashes.append(try git.commit(text, to: "moved.json", "version 3, number \(number)"))
        }
        return (git, hashes)
    }

    @Test("check --history reports every state, and since when the version and the outcome have been the same")
    func text() throws {
        let (git, hashes) = try Self.makePoems()
        let run = try BuiltProgram.inspector.run("check", "--history", "moved.json", in: git.folder.path)
        let short = try hashes.map { try git.git("rev-parse", "--short", $0) }
        #expect(run.lines[0].hasPrefix("\(short[29]):moved.json: ✓ 2023-11-"))
        #expect(run.lines[0].hasSuffix("  Poem 3  Ada Lovelace: version 3, number 30"))
        #expect(run.lines.contains { $0.contains(short[10]) && $0.hasSuffix("Poem 1 → 3  Ada Lovelace: moved") })
        let failing = try #require(run.lines.firstIndex { $0.hasPrefix("\(short[6]):poem.json:1:") })
        #expect(run.lines[failing].hasSuffix("  Poem 1 ✗ 2  Ada Lovelace: version 1, number 7"))
        #expect(run.lines[failing].contains(": ✗ 2023-11-"))
        #expect(run.lines[failing + 1].hasPrefix("    fieldNoLongerValid at "))
        #expect(run.lines.filter { $0.contains(": ✓ ") || $0.contains(": ✗ ") }.count == 30)
        let ending = try #require(run.lines.firstIndex(of: "Over time:"))
        let turns = [(21, "version 3"), (12, "version 2"), (8, "opens"), (4, "fails")]
        for (offset, turn) in turns.enumerated() {
            let line = run.lines[ending + 1 + offset]
            #expect(
                line.hasPrefix("  \(turn.1) since \(short[turn.0 - 1]) 2023-11-") && line.hasSuffix("number \(turn.0)"))
        }
        #expect(run.lines.contains("30 documents: 10 current, 16 migrated, 4 failed, 0 unrecognized, 0 unreadable"))
        #expect(run.status == 1 && run.errors == "")
    }

    @Test("a line of JSON about a state says only what differs from the one before it, unless everything is asked for")
    func briefLines() throws {
        let (git, _) = try Self.makePoems()
        let arguments = ["check", "--history", "moved.json", "--format", "jsonl"]
        let brief = try BuiltProgram.inspector.run(arguments, in: git.folder.path)
        let full = try BuiltProgram.inspector.run(arguments + ["--full"], in: git.folder.path)
        #expect(brief.output.utf8.count * 5 < full.output.utf8.count * 4)
        let (lines, whole) = (try brief.jsonLines(), try full.jsonLines())
        #expect(lines.count == 31 && whole.count == 31)
        #expect(whole.allSatisfy { $0["asBefore"] == .null } && lines[0] == whole[0] && lines[30] == whole[30])
        let kept = ["source", "revision", "chain", "version", "outcome", "failure"]
        for number in 1..<30 {
            #expect(lines[number]["asBefore"] == true)
            for name in kept { #expect(lines[number][name] == whole[number][name]) }
            for name in ["format", "target", "dropped", "folded", "warnings"] {
                let isSame = whole[number][name] == whole[number - 1][name]
                #expect(lines[number][name] == (isSame ? .null : whole[number][name]))
            }
        }
    }

    @Test("reports whose lines leave out what does not differ are added up as if they were whole")
    func mergingBriefLines() throws {
        let (git, _) = try Self.makePoems()
        let arguments = ["check", "--history", "moved.json", "--format", "jsonl"]
        let brief = try BuiltProgram.inspector.run(arguments, in: git.folder.path)
        let full = try BuiltProgram.inspector.run(arguments + ["--full"], in: git.folder.path)
        try git.folder.write(brief.output, to: "brief.jsonl")
        let merged = try BuiltProgram.inspector.run(
            ["check", "--merge", "brief.jsonl", "brief.jsonl", "--format", "jsonl"], in: git.folder.path)
        let (lines, whole) = (try merged.jsonLines(), try full.jsonLines())
        #expect(lines.count == 61 && lines.prefix(30) == whole.prefix(30) && lines[30..<60] == whole.prefix(30))
        let headless = brief.lines.dropFirst().joined(separator: "\n")
        try git.folder.write(headless, to: "headless.jsonl")
        let refused = try BuiltProgram.inspector.run(["check", "--merge", "headless.jsonl"], in: git.folder.path)
        #expect(refused.status != 0 && refused.errors.contains("the line before lacks what this one leaves out"))
        let alone = try BuiltProgram.inspector.run("check", "moved.json", "--full", in: git.folder.path)
        #expect(alone.status == 64 && alone.errors.contains("--full needs --history"))
        let json = try BuiltProgram.inspector.run(
            "check", "--history", "moved.json", "--full", "--format", "json", in: git.folder.path)
        #expect(json.status == 64 && json.errors.contains("unknown format of --full 'json'"))
    }

    @Test("a text does not repeat the notes on the state above, unless everything is asked for")
    func repeatedNotes() throws {
        let git = try GitFolder()
        for number in 1...3 { try git.commit(#"{"other": \#(number)}"#, to: "other.json") }
        try git.commit(#"{"other": 4, "more": 1}"#, to: "other.json")
        let brief = try BuiltProgram.inspector.run("check", "--history", "other.json", in: git.folder.path)
        let full = try BuiltProgram.inspector.run("check", "--history", "other.json", "--full", in: git.folder.path)
        let states = full.lines.indices.filter { full.lines[$0].contains(": ? ") }
        #expect(states.count == 4)
        let notes = full.lines[(states[1] + 1)..<states[2]]
        #expect(notes.count > 1 && notes != full.lines[1..<states[1]])
        let isFolded = full.lines[(states[2] + 1)..<states[3]].elementsEqual(notes)
        let above = "    as in the state above"
        #expect(isFolded && brief.lines.count { $0 == above } == 2)
        #expect(brief.lines[...states[2]] == full.lines[...states[2]] && brief.lines[states[2] + 1] == above)
    }

    @Test("what changed over time is in every format, and a page in Markdown folds the states")
    func formats() throws {
        let (git, hashes) = try Self.makePoems()
        let short = try hashes.map { try git.git("rev-parse", "--short", $0) }
        func run(_ format: String) throws -> ProgramRun {
            try BuiltProgram.inspector.run(
                "check", "--history", "moved.json", "--format", format, in: git.folder.path)
        }
        for format in ["github", "junit"] {
            let output = try run(format).output
            #expect(output.contains("Over time") && output.contains("fails since \(short[3]) 2023-11-"))
            #expect(output.contains("version 3 since \(short[20])"))
        }
        let github = try run("github").lines
        #expect(github.contains { $0.hasPrefix("::notice title=Over time::version 3 since ") })
        let page = try run("markdown")
        #expect(page.status == 1)
        #expect(
            page.lines.first == "# 30 documents: 10 current, 16 migrated, 4 failed, 0 unrecognized, 0 unreadable")
        let turns = try #require(page.lines.firstIndex(of: "## Over time"))
        #expect(page.lines[turns...].first { $0.hasPrefix("- ") }?.hasPrefix("- version 3 since ") == true)
        let fold = try #require(page.lines.firstIndex(of: "<details><summary>All states</summary>"))
        #expect(page.lines[fold...].count { $0.hasPrefix("- ") } == 30 && page.lines.last == "</details>")
        #expect(page.lines[fold...].contains { $0.hasPrefix("  - fieldNoLongerValid at ") })
    }

    @Test("a page in Markdown about documents has their problems before all of them")
    func page() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"version": 1, "author": "A", "poem": "p", "starRating": 9}"#, to: "a|b.json")
        try folder.write(#"{"version": 1, "author": "A", "poem": "p", "starRating": 5}"#, to: "c.json")
        let run = try BuiltProgram.inspector.run("check", ".", "--format", "markdown", in: folder.path)
        let problems = try #require(run.lines.firstIndex(of: "## Problems"))
        let fold = try #require(run.lines.firstIndex(of: "<details><summary>All documents</summary>"))
        #expect(run.lines[problems..<fold].count { $0.hasPrefix("- ") } == 1)
        #expect(run.lines[fold...].count { $0.hasPrefix("- ") } == 2)
        let followed = try BuiltProgram.inspector.run(
            "check", ".", "--follow", "$.rating", "--format", "markdown", in: folder.path)
        #expect(followed.lines.contains("## Problems") && followed.output.contains("$.rating"))
    }

    @Test("a page for a browser has the problems, then what became of all documents or states, as the text says it")
    func webPage() throws {
        let (git, _) = try Self.makePoems()
        let history = try BuiltProgram.inspector.run(
            "check", "--history", "moved.json", "--format", "html", in: git.folder.path)
        let page = try PageReader(history.output)
        #expect(history.status == 1)
        #expect(
            page.texts("h1") == ["30 documents: 10 current, 16 migrated, 4 failed, 0 unrecognized, 0 unreadable"])
        #expect(page.texts("h2") == ["Over time", "What failures have in common", "All states"])
        #expect(page.texts("li").first?.hasPrefix("version 3 since ") == true)
        #expect(page.all("li").count { $0.attributes["class"] != nil } == 30)
        #expect(page.texts("li").contains { $0.hasPrefix("fieldNoLongerValid at ") })

        let folder = try TemporaryFolder()
        try folder.write(Poems.broken, to: "a<b>&'\"|<script>.json")
        try folder.write(Poems.moody, to: "c.json")
        let run = try BuiltProgram.inspector.run("check", ".", "--format", "html", in: folder.path)
        let documents = try PageReader(run.output)
        #expect(run.status == 1 && documents.texts("h2") == ["Problems", "All documents"])
        let items = documents.all("li").filter { $0.attributes["class"] != nil }
        #expect(items.map { $0.attributes["class"] } == ["problem", "problem", "passed"])
        #expect(items[0].text.hasPrefix("./a<b>&'\"|<script>.json:1:"))
        #expect(documents.texts("li").contains("dropped, the app does not read it: $.mood"))
        #expect(documents.all("details").map(\.attributes) == [[:]] && documents.all("script").isEmpty)
    }

    @Test("states that are not here are said in every format", arguments: ["github", "junit", "markdown", "html"])
    func missing(format: String) throws {
        let (git, _) = try Self.makePoems()
        let clone = try TemporaryFolder()
        try git.git("clone", "--quiet", "--depth", "3", "file://\(git.folder.path)", clone.path("c"))
        let run = try BuiltProgram.inspector.run(
            "check", "--history", "moved.json", "--format", format, in: clone.path("c"))
        #expect(run.output.contains("are not in this clone"))
    }

    @Test("check --history has the commit of every state in its JSON, and each source can be opened")
    func json() throws {
        let (git, hashes) = try Self.makePoems()
        try git.folder.write("{", to: "moved.json")
        let report = try BuiltProgram.inspector.run(
            "check", "--history", "moved.json", "--format", "json", in: git.folder.path
        ).json()
        let results = report["results"].elements
        #expect(results.first?["revision"] == .null && results.first?["source"] == "moved.json")
        let states = results.dropFirst()
        #expect(states.map { $0["revision"]["commit"] } == hashes.reversed().map { .string($0) })
        let paths = Array(repeating: "moved.json", count: 20) + Array(repeating: "poem.json", count: 10)
        #expect(states.map { $0["revision"]["path"] } == paths.map { .string($0) })
        #expect(states.allSatisfy { $0["container"] == "git" && $0["revision"]["author"] == "Ada Lovelace" })
        let failing = try #require(states.first { $0["outcome"] == "failed" })
        guard case .string(let source) = failing["source"] else { throw BrokenReport() }
        let trace = try BuiltProgram.inspector.run("trace", source, in: git.folder.path)
        #expect(trace.status == 1 && trace.output.contains("proved cause: $.starRating: opens with 5"))
        // Other documents have no such key.
        let plain = try BuiltProgram.inspector.run("check", "moved.json", "--format", "jsonl", in: git.folder.path)
        #expect(!plain.output.contains("revision"))
    }

    @Test("check --history reads the first part of a packed state, and reports the trailing data as another result")
    func packedStates() throws {
        let git = try GitFolder()
        let member = try Gzip.pack(Data(Poems.first.utf8), as: "x")
        var damaged = member
        damaged[damaged.endIndex - 8] ^= 1
        for rest in [Data(), Data("more".utf8), damaged] {
            try git.folder.write(member + rest, to: "a.json.gz")
            try git.commit()
        }
        func results(_ arguments: String...) throws -> [JSONValue] {
            let run = try BuiltProgram.inspector.run(
                ["check", "--format", "json"] + arguments, in: git.folder.path)
            #expect(run.status == 1)
            return try run.json()["results"].elements
        }
        let states = try results("--history", "a.json.gz")
        #expect(states.map { $0["outcome"] } == ["migrated", "unreadable", "migrated", "unreadable", "migrated"])
        #expect(states[0]["source"] == states[1]["source"] && states[0]["revision"] == states[1]["revision"])
        #expect(states.allSatisfy { $0["container"] == "git" })
        let head = try results("HEAD:a.json.gz")
        #expect(
            head.map { $0["outcome"] } == ["migrated", "unreadable"] && head.allSatisfy { $0["container"] == "git" })
        #expect(head.last?["failure"]["message"] == states[1]["failure"]["message"])
        // Trailing data that can't be read is no change of outcome, and an uncommitted file is treated the same way.
        try git.folder.write(member + Data("other".utf8), to: "a.json.gz")
        let text = try BuiltProgram.inspector.run("check", "--history", "a.json.gz", in: git.folder.path)
        #expect(text.lines[0].hasPrefix("a.json.gz: ✓ now  Poem 1 → 3"))
        #expect(text.lines[1].hasPrefix("a.json.gz: ✗ unreadable: gzip: what follows the first \(member.count) bytes"))
        #expect(text.lines[2].contains(":a.json.gz: ✓ ") && !text.output.contains("fails since"))
    }

    private struct BrokenReport: Error {}

    @Test("check --history uses the file's own repository, even if a hook has set another one")
    func hooks() throws {
        let (git, other) = (try GitFolder(), try GitFolder())
        try git.commit(#"{"version": 3, "author": {"name": "A"}, "lines": [], "rating": "love"}"#, to: "docs/a.json")
        let run = try BuiltProgram.inspector.run(
            "check", "--history", "docs/a.json", in: git.folder.path,
            environment: ["GIT_DIR": other.path(".git"), "GIT_WORK_TREE": other.folder.path])
        #expect(
            run.status == 0
                && run.lines.contains("1 document: 1 current, 0 migrated, 0 failed, 0 unrecognized, 0 unreadable"))
    }

    @Test("check --history reports no turn between adjacent states of different branches")
    func branches() throws {
        let git = try GitFolder()
        func poem(_ rating: Int, _ title: String) -> String {
            #"{"version": 1, "author": "\#(title)", "poem": "p", "starRating": \#(rating)}"#
        }
        try git.commit(poem(3, "base"), to: "a.json", "base")
        try git.git("checkout", "--quiet", "-b", "side")
        try git.commit(poem(9, "side"), to: "a.json", "side fails")
        try git.git("checkout", "--quiet", "main")
        try git.commit(poem(4, "main"), to: "a.json", "main")
        _ = try? git.git("merge", "--quiet", "side")
        try git.commit(poem(5, "merged"), to: "a.json", "merged")
        let run = try BuiltProgram.inspector.run("check", "--history", "a.json", in: git.folder.path)
        let ending = run.lines.drop { $0 != "Over time:" }.dropFirst().prefix { $0.hasPrefix("  ") }
        #expect(ending.allSatisfy { $0.contains("side fails") || $0.contains("merged") }, "\(ending)")
    }

    private func poem(version: Int, _ title: String, rating: String) -> String {
        let value = version == 1 ? "\"starRating\": \(rating)" : "\"rating\": \"\(rating)\""
        return #"{"version": \#(version), "author": "Ann", "poem": "\#(title)", \#(value)}"#
    }

    @Test("check --history compares a file that came back with its last state before it was deleted")
    func gap() throws {
        let git = try GitFolder()
        try git.commit(poem(version: 1, "a", rating: "4"), to: "p.json", "one")
        try git.git("rm", "--quiet", "p.json")
        try git.commit("gone")
        try git.commit(poem(version: 2, "c", rating: "love"), to: "p.json", "back")
        try git.git("rm", "--quiet", "p.json")
        try git.commit("gone again")
        try git.commit(poem(version: 1, "e", rating: "9"), to: "p.json", "broken")
        let run = try BuiltProgram.inspector.run("check", "--history", "p.json", in: git.folder.path)
        #expect(run.lines.contains { $0.contains(":p.json: – ") && $0.hasSuffix("deleted  Ada Lovelace: gone again") })
        let ending = run.lines.drop { $0 != "Over time:" }.dropFirst().prefix { $0.hasPrefix("  ") }.map { line in
            let parts = line.split(separator: " since ")
            return "\(parts[0].dropFirst(2)): \(parts[1].split(separator: ": ").last ?? "")"
        }
        #expect(
            ending == [
                "there again: broken", "version 1: broken", "fails: broken", "deleted: gone again", "there again: back",
                "version 2: back", "deleted: gone",
            ])
        #expect(run.lines.contains { $0.hasPrefix("3 documents: ") })
        let report = try BuiltProgram.inspector.run(
            "check", "--history", "p.json", "--format", "json", in: git.folder.path
        ).json()
        let outcomes: [JSONValue] = ["failed", "deleted", "migrated", "deleted", "migrated"]
        #expect(report["results"].elements.map { $0["outcome"] } == outcomes)
        #expect(report["results"].elements[1]["revision"]["change"] == "deleted")
        #expect(report["turns"].elements.map { $0["kind"] }.prefix(3) == ["outcome", "version", "outcome"])
        #expect(report["missing"] == .null)
    }

    @Test("check --history says that a file was renamed, not deleted, where another one took its name later")
    func renamedAway() throws {
        let git = try GitFolder()
        try git.commit(poem(version: 1, "one", rating: "3"), to: "p.json", "first")
        try git.git("mv", "p.json", "q.json")
        try git.commit("moved")
        try git.commit(poem(version: 2, "another", rating: "love"), to: "p.json", "another poem")
        let run = try BuiltProgram.inspector.run("check", "--history", "p.json", in: git.folder.path)
        #expect(run.lines.contains { $0.hasSuffix("was renamed to q.json  Ada Lovelace: moved") })
        #expect(run.lines.contains { $0.hasPrefix("  renamed to q.json since ") && $0.hasSuffix(": moved") })
        #expect(!run.output.contains("deleted"))
        let report = try BuiltProgram.inspector.run(
            "check", "--history", "p.json", "--format", "json", in: git.folder.path
        ).json()
        #expect(report["results"].elements.map { $0["outcome"] } == ["migrated", "deleted", "migrated"])
        #expect(report["results"].elements[1]["revision"]["renamedTo"] == "q.json")
    }

    @Test("check --history says how many states could not be read, and nothing that rests on them")
    func unreadable() throws {
        let git = try GitFolder()
        try git.commit(poem(version: 1, "one", rating: "3"), to: "p.json", "first")
        try git.commit("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", to: "p.json", "pointer")
        try git.commit(poem(version: 1, "two", rating: "9"), to: "p.json", "broken")
        let run = try BuiltProgram.inspector.run("check", "--history", "p.json", in: git.folder.path)
        #expect(!run.output.contains(" since "))
        #expect(run.lines.contains("1 state could not be read; nothing is said that rests on it."))
        let report = try BuiltProgram.inspector.run(
            "check", "--history", "p.json", "--format", "json", in: git.folder.path
        ).json()
        #expect(report["missing"]["because"] == "unreadable" && report["missing"]["count"] == .number(1))
    }

    @Test("check --history says of a side that was merged by hand what is so on it, and nothing of it elsewhere")
    func side() throws {
        let git = try GitFolder()
        try git.commit(poem(version: 1, "one", rating: "3"), to: "p.json", "first")
        try git.git("branch", "side")
        try git.commit(poem(version: 2, "two", rating: "love"), to: "p.json", "main goes to version 2")
        try git.git("checkout", "--quiet", "side")
        try git.commit(poem(version: 1, "side", rating: "9"), to: "p.json", "side breaks it")
        try git.git("checkout", "--quiet", "main")
        _ = try? git.git("merge", "--quiet", "--no-commit", "side")
        try git.commit(poem(version: 2, "merged", rating: "meh"), to: "p.json", "merge by hand")
        let run = try BuiltProgram.inspector.run("check", "--history", "p.json", in: git.folder.path)
        let ending = run.lines.drop { $0 != "Over time:" }.filter { $0.contains(" since ") || $0.hasSuffix(":") }
        try #require(ending.count == 4)
        #expect(ending[1].hasPrefix("  version 2 since ") && ending[1].hasSuffix("main goes to version 2"))
        #expect(ending[2] == "On sides that were merged:")
        #expect(ending[3].hasPrefix("  fails since ") && ending[3].hasSuffix("side breaks it"))
        #expect(run.lines.contains { $0.hasSuffix("side breaks it  (on a side)") })
    }

    @Test("check --history of a shallow clone never speaks of a first state, and says how to get the others")
    func shallow() throws {
        let git = try GitFolder()
        for number in 1...3 {
            try git.commit(poem(version: 1, "\(number)", rating: "9"), to: "p.json", "number \(number)")
        }
        let whole = try BuiltProgram.inspector.run("check", "--history", "p.json", in: git.folder.path)
        #expect(whole.lines.contains { $0.hasPrefix("  fails since ") && $0.hasSuffix("number 1") })
        let others = try TemporaryFolder()
        try git.git("clone", "--quiet", "--depth=2", "file://\(git.folder.path)", others.path("clone"))
        let run = try BuiltProgram.inspector.run("check", "--history", others.path("clone/p.json"))
        #expect(!run.output.contains(" since ") && run.output.contains("'git fetch --unshallow' gets them"))
        try git.git("config", "uploadpack.allowFilter", "true")
        try git.git("clone", "--quiet", "--filter=blob:none", "file://\(git.folder.path)", others.path("partial"))
        let partial = try BuiltProgram.inspector.run("check", "--history", others.path("partial/p.json"))
        #expect(!partial.output.contains(" since "))
        #expect(partial.lines.contains { $0.hasPrefix("2 states are not in this clone") })
    }

    @Test("check --history agrees with the contents of random repositories with merges, deletions and renames")
    func oracle() throws {
        let script = Project.path("Tests/Engines/history-oracle")
        let run = try BuiltProgram(path: "/usr/bin/env").run(
            "python3", script, BuiltProgram.inspector.path, "--seed", "7", "--repositories", "6", in: "/")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }

    @Test("check --follow and trace --blame agree with git and the files of random repositories")
    func followOracle() throws {
        let script = Project.path("Tests/Engines/follow-oracle")
        let run = try BuiltProgram(path: "/usr/bin/env").run(
            "python3", script, BuiltProgram.inspector.path, "--seed", "7", "--repositories", "2", in: "/")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }

    @Test(
        "check --history ends git together with the program, however the program ends", .enabled(if: Ordeal.isPossible),
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
    func ending(signal: Int32) throws {
        let git = try GitFolder()
        try git.commit("{}", to: "a.json")
        // The branch is a named pipe, so git waits for its contents.
        let pipe = git.path(".git/refs/heads/main")
        try FileManager.default.removeItem(atPath: pipe)
        try #require(mkfifo(pipe, 0o600) == 0)
        let run = try Ordeal(["check", "--history", "a.json"], in: git.folder)
        var writer: Int32 = -1
        while writer < 0, try !run.hasEnded() { writer = open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
        try #require(writer >= 0)
        defer { close(writer) }
        try run.signal(signal)
        #expect(try run.end() == -signal)
        // Even an orphan is still marked as a process of this run.
        try run.expectNothingLeft()
    }

    @Test("check --history reports in every format where it could not look for renames")
    func unsearched() throws {
        let git = try GitFolder()
        try git.commit(Self.poem + "1", to: "old.json")
        try git.git("mv", "old.json", "a.json")
        try git.commit(Self.poem + "2", to: "a.json")
        try git.git("config", "uploadpack.allowFilter", "true")
        let others = try TemporaryFolder()
        try git.git(
            "clone", "--quiet", "--no-checkout", "--filter=blob:none", "file://\(git.folder.path)", others.path("clone")
        )
        let path = others.path("clone/a.json")
        let run = try BuiltProgram.inspector.run("check", "--history", path)
        #expect(run.output.contains("    warning: renames were not looked for in commit "))
        let report = try BuiltProgram.inspector.run("check", "--history", path, "--format", "json").json()
        #expect(report["results"][0]["revision"]["unsearchedRenames"]["contentsMissing"] != .null)
    }

    private static let poem = (1...40).map { "line \($0)\n" }.joined()

    @Test("check --history reports a missing git program, repository, file or permission")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "a.json")
        let outside = try BuiltProgram.inspector.run("check", "--history", "a.json", in: folder.path)
        #expect(outside.status == 66 && outside.errors.contains("a.json: is not in a git work tree"))
        let (git, _) = try Self.makePoems()
        let without = try BuiltProgram.inspector.run(
            "check", "--history", "moved.json", in: git.folder.path, environment: ["PATH": "/nonexistent"])
        #expect(without.status == 66 && without.errors.contains("no git program is on the PATH"))
        let never = try BuiltProgram.inspector.run("check", "--history", "never.json", in: git.folder.path)
        #expect(never.status == 66 && never.errors.contains("no commit that leads to the current one has this file"))
        let none = try BuiltProgram.inspector.run("check", "--history")
        #expect(none.status == 64)
        let foreign = try BuiltProgram.inspector.run(
            "check", "--history", "moved.json", in: git.folder.path,
            environment: ["GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"])
        #expect(foreign.status == 66 && foreign.errors.contains("safe.directory"))
    }
}
