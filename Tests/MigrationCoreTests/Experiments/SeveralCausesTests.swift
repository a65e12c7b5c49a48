import DocumentModel
import Testing

@testable import MigrationCore

/// Failures that a change of either of two values removes.
@Suite("Failures that may have several causes")
struct SeveralCausesTests: MendSearching {
    private struct Route: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = RouteV1
        var country: String
        init(from old: RouteV1) throws {
            let longest = old.legs.max { $0.km < $1.km }?.from ?? ""
            guard let country = ["GOT": "Sweden", "ARN": "Sweden", "OSL": "Norway"][longest] else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.country], debugDescription: "No country has \(longest)"))
            }
            self.country = country
        }
    }

    private struct RouteV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Leg: Codable { var from: String, km: Double }
        var legs: [Leg]
    }

    @Test(
        "a value quoted in the message is reported along with those that decide whether it is checked",
        arguments: [" GOT", "GTO"])
    func lookedUp(from: String) throws {
        let found = try search(
            MigrationChain(Route.self),
            #"{"version": 1, "legs": [{"from": "\#(from)", "km": 135.3}, {"from": "ARN", "km": 99.95}]}"#)
        let places = found.map { [$0.path] + $0.others } ?? []
        #expect(places.contains(path("$.legs[0].from")))
        #expect(found?.certain == (places.count == 1))
    }

    private struct Trip: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = TripV1
        var legs: [String]
        init(from old: TripV1) throws {
            guard old.legs.count == old.legCount else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.legs], debugDescription: "There are not \(old.legCount) legs"))
            }
            legs = old.legs
        }
    }

    private struct TripV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var legCount: Int, legs: [String]
    }

    @Test("a list that the error names and the number it must agree with are both reported", arguments: [2, 4])
    func listAndCount(count: Int) throws {
        let found = try search(
            MigrationChain(Trip.self), #"{"version": 1, "legCount": \#(count), "legs": ["GOT", "ARN", "OSL"]}"#)
        #expect(found?.path == path("$.legs") && found?.others == [path("$.legCount")] && found?.certain == false)
    }

    private struct Sack: Versionable {
        enum Version: Int, VersionType {
            case v1 = 1
            case v2 = 2
        }
        var width: Int, height: Int
        var version: Version = Self.version

        static func migrate(to version: Version) -> Migration {
            guard version == .v2 else { return .none }
            return .migrate { payload in
                if (payload["width"] as? Int ?? 0) > (payload["height"] as? Int ?? 0) * 10 {
                    throw Refusal(description: "width: too flat")
                }
            }
        }
    }

    private struct Turned: Versionable {
        enum Version: Int, VersionType {
            case v1 = 1
            case v2 = 2
        }
        var width: Int, height: Int
        var version: Version = Self.version

        static func migrate(to version: Version) -> Migration {
            guard version == .v2 else { return .none }
            return .migrate { payload in
                let width = payload["width"]
                payload["width"] = payload["height"]
                payload["height"] = width
            }
        }
    }

    @Test("a value that a closure moves in place of another is blamed at its own path")
    func exchanged() throws {
        let found = try search(MigrationChain(Turned.self), #"{"version": 1, "width": 3, "height": true}"#) { trace in
            #expect(trace.failure?.culprit?.path == path("$.height") && trace.failure?.culprit?.certain == false)
        }
        #expect(found?.path == path("$.height") && found?.certain == true && found?.proof?.ending == .opens)
    }

    @Test("a value of another kind that does not decode is no proof, and a value wrapped in a list is examined")
    func wrapped() throws {
        let found = try search(MigrationChain(Sack.self), #"{"version": 1, "width": 41, "height": [20]}"#)
        let places = found.map { [$0.path] + $0.others } ?? []
        #expect(places.contains(path("$.height")))
        let passing = texts(found?.proof?.passing)
        #expect(!passing.contains("41"))
    }
}
