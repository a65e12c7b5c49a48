import Foundation

extension Row {
    /// The most memory that the inspector and its workers hold at one moment, over the size of its document.
    static let memoryRows: [Row] = [
        memory("trace", "tracing an order with two steps", full: 50_000_000) { bytes in
            var orders = Orders(seed: 50)
            return (orders.order(bytes: bytes), ["trace"], 0)
        },
        memory("unrecognized", "checking a document that belongs to no chain", full: 50_000_000) { bytes in
            var orders = Orders(seed: 51)
            return (#"{"parcels":[\#(orders.order(bytes: bytes))]}"#, ["check"], 1)
        },
        memory("trace-pins", "tracing a Package.resolved with two steps", full: 106_000_000) { bytes in
            (PackageResolved.text(bytes: bytes), ["trace"], 0)
        },
        memory("unrecognized-pins", "checking one that belongs to no chain", full: 111_000_000) { bytes in
            (#"{"file":\#(PackageResolved.text(bytes: bytes))}"#, ["check"], 1)
        },
    ]

    private static func memory(
        _ name: String, _ what: String, full: Int,
        _ make: @escaping @Sendable (Int) -> (text: String, command: [String], status: Int32)
    ) -> Row {
        Row(
            name: "memory-\(name)", group: "memory",
            summary: "peak memory of the processes \(what) over the document's size"
        ) { extent in
            let folder = try TemporaryFolder()
            let (text, command, status) = make(extent(quick: 100_000, full: full))
            let path = try folder.write(Data(text.utf8), to: "document.json")
            let peaks = try (0..<extent(quick: 1, full: 3)).map { _ in
                try InspectorProcess.peakMemory(command[0], path, status: status)
            }.sorted()
            let (peak, size) = (Double(peaks[peaks.count / 2]), Double(text.utf8.count))
            return Measurement(
                ratio: peak / size, subject: peak, reference: size, unit: .bytes, rounds: peaks.count,
                bytes: text.utf8.count)
        }
    }
}
