import DocumentModel
import Testing

@testable import MigrationCore

@Suite("Given versions")
struct GivenVersionTests {
    private struct Old: Codable { var name: String }
    private struct New: Codable { var name: String, age: Int }

    private static let shapes = MigrationChain(
        named: "Person", shapes: ShapeVersions(Old.self).then(New.self) { New(name: $0.name, age: 0) })

    @Test("a document is read as the given shape, even if another shape fits or none does")
    func shapes() throws {
        let document = try Document(json: #"{"name": "Ada", "age": 36}"#)
        let first = try #require(Self.shapes.reading(as: .number(1))).trace(document)
        #expect(first.steps.map(\.to) == [.number(2)] && first.result?.root["age"]?.numberText == "0")
        #expect(first.dropped == [DocumentPath([.key("age")])])
        let wrong = try Document(json: #"{"name": "Ada", "age": "many"}"#)
        let second = try #require(Self.shapes.reading(as: .number(2))).trace(wrong)
        #expect(second.failure?.kind == .typeMismatch && second.detection.version == .number(2))
        #expect(Self.shapes.reading(as: .number(3)) == nil)
    }

    private struct Pair: VersionPathSpec {
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        var major: Int, minor: Int
        var number: Int? { major * 100 + minor }
        init(withVersion version: Int?) { (major, minor) = ((version ?? 0) / 100, (version ?? 0) % 100) }
    }
    private struct Book: VersionedCodable {
        var title: String
        static let version: Int? = 405
        typealias PreviousVersion = NothingEarlier
        typealias VersionSpec = Pair
    }

    @Test("a chain knows the edits that state a version: two for a version in two fields, none for shapes")
    func statements() throws {
        let book = MigrationChain(Book.self)
        #expect(
            book.versionStatements == [
                [
                    .set(DocumentPath([.key("major")]), try Document(json: "4")),
                    .set(DocumentPath([.key("minor")]), try Document(json: "5")),
                ]
            ])
        #expect(Self.shapes.versionStatements == [[], []])
    }
}
