import Foundation

extension Row {
    /// How long keys take until their screen is finished, over what a person does not notice.
    static let keyRows: [Row] = [
        row(
            "keys", "the 99th of 100 keys, while a document of 106 MB is traced and compared and after, over 16 ms",
            0.016
        ) {
            $0[min($0.count - 1, $0.count * 99 / 100)]
        },
        row("keys-worst", "the slowest of these keys over 50 ms", 0.05) { $0[$0.count - 1] },
    ]

    /// - Parameter choose: Takes one of the times, which are sorted.
    private static func row(
        _ name: String, _ summary: String, _ limit: Double, choose: @escaping @Sendable ([Double]) -> Double
    ) -> Row {
        Row(name: name, group: "keys", summary: summary) { extent in
            let folder = try TemporaryFolder()
            let data = PackageResolved.text(pins: extent(quick: 1_000, full: 560_000))
            let path = try folder.write(data, to: "Package.resolved.json")
            let times = try InspectorScreen.keyTimes(
                path, keys: [("?", "Keys and signs"), ("?", "all keys")],
                first: ["Documents", "all keys"],
                last: ["✓"], more: extent(quick: 4, full: 300))
            let time = choose(times.sorted())
            var measurement = Measurement(ratio: time / limit, subject: time, reference: limit, rounds: times.count)
            measurement.bytes = data.count
            return measurement
        }
    }
}
