import Baseline
import DocumentModel
import Foundation
import MigrationCore

extension Row {
    /// The most memory that the inspector and its workers use at one moment, over the size of the document.
    static let memoryRows: [Row] = [
        memory("trace", "tracing an order with two steps", full: 50_000_000) { bytes in
            .inspector(order(bytes), ["trace"])
        },
        memory("unrecognized", "checking a document that belongs to no chain", full: 50_000_000) { bytes in
            .inspector(parcels(bytes), ["check"], status: 1)
        },
        memory("trace-pins", "tracing a Package.resolved with two steps", full: 106_000_000) { bytes in
            .inspector(PackageResolved.text(bytes: bytes), ["trace"])
        },
        memory("unrecognized-pins", "checking one that belongs to no chain", full: 111_000_000) { bytes in
            .inspector(#"{"file":\#(PackageResolved.text(bytes: bytes))}"#, ["check"], status: 1)
        },
    ]

    private static func order(_ bytes: Int) -> String {
        var orders = Orders(seed: 50)
        return orders.order(bytes: bytes)
    }

    private static func parcels(_ bytes: Int) -> String {
        var orders = Orders(seed: 51)
        return #"{"parcels":[\#(orders.order(bytes: bytes))]}"#
    }

    private static func memory(
        _ name: String, _ what: String, full: Int, _ make: @escaping @Sendable (Int) throws -> MeasuredProgram
    ) -> Row {
        Row(
            name: "memory-\(name)", group: "memory",
            summary: "peak memory of the processes \(what) over the document's size"
        ) { extent in
            let folder = try TemporaryFolder()
            let program = try make(extent(quick: 100_000, full: full))
            let paths = try program.documents.enumerated().map { index, document in
                try folder.write(document, to: "document\(index).json")
            }
            let peaks = try (0..<extent(quick: 1, full: 3)).map { _ in
                try InspectorProcess.peakMemory(program.words + paths, status: program.status)
            }.sorted()
            let (peak, size) = (Double(peaks[peaks.count / 2]), Double(program.size))
            return Measurement(
                ratio: peak / size, subject: peak, reference: size, unit: .bytes, rounds: peaks.count,
                bytes: program.size)
        }
    }
}

/// A program to start, with its documents.
private struct MeasuredProgram {
    /// The arguments before the documents.
    var words: [String] = []
    let documents: [Data]
    /// The exit status that the documents should give.
    var status: Int32 = 0
    /// The size of the document that the memory is compared to, in bytes.
    let size: Int

    static func inspector(_ text: String, _ words: [String], status: Int32 = 0) -> MeasuredProgram {
        MeasuredProgram(words: words, documents: [Data(text.utf8)], status: status, size: text.utf8.count)
    }
}
