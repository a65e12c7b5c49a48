import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Merging reports")
struct MergeTests {
    private let program = BuiltProgram.inspector

    /// The paths in the demo-data folder, in the order in which a check of all of it finds them.
    private func parts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Project.path("demo-data")).sorted().map {
            "demo-data/\($0)"
        }
    }

    @Test("with --strict, a document that does not open again once it is written counts as failed")
    func notReopened() throws {
        for (isOpened, status) in [(true, 0), (false, 1)] as [(Bool, Int32)] {
            var result = CheckResult(source: "a.json", outcome: .migrated)
            (result.version, result.target, result.chain) = (.number(1), .number(2), "Poem")
            (result.lost, result.narrowed) = ([], [])
            result.examined = Examination(runs: 9, left: [])
            result.reopens = isOpened ? .opens : .fails(MigrationFailure(.thrown(message: "no")))
            var report = CheckReport()
            report.add(result)
            let folder = try TemporaryFolder()
            let path = try folder.write(try JSONText.text(of: report, layout: .pretty), to: "report.json")
            let run = try program.run("check", "--merge", "--strict", path)
            #expect(run.status == status && run.output.contains("does not open again") == !isOpened, "\(run.errors)")
        }
    }

    @Test(
        "check --merge of partial reports gives the exact report of the whole, in any grouping",
        arguments: ["json", "jsonl"])
    func parts(format: String) throws {
        let folder = try TemporaryFolder()
        let whole = try program.run(["check", "--format", format] + parts()).output
        #expect(whole.contains("posted-letters") && whole.contains("store-of-books"))
        let reports = try parts().enumerated().map { number, part in
            // Use both formats.
            let written = number % 2 == 0 ? "json" : "jsonl"
            return try folder.write(try program.run("check", "--format", written, part).outputData, to: "\(number)")
        }
        func merged(_ reports: [String], as name: String) throws -> String {
            let run = try program.run(["check", "--merge", "--format", format] + reports)
            #expect(run.errors == "")
            return try folder.write(run.outputData, to: name)
        }
        let once = try merged(reports, as: "once")
        let left = try reports.dropFirst().reduce(reports[0]) { try merged([$0, $1], as: "left\($1.suffix(1))") }
        let right = try reports.reversed().dropFirst().reduce(reports[reports.count - 1]) {
            try merged([$1, $0], as: "right\($1.suffix(1))")
        }
        for path in [once, left, right] {
            #expect(try String(contentsOfFile: path, encoding: .utf8) == whole, "\(path)")
        }
        let run = try program.run("check", "--merge", once)
        #expect(run.status == 1)
        #expect(run.output == (try program.run(["check"] + parts()).output.suffix(run.output.count)))
    }

    @Test(
        "merged results from another program are printed like those of check: one line each, without raw characters")
    func rawReport() throws {
        let folder = try TemporaryFolder()
        let signs = "a\u{7F}\u{9B}31m\u{202E}\u{2028}é"
        try folder.write(Poems.broken, to: "\(signs).json")
        let lines = try program.run("check", "--format", "jsonl", ".", in: folder.path).lines
        let escapes = [#"\u007f"#, #"\u009b"#, #"\u202e"#, #"\u2028"#]
        #expect(escapes.allSatisfy { lines[0].contains($0) })
        // This is how another program could write it: unescaped, with spaces, a tab, a carriage return, a byte order
        // mark and an unknown member.
        let raw = zip(escapes, ["\u{7F}", "\u{9B}", "\u{202E}", "\u{2028}"]).reduce(lines[0]) { text, pair in
            text.components(separatedBy: pair.0).joined(separator: pair.1)
        }
        let report = "\u{FEFF}" + raw.dropLast() + " ,\t\"more\" : [ \"\u{9B}\" ] }\r\n" + lines[1] + "\n"
        try folder.write(report, to: "report")
        let merged = try program.run("check", "--merge", "--format", "jsonl", "report", in: folder.path)
        #expect(merged.lines == [lines[0].dropLast() + #","more":["\u009b"]}"#, lines[1]])
    }

    @Test("check --merge reads concatenated reports from standard input, with or without their results")
    func standardInput() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.broken, to: "a.json")
        try folder.write(Poems.first, to: "b.json")
        let script = """
            for file in a b; do $0 check --format jsonl $file.json; done > all
            $0 check --merge --format json - < all > with; grep '^{"summary"' all | $0 check --merge --format jsonl -
            grep '^{"summary"' all | head -n 1 > first; grep '^{"summary"' all | tail -n 1 | $0 check --merge - > passed
            echo $?; $0 check --merge --format jsonl first; $0 check --format json a.json b.json | cmp - with
            """
        let run = try BuiltProgram(path: "/bin/bash").run("-c", script, program.path, in: folder.path)
        #expect(run.lines[0].hasPrefix(#"{"summary":{"documents":2,"current":0,"migrated":1,"failed":1,"#))
        #expect(run.lines[1] == "0" && run.lines.count == 3)
        #expect(run.status == 0 && run.errors == "")
    }

    @Test("check --merge separates crashes by cause and position, not by their messages")
    func crashes() throws {
        var whole = CheckReport()
        var parts: [CheckReport] = []
        for (number, crash) in [
            Crash(.trap, place: "app+0x10", lastWords: "one"), Crash(.trap, place: "app+0x20"),
            Crash(.trap, place: "app+0x10", lastWords: "two"), Crash(.exit(1)), Crash(.exit(2)),
        ].enumerated() {
            let result = CheckResult(
                source: "\(number)", outcome: .failed, failure: MigrationFailure(.crashed(crash, frame: nil)))
            whole.add(result)
            var part = CheckReport()
            part.add(result)
            parts.append(part)
        }
        var sum = CheckReport()
        for part in parts {
            let text = try JSONText.text(of: part, layout: .pretty)
            try sum.add(DocumentDecoder().decode(CheckReport.self, from: Document(json: text).root))
        }
        #expect(try JSONText.text(of: sum, layout: .pretty) == JSONText.text(of: whole, layout: .pretty))
        #expect(whole.causes.map(\.count) == [2, 1, 1, 1] && whole.causes[0].sources == ["0", "2"])
    }

    @Test("check --merge refuses invalid numbers, and results without a summary")
    func brokenReports() throws {
        let folder = try TemporaryFolder()
        let counts = #""migrated":0,"failed":1,"unrecognized":0,"unreadable":0"#
        let cause = #"{"kind":"thrown","chain":null,"step":null,"path":null,"culprit":null,"count":1,"message":"""#
        let sources = (0..<11).map { "\"\($0)\"" }.joined(separator: ",")
        let eleven =
            #"{"documents":1,"current":0,\#(counts),"results":[],"causes":[\#(cause),"sources":[\#(sources)]}]}"#
        try folder.write(eleven, to: "eleven")
        let run = try program.run("check", "--merge", "eleven", "eleven", in: folder.path)
        #expect(run.status == 1 && run.output.contains("2 documents: 0 current, 0 migrated, 2 failed"))
        for (number, current) in [("9", "0"), ("0", "-1"), ("9223372036854775807", "9223372036854775807")] {
            try folder.write(
                #"{"summary":{"documents":\#(number),"current":\#(current),\#(counts),"causes":[]}}"#, to: "wrong")
            let run = try program.run("check", "--merge", "wrong", in: folder.path)
            #expect(run.status == 66 && run.errors.contains("wrong: no report: "), "\(run.errors)")
        }
        let lines = try program.run("check", "--format", "jsonl", "demo-data/poems").lines
        try folder.write((lines.prefix(3) + lines).joined(separator: "\n"), to: "cut")
        let cut = try program.run("check", "--merge", "cut", in: folder.path)
        let error = ReportError(path: "cut", line: lines.count + 3, problem: .noSummary)
        #expect(cut.status == 66 && cut.errors.contains("\(error)"))
        try folder.write(
            #"{"summary":{"documents":0,"current":0,\#(counts.replacing("1", with: "0")),"causes":[]}}"#, to: "none")
        let none = try program.run("check", "--merge", "none", in: folder.path)
        #expect(none.status == 1 && none.errors.contains(CommandWords.noDocuments))
    }

    @Test(
        "check --merge refuses sums above the maximum count, and reads back every sum it writes")
    func manyDocuments() throws {
        let folder = try TemporaryFolder()
        func summary(_ count: Int) -> String {
            #"{"summary":{"documents":\#(count),"current":\#(count),"migrated":0,"failed":0,"unrecognized":0,"unreadable":0,"causes":[]}}"#
        }
        let most = CheckReport.mostDocuments
        for (name, count) in [("half", most / 2), ("rest", most - most / 2), ("one", 1)] {
            try folder.write(summary(count), to: name)
        }
        func merged(_ names: String...) throws -> (status: Int32, output: String, errors: String) {
            let run = try program.run(["check", "--merge", "--format", "jsonl"] + names, in: folder.path)
            return (run.status, run.output, run.errors)
        }
        let sum = try merged("half", "rest")
        #expect(sum == (0, summary(most) + "\n", ""))
        try folder.write(sum.output, to: "sum")
        #expect(try merged("sum") == sum)
        for names in [["sum", "one"], ["half", "rest", "one"]] {
            let run = try program.run(["check", "--merge"] + names, in: folder.path)
            let error = ReportError(path: "one", line: nil, problem: .tooManyDocuments)
            #expect(run.status == 66 && run.output == "" && run.errors == "migration-inspector: \(error)\n", "\(names)")
        }
        // One more than fits into a signed 64-bit integer.
        try folder.write(Array(repeating: summary(most), count: 1025).joined(separator: "\n"), to: "many")
        let many = try program.run("check", "--merge", "many", in: folder.path)
        #expect(many.status == 66 && many.errors.contains("many:2: "))
    }

    @Test("check --merge refuses a report whose counts contradict its results")
    func contradiction() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.broken, to: "a.json")
        try folder.write(Poems.first, to: "b.json")
        let results = try program.run("check", "--format", "jsonl", "a.json", "b.json", in: folder.path).lines.prefix(2)
        let counts = #""documents":2,"current":0,"migrated":2,"failed":0,"unrecognized":0,"unreadable":0,"causes":[]"#
        for (text, line) in [
            ("{\(counts),\"results\":[\(results.joined(separator: ","))]}", nil),
            (results.joined(separator: "\n") + "\n{\"summary\":{\(counts)}}", 3),
        ] as [(String, Int?)] {
            try folder.write(text, to: "wrong")
            let run = try program.run("check", "--merge", "wrong", in: folder.path)
            let problem = ReportProblem.contradictory(.failed, counted: 0, found: 1)
            #expect(run.status == 66)
            #expect(run.errors == "migration-inspector: \(ReportError(path: "wrong", line: line, problem: problem))\n")
        }
    }

    @Test(
        "check --merge exits like a check of the whole, for missing paths, losses and known failures as well"
    )
    func exitStatus() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.broken, to: "failed.json")
        try folder.write(Poems.first, to: "first.json")
        try folder.write(Poems.first.replacing("{", with: "{\"unknown\": 1, ", maxReplacements: 1), to: "lossy.json")
        func report(_ name: String, _ arguments: String...) throws -> Int32 {
            let run = try program.run(["check", "--format", "jsonl"] + arguments, in: folder.path)
            try folder.write(run.outputData, to: name)
            return run.status
        }
        func merged(_ arguments: String...) throws -> (status: Int32, output: String) {
            let run = try program.run(["check", "--merge", "--format", "jsonl"] + arguments, in: folder.path)
            try folder.write(run.outputData, to: "sum-\(arguments.joined(separator: "-"))")
            return (run.status, run.output)
        }
        #expect(try report("missing", "missing.json") == 66)
        #expect(try report("failed", "failed.json") == 1)
        #expect(try report("first", "first.json") == 0)
        #expect(try report("known", "failed.json", "--baseline", "failed") == 0)
        #expect(try report("strict", "lossy.json", "--strict") == 1)
        #expect(try report("lossy", "lossy.json") == 0)
        for (parts, status) in [
            (["missing", "first"], 66), (["failed", "missing"], 66), (["known", "first"], 0), (["known", "failed"], 1),
            (["strict", "known"], 1), (["first", "strict"], 1), (["lossy", "first"], 0),
        ] as [([String], Int32)] {
            #expect(try merged(parts[0], parts[1]).status == status, "\(parts)")
            #expect(try merged("sum-\(parts[0])-\(parts[1])", "first").status == status, "\(parts)")
            #expect(try merged("first", "sum-\(parts[0])-\(parts[1])").status == status, "\(parts)")
        }
        // As a check of the whole writes it.
        for arguments in [["first.json", "missing.json"], ["failed.json", "missing.json"]] {
            let whole = try program.run(["check", "--format", "jsonl"] + arguments, in: folder.path)
            let parts = arguments.map { $0.replacing(".json", with: "") }
            #expect(try merged(parts[0], parts[1]) == (whole.status, whole.output))
        }
        // Reports without missing paths, losses or known failures don't contain an exit status.
        for name in ["failed", "first", "lossy"] { #expect(!(try folder.text(name)).contains("exitStatus"), "\(name)") }
    }

    @Test(
        "check --merge supports --only, --strict and --baseline like a check of the whole"
    )
    func reporting() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.broken, to: "a.json")
        try folder.write(Poems.first, to: "b.json")
        try folder.write(program.run("check", "--format", "json", "a.json", in: folder.path).outputData, to: "before")
        try folder.write("[", to: "c.json")
        for number in ["a", "b", "c"] {
            let run = try program.run("check", "--strict", "--format", "jsonl", "\(number).json", in: folder.path)
            try folder.write(run.outputData, to: number)
        }
        for options in [
            ["--only", "migrated"], ["--only", "failed", "--format", "jsonl"],
            ["--only", "failed", "--format", "json"],
            ["--baseline", "before", "--format", "github"], ["--baseline", "before", "--format", "json"], ["--strict"],
            ["--strict", "--format", "github"],
        ] {
            let strict = options[0] == "--strict" ? [] : ["--strict"]
            let whole = try program.run(
                ["check"] + strict + options + ["a.json", "b.json", "c.json"], in: folder.path)
            let sum = try program.run(["check", "--merge"] + strict + options + ["a", "b", "c"], in: folder.path)
            #expect(whole.output == sum.output && sum.output != "", "\(options)")
            #expect(sum.errors == whole.errors && sum.status == whole.status, "\(options)")
        }
        let text = try program.run("check", "--merge", "--baseline", "before", "a", "b", in: folder.path)
        #expect(text.status == 0 && text.output.contains(": 1 known, 0 new, 0 mended, 0 not met again"))
        // A summary without results isn't enough for these options.
        try folder.write(try #require(folder.text("a").split(separator: "\n").last).description, to: "summary")
        try folder.write(try #require(folder.text("b").split(separator: "\n").last).description, to: "passed")
        for (options, name) in [
            (["--strict"], "summary"), (["--strict"], "passed"), (["--baseline", "before"], "summary"),
        ] {
            let run = try program.run(["check", "--merge"] + options + [name], in: folder.path)
            let problem = ReportProblem.withoutResults(areOnlyFailuresWanted: options[0] != "--strict")
            #expect(run.status == 66)
            #expect(
                run.errors == "migration-inspector: \(ReportError(path: FilePath(name), line: nil, problem: problem))\n"
            )
        }
        #expect(try program.run("check", "--merge", "--baseline", "before", "passed", in: folder.path).status == 0)
    }

    @Test("check --merge refuses options about checking documents, and reports that are cut short")
    func refusals() throws {
        for option in ["--history", "--jobs=2", "--chain=Poem", "--to=2", "--column=A.B", "--time-limit=1"] {
            let run = try program.run("check", "--merge", option, "x.json")
            #expect(run.status == 64 && run.errors.contains("--merge"))
        }
        let lines = try program.run("check", "--format", "jsonl", "demo-data/poems").lines
        let folder = try TemporaryFolder()
        let path = try folder.write(lines.dropLast().joined(separator: "\n"), to: "cut")
        let run = try program.run("check", "--merge", path)
        #expect(run.status == 66)
        #expect(
            run.errors == "migration-inspector: \(ReportError(path: FilePath(path), line: nil, problem: .noSummary))\n")
    }
}
