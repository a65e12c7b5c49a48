import Baseline
import DocumentModel
import Foundation
import MigrationCore

extension Row {
    /// One order at each of four sizes, opened in each way, over the baseline.
    static let documentRows: [Row] =
        [
            row("check", "an order's outcome over the baseline") { data in
                let chain = MigrationChain(Order.self)
                return { use(chain.check(data)) }
            },
            row("trace", "an order's trace over the baseline") { data in
                let chain = MigrationChain(Order.self)
                return { use(chain.trace(data)) }
            },
            row("trace-diffs", "an order's trace and the diff of every step over the baseline") { data in
                let chain = MigrationChain(Order.self)
                return { for step in chain.trace(data).steps { use(step.difference) } }
            },
            row("decode", "decode(versioned:) of an order over the baseline") { data in
                let decoder = JSONDecoder()
                return { use(try decoder.decode(versioned: Order.self, from: data)) }
            },
        ].flatMap(\.self) + [versionable]

    private static let versionable = Row(
        name: "versionable-3KB", group: "versionable",
        summary: "VersionableDecoder's decode of a recipe of four versions over the same with JSONSerialization"
    ) { extent in
        let data = Data(Recipe.text().utf8)
        let (decoder, versionable) = (JSONDecoder(), VersionableDecoder())
        var measurement = try Comparison(extent).measure {
            use(try versionable.decode(Recipe.self, from: data))
        } over: {
            use(try decoder.openRecipe(data))
        }
        measurement.bytes = data.count
        return measurement
    }

    private static func row(
        _ group: String, _ summary: String, _ prepare: @escaping @Sendable (Data) throws -> () throws -> Void
    ) -> [Row] {
        [("276B", 276), ("2KB", 2_000), ("20KB", 20_000), ("519KB", 519_000)].map { name, size in
            Row(name: "\(group)-\(name)", group: group, summary: summary, isQuick: size <= 2_000) { extent in
                var orders = Orders(seed: UInt64(size))
                let data = Data(orders.order(bytes: size).utf8)
                let subject = try prepare(data)
                let decoder = JSONDecoder()
                _ = try decoder.open(Order.self, from: data)
                var measurement = try Comparison(extent).measure(subject) {
                    use(try decoder.open(Order.self, from: data))
                }
                measurement.bytes = data.count
                return measurement
            }
        }
    }
}
