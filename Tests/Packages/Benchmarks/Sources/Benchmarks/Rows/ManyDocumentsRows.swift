import Baseline
import Foundation

extension Row {
    /// Whole runs of the inspector over many documents.
    static let manyDocumentsRows: [Row] = [
        Row(
            name: "folder", group: "many",
            summary: "check of a folder of 100,000 files of 2 KB over reading each and the baseline"
        ) { extent in
            let folder = try OrderFolder(extent)
            return try folder.measure(extent) {
                try InspectorProcess.run("check", "--format", "jsonl", folder.path)
            } over: {
                let decoder = JSONDecoder()
                let files = FileManager.default.enumerator(atPath: folder.path)
                while let name = files?.nextObject() as? String {
                    use(try decoder.open(Order.self, from: Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))))
                }
            }
        },
        Row(
            name: "folder-text", group: "many",
            summary: "check of that folder as text over the same as JSON Lines"
        ) { extent in
            let folder = try OrderFolder(extent)
            return try folder.measure(extent) {
                try InspectorProcess.run("check", folder.path)
            } over: {
                try InspectorProcess.run("check", "--format", "jsonl", folder.path)
            }
        },
        Row(
            name: "two-jobs", group: "many",
            summary: "check of that folder with two jobs over the same with one"
        ) { extent in
            let folder = try OrderFolder(extent)
            return try folder.measure(extent) {
                try InspectorProcess.run("check", "--jobs", "2", folder.path)
            } over: {
                try InspectorProcess.run("check", "--jobs", "1", folder.path)
            }
        },
        Row(
            name: "two-cores", group: "many",
            summary: "check of that folder with all there is over the same on one processor"
        ) { extent in
            let folder = try OrderFolder(extent)
            return try folder.measure(extent) {
                try InspectorProcess.run("check", folder.path)
            } over: {
                try InspectorProcess.run("check", folder.path, by: ["taskset", "--cpu-list", "0"])
            }
        },
        Row(
            name: "failing-text", group: "many",
            summary: "check of 50,000 documents that fail as text over the same as JSON Lines"
        ) { extent in
            let folder = try TemporaryFolder()
            var documents = FailingDocuments()
            let (count, bytes) = try folder.fill(extent(quick: 200, full: 50_000)) { documents.next() }
            let path = folder.path("")
            var measurement = try Comparison(extent).measure(isWarmedUp: false) {
                try InspectorProcess.run("check", path, status: 1)
            } over: {
                try InspectorProcess.run("check", "--format", "jsonl", path, status: 1)
            }
            (measurement.bytes, measurement.count) = (bytes, count)
            return measurement
        },
        Row(
            name: "lines", group: "many",
            summary: "check of a file of 1,000,000 small JSON Lines over reading it and the baseline"
        ) { extent in
            let folder = try TemporaryFolder()
            let count = extent(quick: 1_000, full: 1_000_000)
            let path = try folder.write(OrderLines.data(count), to: "orders.jsonl")
            var measurement = try Comparison(extent).measure(isWarmedUp: false) {
                try InspectorProcess.run("check", "--format", "jsonl", path)
            } over: {
                let decoder = JSONDecoder()
                for line in try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n")) {
                    use(try decoder.open(Order.self, from: line))
                }
            }
            measurement.bytes = try Data(contentsOf: URL(filePath: path)).count
            measurement.count = count
            return measurement
        },
    ]
}

/// Small orders of the first version, one on each line.
enum OrderLines {
    static func data(_ count: Int) -> Data {
        var orders = Orders(seed: 1_000_000)
        var data = Data()
        for _ in 0..<count { data.append(contentsOf: (orders.order(lines: 0) + "\n").utf8) }
        return data
    }
}

/// A folder of orders of 2 KB.
private struct OrderFolder {
    private let folder: TemporaryFolder
    private let size: (count: Int, bytes: Int)

    init(_ extent: Extent) throws {
        var orders = Orders(seed: 2_000)
        folder = try TemporaryFolder()
        size = try folder.fill(extent(quick: 200, full: 100_000)) { orders.order(bytes: 2_000) }
    }

    var path: String { folder.path("") }

    func measure(_ extent: Extent, _ subject: () throws -> Void, over reference: () throws -> Void) rethrows
        -> Measurement
    {
        var measurement = try Comparison(extent).measure(isWarmedUp: false, subject, over: reference)
        (measurement.count, measurement.bytes) = size
        return measurement
    }
}

extension TemporaryFolder {
    /// Writes `count` documents into separate files.
    func fill(_ count: Int, _ next: () -> String) throws -> (count: Int, bytes: Int) {
        var bytes = 0
        for index in 0..<count {
            let data = Data(next().utf8)
            bytes += data.count
            try write(data, to: "document-\(index).json")
        }
        return (count, bytes)
    }
}
