import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Several processes")
struct EngineTests {
    @Test("the script with xargs prints the report of a single process, with the same exit status", arguments: [1, 7])
    func xargs(processes: Int) throws {
        let folder = try TemporaryFolder()
        for number in 0..<1200 {
            let poem = number % 7 == 0 ? Poems.broken : number % 5 == 0 ? Poems.current : Poems.first
            try folder.write(poem, to: "all/\(number % 3)/it's \(number).json")
        }
        try folder.write("\(Poems.first)\n\(Poems.broken)\n", to: "all/lines.jsonl")
        // Files that a check finds only by content, or whose names no shell likes.
        try folder.write(Poems.broken, to: "all/no ending")
        try folder.write(Poems.broken, to: "all/caf\u{E9}\n.json")
        try folder.write("", to: "all/empty.jsonl")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("all/link.json"), withDestinationPath: "0/it's 0.json")
        let script = BuiltProgram(path: Project.path("Tests/Engines/check-with-xargs"))
        let engine = { (format: String, paths: String...) in
            try script.run(
                [BuiltProgram.inspector.path] + paths, in: folder.path,
                environment: ["FORMAT": format, "PROCESSES": "\(processes)"])
        }
        for format in ["json", "jsonl", "text"] {
            let run = try engine(format, "all")
            let whole = try BuiltProgram.inspector.run("check", "all", "--format", format, in: folder.path)
            #expect(run.output == whole.output && run.status == 1, "\(format)")
            #expect(run.errors == whole.errors, "\(format)")
        }
        #expect(try engine("json", "all").json()["documents"].integer == 1205)
        // A missing path is reported once and determines the exit status, as with one process.
        let missing = try engine("text", "all/0", "missing")
        #expect(missing.status == 66 && missing.errors == "migration-inspector: missing: \(SourceProblem.noSuchFile)\n")
        try folder.write("notes", to: "none/notes.txt")
        let none = try engine("text", "none")
        let one = try BuiltProgram.inspector.run("check", "none", in: folder.path)
        #expect(none.status == 1 && none.errors.contains(CommandWords.noDocuments))
        #expect(one.status == 1)
        #expect(try script.run(in: folder.path).status == 64)
        let stream = try engine("text", "-")
        #expect(stream.status == 64 && stream.errors.contains(UsageError.shardOfInput("-").message))
    }
}
