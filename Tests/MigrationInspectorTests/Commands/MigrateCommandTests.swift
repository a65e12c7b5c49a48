import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import MigrationWorker
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("The migrate command")
struct MigrateCommandTests {
    private let program = BuiltProgram.inspector

    private static let migrated = #"{"author":{"name":"A"},"lines":["One","Two"],"rating":"love","version":3}"#

    /// The line on standard error with a message about a file.
    private func saying(_ file: String, _ words: String) -> String { "migration-inspector: \(file): \(words)\n" }

    // MARK: - Where it goes

    @Test("migrate writes the newest version to standard output, and doesn't change the document")
    func standardOutput() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        let run = try program.run("migrate", "poem.json", in: folder.path)
        #expect(run.output == Self.migrated)
        #expect(run.errors == "" && run.status == 0)
        #expect(try folder.text("poem.json") == Poems.first)
        #expect(try folder.names() == ["poem.json"])
    }

    @Test("migrate --output writes to the named file, or to standard output for -")
    func output() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        let run = try program.run("migrate", "poem.json", "--output", "new.json", in: folder.path)
        #expect(run.output == "" && run.status == 0)
        #expect(try folder.text("new.json") == Self.migrated)
        #expect(try folder.text("poem.json") == Poems.first)
        #expect(try program.run("migrate", "poem.json", "--output", "-", in: folder.path).output == Self.migrated)
        #expect(try folder.names() == ["new.json", "poem.json"])
    }

    @Test("--output refuses to replace the opened document under any of its names")
    func outputOntoTheDocument() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        try folder.link("link.json", to: "poem.json")
        for name in ["poem.json", "./poem.json", "link.json", folder.path("poem.json")] {
            let run = try program.run("migrate", "poem.json", "--output", name, in: folder.path)
            #expect(run.errors.contains(UsageError.outputIsDocument.message))
            #expect(run.status == 64)
        }
        #expect(try folder.text("poem.json") == Poems.first)
    }

    @Test("--in-place replaces the document and keeps the old one")
    func inPlace() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        #expect(chmod(folder.path("poem.json"), 0o640) == 0)
        let run = try program.run("migrate", "--in-place", "poem.json", in: folder.path)
        #expect(run.output == "" && run.status == 0)
        #expect(run.errors == saying("poem.json", CommandWords.kept("document", as: FilePath("poem.json.bak"))))
        #expect(try folder.text("poem.json") == Self.migrated)
        #expect(try folder.text("poem.json.bak") == Poems.first)
        #expect(try folder.names() == ["poem.json", "poem.json.bak"])
        let permissions = try FileManager.default.attributesOfItem(atPath: folder.path("poem.json"))[.posixPermissions]
        #expect(permissions as? Int == 0o640)
    }

    /// The status is that of a path that can't be read, because the user can fix the permission and the program works
    /// correctly.
    @Test("migrate refuses to replace a write-protected file, and leaves no temporary files")
    func protected() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        try folder.write("precious", to: "new.json")
        for name in ["poem.json", "new.json"] { #expect(chmod(folder.path(name), 0o444) == 0) }
        for output in [["--in-place"], ["--output", "new.json"]] {
            let run = try program.runObeyingPermissions(["migrate", "poem.json"] + output, in: folder)
            #expect(run.errorLines.count == 1 && run.output == "" && run.status == 66)
        }
        #expect(try folder.text("poem.json") == Poems.first)
        #expect(try folder.text("new.json") == "precious")
        #expect(try folder.names() == ["new.json", "poem.json"])
    }

    @Test(
        "--in-place removes the leftovers of a killed run, however the document is named")
    func leftovers() throws {
        for name in ["poem.json", "./poem.json"] {
            let folder = try TemporaryFolder()
            try folder.write(Poems.first, to: "poem.json")
            try folder.write("x", to: ".migration-inspector-1.tmp")
            let run = try program.run("migrate", "--in-place", name, in: folder.path)
            #expect(run.status == 0)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                    == ["poem.json", "poem.json.bak"])
        }
    }

    @Test("--in-place refuses to overwrite an existing backup, and changes nothing")
    func inPlaceWithBackup() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        try folder.write("precious", to: "poem.json.bak")
        let run = try program.run("migrate", "--in-place", "poem.json", in: folder.path)
        #expect(run.status == 1)
        #expect(run.errors.contains("\(SourceProblem.backupExists(path: "poem.json.bak"))"))
        #expect(try folder.text("poem.json") == Poems.first)
        #expect(try folder.text("poem.json.bak") == "precious")
        #expect(try folder.names() == ["poem.json", "poem.json.bak"])
    }

    @Test("--in-place refuses a line of a file and standard input")
    func inPlaceOfParts() throws {
        let folder = try TemporaryFolder()
        try folder.write("\(Poems.first)\n", to: "poems.jsonl")
        let line = try program.run("migrate", "--in-place", "poems.jsonl#L1", in: folder.path)
        #expect(line.errors.contains(UsageError.inPlaceOfPart("poems.jsonl#L1", of: "poems.jsonl").message))
        #expect(line.status == 64)
        #expect(try program.run("migrate", "--in-place", "-", in: folder.path, input: Poems.first).status == 64)
        #expect(try folder.names() == ["poems.jsonl"])
    }

    @Test("--output with a name for redirected standard output appends to it, also through a descriptor or a link")
    func openOutput() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        try folder.link("out", to: "/dev/stdout")
        let expected = try program.run("migrate", "poem.json", in: folder.path).output
        for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "out"] {
            try folder.write("kept\n", to: "log")
            let script = "exec '\(program.path)' migrate poem.json --output \(name) >> log"
            let run = try BuiltProgram(path: "/bin/sh").run("-c", script, in: folder.path)
            #expect(run.status == 0 && run.errors == "", "\(name): \(run.errors)")
            #expect(try folder.text("log") == "kept\n\(expected)", "\(name)")
        }
        #expect(try folder.names() == ["log", "out", "poem.json"])
    }

    @Test("an empty output name is refused, and so is one whose backup name is too long")
    func impossibleOutputs() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        let nameless = try program.run("migrate", "poem.json", "--output", "", in: folder.path)
        #expect(nameless.status == 64 && nameless.errors.contains(UsageError.missingValue(.output).message))
        let long = String(repeating: "z", count: 248) + ".json"
        try folder.write(Poems.first, to: long)
        let run = try program.run("migrate", "--in-place", ".", in: folder.path)
        #expect(run.status == 66 && run.errors.contains(long + ".bak"))
        let tooLong = String(repeating: "z", count: 300)
        #expect(try program.run("migrate", "poem.json", "--output", tooLong, in: folder.path).status == 66)
        #expect(try program.run("check", tooLong, in: folder.path).status == 66)
        #expect(try folder.names() == ["poem.json", long].sorted())
        #expect(try folder.text("poem.json") == Poems.first)
    }

    @Test("an output file in a missing folder can't be written, and is named in the error")
    func unwritableOutput() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        let run = try program.run("migrate", "poem.json", "--output", "nowhere/new.json", in: folder.path)
        #expect(run.errors.hasPrefix("migration-inspector: nowhere/new.json: "))
        #expect(run.status == 66)
    }

    @Test("a file replaced with --output is kept as a backup, but not a second time")
    func outputOntoAnotherFile() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        try folder.write("precious", to: "new.json")
        let run = try program.run("migrate", "poem.json", "--output", "new.json", in: folder.path)
        #expect(run.errors == saying("new.json", CommandWords.kept("file", as: FilePath("new.json.bak"))))
        #expect(try folder.text("new.json") == Self.migrated)
        #expect(try folder.text("new.json.bak") == "precious")
        let again = try program.run("migrate", "poem.json", "--output", "new.json", in: folder.path)
        #expect(again.status == 1)
        #expect(again.errors.contains("\(SourceProblem.backupExists(path: "new.json.bak"))"))
        #expect(try folder.text("new.json.bak") == "precious")
    }

    @Test(
        "migrate keeps line ends, the byte order mark and the encoding",
        arguments: [String.Encoding.utf8, .utf16LittleEndian])
    func encodings(encoding: String.Encoding) throws {
        let mark = "\u{FEFF}"
        let first = ["{", #"  "version": 1,"#, #"  "author": "A","#, #"  "poem": "One","#, #"  "starRating": 5"#, "}"]
        let newest = [
            "{", #"  "author": {"#, #"    "name": "A""#, "  },", #"  "lines": ["#, #"    "One""#, "  ],",
            #"  "rating": "love","#, #"  "version": 3"#, "}",
        ]
        let old = try #require((mark + first.joined(separator: "\r\n")).data(using: encoding))
        let new = try #require((mark + newest.joined(separator: "\r\n")).data(using: encoding))
        let folder = try TemporaryFolder()
        try old.write(to: URL(filePath: folder.path + "/poem.json"))
        let run = try program.run("migrate", "poem.json", in: folder.path)
        #expect(run.outputData == new)
    }

    @Test("migrate writes to a pipe by its name")
    func pipe() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        let script = "\"$1\" migrate poem.json --output /dev/stdout | cat"
        let run = try BuiltProgram(path: "/bin/sh").run("-c", script, "sh", program.path, in: folder.path)
        #expect(run.output == Self.migrated)
        #expect(try folder.names() == ["poem.json"])
    }

    @Test("a file with several lines needs the name of one line, or an output for all of them")
    func manyLines() throws {
        let folder = try TemporaryFolder()
        try folder.write("\n\(Poems.current)\n\(Poems.first)\n", to: "poems.jsonl")
        for (command, problem) in [
            ("trace", UsageError.several(count: 2, in: "poems.jsonl", first: "poems.jsonl#L2")),
            ("migrate", .severalNeedFolder),
        ] {
            let run = try program.run(command, "poems.jsonl", in: folder.path)
            #expect(run.errors.contains(problem.message + "\n"))
            #expect(run.status == 64 && run.output == "")
        }
    }

    @Test("a file with one line is a single document")
    func oneLine() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first + "\n", to: "poem.jsonl")
        #expect(try program.run("migrate", "poem.jsonl", in: folder.path).output == Self.migrated + "\n")
        #expect(try program.run("trace", "poem.jsonl", in: folder.path).status == 0)
    }

    @Test("a version that the chain doesn't have is a usage error that lists the existing ones")
    func unknownTarget() throws {
        // Version 5 belongs to the preferences.
        for version in ["9", "5"] {
            let run = try program.run("migrate", "-", "--chain", "Poem", "--to", version, input: Poems.first)
            #expect(
                run.errors.contains(
                    UsageError.unknownVersion(
                        .number(Int(version) ?? 0), chains: [ChainDescription(ExampleChains.poem)]
                    ).message + "\n"))
            #expect(run.status == 64)
        }
    }

    @Test("migrate accepts a line of a file by the name that check prints, and standard input")
    func parts() throws {
        let folder = try TemporaryFolder()
        try folder.write("\(Poems.current)\n\(Poems.first)\n", to: "poems.jsonl")
        #expect(try program.run("migrate", "poems.jsonl#L2", in: folder.path).output == Self.migrated)
        #expect(try program.run("migrate", "-", input: Poems.first).output == Self.migrated)
    }

    // MARK: - What it writes

    @Test("a current document is written byte for byte to any output")
    func current() throws {
        let text = "{ \"version\":3,\n\t\"rating\" :\"love\", \"author\":{\"name\":\"\\u0041\"},\r\n\"lines\":[ ]}\n\n"
        let xml = """
            <!-- by hand --><plist><dict><key>version</key><integer>3</integer><key>rating</key><string>love</string>
            <key>lines</key><array/><key>author</key><dict><key>name</key><string>A</string></dict></dict></plist>
            """
        let binary = try Project.data("demo-data/poems/version-3-binary.plist")
        let utf16 = try #require(text.data(using: .utf16))
        // No version reads the mood, and it stays anyway.
        let moody = #"{"version":3,"rating":"love","author":{"name":"A"},"lines":[],"mood":"grey"}"#
        for input in [Data(text.utf8), Data("\u{FEFF}\(text)".utf8), utf16, Data(xml.utf8), binary, Data(moody.utf8)] {
            let run = try program.run(["migrate", "-"], input: input)
            #expect(run.outputData == input)
            #expect(run.status == 0)
        }
    }

    @Test("a current document is not replaced, so --in-place can be repeated")
    func currentInPlace() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "poem.json")
        #expect(try program.run("migrate", "--in-place", "poem.json", in: folder.path).status == 0)
        let again = try program.run("migrate", "--in-place", "poem.json", in: folder.path)
        let reason = CommandWords.isCurrent(.number(3))
        #expect(again.errors == saying("poem.json", CommandWords.unwritten(because: reason)))
        #expect(again.status == 0)
        #expect(try folder.text("poem.json.bak") == Poems.first)
    }

    @Test(
        "migrate keeps the layout: indentation, spaces around colons and the last line end",
        arguments: [("  ", ": ", "\n"), ("    ", " : ", ""), ("\t", ":", "\n")])
    func layout(indent: String, colon: String, end: String) throws {
        let old = """
            {
            \(indent)"version"\(colon)2,
            \(indent)"author"\(colon)"A",
            \(indent)"poem"\(colon)"One",
            \(indent)"rating"\(colon)"love"
            }\(end)
            """
        let new = """
            {
            \(indent)"author"\(colon){
            \(indent)\(indent)"name"\(colon)"A"
            \(indent)},
            \(indent)"lines"\(colon)[
            \(indent)\(indent)"One"
            \(indent)],
            \(indent)"rating"\(colon)"love",
            \(indent)"version"\(colon)3
            }\(end)
            """
        #expect(try program.run("migrate", "-", input: old).output == new)
    }

    @Test("an XML property list stays an XML property list")
    func xmlPropertyList() throws {
        let run = try program.run("migrate", "demo-data/poems/version-2-xml.plist")
        #expect(run.output.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>"))
        let values = try PropertyListSerialization.propertyList(from: run.outputData, format: nil) as? [String: Any]
        #expect(values?["version"] as? Int == 3)
        #expect((values?["author"] as? [String: Any])?["name"] as? String == "Robert Louis Stevenson")
        #expect((values?["lines"] as? [String])?.count == 2)
    }

    @Test("a binary property list stays a binary property list")
    func binaryPropertyList() throws {
        let old: [String: Any] = ["version": 2, "author": "A", "poem": "One\nTwo", "rating": "love"]
        let input = try PropertyListSerialization.data(fromPropertyList: old, format: .binary, options: 0)
        let run = try program.run(["migrate", "-"], input: input)
        #expect(run.outputData.starts(with: Data("bplist00".utf8)))
        let values = try PropertyListSerialization.propertyList(from: run.outputData, format: nil) as? [String: Any]
        #expect(values?["version"] as? Int == 3)
        #expect(values?["lines"] as? [String] == ["One", "Two"])
    }

    @Test("migrate --to stops at the named version")
    func target() throws {
        let run = try program.run("migrate", "--to", "2", "-", input: Poems.first)
        #expect(run.output == #"{"author":"A","poem":"One\nTwo","rating":"love","version":2}"#)
    }

    // MARK: - What it refuses

    @Test("migrate refuses to lose fields, names them, and writes nothing")
    func dropped() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.moody, to: "poem.json")
        for output in [[], ["--output", "new.json"], ["--in-place"]] {
            let run = try program.run(["migrate", "poem.json"] + output, in: folder.path)
            let refusal = "poem.json: \([Poems.field("mood")].lossSentence())"
            #expect(run.errors.contains(CommandWords.unwritten(because: refusal)))
            #expect(run.output == "" && run.status == 1)
        }
        #expect(try folder.names() == ["poem.json"])
        #expect(try folder.text("poem.json") == Poems.moody)
    }

    @Test("migrate keeps unread fields if closures edit the document, because they aren't lost there")
    func payloads() throws {
        let run = try program.run("migrate", "-", input: #"{"version":2,"text":"a","x":[{"y":1},1.0]}"#)
        #expect(run.output == #"{"version":3,"text":"a","x":[{"y":1},1.0],"number":200}"#, "\(run.errors)")
        #expect(run.status == 0)
        let twice = try program.run("migrate", "-", input: #"{"version":2,"text":"a","x":1,"x":2}"#)
        #expect(twice.errors.contains([Poems.field("x")].duplicatesSentence))
        #expect(twice.output == "" && twice.status == 1)
    }

    @Test("migrate prints the warnings of a document whether it migrates or is refused")
    func warnings() throws {
        let folder = try TemporaryFolder()
        let twice = Poems.first.replacing(#""author":"A""#, with: #""author":"A","author":"B""#)
        try folder.write(twice, to: "poem.json")
        try folder.write(twice.replacing(#""poem""#, with: #""mood":1,"poem""#), to: "moody.json")
        let run = try program.run(
            "migrate", "--allow-dropped", "poem.json", "--output", "new.json", in: folder.path)
        #expect(run.errorLines.map { $0.hasPrefix("migration-inspector: poem.json: warning: ") } == [true])
        #expect(try folder.text("new.json") == Self.migrated && run.status == 0)
        let refused = try program.run("migrate", "moody.json", in: folder.path)
        #expect(refused.errorLines.map { $0.hasPrefix("migration-inspector: moody.json: warning: ") } == [true, false])
        #expect(refused.output == "" && refused.status == 1)
    }

    @Test("migrate --allow-dropped loses fields")
    func allowDropped() throws {
        let run = try program.run("migrate", "--allow-dropped", "-", input: Poems.moody)
        #expect(run.output == #"{"author":{"name":"A"},"lines":["One"],"rating":"love","version":3}"#)
        #expect(run.status == 0)
    }

    @Test("migrate warns about losses of a step, and refuses them with --strict")
    func losses() throws {
        let document = "demo-data/things/version-1.json"
        let loss = "lost in step 2 → 3: $.number: nothing that was tried changes the result"
        let run = try program.run("migrate", document)
        #expect(run.errors == "migration-inspector: \(document): warning: \(loss)\n")
        #expect(run.output.contains("\"version\"") && run.status == 0)
        let strict = try program.run("migrate", "--strict", document)
        #expect(strict.output == "" && strict.status == 1)
        #expect(strict.errorLines.first == "migration-inspector: \(document): \(loss)")
        #expect(strict.errorLines.last?.hasSuffix("--strict refuses that; nothing was written") == true)
        let none = try program.run("migrate", "--no-experiments", document)
        #expect(none.errors == "" && none.output == run.output && none.status == 0)
        let clean = try program.run("migrate", "--strict", "demo-data/resolved-packages/version-1.resolved")
        #expect(clean.status == 0 && clean.errors == "")
    }

    @Test("migrate writes nothing if a step fails, and reports the position in the document")
    func failed() throws {
        let run = try program.run("migrate", "-", input: Poems.broken)
        #expect(run.output == "" && run.status == 1)
        let refusal = CommandWords.unwritten(because: "-:1:53: \(Poems.ratingFailure.sentence)")
        #expect(run.errors == "migration-inspector: \(refusal)\n")
    }

    @Test("migrate writes nothing for malformed, unrecognized or missing documents")
    func nothingToMigrate() throws {
        let malformed = try program.run("migrate", "-", input: "{")
        #expect(malformed.output == "" && malformed.status == 1)
        let unknown = try program.run("migrate", "-", input: "{}")
        #expect(unknown.errors.contains([Reason]().unrecognizedSentence) && unknown.output == "" && unknown.status == 1)
        let missing = try program.run("migrate", "nowhere.json")
        #expect(missing.errors == "migration-inspector: nowhere.json: \(SourceProblem.noSuchFile)\n")
        #expect(missing.output == "" && missing.status == 66)
        #expect(try program.run("migrate", "demo-data").status == 64)
    }

    // MARK: - Who may read it

    private func status(_ path: String) -> stat {
        var status = stat()
        lstat(path, &status)
        return status
    }

    @Test("the leftovers of a killed run are removed by the next run, even if nothing is left to migrate")
    func leftByKill() throws {
        let folder = try TemporaryFolder()
        try folder.copy("demo-data/poems/version-3.json", to: "a.json")
        try folder.write("old", to: ".migration-inspector-1-2.old")
        try #require(link(folder.path(".migration-inspector-1-2.old"), folder.path("a.json.bak")) == 0)
        for arguments in [["migrate", "--in-place", "."], ["migrate", "--in-place", "a.json"]] {
            try folder.write("half", to: ".migration-inspector-2.tmp")
            let run = try program.run(arguments, in: folder.path)
            #expect(run.status == 0, "\(run.errors)")
            #expect(try folder.names() == ["a.json", "a.json.bak"], "\(arguments)")
        }
    }

    @Test("a document of another user is not replaced by a file of the current user", .enabled(if: geteuid() == 0))
    func otherUser() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Poems.first, to: "poem.json")
        chmod(folder.path, 0o777)
        chmod(path, 0o666)
        let run = try program.runAsNobody("migrate", "--in-place", "poem.json", in: folder.path)
        #expect(run.status == 1)
        #expect(run.errors.contains("poem.json: \(SourceProblem.ownerNotKept(owner: 0, group: 0))"))
        #expect(try folder.names() == ["poem.json"] && folder.text("poem.json") == Poems.first)
        // A document of the user, with a group that the user doesn't belong to.
        chown(path, 65534, 0)
        chmod(path, 0o640)
        #expect(try program.runAsNobody("migrate", "--in-place", "poem.json", in: folder.path).status == 1)
        // Root keeps the owner and the group of any document.
        chown(path, 12345, 54321)
        #expect(try program.run("migrate", "--in-place", "poem.json", in: folder.path).status == 0)
        let new = status(path)
        #expect(new.st_uid == 12345 && new.st_gid == 54321 && new.st_mode & 0o777 == 0o640)
    }

    @Test("a file made by --output is not readable for more users than the document", .enabled(if: geteuid() == 0))
    func privateOutput() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Poems.first, to: "poem.json")
        chmod(folder.path, 0o777)
        for (mode, group, expected) in [(0o600, 0, 0o600), (0o644, 0, 0o644), (0o640, 0, 0o600)]
            as [(mode_t, gid_t, mode_t)]
        {
            chown(path, 65534, group)
            chmod(path, mode)
            #expect(
                try program.runAsNobody("migrate", "poem.json", "--output", "new.json", in: folder.path).status == 0)
            #expect(status(folder.path("new.json")).st_mode & 0o777 == expected)
            unlink(folder.path("new.json"))
        }
    }

    @Test("other names of a replaced document are reported to keep the old contents")
    func hardLink() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Poems.first, to: "poem.json")
        #expect(link(path, folder.path("other.json")) == 0)
        let run = try program.run("migrate", "--in-place", "poem.json", in: folder.path)
        #expect(run.errors.contains(saying("poem.json", CommandWords.stays("document", otherNames: 1))))
        #expect(run.status == 0)
        #expect(try folder.text("other.json") == Poems.first)
        #expect(try folder.text("poem.json") == Self.migrated)
    }

    // MARK: - Names that are not UTF-8

    /// Runs the program from a shell, in which `p` prints `\351` as the byte 0xE9.
    private func run(_ arguments: String, in folder: TemporaryFolder) throws -> ProgramRun {
        let script = "p() { printf \"$1\"; }; exec \"$0\" \(arguments)"
        return try BuiltProgram(path: "/bin/sh").run("-c", script, program.path, in: folder.path)
    }

    @Test("a name that isn't UTF-8 works everywhere, and is printed with escapes")
    func bytes() throws {
        let folder = try TemporaryFolder()
        try folder.write("mine", to: "caf\u{FFFD}.json")
        try folder.write(Poems.first, to: "poem.json")
        defer { _ = try? BuiltProgram(path: "/bin/sh").run("-c", "rm -rf d*", in: folder.path) }
        let make = #"d=$(printf 'd\377'); mkdir "$d"; cp poem.json "$d/$(printf 'caf\351.json')""#
        #expect(try BuiltProgram(path: "/bin/sh").run("-c", make, in: folder.path).status == 0)
        let name = #"d\xFF/caf\xE9.json"#
        #expect(try run(#"check "$(p 'd\377')""#, in: folder).output.hasPrefix("\(name): ✓ Poem 1 → 3\n"))
        #expect(try run(#"check "$(p 'd\377/caf\351.json')""#, in: folder).output.hasPrefix("\(name): ✓ Poem"))
        let json = try run(#"trace "$(p 'd\377/caf\351.json')" --format json"#, in: folder).json()
        #expect(json["source"].text == name && json["outcome"] == "migrated")
        // The name as check prints it.
        #expect(try program.run("migrate", name, in: folder.path).output == Self.migrated)
        let output = try run(#"migrate poem.json --output="$(p 'd\377/neu\374.json')""#, in: folder)
        #expect(output.errors == "" && output.status == 0)
        #expect(try program.run("check", #"d\xFF/neu\xFC.json"#, in: folder.path).output.contains("Poem 3, current"))
        let inPlace = try run(#"migrate --in-place "$(p 'd\377/caf\351.json')""#, in: folder)
        let backup = try #require(FilePath(described: name + ".bak"))
        #expect(inPlace.errors == saying(name, CommandWords.kept("document", as: backup)))
        #expect(try program.run("check", name, in: folder.path).output.contains("Poem 3, current"))
        #expect(try folder.text("caf\u{FFFD}.json") == "mine")
    }
}
