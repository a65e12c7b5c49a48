import MigrationCore

/// A guest, recognized by shape.
public struct GuestV1: Codable { public var name: String, email: String }

public struct GuestV2: Codable { public var name: String, id: String }

/// A guest that falls back to older shapes.
public struct Guest: Encodable { public var name: String, id: String }

extension Guest: FallbackDecodable {
    public static let shapes = [
        FallbackShape(GuestV2.self) { Guest(name: $0.name, id: $0.id) },
        FallbackShape(GuestV1.self) { Guest(name: $0.name, id: $0.email) },
    ]
}

public struct Alarm: Codable, Hashable { public var hour: Int, chime: Chime }

public enum Chime: String, Codable, CaseIterable {
    case hourly = "1 Hour"
    case halfHourly = "30 Minutes"
}

/// Chains of all these types, which only the main actor may use.
public enum Chains {
    public static let wine = MigrationChain(Wine.self, notes: [2: "the vintage becomes a year"])
    public static let barrel = MigrationChain(Barrel.self, fields: { _ in PayloadFields(required: ["label"]) })
    public static let note = MigrationChain(Note.self)
    public static let guest = MigrationChain(
        named: "Guest list",
        shapes: ShapeVersions(GuestV1.self).then(GuestV2.self) { GuestV2(name: $0.name, id: $0.email) })
    public static let fallback = MigrationChain(fallback: Guest.self)
    public static let clock = MigrationChain(
        preferences: "Clock",
        keys: [
            StoredPreference("alarms", Set<Alarm>.self),
            StoredPreference("byRoom", [String: [Alarm]].self, storedAs: .native),
            StoredPreference("minutes", Int.self, from: Chime.self) { $0 == .hourly ? 60 : 30 },
        ])
    public static let all = [wine, barrel, note, guest, clock]
    public static let alarmData = JSONDataTransformer<Alarm>()
    public static let wineData = JSONDataTransformer<Wine>()
}
