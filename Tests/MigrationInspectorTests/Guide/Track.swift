import Foundation
import MigrationCore
import Testing

/// A hike as the app writes it today.
private struct Track: VersionedCodable {
    var title: String
    var meters: Int

    static let version: Int? = 2
    typealias PreviousVersion = TrackV1

    init(from old: TrackV1) throws {
        guard old.miles >= 0 else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.meters], debugDescription: "A hike of \(old.miles) miles has no length"))
        }
        title = old.title
        meters = Int(old.miles * 1_609.344)
    }
}

/// A hike as the first release wrote it, without a title and without a version.
private struct UntitledTrack: VersionedCodable {
    var miles: Double

    static let version: Int? = nil
    typealias PreviousVersion = NothingEarlier
}

private struct TrackV1: VersionedCodable {
    var title: String
    var miles: Double

    static let version: Int? = 1
    typealias PreviousVersion = UntitledTrack

    init(from old: UntitledTrack) {
        title = "Untitled"
        miles = old.miles
    }
}

private struct Route: VersionedCodable {
    var stops: [String]

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier

    struct VersionSpec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata.formatVersion
        var metadata: Metadata

        struct Metadata: Codable {
            var formatVersion: Int?
        }

        init(withVersion version: Int?) { metadata = Metadata(formatVersion: version) }
    }
}

private struct Notebook: VersionedCodable {
    var cells: [String]

    static let version: Int? = 405
    typealias PreviousVersion = NothingEarlier

    struct VersionSpec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.number
        var major: Int?
        var minor: Int?

        enum CodingKeys: String, CodingKey {
            case major = "nbformat"
            case minor = "nbformat_minor"
        }

        /// 405 for 4.5; nil if one of the two is missing.
        var number: Int? { major.flatMap { major in minor.map { major * 100 + $0 } } }

        init(withVersion version: Int?) {
            major = version.map { $0 / 100 }
            minor = version.map { $0 % 100 }
        }
    }
}

private let tracks = MigrationChain(Track.self, notes: [1: "Hikes got titles", 2: "Lengths are in meters now"])

@Suite("The guide's examples of a type for each version")
struct TrackTests {
    @Test("a document without a version takes all steps, with their notes")
    func unversioned() throws {
        let data = Data(#"{"miles": 10}"#.utf8)
        let track = try JSONDecoder().decode(versioned: Track.self, from: data)
        #expect(track.title == "Untitled" && track.meters == 16_093)
        #expect(tracks.trace(data).steps.map(\.note) == ["Hikes got titles", "Lengths are in meters now"])
    }

    @Test("a meaningless value is refused with the field that the step names")
    func refused() {
        let failure = tracks.check(Data(#"{"version": 1, "title": "Up", "miles": -1}"#.utf8)).failure
        #expect(failure?.kind == .fieldNoLongerValid && failure?.path?.description == "$.meters")
        #expect(failure?.message == "A hike of -1.0 miles has no length")
    }

    @Test("a version key is where the version specification says")
    func elsewhere() throws {
        let written = #"{"stops": ["Crewe"], "metadata": {"formatVersion": 1}}"#
        let route = try JSONDecoder().decode(versioned: Route.self, from: Data(written.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(versioned: route), as: UTF8.self)
                == #"{"metadata":{"formatVersion":1},"stops":["Crewe"]}"#)
    }

    @Test("a version of two values is written, read, and shown as the document has it")
    func pair() throws {
        let written = #"{"cells":[],"nbformat":4,"nbformat_minor":5}"#
        let notebook = try JSONDecoder().decode(versioned: Notebook.self, from: Data(written.utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(versioned: notebook), as: UTF8.self) == written)
        let chain = MigrationChain(Notebook.self)
        #expect(chain.check(Data(written.utf8)).version?.description == "nbformat 4, nbformat_minor 5")
        let half = chain.check(Data(#"{"cells":[],"nbformat":4}"#.utf8)).failure
        #expect(half?.kind == .unsupportedVersion)
        #expect(half?.message == "The version is incomplete: nbformat 4 without nbformat_minor")
    }
}
