import MigrationCore

/// Chains whose newest type has, or does not have, a field of their own where documents keep the version.
enum Billboard {
    struct Header: Codable { var format: Int? }

    struct HeaderFormat: VersionPathSpec {
        static var keyPathToVersion: KeyPath<Self, Int?> { \Self.header?.format }
        var header: Header?
        init(withVersion version: Int?) { header = Header(format: version) }
    }

    struct First: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        typealias VersionSpec = HeaderFormat
        var slogan: String
    }

    /// Its own field is the format of the paper.
    struct Clashing: VersionedCodable {
        struct Header: Codable { var format: String }
        static let version: Int? = 2
        typealias PreviousVersion = First
        typealias VersionSpec = HeaderFormat
        var slogan: String
        var header: Header
        init(from old: First) { (slogan, header) = (old.slogan, Header(format: "A4")) }
    }

    /// Another field in the object that has the version.
    struct Titled: VersionedCodable {
        struct Header: Codable { var title: String }
        static let version: Int? = 2
        typealias PreviousVersion = First
        typealias VersionSpec = HeaderFormat
        var slogan: String
        var header: Header
        init(from old: First) { (slogan, header) = (old.slogan, Header(title: old.slogan)) }
    }

    /// It ends the process if it is decoded from made-up values.
    struct Strict: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = First
        typealias VersionSpec = HeaderFormat
        var slogan: String
        init(from old: First) { slogan = old.slogan }

        private enum CodingKeys: CodingKey { case slogan }

        init(from decoder: any Decoder) throws {
            slogan = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .slogan)
            precondition(slogan.count > 1, "A slogan has letters")
        }
    }

    static let strict = MigrationChain(Strict.self, named: "Strict billboard")

    static let chains = [
        MigrationChain(Clashing.self, named: "Billboard"), MigrationChain(Titled.self, named: "Titled billboard"),
    ]
}
