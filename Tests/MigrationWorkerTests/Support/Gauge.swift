import MigrationCore

/// A document whose two versions have the same required fields, with a step that refuses nearly all values.
struct Gauge: VersionedCodable {
    static let version: Int? = 2
    typealias PreviousVersion = GaugeV1
    var gaugeLabel: String, pressure: String, unit: String?

    init(from old: GaugeV1) throws {
        guard old.pressure.hasPrefix("§7 ") else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.pressure], debugDescription: "no gauge shows that"))
        }
        (gaugeLabel, pressure) = (old.gaugeLabel, old.pressure)
    }

    static let chain = MigrationChain(Gauge.self, named: "gauge")
}

struct GaugeV1: VersionedCodable {
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
    var gaugeLabel: String, pressure: String
}
