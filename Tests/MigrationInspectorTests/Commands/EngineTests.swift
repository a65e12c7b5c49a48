import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("More than one process")
struct EngineTests {
    @Test("the script with xargs reports what one process reports, and exits like it", arguments: [1, 7])
    func xargs(processes: Int) throws {
        let folder = try TemporaryFolder()
        for number in 0..<1200 {
            let poem = number % 7 == 0 ? Poems.broken : number % 5 == 0 ? Poems.current : Poems.first
            try folder.write(poem, to: "all/\(number % 3)/it's \(number).json")
        }
        try folder.write("\(Poems.first)\n\(Poems.broken)\n", to: "all/lines.jsonl")
        let script = BuiltProgram(path: Project.path("Tests/Engines/check-with-xargs"))
        let run = try script.run(
            BuiltProgram.inspector.path, "all", in: folder.path,
            environment: ["FORMAT": "json", "PROCESSES": "\(processes)"])
        let whole = try BuiltProgram.inspector.run("check", "all", "--format", "json", in: folder.path)
        let (sum, expected) = (try run.json(), try whole.json())
        for outcome in ["documents"] + MigrationOutcome.allCases.map(\.rawValue) {
            #expect(sum[outcome] == expected[outcome] && sum[outcome].integer != nil)
        }
        #expect(sum["documents"].integer == 1202)
        #expect(sum["causes"].elements.map { $0["count"] } == expected["causes"].elements.map { $0["count"] })
        #expect(
            Set(sum["results"].elements) == Set(expected["results"].elements))
        #expect(run.status == 1 && run.errors == "")
        try folder.write("notes", to: "none/notes.txt")
        let none = try script.run(BuiltProgram.inspector.path, "none", in: folder.path)
        #expect(none.status == 1 && none.errors == "no documents in none\n")
    }
}
