import DocumentModel
import DocumentSources
import Foundation
import TestSupport
import Testing

@Suite("The diff command")
struct DiffCommandTests {
    private let program = BuiltProgram.inspector

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(#"{"a": 1, "b": [1, 2], "c": "x"}"#, to: "old.json")
        try folder.write(#"{"c": "x", "b": [1, 2, 3], "d": true}"#, to: "new.json")
        try folder.write("{\"c\": \"x\",\n  \"b\": [1.0, 2], \"a\": 1}", to: "same.json")
        try folder.write(#"{"c": "#, to: "broken.json")
        return folder
    }

    @Test("diff prints added, removed and changed values, and its exit status is 1 if there are any")
    func text() throws {
        let folder = try folder()
        let run = try program.run("diff", "old.json", "new.json", in: folder.path)
        #expect(run.status == 1 && run.errors == "")
        #expect(Set(run.output.split(separator: "\n")) == ["- $.a: 1", "+ $.b[2]: 3", "+ $.d: true"])
        let same = try program.run("diff", "old.json", "same.json", in: folder.path)
        #expect(same.status == 0 && same.output == "" && same.errors == "")
        let input = try program.run("diff", "-", "new.json", in: folder.path, input: "{}")
        #expect(input.status == 1 && input.output.contains("+ $.d: true"))
    }

    @Test("diff compares documents of two versions as the newest one, and says why one does not migrate")
    func asMigrated() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"version": 1, "author": "A", "poem": "a\nb", "starRating": 5}"#, to: "old.json")
        try folder.write(
            #"{"version": 3, "author": {"name": "A"}, "lines": ["a", "c"], "rating": "love"}"#, to: "new.json")
        try folder.write(#"{"version": 1, "author": "A", "poem": "a", "starRating": 9}"#, to: "failing.json")
        let run = try program.run("diff", "--as-migrated", "old.json", "new.json", in: folder.path)
        #expect(run.status == 1 && run.output == "~ $.lines[1]: \"b\" → \"c\"\n" && run.errors == "")
        let failing = try program.run("diff", "--as-migrated", "failing.json", "new.json", in: folder.path)
        #expect(failing.status == 2 && failing.output == "")
        #expect(failing.errors.contains("failing.json: it does not migrate to the newest version: fieldNoLongerValid"))
        let other = try program.run("diff", "--as-migrated", "-", "new.json", in: folder.path, input: #"{"other": 1}"#)
        #expect(other.status == 2 && other.errors.contains("-: it does not migrate to the newest version: "))
        let needless = try program.run("diff", "--chain", "Poem", "old.json", "new.json", in: folder.path)
        #expect(needless.status == 64 && needless.errors.contains("--chain needs --as-migrated"))
    }

    @Test("diff prints changes as JSON, or a JSON Patch that turns the old document into the new one")
    func formats() throws {
        let folder = try folder()
        let changes = try Document(
            json: program.run("diff", "old.json", "new.json", "--format", "json", in: folder.path).output)
        #expect(changes.root.elements.map { $0["kind"]?.string } == ["removed", "added", "added"])
        #expect(changes.root[1]?["path"]?.string == "$.b[2]" && changes.root[1]?["new"]?.numberText == "3")
        let patch = try program.run("diff", "old.json", "new.json", "--format", "patch", in: folder.path)
        #expect(patch.status == 1)
        let operations = try Document(json: patch.output).root.elements.map {
            "\($0["op"]?.string ?? "") \($0["path"]?.string ?? "")"
        }
        #expect(operations.sorted() == ["add /b/2", "add /d", "remove /a"])
        let none = try program.run("diff", "old.json", "same.json", "--format", "patch", in: folder.path)
        #expect(none.status == 0 && none.output == "[]\n")
    }

    @Test("a document in base64 on a line is compared, addressed and edited as one")
    func base64() throws {
        func line(_ stars: Int) -> String {
            let json = #"{"author": "Ada", "stars": [\#(stars)]}"#
            return #"{"version": 3, "author": {"name": "B"}, "lines": [], "rating": "love", "x": ""#
                + Data(json.utf8).base64EncodedString() + "\"}\n"
        }
        let folder = try TemporaryFolder()
        try folder.write(line(1) + line(2), to: "poems.jsonl")
        let run = try program.run("diff", "poems.jsonl#L1", "poems.jsonl#L2", in: folder.path)
        #expect(run.status == 1 && run.lines == ["~ $.x.stars[0]: 1 → 2"])
        let edited = try program.run(
            "trace", "poems.jsonl#L1", "--set", "$.x.stars[0]=2", "--format", "json", in: folder.path)
        let document = try Document(json: edited.output).root["document"]
        #expect(try document?["x"]?.string == Document(json: line(2)).root["x"]?.string)
    }

    @Test("diff of a packed document with trailing data reports in JSON what wasn't compared, and makes no patch")
    func notCompared() throws {
        let folder = try folder()
        let packed = try Gzip.pack(Data(folder.text("old.json").utf8), as: "x")
        try folder.write(packed + Data("more".utf8), to: "rest.json.gz")
        for (other, kinds) in [
            ("old.json", ["notCompared"]), ("new.json", ["removed", "added", "added", "notCompared"]),
        ] {
            let run = try program.run("diff", "rest.json.gz", other, "--format", "json", in: folder.path)
            let entries = Array(try Document(json: run.output).root.elements)
            #expect(run.status == 2 && entries.map { $0["kind"]?.string } == kinds)
            #expect(entries.last?["source"]?.string == "rest.json.gz")
            #expect(entries.last?["message"]?.string?.contains("the first \(packed.count) bytes") == true)
            let patch = try program.run("diff", other, "rest.json.gz", "--format", "patch", in: folder.path)
            #expect(
                patch.status == 2 && patch.output == "" && patch.errors.contains("only what comes before was compared"))
        }
    }

    @Test("diff reports which document can't be read, and where it is malformed")
    func trouble() throws {
        let folder = try folder()
        for (arguments, words) in [
            (["old.json", "broken.json"], "broken.json:1:7: found the end of the text"),
            (["none.json", "old.json"], "none.json: no such file"), ([".", "old.json"], ".: "),
        ] {
            let run = try program.run(["diff"] + arguments, in: folder.path)
            #expect(run.status == 2 && run.output == "" && run.errors.contains(words), "\(run.errors)")
        }
        for arguments in [["old.json"], ["a", "b", "c"], [], ["-", "-"]] {
            #expect(try program.run(["diff"] + arguments, in: folder.path).status == 64)
        }
    }
}
