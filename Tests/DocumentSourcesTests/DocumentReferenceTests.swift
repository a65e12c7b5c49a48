import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Names of documents")
struct DocumentReferenceTests {
    private func resolved(_ name: String) -> DocumentReference { GivenName(FilePath(name)).document }

    @Test("a name leads back to the document that it names")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let store = folder.path("a#b.sqlite")
        try StoreWriter.make(store, "CREATE TABLE T (ID INTEGER PRIMARY KEY)")
        let lines = try folder.write("", to: "a#b.jsonl")
        let cells = [
            ("BOOK", "3", "META"), ("a/b#c%", "k/e#y/L1", "%2F/x"),
            ("/\u{338}#\u{301}", "\u{301}", "\u{301}%\u{301}"),
        ]
        for (table, key, column) in cells {
            let cell = try DocumentStore(FilePath(store)).cell(of: StoreColumn(table: table, column: column), row: key)
            #expect(resolved(cell.name) == cell && resolved(cell.name).container == .sqlite)
            #expect(resolved(cell.name).firstLine == nil)
        }
        let line = resolved("\(lines)#L12")
        #expect(line.name == "\(lines)#L12" && line.firstLine == 12 && line.container == .jsonl)
        #expect(line.place(line: 2, column: 3) == "\(lines):13:3")
        #expect(resolved(lines).container == nil && resolved(lines).isWhole)
        #expect(resolved("-").name == "-" && resolved("-").stamp == nil)
    }

    @Test("a name means a file of exactly that name before it means a part of a file")
    func existingFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "x.jsonl")
        let exact = try folder.write("", to: "x.jsonl#L1")
        #expect(resolved(exact).isWhole && resolved(exact).problem == nil)
        #expect(resolved("\(exact)#L2").file == FilePath(exact))
        for suffix in ["#L0", "#L02", "#L", "#M3", "#a/b", "#L-1"] {
            let name = folder.path("x.jsonl") + suffix
            #expect(resolved(name).problem?.reason == .noSuchFile && resolved(name).name == name)
        }
    }

    @Test("a place that a report names means the line of a file of lines, or else the whole file")
    func places() throws {
        let folder = try TemporaryFolder()
        let lines = try folder.write("{\"a\": 1}\n{\"a\": 2}\n", to: "log.jsonl")
        #expect(resolved("\(lines):2:7").name == "\(lines)#L2" && resolved("\(lines):2").name == "\(lines)#L2")
        #expect(try resolved("\(lines):2:7").read().data == Data("{\"a\": 2}".utf8))
        let whole = try folder.write("{\"a\":\n1}", to: "a.json")
        #expect(resolved("\(whole):2:1").name == whole && resolved("\(whole):2").isWhole)
        let exact = try folder.write("3", to: "a.json:2:1")
        #expect(try resolved(exact).read().data == Data("3".utf8))
        for suffix in [":0", ":2:x", ":", ":-1", ":1:1:1", ":99999999999999999999"] {
            #expect(resolved(whole + suffix).problem != nil, "\(suffix)")
        }
        #expect(resolved(folder.path("b.json:1:1")).problem != nil)
    }

    @Test("two names that are only equivalent are different")
    func equivalentNames() throws {
        let folder = try TemporaryFolder()
        let paths = ["caf\u{e9}.json", "cafe\u{301}.json"].map(folder.path)
        for (number, path) in paths.enumerated() { try Data("\(number)".utf8).write(to: URL(filePath: path)) }
        #expect(Set(paths.map(resolved)).count == 2)
        #expect(try paths.map { try resolved($0).read().data } == [Data("0".utf8), Data("1".utf8)])
    }

    @Test("a name does not mean a part of a folder, or of a file with a longer name")
    func partsOfOthers() throws {
        let folder = try TemporaryFolder()
        try folder.write("1\n2\n", to: "folder.jsonl/x#L1.jsonl")
        for name in ["folder.jsonl#L1", "folder.jsonl/x#L1", "folder.jsonl/x#L2"] {
            #expect(resolved(folder.path(name)).problem?.reason == .noSuchFile)
        }
        #expect(try resolved(folder.path("folder.jsonl/x#L1.jsonl#L2")).read().data == Data("2".utf8))
        #expect(resolved(folder.path("folder.jsonl")).problem?.reason == .isFolder)
    }

    @Test("a name may be that of a line in a file with any ending")
    func linesOfAnyFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("1\n2\n", to: "x.log")
        #expect(try resolved("\(path)#L2").read().data == Data("2".utf8))
        #expect(try resolved(path).read().data == Data("1\n2\n".utf8))
    }

    @Test("a given name knows whether its file exists, and why it cannot be read")
    func existence() throws {
        let folder = try TemporaryFolder()
        try folder.write("1\n2\n", to: "x.jsonl")
        try folder.link("gone", to: "nowhere")
        try folder.link("circle", to: "circle")
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        for (name, exists, problem) in [
            ("x.jsonl", true, nil), ("x.jsonl#L2", true, nil), ("x.jsonl#L9", true, nil), ("", true, .isFolder),
            ("pipe", true, nil), ("nothing", false, .noSuchFile),
            ("nothing/x", false, .noSuchFile),
            ("x.jsonl/x", false, .noSuchFile), ("gone", false, .brokenLink), ("circle", false, .brokenLink),
        ] as [(String, Bool, SourceProblem?)] {
            let given = GivenName(FilePath(folder.path(name)))
            #expect(given.exists == exists && given.document.problem?.reason == problem, "\(name)")
            #expect(given.document.isGiven)
        }
        #expect(GivenName("-").exists)
    }

    private func isOne(_ name: String) -> Bool {
        if case .one(_, before: nil) = GivenName(FilePath(name)).readable() { true } else { false }
    }

    @Test("the name of a JSON Lines file leads to its first document and to the number of documents")
    func firstLine() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("\n{}\n\n[]", to: "x.jsonl")
        guard case .several(let first, let count) = GivenName(FilePath(path)).readable() else {
            Issue.record("not several")
            return
        }
        #expect(first.name == "\(path)#L2" && count == 2)
        for name in [
            "\(path)#L2", folder.path, try folder.write("\n", to: "empty.jsonl"), folder.path("nothing.jsonl"),
        ] {
            #expect(isOne(name), "\(name)")
        }
        #expect(isOne(try folder.write("1\n2", to: "x.json")))
    }

    @Test(
        "a name in a list is relative to what was opened, if the document is inside it",
        arguments: [
            ("b/c/x.json", "b", "c/", "x.json", "c/x.json"), ("b/c/x.json", "b/", "c/", "x.json", "c/x.json"),
            ("b/c/x.json", "b/c", "", "x.json", "x.json"), ("b/c/x.json", "b/c/x.json", "", "x.json", "x.json"),
            ("b//c/x.json", "b", "c/", "x.json", "c/x.json"), ("b/c/x.json", "", "b/c/", "x.json", "b/c/x.json"),
            ("b/c/x.json", "b/c/x", "b/c/", "x.json", "b/c/x.json"),
            ("b/c/x.json", "c", "b/c/", "x.json", "b/c/x.json"), ("/b/x.json", "/", "b/", "x.json", "b/x.json"),
            ("b/x.jsonl#L3", "b", "x.jsonl", "line 3", "x.jsonl#L3"),
            ("b/x.jsonl#L3", "b/x.jsonl", "x.jsonl", "line 3", "x.jsonl#L3"),
            ("-", "", "", "standard input", "standard input"),
        ])
    func names(name: String, opened: String, place: String, label: String, title: String) throws {
        let parts = name.split(separator: "#").map(String.init)
        let reference =
            if name == "-" {
                DocumentReference(DocumentStream.standardInput)
            } else if parts.count == 1 {
                DocumentReference(WholeFile(file: FilePath(name)))
            } else {
                try #require(JSONLines(file: FilePath(parts[0])).document(named: parts[1]))
            }
        let names = reference.names(below: FilePath(opened))
        #expect(names == (place, label, title))
        #expect(reference.name == name && "\(reference)" == name)
    }

    @Test("a cell is listed by its name in the store, and a position in it is not a line of the file")
    func cells() throws {
        let folder = try TemporaryFolder()
        try StoreWriter.make(folder.path("a.store"), "CREATE TABLE T (ID INTEGER PRIMARY KEY)")
        let cell = try DocumentStore(FilePath(folder.path("a.store")))
            .cell(of: StoreColumn(table: "T", column: "META"), row: "7")
        #expect(cell.names(below: FilePath(folder.path)) == ("a.store", "T/7/META", "a.store#T/7/META"))
        #expect(cell.place(line: 2, column: 3) == "\(folder.path("a.store"))#T/7/META:2:3")
        #expect(DocumentReference(WholeFile(file: "x.json")).place(line: 2, column: 3) == "x.json:2:3")
        #expect(!cell.isWhole && !cell.isReadOnce && cell.container == .sqlite)
    }

    @Test("a document knows the file that it is part of, by any name of the file")
    func partOfFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("1\n2\n", to: "x.jsonl")
        try folder.write("1\n2\n", to: "y.jsonl")
        try folder.link("link", to: "x.jsonl")
        #expect(link(path, folder.path("hard")) == 0)
        for reference in [resolved(path), resolved("\(path)#L2"), resolved(folder.path("link"))] {
            for name in ["x.jsonl", "link", "hard"] {
                #expect(reference.isPart(ofFileAt: FilePath(folder.path(name))))
            }
            for name in ["y.jsonl", "nothing", ""] {
                #expect(!reference.isPart(ofFileAt: FilePath(folder.path(name))))
            }
        }
        #expect(!resolved(folder.path("nothing")).isPart(ofFileAt: FilePath(folder.path("nothing"))))
    }

    @Test("an address means the same document in another process, wherever the file is")
    func addresses() throws {
        let folder = try TemporaryFolder()
        let lines = try folder.write("1\n\n22\n", to: "x.jsonl")
        try StoreWriter.make(
            folder.path("a.store"), "CREATE TABLE T (ID INTEGER PRIMARY KEY, META)", "INSERT INTO T VALUES (1, '{}')")
        var found: [DocumentReference] = []
        try DocumentWalker(GivenName.resolve([FilePath(folder.path), FilePath(lines)])).walk { found += $0 }
        found += [resolved(try folder.write("{}", to: "x.json")), resolved("\(lines)#L3"), resolved("-")]
        #expect(found.count == 8)
        for reference in found {
            let address = try #require(DocumentAddress(reference))
            let received = try #require(address.bytes.withUnsafeBytes { DocumentAddress($0) })
            #expect(received == address)
            let again = received.document()
            #expect(
                again == reference && again.isGiven == reference.isGiven && again.isReadOnce == reference.isReadOnce)
            #expect(again.firstLine == reference.firstLine && again.extent == reference.extent)
            #expect(again.container == reference.container && again.problem == nil)
            if !again.isReadOnce { #expect(try again.read().data == reference.read().data) }
        }
        #expect(DocumentAddress(resolved(folder.path("nothing"))) == nil)
        let cell = try #require(found.first { $0.container == .sqlite }.flatMap(DocumentAddress.init(_:)))
        unlink(folder.path("a.store"))
        #expect(cell.document().problem?.reason == .noSuchFile)
    }

    @Test("bytes that are no address are refused, whichever number is wrong")
    func brokenAddresses() throws {
        let folder = try TemporaryFolder()
        let line = resolved(try folder.write("1\n", to: "x.jsonl") + "#L1")
        let whole = try #require(DocumentAddress(line)).bytes
        func address(_ bytes: [UInt8]) -> DocumentAddress? { bytes.withUnsafeBytes { DocumentAddress($0) } }
        #expect(address(Array(whole.prefix(47))) == nil && address(Array(whole.prefix(48))) == nil)
        let broken: [(number: Int, Int64)] = [
            (0, -1), (0, 100), (2, -2), (3, .max), (4, 5), (5, -1), (5, 1 << 40),
        ]
        for (number, wrong) in broken {
            var bytes = whole
            withUnsafeBytes(of: wrong) { bytes.replaceSubrange(8 * number..<8 * (number + 1), with: $0) }
            #expect(address(bytes) == nil, "number \(number) is \(wrong)")
        }
    }

    @Test("the natural order compares numbers by value and letters regardless of case, and has no two names the same")
    func naturalOrder() {
        let expected = [
            "", ".a", "0", "00", "000", "00a", "01", "1", "1a", "01b", "2", "9a", "10", "100", "A", "a", "A0", "a1b",
            "a01c", "a2", "a2b", "a10", "a10B", "B", "File", "file-2", "file1", "file2", "file10", "File11", "file100",
            "z", "é", "漢",
        ]
        #expect(expected.shuffled().sorted(by: NaturalOrder.precedes) == expected)
        for (place, left) in expected.enumerated() {
            for (other, right) in expected.enumerated() {
                #expect(NaturalOrder.precedes(left, right) == (place < other), "\(left) and \(right)")
                #expect(NaturalOrder.precedes(FilePath(left), FilePath(right)) == (place < other))
            }
        }
    }
}
