import DocumentModel
import Foundation
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("A package made from documents")
struct ScaffoldCommandTests {
    private let program = BuiltProgram.inspector

    /// Returns the type inferred from documents of one version.
    private static func types(_ documents: [String]) throws -> InferredTypes {
        var shape = ValueShape()
        for (number, text) in documents.enumerated() { shape.add(try Document(json: text).root, of: number) }
        return InferredTypes(of: shape, besides: [], reserved: [])
    }

    private static func codes(_ documents: [String]) throws -> [String] {
        try types(documents).fields.map { "\($0.name): \($0.type.code)" }
    }

    @Test("each version becomes a type, and the summary names the fields that no step makes")
    func versions() throws {
        let folder = try TemporaryFolder()
        let documents = Project.path("demo-data/resolved-packages")
        let run = try program.run(["scaffold", documents, "--output", "Pins", "--name", "Pins"], in: folder.path)
        #expect(run.status == 0)
        #expect(
            run.output == """
                PinsV1  Version 1, 1 document
                PinsV2  Version 2, 2 documents
                Pins    Version 3, 1 document
                to write in PinsV2.swift: $.pins
                to write in Pins.swift: $.originHash

                """)
        let code = try String(contentsOfFile: "\(folder.path)/Pins/Sources/PinsDocuments/Pins.swift", encoding: .utf8)
        #expect(code.contains("    originHash = try notWrittenYet(at: [CodingKeys.originHash])"))
        #expect(code.contains("            state = try State(from: old.state, at: path + [CodingKeys.state])"))
        let again = try program.run(["scaffold", documents, "--output", "Pins"], in: folder.path)
        #expect(again.status == 66 && again.errors.contains("Pins exists and is not empty"))
    }

    @Test("a member that is missing or null somewhere is optional, and values of several kinds are of any kind")
    func optionals() throws {
        #expect(
            try Self.codes([#"{"a": 1, "b": 1.5, "c": null, "d": 1}"#, #"{"a": 2, "b": 2, "c": "x", "d": "y"}"#])
                == ["a: Int", "b: Double", "c: String?", "d: AnyValue"])
        #expect(
            try Self.codes([#"{"a": [1, null], "b": [], "c": {}}"#]) == [
                "a: [Int?]", "b: [AnyValue]", "c: [String: AnyValue]",
            ])
    }

    @Test("keys that are no names in Swift get one, and keep their own in the document")
    func names() throws {
        let types = try Self.types([#"{"is-free": true, "is_free": 1, "is free": 2, "class": 3, "1st": 4}"#])
        #expect(types.fields.map(\.name) == ["isFree", "is_free", "isFree2", "class", "_1st"])
        #expect(SwiftName.code("class") == "`class`")
        #expect(SwiftName.literal("a\"b\u{1}") == #""a\"b\u{1}""#)
    }

    @Test("an object with keys that are no names is a dictionary, and one with the same keys everywhere is a type")
    func dictionaries() throws {
        #expect(try Self.codes([#"{"labels": {"en-US": "Hi", "de-DE": "Hallo"}}"#]) == ["labels: [String: String]"])
        #expect(try Self.codes([#"{"size": {"width": 1, "height": 2}}"#]) == ["size: Size"])
        let languages = [#"{"t": {"en": {"text": "a"}, "de": {"text": "b"}}}"#, #"{"t": {"fr": {"text": "c"}}}"#]
        #expect(try Self.codes(languages) == ["t: [String: T]"])
    }

    @Test("texts that repeat in many documents are an enum, and dates that are written alike are dates")
    func texts() throws {
        let levels = (0..<12).map { #"{"level": "\#(["low", "high-up"][$0 % 2])", "id": "id\#($0)"}"# }
        let types = try Self.types(levels)
        #expect(types.fields.map(\.type.code) == ["Level", "String"])
        guard case .enumeration(let cases)? = types["Level"] else { throw CancellationError() }
        #expect(cases.map(\.name) == ["highUp", "low"] && cases.map(\.text) == ["high-up", "low"])
        #expect(try Self.codes(Array(levels.prefix(9))) == ["level: String", "id: String"])
        #expect(
            try Self.codes([#"{"a": "2024-03-01T12:00:00Z", "b": "2024-03-01T12:00:00.5Z"}"#])
                == ["a: Date", "b: String"])
    }

    @Test("states right before and after a version propose a rename, and a value that differs does not")
    func renames() throws {
        let git = try GitFolder()
        try git.commit(#"{"version": 1, "name": "Tea", "serves": 12}"#, to: "r.json")
        try git.commit(#"{"version": 2, "title": "Tea", "people": 13}"#, to: "r.json")
        let run = try program.run(
            ["scaffold", "--history", "r.json", "--output", "../Recipes", "--name", "Recipe"], in: git.folder.path)
        #expect(run.status == 0 && run.output.contains("to write in Recipe.swift: $.people\n"))
        let path = "\(git.folder.path)/../Recipes"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let code = try String(contentsOfFile: "\(path)/Sources/RecipeDocuments/Recipe.swift", encoding: .utf8)
        #expect(
            code.contains(
                """
                        // In 1 document known before and after this step, 'name' has this value.
                        title = old.name
                """))
    }

    @Test("documents that no type can be inferred from are named, with reasons")
    func leftOut() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"version": 1, "a": 1}"#, to: "in/a.json")
        try folder.write("[1]", to: "in/b.json")
        try folder.write(#"{"version": 1.5}"#, to: "in/c.json")
        try folder.write(#"{"version": "2"}"#, to: "in/d.json")
        let run = try program.run(["scaffold", "in", "--output", "out"], in: folder.path)
        #expect(run.status == 1 && run.output == "In  Version 1, 1 document\n")
        #expect(run.errors.contains("in/b.json is left out: its root is no object"))
        #expect(run.errors.contains("in/c.json is left out: its version at $.version is neither"))
        #expect(run.errors.contains("in/d.json is left out: its version is a text"))
        let none = try program.run(["scaffold", "in/b.json", "--output", "none"], in: folder.path)
        #expect(none.status == 1 && none.errors.contains("no document is left to infer types from"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/none"))
        let name = try program.run(["scaffold", "in", "--output", "x", "--name", "recipe"], in: folder.path)
        #expect(name.status == 64 && name.errors.contains("a name for a Swift type"))
    }
}

extension StrangersTests {
    @Suite("A package made from documents, as its reader builds it")
    struct ScaffoldedPackageTests {
        private static let documents = [
            #"{"name": "Tea", "stars": 3, "level": "low", "labels": {"en-US": "Hi"}, "author": {"first name": "A"}}"#,
            #"""
            {"meta": {"format-version": "1.0", "app": "a"}, "title": "Tea", "stars": 3.5, "pages": [[{"n": 1}], []],
             "mixed": "a"}
            """#,
            #"""
            {"meta": {"format-version": "1.0", "app": "b"}, "title": "Tea", "stars": 3, "pages": [], "mixed": 1,
             "class": true} // JSON5
            """#,
            #"""
            {"meta": {"format-version": "1.10", "app": "c"}, "title": "Tea", "stars": 3, "pages": [[{"n": "1"}]],
             "made": "2024-03-01T12:00:00Z", "author": {"first name": "A", "age": 1}}
            """#,
        ]

        @Test(
            "it builds, reads every document as its version, and fails where a step is not written",
            .timeLimit(.minutes(30)))
        func builds() async throws {
            let folder = try TemporaryFolder()
            for (number, text) in Self.documents.enumerated() { try folder.write(text, to: "notes/\(number).json") }
            let run = try BuiltProgram.inspector.run(["scaffold", "notes", "--output", "package"], in: folder.path)
            #expect(run.status == 0 && run.errors == "")
            let program = try await StrangersPackage(path: "\(folder.path)/package").program("inspect-note")
            #expect(
                try program.run("chains").output
                    == "Note: none (NoteUnversioned) → 1.0 (NoteV1_0) → 1.10 (Note)\n")
            let check = try program.run(["check", "notes"], in: folder.path)
            let failed = check.lines.filter { $0.hasPrefix("notes/") && $0.contains("not written yet") }
            #expect(failed.count == 3, "\(check.output)")
            #expect(
                check.lines.contains("4 documents: 1 current, 0 migrated, 3 failed, 0 unrecognized, 0 unreadable"))
            let old = try program.run(["check", "--to", "1.0", "notes/1.json", "notes/2.json"], in: folder.path)
            #expect(old.status == 0, "\(old.output)")
            // The version is written into an object that the type writes too.
            let strict = try program.run(["check", "--strict", "notes/3.json"], in: folder.path)
            #expect(strict.status == 0 && !strict.output.contains("lost"), "\(strict.output)")
        }
    }
}
