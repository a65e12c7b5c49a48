import Foundation
import MigrationCore
import Testing

struct BookMetadata: Codable {
    var active: Bool
    var createdAt: Date?
    var tags: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        active = try container.decode(Bool.self, forKey: .active)
        createdAt = try container.decodeIfPresent(Date.self, forKey: .createdAt)
        tags = try container.decode([String].self, forKey: .tags, default: [])
    }
}

private let books = MigrationChain(named: "Book metadata", shapes: ShapeVersions(BookMetadata.self))

@Suite("The README's examples of JSON in a store")
struct BookMetadataTests {
    private struct Row { var meta: Data }

    @Test("a data transformer reads and writes the data of a row")
    func transformer() throws {
        var row = Row(meta: Data(#"{"active":true}"#.utf8))
        let metadata = JSONDataTransformer<BookMetadata>()
        let value = try metadata.value(from: row.meta)
        row.meta = try metadata.data(from: value)
        #expect(String(decoding: row.meta, as: UTF8.self).contains(#""tags":[]"#))
    }

    @Test("a chain of one shape reports fields that are no longer read")
    func chain() {
        let result = books.check(Data(#"{"active":true,"shelf":"B2"}"#.utf8), source: "a.json")
        #expect(result.outcome == .current && result.dropped.map(\.description) == ["$.shelf"])
    }

    @Test("a wrong value is not replaced by a default")
    func wrong() {
        #expect(throws: DecodingError.self) {
            try JSONDataTransformer<BookMetadata>().value(from: Data(#"{"active":true,"tags":"none"}"#.utf8))
        }
    }
}
