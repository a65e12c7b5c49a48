import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("The name of a document")
struct DocumentReferenceTests {
    @Test("is read back as what it named")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "a#b.sqlite")
        let parts: [DocumentReference.Part] = [
            .whole, .line(12), .cell(table: "BOOK", key: "3", column: "META"),
            .cell(table: "a/b#c%", key: "k/e#y/L1", column: "%2F/x"),
            .cell(table: "/\u{338}#\u{301}", key: "\u{301}", column: "\u{301}%\u{301}"),
        ]
        for part in parts {
            let reference = DocumentReference(file: path, part: part)
            #expect(DocumentReference(resolving: reference.name) == reference)
        }
        #expect(DocumentReference(resolving: "-") == .standardInput)
    }

    @Test("means a file of exactly that name before a part of one")
    func existingFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "x.jsonl")
        let exact = try folder.write("", to: "x.jsonl#L1")
        #expect(DocumentReference(resolving: exact) == DocumentReference(file: exact))
        #expect(DocumentReference(resolving: "\(exact)#L2") == DocumentReference(file: exact, part: .line(2)))
        for suffix in ["#L0", "#L02", "#L", "#M3", "#a/b", "#L-1"] {
            let name = folder.path("x.jsonl") + suffix
            #expect(DocumentReference(resolving: name) == DocumentReference(file: name))
        }
    }

    @Test("is short in a list")
    func displayName() {
        #expect(DocumentReference(file: "a/b/c.jsonl", part: .line(3)).displayName == "c.jsonl#L3")
        #expect(DocumentReference(file: "/").displayName == "/")
        #expect(DocumentReference.standardInput.displayName == "standard input")
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
