import DocumentModel
import Foundation
import MigrationCore
import Testing

/// What VersionedCodable 1.2.4 makes of 126 combinations: where types keep their version, and where the document has one.
///
/// In a row stand its answers to the documents of ``Combination/documents``, in their order: the version of the type that decoded
/// (`-` for the type without a version), or the error: `k` for keyNotFound, `u` for unsupportedVersion.
private let answersOfVersionedCodable: [Combination.Types: String] = [
    // Two versions. The place in metadata is one that must be there.
    .init(spec: .newest): "k12k12k12", .init(spec: .oldest): "uuu111222", .init(spec: .each): "k12k12k12",
    .init(spec: .none): "uuu111222",
    // The place in metadata may be missing.
    .init(spec: .newest, mayBeMissing: true): "u12u12u12", .init(spec: .oldest, mayBeMissing: true): "uuu111222",
    .init(spec: .each, mayBeMissing: true): "u12u12u12",
    // A type without a version came before.
    .init(spec: .newest, isUnversionedBefore: true): "k12k12k12",
    .init(spec: .oldest, isUnversionedBefore: true): "---111222",
    .init(spec: .each, isUnversionedBefore: true): "k12k12k12",
    .init(spec: .none, isUnversionedBefore: true): "---111222",
    .init(spec: .newest, mayBeMissing: true, isUnversionedBefore: true): "-12-12-12",
    .init(spec: .oldest, mayBeMissing: true, isUnversionedBefore: true): "---111222",
    .init(spec: .each, mayBeMissing: true, isUnversionedBefore: true): "-12-12-12",
]

@Suite("Where types keep their version")
struct VersionPlaceTests {
    @Test("what VersionedCodable opens is opened as the same version", arguments: Combination.all)
    func faithful(_ combination: Combination) {
        let answer = combination.answer { try JSONDecoder().decode(versioned: $0, from: $1) }
        if !["k", "u"].contains(combination.original) { #expect(answer == combination.original) }
        // What it refuses opens here if an older type's own place has that type's version.
        if combination.types.spec == .newest, combination.original == "k" || combination.original == "u" {
            #expect((answer == "1") == combination.document.hasPrefix(#"{"version":1"#))
        }
    }

    @Test("a chain finds the version that the app does", arguments: Combination.all)
    func chain(_ combination: Combination) {
        let answer = combination.answer { try JSONDecoder().decode(versioned: $0, from: $1) }
        let check = combination.types.chain.check(Data(combination.document.utf8))
        switch answer {
        case "-": #expect(check.version == .unversioned)
        case "1", "2": #expect(check.version?.description == answer)
        default: #expect(check.outcome == .failed)
        }
    }

    private struct Note<Spec: VersionPathSpec>: VersionedCodable {
        var text: String
        static var version: Int? { 2 }
        typealias PreviousVersion = OldNote<Spec>
        typealias VersionSpec = Spec
        init(from old: OldNote<Spec>) { text = old.text }
    }

    private struct OldNote<Spec: VersionPathSpec>: VersionedCodable {
        var text: String
        static var version: Int? { 1 }
        typealias PreviousVersion = NothingEarlier
        typealias VersionSpec = Spec
    }

    private struct Text: VersionPathSpec {
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        var version: String?
        var number: Int? { version.flatMap { Int($0) } }
        init(withVersion version: Int?) { self.version = version.map { "\($0)" } }
    }

    private struct DeepPair: VersionPathSpec {
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        struct Head: Codable { var format: Format }
        struct Format: Codable { var major: Int, minor: Int }
        var head: Head
        var number: Int? { head.format.major * 10 + head.format.minor }
        init(withVersion version: Int?) {
            head = Head(format: Format(major: (version ?? 0) / 10, minor: (version ?? 0) % 10))
        }
    }

    private struct Pair: VersionPathSpec {
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        var major: Int
        var minor: Int
        var number: Int? { major * 10 + minor }
        init(withVersion version: Int?) { (major, minor) = ((version ?? 0) / 10, (version ?? 0) % 10) }
    }

    private struct Case: VersionPathSpec {
        nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        enum Name: String, Codable { case first, second }
        var schema: Name?
        var number: Int? { schema.map { $0 == .first ? 1 : 2 } }
        init(withVersion version: Int?) { schema = version == 1 ? .first : version == 2 ? .second : nil }
    }

    @Test("a version that is a text, a pair of numbers or a case is read, and nothing else of its neighbors")
    func versionsOfOtherTypes() {
        func check(_ chain: MigrationChain, _ members: String, at place: String?) {
            let result = chain.check(Data("{\(members), \"text\": \"a\"}".utf8))
            #expect(result.outcome == .migrated && result.version == .number(1), "\(members)")
            #expect(result.versionPath.map { "\($0)" } == place && result.dropped.isEmpty, "\(members)")
            let other = chain.check(Data("{\(members), \"text\": \"a\", \"mood\": 1}".utf8))
            #expect(other.dropped.map { "\($0)" } == ["$.mood"], "\(members)")
        }
        check(MigrationChain(Note<Text>.self), #""version": "1""#, at: "$.version")
        check(MigrationChain(Note<Case>.self), #""schema": "first""#, at: "$.schema")
        check(
            MigrationChain(Note<DeepPair>.self), #""head": {"format": {"major": 0, "minor": 1}}"#, at: "$.head.format")
        check(MigrationChain(Note<Pair>.self), #""major": 0, "minor": 1"#, at: nil)
    }

    private struct Letter: VersionedCodable {
        var text: String
        static let version: Int? = 1
        typealias PreviousVersion = OldLetter

        struct VersionSpec: VersionPathSpec {
            static let keyPathToVersion: KeyPath<Self, Int?> = \Self.head.version
            var head: Head
            struct Head: Codable { var version: Int? }
            init(withVersion version: Int?) { head = Head(version: version) }
        }

        init(from old: OldLetter) { text = old.text }
    }

    private struct OldLetter: VersionedCodable {
        var text: String
        static let version: Int? = nil
        typealias PreviousVersion = NothingEarlier
    }

    @Test("null where the version's container would be is no version, as if nothing were there")
    func nullContainer() throws {
        let chain = MigrationChain(Letter.self)
        for json in [#"{"text": "a"}"#, #"{"text": "a", "head": null}"#] {
            let result = try chain.check(json: json)
            #expect(result.version == .unversioned && result.outcome == .migrated, "\(json)")
        }
        #expect(try chain.check(json: #"{"text": "a", "head": 1}"#).outcome == .failed)
    }
}

/// Types that keep their version in some place, and a document that has one in some place.
struct Combination: CustomTestStringConvertible, Sendable {
    struct Types: Hashable {
        /// Which types keep their version in metadata; the others keep it at the root.
        enum Spec { case newest, oldest, each, none }
        var spec: Spec
        var mayBeMissing = false
        var isUnversionedBefore = false
    }

    var types: Types
    var document: String
    var original: String

    static let documents =
        ["", #""metadata":{"version":1}"#, #""metadata":{"version":2}"#].map { "{\($0)}" }
        + [1, 2].flatMap { root in
            ["", #","metadata":{"version":1}"#, #","metadata":{"version":2}"#].map { "{\"version\":\(root)\($0)}" }
        }

    static let all = answersOfVersionedCodable.flatMap { types, answers in
        zip(documents, answers).map { Combination(types: types, document: $0, original: String($1)) }
    }

    var testDescription: String { "\(types.spec) \(types.mayBeMissing) \(types.isUnversionedBefore) \(document)" }

    /// What `decode` makes of the document, in the words of the table.
    func answer(_ decode: (any Routed.Type, Data) throws -> any Routed) -> String {
        do {
            return try decode(types.newest, Data(document.utf8)).route
        } catch VersionedDecodingError.unsupportedVersion {
            return "u"
        } catch DecodingError.keyNotFound {
            return "k"
        } catch {
            return "\(error)"
        }
    }
}

extension Combination.Types {
    fileprivate var newest: any Routed.Type {
        func type<New: Place, Old: Place>(_ new: New.Type, _ old: Old.Type) -> any Routed.Type {
            isUnversionedBefore ? Newest<New, Numbered<Old, Unversioned<Old>>>.self : Newest<New, Oldest<Old>>.self
        }
        switch (spec, mayBeMissing) {
        case (.newest, false): return type(InMetadata.self, AtRoot.self)
        case (.oldest, false): return type(AtRoot.self, InMetadata.self)
        case (.each, false): return type(InMetadata.self, InMetadata.self)
        case (.newest, true): return type(InMetadataIfAny.self, AtRoot.self)
        case (.oldest, true): return type(AtRoot.self, InMetadataIfAny.self)
        case (.each, true): return type(InMetadataIfAny.self, InMetadataIfAny.self)
        case (.none, _): return type(AtRoot.self, AtRoot.self)
        }
    }

    fileprivate var chain: MigrationChain { newest.chain }
}

// MARK: - Types

/// A value that tells which version it was decoded as.
protocol Routed: VersionedCodable {
    var route: String { get }
}

extension Routed {
    fileprivate static var chain: MigrationChain { MigrationChain(Self.self) }
}

private protocol Place { associatedtype Spec: VersionPathSpec }

private enum AtRoot: Place { typealias Spec = VersionKeyAtRootVersionPathSpec }

private enum InMetadata: Place {
    struct Spec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata.version
        var metadata: Metadata
        init(withVersion version: Int?) { metadata = Metadata(version: version) }
    }
    struct Metadata: Codable { var version: Int? }
}

private enum InMetadataIfAny: Place {
    struct Spec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata?.version
        var metadata: InMetadata.Metadata?
        init(withVersion version: Int?) { metadata = .init(version: version) }
    }
}

private struct Newest<New: Place, Old: Routed>: Routed {
    var route: String
    static var version: Int? { 2 }
    typealias PreviousVersion = Old
    typealias VersionSpec = New.Spec
    init(from old: Old) { route = old.route }
    init(from decoder: any Decoder) { route = "2" }
}

private struct Oldest<Old: Place>: Routed {
    var route: String
    static var version: Int? { 1 }
    typealias PreviousVersion = NothingEarlier
    typealias VersionSpec = Old.Spec
    init(from decoder: any Decoder) { route = "1" }
}

private struct Numbered<Own: Place, Old: Routed>: Routed {
    var route: String
    static var version: Int? { 1 }
    typealias PreviousVersion = Old
    typealias VersionSpec = Own.Spec
    init(from old: Old) { route = old.route }
    init(from decoder: any Decoder) { route = "1" }
}

private struct Unversioned<Own: Place>: Routed {
    var route: String
    static var version: Int? { nil }
    typealias PreviousVersion = NothingEarlier
    typealias VersionSpec = Own.Spec
    init(from decoder: any Decoder) { route = "-" }
}
