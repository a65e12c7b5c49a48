import MigrationInspector

/// A placard whose own field has the name of the version key.
struct Placard: VersionedCodable {
    var slogan: String
    var version: String

    static let version: Int? = 2
    typealias PreviousVersion = PlacardV1

    init(from old: PlacardV1) { (slogan, version) = (old.slogan, "draft") }
}

/// A placard before it had a field of its own for drafts.
struct PlacardV1: VersionedCodable {
    var slogan: String

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}
