import TestSupport
import Testing

@Suite("Sentences of a report")
struct ReportWordsTests {
    @Test("the messages about the demo-data are as expected")
    func demoData() throws {
        let lines = try Project.text("Tests/MigrationInspectorTests/DemoData/expected-results.jsonl")
        let expected = try lines.split(separator: "\n").map { try JSONValue(String($0)) }
        let report = try BuiltProgram.inspector.run("check", "demo-data", "--format", "json").json()
        let results = report["results"].elements
        #expect(results.map { $0["failure"]["message"] } == expected.map { $0["failure"]["message"] })
        #expect(results.map { $0["warnings"] } == expected.map { $0["warnings"] })
    }

    @Test(
        "the lines quoted in the README and the guides are printed for the demo-data",
        arguments: [
            "README.md", "Sources/MigrationCore/MigrationCore.docc/Preferences.md",
            "Sources/MigrationCore/MigrationCore.docc/Stores.md",
        ])
    func quotedLines(page: String) throws {
        let run = try BuiltProgram.inspector.run("check", "demo-data")
        let quoted = try Project.text(page).split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("demo-data/") && ($0.contains(": ✗ ") || $0.contains(": ✓ ")) }
        #expect(!quoted.isEmpty)
        for line in quoted { #expect(run.lines.contains(String(line)), "\(line)") }
    }

    @Test("the message about a malformed text says what was found and what was expected")
    func malformed() throws {
        let run = try BuiltProgram.inspector.run("check", "-", input: #"{"version": 1,"#)
        #expect(
            run.lines[0] == "-:1:15: ✗ malformed: found the end of the text, expected a name in double quotation marks")
    }

    @Test("a document with only a version lists the chains that have it, and how to choose one")
    func candidates() throws {
        for command in ["check", "migrate", "trace"] {
            let run = try BuiltProgram.inspector.run(command, "-", input: #"{"version": 1}"#)
            let text = run.output + run.errors
            #expect(text.contains("--chain"), "\(command): \(text)")
            #expect(text.contains("Poem") && text.contains("Complex") && run.status == 1)
        }
    }
}
