import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Migrating several documents")
struct MigrateSeveralTests {
    private let program = BuiltProgram.inspector
    private static let migrated = #"{"author":{"name":"A"},"lines":["One","Two"],"rating":"love","version":3}"#

    /// Poems in a folder and its subfolder, and a file of lines, one of which is current.
    private func poems() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "all/a.json")
        try folder.write(Poems.current, to: "all/b.json")
        try folder.write(Poems.first, to: "all/below/c.json")
        try folder.write("\(Poems.first)\n\n  \(Poems.current)\r\n\(Poems.first)", to: "all/lines.jsonl")
        return folder
    }

    /// The contents of all files by name.
    private func contents(_ folder: TemporaryFolder) throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            if let text = try? folder.text(name) { contents[name] = text }
        }
        return contents
    }

    private static let lines = "\(migrated)\n\n  \(Poems.current)\r\n\(migrated)"

    @Test("migrate --in-place of several documents replaces and backs up old ones, and a second run changes nothing")
    func inPlace() throws {
        let folder = try poems()
        let before = try contents(folder)
        let run = try program.run("migrate", "--in-place", "all", in: folder.path)
        #expect(run.status == 0 && run.outputData.isEmpty)
        #expect(run.errorLines == ["migration-inspector: \(said(4, 2, 0, 3, .inPlace))"])
        var expected = before
        for name in ["all/a.json", "all/below/c.json", "all/lines.jsonl"] {
            expected["\(name).bak"] = before[name]
            expected[name] = name.hasSuffix("l") ? Self.lines : Self.migrated
        }
        #expect(try contents(folder) == expected)
        let again = try program.run("migrate", "--in-place", "all", in: folder.path)
        #expect(again.status == 0 && again.errors.contains(said(0, 6, 0, 0, .inPlace)))
        #expect(try contents(folder) == expected)
    }

    @Test("migrate of several documents warns of what each of them loses, for a folder and for lines")
    func losses() throws {
        let folder = try TemporaryFolder()
        let thing = #"{"version":1,"text":"a","number":4}"#
        try folder.write(thing, to: "all/a.json")
        try folder.write("\(thing)\n\(thing)\n", to: "all/b.jsonl")
        let alone = try program.run("migrate", "all/a.json", in: folder.path)
        let warnings = alone.errorLines.filter { $0.contains("warning: lost in step") }
        #expect(!warnings.isEmpty)
        let run = try program.run("migrate", "--output", "new/", "all", in: folder.path)
        #expect(run.status == 0)
        let expected = ["all/a.json", "all/b.jsonl#L1", "all/b.jsonl#L2"].flatMap { name in
            warnings.map { $0.replacingOccurrences(of: "all/a.json", with: name) }
        }
        #expect(run.errorLines.dropLast() == expected[...])
        let none = try program.run("migrate", "--no-experiments", "--output", "other/", "all", in: folder.path)
        #expect(none.status == 0 && none.errorLines.count == 1)
    }

    @Test("migrate --strict refuses a document that loses something, alone and among several, and writes none of them")
    func strict() throws {
        let folder = try poems()
        try folder.write(#"{"version":1,"text":"a","number":4}"#, to: "all/z.json")
        for document in ["all/z.json", "all"] {
            let run = try program.run("migrate", "--strict", "--output", "new/", document, in: folder.path)
            #expect(run.status == 1 && run.errors.contains("all/z.json: lost in step"), "\(run.errors)")
            #expect(try folder.names() == ["all"])
        }
    }

    private func said(_ migrated: Int, _ current: Int, _ refused: Int, _ files: Int, _ output: MigrateOutput) -> String
    {
        CommandWords.several(migrated: migrated, current: current, refused: refused, files: files, output)
    }

    @Test("--output with an existing folder or a trailing slash is a folder for one document too")
    func folderForOne() throws {
        let folder = try poems()
        try FileManager.default.createDirectory(atPath: folder.path("there"), withIntermediateDirectories: false)
        for output in ["there", "new/", "new/below/"] {
            let run = try program.run("migrate", "all/a.json", "--output", output, in: folder.path)
            #expect(run.status == 0)
            #expect(try folder.text("\(output)/a.json") == Self.migrated)
        }
        let run = try program.run("migrate", "all/a.json", "--output", "file", in: folder.path)
        #expect(run.status == 0)
        #expect(try folder.text("file") == Self.migrated)
    }

    @Test("--output to a folder takes a file once for any spelling, and nothing without a file name")
    func spellings() throws {
        let folder = try poems()
        let run = try program.run("migrate", "all/a.json", "./all//a.json", "--output", "new", in: folder.path)
        #expect(run.status == 0)
        #expect(try folder.text("new/a.json") == Self.migrated)
        let stream = try program.run("migrate", "-", "--output", "new/", in: folder.path)
        #expect(stream.status == 64 && stream.errors.contains(UsageError.nameless("-").message))
        let store = folder.path("poems.store")
        try StoreWriter.make(
            store, "CREATE TABLE POEM (ID INTEGER PRIMARY KEY, TEXT BLOB)",
            "INSERT INTO POEM (TEXT) VALUES (CAST('\(Poems.first)' AS BLOB))")
        let several = try program.run("migrate", store, "all", "--output", "new/", in: folder.path)
        #expect(several.status == 64 && several.errors.contains(CommandWords.storeAmongSeveral(FilePath(store))))
        let copy = try program.run("migrate", store, "--output", "stores/below/", in: folder.path)
        #expect(copy.status == 0, "\(copy.errors)")
        #expect(try folder.data("stores/below/poems.store").count > 0)
    }

    @Test("--output refuses a folder inside the migrated one, where the next run would find it")
    func outputInside() throws {
        let folder = try poems()
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "all")
        let before = try contents(folder)
        for output in ["all/new", "all/below", "all/new/below/", "./all/../all/new", "link/new"] {
            let run = try program.run("migrate", "all", "--output", output, in: folder.path)
            let error = UsageError.outputInside(FilePath(output), of: "all")
            #expect(run.status == 64 && run.errors.contains(error.message), "\(output)")
        }
        #expect(try contents(folder) == before)
        for output in ["allnew", "new/all"] {
            #expect(try program.run("migrate", "all", "--output", output, in: folder.path).status == 0, "\(output)")
        }
    }

    @Test("trailing data in a packed file keeps only that file from being written")
    func packedWithRest() throws {
        let folder = try poems()
        let script = """
            for name in a.json lines.jsonl; do (gzip -cn all/$name; echo more) > all/packed.$name; done; rm all/lines.jsonl
            for name in all/packed.*; do sha256sum $name; done > sums
            for output in --in-place "--output new"; do
                $0 migrate $output all 2> errors; echo $?; $0 migrate --keep-going $output all 2>> errors; echo $?
                for name in all/packed.*; do
                    size=$(($(wc -c < $name) - 5)); grep -c "^migration-inspector: $name: .* first $size bytes" errors
                done
            done
            sha256sum -c --quiet sums; ls all all/below new
            """
        let run = try BuiltProgram(path: "/bin/bash").run("-c", script, program.path, in: folder.path)
        let names = ["a.json", "a.json.bak", "b.json", "below", "packed.a.json", "packed.lines.jsonl"]
        let counts = ["1", "1", "2", "2"]
        #expect(
            run.lines == counts + counts + ["all:"] + names
                + ["all/below:", "c.json", "c.json.bak", "new:", "a.json", "b.json", "below"], "\(run.errors)")
    }

    @Test("--output to a folder keeps relative paths and leaves all other files unchanged")
    func intoFolder() throws {
        let folder = try poems()
        let before = try contents(folder)
        let run = try program.run("migrate", "--output", "new/deep", "all", in: folder.path)
        #expect(run.status == 0 && run.errors.contains(said(4, 2, 0, 4, .file("new/deep"))))
        let expected = [
            "new/deep/a.json": Self.migrated, "new/deep/b.json": Poems.current, "new/deep/below/c.json": Self.migrated,
            "new/deep/lines.jsonl": Self.lines,
        ]
        #expect(try contents(folder) == before.merging(expected) { $1 })
    }

    @Test(
        "several documents are replaced only if all of them migrate, and the failing ones are reported",
        arguments: ["--in-place", "--output=new"])
    func refused(output: String) throws {
        let folder = try poems()
        try folder.write(Poems.broken, to: "all/below/d.json")
        try folder.write(Poems.moody, to: "all/e.json")
        try folder.write("\(Poems.first)\n{\n", to: "all/f.jsonl")
        let before = try contents(folder)
        let run = try program.run("migrate", output, "all", in: folder.path)
        #expect(run.status == 1)
        #expect(run.errors.contains("all/below/d.json:1:53: \(Poems.ratingFailure.sentence)\n"))
        #expect(run.errors.contains("all/e.json: ") && run.errors.contains("all/f.jsonl:2:2: malformed"))
        #expect(run.errors.contains(CommandWords.severalRefused(3, of: 10)))
        #expect(try contents(folder) == before)
        let going = try program.run("migrate", output, "--keep-going", "--allow-dropped", "all", in: folder.path)
        #expect(going.status == 1)
        let after = try contents(folder)
        let place = output == "--in-place" ? "all" : "new"
        #expect(after["\(place)/e.json"]?.contains("love") == true)
        // A line that fails stays unchanged.
        #expect(after["\(place)/f.jsonl"] == "\(Self.migrated)\n{\n")
        #expect(after["\(place)/below/d.json"] == (output == "--in-place" ? Poems.broken : nil))
    }

    @Test("migrate writes into no opened document, and no folder in place of a document")
    func harmlessOutput() throws {
        let folder = try poems()
        try folder.write("\(Poems.current)\n\(Poems.current)\n", to: "all/below/lines.jsonl")
        try folder.write(Poems.first, to: "x/a")
        try folder.write(Poems.first, to: "y/a/c.json")
        try folder.write("a file", to: "taken/below")
        let before = try contents(folder)
        for (arguments, message) in [
            (["--output", "all/below", "all"], UsageError.outputInside("all/below", of: "all").message),
            (["--output", "all", "all"], UsageError.outputIsDocument.message),
            (["--output", "new", "x/a", "y"], UsageError.fileAndFolder("new/a").message),
            (
                ["--output", "taken", "all"],
                CommandWords.unwritten(because: "taken/below: \(SourceProblem.noSuchFile)")
            ),
        ] {
            let run = try program.run(["migrate"] + arguments, in: folder.path)
            #expect(run.status == 64 || run.status == 66, "\(arguments)")
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(try contents(folder) == before)
        }
    }

    @Test("migrate follows links to their file, and treats another hard link as another document")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "all/a.json")
        #expect(link(folder.path("all/a.json"), folder.path("all/b.json")) == 0)
        try folder.link("all/c.json", to: "a.json")
        let run = try program.run("migrate", "--in-place", "all", "all/a.json", in: folder.path)
        #expect(run.status == 0 && run.errors.contains(said(2, 0, 0, 2, .inPlace)), "\(run.errors)")
        for name in ["all/a.json", "all/b.json", "all/c.json"] { #expect(try folder.text(name) == Self.migrated) }
    }

    @Test("migrate checks all outputs first, and writes none if one can't be written")
    func places() throws {
        let folder = try poems()
        try folder.write("mine", to: "all/below/c.json.bak")
        let before = try contents(folder)
        let run = try program.run("migrate", "--in-place", "all", in: folder.path)
        #expect(run.status == 1)
        let problem = SourceProblem.backupExists(path: "all/below/c.json.bak")
        #expect(run.errors.contains(CommandWords.unwritten(because: "all/below/c.json: \(problem)")))
        #expect(try contents(folder) == before)
    }

    @Test("migrate continues an interrupted run")
    func interrupted() throws {
        let folder = try poems()
        // One document was replaced, and of another only the backup was made.
        #expect(try program.run("migrate", "--in-place", "all/a.json", in: folder.path).status == 0)
        #expect(link(folder.path("all/below/c.json"), folder.path("all/below/c.json.bak")) == 0)
        #expect(try program.run("migrate", "--in-place", "all", in: folder.path).status == 0)
        let after = try contents(folder)
        #expect(after["all/a.json"] == Self.migrated && after["all/a.json.bak"] == Poems.first)
        #expect(after["all/below/c.json"] == Self.migrated && after["all/below/c.json.bak"] == Poems.first)
        #expect(after["all/lines.jsonl"] == Self.lines)
    }

    @Test("packed files and property lists are migrated in any order, even if named repeatedly")
    func kinds() throws {
        let folder = try TemporaryFolder()
        try folder.copy("demo-data/poems/version-2-xml.plist", to: "p.plist")
        try folder.write("\(Poems.first)\n\(Poems.first)\n", to: "q.jsonl")
        let script = """
            gzip -n q.jsonl; $0 migrate --in-place q.jsonl.gz p.plist . && gzip -cd q.jsonl.gz && gzip -cd q.jsonl.gz.bak &&
            $0 check p.plist && rm q.jsonl.gz.bak && $0 migrate q.jsonl.gz --output new && cmp q.jsonl.gz new/q.jsonl.gz
            """
        let run = try BuiltProgram(path: "/bin/bash").run("-c", script, program.path, in: folder.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.lines.prefix(5) == [
                Self.migrated, Self.migrated, Poems.first, Poems.first, "p.plist: ✓ Poem 3, current",
            ])
    }

    @Test("several documents refuse outputs for non-files and for two files of the same name")
    func refusals() throws {
        let folder = try poems()
        try folder.write(Poems.first, to: "other/a.json")
        let before = try contents(folder)
        for (arguments, error) in [
            (["all"], UsageError.severalNeedFolder), (["--output", "other/a.json", "all"], .noFolder("other/a.json")),
            (["--output", "new", "all", "-"], .nameless("-")),
            (["--output", "new", "all/lines.jsonl#L1", "all"], .nameless("all/lines.jsonl#L1")),
            (["--output", "new", "all", "other"], .sameName("all/a.json", "other/a.json", name: "new/a.json")),
            (["--in-place", "all", "-"], .inPlaceOfInput),
        ] {
            let run = try program.run(["migrate"] + arguments, in: folder.path)
            #expect(run.status == 64 && run.errors.contains(error.message), "\(arguments)")
        }
        let missing = try program.run("migrate", "--in-place", "all", "nothing", in: folder.path)
        #expect(missing.status == 66)
        try StoreWriter.make(folder.path("all/x.store"), "CREATE TABLE T (ID INTEGER PRIMARY KEY, DOCUMENT TEXT)")
        try StoreWriter.make(
            folder.path("all/y.store"),
            "CREATE TABLE T (ID INTEGER PRIMARY KEY, DOCUMENT TEXT)",
            "INSERT INTO T VALUES (1, '{\"version\": 1}')")
        let store = try program.run("migrate", "--in-place", "all", in: folder.path)
        #expect(store.status == 1 && store.errors.contains(CommandWords.storeAmongSeveral("all/y.store")))
        var after = try contents(folder)
        for name in ["all/x.store", "all/y.store"] { after[name] = nil }
        #expect(after == before)
    }
}
