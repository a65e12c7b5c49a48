import DocumentModel
import Foundation
import TestSupport
import Testing

@Suite("Redacted output")
struct RedactionTests {
    private let program = BuiltProgram.inspector
    private static let formats = ["text", "json", "markdown", "html"]

    /// Documents that migrate, fail with a message that quotes a value, are property lists or hold documents inside
    /// values; and one of no chain.
    private static let documents = [
        "poems/version-1.json", "poems/wrong-rating-in-words.json", "poems/version-2-xml.plist",
        "poems/version-3-binary.plist", "posted-letters/recipient-empty.json", "preferences/version-4-xml.plist",
        "things/collection-of-things.json", "resolved-packages/version-2.resolved", "shapes/user-by-email.json",
        "unknown.json",
    ]

    /// A folder with a document whose values, and whose file's name, contain tokens.
    private struct Planted {
        let folder: TemporaryFolder
        let tokens: PlantedTokens
        let name: String
        let secretName: String

        init(_ document: Document, ending: String, seed: UInt64) throws {
            folder = try TemporaryFolder()
            tokens = try PlantedTokens(
                in: document, except: ["$.version", "$._version", "$.rating"].compactMap { DocumentPath($0) },
                seed: seed)
            var generator = SeededGenerator(seed: seed + 1000)
            secretName = PlantedTokens.token(&generator)
            name = "\(secretName)/\(secretName).\(ending)"
            let writer = PropertyListWriter(format: document.format)
            try folder.write(
                try writer?.data(tokens.document.root) ?? JSONWriter(layout: .pretty).data(tokens.document.root),
                to: name)
        }
    }

    /// Runs a command and expects no run of six characters of a token in what it prints, and eight digits of a number.
    /// A number in a document may have the same digits by chance, but not twice.
    private func expectNothing(
        of tokens: PlantedTokens, _ secretName: String, in folder: TemporaryFolder, statuses: [Int32] = [0, 1],
        _ arguments: [String]
    ) throws {
        func found() throws -> [String] {
            let run = try program.run(arguments, in: folder.path)
            #expect(statuses.contains(run.status), "\(arguments): \(run.errors)")
            #expect(!run.outputData.isEmpty, "\(arguments): \(run.errors)")
            var text = run.output + run.errors
            // A binary property list is searched as text.
            if run.outputData.starts(with: Data("bplist".utf8)) {
                text += JSONWriter().string(try Document(parsing: SourceBytes(run.outputData)).root)
            }
            #expect(!text.contains(secretName) && !text.contains(folder.path), "\(arguments): \(text)")
            return tokens.found(in: text, digits: 8)
        }
        var left = try found()
        if !left.isEmpty { left = try found().filter(left.contains) }
        #expect(left == [], "\(arguments)")
    }

    @Test("no format of a redacted trace contains six characters of a value", arguments: documents)
    func trace(name: String) throws {
        let data = try Project.data("demo-data/\(name)")
        let planted = try Planted(
            Document(parsing: SourceBytes(data)), ending: name.hasSuffix("plist") ? "plist" : "json", seed: 1)
        // What is looked for is there without --redact.
        let plain = try program.run(
            "trace", "--no-experiments", "--format", "json", planted.name, in: planted.folder.path)
        #expect(!planted.tokens.found(in: plain.output, digits: 8).isEmpty)
        for format in Self.formats {
            try expectNothing(
                of: planted.tokens, planted.secretName, in: planted.folder,
                ["trace", "--redact", "--format", format, planted.name])
        }
        try expectNothing(
            of: planted.tokens, planted.secretName, in: planted.folder, ["trace", "--redact-keys", planted.name])
    }

    @Test(
        "a redacted smallest document contains no six characters of a value, nor does its message",
        arguments: [
            "posted-letters/recipient-empty.json", "poems/wrong-author-misspelt.json",
            "preferences/neither-string-nor-set-xml.plist",
        ])
    func shrink(name: String) throws {
        let original = try Document(parsing: SourceBytes(Project.data("demo-data/\(name)")))
        let folder = try TemporaryFolder()
        // Here, tokens go where they don't change the failure.
        let kept = ["$._version", "$.version", "$.recipient", "$.rating", "$.setString", "$.period"]
        let tokens = try PlantedTokens(in: original, except: kept.compactMap { DocumentPath($0) }, seed: 5)
        let ending = name.hasSuffix("plist") ? "plist" : "json"
        try folder.write(
            try PropertyListWriter(format: original.format)?.data(tokens.document.root)
                ?? JSONWriter().data(tokens.document.root), to: "secret.\(ending)")
        try expectNothing(
            of: tokens, "secret", in: folder, statuses: [0], ["shrink", "--redact", "secret.\(ending)"])
        let run = try program.run("shrink", "--redact", "secret.\(ending)", in: folder.path)
        #expect(run.errors.contains("fails alike; kept as they are: "))
    }

    @Test("a redacted difference has the changes of the documents and no six characters of a value, in JSON5 too")
    func diff() throws {
        let folder = try TemporaryFolder()
        let old =
            #"{"name": "Ada", "born": "1815-12-10", "tags": ["x", "y", "z"], "inner": "{\"city\": \"Turin\"}", "n": 12}"#
        let new =
            #"{"tags": ["x", "q", "z"], "name": "Ada", "born": "1815-12-11", "inner": "{\"city\": \"Pisa\"}", "n": 12.0}"#
        let planted = try [old, new].map {
            try PlantedTokens(in: Document(json: $0), except: [DocumentPath("$.n")!], seed: 9)
        }
        for (number, planted) in planted.enumerated() {
            let text = JSONWriter().string(planted.document.root)
            try folder.write("// a comment, \(planted.tokens[0])\n\(text)", to: "secret\(number).json5")
        }
        for format in ["text", "json", "patch"] {
            let plain = try program.run("diff", "--format", format, "secret0.json5", "secret1.json5", in: folder.path)
            let arguments = ["diff", "--redact", "--format", format, "secret0.json5", "secret1.json5"]
            for tokens in planted {
                try expectNothing(of: tokens, "secret", in: folder, statuses: [1], arguments)
            }
            let run = try program.run(arguments, in: folder.path)
            #expect(run.lines.count == plain.lines.count && run.errors.contains("keys are kept"))
        }
        let equal = try program.run("diff", "--redact", "secret0.json5", "secret0.json5", in: folder.path)
        #expect(equal.status == 0 && equal.output == "")
    }

    @Test("lines of JSON Lines and cells of stores are redacted, and so are the names that lead to them")
    func parts() throws {
        let folder = try TemporaryFolder()
        let letter = try Document(parsing: SourceBytes(Project.data("demo-data/posted-letters/recipient-empty.json")))
        let tokens = try PlantedTokens(in: letter, except: [DocumentPath("$._version")!], seed: 3)
        let line = JSONWriter().string(tokens.document.root)
        try folder.write("\(line)\n\(line)\n", to: "secret.jsonl")
        try expectNothing(of: tokens, "secret", in: folder, ["trace", "--redact", "secret.jsonl#L2"])
        let book = try PlantedTokens(in: Document(json: #"{"title": "a", "pages": 1}"#), seed: 4)
        let json = JSONWriter().string(book.document.root)
        try StoreWriter.make(
            folder.path("secret.sqlite"), "CREATE TABLE SECRET (ID INTEGER PRIMARY KEY, DOC TEXT)",
            "INSERT INTO SECRET VALUES (7, '\(json)')")
        try expectNothing(of: book, "secret", in: folder, ["trace", "--redact", "secret.sqlite#SECRET/7/DOC"])
    }

    @Test("keys that are data are redacted with --redact-keys, and named without it")
    func keys() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"accounts": {"ada@example.org": 1, "bob@example.org": 2}}"#, to: "accounts.json")
        let kept = try program.run("trace", "--redact", "accounts.json", in: folder.path)
        #expect(kept.errors.contains("keys are kept (--redact-keys replaces them); those of $.accounts look like data"))
        let redacted = try program.run("trace", "--redact-keys", "--format", "json", "accounts.json", in: folder.path)
        #expect(!(redacted.output + redacted.errors).contains("example") && redacted.errors.contains("kept keys: none"))
    }

    @Test("what is kept is named before anything is written, and the copy ends in the same way")
    func kept() throws {
        let run = try program.run("trace", "--redact", "demo-data/poems/version-2.json")
        #expect(run.errors.contains("document.json: migrates alike; kept as they are: $.version, $.rating"))
        #expect(run.status == 0 && run.output.contains("document.json (json): Poem, version 2"))
        let failing = try program.run("trace", "--redact", "demo-data/poems/rating-9.json")
        #expect(failing.errors.contains("document.json: fails alike; kept as they are: $.version\n"))
        #expect(failing.status == 1 && failing.output.contains("fieldNoLongerValid at $.rating"))
    }

    @Test("a document that cannot be redacted is refused without its name or its values")
    func refused() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"version": 1, "author": "Lovelace", "poem": Lovelace"#, to: "secret.json")
        for arguments in [["trace"], ["shrink"]] {
            let run = try program.run(arguments + ["--redact", "secret.json"], in: folder.path)
            #expect(run.status == 1 && run.output == "")
            #expect(
                run.errors
                    == "migration-inspector: document.json: it does not parse, so its values are not known; nothing was written\n"
            )
        }
        let missing = try program.run("trace", "--redact", "no-such-file.json", in: folder.path)
        #expect(missing.status == 66 && missing.output == "")
        for option in ["--no-experiments", "--in-process", "--among=demo-data", "--blame"] {
            let run = try program.run("trace", "--redact", option, "demo-data/poems/rating-9.json")
            #expect(run.status == 64 && run.output == "", "\(option): \(run.errors)")
        }
    }
}
