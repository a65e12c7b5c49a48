import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Explaining a failure")
struct FailureTests {
    private let chain = MigrationChain(Recipe.self)

    private func failure(_ json: String) throws -> MigrationFailure {
        try #require(try chain.check(json: json).failure)
    }

    /// The text that begins at a failure's location.
    private func text(at location: DocumentModel.SourceLocation?, in json: String) throws -> Substring {
        let location = try #require(location)
        return Substring(json.utf8.dropFirst(location.offset))
    }

    // MARK: - The app's own errors

    @Test("an app's own error is described in its own words, if it has any")
    func ownErrors() {
        struct Told: LocalizedError {
            var errorDescription: String?
            let code = 7
        }
        struct Named: Error, CustomStringConvertible { let description = "named" }
        let told = "a told error"
        #expect(Reason(Told(errorDescription: told)) == .thrown(message: told))
        #expect(Reason(Told()) == .thrown(message: "Told(errorDescription: nil, code: 7)"))
        #expect(Reason(Named()) == .thrown(message: "named"))
        let system = NSError(domain: "Album", code: 4, userInfo: [NSLocalizedDescriptionKey: "no such picture"])
        #expect(Reason(system) == .thrown(message: "no such picture"))
    }

    // MARK: - The first decoding

    @Test("a missing key is named at the end of the path, and the location is that of the container")
    func keyNotFound() throws {
        let json = #"{"version": 4, "title": "x", "serves": 1, "ingredients": [{"name": "a"}, {"grams": 1}]}"#
        let failure = try failure(json)
        #expect(failure.kind == .keyNotFound)
        #expect(failure.step == nil)
        #expect(failure.path == .of("$.ingredients[1].name"))
        #expect(failure.culprit == nil)
        #expect(try text(at: failure.location, in: json) == #"{"grams": 1}]}"#)
    }

    @Test("a missing key has a likely culprit if the document has a similar key")
    func misspelling() throws {
        let json = #"{"version": 4, "tilte": "x", "serves": 1, "ingredients": []}"#
        let failure = try failure(json)
        #expect(failure.path == .of("$.title"))
        #expect(failure.culprit == .init(path: DocumentPath([.key("tilte")]), certain: false))
        #expect(try text(at: failure.location, in: json).hasPrefix(#""x""#))
    }

    @Test("a field that was read is not taken for a misspelling of another")
    func readFields() throws {
        struct Pair: VersionedCodable {
            var name: String
            var names: String
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        let failure = try MigrationChain(Pair.self).check(json: #"{"version": 1, "name": "x"}"#).failure
        #expect(failure?.path == .of("$.names"))
        #expect(failure?.culprit == nil)
    }

    @Test("a wrong type is certain, and the location is that of the value")
    func typeMismatch() throws {
        let json = #"{"version": 4, "title": "x", "serves": 1, "ingredients": [{"name": "a"}, {"name": 5}]}"#
        let failure = try failure(json)
        #expect(failure.kind == .typeMismatch)
        #expect(failure.path == .of("$.ingredients[1].name"))
        #expect(failure.culprit?.certain == true)
        guard case .field(_, .mismatch(.value("String"), let found?)) = failure.reason else {
            Issue.record("\(failure.reason)")
            return
        }
        #expect(found == FoundValue(kind: "number", text: "5"))
        #expect(try text(at: failure.location, in: json) == "5}]}")
    }

    @Test("a null in place of a required value is certain, and the location is that of the null")
    func valueNotFound() throws {
        let json = #"{"version": 4, "title": null, "serves": 1, "ingredients": []}"#
        let failure = try failure(json)
        #expect(failure.kind == .valueNotFound)
        #expect(failure.culprit == .init(path: DocumentPath([.key("title")]), certain: true))
        #expect(try text(at: failure.location, in: json).hasPrefix("null"))
    }

    @Test("a number that does not fit is found, although Foundation blames the whole document")
    func dataCorrupted() throws {
        let json = #"{"version": 4, "title": "x", "serves": 1.5, "ingredients": []}"#
        let failure = try failure(json)
        #expect(failure.kind == .dataCorrupted)
        #expect(failure.path == .of("$.serves"))
        #expect(try text(at: failure.location, in: json).hasPrefix("1.5"))
    }

    @Test("a version of a million digits is not quoted in full")
    func longVersion() throws {
        let digits = String(repeating: "1", count: 1_000_000)
        let result = try MigrationChain(Recipe.self).check(json: #"{"version": \#(digits)}"#)
        guard
            case .unsupportedVersion(_, _, _, _, .field(_, .unrepresentable(let number, "Int"))?) = result.failure?
                .reason
        else {
            Issue.record("\(String(describing: result.failure?.reason))")
            return
        }
        #expect(number == "\(digits.prefix(60))…")
        #expect(try JSONEncoder().encode(result).count < 2000)
        let written = #expect(throws: PropertyListWritingError.self) {
            try PropertyListWriter.xml.data(Document(parsing: SourceBytes(Data(digits.utf8))).root)
        }
        #expect(written.map { "\($0)".count < 200 } == true)
    }

    @Test("a type's own error while decoding is reported as thrown, with its message")
    func thrownWhileDecoding() throws {
        struct Fussy: VersionedCodable {
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
            init(from decoder: any Decoder) throws { throw RecipeError.noNumber(field: "x", text: "y") }
            func encode(to encoder: any Encoder) throws {}
        }
        let failure = try MigrationChain(Fussy.self).check(json: #"{"version": 1}"#).failure
        #expect(failure?.kind == .thrown)
        #expect(failure?.step == nil)
        #expect(failure?.path == nil)
        #expect(failure?.message == "x is 'y', which is no number")
        #expect(failure?.location == nil)
    }

    @Test("an error about the whole document that names no field has no culprit")
    func wholeDocument() throws {
        struct Checked: VersionedCodable {
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
            init(from decoder: any Decoder) throws {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The sum is wrong"))
            }
            func encode(to encoder: any Encoder) throws {}
        }
        let failure = try #require(try MigrationChain(Checked.self).check(json: #" {"version": 1}"#).failure)
        #expect(failure.path == .of("$"))
        #expect(failure.culprit == nil)
        #expect(failure.location == SourceLocation(line: 1, column: 2, offset: 1))
    }

    @Test("the error names a field as the type does, and the culprit as the document does, if there is a key strategy")
    func keyStrategy() throws {
        struct Walk: VersionedCodable {
            var stepCount: Int
            var dayOfWeek: String
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        let chain = MigrationChain(Walk.self, decoding: DecodingStrategies(keys: .convertFromSnakeCase))
        let mismatch = try chain.check(json: #"{"version": 1, "step_count": "many"}"#).failure
        #expect(mismatch?.path == .of("$.stepCount"))
        #expect(mismatch?.culprit == .init(path: DocumentPath([.key("step_count")]), certain: true))
        #expect(mismatch?.location?.offset == 29)
        let missing = try chain.check(json: #"{"version": 1, "step_count": 1, "day_of_wek": "Monday"}"#).failure
        #expect(missing?.culprit == .init(path: DocumentPath([.key("day_of_wek")]), certain: false))
    }

    // MARK: - Steps

    @Test("a field that the error names and that the old shape has is its culprit, and likely")
    func namedField() throws {
        let json = #"{"version": 3, "title": "x", "servings": 1, "ingredients": ["a", ""]}"#
        let failure = try failure(json)
        #expect(failure.kind == .fieldNoLongerValid)
        #expect(failure.step == .init(from: .number(3), to: .number(4)))
        #expect(failure.path == .of("$.ingredients[1]"))
        #expect(failure.culprit == .init(path: DocumentPath([.key("ingredients"), .index(1)]), certain: false))
        #expect(try text(at: failure.location, in: json) == #"""]}"#)
    }

    @Test("a field that the error names as in the new shape has a likely culprit in the old one")
    func renamedField() throws {
        let json = #"{"version": 1, "name": "x", "portions": "many", "ingredients": []}"#
        let failure = try failure(json)
        #expect(failure.kind == .thrown)
        #expect(failure.step == .init(from: .number(1), to: .number(2)))
        #expect(failure.message == "portions is 'many', which is no number")
        #expect(failure.culprit == .init(path: DocumentPath([.key("portions")]), certain: false))
        #expect(try text(at: failure.location, in: json).hasPrefix(#""many""#))
    }

    @Test("the version is not the culprit of an error whose message has its number")
    func versionInMessage() throws {
        struct Poem: VersionedCodable {
            var lines: [String]
            static let version: Int? = 2
            typealias PreviousVersion = Older

            init(from old: Older) throws { throw TooShort() }

            struct Older: VersionedCodable {
                var lines: [String]
                static let version: Int? = 1
                typealias PreviousVersion = NothingEarlier
            }

            struct TooShort: Error, CustomStringConvertible {
                let description = "needs at least 1 line"
            }
        }
        let failure = try #require(
            try MigrationChain(Poem.self).check(json: #"{"version": 1, "lines": []}"#).failure)
        #expect(failure.message == "needs at least 1 line")
        #expect(failure.culprit?.path != .of("$.version"))
    }

    @Test("a failure in a later step is located at the source field that its value came from")
    func laterStep() throws {
        // In version 2 the empty ingredient is third, after the heading; in version 3 it is second.
        let json = #"{"version": 1, "name": "x", "portions": "2", "ingredients": ["a", "", "c"]}"#
        let failure = try failure(json)
        #expect(failure.step == .init(from: .number(3), to: .number(4)))
        #expect(failure.culprit?.path == .of("$.ingredients[1]"))
        #expect(try text(at: failure.location, in: json) == #""", "c"]}"#)
    }

    @Test("a value is traced back through elements that a step removed")
    func shiftedElements() throws {
        let json = #"{"version": 2, "title": "x", "servings": 2, "ingredients": ["Ingredients:", "a", ""]}"#
        let failure = try failure(json)
        #expect(failure.culprit?.path == .of("$.ingredients[1]"))
        #expect(try text(at: failure.location, in: json) == #"""]}"#)
    }

    @Test("a value that an earlier step made from a field of a similar name is located at that field")
    func wayBackByName() throws {
        struct Old: VersionedCodable {
            var starRating: String
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        struct Middle: VersionedCodable {
            var rating: Int
            static let version: Int? = 2
            typealias PreviousVersion = Old
            init(from old: Old) { rating = old.starRating.count }
        }
        struct New: VersionedCodable {
            static let version: Int? = 3
            typealias PreviousVersion = Middle
            init(from old: Middle) throws {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [PathCodingKey("rating")], debugDescription: "Too good"))
            }
        }
        let json = #"{"version": 1, "starRating": "*****"}"#
        let failure = try #require(try MigrationChain(New.self).check(json: json).failure)
        #expect(failure.culprit == .init(path: DocumentPath([.key("rating")]), certain: false))
        #expect(try text(at: failure.location, in: json) == #""*****"}"#)
    }

    @Test("a DecodingError thrown by a step is reported by its kind")
    func decodingErrorInStep() throws {
        struct Old: VersionedCodable {
            var json: String
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        struct New: VersionedCodable {
            static let version: Int? = 2
            typealias PreviousVersion = Old
            init(from old: Old) throws { _ = try JSONDecoder().decode([String].self, from: Data(old.json.utf8)) }
        }
        let chain = MigrationChain(New.self)
        #expect(try chain.check(json: #"{"version": 1, "json": "[1]"}"#).failure?.kind == .typeMismatch)
        #expect(try chain.check(json: #"{"version": 1, "json": "[null]"}"#).failure?.kind == .valueNotFound)
        #expect(try chain.check(json: #"{"version": 1, "json": "["}"#).failure?.kind == .dataCorrupted)
    }

    @Test(
        "a field that no version reads is not the culprit of a step, even if the message names it and quotes its value")
    func unreadField() throws {
        struct Old: VersionedCodable {
            var starRating: Int
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        struct New: VersionedCodable {
            static let version: Int? = 2
            typealias PreviousVersion = Old
            init(from old: Old) throws {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [PathCodingKey("rating")], debugDescription: "rating 9 is no longer valid"))
            }
        }
        let chain = MigrationChain(New.self)
        let named = try chain.check(json: #"{"version": 1, "rating": 9, "starRating": 9}"#)
        #expect(named.failure?.culprit?.path == .of("$.starRating"))
        #expect(named.failure?.culprit?.certain == false)
        let quoted = try chain.check(json: #"{"version": 1, "ratings": 9, "starRating": 9}"#)
        #expect(quoted.failure?.culprit?.path == .of("$.starRating"))
        #expect(quoted.dropped == [try #require(.of("$.ratings"))])
    }

    @Test("an unsupported version that a step encounters names the versions that its chain tried")
    func unsupportedInStep() throws {
        struct Old: VersionedCodable {
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        struct New: VersionedCodable {
            static let version: Int? = 2
            typealias PreviousVersion = Old
            init(from old: Old) throws { throw VersionedDecodingError.unsupportedVersion(tried: Parcel.self) }
        }
        let failure = try MigrationChain(New.self).check(json: #"{"version": 1}"#).failure
        #expect(failure?.kind == .unsupportedVersion)
        #expect(failure?.step == .init(from: .number(1), to: .number(2)))
        #expect(failure?.tried == [.number(2), .number(1)])
    }

    @Test("explaining a failure runs no decoder that the app would not run")
    func noProbing() throws {
        struct Old: VersionedCodable {
            var starRating: Int
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        struct New: VersionedCodable {
            static let version: Int? = 2
            typealias PreviousVersion = Old
            init(from old: Old) throws { throw RecipeError.noNumber(field: "star rating", text: "9") }
            init(from decoder: any Decoder) throws { Issue.record("the newer type was decoded") }
        }
        let failure = try MigrationChain(New.self).check(json: #"{"version": 1, "starRating": 9}"#).failure
        #expect(failure?.culprit?.path == .of("$.starRating"))
    }

    @Test("a document that fits no shape is explained by the shape that read most of it, without decoding placeholders")
    func nearestShape() throws {
        struct Sketch: Codable {
            var strokes: [Int]
        }
        struct Drawing: Codable {
            var title: String
            var width: Int

            init(title: String, width: Int) {
                self.title = title
                self.width = width
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                title = try container.decode(String.self, forKey: .title)
                width = try container.decode(Int.self, forKey: .width)
                Issue.record("a drawing was made that no document has")
            }
        }
        let shapes = ShapeVersions(Drawing.self).then(Sketch.self) { Sketch(strokes: [$0.width]) }
        let failure = try MigrationChain(named: "Sketch", shapes: shapes)
            .check(json: #"{"title": "x", "width": "wide"}"#).failure
        #expect(failure?.kind == .unsupportedVersion)
        #expect(failure?.path == .of("$.width"))
        #expect(failure?.culprit == .init(path: DocumentPath([.key("width")]), certain: false))
        #expect(failure?.tried == [.number(2), .number(1)])
    }
}
