import TestSupport
import Testing

@Suite("The sentences of a report")
struct ReportWordsTests {
    @Test("on the demo-data are those that are expected")
    func demoData() throws {
        let lines = try Project.text("Tests/MigrationInspectorTests/DemoData/expected-results.jsonl")
        let expected = try lines.split(separator: "\n").map { try JSONValue(String($0)) }
        let report = try BuiltProgram.inspector.run("check", "demo-data", "--format", "json").json()
        let results = report["results"].elements
        #expect(results.map { $0["failure"]["message"] } == expected.map { $0["failure"]["message"] })
        #expect(results.map { $0["warnings"] } == expected.map { $0["warnings"] })
    }

    @Test("are those that the README quotes")
    func readme() throws {
        let run = try BuiltProgram.inspector.run("check", "demo-data")
        let quoted = try Project.text("README.md").split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("demo-data/") && ($0.contains(": ✗ ") || $0.contains(": ✓ ")) }
        #expect(!quoted.isEmpty)
        for line in quoted { #expect(run.lines.contains(String(line)), "\(line)") }
    }

    @Test("say of a text that is no document what was found, and what would have been right")
    func malformed() throws {
        let run = try BuiltProgram.inspector.run("check", "-", input: #"{"version": 1,"#)
        #expect(
            run.lines[0] == "-:1:15: ✗ malformed: found the end of the text, expected a name in double quotation marks")
    }

    @Test("of a document with nothing but a version, the chains that have it are named, and how to choose one")
    func candidates() throws {
        for command in ["check", "migrate", "trace"] {
            let run = try BuiltProgram.inspector.run(command, "-", input: #"{"version": 1}"#)
            let text = run.output + run.errors
            #expect(text.contains("--chain"), "\(command): \(text)")
            #expect(text.contains("Poem") && text.contains("Complex") && run.status == 1)
        }
    }
}
