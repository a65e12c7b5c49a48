import Foundation
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Following a value through the states of a file")
struct FollowCommandTests {
    /// A poem in four versions, whose rating changes once and is migrated twice.
    private static func makePoem() throws -> GitFolder {
        let git = try GitFolder()
        try git.commit(#"{"author": "A", "poem": "a\nb"}"#, to: "p.json", "none")
        for stars in [3, 5] {
            try git.commit(
                #"{"version": 1, "author": "A", "poem": "a\nb", "starRating": \#(stars)}"#, to: "p.json",
                "\(stars) stars")
        }
        try git.commit(
            #"{"version": 2, "author": "A", "poem": "a\nb", "rating": "love"}"#, to: "p.json", "version 2")
        try git.commit(
            #"{"version": 3, "author": {"name": "A"}, "lines": ["a", "b"], "rating": "hate"}"#, to: "p.json",
            "version 3")
        return git
    }

    private func follow(_ selector: String, in git: GitFolder, _ options: String...) throws -> ProgramRun {
        try BuiltProgram.inspector.run(
            ["check", "--history", "p.json", "--follow", selector] + options, in: git.folder.path)
    }

    @Test("a value is followed back through the steps that migrated it, to the step that made it")
    func throughSteps() throws {
        let git = try Self.makePoem()
        let run = try follow("$.rating", in: git)
        #expect(run.lines[0] == "$.rating in 5 states:" && run.status == 0)
        #expect(run.lines[1].hasSuffix("\"love\" → \"hate\"  Ada Lovelace: version 3  (through step 2 → 3, likely)"))
        #expect(run.lines[2].contains("5 → \"love\", migrated  Ada Lovelace: version 2"))
        #expect(run.lines[2].hasSuffix("(through step 1 → 2, proved)"))
        #expect(run.lines[3].contains("3 → 5  Ada Lovelace: 5 stars"))
        #expect(run.lines[4].contains("3; not followed further: step none → 1 makes it"))
        #expect(run.lines.last?.hasPrefix("5 documents: 1 current, 4 migrated") == true)
        let rows = try follow("$.rating", in: git, "--format", "json").json()["followed"].elements
        #expect(rows.map { $0["kind"] } == ["changed", "migrated", "changed", "unfollowed"])
        #expect(rows.map { $0["path"] } == ["$.rating", "$.rating", "$.starRating", "$.starRating"])
        #expect(rows[2]["from"] == 3 && rows[2]["to"] == 5 && rows[2]["author"] == "Ada Lovelace")
    }

    @Test("as migrated, a value is compared in the newest version of every state")
    func asMigrated() throws {
        let git = try Self.makePoem()
        let run = try follow("$.rating", in: git, "--as-migrated", "--format", "jsonl")
        let summary = try #require(try run.jsonLines().last)
        let rows = summary["summary"]["followed"].elements
        #expect(rows.map { $0["to"] } == ["hate", "love", "meh"] && rows.map { $0["from"] } == ["love", "meh", .null])
        #expect(rows.map { $0["subject"] } == ["version 3", "5 stars", "none"])
    }

    @Test("a change on a side of a merge says that it is on one")
    func onSide() throws {
        let git = try GitFolder()
        func commit(_ number: Int) throws { try git.commit(#"{"other": \#(number)}"#, to: "p.json", "\(number)") }
        try commit(1)
        try git.git("checkout", "--quiet", "-b", "side")
        try commit(2)
        try git.git("checkout", "--quiet", "main")
        try commit(3)
        try git.git("merge", "--quiet", "--no-ff", "-s", "ours", "side")
        let lines = try follow("$.other", in: git).lines.filter { $0.hasPrefix("  ") }
        let sides = lines.filter { $0.contains(" → ") }.map { ($0.contains("1 → 2"), $0.hasSuffix("(on a side)")) }
        #expect(sides.count == 2 && sides.allSatisfy { $0.0 == $0.1 })
    }

    @Test("documents that are not committed are states in the order in which they are found")
    func folder() throws {
        let folder = try TemporaryFolder()
        for (day, rating) in [(1, "love"), (2, "meh"), (3, "meh")] {
            try folder.write(
                #"{"version": 3, "author": {"name": "A"}, "lines": [], "rating": "\#(rating)"}"#,
                to: "backup-\(day).json")
        }
        let run = try BuiltProgram.inspector.run("check", ".", "--follow", "$.rating", in: folder.path)
        #expect(run.lines[1].contains("backup-2.json  \"love\" → \"meh\"") && run.lines[2].hasSuffix("\"love\""))
    }

    @Test("blame of a deleted file names the commit and the state before it, which has values")
    func blameOfDeleted() throws {
        let git = try Self.makePoem()
        try git.git("rm", "--quiet", "p.json")
        let commit = try git.commit("gone")
        let run = try BuiltProgram.inspector.run("trace", "--blame", "p.json", in: git.folder.path)
        let short = try (git.git("rev-parse", "--short", commit), git.git("rev-parse", "--short", "\(commit)~1"))
        #expect(run.status == 1 && run.errors.contains("p.json: it was deleted in \(short.0), 2023-11-"))
        #expect(run.errors.contains("; the state before is \(short.1):p.json"))
        let before = try BuiltProgram.inspector.run("trace", "--blame", "\(short.1):p.json", in: git.folder.path)
        #expect(before.status == 0 && before.output.contains("$.rating"))
    }

    @Test("blame says who last changed each value, as it is and as migrated")
    func blame() throws {
        let git = try Self.makePoem()
        let plain = try BuiltProgram.inspector.run("trace", "--blame", "p.json", in: git.folder.path)
        #expect(plain.status == 0 && plain.lines.count == 5)
        let short = try git.git("log", "-1", "--format=%h")
        #expect(plain.lines.allSatisfy { $0.contains(" \(short) Ada Lovelace  $.") })
        let report = try BuiltProgram.inspector.run(
            "trace", "--blame", "--as-migrated", "p.json", "--format", "json", in: git.folder.path
        ).json()
        let first = try git.git("rev-list", "--max-parents=0", "HEAD")
        let now = try git.git("rev-parse", "HEAD")
        let blamed = report["blame"].elements
        #expect(blamed.map { $0["path"] } == ["$.version", "$.author.name", "$.lines[0]", "$.lines[1]", "$.rating"])
        #expect(blamed.map { $0["commit"] } == [first, first, first, first, now].map { .string($0) })
    }

    @Test("in a shallow clone, a value may be older than the first state that is known")
    func shallow() throws {
        let git = try Self.makePoem()
        let others = try TemporaryFolder()
        try git.git("clone", "--quiet", "--depth=2", "file://\(git.folder.path)", others.path("clone"))
        func run(_ arguments: String...) throws -> ProgramRun {
            try BuiltProgram.inspector.run(arguments, in: others.path("clone"))
        }
        let followed = try run("check", "--history", "p.json", "--follow", "$.rating")
        #expect(followed.lines[2].hasSuffix("or in a state before that is not known)"))
        let rows = try run("check", "--history", "p.json", "--follow", "$.rating", "--format", "json").json()
        #expect(rows["followed"].elements.map { $0["mayBeEarlier"] } == [false, true])
        #expect(try run("trace", "--blame", "p.json", "--as-migrated").output.contains(" or before "))
    }

    @Test("a selector that means nothing, several elements or many values is refused with what would be right")
    func mistakes() throws {
        let git = try GitFolder()
        try git.commit(#"{"pins": [{"kind": "a"}, {"kind": "a"}]}"#, to: "p.json")
        let several = try follow("$.pins[kind=a]", in: git)
        #expect(several.status == 64 && several.errors.contains("2 elements in "))
        let pattern = try follow("$.pins[*]", in: git)
        #expect(pattern.status == 64 && pattern.errors.contains("--follow needs the path of one value"))
        let none = try follow("$.pins[kind=b]", in: git)
        #expect(none.lines.first == "no state has a value at $.pins[kind=b]")
        let alone = try BuiltProgram.inspector.run("check", "p.json", "--as-migrated", in: git.folder.path)
        #expect(alone.status == 64 && alone.errors.contains("--as-migrated needs --follow"))
    }

    @Test("what was followed is in every format", arguments: ["junit", "github", "markdown", "html"])
    func formats(format: String) throws {
        let git = try Self.makePoem()
        let run = try follow("$.rating", in: git, "--format", format)
        #expect(run.status == 0 && run.output.contains("$.rating in 5 states"))
        #expect(run.output.contains("3 → 5  Ada Lovelace: 5 stars"))
    }
}
