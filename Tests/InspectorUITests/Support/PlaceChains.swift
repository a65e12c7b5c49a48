import DocumentModel
import Foundation
import MigrationCore

/// Chains with steps that find a field no longer valid, one for each place where such a field can be.
enum PlaceChains {
    private static func refuse(_ path: [any CodingKey], _ words: String) -> VersionedDecodingError {
        .fieldNoLongerValid(.init(codingPath: path, debugDescription: words))
    }

    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { "Index \(intValue ?? 0)" }
        init(_ index: Int) { intValue = index }
        init?(intValue: Int) { self.init(intValue) }
        init?(stringValue: String) { nil }
    }

    // MARK: Types

    struct Film: VersionedCodable {
        var title: String
        var grade: String
        static let version: Int? = 2
        typealias PreviousVersion = FilmV1

        init(from old: FilmV1) throws {
            guard (0...5).contains(old.stars) else {
                throw refuse([CodingKeys.grade], "\(old.stars) stars are no grade")
            }
            (title, grade) = (old.title, old.stars > 3 ? "good" : "bad")
        }
    }

    struct FilmV1: VersionedCodable {
        var title: String
        var stars: Int
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    struct Shelf: VersionedCodable {
        struct Item: Codable { var label: String, weight: Double }
        var items: [Item]
        static let version: Int? = 2
        typealias PreviousVersion = ShelfV1

        init(from old: ShelfV1) throws {
            items = try old.items.enumerated().map { index, item in
                guard let weight = Double(item.weight) else {
                    throw refuse(
                        [CodingKeys.items, Index(index), ShelfV1.Item.CodingKeys.weight],
                        "'\(item.weight)' is no number")
                }
                return Item(label: item.label, weight: weight)
            }
        }
    }

    struct ShelfV1: VersionedCodable {
        struct Item: Codable {
            var label: String, weight: String
            enum CodingKeys: CodingKey { case label, weight }
        }
        var items: [Item]
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    enum Color: String, Codable { case red, green }
    enum OldColor: String, Codable { case red, green, mauve }

    struct Shirt: VersionedCodable {
        var size: Int, color: Color
        static let version: Int? = 2
        typealias PreviousVersion = ShirtV1

        init(from old: ShirtV1) throws {
            guard let color = Color(rawValue: old.color.rawValue) else {
                throw refuse([CodingKeys.color], "the color \(old.color.rawValue) is gone")
            }
            (size, self.color) = (old.size, color)
        }
    }

    struct ShirtV1: VersionedCodable {
        var size: Int, color: OldColor
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    struct Stay: VersionedCodable {
        var nights: Int
        static let version: Int? = 2
        typealias PreviousVersion = StayV1

        init(from old: StayV1) throws {
            guard old.from <= old.until else { throw refuse([], "from \(old.from) is behind until \(old.until)") }
            nights = old.until - old.from
        }
    }

    struct StayV1: VersionedCodable {
        var guest: String, from: Int, until: Int
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    // MARK: Closures

    struct Pot: Versionable {
        enum Version: Int, VersionType {
            case v1 = 1
            case v2, v3, v4
        }
        let version: Version
        var label: String, grams: Double

        static func migrate(to version: Version) -> Migration {
            switch version {
            case .v1: .none
            case .v2:
                .migrate { payload in
                    guard let ounces = payload["ounces"] as? Double, ounces > 0 else {
                        throw refuse([Key("ounces")], "a pot is not empty")
                    }
                }
            case .v3:
                .migrate { payload in
                    for (index, lid) in (payload["lids"] as? [[String: Any]] ?? []).enumerated()
                    where lid["size"] as? Int == 0 {
                        throw refuse([Key("lids"), Index(index), Key("size")], "a lid has a size")
                    }
                }
            case .v4:
                .migrate { payload in
                    guard let ounces = payload["ounces"] as? Double, ounces < 100 else {
                        throw refuse([Key("ounces")], "a pot is not that heavy")
                    }
                    payload["grams"] = ounces * 28
                    payload["ounces"] = nil
                }
            }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    struct Trip: VersionedCodable {
        var name: String
        var pots: [VersionableContainer<Pot>]
        var spare: [String: VersionableContainer<Pot>]?
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    // MARK: Fallbacks

    struct Person: Codable { var name: String, mail: String }
    struct PersonV2: Codable { var name: String, mail: String }
    struct PersonV1: Codable { var name: String, contact: String }

    struct Crew: Codable { var title: String, people: [Person] }
    struct Fleet: Encodable { var title: String, lead: Person }
    struct FleetV2: Codable { var title: String, lead: Person }
    struct FleetV1: Codable { var name: String, lead: Person }

    static let person = MigrationChain(fallback: Person.self)
    static let crew = MigrationChain(named: "Crew", shapes: ShapeVersions(Crew.self))
    static let fleet = MigrationChain(fallback: Fleet.self)

    // MARK: Preferences

    struct Alarm: Codable { var hour: Int, label: String? }
    struct NewAlarm: Codable { var minutes: Int }
    private enum AlarmField: CodingKey { case hour }

    private static func minutes(_ alarm: Alarm) throws -> NewAlarm {
        guard (0..<24).contains(alarm.hour) else { throw refuse([AlarmField.hour], "a day has no hour \(alarm.hour)") }
        return NewAlarm(minutes: alarm.hour * 60)
    }

    static let alarms = MigrationChain(
        preferences: "Alarms",
        keys: [
            StoredPreference("alarms", [NewAlarm].self, storedAs: .native, from: [Alarm].self) { try $0.map(minutes) },
            StoredPreference("next", NewAlarm.self, storedAs: .native, from: Alarm.self) { try minutes($0) },
        ])
}

extension PlaceChains.Person: FallbackDecodable {
    static let shapes = [
        FallbackShape(PlaceChains.PersonV2.self) { PlaceChains.Person(name: $0.name, mail: $0.mail) },
        FallbackShape(PlaceChains.PersonV1.self) { old in
            guard old.contact.contains("@") else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.mail], debugDescription: "'\(old.contact)' is no address"))
            }
            return PlaceChains.Person(name: old.name, mail: old.contact)
        },
    ]
    private enum CodingKeys: CodingKey { case mail }
}

extension PlaceChains.Fleet: FallbackDecodable {
    static let shapes = [
        FallbackShape(PlaceChains.FleetV2.self) { PlaceChains.Fleet(title: $0.title, lead: $0.lead) },
        FallbackShape(PlaceChains.FleetV1.self) { PlaceChains.Fleet(title: $0.name, lead: $0.lead) },
    ]
}
