import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Walks")
struct DocumentWalkerTests {
    /// The documents and problems that a walk finds, relative to the folder, and what it leaves out.
    private func walk(
        _ folder: TemporaryFolder, _ paths: String...
    ) throws -> (names: [String], errors: [String], leftOut: DocumentWalker.LeftOut) {
        var names: [String] = []
        var errors: [String] = []
        let given = paths.isEmpty ? [folder.path] : paths.map { $0 == "-" ? "-" : folder.path($0) }
        let leftOut = try DocumentWalker(GivenName.resolve(given.map { FilePath($0) })).walk { documents in
            for document in documents {
                if let problem = document.problem {
                    errors.append((document.isGiven ? "given " : "") + folder.relative(problem.description))
                } else {
                    names.append(folder.relative(document.name))
                }
            }
        }
        return (names, errors, leftOut)
    }

    @Test("documents are found by their names or, failing that, by their first bytes")
    func kinds() throws {
        let folder = try TemporaryFolder()
        try folder.write("[]", to: "a.JSON")
        try folder.write("", to: "b.plist")
        try folder.write("{", to: "c.resolved")
        try folder.write("\u{FEFF} \n { broken", to: "d.txt")
        try folder.write("bplist00", to: "e")
        try folder.write("<?xml version=\"1.0\"?><!-- x --><plist", to: "f.xml")
        try folder.write("<?xml version=\"1.0\"?><html/>", to: "f2.xml")
        try folder.write("SQLite format 3\0", to: "g.db")
        try folder.write("[1]", to: "h.txt")
        try folder.write(Data([0xFF, 0xFE, 0x7B, 0]), to: "i.utf16")
        try folder.write("", to: "j")
        let (names, errors, leftOut) = try walk(folder)
        #expect(names == ["a.JSON", "b.plist", "c.resolved", "d.txt", "e", "f.xml", "i.utf16"])
        #expect(errors == ["g.db: \(StoreProblem.cutShort(byteCount: 16, expected: 100))"])
        #expect(leftOut == [.otherKind: 3])
    }

    @Test("folders are walked to the bottom, in the natural order of names")
    func order() throws {
        let folder = try TemporaryFolder()
        for name in [
            "file10.json", "file2.json", "File1.json", "b/z.json", "b/deep/er/x.json", "a9/1.json", "a10/1.json",
        ] {
            try folder.write("{}", to: name)
        }
        let expected = [
            "a9/1.json", "a10/1.json", "b/deep/er/x.json", "b/z.json", "File1.json", "file2.json", "file10.json",
        ]
        #expect(try walk(folder).names == expected)
    }

    @Test("hidden files are left out, unless they are named directly")
    func hidden() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: ".hidden.json")
        try folder.write("{}", to: ".git/config.json")
        #expect(try walk(folder).leftOut == [.hidden: 2])
        #expect(try walk(folder, ".hidden.json", ".git").names == [".hidden.json", ".git/config.json"])
    }

    @Test("a backup is left out as long as its file exists")
    func backups() throws {
        let folder = try TemporaryFolder()
        for name in ["a.json", "a.json.bak", "b.json.bak", ".bak"] { try folder.write("{}", to: name) }
        let walk = try walk(folder)
        #expect(walk.names == ["a.json", "b.json.bak"] && walk.leftOut == [.backup: 1, .hidden: 1])
        #expect(try self.walk(folder, "a.json.bak").names == ["a.json.bak"])
    }

    @Test("each line of a JSON Lines file that is not empty is a document")
    func lines() throws {
        let folder = try TemporaryFolder()
        try folder.write("\u{FEFF}{\"a\":1}\r\n\n \t\r\n{\"a\":2}\n{\"a\":3}", to: "x.jsonl")
        try folder.write("{}\n[]", to: "y.ndjson")
        try folder.write("\n \n", to: "empty.jsonl")
        try folder.write(Data([0xFF, 0xFE, 0x7B, 0, 0x0A, 0]), to: "wide.jsonl")
        let (names, errors, leftOut) = try walk(folder)
        #expect(names == ["x.jsonl#L1", "x.jsonl#L4", "x.jsonl#L5", "y.ndjson#L1", "y.ndjson#L2"])
        #expect(leftOut == [.empty: 1])
        #expect(errors == ["wide.jsonl: \(SourceProblem.linesNotInUTF8)"])
        #expect(try walk(folder, "empty.jsonl").names == ["empty.jsonl"])
    }

    @Test("links are followed, and those that lead in circles or nowhere do no harm")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "real/a.json")
        try folder.link("real/up", to: "..")
        try folder.link("again", to: "real")
        try folder.link("b.json", to: "real/a.json")
        try folder.link("gone.json", to: "nowhere")
        try folder.link("gone.txt", to: "nowhere")
        try folder.link("self.json", to: "self.json")
        let (names, errors, leftOut) = try walk(folder)
        #expect(names == ["again/a.json", "b.json", "real/a.json"])
        #expect(
            errors == [
                "gone.json: \(SourceProblem.brokenLink)", "self.json: \(SourceProblem.brokenLink)",
            ])
        #expect(leftOut == [.linkLoop: 2, .unreadable: 1])
    }

    @Test("a pipe that is found is never opened", .timeLimit(.minutes(30)))
    func pipes() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path("pipe.json"), 0o600) == 0)
        let found = try walk(folder)
        #expect(found.names.isEmpty && found.errors.isEmpty)
        #expect(found.leftOut == [.special: 1])
    }

    @Test("given paths that do not exist are reported, and the walk continues")
    func missing() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "a.json")
        let (names, errors, _) = try walk(folder, "nothing", "a.json", "a.json")
        #expect(names == ["a.json", "a.json"])
        #expect(errors == ["given nothing: \(SourceProblem.noSuchFile)"])
    }

    @Test("a name that is not UTF-8 is found and read, and found again by its printed form")
    func names() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(Array("\(folder.path)/caf".utf8) + [0xE9] + Array(".d".utf8))
        #expect(mkdir(path.cString, 0o700) == 0)
        let file = path.appending(FilePath([0xFF, 0xFE] + Array("é.jsonl".utf8)))
        try AtomicFileWriter(keepsBackup: false).write(Data("{}\n[]\n".utf8), to: file)
        defer {
            unlink(file.cString)
            rmdir(path.cString)
        }
        let (names, errors, _) = try walk(folder)
        #expect(names == [#"caf\xE9.d/\xFF\xFEé.jsonl#L1"#, #"caf\xE9.d/\xFF\xFEé.jsonl#L2"#])
        #expect(errors.isEmpty)
        let again = GivenName(FilePath(folder.path(names[1]))).document
        #expect(try again.read().data == Data("[]".utf8))
        #expect(GivenName(FilePath([0xE9])).document.problem?.reason == .noSuchFile)
        #expect(again.file == file && again.file != FilePath(folder.path(#"caf\xE9.d/\xFF\xFEé.jsonl"#)))
    }

    @Test("a cancelled walk ends early, after delivering what it found before")
    func cancellation() throws {
        let folder = try TemporaryFolder()
        for index in 0..<2000 { try folder.write("{}", to: "\(index).json") }
        var count = 0
        #expect(throws: CancellationError.self) {
            try DocumentWalker([GivenName(FilePath(folder.path))]).walk(
                isCancelled: { count > 0 }, deliver: { count += $0.count })
        }
        #expect(count > 0 && count < 2000)
    }

    @Test("a walk ends even if links between folders make ever more paths", .timeLimit(.minutes(30)))
    func mazes() throws {
        let folder = try TemporaryFolder()
        for index in 0..<12 {
            try folder.write("{}", to: "\(index)/a.json")
            if index > 0 {
                try folder.link("\(index - 1)/x", to: "../\(index)")
                try folder.link("\(index - 1)/y", to: "../\(index)")
            }
        }
        #expect(try walk(folder).leftOut[.linkLoop] ?? 0 > 0)
    }

    @Test("a path follows at most eight links to folders")
    func longWays() throws {
        let folder = try TemporaryFolder()
        for index in 0..<12 {
            try folder.write("{}", to: "\(index)/a.json")
            if index > 0 { try folder.link("\(index - 1)/x", to: "../\(index)") }
        }
        let (names, _, leftOut) = try walk(folder)
        let links = (0...8).map { String(repeating: "x/", count: $0) }
        #expect(names.filter { $0.hasPrefix("0/") }.sorted() == links.map { "0/\($0)a.json" }.sorted())
        #expect(leftOut == [.linkLoop: 3])
    }

    @Test("documents are delivered in order, some hundred at a time")
    func batches() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "1\n", count: 1500), to: "x.jsonl")
        var (counts, lines): ([Int], [Int?]) = ([], [])
        try DocumentWalker([GivenName(FilePath(path))]).walk { documents in
            counts.append(documents.count)
            lines += documents.map(\.firstLine)
        }
        #expect(lines == Array(1...1500))
        #expect(counts.allSatisfy { (1...512).contains($0) })
        try DocumentWalker([]).walk { _ in Issue.record("there is nothing to deliver") }
    }

    @Test("documents are delivered before a file that holds several is opened, which may take long")
    func beforeContainers() throws {
        let folder = try TemporaryFolder()
        for name in ["a.json", "c.json"] { try folder.write("{}", to: name) }
        try folder.write("1\n2\n", to: "b.jsonl")
        var batches: [[String]] = []
        try DocumentWalker([GivenName(FilePath(folder.path))]).walk { documents in
            batches.append(documents.map { folder.relative($0.name) })
        }
        #expect(batches.first == ["a.json"])
        #expect(batches.flatMap { $0 } == ["a.json", "b.jsonl#L1", "b.jsonl#L2", "c.json"])
    }

    @Test("documents named on the command line are marked as given, whole files and parts alike")
    func given() throws {
        let folder = try TemporaryFolder()
        try folder.write("1\n2", to: "x.jsonl")
        try folder.write("{}", to: "deep/a.json")
        try folder.write("\n", to: "empty.jsonl")
        var given: [String: Bool] = [:]
        let names = ["x.jsonl", "x.jsonl#L2", "deep", "deep/a.json", "empty.jsonl", "nothing"]
        try DocumentWalker(GivenName.resolve(names.map { FilePath(folder.path($0)) })).walk { documents in
            for document in documents { given[folder.relative(document.name)] = document.isGiven }
        }
        #expect(
            given == [
                "x.jsonl#L1": false, "x.jsonl#L2": true, "deep/a.json": true, "empty.jsonl": true, "nothing": true,
            ])
    }

    @Test("a file is treated as its ending says, in a folder and by itself")
    func endings() throws {
        let folder = try TemporaryFolder()
        for name in ["a.sqlite", "b.SQLITE3", "c.db", "d.store", "e.txt"] {
            try folder.write("text", to: name)
            let (names, errors, _) = try walk(folder, name)
            #expect(names == (name == "e.txt" ? [name] : []))
            let problem = SourceProblem.store(.notDatabase(byteCount: 4))
            #expect(errors == (name == "e.txt" ? [] : ["given \(name): \(problem)"]))
        }
        try folder.write("{}", to: "f.db")
        for listed in DocumentEnding.listed.split(whereSeparator: { ", ".contains($0) }) where listed != "or" {
            try folder.write("1", to: "g\(listed)")
        }
        let (names, errors, leftOut) = try walk(folder)
        let expected = ["f.db", "g.json", "g.json5", "g.jsonl#L1", "g.ndjson#L1", "g.plist", "g.resolved"]
        #expect(names == expected && errors.isEmpty)
        #expect(leftOut == [.otherKind: 5])
    }

    @Test("a pipe is left out even if a link leads to it, and a link into a file is broken")
    func specialLinks() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        try folder.link("a.json", to: "pipe")
        try folder.write("{}", to: "b.json")
        try folder.link("c.json", to: "b.json/x")
        let (names, errors, leftOut) = try walk(folder)
        #expect(names == ["b.json"] && errors == ["c.json: \(SourceProblem.brokenLink)"])
        #expect(leftOut == [.special: 2])
    }

    @Test("files that SQLite keeps beside a store are not documents, whatever they contain")
    func besidesStores() throws {
        let folder = try TemporaryFolder()
        try StoreWriter.make(folder.path("a.db"), "CREATE TABLE T (META TEXT)", "INSERT INTO T VALUES ('{}')")
        for suffix in ["-wal", "-shm", "-journal"] {
            try folder.write("{}", to: "b" + suffix)
            // Empty ones mean nothing to SQLite either.
            try folder.write("", to: "a.db" + suffix)
        }
        let (names, errors, leftOut) = try walk(folder)
        #expect(names == ["a.db#T/1/META", "b-journal", "b-shm", "b-wal"] && errors.isEmpty)
        #expect(leftOut == [.otherKind: 3])
    }
}
