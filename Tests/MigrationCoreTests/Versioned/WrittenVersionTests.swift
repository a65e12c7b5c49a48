import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Versions written as something other than a number")
struct WrittenVersionTests: MendSearching {
    private struct Note<Spec: VersionPathSpec & Numbered>: VersionedCodable {
        var text: String
        static var version: Int? { Spec.newest }
        typealias PreviousVersion = OldNote<Spec>
        typealias VersionSpec = Spec
        init(from old: OldNote<Spec>) { text = old.title }
    }

    private struct OldNote<Spec: VersionPathSpec & Numbered>: VersionedCodable {
        var title: String
        static var version: Int? { Spec.oldest }
        typealias PreviousVersion = NothingEarlier
        typealias VersionSpec = Spec
    }

    private protocol Numbered {
        static var oldest: Int { get }
        static var newest: Int { get }
    }

    private struct Semantic: VersionPathSpec, Numbered {
        static let (oldest, newest) = (10900, 11000)
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        struct Head: Codable { var schema: String }
        var head: Head?
        var number: Int? {
            let parts = (head?.schema ?? "").split(separator: ".").compactMap { Int($0) }
            return parts.count == 3 ? parts[0] * 10000 + parts[1] * 100 + parts[2] : nil
        }
        init(withVersion version: Int?) {
            head = version.map { Head(schema: "\($0 / 10000).\($0 / 100 % 100).\($0 % 100)") }
        }
    }

    private struct Pair: VersionPathSpec, Numbered {
        static let (oldest, newest) = (404, 405)
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        var major: Int
        var minor: Int
        var kind = "note"
        var number: Int? { major * 100 + minor }
        init(withVersion version: Int?) { (major, minor) = ((version ?? 0) / 100, (version ?? 0) % 100) }
    }

    /// Crashes for a number that no case has.
    private struct Season: VersionPathSpec, Numbered {
        static let (oldest, newest) = (1, 2)
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        enum Name: String, Codable, CaseIterable { case spring, summer }
        struct Meta: Codable { var season: Name? }
        var meta: Meta?
        var number: Int? { meta?.season.flatMap(Name.allCases.firstIndex).map { $0 + 1 } }
        init(withVersion version: Int?) { meta = version.map { Meta(season: Name.allCases[$0 - 1]) } }
    }

    private struct Text: VersionPathSpec, Numbered {
        static let (oldest, newest) = (1, 2)
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        var version: String?
        var number: Int? { version.flatMap { Int($0) } }
        init(withVersion version: Int?) { self.version = version.map { "\($0)" } }
    }

    private let chains = [
        MigrationChain(Note<Semantic>.self, named: "Semantic"), MigrationChain(Note<Pair>.self, named: "Pair"),
        MigrationChain(Note<Season>.self, named: "Season"), MigrationChain(Note<Text>.self, named: "Text"),
    ]

    @Test(
        "a version is recognized, and shown as the document writes it",
        arguments: [
            (#""head": {"schema": "1.9.0"}"#, "Semantic", "1.9.0", "1.10.0", "$.head.schema"),
            (#""kind": "note", "major": 4, "minor": 4"#, "Pair", "major 4, minor 4", "major 4, minor 5", nil),
            (#""meta": {"season": "spring"}"#, "Season", "spring", "summer", "$.meta.season"),
            (#""version": "1""#, "Text", "1", "2", "$.version"),
        ])
    func shown(members: String, name: String, version: String, newest: String, path: String?) throws {
        let document = try Document(json: "{\"title\": \"a\", \(members)}")
        let chain = try #require(chains.recognize(document).chain)
        #expect(chain.name == name)
        let result = chain.check(document)
        #expect(result.outcome == .migrated && result.dropped.isEmpty)
        #expect(result.version?.description == version && result.target?.description == newest)
        #expect(result.versionPath?.description == path)
        #expect(chain.versions.map(\.version.description) == [version, newest])
        // A version with only the number is equal to it.
        #expect(chain.versions.first.flatMap(\.version.number).map(DocumentVersion.number) == result.version)
    }

    @Test("a version that the chain does not have is shown as the document writes it, and compared as a number")
    func unknown() throws {
        func failure(_ index: Int, _ members: String) throws -> MigrationFailure {
            let result = chains[index].check(try Document(json: "{\"text\": \"a\", \(members)}"))
            #expect(result.failure?.kind == .unsupportedVersion)
            return try #require(result.failure)
        }
        let newer = try failure(0, #""head": {"schema": "1.11.0"}"#)
        #expect(newer.message == "Version 1.11.0 is newer than the newest that Semantic knows, 1.10.0")
        #expect(newer.culprit?.path.description == "$.head.schema")
        #expect(try failure(0, #""head": {"schema": "1.8.0"}"#).message == "Semantic has no version 1.8.0")
        let pair = try failure(1, #""kind": "note", "major": 4, "minor": 99"#)
        #expect(pair.message == "Version major 4, minor 99 is newer than the newest that Pair knows, major 4, minor 5")
        #expect(pair.culprit?.path.description == "$.minor")
        let draft = try failure(3, #""version": "draft""#)
        #expect(draft.message == "Text has no version \"draft\"" && draft.culprit?.path.description == "$.version")
    }

    /// A pair of which a document may lack one.
    private struct Optionals: VersionPathSpec, Numbered {
        static let (oldest, newest) = (404, 405)
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        struct Head: Codable { var major: Int?, minor: Int? }
        var head: Head?
        var number: Int? { head?.major.flatMap { major in head?.minor.map { major * 100 + $0 } } }
        init(withVersion version: Int?) { head = version.map { Head(major: $0 / 100, minor: $0 % 100) } }
    }

    @Test(
        "a version that lacks one of its values is incomplete, and the value is tried",
        arguments: [
            (#""head": {"major": 4}"#, "major 4 without minor", "$.head.minor", "5"),
            (#""head": {"minor": 5}"#, "minor 5 without major", "$.head.major", "4"),
        ])
    func incomplete(members: String, words: String, missing: String, value: String) throws {
        let chain = MigrationChain(Note<Optionals>.self, named: "Pair")
        let culprit = try search(chain, "{\"text\": \"a\", \(members)}") {
            #expect($0.failure?.message == "The version is incomplete: \(words)")
        }
        #expect(culprit?.path == path(missing) && culprit?.proof?.ending == .opens)
        #expect(culprit?.proof?.change == .add(path(missing), try Document(json: value)))
    }

    @Test(
        "a target version is given by its number or as documents write it",
        arguments: [DocumentVersion.number(10900), .name("1.9.0")])
    func target(version: DocumentVersion) throws {
        let document = try Document(json: #"{"title": "a", "head": {"schema": "1.9.0"}}"#)
        #expect(chains[0].check(document, to: version).outcome == .current)
        #expect(chains[0].trace(document, to: version).target?.description == "1.9.0")
    }

    @Test(
        "a version is as the document has it in reports, and keeps its number in a message between processes",
        arguments: [
            (#""head": {"schema": "1.9.0"}"#, 0, #"["1.9.0"]"#),
            (#""kind": "note", "major": 4, "minor": 4"#, 1, #"[{"major":4,"minor":4}]"#),
        ])
    func coding(members: String, index: Int, expected: String) throws {
        let version = try #require(chains[index].check(Document(json: "{\"title\": \"a\", \(members)}")).version)
        let text = try DocumentEncoder().encode([version])
        #expect(JSONWriter(layout: .compact).string(text.root) == expected)
        // A report that was read is written again as it was.
        let reported = try DocumentDecoder().decode([DocumentVersion].self, from: text.root)
        #expect(try JSONWriter(layout: .compact).string(DocumentEncoder().encode(reported).root) == expected)
        #expect(reported.first?.description == version.description)
        let userInfo = MessageDocuments().userInfo
        let versions = [version, nil, .unversioned, .name("a"), .number(1)]
        let kept = try DocumentEncoder(strategies: EncodingStrategies(userInfo: userInfo)).encode(versions)
        let read = try DocumentDecoder(strategies: DecodingStrategies(userInfo: userInfo))
            .decode([DocumentVersion?].self, from: kept.root)
        #expect(read == versions && read.first??.description == version.description)
    }

    /// A version in several values, some of them in an array or an object.
    private struct Nested: VersionPathSpec, Numbered {
        static let (oldest, newest) = (12, 13)
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        struct Head: Codable { var format: [Int], minor: Minor, app = "x" }
        struct Minor: Codable { var number: Int }
        var head: Head?
        var number: Int? { head.map { ($0.format.first ?? 0) * 10 + $0.minor.number } }
        init(withVersion version: Int?) {
            head = version.map { Head(format: [$0 / 10], minor: Minor(number: $0 % 10)) }
        }
    }

    @Test("a version in several nested values is shown as an object of these values alone")
    func nested() throws {
        let chain = MigrationChain(Note<Nested>.self, named: "Nested")
        let text = #"{"title": "a", "head": {"app": "y", "format": [1], "minor": {"number": 2, "text": "b"}}}"#
        let result = chain.check(try Document(json: text))
        let version = try #require(result.version)
        #expect(
            try JSONWriter().string(DocumentEncoder().encode([version]).root)
                == #"[{"format":[1],"minor":{"number":2}}]"#)
        #expect(version.description == "1, number 2" && result.versionPath?.description == "$.head")
    }
}
