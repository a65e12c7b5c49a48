import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Reasons of failures")
struct ReasonTests {
    private enum Rating: String, Codable, CaseIterable { case love, meh, hate }

    private struct Review: VersionedCodable {
        var rating: Rating
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a value that an enum does not have is reported with the type and its values")
    func noCase() throws {
        let failure = try MigrationChain(Review.self).check(json: #"{"version": 1, "rating": "lve"}"#).failure
        let found = FoundValue(kind: "string", text: "\"lve\"")
        #expect(
            failure?.reason
                == .field(
                    path: path("$.rating"),
                    problem: .noCase(type: "Rating", found: found, cases: ["love", "meh", "hate"])))
        #expect(failure?.kind == .dataCorrupted)
        #expect(failure?.culprit == .init(path: path("$.rating"), certain: true))
    }

    private struct Meeting: VersionedCodable {
        var at: Date
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test(
        "a date with the wrong strategy is reported with the format it looks like",
        arguments: [
            ("\"2024-01-31T12:00:00Z\"", DateForm?.some(.iso8601)), ("\"tomorrow\"", nil),
            ("\"2024-01-31\"", .day), ("\"2024-01-31T12:00:00\"", .local), ("\"2024-13-01\"", nil),
            ("\"2024-01-31x\"", nil),
        ])
    func textForDate(value: String, form: DateForm?) throws {
        let failure = try MigrationChain(Meeting.self).check(json: "{\"version\": 1, \"at\": \(value)}").failure
        let found = FoundValue(kind: "string", text: value)
        #expect(
            failure?.reason
                == .field(path: path("$.at"), problem: .wrongDate(found: found, form: form, reads: .secondsSince2001)))
    }

    @Test(
        "a number in place of a date string is reported with the format it looks like",
        arguments: [
            ("1706702400", DateForm.secondsSince1970), ("1706702400000", .millisecondsSince1970),
            ("728395200", .secondsSince2001),
        ])
    func numberForDate(value: String, form: DateForm) throws {
        let chain = MigrationChain(Meeting.self, decoding: DecodingStrategies(dates: .iso8601))
        let failure = try chain.check(json: "{\"version\": 1, \"at\": \(value)}").failure
        let found = FoundValue(kind: "number", text: value)
        #expect(
            failure?.reason
                == .field(path: path("$.at"), problem: .wrongDate(found: found, form: form, reads: .iso8601)))
    }

    private struct Note: VersionedCodable {
        var lines: [String]
        static let version: Int? = 2
        typealias PreviousVersion = NoteV1
        init(from old: NoteV1) throws { lines = [old.text] }
    }

    private struct NoteV1: VersionedCodable {
        var text: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a document that states one version and has the fields of another gets a warning")
    func fitsOther() throws {
        let result = try MigrationChain(Note.self).check(json: #"{"version": 1, "lines": []}"#)
        #expect(result.failure?.reason == .field(path: path("$.text"), problem: .missingKey))
        #expect(result.warnings == [.fitsOtherVersion(claimed: .number(1), fitting: .number(2))])
        let other = try MigrationChain(Note.self).check(json: #"{"version": 1, "lines": [], "more": 1}"#)
        #expect(other.warnings.isEmpty)
        // The claimed type read everything in the document, so nothing suggests another version.
        let cut = try MigrationChain(Note.self).check(json: #"{"version": 1}"#)
        #expect(cut.failure != nil && cut.warnings.isEmpty)
    }

    private struct Song: VersionedCodable {
        var title: String
        static let version: Int? = 1
        typealias PreviousVersion = UnversionedSong
        init(from old: UnversionedSong) throws { title = old.lines.first ?? "" }
    }

    private struct UnversionedSong: VersionedCodable {
        var lines: [String]
        static let version: Int? = nil
        typealias PreviousVersion = NothingEarlier
    }

    @Test("a document that states a version is not suspected to be from before there were versions")
    func fitsUnversioned() throws {
        let result = try MigrationChain(Song.self).check(json: #"{"version": 1, "lines": []}"#)
        #expect(result.failure?.path == path("$.title"))
        #expect(result.warnings.isEmpty)
    }

    /// A handwritten fallback, as most people write it.
    private struct User: Codable {
        var name: String
        var id: String

        private struct Old: Decodable { let name: String, email: String }
        private struct New: Decodable { let name: String, id: String }

        init(from decoder: any Decoder) throws {
            do {
                let new = try New(from: decoder)
                (name, id) = (new.name, new.id)
            } catch {
                let old = try Old(from: decoder)
                (name, id) = (old.name, old.email)
            }
        }
    }

    @Test("an attempt that a type caught is a warning, and a document that needed no second attempt has none")
    func caught() throws {
        let chain = MigrationChain(named: "User", shapes: ShapeVersions(User.self))
        let old = try chain.check(json: #"{"name": "Foo Bar", "email": "foobar@example.com"}"#)
        #expect(old.outcome == .current)
        #expect(old.warnings == [.caught(.field(path: path("$.id"), problem: .missingKey))])
        #expect(try chain.check(json: #"{"name": "Foo Bar", "id": "1"}"#).warnings.isEmpty)
    }

    /// Any JSON, which tries one kind of value after another.
    private indirect enum AnyJSON: Codable {
        case number(Double)
        case text(String)
        case list([AnyJSON])
        case object([String: AnyJSON])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let list = try? container.decode([AnyJSON].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: AnyJSON].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            case .object(let object): try container.encode(object)
            }
        }
    }

    @Test("the attempts of a type at a value and inside it are one warning")
    func caughtInside() throws {
        struct Notes: Codable { var body: AnyJSON, tail: AnyJSON }
        let chain = MigrationChain(named: "Notes", shapes: ShapeVersions(Notes.self))
        let result = try chain.check(json: #"{"body": {"a": ["x", {"b": "y"}]}, "tail": "z"}"#)
        guard case .caught(let first, let attempts)? = result.warnings.first, result.warnings.count == 2 else {
            Issue.record("\(result.warnings)")
            return
        }
        // Three kinds at the body, two at the list, one at the text, three at the object in the list, one at its text.
        #expect(first.path == path("$.body") && attempts == 10)
        let last = Reason.field(
            path: path("$.tail"),
            problem: .mismatch(expected: .value(type: "Double"), found: FoundValue(Document(text: "z").root)))
        #expect(result.warnings[1] == .caught(last))
    }

    private struct Jar: Versionable {
        var label: String
        var grams: Int
        var version: Version = Self.version

        enum Version: Int, VersionType {
            case v1 = 1
            case v2 = 2
        }

        static func migrate(to version: Version) -> Migration {
            switch version {
            case .v1: .none
            case .v2:
                .migrate { payload in
                    guard let ounces = payload.removeValue(forKey: "ounces") as? Double, ounces > 0 else {
                        throw VersionedDecodingError.fieldNoLongerValid(
                            .init(codingPath: [CodingKeys.grams], debugDescription: "A jar weighs more than nothing"))
                    }
                    payload["grams"] = Int(ounces * 28.35)
                }
            }
        }
    }

    @Test("the only field that a closure touched is the likely culprit if the error names a field of the new shape")
    func touched() throws {
        let json = #"{"version": 1, "label": "plums", "ounces": -3}"#
        for failure in [
            try MigrationChain(Jar.self).check(json: json).failure,
            try MigrationChain(Jar.self).trace(json: json).failure,
        ] {
            #expect(failure?.kind == .fieldNoLongerValid)
            #expect(failure?.path == path("$.grams"))
            #expect(failure?.culprit == .init(path: path("$.ounces"), certain: false))
            #expect(failure?.location?.column == 44)
        }
    }

    /// A member of a club. Members fall back, and the club, which falls back too, consists of them.
    private struct Person: Codable, FallbackDecodable {
        var id: String
        private struct New: Decodable { let id: String }
        private struct Old: Decodable { let email: String }

        static let shapes = [
            FallbackShape(New.self) { Person(id: $0.id) },
            FallbackShape(Old.self) {
                guard $0.email.contains("@") else {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(codingPath: [Key.email], debugDescription: "'\($0.email)' is no address"))
                }
                return Person(id: $0.email)
            },
        ]

        enum Key: CodingKey { case email }
    }

    private struct Club: Codable, FallbackDecodable {
        var members: [Person]
        private struct New: Decodable { let members: [Person] }
        private struct Old: Decodable { let chair: Person }

        static let shapes = [
            FallbackShape(New.self) { Club(members: $0.members) },
            FallbackShape(Old.self) { Club(members: [$0.chair]) },
        ]
    }

    @Test("an error thrown while making a value from a shape is the failure of the step from that shape")
    func refused() throws {
        let chain = MigrationChain(fallback: Person.self)
        let failure = try #require(try chain.trace(json: #"{"email": "nobody"}"#).failure)
        #expect(failure.kind == .fieldNoLongerValid)
        #expect(failure.step == .init(from: .number(1), to: .number(2)))
        #expect(failure.culprit == .init(path: path("$.email"), certain: false))
        #expect(failure.location?.column == 11)
        #expect(try chain.check(json: #"{"email": "nobody"}"#).failure == failure)
    }

    @Test("a fallback inside a fallback keeps its path and its location")
    func nested() throws {
        let json = #"{"members": [{"email": 5}]}"#
        let failure = try #require(try MigrationChain(fallback: Club.self).trace(json: json).failure)
        #expect(failure.path == path("$.members[0].email"))
        #expect(failure.culprit?.path == path("$.members[0].email"))
        #expect(failure.location?.column == 24)
    }

    @Test("a document is recognized as of the same chain in any order of the chains")
    func orders() throws {
        let chains = [
            MigrationChain(Note.self), MigrationChain(Review.self), MigrationChain(Meeting.self),
            MigrationChain(Jar.self),
        ]
        let documents = [
            #"{"version": 1, "text": "x"}"#, #"{"version": 1, "rating": "love"}"#, #"{"version": 1, "at": 3}"#,
            #"{"version": 1, "text": "x", "rating": "love"}"#, #"{"version": 1}"#, #"{"version": 2, "lines": 3}"#,
            #"{"version": 1, "ounces": 3, "label": "a"}"#, #"{"lines": []}"#, "[]",
        ]
        for json in documents {
            let document = try Document(json: json)
            let names = (0..<chains.count).map { start in
                let turned = Array(chains[start...] + chains[..<start])
                return [turned, turned.reversed()].map { $0.recognize(document).chain?.name }
            }
            #expect(Set(names.joined()).count == 1, "\(json): \(names)")
        }
    }

    private func path(_ text: String) -> DocumentPath { DocumentPath(text) ?? .root }
}
