import DocumentModel
import TestSupport
import Testing

@Suite("The shrink command")
struct ShrinkCommandTests {
    private let program = BuiltProgram.inspector

    @Test("shrink writes the smallest document with the same failure, and reports its size")
    func shrink() throws {
        let run = try program.run("shrink", "demo-data/posted-letters/recipient-empty.json")
        #expect(run.status == 0)
        let left = try Document(json: run.output).root
        #expect(left.members.map(\.name) == ["_version", "sender", "recipient", "body"])
        #expect(left["recipient"]?.string == "" && left["body"]?.string == "")
        #expect(run.errors.contains("recipient-empty.json: thrown") && run.errors.contains(" bytes are left after "))
        // It still fails, and no member can be removed.
        let folder = try TemporaryFolder()
        try folder.write(run.output, to: "left.json")
        #expect(try program.run("check", "left.json", in: folder.path).output.contains("has an empty name"))
        #expect(try program.run("shrink", "left.json", in: folder.path).output == run.output)
    }

    @Test("shrink keeps enough for the document to be recognized and fail the same way without --chain")
    func recognized() throws {
        let folder = try TemporaryFolder()
        for (name, failure) in [
            ("wrong-author-misspelt", "Poem 2 ✗: keyNotFound at $.author"), ("wrong-text-missing", "Poem none ✗ 1"),
        ] {
            let run = try program.run("shrink", "demo-data/poems/\(name).json")
            try folder.write(run.output, to: "\(name).json")
            #expect(try program.run("check", "\(name).json", in: folder.path).output.contains(failure))
        }
    }

    @Test("shrink writes the format that it read")
    func propertyList() throws {
        let run = try program.run("shrink", "demo-data/preferences/neither-string-nor-set-xml.plist")
        #expect(run.status == 0 && run.output.hasPrefix("<?xml") && run.output.contains("<key>setString</key>"))
        #expect(!run.output.contains("TimeZone"))
    }

    @Test(
        "shrink reports why there is nothing to shrink",
        arguments: [
            ("demo-data/poems/version-1.json", "it does not fail"),
            ("demo-data/poems/wrong-cut-short.json", "malformed"),
        ])
    func nothing(document: String, reason: String) throws {
        let run = try program.run("shrink", document)
        #expect(run.output == "" && run.status == 1)
        #expect(run.errors.contains("\(document): \(reason)") && run.errors.contains("nothing to shrink"))
    }

    @Test("shrink takes one document, and refuses options that prevent experiments")
    func refused() throws {
        #expect(try program.run("shrink").status == 64 && program.run("shrink", "a", "b").status == 64)
        #expect(try program.run("shrink", "no-such-file.json").status == 66)
        for option in ["--no-experiments", "--in-process"] {
            let run = try program.run("shrink", option, "demo-data/poems/rating-9.json")
            #expect(run.output == "" && run.status == 64 && run.errors.contains("leave out \(option)"))
        }
    }
}
