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
            row("codable-limit", "a decoder that parses nothing over the baseline") { data in
                let tree = try ReadyTree(data)
                return { use(try tree.open(Order.self)) }
            },
            row("trace-limit", "the same, and an encoder that keeps nothing for every step, over the baseline") {
                data in
                let tree = try ReadyTree(data)
                return { use(try tree.open(Order.self) { try $0.encode(to: DiscardingEncoder()) }) }
            },
            row(
                "trace-diffs-limit",
                "the same, with all bytes of both documents of every step read once and room written for each place of "
                    + "the diff, over the baseline"
            ) { data in
                let tree = try ReadyTree(data)
                let steps = MigrationChain(Order.self).trace(data).steps.compactMap(ComparedBytes.init)
                return {
                    use(try tree.open(Order.self) { try $0.encode(to: DiscardingEncoder()) })
                    for step in steps { use(step.compare()) }
                }
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

/// The texts of the two documents of a step, for the work that no comparison can avoid: bytes that are read, and
/// entries that are written.
private struct ComparedBytes {
    private let old: [UInt64]
    private let new: [UInt64]
    private let placeCount: Int

    init?(_ step: MigrationStep) {
        guard let before = step.before, let after = step.after, let difference = step.difference else { return nil }
        old = Self.words(of: before)
        new = Self.words(of: after)
        placeCount = difference.nodeCount
    }

    private static func words(of document: Document) -> [UInt64] {
        let bytes = Array(JSONWriter().data(document.root)) + [UInt8](repeating: 0, count: 7)
        return (0..<bytes.count / 8).map { word in
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self) }
        }
    }

    /// The size of a difference's entry in bytes: DocumentModel's `DifferenceEntry`.
    private static let placeLength = 32

    /// Returns the number of words that differ, and the entries.
    func compare() -> (Int, Data) {
        let shared = min(old.count, new.count)
        var count = 0
        for index in 0..<shared where old[index] != new[index] { count += 1 }
        for word in (old.count > new.count ? old : new)[shared...] where word != 0 { count += 1 }
        return (count, Data(repeating: UInt8(truncatingIfNeeded: count), count: placeCount * Self.placeLength))
    }
}
