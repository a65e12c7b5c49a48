import Foundation

/// The text of a date in a property list: ISO 8601 in UTC, in seconds with an optional fraction. As in Foundation,
/// dates before the Gregorian calendar was introduced use that calendar too.
enum PropertyListDate {
    /// Returns `2024-01-31T12:00:00Z`, or `2024-01-31T12:00:00.25Z` with a fraction.
    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let text = text(wholeSeconds: whole)
        let fraction = seconds - whole
        guard fraction > 0 else { return text }
        // A fraction is less than 1. If it is very small, its shortest form may have an exponent.
        let digits =
            fraction < 1e-4
            ? fraction.formatted(.number.precision(.fractionLength(1...17)).locale(posix)) : "\(fraction)"
        return text.dropLast() + digits.dropFirst() + "Z"
    }

    /// Returns the date rounded down to a whole second, as in the XML format.
    static func text(wholeSeconds seconds: Double) -> String {
        // Beyond this, dates have no meaning, and the number of days might not fit in a machine word.
        let seconds = Int(max(-1e17, min(seconds.rounded(.down), 1e17)))
        let days = floorDivision(seconds, 86_400)
        let second = seconds - days * 86_400
        let (year, month, day) = civilDate(daysSinceReferenceDate: days)
        let yearText = year < 0 ? "-" + (-year).padded(to: 3) : year.padded(to: 4)
        let time = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(yearText)-\(month.padded(to: 2))-\(day.padded(to: 2))T\(time)Z"
    }

    /// Returns the date in `text`, with a year of at least four digits, two digits for everything else, and no
    /// fraction. Returns nil for any other text.
    static func date(_ text: some Sequence<UInt8>) -> Date? {
        var rest = Array(text)[...]
        let isBeforeChrist = rest.first == UInt8(ascii: "-")
        if isBeforeChrist { rest.removeFirst() }
        func number(until end: Character, digits: ClosedRange<Int>) -> Int? {
            let text = rest.prefix { $0.isDigit }
            rest = rest[text.endIndex...]
            guard digits.contains(text.count), rest.popFirst() == end.asciiValue else { return nil }
            return Int(String(decoding: text, as: UTF8.self))
        }
        guard let year = number(until: "-", digits: (isBeforeChrist ? 3 : 4)...10),
            let month = number(until: "-", digits: 2...2), (1...12).contains(month),
            let day = number(until: "T", digits: 2...2), (1...31).contains(day),
            let hour = number(until: ":", digits: 2...2), hour < 24,
            let minute = number(until: ":", digits: 2...2), minute < 60,
            // 60 is a leap second.
            let second = number(until: "Z", digits: 2...2), second <= 60, rest.isEmpty
        else { return nil }
        let days = daysSinceReferenceDate(year: isBeforeChrist ? -year : year, month: month, day: day)
        // A day that doesn't exist in the month would be converted to a day of the next month.
        guard civilDate(daysSinceReferenceDate: days) == (isBeforeChrist ? -year : year, month, day) else { return nil }
        return Date(timeIntervalSinceReferenceDate: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    private static let posix = Locale(identifier: "en_US_POSIX")

    // MARK: - Days
    //
    // Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil and civil_from_days. They
    // count years from March, so that the leap day is the last day of its year, in eras of 400 years or 146,097 days.

    /// The number of days from 0000-03-01 to 2001-01-01, Foundation's reference date.
    private static let referenceDay = 730_791

    private static func daysSinceReferenceDate(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = floorDivision(year, 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - referenceDay
    }

    private static func civilDate(daysSinceReferenceDate days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + referenceDay
        let era = floorDivision(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func floorDivision(_ value: Int, _ divisor: Int) -> Int {
        value >= 0 ? value / divisor : (value + 1) / divisor - 1
    }
}
