import Foundation
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Documents of no chain")
struct ObservedVersionCommandTests {
    private static func lock(_ version: Int, _ release: String) -> String {
        #"{"name": "app", "version": "\#(release)", "lockfileVersion": \#(version), "requires": true}"#
    }

    private static func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.lock(1, "1.0.0"), to: "a.json")
        try folder.write(Self.lock(2, "1.0.1"), to: "b.json")
        try folder.write(Self.lock(2, "1.0.2"), to: "c.json")
        try folder.write(#"{"strict": true}"#, to: "d.json")
        return folder
    }

    @Test("check reports the version that differs between documents of no chain, and never that they open")
    func folder() throws {
        let folder = try Self.makeFolder()
        let run = try BuiltProgram.inspector.run("check", ".", in: folder.path)
        #expect(run.status == 1 && run.errors == "")
        #expect(run.lines[0].hasPrefix("./a.json: ? version 1, observed at $.lockfileVersion; belongs to no chain"))
        #expect(run.lines.contains { $0.hasPrefix("./c.json: ? version 2, observed at $.lockfileVersion;") })
        #expect(run.lines.contains { $0.hasPrefix("./d.json: ? belongs to no chain") })
        #expect(run.lines.contains("4 documents: 0 current, 0 migrated, 0 failed, 4 unrecognized, 0 unreadable"))
        #expect(
            run.output.hasSuffix(
                """

                Versions that are only observed (no chain claims these documents, so nothing migrates):
                  $.lockfileVersion: 1 in 1, 2 in 2 of 3 documents

                """))
    }

    @Test("every report of a check has the observed version of each document, in the order of the documents")
    func formats() throws {
        let folder = try Self.makeFolder()
        func results(_ format: String) throws -> [JSONValue] {
            let run = try BuiltProgram.inspector.run("check", "--format", format, ".", in: folder.path)
            return format == "json"
                ? try run.json()["results"].elements : Array(try run.jsonLines().dropLast())
        }
        for format in ["json", "jsonl"] {
            let results = try results(format)
            #expect(results.map { $0["source"] } == ["./a.json", "./b.json", "./c.json", "./d.json"])
            #expect(results.map { $0["observed"]["version"] } == [1, 2, 2, .null])
            #expect(results[0]["observed"]["path"] == "$.lockfileVersion" && results[3]["observed"] == .null)
            #expect(results.allSatisfy { $0["outcome"] == "unrecognized" && $0["version"] == .null })
        }
        let github = try BuiltProgram.inspector.run("check", "--format", "github", ".", in: folder.path)
        #expect(github.output.contains("version 2, observed at $.lockfileVersion; belongs to no chain"))
        let merged = try BuiltProgram.inspector.run(
            "check", "--merge", "-", "--format", "json", in: folder.path,
            input: try BuiltProgram.inspector.run("check", "--format", "json", ".", in: folder.path).output)
        #expect(try merged.json()["results"].elements.map { $0["observed"]["version"] } == [1, 2, 2, .null])
    }

    @Test("--version-key names the version, in streams too, where nothing is compared")
    func key() throws {
        let folder = try Self.makeFolder()
        let run = try BuiltProgram.inspector.run(
            "check", "--version-key", "$.version", "a.json", "d.json", "--format", "json", in: folder.path)
        let results = try run.json()["results"].elements
        #expect(results.map { $0["observed"]["version"] } == ["1.0.0", .null])
        let lines = Self.lock(1, "1") + "\n" + Self.lock(2, "2") + "\n"
        for (options, expected) in [([], [.null, .null]), (["--version-key", "$.lockfileVersion"], [1, 2])]
            as [([String], [JSONValue])]
        {
            let run = try BuiltProgram.inspector.run(
                ["check", "--format", "jsonl"] + options + ["-"], in: folder.path, input: Data(lines.utf8))
            #expect(try run.jsonLines().dropLast().map { $0["observed"]["version"] } == expected)
        }
        for key in ["version", "$.list[*].version"] {
            let wrong = try BuiltProgram.inspector.run("check", "--version-key", key, ".", in: folder.path)
            #expect(wrong.status == 64 && wrong.errors.contains("a path, like '$.schemaVersion'"))
        }
    }

    @Test("check --history says since when a file of no chain has had each observed version")
    func history() throws {
        let git = try GitFolder()
        try git.commit(#"{"requires": false}"#, to: "lock.json", "begin")
        for number in 1...4 {
            try git.commit(Self.lock(number > 2 ? 2 : 1, "1.0.\(number)"), to: "lock.json", "s\(number)")
        }
        let hashes = try git.git("log", "--format=%h", "lock.json").split(separator: "\n").map(String.init)
        let run = try BuiltProgram.inspector.run("check", "--history", "lock.json", in: git.folder.path)
        #expect(run.status == 1)
        #expect(run.lines.prefix(5).map { String($0.prefix { $0 != ":" }) } == hashes)
        #expect(run.lines[0].hasSuffix("version 2, observed  Ada Lovelace: s4"))
        #expect(run.lines[4].hasSuffix("no version observed  Ada Lovelace: begin"))
        let ending = try #require(run.lines.firstIndex(of: "Over time:"))
        #expect(run.lines[ending + 1].hasPrefix("  version 2, observed, since \(hashes[1]) "))
        #expect(run.lines[ending + 2].hasPrefix("  version 1, observed, since \(hashes[3]) "))
        #expect(run.lines[ending + 3].hasPrefix("  unrecognized since \(hashes[4]) "))
        #expect(run.lines.last == "  $.lockfileVersion: 1 in 2, 2 in 2 of 4 documents")
        let report = try BuiltProgram.inspector.run(
            "check", "--history", "lock.json", "--format", "json", in: git.folder.path
        ).json()
        #expect(report["results"].elements.map { $0["observed"]["version"] } == [2, 2, 1, 1, .null])
        let turns = report["turns"].elements
        #expect(turns.map { $0["kind"] } == ["version", "version", "outcome"])
        #expect(turns.map { $0["observed"] } == [true, true, .null] && turns[0]["from"] == 1 && turns[0]["to"] == 2)
        #expect(turns.allSatisfy { $0["document"] == "lock.json" })
    }
}
