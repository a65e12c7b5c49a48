import DocumentModel
import Foundation

extension Row {
    /// Parsing over JSONSerialization.
    static let parsingRows: [Row] = [
        parsing("2KB", "an order") { _ in
            var orders = Orders(seed: 2_000)
            return Data(orders.order(bytes: 2_000).utf8)
        },
        parsing("519KB", "an order") { extent in
            var orders = Orders(seed: 519_000)
            return Data(orders.order(bytes: extent(quick: 5_000, full: 519_000)).utf8)
        },
        parsing("106MB", "a Package.resolved") { extent in
            PackageResolved.text(pins: extent(quick: 100, full: 560_000))
        },
    ]

    private static func parsing(_ size: String, _ what: String, _ make: @escaping @Sendable (Extent) -> Data) -> Row {
        Row(name: "parse-\(size)", group: "parse", summary: "parsing \(what) over JSONSerialization") { extent in
            let data = make(extent)
            var measurement = try Comparison(extent).measure {
                use(try Document(parsing: SourceBytes(data)))
            } over: {
                use(try JSONSerialization.jsonObject(with: data))
            }
            measurement.bytes = data.count
            return measurement
        }
    }
}
