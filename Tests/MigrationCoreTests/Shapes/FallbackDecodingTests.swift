import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Types that fall back by themselves")
struct FallbackDecodingTests {
    static let documents = [
        #"{"name": "Ada", "id": "ada"}"#, #"{"name": "Ada", "email": "a@b.c"}"#,
        #"{"first": "Ada", "last": "King", "email": "a@b.c"}"#, #"{"name": "Ada", "id": "ada", "email": "a@b.c"}"#,
        #"{"name": "Ada"}"#, #"{"name": 1, "id": 2}"#, #"{"first": null}"#, "[]", "null", "{}", "1",
    ]

    /// The result of decoding, in words that do not depend on which of the two types was decoded.
    private func outcome(_ decode: () throws -> [String]) -> String {
        do { return "\(try decode())" } catch { return "\(error)".replacing("Handmade", with: "") }
    }

    @Test(
        "a fallback decodes with any decoder to the same values and errors as a handwritten one", arguments: documents)
    func sameAsByHand(json: String) throws {
        let data = Data(#"{"members": [\#(json)], "byRole": {"x": \#(json)}}"#.utf8)
        let document = try Document(parsing: SourceBytes(data))
        let byHand = outcome {
            try JSONDecoder().decode(Club<HandmadeMember>.self, from: data).members?.map { $0.name + $0.id } ?? []
        }
        let byFoundation = outcome {
            try JSONDecoder().decode(Club<Member>.self, from: data).members?.map { $0.name + $0.id } ?? []
        }
        let byDocument = outcome {
            try DocumentDecoder().decode(Club<Member>.self, from: document.root).members?.map { $0.name + $0.id } ?? []
        }
        #expect(byFoundation == byHand)
        #expect(byDocument == byHand)
    }

    @Test("the fields counted as read are those of the shape that fits, and no others")
    func reads() throws {
        let record = ReadRecord()
        let json =
            #"{"members": [{"name": "Ada", "email": "a@b.c", "mood": 1}, {"name": "Bob", "id": "b", "email": "x"}]}"#
        let document = try Document(json: json)
        _ = try DocumentDecoder().decode(Club<Member>.self, from: document.root, recording: record)
        #expect(
            record.droppedPaths(in: document.root).map(\.description) == ["$.members[0].mood", "$.members[1].email"])

        // The oldest shape reads `first` before it finds that a field is missing, but no value is made from it.
        let other = try Document(json: #"{"first": "A", "name": "Ada", "id": "b"}"#)
        let otherRecord = ReadRecord()
        _ = try DocumentDecoder().decode(Member.self, from: other.root, recording: otherRecord)
        #expect(otherRecord.droppedPaths(in: other.root).map(\.description) == ["$.first"])
    }

    @Test("an older shape may be something other than an object, and may refuse a value")
    func otherShapes() throws {
        #expect(
            try JSONDecoder().decode([Ticket].self, from: Data("[7, {\"number\": 8}]".utf8)).map(\.number) == [7, 8])
        #expect(throws: VersionedDecodingError.self) { try JSONDecoder().decode(Ticket.self, from: Data("-7".utf8)) }
    }

    @Test("a fallback needs at least one shape")
    func noShapes() {
        struct Shapeless: FallbackDecodable { static var shapes: [FallbackShape<Shapeless>] { [] } }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Shapeless.self, from: Data("{}".utf8)) }
    }
}
