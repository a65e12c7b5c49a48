import Foundation
import MigrationCore

/// The same records under each kind of chain, to compare what is reported about them.
enum Shelf {
    enum Kind: String, Codable { case text, image, link }

    struct Item: Codable {
        var id: Int
        var kind: Kind
        var title: String
    }

    struct Typed: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var shelf: [Item]
    }

    struct Shaped: Codable { var shelf: [Item] }

    /// An older shape that reads less of a document.
    struct Bare: Codable { var rows: [String] }

    struct Edited {
        var shelf: [Item]
        var version: Version = Self.version
    }

    /// Rows of which a closure removes the last.
    struct Queue: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }
        struct Row: Codable {
            var gate: Int
            var seat: Int?
        }
        var rows: [Row]
        var version: Version = Self.version
        static func migrate(to version: Version) -> Migration {
            version == .new ? .migrate { $0["rows"] = ($0["rows"] as? [Any]).map { Array($0.dropLast()) } } : .none
        }
    }

    /// A list that must have as many elements as a number says.
    struct Trip: VersionedCodable {
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

    struct TripV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var legCount: Int
        var legs: [String]
    }

    /// A label decoded by shape. One of its shapes forgets a field.
    struct Label: Encodable { var name: String }

    struct Labeled: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var labels: [Label]
        var count: Int
    }

    /// A value with its own version, stored as bytes in a document. One of its steps forgets a field.
    struct Jar: Codable {
        var label: String
        var grams: Int
        var version: Version = Self.version
    }

    struct Pantry: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var jars: [VersionableContainer<Jar>]
    }

    struct Alarm: Codable {
        var hour: Int
        var minute: Int
        var label: String?
    }

    struct Minutes: Codable { var minutes: Int }

    static func minutes(_ alarm: Alarm) throws -> Minutes {
        guard (0..<24).contains(alarm.hour) else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [Field.hour], debugDescription: "A day has no hour \(alarm.hour)"))
        }
        return Minutes(minutes: alarm.hour * 60 + alarm.minute)
    }

    private enum Field: CodingKey { case hour }

    static var chains: [MigrationChain] {
        [
            MigrationChain(Typed.self, named: "typed"),
            MigrationChain(
                named: "shaped",
                shapes: ShapeVersions(Bare.self).then(Shaped.self) { _ in Shaped(shelf: []) }),
            MigrationChain(Edited.self, named: "edited", fields: { _ in PayloadFields(required: ["shelf"]) }),
            MigrationChain(Queue.self, named: "queue"),
            MigrationChain(Trip.self, named: "trip"),
            MigrationChain(Labeled.self, named: "labeled"),
            MigrationChain(Pantry.self, named: "pantry"),
            MigrationChain(
                preferences: "alarms",
                keys: [
                    StoredPreference("alarms", [Minutes].self, storedAs: .native, from: [Alarm].self) {
                        try $0.map(minutes)
                    },
                    StoredPreference("next", Minutes.self, storedAs: .native, from: Alarm.self) { try minutes($0) },
                    StoredPreference("names", [String].self, storedAs: .native),
                ]),
        ]
    }
}

extension Shelf.Edited: Versionable {
    enum Version: Int, VersionType {
        case v1 = 1
        case v2 = 2
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: .none
        case .v2: .migrate { payload in payload["shelf"] = payload.removeValue(forKey: "things") ?? payload["shelf"] }
        }
    }
}

extension Shelf.Jar: Versionable {
    enum Version: Int, VersionType {
        case v1 = 1
        case v2 = 2
        case v3 = 3
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: .none
        case .v2: .migrate { payload in payload["label"] = payload.removeValue(forKey: "name") }
        case .v3:
            .migrate { payload in
                _ = payload.removeValue(forKey: "lid")
                payload["grams"] = (payload.removeValue(forKey: "weight") as? Int ?? 0) * 10
            }
        }
    }
}

extension Shelf.Label: FallbackDecodable {
    private struct Today: Decodable { var name: String }
    private struct Older: Decodable { var label, note: String }

    static let shapes = [
        FallbackShape(Today.self) { Shelf.Label(name: $0.name) },
        FallbackShape(Older.self) { Shelf.Label(name: $0.label) },
    ]
}
