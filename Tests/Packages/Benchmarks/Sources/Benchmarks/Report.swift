import Foundation

/// Prints measurements as JSON or as a table, with each line printed as soon as it is known.
struct Report {
    let isJSON: Bool

    /// Measures the rows one after another.
    func measure(_ rows: [Row], extent: Extent) throws {
        if !isJSON { print(Self.columns(["row", "ratio", "measured", "over", "bytes", "count", "rounds"])) }
        var results: [[String: Any]] = []
        for row in rows {
            let measurement = try row.measure(extent)
            if isJSON {
                results.append(object(row, measurement))
            } else {
                print(line(row, measurement))
                fflush(nil)
            }
        }
        if isJSON {
            let data = try JSONSerialization.data(withJSONObject: results, options: [.prettyPrinted, .sortedKeys])
            print(String(decoding: data, as: UTF8.self))
        }
    }

    private func line(_ row: Row, _ measurement: Measurement) -> String {
        let rate =
            row.group == "parse"
            ? String(format: "  %.0f MB/s", Double(measurement.bytes ?? 0) / 1e6 / measurement.subject) : ""
        return Self.columns([
            row.name, String(format: "%.2f", measurement.ratio), Self.amount(measurement.subject, measurement.unit),
            Self.amount(measurement.reference, measurement.unit), measurement.bytes.map(String.init) ?? "",
            String(measurement.count),
            String(measurement.rounds),
        ]) + rate
    }

    private func object(_ row: Row, _ measurement: Measurement) -> [String: Any] {
        [
            "row": row.name, "compares": row.summary, "ratio": measurement.ratio, "measured": measurement.subject,
            "over": measurement.reference, "unit": measurement.unit.rawValue, "bytes": measurement.bytes ?? NSNull(),
            "count": measurement.count, "rounds": measurement.rounds,
        ]
    }

    /// Returns a row as printed by `--list`.
    static func line(_ row: Row) -> String { row.name.padding(toLength: 22, withPad: " ", startingAt: 0) + row.summary }

    /// Prints a message about an error to standard error.
    static func complain(_ message: String) {
        FileHandle.standardError.write(Data("Benchmarks: \(message)\n".utf8))
    }

    /// Aligns the first column to the left and the others to the right.
    private static func columns(_ texts: [String]) -> String {
        texts.enumerated().map { index, text in
            let padding = String(repeating: " ", count: max(0, (index == 0 ? 22 : 11) - text.count))
            return index == 0 ? text + padding : padding + text
        }.joined()
    }

    private static func amount(_ value: Double, _ unit: Measurement.Unit) -> String {
        switch unit {
        case .bytes: String(format: "%.1f MB", value / 1e6)
        case .seconds where value < 1e-3: String(format: "%.1f µs", value * 1e6)
        case .seconds where value < 1: String(format: "%.1f ms", value * 1e3)
        case .seconds: String(format: "%.2f s", value)
        }
    }
}
