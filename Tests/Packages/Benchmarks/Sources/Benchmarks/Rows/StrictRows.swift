import Foundation

extension Row {
    /// The time to find out what migrations lose, over checking the same documents.
    static let strictRows: [Row] =
        sizes.map { size in
            row("clean-\(size.name)", "\(size.count) orders of \(size.name), which lose nothing") {
                var orders = Orders(seed: 4_000)
                return try $0.fill($1(quick: 2, full: size.count)) { orders.order(bytes: size.bytes) }
            }
        }
        + sizes.map { size in
            row("lossy-\(size.name)", "\(size.count) baskets of \(size.name), whose lines lose a field", status: 1) {
                var orders = Orders(seed: 4_000)
                return try $0.fill($1(quick: 2, full: size.count)) { orders.basket(bytes: size.bytes) }
            }
        } + [
            lockRow("lock", "an object by name") { LockFile.text(packages: $0) },
            lockRow("lock-list", "a list") { LockFile.text(listing: $0) },
        ]

    private static let sizes: [(name: String, count: Int, bytes: Int)] = [
        ("4KB", 300, 4_000), ("20KB", 60, 20_000), ("519KB", 3, 519_000),
    ]

    private static func lockRow(_ name: String, _ kind: String, _ text: @escaping @Sendable (Int) -> String) -> Row {
        row(name, "a lock file of 575 KB with 512 packages, \(kind), which lose their dependencies", status: 1) {
            let packages = $1(quick: 8, full: 512)
            return try $0.fill(1) { text(packages) }
        }
    }

    /// - Parameters:
    ///   - status: The exit status for the losses.
    ///   - fill: A closure that writes the documents.
    private static func row(
        _ name: String, _ documents: String, status: Int32 = 0,
        _ fill: @escaping @Sendable (TemporaryFolder, Extent) throws -> (count: Int, bytes: Int)
    ) -> Row {
        Row(name: "strict-\(name)", group: "strict", summary: "check --strict of \(documents), over check") { extent in
            let folder = try TemporaryFolder()
            let (count, bytes) = try fill(folder, extent)
            let path = folder.path("")
            var measurement = try Comparison(extent, fewestRounds: 5).measure(isWarmedUp: false) {
                try InspectorProcess.run("check", "--strict", path, status: status)
            } over: {
                try InspectorProcess.run("check", path)
            }
            (measurement.bytes, measurement.count) = (bytes, count)
            return measurement
        }
    }
}
