import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Reports of check")
struct ReportingTests {
    private let program = BuiltProgram.inspector

    /// Five documents: a current poem, one that migrates, one that fails, one that loses a field, and an unrecognized
    /// one.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Poems.current, to: "a.json")
        try folder.write(Poems.first, to: "b.json")
        try folder.write(Poems.broken, to: "c.json")
        try folder.write(Poems.moody, to: "d.json")
        try folder.write(#"{"nothing": "known"}"#, to: "e.json")
        return folder
    }

    // MARK: - Kinds

    @Test(
        "--only prints documents of the given kinds, and counts all",
        arguments: [
            ("failed", ["c"]), ("lossy", ["d"]), ("current,migrated", ["a", "b", "d"]), ("unrecognized", ["e"]),
            ("unreadable", []),
        ])
    func only(kinds: String, names: [String]) throws {
        let folder = try folder()
        let text = try program.run("check", ".", "--only", kinds, in: folder.path)
        #expect(text.lines.compactMap { $0.hasPrefix("./") ? String($0.dropFirst(2).prefix(1)) : nil } == names)
        #expect(text.output.contains("5 documents: 1 current, 2 migrated, 1 failed, 1 unrecognized, 0 unreadable"))
        #expect(text.status == 1)
        let json = try program.run("check", ".", "--only=\(kinds)", "--format=json", in: folder.path).json()
        #expect(json["results"].elements.map { $0["source"] } == names.map { .string("./\($0).json") })
        #expect(json["documents"].integer == 5)
        let lines = try program.run("check", ".", "--only=\(kinds)", "--format=jsonl", in: folder.path).lines
        #expect(lines.count == names.count + 1)
    }

    @Test("a run without any documents reports that and fails")
    func nothing() throws {
        let folder = try TemporaryFolder()
        try folder.write("notes", to: "notes.txt")
        let run = try program.run("check", ".", in: folder.path)
        #expect(run.status == 1 && run.errors.contains(CommandWords.noDocuments(in: ["."])))
    }

    @Test("each part of a check with --shard passes by itself, even if there are more parts than documents")
    func shards() throws {
        let folder = try TemporaryFolder()
        for name in ["a.json", "b.json"] { try folder.write(Poems.first, to: name) }
        var names: [String] = []
        for part in 1...4 {
            let run = try program.run("check", "--shard", "\(part)/4", "--format", "json", ".", in: folder.path)
            #expect(run.status == 0, "\(part): \(run.errors)")
            names += try run.json()["results"].elements.compactMap { $0["source"].text }
        }
        #expect(names == ["./a.json", "./b.json"])
    }

    @Test("--strict fails for a report of a migration whose losses were not looked for, and counts it")
    func notExamined() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "a.json")
        for (options, status) in [([], 1), (["--strict"], 0)] as [([String], Int32)] {
            let checked = try program.run(["check", "--format", "jsonl", "a.json"] + options, in: folder.path)
            try folder.write(checked.outputData, to: "report")
            let run = try program.run("check", "--merge", "--strict", "report", in: folder.path)
            #expect(run.status == status && run.lines.contains(CheckText.notExamined(1)) == (status == 1))
        }
    }

    // MARK: - Servers

    /// The elements of an XML text with their attributes and text.
    private final class Elements: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String], text: String)] = []
        private var open: [Int] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            open.append(elements.count)
            elements.append((name, attributes, ""))
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if let last = open.last { elements[last].text += text }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) { open.removeLast() }
    }

    private func elements(_ text: String) throws -> Elements {
        let elements = Elements()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = elements
        try #require(parser.parse(), "\(text)")
        return elements
    }

    /// The elements and attributes of JUnit reports in the schema of Jenkins' xunit plugin (junit-10.xsd), limited to
    /// those that occur: the parent of each element, and its required and optional attributes.
    private static let schema: [String: (parent: String?, required: Set<String>, optional: Set<String>)] = [
        "testsuites": (nil, [], ["name", "time", "tests", "failures", "errors"]),
        "testsuite": (
            "testsuites", ["name"], ["tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id"]
        ),
        "testcase": ("testsuite", ["name"], ["classname", "time", "assertions", "status"]),
        "failure": ("testcase", [], ["type", "message"]), "error": ("testcase", [], ["type", "message"]),
        "skipped": ("testcase", [], ["type", "message"]), "system-out": ("testcase", [], []),
    ]

    @Test("--format junit follows the schema for any results, known or new, merged or not")
    func junitSchema() throws {
        let folder = try folder()
        let before = try program.run("check", ".", "--strict", "--format", "jsonl", in: folder.path)
        try folder.write(before.outputData, to: "report.txt")
        for arguments in [
            [Project.path("demo-data"), "nothing.json"], [".", "--strict"],
            [".", "--strict", "--baseline", "report.txt"],
            ["--merge", "report.txt"], [".", "--only", "current"],
        ] {
            let run = try program.run(["check", "--format", "junit"] + arguments, in: folder.path)
            let document = try XMLDocument(xmlString: run.output)
            var pending = [try #require(document.rootElement())]
            while let element = pending.popLast() {
                let name = try #require(element.name)
                let rule = try #require(Self.schema[name], "\(name)")
                #expect(element.parent?.name == rule.parent || rule.parent == nil)
                let attributes = Set((element.attributes ?? []).compactMap(\.name))
                #expect(
                    attributes.isSuperset(of: rule.required)
                        && attributes.subtracting(rule.required).isSubset(of: rule.optional))
                for attribute in element.attributes ?? [] {
                    let value = attribute.stringValue ?? ""
                    switch attribute.name {
                    case "tests", "failures", "errors", "skipped": #expect(Int(value) != nil, "\(name) \(value)")
                    // At most milliseconds, which the schema's pattern for seconds requires.
                    case "time": #expect(value.wholeMatch(of: /[0-9]+(\.[0-9]{1,3})?/) != nil || name == "testcase")
                    default: break
                    }
                }
                let children = (element.children ?? []).compactMap { $0 as? XMLElement }
                #expect(name != "testcase" || children.count <= 1)
                pending += children
            }
            let suite = try #require(document.rootElement()?.elements(forName: "testsuite").first)
            for (attribute, kind) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")] {
                let count = suite.elements(forName: "testcase").reduce(0) { $0 + $1.elements(forName: kind).count }
                #expect(
                    suite.attribute(forName: attribute)?.stringValue == "\(count)" || kind == "skipped" && count == 0)
            }
        }
    }

    @Test("--format junit writes a test case for each document with its time, and a failure with position and excerpt")
    func junit() throws {
        let folder = try folder()
        try folder.write("{\"version\": 1, \"poem\": \"<\u{1}&>\",", to: "f.json")
        let run = try program.run("check", ".", "nothing.json", "--format", "junit", in: folder.path)
        let found = try elements(run.output).elements
        #expect(found[0].name == "testsuites" && found[1].name == "testsuite")
        for suite in found.prefix(2) {
            #expect(suite.attributes["tests"] == "7" && suite.attributes["failures"] == "3")
            #expect(suite.attributes["errors"] == "1")
            #expect(suite.attributes["time"]?.wholeMatch(of: /[0-9]{1,3}\.[0-9]{3}/) != nil)
        }
        let cases = found.filter { $0.name == "testcase" }
        #expect(
            cases.map { $0.attributes["name"] } == ["a", "b", "c", "d", "e", "f"].map { "./\($0).json" } + [
                "nothing.json"
            ])
        #expect(cases.prefix(4).allSatisfy { Double($0.attributes["time"] ?? "") ?? 0 > 0 })
        #expect(cases[2].attributes["classname"] == "Poem")
        let failure = try #require(found.first { $0.name == "failure" })
        #expect(failure.attributes["type"] == "fieldNoLongerValid")
        #expect(failure.attributes["message"] == Poems.ratingFailure.sentence)
        #expect(failure.text.hasPrefix("./c.json:1:53: "))
        #expect(failure.text.contains("1 │ \(Poems.broken)\n") && failure.text.hasSuffix("^"))
        let unrecognized = try #require(found.first { $0.attributes["type"] == "unrecognized" })
        #expect(unrecognized.text.contains("\nPoem: no version key"))
        #expect(unrecognized.text.hasSuffix("to open it all the same: --chain NAME"))
        #expect(found.first { $0.name == "error" }?.attributes["type"] == "unreadable")
        #expect(run.status == 66)
        let strict = try program.run("check", "d.json", "--strict", "--format", "junit", in: folder.path)
        #expect(try elements(strict.output).elements.last?.attributes["type"] == "lossy")
    }

    @Test("--format github writes a command for each document that needs attention, with its position in the file")
    func github() throws {
        let folder = try folder()
        try folder.write("\n\(Poems.broken)\n", to: "g, 100%:.jsonl")
        let run = try program.run("check", ".", "--format", "github", in: folder.path)
        let sentence = Poems.ratingFailure.sentence
        let text = try program.run("check", "e.json", in: folder.path)
        let unrecognized = text.lines.filter { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }
        #expect(unrecognized.last == "to open it all the same: --chain NAME" && unrecognized.count == 5)
        #expect(
            run.lines == [
                "::error file=./c.json,line=1,col=53,title=Poem 1 ✗ 2::\(sentence)",
                "::warning file=./d.json,title=Poem 1 → 3::dropped, the app does not read it: $.mood",
                "::error file=./e.json,title=unrecognized::belongs to no chain this program knows; "
                    + unrecognized.joined(separator: "; "),
                "::error file=./g%2C 100%25%3A.jsonl,line=2,col=53,title=Poem 1 ✗ 2::./g, 100%25:.jsonl#L2: \(sentence)",
                "6 documents: 1 current, 2 migrated, 2 failed, 1 unrecognized, 0 unreadable",
            ])
        #expect(run.status == 1)
    }

    // MARK: - Earlier reports

    @Test(
        "--baseline ignores failures of an earlier report, and lists those that are fixed",
        arguments: ["json", "jsonl"])
    func baseline(format: String) throws {
        let folder = try folder()
        try folder.write(Poems.broken, to: "gone.json")
        try folder.write("{", to: "mended.json")
        let reports = try TemporaryFolder()
        let report = try reports.write(
            try program.run("check", ".", "--format", format, in: folder.path).outputData, to: "before")
        // A result that is reported twice counts once.
        let twice = try program.run("check", "--merge", "--format", format, report, report)
        try reports.write(twice.outputData, to: "before")
        try FileManager.default.removeItem(atPath: folder.path("gone.json"))
        try folder.write(Poems.first, to: "mended.json")
        let run = try program.run("check", ".", "--baseline", report, in: folder.path)
        #expect(run.status == 0)
        #expect(run.lines.contains("./e.json: ? belongs to no chain this program knows (known)"))
        #expect(
            run.lines.suffix(3) == [
                "failures beside \(report): 2 known, 0 new, 1 mended, 1 not met again", "  mended: ./mended.json",
                "  not met again: ./gone.json",
            ])
        // Another failure of the same document is new.
        try folder.write("{", to: "c.json")
        let changed = try program.run("check", ".", "--baseline", report, "--format", "github", in: folder.path)
        #expect(changed.status == 1 && changed.errors.contains(": 1 known, 1 new, 1 mended, 1 not met again"))
        #expect(changed.lines.contains { $0.hasPrefix("::notice file=./e.json,title=known%3A unrecognized::") })
    }

    @Test(
        "a known document has a new failure beside a baseline if it fails at another field, in another step or otherwise",
        arguments: [
            #"{"version":1,"author":"A","starRating":1}"#, Poems.broken,
            #"{"version":1,"poem":"One","author":1,"starRating":1}"#,
        ])
    func baselineOfOtherFailures(text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"version":1,"poem":"One","starRating":1}"#, to: "a.json")
        let reports = try TemporaryFolder()
        let report = try reports.write(
            try program.run("check", ".", "--format", "json", in: folder.path).outputData, to: "before")
        let same = try program.run("check", ".", "--baseline", report, in: folder.path)
        #expect(same.status == 0 && same.output.contains(": 1 known, 0 new, 0 mended, 0 not met again"))
        try folder.write(text, to: "a.json")
        let other = try program.run("check", ".", "--baseline", report, in: folder.path)
        #expect(other.status == 1 && other.output.contains(": 0 known, 1 new, 0 mended, 0 not met again"))
        #expect(other.output.contains("  new: ./a.json\n"))
    }

    @Test("--baseline matches documents in different spellings of their folder, and lists new ones")
    func baselineNames() throws {
        let folder = try folder()
        let reports = try TemporaryFolder()
        let report = try reports.write(
            try program.run("check", ".", "--format", "json", in: folder.path).outputData, to: "before")
        let name = try #require(folder.path.split(separator: "/").last)
        for path in [".//", "./", "././", "../\(name)"] {
            let run = try program.run("check", path, "--baseline", report, in: folder.path)
            #expect((run.status == 0) == !path.contains(".."), "\(path)")
            #expect(run.output.contains("paths are compared as they are given") == path.contains(".."), "\(path)")
        }
        try folder.write(Poems.broken, to: "new.json")
        for format in ["text", "json"] {
            let run = try program.run("check", ".", "--baseline", report, "--format", format, in: folder.path)
            #expect(run.status == 1)
            #expect((format == "text" ? run.output : run.errors).contains("  new: ./new.json\n"))
        }
    }

    @Test("--baseline with --strict matches losses too, and detects new ones")
    func baselineOfLosses() throws {
        let folder = try folder()
        let reports = try TemporaryFolder()
        let strict = ["check", ".", "--strict", "--only", "lossy,failed,unrecognized"]
        let before = try program.run(strict + ["--format", "jsonl"], in: folder.path)
        #expect(before.status == 1)
        let report = try reports.write(before.outputData, to: "before")
        func beside(_ options: String...) throws -> (status: Int32, output: String) {
            let run = try program.run(strict + ["--baseline", report] + options, in: folder.path)
            return (run.status, run.output)
        }
        let same = try beside()
        #expect(same.status == 0 && same.output.contains(": 3 known, 0 new, 0 mended, 0 not met again"))
        #expect(same.output.contains("./d.json: ✓ Poem 1 → 3 (known)"))
        #expect(try elements(beside("--format", "junit").output).elements[1].attributes["failures"] == "0")
        #expect(try beside("--format", "github").output.contains("::notice file=./d.json,title=Poem 1 → 3::dropped"))
        // Without --strict, losses don't count, and their end isn't reported.
        let lax = try program.run("check", ".", "--baseline", report, in: folder.path)
        #expect(lax.status == 0 && lax.output.contains(": 2 known, 0 new, 0 mended, 0 not met again"))
        #expect(!lax.output.contains("→ 3 (known)"))
        let text = try folder.text("d.json")
        try folder.write(text.replacing("{", with: #"{"other": 1, "#, maxReplacements: 1), to: "d.json")
        let more = try beside()
        #expect(more.status == 1 && more.output.contains("  new: ./d.json\n"))
        try folder.write(Poems.first, to: "d.json")
        let mended = try beside()
        #expect(mended.status == 0 && mended.output.contains("  mended: ./d.json\n"))
    }

    @Test("an invalid baseline is refused with its name and the reason")
    func wrongBaseline() throws {
        let folder = try folder()
        try folder.write(#"{"a": 1}"#, to: "none")
        try folder.write("", to: "empty")
        try folder.write("[", to: "broken")
        try folder.write(
            #"{"summary":{"documents":1,"current":0,"migrated":0,"failed":1,"unrecognized":0,"unreadable":0,"causes":[]}}"#,
            to: "summary")
        for (name, problem) in [
            ("none", ReportProblem.noReport), ("empty", .empty),
            ("summary", .withoutResults(areOnlyFailuresWanted: true)),
        ] {
            let run = try program.run("check", "a.json", "--baseline", name, in: folder.path)
            let error = ReportError(path: FilePath(name), line: nil, problem: problem)
            #expect(run.status == 66 && run.errors == "migration-inspector: \(error)\n")
        }
        for name in ["broken", "nothing"] {
            let run = try program.run("check", "a.json", "--baseline", name, in: folder.path)
            #expect(run.status == 66 && run.errors.hasPrefix("migration-inspector: \(name): "))
        }
    }
}
