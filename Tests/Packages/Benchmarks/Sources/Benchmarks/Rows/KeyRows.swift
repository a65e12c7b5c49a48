import Foundation

extension Row {
    /// The time that keys take until their screen is finished, over a time that a user doesn't notice.
    static let keyRows: [Row] = [
        row(
            "keys", "the 99th of 100 keys, while a document of 106 MB is traced and compared and after, over 16 ms",
            0.016
        ) {
            $0[min($0.count - 1, $0.count * 99 / 100)]
        },
        row("keys-worst", "the slowest of these keys over 50 ms", 0.05) { $0[$0.count - 1] },
    ]

    /// Opens and closes the list of keys.
    private static let help: [InspectorScreen.Key] = [
        .init(bytes: "?", answer: .stands("Keys and signs")), .init(bytes: "?", answer: .isGone("Keys and signs")),
    ]

    /// The keys of a user who looks at a migrated document: from change to change in a step, through its lines, in both
    /// diff styles, to the next step and back.
    private static let walk: [InspectorScreen.Key] =
        [.init(bytes: "\t", answer: .stands("• Step"))]
        + ["n", "n", "j", "j", "d", "n", "j", "d", "n", "k", "G", "g"].map { .init(bytes: $0, answer: .anything) }
        + [
            .init(bytes: rightArrow, answer: .stands("Step 2")), .init(bytes: leftArrow, answer: .stands("Step 1")),
            .init(bytes: backTab, answer: .stands("• Documents")),
        ] + help

    // The bytes that xterm sends.
    private static let (rightArrow, leftArrow, backTab) = ("\u{1B}OC", "\u{1B}OD", "\u{1B}[Z")

    /// - Parameter choose: Selects one of the sorted times.
    private static func row(
        _ name: String, _ summary: String, _ limit: Double, choose: @escaping @Sendable ([Double]) -> Double
    ) -> Row {
        Row(name: name, group: "keys", summary: summary) { extent in
            let folder = try TemporaryFolder()
            let data = PackageResolved.text(pins: extent(quick: 1_000, full: 560_000))
            let path = try folder.write(data, to: "Package.resolved.json")
            let times = try InspectorScreen.keyTimes(
                path, first: ["Documents", "all keys"], last: ["✓"], more: extent(quick: 16, full: 300),
                whileBusy: help, whileIdle: walk)
            let time = choose(times.sorted())
            var measurement = Measurement(ratio: time / limit, subject: time, reference: limit, rounds: times.count)
            measurement.bytes = data.count
            return measurement
        }
    }
}
