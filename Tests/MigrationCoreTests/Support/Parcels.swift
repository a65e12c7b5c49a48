import MigrationCore

// A chain whose version key moved from `_version` to `version`, and from there into `label`.

struct Parcel: VersionedCodable {
    var weight: Double

    static let version: Int? = 3
    typealias PreviousVersion = ParcelV2

    struct VersionSpec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.label.documentVersion
        var label: Label
        struct Label: Codable { var documentVersion: Int? }
        init(withVersion version: Int?) { label = Label(documentVersion: version) }
    }

    init(from old: ParcelV2) { weight = old.weight }
}

struct ParcelV2: VersionedCodable {
    var weight: Double

    static let version: Int? = 2
    typealias PreviousVersion = ParcelV1

    init(from old: ParcelV1) { weight = Double(old.grams) / 1000 }
}

struct ParcelV1: VersionedCodable {
    var grams: Int

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier

    struct VersionSpec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self._version
        var _version: Int?
        init(withVersion version: Int?) { _version = version }
    }
}
