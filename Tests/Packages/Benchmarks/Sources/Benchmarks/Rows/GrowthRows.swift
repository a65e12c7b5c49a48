import Baseline
import DocumentModel
import Foundation
import MigrationCore

extension Row {
    /// The time for twice the size over the time for the size: 2 for linear cost, 4 for quadratic cost.
    static let growthRows: [Row] = [
        growth("bytes", "bytes of one string", of: "trace with all diffs", extents: (10_000, 4_000_000)) { count in
            var orders = Orders(seed: 1)
            return traced(Data(orders.order(lines: 1, note: String(repeating: "x", count: count)).utf8))
        },
        growth("keys", "keys of one object", of: "trace with all diffs", extents: (500, 500_000)) { count in
            let keys = (0..<count).map { #""key \#($0)":\#($0)"# }
            return traced(
                Data(
                    #"{"version":1,"number":1,"placed":"","customer":"","city":"","lines":[],\#(keys.joined(separator: ","))}"#
                        .utf8))
        },
        growth("elements", "elements of an array", of: "trace with all diffs", extents: (100, 20_000)) { count in
            var orders = Orders(seed: 2)
            return traced(Data(orders.order(lines: count).utf8))
        },
        // Foundation's decoders, and therefore this project, stop at 512.
        growth("depth", "levels", of: "parsing and diff", extents: (60, 250)) { count in
            let (old, new) = (nested("1", count), nested("2", count))
            return {
                let before = try Document(parsing: SourceBytes(old))
                let after = try Document(parsing: SourceBytes(new))
                use(DocumentDifference(old: before.root, new: after.root))
            }
        },
        Row(name: "growth-documents", group: "growth", summary: "check of twice as many documents over once as many") {
            extent in
            let folder = try TemporaryFolder()
            let count = extent(quick: 500, full: 100_000)
            let once = try folder.write(OrderLines.data(count), to: "once.jsonl")
            let twice = try folder.write(OrderLines.data(2 * count), to: "twice.jsonl")
            var measurement = try Comparison(extent).measure(isWarmedUp: false) {
                try InspectorProcess.run("check", "--format", "jsonl", twice)
            } over: {
                try InspectorProcess.run("check", "--format", "jsonl", once)
            }
            measurement.count = count
            return measurement
        },
    ]

    private static func growth(
        _ name: String, _ what: String, of work: String, extents: (quick: Int, full: Int),
        _ make: @escaping @Sendable (Int) -> () throws -> Void
    ) -> Row {
        Row(name: "growth-\(name)", group: "growth", summary: "\(work) of twice as many \(what) over once as many") {
            extent in
            let count = extent(quick: extents.quick, full: extents.full)
            var measurement = try Comparison(extent).measure(make(2 * count), over: make(count))
            measurement.count = count
            return measurement
        }
    }

    private static func traced(_ data: Data) -> () -> Void {
        let chain = MigrationChain(Order.self)
        return { for step in chain.trace(data).steps { use(step.difference) } }
    }

    private static func nested(_ leaf: String, _ depth: Int) -> Data {
        Data((String(repeating: "[", count: depth) + leaf + String(repeating: "]", count: depth)).utf8)
    }
}
