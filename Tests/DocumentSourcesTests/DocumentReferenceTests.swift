import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("The name of a document")
struct DocumentReferenceTests {
    private func resolved(_ name: String) -> DocumentReference { GivenName(FilePath(name)).document }

    @Test("is read back as what it named")
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

    @Test("means a file of exactly that name before a part of one")
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

    @Test("is another where it is only equivalent")
    func equivalentNames() throws {
        let folder = try TemporaryFolder()
        let paths = ["caf\u{e9}.json", "cafe\u{301}.json"].map(folder.path)
        for (number, path) in paths.enumerated() { try Data("\(number)".utf8).write(to: URL(filePath: path)) }
        #expect(Set(paths.map(resolved)).count == 2)
        #expect(try paths.map { try resolved($0).read().data } == [Data("0".utf8), Data("1".utf8)])
    }

    @Test("comes in the natural order")
    func naturalOrder() {
        let names = [
            "", "0", "00", "1", "01", "2", "10", "a", "A1", "a1b", "a01c", "a2", "a10", "B", "é", "file-2", "file2",
        ]
        #expect(names.shuffled().sorted(by: NaturalOrder.precedes) == names.sorted(by: NaturalOrder.precedes))
        let expected = ["file2", "file10", "File11", "file100"]
        #expect(expected.shuffled().sorted(by: NaturalOrder.precedes) == expected)
        for (left, right) in zip(expected, expected.dropFirst()) {
            #expect(NaturalOrder.precedes(left, right) && !NaturalOrder.precedes(right, left))
        }
    }
}
