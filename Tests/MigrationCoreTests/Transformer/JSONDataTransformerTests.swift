import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Transformers between values and stored data")
struct JSONDataTransformerTests {
    // MARK: - Unversioned values

    private struct Metadata: Codable, Equatable {
        var active: Bool
        var createdAt: Date?
        var tags: [String]
        var shelf: String

        init(active: Bool, createdAt: Date? = nil, tags: [String] = [], shelf: String = "A") {
            self.active = active
            self.createdAt = createdAt
            self.tags = tags
            self.shelf = shelf
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            active = try container.decode(Bool.self, forKey: .active)
            createdAt = try container.decode(Date?.self, forKey: .createdAt, default: nil)
            tags = try container.decode(forKey: .tags, default: ["none"])
            shelf = try container.decode(String.self, forKey: .shelf, default: "A1", nullIsDefault: true)
        }
    }

    private let transformer = JSONDataTransformer<Metadata>()

    private func value(_ json: String) throws -> Metadata { try transformer.value(from: Data(json.utf8)) }

    @Test("a transformer converts a value both ways")
    func roundTrip() throws {
        let value = Metadata(active: true, createdAt: Date(timeIntervalSinceReferenceDate: 123456.75), tags: ["x"])
        #expect(try transformer.value(from: transformer.data(from: value)) == value)
    }

    @Test("data from before a field existed is read with the field's default")
    func defaults() throws {
        #expect(try value(#"{"active":true}"#) == Metadata(active: true, tags: ["none"], shelf: "A1"))
        #expect(try value(#"{"active":true,"shelf":null,"createdAt":null}"#).shelf == "A1")
    }

    @Test(
        "a default never replaces an invalid value",
        arguments: [
            #"{"active":true,"tags":"x"}"#, #"{"active":true,"tags":null}"#, #"{"active":true,"shelf":7}"#,
            #"{"active":true,"createdAt":"today"}"#, #"{"active":"yes"}"#, #"{}"#, #"{"active":tr"#, "",
        ])
    func wrong(json: String) {
        #expect(throws: DecodingError.self) { try value(json) }
    }

    @Test("a default is not evaluated unless it is needed")
    func lazyDefault() throws {
        struct Unwanted: Error {}
        struct Field: Decodable {
            enum CodingKeys: String, CodingKey { case a }
            let a: Int
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                a = try container.decode(Int.self, forKey: .a, default: { throw Unwanted() }())
            }
        }
        #expect(try JSONDecoder().decode(Field.self, from: Data(#"{"a":1}"#.utf8)).a == 1)
        #expect(throws: Unwanted.self) { try JSONDecoder().decode(Field.self, from: Data("{}".utf8)) }
    }

    @Test("an empty cell has no value, and broken data is an error")
    func emptyCells() throws {
        #expect(try transformer.valueIfPresent(from: nil) == nil)
        #expect(try transformer.valueIfPresent(from: Data()) == nil)
        #expect(try transformer.valueIfPresent(from: Data(#"{"active":false}"#.utf8))?.active == false)
        #expect(throws: DecodingError.self) { try transformer.valueIfPresent(from: Data("{".utf8)) }
    }

    @Test("a value that cannot be encoded throws an error")
    func encodingErrors() {
        #expect(throws: EncodingError.self) { try JSONDataTransformer<Double>().data(from: .infinity) }
    }

    @Test("a transformer uses the app's own strategies")
    func strategies() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let transformer = JSONDataTransformer<[Date]>(encoder: encoder, decoder: decoder)
        let dates = [Date(timeIntervalSince1970: 0)]
        #expect(try String(decoding: transformer.data(from: dates), as: UTF8.self) == #"["1970-01-01T00:00:00Z"]"#)
        #expect(try transformer.value(from: transformer.data(from: dates)) == dates)
    }

    // MARK: - Versions

    private struct BookV1: VersionedCodable {
        static let version: Int? = nil
        typealias PreviousVersion = NothingEarlier
        var active: Bool
    }

    private struct Book: VersionedCodable, Equatable {
        static let version: Int? = 2
        typealias PreviousVersion = BookV1
        var active: Bool
        var shelf: String

        init(active: Bool, shelf: String) {
            self.active = active
            self.shelf = shelf
        }

        init(from old: BookV1) throws {
            guard old.active else {
                throw VersionedDecodingError.fieldNoLongerValid(.init(codingPath: [], debugDescription: "inactive"))
            }
            self.init(active: old.active, shelf: "none")
        }
    }

    @Test("a versioned value is written with its version, and older data migrates, even in generic code")
    func versions() throws {
        func carry<Value: Codable>(_ value: Value) throws -> (Data, Value) {
            let transformer = JSONDataTransformer<Value>()
            let data = try transformer.data(from: value)
            return (data, try transformer.value(from: data))
        }
        let book = Book(active: true, shelf: "B2")
        let (data, copy) = try carry(book)
        #expect(copy == book)
        #expect(String(decoding: data, as: UTF8.self).contains(#""version":2"#))
        let old = try JSONDataTransformer<Book>().value(from: Data(#"{"active":true}"#.utf8))
        #expect(old == Book(active: true, shelf: "none"))
    }

    @Test("a payload value is read through its closures, even in generic code")
    func payloads() throws {
        func value<Value: Codable>(_: Value.Type, _ json: String) throws -> Value {
            try JSONDataTransformer<Value>().value(from: Data(json.utf8))
        }
        let json = #"{"name": "Ada", "kilograms": 12.5, "version": 1}"#
        let expected = Suitcase(owner: "Ada", grams: 12500, tags: [:])
        #expect(try value(Suitcase.self, json) == expected)
        let transformer = JSONDataTransformer<Suitcase>()
        #expect(try transformer.value(from: Data(json.utf8)) == expected)
        #expect(try transformer.value(from: transformer.data(from: expected)) == expected)
    }

    @Test("data of older shapes is read, and the newest shape is written")
    func shapes() throws {
        struct TagsV1: Codable { var tags: String }
        struct Tags: Codable, Equatable { var names: [String] }
        let transformer = JSONDataTransformer(
            shapes: ShapeVersions(TagsV1.self).then(Tags.self) {
                guard !$0.tags.isEmpty else {
                    throw VersionedDecodingError.fieldNoLongerValid(.init(codingPath: [], debugDescription: "no tags"))
                }
                return Tags(names: $0.tags.split(separator: " ").map(String.init))
            })
        #expect(try transformer.value(from: Data(#"{"tags":"a b"}"#.utf8)) == Tags(names: ["a", "b"]))
        #expect(try transformer.value(from: Data(#"{"names":["c"]}"#.utf8)) == Tags(names: ["c"]))
        #expect(try transformer.data(from: Tags(names: ["c"])) == Data(#"{"names":["c"]}"#.utf8))
        #expect(throws: VersionedDecodingError.self) { try transformer.value(from: Data(#"{"tags":""}"#.utf8)) }
        for broken in ["{}", "{"] {
            #expect(throws: DecodingError.self) { try transformer.value(from: Data(broken.utf8)) }
        }
        // The error is that of the shape that reads most of the data.
        let error = #expect(throws: DecodingError.self) { try transformer.value(from: Data(#"{"tags":7}"#.utf8)) }
        guard case .dataCorrupted(let context)? = error, case .typeMismatch? = context.underlyingError as? DecodingError
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        let found = FoundValue(kind: "number", text: "7")
        let reason = Reason.field(
            path: DocumentPath([.key("tags")]), problem: .mismatch(expected: .value(type: "String"), found: found))
        let attempts = [ShapeFailure(type: "TagsV1", reason: reason)]
        #expect(context.debugDescription == "\(Reason.noShapeFits(attempts: attempts, nearest: 0))")
    }

    @Test("the error of a step is thrown, and so is one that no version fits")
    func versionErrors() {
        let transformer = JSONDataTransformer<Book>()
        #expect(throws: VersionedDecodingError.self) { try transformer.value(from: Data(#"{"active":false}"#.utf8)) }
        #expect(throws: VersionedDecodingError.self) { try transformer.value(from: Data(#"{"version":9}"#.utf8)) }
    }

    @Test("a field with a default counts as optional in a chain of its type")
    func recognition() throws {
        struct Note: VersionedCodable {
            static let version: Int? = nil
            typealias PreviousVersion = NothingEarlier
            var text: String
            var color: String
            enum CodingKeys: String, CodingKey { case text, color }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                text = try container.decode(String.self, forKey: .text)
                color = try container.decode(forKey: .color, default: "yellow")
            }
        }
        let chain = MigrationChain(Note.self)
        let document = try Document(json: #"{"text":"x"}"#)
        #expect([chain].recognize(document).chain?.name == chain.name)
        #expect(chain.check(document, source: "x").outcome == .current)
    }
}
