import Foundation
import MigrationCore
import Testing

/// The answers of VersionedCodable 1.2.4 to each combination: which types declare where they keep their version, how
/// the spec behaves, and what the document has in both places. Recorded by running it.
///
/// Each row has the answers to ``Combination/Places/all(_:)``, in their order and in the letters of
/// ``Combination/answer(_:)``: for each value at the root, the nine of metadata. If each type has a place of its own,
/// the answers are the same for all values at the root and in the header, and the row has only those for the eight
/// values of metadata.
private let answersOfVersionedCodable: [Combination.Types: String] = [
    .init(spec: .none):
        "uuuuuuuuu111111111222222222uuuuuuuuutttttttttuuuuuuuuuttttttttt",
    .init(spec: .none, isUnversionedBefore: true):
        "---------111111111222222222uuuuuuuuuttttttttt---------ttttttttt",
    .init(spec: .newest):
        "kvtu12utukvtu12utukvtu12utukvtu12utukvtu12utukvtu12utukvtu12utu",
    .init(spec: .newest, isUnversionedBefore: true):
        "kvt-12ut-kvt-12ut-kvt-12ut-kvt-12ut-kvt-12ut-kvt-12ut-kvt-12ut-",
    .init(spec: .newest, style: .optional):
        "uutu12utuuutu12utuuutu12utuuutu12utuuutu12utuuutu12utuuutu12utu",
    .init(spec: .newest, style: .optional, isUnversionedBefore: true):
        "--t-12ut---t-12ut---t-12ut---t-12ut---t-12ut---t-12ut---t-12ut-",
    .init(spec: .newest, style: .throwing):
        "kvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otv",
    .init(spec: .newest, style: .throwing, isUnversionedBefore: true):
        "kvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otv",
    .init(spec: .all):
        "kvtu12utukvtu12utukvtu12utukvtu12utukvtu12utukvtu12utukvtu12utu",
    .init(spec: .all, isUnversionedBefore: true):
        "kvt-12ut-kvt-12ut-kvt-12ut-kvt-12ut-kvt-12ut-kvt-12ut-kvt-12ut-",
    .init(spec: .all, style: .optional):
        "uutu12utuuutu12utuuutu12utuuutu12utuuutu12utuuutu12utuuutu12utu",
    .init(spec: .all, style: .optional, isUnversionedBefore: true):
        "--t-12ut---t-12ut---t-12ut---t-12ut---t-12ut---t-12ut---t-12ut-",
    .init(spec: .all, style: .throwing):
        "kvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otv",
    .init(spec: .all, style: .throwing, isUnversionedBefore: true):
        "kvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otvkvtk12otv",
    .init(spec: .olderOnly):
        "uuuuuuuuu111111111222222222uuuuuuuuutttttttttuuuuuuuuuttttttttt",
    .init(spec: .olderOnly, isUnversionedBefore: true):
        "---------111111111222222222uuuuuuuuuttttttttt---------ttttttttt",
    .init(spec: .olderOnly, style: .optional):
        "uuuuuuuuu111111111222222222uuuuuuuuutttttttttuuuuuuuuuttttttttt",
    .init(spec: .olderOnly, style: .optional, isUnversionedBefore: true):
        "---------111111111222222222uuuuuuuuuttttttttt---------ttttttttt",
    .init(spec: .olderOnly, style: .throwing):
        "uuuuuuuuu111111111222222222uuuuuuuuutttttttttuuuuuuuuuttttttttt",
    .init(spec: .olderOnly, style: .throwing, isUnversionedBefore: true):
        "---------111111111222222222uuuuuuuuuttttttttt---------ttttttttt",
    .init(spec: .each): "ku012utu",
    .init(spec: .each, isUnversionedBefore: true): "k-012ut-",
    .init(spec: .each, style: .optional): "uu012utu",
    .init(spec: .each, style: .optional, isUnversionedBefore: true): "--012ut-",
    .init(spec: .each, style: .throwing): "kko12otv",
    .init(spec: .each, style: .throwing, isUnversionedBefore: true): "kko12otv",
]

extension Combination {
    fileprivate static let all = answersOfVersionedCodable.flatMap { types, answers in
        let answers = Array(answers)
        return Places.all(types.spec).enumerated().map { index, places in
            Combination(types: types, places: places, original: String(answers[index % answers.count]))
        }
    }

    /// The values at the newest type's version path and at that of the older ones.
    private var atPlaces: (newest: String?, older: String?) {
        func version(in object: String?) -> String? {
            object.flatMap { $0.hasPrefix("{\"version\":") ? String($0.dropFirst(11).dropLast()) : nil }
        }
        let inMetadata = version(in: places.metadata)
        return switch types.spec {
        case .none: (places.root, places.root)
        case .newest: (inMetadata, places.root)
        case .all: (inMetadata, inMetadata)
        case .olderOnly: (places.root, inMetadata)
        case .each: (inMetadata, hasVersionInHeader ? version(in: places.header) : places.root)
        }
    }

    private var hasVersionInHeader: Bool { places.header.map { $0 != "{}" && !$0.contains("null") } ?? false }

    /// Whether the newest type's path has no version, and VersionedCodable refuses the document.
    fileprivate var isRefusedForNothing: Bool {
        let newest = atPlaces.newest
        return (newest == nil || newest == "null") && ["k", "v", "u"].contains(original)
    }

    /// The expected answer to a document that VersionedCodable refuses because of what it lacks.
    fileprivate var atOlderPlace: String {
        let older = types.spec == .none || types.spec == .all ? nil : atPlaces.older
        let metadata = types.spec == .olderOnly ? places.metadata : nil
        switch older {
        case "1" where types.spec != .each || hasVersionInHeader: return "1"
        case "0" where types.spec == .each && !hasVersionInHeader: return "0"
        case nil where metadata == "\"text\"": return "u"
        case nil, "null": return types.isUnversionedBefore ? "-" : original
        case "9" where types.spec == .olderOnly && types.style == .throwing: return "o"
        // The newest type does not keep its version there.
        default: return "u"
        }
    }
}

@Suite("The places where types keep their version")
struct VersionPlaceTests {
    @Test("the recorded answers of VersionedCodable cover all 2,700 combinations of types and documents")
    func combinations() {
        #expect(Combination.all.count == 2700)
        #expect(Set(answersOfVersionedCodable.keys) == Set(Combination.Types.allCases))
    }

    @Test("the value at the newest type's path decides by itself, as in VersionedCodable", arguments: Combination.all)
    func newestPlace(_ combination: Combination) {
        guard !combination.isRefusedForNothing else { return }
        let answer = combination.answer { try JSONDecoder().decode(versioned: $0, from: $1) }
        #expect(answer == combination.original)
    }

    @Test(
        "an older type's path opens its own versions and refuses all others, if the newest type's path has no value",
        arguments: Combination.all.filter(\.isRefusedForNothing))
    func olderPlaces(_ combination: Combination) {
        let answer = combination.answer { try JSONDecoder().decode(versioned: $0, from: $1) }
        #expect(answer == combination.atOlderPlace)
    }

    @Test(
        "a chain finds the same version as the app, and reports what VersionedCodable would refuse",
        arguments: Combination.all)
    func chain(_ combination: Combination) throws {
        let answer = combination.answer { try JSONDecoder().decode(versioned: $0, from: $1) }
        let check = combination.types.newest.chain.check(Data(combination.places.json.utf8))
        let kinds: [String: MigrationFailure.Kind] = [
            "u": .unsupportedVersion, "k": .keyNotFound, "t": .typeMismatch, "v": .valueNotFound, "o": .thrown,
        ]
        if let kind = kinds[answer] {
            #expect(check.failure?.kind == kind)
            #expect(check.failure?.tried == nil || kind == .unsupportedVersion)
        } else {
            #expect(check.version?.description == (answer == "-" ? "none" : answer))
            #expect(check.outcome != .failed)
        }
        let isRefused = check.warnings.contains {
            if case .refusedByVersionedCodable = $0 { true } else { false }
        }
        #expect(isRefused == (kinds[answer] == nil && kinds[combination.original] != nil))
    }

    @Test("a document fails at an older type's path if the value there is not a version of its types")
    func placeOfRefusal() throws {
        let chain = Combination.Types(spec: .newest, isUnversionedBefore: true).newest.chain
        for (value, words) in [
            ("9", "Version 9 is newer than the newest"), ("2", "keeps its version somewhere else"),
            ("\"2\"", "$.version is \"2\", which is not a version"),
            ("true", "$.version is true, which is not a version"),
        ] {
            let failure = try #require(chain.check(json: "{\"version\": \(value)}").failure)
            #expect(failure.kind == .unsupportedVersion && failure.path == .of("$.version"), "\(value)")
            #expect(failure.culprit == .init(path: .root.appending(key: "version"), certain: true), "\(value)")
            #expect(failure.location?.column == 13, "\(value)")
            #expect(failure.message.contains(words), "\(failure.message)")
            #expect(failure.tried == [.number(2), .number(1), .unversioned], "\(value)")
        }
    }

    @Test("the empty place of a version key is not dropped, because the version is looked for there")
    func emptyPlace() throws {
        let chain = Combination.Types(spec: .newest).newest.chain
        for metadata in ["{}", #"{"version": null}"#] {
            let old = try chain.check(json: #"{"version": 1, "metadata": \#(metadata)}"#)
            #expect(old.outcome == .migrated && old.dropped.isEmpty)
        }
        let more = try chain.check(json: #"{"version": 1, "metadata": {"author": "x"}}"#)
        #expect(more.dropped.map(\.description) == ["$.metadata.author"])
        // The older place is not looked at if the newest type's place has a version.
        let both = try chain.check(json: #"{"version": 1, "metadata": {"version": 2}}"#)
        #expect(both.outcome == .current && both.dropped.map(\.description) == ["$.version"])
    }

    @Test("a version that VersionedCodable ignores, because the newest type's path may be empty, is a warning")
    func passedOver() throws {
        let chain = Combination.Types(spec: .newest, style: .optional, isUnversionedBefore: true).newest.chain
        let result = try chain.check(json: #"{"version": 1}"#)
        #expect(result.version == .unversioned && result.outcome == .migrated)
        #expect(
            result.warnings.contains(
                .versionPassedOver(path: .root.appending(key: "version"), type: chain.versions[1].type)))
        #expect(try chain.check(json: "{}").warnings.isEmpty)
    }

    @Test("a member that counts as no version, but is named almost like its key, is a warning")
    func misspelled() throws {
        let chain = Combination.Types(spec: .none, isUnversionedBefore: true).newest.chain
        for name in ["Version", "verison"] {
            let result = try chain.check(json: #"{"\#(name)": 1}"#)
            #expect(result.version == .unversioned)
            let warning = Reason.versionMisspelled(
                path: .root.appending(key: name), wanted: .root.appending(key: "version"))
            #expect(result.warnings.contains(warning))
            #expect(
                "\(warning)"
                    == "The document counts as one without a version: $.\(name) may be a misspelling of $.version")
        }
        #expect(try chain.check(json: #"{"verse": 1}"#).warnings.isEmpty)
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

    @Test("a version that is a string, a pair of numbers or an enum case is read, without its neighboring fields")
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

    @Test("a null in place of the version's container counts as no version")
    func nullContainer() throws {
        let chain = MigrationChain(Letter.self)
        for json in [#"{"text": "a"}"#, #"{"text": "a", "head": null}"#] {
            let result = try chain.check(json: json)
            #expect(result.version == .unversioned && result.outcome == .migrated, "\(json)")
        }
        #expect(try chain.check(json: #"{"text": "a", "head": 1}"#).outcome == .failed)
    }
}

extension Routed {
    fileprivate static var chain: MigrationChain { MigrationChain(Self.self) }
}
