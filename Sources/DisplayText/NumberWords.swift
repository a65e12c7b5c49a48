import Foundation

/// Formats numbers for people.
package enum NumberWords {
    /// Returns a count with separators, such as `1,204`.
    package static func grouped(_ number: Int) -> String {
        guard number.magnitude >= 1000 else { return String(number) }
        return grouped(number / 1000) + "," + String(format: "%03d", (number % 1000).magnitude)
    }

    /// Returns a number with at most six digits, such as `0.25` or `1.5e+12`.
    package static func brief(_ number: Double) -> String { String(format: "%.6g", number) }

    /// Returns a duration with a unit, such as `0.12 ms` or `3.4 s`.
    package static func seconds(_ seconds: Double) -> String {
        guard seconds.isFinite else { return "" }
        return switch seconds {
        case ..<0.0000995: "\(rounded(seconds * 1_000_000, places: 0)) \u{B5}s"
        case ..<0.00995: "\(rounded(seconds * 1000, places: 2)) ms"
        case ..<0.995: "\(rounded(seconds * 1000, places: 0)) ms"
        default: "\(rounded(seconds, places: 1)) s"
        }
    }

    private static func rounded(_ number: Double, places: Int) -> String { String(format: "%.\(places)f", number) }
}
