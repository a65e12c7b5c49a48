import DocumentSources
import InspectorUI
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Names of documents in the list")
struct FoundDocumentTests {
    @Test(
        "a name is relative to the opened path",
        arguments: [
            ("demo/poems/a.json", "demo", "poems/", "a.json", "poems/a.json"),
            ("demo/poems/a.json", "demo/", "poems/", "a.json", "poems/a.json"),
            ("./poems/a.json", ".", "poems/", "a.json", "poems/a.json"),
            ("demo/a.json", "demo", "", "a.json", "a.json"),
            ("/etc/x/a.json", "/etc/x/a.json", "", "a.json", "a.json"),
            ("/etc/x/a.json", "", "/etc/x/", "a.json", "/etc/x/a.json"),
            ("demonstration/a.json", "demo", "demonstration/", "a.json", "demonstration/a.json"),
        ])
    func whole(file: String, folder: String, heading: String, name: String, title: String) {
        let found = FoundDocument(.init(0), GivenName(FilePath(file)).document, below: FilePath(folder))
        #expect(found == FoundDocument(id: .init(0), name: file, heading: heading, displayName: name, title: title))
    }

    @Test("a line and a cell have their file as their place")
    func parts() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "demo/poems/all.jsonl")
        try StoreWriter.make(folder.path("books.sqlite"), "CREATE TABLE BOOK (ID INTEGER PRIMARY KEY, META TEXT)")
        func found(_ name: String, below opened: String) -> FoundDocument {
            FoundDocument(
                .init(0), GivenName(FilePath(folder.path(name))).document, below: FilePath(folder.path(opened)))
        }
        let line = found("demo/poems/all.jsonl#L12", below: "demo")
        #expect(line.heading == "poems/all.jsonl")
        #expect(line.displayName == "line 12")
        #expect(line.title == "poems/all.jsonl#L12")
        let cell = found("books.sqlite#BOOK/3/META", below: "books.sqlite")
        #expect(cell.heading == "books.sqlite")
        #expect(cell.displayName == "BOOK/3/META")
        #expect(cell.title == "books.sqlite#BOOK/3/META")
    }

    @Test("standard input is named in words")
    func standardInput() {
        let found = FoundDocument(.init(0), GivenName("-").document, below: "-")
        #expect(found.name == "-" && found.heading.isEmpty && found.title == "standard input")
    }
}
