import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Chains whose decoder allows JSON5")
struct JSON5ChainTests {
    struct Note: VersionedCodable, Equatable {
        var title: String
        var weight: Double
        static let version: Int? = 2
        typealias PreviousVersion = NoteV1

        init(from old: NoteV1) throws {
            guard old.weight >= 0 else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.weight], debugDescription: "Nothing weighs \(old.weight)"))
            }
            (title, weight) = (old.name, old.weight)
        }
    }

    struct NoteV1: VersionedCodable {
        var name: String
        var weight: Double
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    struct Plain: VersionedCodable {
        var shape: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    static let chain = MigrationChain(Note.self, decoding: DecodingStrategies(allowsJSON5: true))
    static let old = "// a note\n{\n  version: 1,\n  name: 'Lear', // who\n  weight: +.5,\n}\n"

    @Test("a JSON5 document opens, is traced and migrates, and the result is JSON in the same layout")
    func migrates() throws {
        let trace = Self.chain.trace(Data(Self.old.utf8))
        #expect(trace.outcome == .migrated && trace.format == .json5)
        #expect(trace.steps.map { $0.difference?.changes.map(\.path.description) } == [["$.title", "$.version"]])
        let data = try #require(try trace.resultData())
        #expect(
            String(decoding: data, as: UTF8.self)
                == "{\n  \"title\": \"Lear\",\n  \"weight\": 0.5,\n  \"version\": 2\n}\n")
        #expect(Self.chain.check(data).outcome == .current)
    }

    @Test("a failure in a JSON5 document is located in the text with its comments")
    func failure() throws {
        let text = Self.old.replacingOccurrences(of: "+.5", with: "-0x10")
        let failure = try #require(Self.chain.trace(Data(text.utf8)).failure)
        #expect(
            failure.kind == .fieldNoLongerValid && failure.location == SourceLocation(line: 5, column: 11, offset: 59))
    }

    @Test("a chain that does not allow JSON5 names the first thing that JSON does not have, with its location")
    func notAllowed() throws {
        let failure = try #require(MigrationChain(Note.self).check(Data(Self.old.utf8)).failure)
        #expect(failure.kind == .malformed && failure.location == SourceLocation(line: 1, column: 1, offset: 0))
        #expect(failure.message == "found a comment, which JSON does not have")
    }

    @Test("a current JSON5 document stays as it is, with its comments, and loses nothing")
    func current() throws {
        let text = "{version: 2, title: 'Lear', weight: 0x10} // c"
        let current = Self.chain.trace(Data(text.utf8))
        #expect(current.outcome == .current && current.warnings.isEmpty)
        #expect(try current.resultData().map { String(decoding: $0, as: UTF8.self) } == text)
        #expect(Self.chain.check(Data(text.utf8)).warnings.isEmpty)
    }

    @Test("a changed JSON5 document with a number that has no spelling in JSON is not written")
    func endless() throws {
        let text = SourceBytes("{version: 2, title: 'Lear', weight: Infinity}")
        let changed = try Document(parsing: text, allowsJSON5: true).applying([
            .set(DocumentPath([.key("title")]), Document(text: "Kent"))
        ])
        let endless = Self.chain.trace(changed)
        #expect(endless.outcome == .current)
        let error = try #require(throws: (any Error).self) { try endless.resultData() }
        #expect("\(error)" == "$.weight: found the number Infinity, which JSON does not have")
    }

    @Test("JSON5 is offered only to chains that allow it")
    func recognition() throws {
        let text = SourceBytes("{version: 1, shape: 'round'}")
        let document = try Document(parsing: text, allowsJSON5: true)
        #expect([Self.chain, MigrationChain(Plain.self)].recognize(document).chain == nil)
        let allowing = MigrationChain(Plain.self, decoding: DecodingStrategies(allowsJSON5: true))
        #expect([Self.chain, allowing].recognize(document).chain?.name == "Plain")
        #expect(DecodingStrategies(matching: JSONDecoder()).allowsJSON5 == false)
    }

    struct Jar: Versionable {
        var grams: Int
        var version: Version = Self.version

        enum Version: Int, VersionType {
            case v1 = 1
            case v2 = 2
        }

        static func migrate(to version: Version) -> Migration {
            switch version {
            case .v1: .none
            case .v2: .migrate { $0["grams"] = 1 }
            }
        }
    }

    @Test("payload closures get what JSONSerialization reads, so their older documents must be JSON")
    func closures() throws {
        let chain = MigrationChain(Jar.self, decoding: DecodingStrategies(allowsJSON5: true))
        #expect(chain.check(Data("{version: 2, grams: 5}".utf8)).outcome == .current)
        let failure = try #require(chain.check(Data("{\"version\": 1, /* c */}".utf8)).failure)
        #expect(failure.kind == .malformed && failure.location?.column == 16)
        #expect(failure.message == "found a comment, which JSON does not have")
    }
}
