import MigrationCore

// The values that a clock keeps in its preferences. These are the examples of the migration guide for Defaults 5.

/// A time zone that the clock shows.
struct ClockTimeZone: Codable, Hashable {
    var id: String
    var name: String
}

/// The interval at which the clock chimes.
enum ClockPeriod: String, Codable, Hashable {
    case tenMinutes = "10 Minutes"
    case halfHour = "30 Minutes"
    case oneHour = "1 Hour"
}

/// The interval as encoded by version 4. The shortest interval no longer exists.
enum CodableClockPeriod: String, Codable {
    case fiveMinutes = "5 Minutes"
    case tenMinutes = "10 Minutes"
    case halfHour = "30 Minutes"
    case oneHour = "1 Hour"

    func toNative() throws -> ClockPeriod {
        guard let period = ClockPeriod(rawValue: rawValue) else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [], debugDescription: "A period of \(rawValue) is no longer valid"))
        }
        return period
    }
}

extension [StoredPreference] {
    /// The keys of the clock. All of them are native in version 5, so the optional migrations are made as well.
    static let clock = [
        StoredPreference("arrayString", [String].self),
        StoredPreference("setString", Set<String>.self),
        StoredPreference("dictionaryStringInt", [String: Int].self),
        StoredPreference("dictionaryStringIntInArray", [[String: Int]].self),
        StoredPreference("TimeZone", ClockTimeZone.self, storedAs: .native),
        StoredPreference("period", ClockPeriod.self, storedAs: .native, from: CodableClockPeriod.self) {
            try $0.toNative()
        },
        StoredPreference("arrayTimezone", [ClockTimeZone].self, storedAs: .native),
        StoredPreference("setTimezone", Set<ClockTimeZone>.self, storedAs: .native),
        StoredPreference("arrayPeriod", [ClockPeriod].self, storedAs: .native),
        StoredPreference("setPeriod", Set<ClockPeriod>.self, storedAs: .native),
        StoredPreference("dictionaryTimezone", [String: ClockTimeZone].self, storedAs: .native),
        StoredPreference("dictionaryPeriod", [String: ClockPeriod].self, storedAs: .native),
    ]
}
