import Foundation

/// The text of a date in an XML property list: ISO 8601 in UTC, to the second (with its fraction where it has one).
enum PropertyListDate {
    /// `2024-01-31T12:00:00Z`, and with a fraction `2024-01-31T12:00:00.25Z`.
    static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
        let fraction = seconds - whole
        guard fraction > 0 else { return text }
        return text.dropLast() + String(String(fraction).dropFirst()) + "Z"
    }
}
