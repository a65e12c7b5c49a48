import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import MigrationWorker
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("The check command")
struct CheckCommandTests {
    private let program = BuiltProgram.inspector

    /// A folder with one document of each outcome that documents in a folder can have.
    private func mixedFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Poems.current, to: "a-current.json")
        try folder.write(Poems.first, to: "b-first.json")
        try folder.write(Poems.broken, to: "c-broken.json")
        try folder.write(#"{"nothing": "known"}"#, to: "d-unknown.json")
        try folder.write(#"{"version": 1,"#, to: "e-cut.json")
        return folder
    }

    @Test("check prints the same report for any number of jobs and in one process, as text, JSON and JSON Lines")
    func jobs() throws {
        for format in ["text", "json", "jsonl"] {
            let reports = try [["--jobs", "1"], ["--jobs", "2"], ["--jobs", "5"], ["--in-process"]].map {
                try program.run(["check", "demo-data", "--format", format] + $0).output
            }
            #expect(reports[0].count > 1000)
            #expect(Set(reports).count == 1, "\(format)")
        }
    }

    // MARK: - Text

    @Test("check prints every document's outcome on a line that editors can follow, and a summary")
    func text() throws {
        let folder = try mixedFolder()
        let run = try program.run("check", ".", in: folder.path)
        let cut = MigrationFailure(.malformed(problem: .unexpected(found: .end, expected: .name)))
        #expect(
            run.output == """
                ./a-current.json: ✓ Poem 3, current
                ./b-first.json: ✓ Poem 1 → 3
                ./c-broken.json:1:53: ✗ Poem 1 ✗ 2: \(Poems.ratingFailure.sentence)
                ./d-unknown.json: ? \([Reason]().unrecognizedSentence)
                    Poem: no version key; does not know its only field
                    Letter: no version key; does not know its only field
                    Package.resolved: no version key; does not know its only field
                    and 5 more chains; a trace lists them all
                    to open it all the same: --chain NAME
                ./e-cut.json:1:15: ✗ \(cut.sentence)

                5 documents: 1 current, 1 migrated, 2 failed, 1 unrecognized, 0 unreadable

                """)
        #expect(run.errors == "")
        #expect(run.status == 1)
    }

    @Test("a document that fails in a later step is reported with its version and that step")
    func laterStep() throws {
        let run = try program.run("check", "-", input: #"{"poem": "One", "starRating": 9}"#)
        #expect(run.lines.first?.contains("Poem none → 1 ✗ 2: fieldNoLongerValid") == true)
    }

    @Test("a bare CR in a JSON Lines document counts as a line end of the file for all positions")
    func placeBehindBareReturns() throws {
        let folder = try TemporaryFolder()
        let broken = "{\"version\":1,\"author\":\"A\",\r\"poem\":\"One\",\r \"starRating\":9}"
        try folder.write("\(Poems.current)\n\(broken)\n\(Poems.first)\n", to: "poems.jsonl")
        let run = try program.run("check", "poems.jsonl", in: folder.path)
        // This is the third line of the document, which begins on the second line of the file.
        #expect(run.lines[1].hasPrefix("poems.jsonl:4:15: ✗ "))
        let report = try program.run("check", "--format", "json", "poems.jsonl", in: folder.path).json()
        #expect(
            report["results"].elements.map { $0["source"] } == ["poems.jsonl#L1", "poems.jsonl#L2", "poems.jsonl#L5"])
        let location = report["results"][1]["failure"]["location"]
        #expect(location["line"] == 3 && location["column"] == 15)
        let trace = try program.run("trace", "poems.jsonl#L2", in: folder.path)
        #expect(trace.lines.contains("  4 │  \"starRating\":9}"))
        #expect(try program.run("trace", "poems.jsonl#L5", in: folder.path).status == 0)
    }

    @Test("a JSON Lines file with bare CR line ends has one document on each line, and keeps its line ends")
    func linesThatEndInReturns() throws {
        let folder = try TemporaryFolder()
        try folder.write("\(Poems.first)\r\(Poems.broken)\r\r\(Poems.first)\r", to: "poems.jsonl")
        let run = try program.run("check", "poems.jsonl", in: folder.path)
        #expect(run.lines[0].hasPrefix("poems.jsonl#L1: ✓"))
        #expect(run.lines[1].hasPrefix("poems.jsonl:2:"))
        #expect(run.lines[2].hasPrefix("poems.jsonl#L4: ✓"))
        #expect(try program.run("check", "-", input: folder.text("poems.jsonl")).lines[1].hasPrefix("-:2:"))
        #expect(try program.run("migrate", "--keep-going", "--in-place", "poems.jsonl", in: folder.path).status == 1)
        let lines = try folder.text("poems.jsonl").split(separator: "\r", omittingEmptySubsequences: false)
        #expect(
            lines.count == 5 && lines[1] == Poems.broken && lines[0].contains(#""version":3"#) && lines[0] == lines[3])
    }

    @Test("a warning about a JSON Lines document has the line number in the file, like a failure")
    func warningBehindBareReturns() throws {
        let folder = try TemporaryFolder()
        let loose = "{\"version\":1,\r\"author\":\"A\",\"poem\":\"One\",\r \"starRating\":3,}"
        try folder.write("\(Poems.current)\n\(loose)\n", to: "poems.jsonl")
        let place = Reason.trailingComma(location: SourceLocation(line: 4, column: 16, offset: 57))
        for command in ["check", "trace"] {
            let name = command == "check" ? "poems.jsonl" : "poems.jsonl#L2"
            let run = try program.run(command, name, in: folder.path)
            #expect(run.lines.contains { $0.trimmingPrefix { $0 == " " } == "warning: \(place)" }, "\(run.lines)")
        }
        // The text ends inside a string that begins on the third line of the file.
        try folder.write("\(Poems.current)\n{\"version\":1,\r\"author", to: "poems.jsonl")
        let start = SourceLocation(line: 3, column: 1, offset: 13)
        let run = try program.run("check", "poems.jsonl", in: folder.path)
        #expect(run.lines[1].hasSuffix("\(Reason.malformed(problem: .endInString(start: start)))"))
    }

    @Test(
        "check exits with 1 for a failing, malformed or unrecognized document, and with 0 for any other",
        arguments: [
            (Poems.broken, 1), (#"{"version":1,"#, 1), (#"{"nothing":"known"}"#, 1), (Poems.current, 0),
            (Poems.first, 0),
            (Poems.moody, 0),
        ] as [(String, Int32)])
    func exitStatus(document: String, status: Int32) throws {
        for format in ["text", "json", "jsonl"] {
            #expect(try program.run("check", "-", "--format", format, input: document).status == status, "\(format)")
        }
    }

    @Test("check prints the causes that failures have in common, the most frequent first")
    func causes() throws {
        let folder = try TemporaryFolder()
        for number in 1...3 { try folder.write(Poems.broken, to: "rating-\(number).json") }
        for number in 1...2 {
            try folder.write(#"{"version":2,"poem":"","rating":"meh"}"#, to: "author-\(number).json")
        }
        let run = try program.run("check", ".", in: folder.path)
        let common = run.lines.drop { $0 != "What failures have in common:" }.dropFirst()
        let report = try program.run("check", ".", "--format", "json", in: folder.path)
        let causes = try JSONDecoder().decode(CheckReport.self, from: report.outputData).causes
        #expect(causes.map(\.kind) == [.fieldNoLongerValid, .keyNotFound])
        #expect(causes.map(\.path) == [Poems.field("rating"), Poems.field("author")])
        #expect(causes.map(\.step) == [.init(from: .number(1), to: .number(2)), nil])
        #expect(causes.map(\.count) == [3, 2])
        #expect(
            causes.map(\.message) == [
                Poems.ratingFailure.message, "\(Reason.field(path: Poems.field("author"), problem: .missingKey))",
            ])
        #expect(Array(common) == causes.map { "  \($0.sentence)" })
    }

    @Test("a line names the first of very many unread fields, and the JSON report names all")
    func manyDroppedFields() throws {
        let extra = (0..<1000).map { #","extra\#($0)":0"# }.joined()
        let document = String(Poems.first.dropLast()) + extra + "}"
        let text = try program.run("check", "-", input: document)
        #expect(text.lines[1] == "    " + (0..<1000).map { Poems.field("extra\($0)") }.droppedSentence())
        let report = try program.run("check", "-", "--format", "json", input: document).json()
        #expect(report["results"].elements[0]["dropped"].elements.count == 1000)
    }

    @Test("a field that no version reads is reported, and isn't a failure")
    func dropped() throws {
        let run = try program.run("check", "-", input: Poems.moody)
        #expect(run.lines.prefix(2) == ["-: ✓ Poem 1 → 3", "    " + [Poems.field("mood")].droppedSentence()])
        #expect(run.status == 0)
    }

    @Test("a field that a closure may read is reported as unknown until experiments show whether it does")
    func notKnownToBeRead() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"version": 1, "number": 1729, "mood": "gray"}"#, to: "thing.json")
        let run = try program.run("check", folder.path("thing.json"))
        let unread = "    the newest type does not read $.mood; whether a step does was not looked at"
        #expect(run.status == 0 && run.lines[1] == unread, "\(run.output)")
        let strict = try program.run("check", "--strict", folder.path("thing.json"))
        let dropped = "    dropped, the app does not read it: $.mood"
        #expect(strict.status == 1 && strict.lines[1] == dropped, "\(strict.output)")
    }

    // MARK: - Losses

    @Test("check reports losses of steps only with --strict, and counts them as failures")
    func strict() throws {
        let document = "demo-data/things/version-1.json"
        let words = "    lost in step 2 → 3: $.number: nothing that was tried changes the result"
        let usual = try program.run("check", document)
        #expect(usual.status == 0 && !usual.lines.contains(words))
        let strict = try program.run("check", "--strict", document)
        #expect(strict.status == 1 && strict.lines.contains(words))
        #expect(strict.lines.last == "1 document drops or loses something")
        let lost = try program.run("check", "--strict", "--format", "json", document).json()["results"][0]["lost"]
        #expect(lost.elements.map(\.["path"]) == ["$.number"])
        #expect(lost[0]["step"]["from"] == 2 && lost[0]["step"]["to"] == 3)
        // Documents without losses, and those with only intended losses, pass.
        let clean = try program.run(
            "check", "--strict", "demo-data/poems/version-1.json", "demo-data/resolved-packages/version-1.resolved")
        #expect(clean.status == 0 && !clean.output.contains("lose"))
        // Dropped fields count too.
        let dropped = try program.run("check", "--strict", "demo-data/posted-letters/version-1-postscript-dropped.json")
        #expect(dropped.status == 1 && dropped.lines.last == "1 document drops or loses something")
    }

    // MARK: - JSON

    @Test("check --format json prints one report with the results in the order of the documents")
    func json() throws {
        let folder = try mixedFolder()
        let run = try program.run("check", ".", "--format", "json", in: folder.path)
        let report = try run.json()
        #expect(
            report["results"].elements.map { $0["source"] } == [
                "./a-current.json", "./b-first.json", "./c-broken.json", "./d-unknown.json", "./e-cut.json",
            ])
        #expect(report["documents"] == 5 && report["failed"] == 2)
        #expect(run.errors == "")
        #expect(run.status == 1)
    }

    @Test(
        "check --format jsonl prints a line for each document and a summary, with the same content as the JSON report")
    func jsonLines() throws {
        let folder = try mixedFolder()
        let report = try program.run("check", ".", "--format", "json", in: folder.path).json()
        let run = try program.run("check", ".", "--format", "jsonl", in: folder.path)
        let lines = try run.jsonLines()
        #expect(lines.dropLast() == report["results"].elements[...])
        let summary = try #require(lines.last)["summary"]
        for key in ["documents", "current", "migrated", "failed", "unrecognized", "unreadable", "causes"] {
            #expect(summary[key] == report[key], "\(key)")
        }
        #expect(summary.keys.count == 7)
        #expect(run.status == 1)
    }

    @Test("check --format jsonl prints each result as soon as it is known")
    func jsonLinesAtOnce() throws {
        // The second path is a pipe, which gets its document only once the first line has been printed.
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "a.json")
        let script = """
            mkfifo input output
            "$1" check --format jsonl a.json - <input >output &
            exec 3>input 4<output
            read -r first <&4
            printf '%s' "$2" >&3
            exec 3>&-
            read -r second <&4
            cat <&4 >/dev/null
            printf '%s\\n' "$first" "$second"
            """
        let run = try BuiltProgram(path: "/bin/bash")
            .run("-c", script, "bash", program.path, Poems.current, in: folder.path)
        #expect(try run.jsonLines().map { $0["source"] } == ["a.json", "-"])
    }

    @Test("check ends with SIGHUP when its terminal closes, unless that signal is ignored")
    func hangup() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "a.json")
        for (trap, status) in [("trap '' HUP", 0), (":", 128 + SIGHUP)] {
            let script = """
                rm -f input output; mkfifo input output
                trap '' PIPE
                \(trap)
                "$1" check --format jsonl a.json - <input >output &
                exec 3>input 4<output
                # By then the program is at work.
                read -r first <&4
                kill -HUP $!
                printf '%s' "$2" >&3 2>/dev/null
                exec 3>&-
                cat <&4 >/dev/null
                wait $!
                echo $?
                """
            // The tests may have been started with nohup(1), which a shell could not undo.
            let run = try BuiltProgram(path: "/usr/bin/env").run(
                "--default-signal=HUP", "/bin/bash", "-c", script, "bash", program.path, Poems.current, in: folder.path)
            #expect(run.lines == ["\(status)"], "\(run.errors)")
        }
    }

    @Test("a word without a command is a document if one has that name, and otherwise a mistyped command")
    func namedLikeACommand() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.current, to: "poem")
        #expect(try program.run("poem", in: folder.path).lines.first == "poem: ✓ Poem 3, current")
        #expect(try program.run("poet", in: folder.path).status == 64)
        #expect(try program.run("poet.json", in: folder.path).status == 66)
    }

    // MARK: - Chains and versions

    @Test("check --chain opens documents with the named chain, whatever they look like")
    func namedChain() throws {
        let run = try program.run("check", "--chain", "Letter", "--format", "json", "-", input: Poems.first)
        let result = try run.json()["results"][0]
        #expect(result["chain"] == "Letter" && result["outcome"] == "failed")
        #expect(run.status == 1)
    }

    @Test("check --to stops at the named version")
    func target() throws {
        let run = try program.run("check", "--to", "2", "--format", "json", "-", input: Poems.broken)
        #expect(try run.json()["results"][0]["target"] == 2)
        let first = try program.run("check", "--to", "1", "--format", "json", "-", input: Poems.broken)
        #expect(try first.json()["results"][0]["outcome"] == "current")
        #expect(first.status == 0)
        // A version that no chain has.
        let unknown = try program.run("check", "--to", "99", "-", input: Poems.first)
        #expect(unknown.status == 64 && unknown.output == "")
        let problem = UsageError.unknownVersion(.number(99), chains: ExampleChains.all.map(ChainDescription.init))
        #expect(unknown.errors.contains(problem.message + "\n"))
    }

    // MARK: - Exit statuses and streams

    @Test("check exits with 0 if every document is current or migrates")
    func success() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.current, to: "a.json")
        try folder.write(Poems.first, to: "b.json")
        #expect(try program.run("check", ".", in: folder.path).status == 0)
    }

    @Test("a missing path exits with 66, and the other documents are still reported")
    func missingPath() throws {
        let folder = try mixedFolder()
        let run = try program.run(
            "check", "nowhere.json", "a-current.json", "c-broken.json", "--format", "json", in: folder.path)
        #expect(run.status == 66)
        #expect(run.errors == "migration-inspector: nowhere.json: \(SourceProblem.noSuchFile)\n")
        let results = try run.json()["results"].elements
        #expect(results.map { $0["outcome"] } == ["unreadable", "current", "failed"])
        #expect(results[0]["failure"]["kind"] == "unreadable")
        #expect(results[0]["format"] == nil && results[0]["chain"] == nil)
    }

    @Test("an invalid command line exits with 64, with a message on standard error and nothing on standard output")
    func usage() throws {
        for arguments in [["chek"], ["check"], ["check", "--frmat", "json", "."], ["check", "--chain", "Pome", "."]] {
            let run = try program.run(arguments)
            #expect(run.status == 64)
            #expect(run.output == "")
            #expect(run.errors.hasPrefix("migration-inspector: "))
            #expect(run.errors.hasSuffix("\nTry 'migration-inspector --help'.\n"))
        }
    }

    @Test("an empty folder is reported as having no documents, and fails the run")
    func emptyFolder() throws {
        let folder = try TemporaryFolder()
        let run = try program.run("check", ".", "--format", "json", in: folder.path)
        #expect(try run.json()["documents"] == 0)
        #expect(run.status == 1 && run.errors == "migration-inspector: \(CommandWords.noDocuments(in: ["."]))\n")
    }

    // MARK: - What a folder may hold

    private func saying(_ leftOut: DocumentWalker.LeftOut) -> String {
        CommandWords.leftOut(leftOut).map { "migration-inspector: \($0)\n" } ?? ""
    }

    @Test("files left out of a folder are counted on standard error")
    func leftOut() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.current, to: "a.json")
        try folder.write("notes", to: "notes.txt")
        try folder.write("more", to: "more.txt")
        try folder.write(Poems.current, to: ".hidden.json")
        let run = try program.run("check", ".", in: folder.path)
        #expect(run.errors == saying([.hidden: 1, .otherKind: 2]))
        #expect(run.status == 0)
    }

    @Test("a pipe, a cycle of links and a dangling link don't block check")
    func strangeFiles() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.current, to: "deep/a.json")
        try folder.link("deep/circle", to: "..")
        try folder.link("deep/nowhere.json", to: "nothing")
        #expect(mkfifo(folder.path("pipe.json"), 0o600) == 0)
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let run = try program.run("check", ".", "--format", "json", in: folder.path)
        let report = try run.json()
        #expect(report["current"] == 1 && report["unreadable"] == 1 && report["documents"] == 2)
        #expect(report["results"][1]["source"] == "./deep/nowhere.json")
        #expect(run.errors == saying([.special: 2, .linkLoop: 1]))
        #expect(run.status == 1)
    }

    @Test("a file without read permission is unreadable, with exit status 1 if found and 66 if named")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.current, to: "secret.json")
        #expect(chmod(folder.path("secret.json"), 0) == 0)
        let found = try program.runObeyingPermissions("check", ".", "--format", "json", in: folder)
        #expect(try found.json()["results"][0]["failure"]["kind"] == "unreadable")
        #expect(found.status == 1)
        let named = try program.runObeyingPermissions("check", "secret.json", in: folder)
        #expect(named.errors.hasPrefix("migration-inspector: secret.json: \(SourceProblem.permissionDenied)"))
        #expect(named.status == 66)
    }

    @Test("unreadable files and folders are reported if they could be documents, and otherwise counted")
    func unreadableInFolder() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.current, to: "poem.json")
        #expect(chmod(try folder.write("{}", to: "a.jsonl"), 0) == 0)
        #expect(chmod(try folder.write("{}", to: "secret"), 0) == 0)
        try folder.write("{}", to: "closed/x.json")
        #expect(chmod(folder.path("closed"), 0) == 0)
        defer { chmod(folder.path("closed"), 0o700) }
        let run = try program.runObeyingPermissions("check", ".", "--format", "json", in: folder)
        let results = try run.json()["results"].elements
        #expect(results.map { $0["source"] } == ["./a.jsonl", "./closed", "./poem.json"])
        #expect(results.map { $0["outcome"] } == ["unreadable", "unreadable", "current"])
        #expect(run.errors == saying([.unreadable: 1]) && run.status == 1)
    }

    @Test("every line of a JSON Lines file is a document named by its line number")
    func jsonLinesFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("\(Poems.first)\n\n\(Poems.broken)\n", to: "poems.jsonl")
        let report = try program.run("check", "poems.jsonl", "--format", "json", in: folder.path).json()
        #expect(report["results"].elements.map { $0["source"] } == ["poems.jsonl#L1", "poems.jsonl#L3"])
        let location = report["results"][1]["failure"]["location"]
        #expect(location["line"] == 1 && location["column"] == 53 && location["offset"] == 52)
    }

    // MARK: - Standard input

    @Test("the path - is the document on standard input")
    func standardInput() throws {
        let run = try program.run("check", "-", "--format", "json", input: Poems.first)
        let result = try run.json()["results"][0]
        #expect(result["source"] == "-" && result["outcome"] == "migrated")
    }

    @Test("empty standard input is no document for check, and a malformed document for trace")
    func emptyStandardInput() throws {
        let run = try program.run("check", "-", "--format", "json", input: "")
        #expect(try run.json()["documents"] == 0)
        #expect(run.status == 1)
        let trace = try program.run("trace", "-", "--format", "json", input: "")
        #expect(try trace.json()["failure"]["kind"] == "malformed")
    }

    // MARK: - Without a terminal

    @Test("inspect prints the output of check if standard output is not a terminal")
    func inspectWithoutTerminal() throws {
        let folder = try mixedFolder()
        let check = try program.run("check", ".", in: folder.path)
        for arguments in [["inspect", "."], ["."]] {
            let inspect = try program.run(arguments, in: folder.path)
            #expect(inspect.output == check.output)
            #expect(inspect.status == check.status)
        }
    }

    @Test("inspect without a path opens the demo-data beside the program, also through a link to the program")
    func inspectDemoData() throws {
        let folder = try TemporaryFolder()
        try folder.link("inspector", to: program.path)
        let run = try BuiltProgram(path: folder.path("inspector")).run([], in: folder.path)
        #expect(run.output.contains("demo-data/poems/rating-9.json:5:17: ✗ Poem 1 ✗ 2: fieldNoLongerValid"))
        #expect(run.status == 1)
    }
}
