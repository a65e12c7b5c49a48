import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Which of several fields is blamed")
struct BlamedFieldTests: MendSearching {
    fileprivate struct Lamp: Codable {
        var watts: Int, hours: [Int], version: Version

        enum Version: Int, VersionType {
            case one = 1
            case two
        }
    }

    fileprivate struct House: Codable {
        var name: String, number: Int, keeper: Keeper, lamp: VersionableContainer<Lamp>, version: Version

        struct Keeper: Codable { var since: Int }
        enum Version: Int, VersionType {
            case one = 1
            case two
        }
    }

    @Test("fields that are decoded before a container of a chain of closures are not blamed for it")
    func beforeContainer() throws {
        let lamp = Data(#"{"version": 2, "watts": null, "hours": [6]}"#.utf8).base64EncodedString()
        let text = """
            {"version": 1, "name": "Dale", "number": 9, "keeper": {"since": 2019},
             "lamp": {"version": 2, "instance": "\(lamp)"}}
            """
        let found = try search(MigrationChain(House.self), text)
        #expect(found?.path == path("$.lamp.instance.watts") && found?.others == [])
    }

    private struct Ledger: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = LedgerV1
        var ownerInitials: String, ownerName: String, rooms: [String], isOpen: Bool
        init(from old: LedgerV1) {
            (ownerInitials, ownerName) = (String(old.owner.prefix(1)), old.owner)
            (rooms, isOpen) = (old.rooms, old.flags > 0)
        }
    }

    private struct LedgerV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var owner: String, rooms: [String], flags: Int
    }

    @Test(
        "a name like a missing one is not proved to be the cause if the document opens as the version of that name",
        arguments: ["", #", "colour": "red""#])
    func olderName(extra: String) throws {
        let text = #"{"version": 2, "owner": "Mia", "rooms": ["r"], "flags": 13\#(extra)}"#
        let found = try search(MigrationChain(Ledger.self), text)
        // A field that no version knows leaves open which one it is.
        if extra.isEmpty {
            #expect(found?.path == path("$.version") && found?.certain == true)
        } else {
            #expect(found?.path == path("$.owner") && found?.certain == false)
        }
    }

    fileprivate struct Station: Codable {
        var name: String, range: [String: Double], version: Version

        enum Version: Int, VersionType {
            case one = 1
            case two
        }
    }

    @Test(
        "each of two values that a closure compares is blamed, also if one is not a number", arguments: [false, true])
    func comparedKinds(limit: Bool) throws {
        let text = #"{"version": 1, "name": "West", "min": 4.5, "max": \#(limit)}"#
        // The names that an author declares say nothing about types.
        let declared = MigrationChain(
            Station.self, fields: { _ in PayloadFields(required: ["name"], optional: ["min", "max", "range"]) })
        for chain in [MigrationChain(Station.self), declared] {
            let found = try search(chain, text)
            #expect(found.map { Set([$0.path] + $0.others) } == [path("$.min"), path("$.max")])
        }
    }

    fileprivate struct Alarms: Codable {
        var alarms: [[String: Double]], version: Version

        enum Version: Int, VersionType {
            case one = 1
            case two
        }
    }

    @Test("a member that a closure asks for is blamed before the one that makes it ask")
    func missingMember() throws {
        let text = #"{"version": 1, "alarms": [{"kind": "above", "at": 3}, {"kind": "above"}]}"#
        let found = try search(MigrationChain(Alarms.self), text)
        #expect(found?.path == path("$.alarms[1].at"))
        // Nothing says what the missing member is called.
        let alone = #"{"version": 1, "alarms": [{"kind": "silent"}, {"kind": "above"}]}"#
        #expect(try search(MigrationChain(Alarms.self), alone)?.certain == false)
        // The name is wrong itself, and refused as any other that is not known.
        let unknown = #"{"version": 1, "alarms": [{"kind": "silent"}, {"kind": "abov"}]}"#
        let wrong = try search(MigrationChain(Alarms.self), unknown)
        #expect(wrong?.path == path("$.alarms[1].kind") && wrong?.certain == true)
    }

    fileprivate struct Sensors: Codable {
        var sensors: [String], version: Version

        enum Version: Int, VersionType {
            case one = 1
            case two
        }
    }

    @Test("a member that the message of a closure names is missing from an element, and not the list from the document")
    func missingInList() throws {
        let text = #"{"version": 1, "sensors": [{"at": 3}]}"#
        let declared = MigrationChain(Sensors.self, fields: { _ in PayloadFields(required: ["sensors"]) })
        for chain in [MigrationChain(Sensors.self), declared] {
            let found = try search(chain, text)
            #expect(found?.path == path("$.sensors[0].id") && found?.certain == true)
        }
    }
}

extension BlamedFieldTests.Lamp: Versionable {
    static func migrate(to version: Version) -> Migration { .none }
}

extension BlamedFieldTests.House: Versionable {
    static func migrate(to version: Version) -> Migration {
        version == .two ? .migrate { $0["name"] = $0["name"] ?? "none" } : .none
    }
}

extension BlamedFieldTests.Station: Versionable {
    static func migrate(to version: Version) -> Migration {
        guard version == .two else { return .none }
        return .migrate { payload in
            let low = payload.removeValue(forKey: "min") as? Double ?? 0
            let high = payload.removeValue(forKey: "max") as? Double ?? 100
            guard low < high else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [PathCodingKey("range")], debugDescription: "The range is empty"))
            }
            payload["range"] = ["low": low, "high": high]
        }
    }
}

extension BlamedFieldTests.Alarms: Versionable {
    static func migrate(to version: Version) -> Migration {
        guard version == .two else { return .none }
        return .migrate { payload in
            payload["alarms"] = try (payload["alarms"] as? [[String: Any]] ?? []).map { alarm -> [String: Double] in
                guard let kind = alarm["kind"] as? String else { throw Refusal(description: "an alarm needs a kind") }
                if kind == "silent" { return [:] }
                guard kind == "above" || kind == "below" else { throw Refusal(description: "no alarm is \(kind)") }
                guard let at = alarm["at"] as? Double else { throw Refusal(description: "\(kind) needs a number") }
                return [kind: at]
            }
        }
    }
}

extension BlamedFieldTests.Sensors: Versionable {
    static func migrate(to version: Version) -> Migration {
        guard version == .two else { return .none }
        return .migrate { payload in
            payload["sensors"] = try (payload["sensors"] as? [[String: Any]] ?? []).map { sensor -> String in
                guard let id = sensor["id"] as? String else {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(codingPath: [PathCodingKey("sensors")], debugDescription: "a sensor has no id"))
                }
                return id
            }
        }
    }
}
