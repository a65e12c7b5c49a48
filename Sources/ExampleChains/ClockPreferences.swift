import MigrationCore

// The values that a clock keeps in its preferences: the examples of the migration guide of Defaults 5.

/// A time zone that the clock shows.
struct ClockTimeZone: Codable, Hashable {
    var id: String
    var name: String
}

/// How often the clock chimes.
enum ClockPeriod: String, Codable, Hashable {
    case tenMinutes = "10 Minutes"
    case halfHour = "30 Minutes"
    case oneHour = "1 Hour"
}

/// The same, as it was encoded by version 4; the shortest is gone.
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
    /// The keys of the clock, all of them native in version 5: the optional migrations are made too.
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
