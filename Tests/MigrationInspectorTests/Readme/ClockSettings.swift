import Foundation
import MigrationCore
import Testing

private struct Alarm: Codable, Hashable {
    var hour: Int
    var minute: Int
}

private enum Chime: String, Codable {
    case hourly = "1 Hour"
    case halfHourly = "30 Minutes"
}

private let clockKeys = [
    StoredPreference("cities", [String].self),  // an array of strings
    StoredPreference("alarms", Set<Alarm>.self),  // an array of JSON strings, as Defaults 5 writes it
    StoredPreference("snoozed", [String: Alarm].self, storedAs: .native),  // dictionaries all the way down
    StoredPreference("next", Alarm.self),  // a JSON string in both versions
    StoredPreference("chime", Chime.self, storedAs: .native),  // the raw value
    StoredPreference("minutes", Int.self, from: Chime.self) { $0 == .hourly ? 60 : 30 },  // another type than it was
]
private let clock = MigrationChain(preferences: "Clock", keys: clockKeys)

private func migratePreferences(of app: UserDefaults) throws {
    let kept = try app.migrate(clockKeys)
    for (key, failure) in kept { print("\(key) is kept: \(failure.message)") }
}

@Suite("The README's examples of preferences")
struct ClockSettingsTests {
    @Test("the keys of a real UserDefaults are migrated, and a key that fails is kept")
    func userDefaults() throws {
        let app = "readme-\(UUID().uuidString)"
        let stored: [String: Any] = [
            "cities": #"["Berlin","Taipei"]"#, "alarms": #"[{"hour":7,"minute":30}]"#,
            "snoozed": #"{"late":{"hour":8,"minute":0}}"#, "next": #"{"hour":7,"minute":30}"#,
            "chime": #""2 Hours""#, "minutes": #""30 Minutes""#, "note": #"["no key of the clock"]"#,
        ]
        let defaults = try #require(UserDefaults(suiteName: app))
        defer { defaults.removePersistentDomain(forName: app) }
        defaults.setPersistentDomain(stored, forName: app)
        #expect(clock.newestVersion == .number(5))
        try migratePreferences(of: defaults)
        let values = try #require(defaults.persistentDomain(forName: app))
        #expect(values["cities"] as? [String] == ["Berlin", "Taipei"])
        #expect(values["alarms"] as? [String] == [#"{"hour":7,"minute":30}"#])
        #expect(values["snoozed"] as? [String: [String: Int]] == ["late": ["hour": 8, "minute": 0]])
        #expect(values["minutes"] as? Int == 30)
        for kept in ["next", "chime", "note"] { #expect(values[kept] as? String == stored[kept] as? String) }
    }
}
