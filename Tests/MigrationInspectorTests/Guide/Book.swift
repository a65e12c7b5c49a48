import Foundation
import MigrationCore
import Testing

private struct BookV1: Codable {
    var active: Bool
}

private struct BookV2: Codable {
    var active: Bool
    var createdAt: Date?
}

private let books = MigrationChain(
    named: "Book",
    shapes: ShapeVersions(BookV1.self, forbidding: ["createdAt"])
        .then(BookV2.self, requiring: ["createdAt"]) { BookV2(active: $0.active, createdAt: nil) })

@Suite("The guide's example of two shapes that both fit")
struct BookTests {
    @Test(
        "the keys of a document distinguish two shapes that both fit",
        arguments: [(#"{"active":true}"#, 1), (#"{"active":true,"createdAt":null}"#, 2)])
    func shapes(text: String, version: Int) {
        let result = books.check(Data(text.utf8))
        #expect(result.version == .number(version) && result.failure == nil)
    }
}
