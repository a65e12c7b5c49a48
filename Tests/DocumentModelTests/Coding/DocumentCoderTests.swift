import DocumentModel
import Foundation
import Testing

/// What the coders do beyond what Foundation's do.
@Suite("Document coders")
struct DocumentCoderTests {
    struct Poem: Codable, Equatable {
        var author: String
        var lines: [String]
        var rating: Int?
    }

    @Test("a value goes into a document and comes back")
    func roundTrip() throws {
        let poem = Poem(author: "Anonymous", lines: ["One", "Two"], rating: 3)
        let document = try DocumentEncoder().encode(poem)
        #expect(
            JSONWriter().string(document.root) == #"{"author":"Anonymous","lines":["One","Two"],"rating":3}"#)
        #expect(try DocumentDecoder().decode(Poem.self, from: document.root) == poem)
    }

    @Test("a type that is known only when the program runs can be decoded")
    func existentialType() throws {
        let type: any Decodable.Type = [Int].self
        let value = try DocumentDecoder().decode(type, from: Document(json: "[1, 2]").root)
        #expect(value as? [Int] == [1, 2])
    }

    @Test("any value inside a document can be decoded, and coding paths begin there")
    func insideDocument() throws {
        let document = try Document(json: #"{"pages": [{"n": 1}, {"n": "x"}]}"#)
        let pages = try #require(document.root["pages"])
        let error = #expect(throws: DecodingError.self) {
            try DocumentDecoder().decode([[String: Int]].self, from: pages)
        }
        guard case .typeMismatch(_, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(DocumentPath(codingPath: context.codingPath).description == "$[1].n")
    }
}
