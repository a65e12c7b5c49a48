import Baseline
import Foundation

extension Row {
    /// A store with an order of 2 KB in each of 100,000 cells, over SQLite, Foundation and the baseline.
    static let storeRows: [Row] = [
        Row(
            name: "store-check", group: "store",
            summary: "check of a store of 100,000 cells of 2 KB over selecting each and the baseline"
        ) { extent in
            let store = try OrderStore(extent)
            return try store.measure(extent) {
                try InspectorProcess.run("check", "--format", "jsonl", store.path)
            } over: {
                let decoder = JSONDecoder()
                try SQLiteFile(store.path).readAll { _, data in use(try decoder.open(Order.self, from: data)) }
            }
        },
        Row(
            name: "store-migrate", group: "store",
            summary:
                "migrate --no-experiments of that store over copying it, the baseline, JSONEncoder and an update of "
                + "each cell"
        ) { extent in
            let store = try OrderStore(extent)
            return try store.measure(extent) {
                store.folder.remove("migrated.sqlite")
                try InspectorProcess.run(
                    "migrate", "--no-experiments", "--output", store.folder.path("migrated.sqlite"), store.path)
            } over: {
                let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
                try store.copy { try encoder.encode(decoder.open(Order.self, from: $0)) }
            }
        },
    ]
}

private struct OrderStore {
    let folder: TemporaryFolder
    private let count: Int

    init(_ extent: Extent) throws {
        folder = try TemporaryFolder()
        count = extent(quick: 200, full: 100_000)
        var orders = Orders(seed: 205)
        try SQLiteFile(path).fill(count) { orders.order(bytes: 2_000) }
    }

    var path: String { folder.path("orders.sqlite") }

    /// Copies the store, and replaces each cell with the result of `change`.
    func copy(_ change: (Data) throws -> Data) throws {
        folder.remove("copy.sqlite")
        let copy = folder.path("copy.sqlite")
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let (source, target) = (try SQLiteFile(path), try SQLiteFile(copy))
        try target.update { update in
            try source.readAll { key, data in try update(key, change(data)) }
        }
    }

    func measure(_ extent: Extent, _ subject: () throws -> Void, over reference: () throws -> Void) throws
        -> Measurement
    {
        var measurement = try Comparison(extent).measure(isWarmedUp: false, subject, over: reference)
        measurement.count = count
        measurement.bytes =
            try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
        return measurement
    }
}
