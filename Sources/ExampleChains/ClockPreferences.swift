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

extension [PreferenceKey] {
    /// The keys of the clock, all of them native in version 5: the optional migrations are made too.
    static let clock = [
        PreferenceKey("arrayString", [String].self),
        PreferenceKey("setString", Set<String>.self),
        PreferenceKey("dictionaryStringInt", [String: Int].self),
        PreferenceKey("dictionaryStringIntInArray", [[String: Int]].self),
        PreferenceKey("TimeZone", ClockTimeZone.self, storedAs: .native),
        PreferenceKey("period", ClockPeriod.self, storedAs: .native, from: CodableClockPeriod.self) {
            try $0.toNative()
        },
        PreferenceKey("arrayTimezone", [ClockTimeZone].self, storedAs: .native),
        PreferenceKey("setTimezone", Set<ClockTimeZone>.self, storedAs: .native),
        PreferenceKey("arrayPeriod", [ClockPeriod].self, storedAs: .native),
        PreferenceKey("setPeriod", Set<ClockPeriod>.self, storedAs: .native),
        PreferenceKey("dictionaryTimezone", [String: ClockTimeZone].self, storedAs: .native),
        PreferenceKey("dictionaryPeriod", [String: ClockPeriod].self, storedAs: .native),
    ]
}
