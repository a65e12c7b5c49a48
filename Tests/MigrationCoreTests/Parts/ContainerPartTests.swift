import DocumentModel
import Foundation
import MigrationCore
import Testing

/// A trip with luggage in containers.
private struct Trip: VersionedCodable {
    var cabin: VersionableContainer<Suitcase>?
    var hold: [VersionableContainer<Suitcase>]
    var notes: [String: String]?

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}

@Suite("Parts in containers")
struct ContainerPartTests {
    private let chain = MigrationChain(Trip.self)

    private func container(_ version: Int, _ json: String) -> String {
        #"{"version": \#(version), "instance": "\#(Data(json.utf8).base64EncodedString())"}"#
    }

    @Test("a part has the version of its container for any decoder, whatever the value inside says")
    func otherDecoders() throws {
        for inside in [#"{"name": "Ada", "kilograms": 2}"#, #"{"version": 4, "name": "Ada", "kilograms": 2}"#] {
            let instance = Data(inside.utf8).base64EncodedString()
            let json = #"{"version": 1, "instance": "\#(instance)"}"#
            let container = try JSONDecoder().decode(VersionableContainer<Suitcase>.self, from: Data(json.utf8))
            #expect(container.instance == Suitcase(owner: "Ada", grams: 2000, tags: [:]))
        }
    }

    @Test("a part has its own chain, versions, steps and dropped fields, at its path")
    func traced() throws {
        let old = #"{"version": 1, "name": "Ada", "kilograms": 2, "lock": true}"#
        let new = #"{"version": 4, "owner": "Bob", "grams": 1, "tags": {}}"#
        let json = #"{"version": 1, "cabin": \#(container(4, new)), "hold": [\#(container(1, old))]}"#
        let trace = try chain.trace(json: json)
        #expect(trace.outcome == .migrated)
        #expect(trace.parts.map(\.path) == [.of("$.cabin"), .of("$.hold[0]")])
        #expect(trace.parts.map(\.instance) == [.of("$.cabin.instance"), .of("$.hold[0].instance")])
        #expect(trace.parts.map(\.outcome) == [.current, .migrated])
        let part = try #require(trace.parts.last)
        #expect(part.chain == "Suitcase")
        #expect(part.versions.count == 4)
        #expect(part.steps.map(\.to) == [.number(2), .number(3), .number(4)])
        #expect(compact(part.document) == compact(try Document(json: old)))
        #expect(compact(part.result)?.contains(#""owner":"Ada""#) == true)
        #expect(part.dropped.map(\.description) == ["$.lock"])
        #expect(
            trace.warnings == [
                .droppedInside(paths: [try #require(.of("$.hold[*].instance.lock"))], type: "Suitcase")
            ])
        #expect(try chain.check(json: json) == CheckResult(trace))
    }

    @Test("a part is written in its newest version, which then is current")
    func result() throws {
        let json = #"{"version": 1, "hold": [\#(container(3, #"{"name": "Ada", "grams": 2, "tags": {}}"#))]}"#
        let result = try #require(try chain.trace(json: json).result)
        #expect(result.root["hold"]?[0]?["version"]?.numberText == "4")
        #expect(chain.check(result, source: "again").outcome == .current)
    }

    @Test("a part counts as of the version that the container states, whatever the value inside says")
    func version() throws {
        let json =
            #"{"version": 1, "hold": [\#(container(3, #"{"version": 1, "name": "A", "grams": 2, "tags": {}}"#))]}"#
        let part = try #require(try chain.trace(json: json).parts.first)
        #expect(part.detection.version == .number(3))
        #expect(part.detection.path == nil)
        #expect(
            part.detection.attempts.map(\.reason) == [
                .otherVersionOfContainer(found: .number(3), expected: .number(4)), nil,
            ])
        #expect(part.steps.map(\.from) == [.number(3)])
    }

    @Test("a part that fails makes the whole fail at its path, with its own message")
    func failed() throws {
        let bad = container(1, #"{"version": 1, "name": "Ada", "kilograms": -2}"#)
        let json = #"{"version": 1, "hold": [\#(bad)]}"#
        #expect(throws: VersionedDecodingError.self) { try JSONDecoder().decode(Trip.self, from: Data(json.utf8)) }
        let trace = try chain.trace(json: json)
        #expect(trace.failure?.kind == .fieldNoLongerValid)
        #expect(trace.failure?.step == nil)
        let place = try #require(DocumentPath("$.hold[0].instance.kilograms"))
        #expect(trace.failure?.path == place)
        #expect(trace.failure?.culprit == .init(path: place, certain: false))
        #expect(trace.failure?.message == "A suitcase of no weight is no longer valid")
        #expect(trace.failure?.location?.column == 52)
        let part = try #require(trace.parts.first)
        #expect(part.failure?.culprit?.path.description == "$.kilograms")
        #expect(part.failure?.step == .init(from: .number(2), to: .number(3)))
        #expect(try chain.check(json: json) == CheckResult(trace))
    }

    @Test("a part that fails after its first step gives a check and a trace the same failure, with the missing key")
    func failedLater() throws {
        let pouch = #"{"version": 1, "pouch": \#(container(1, #"{"version": 1}"#))}"#
        let chain = MigrationChain(Bag.self)
        let trace = try chain.trace(json: pouch)
        #expect(trace.failure?.kind == .keyNotFound)
        #expect(trace.failure?.path?.description == "$.pouch.instance.size")
        #expect(trace.failure?.culprit == nil)
        #expect(trace.failure?.location?.column == 52)
        #expect(trace.parts.first?.failure?.step == .init(from: .number(2), to: .number(3)))
        #expect(try chain.check(json: pouch) == CheckResult(trace))
    }

    /// A bag that contains a payload whose closures require nothing.
    private struct Bag: VersionedCodable {
        var pouch: VersionableContainer<Pouch>

        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    private struct Pouch: Versionable {
        enum Version: Int, VersionType {
            case first = 1
            case second = 2
            case third = 3
        }

        var size: Int
        var version: Version

        static func migrate(to version: Version) -> Migration { .migrate { $0["color"] = "\(version)" } }
    }

    @Test("a part may hold something that is not a document at all")
    func malformed() throws {
        for version in [1, 4] {
            let json = #"{"version": 1, "hold": [\#(container(version, "{"))]}"#
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Trip.self, from: Data(json.utf8)) }
            let trace = try chain.trace(json: json)
            #expect(trace.failure?.kind == .dataCorrupted)
            #expect(trace.failure?.path?.description == "$.hold[0].instance")
            #expect(trace.failure?.culprit?.path.description == "$.hold[0].instance")
            #expect(trace.parts.map(\.outcome) == [.failed])
        }
        let notBase64 = try chain.trace(json: #"{"version": 1, "hold": [{"version": 1, "instance": "?"}]}"#)
        #expect(notBase64.failure?.path?.description == "$.hold[0].instance")
        #expect(notBase64.parts.isEmpty)
    }

    @Test("parts decode in an app as in a chain")
    func app() throws {
        let json = #"{"hold": [\#(container(1, #"{"version": 1, "name": "Ada", "kilograms": 2}"#))]}"#
        let trip = try JSONDecoder().decode(Trip.self, from: Data(json.utf8))
        #expect(trip.hold.map(\.instance) == [Suitcase(owner: "Ada", grams: 2000, tags: [:])])
        let again = try JSONDecoder().decode(Trip.self, from: JSONEncoder().encode(trip))
        #expect(again.hold.map(\.instance) == trip.hold.map(\.instance))
    }

    /// A payload chain with a container in it. The closures' result is decoded at the end.
    private struct Crate: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }

        var inside: VersionableContainer<Suitcase>
        var version: Version

        static func migrate(to version: Version) -> Migration {
            version == .new ? .migrate { $0["inside"] = $0.removeValue(forKey: "content") } : .none
        }
    }

    @Test("a part is found in a document that closures made")
    func insidePayload() throws {
        let chain = MigrationChain(Crate.self)
        let good = container(3, #"{"name": "Ada", "grams": 2, "tags": {}}"#)
        let trace = try chain.trace(json: #"{"version": 1, "content": \#(good)}"#)
        #expect(trace.parts.map(\.path) == [.of("$.inside")])
        #expect(trace.result?.root["inside"]?["version"]?.numberText == "4")

        let bad = container(3, #"{"grams": 2, "tags": {}}"#)
        let failed = try chain.trace(json: #"{"version": 1, "content": \#(bad)}"#)
        #expect(failed.failure?.step == .init(from: .number(1), to: .number(2)))
        #expect(failed.failure?.path?.description == "$.inside.instance.owner")
        #expect(failed.failure?.culprit?.certain != true)
        #expect(failed.failure?.location?.column == 54)
    }
}
