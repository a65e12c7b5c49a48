import Foundation
import MigrationCore

/// Documents from which the app reads more than it writes, for each kind of chain.
enum Notebook {
    struct Row: Codable { var id: Int, text: String }

    /// A row, or nil if it does not decode.
    private struct Lenient: Decodable {
        var row: Row?
        init(from decoder: any Decoder) { row = try? Row(from: decoder) }
    }

    /// The content that all kinds share.
    struct Page: Codable {
        var title: String
        var price: Double
        var rows: [Row]
        var tags: [String] = []

        private enum CodingKeys: String, CodingKey { case title, price, rows, tags }

        init(title: String, price: Double, rows: [Row]) { (self.title, self.price, self.rows) = (title, price, rows) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            title = try container.decode(String.self, forKey: .title)
            price = try container.decode(Double.self, forKey: .price)
            rows = try container.decode([Lenient].self, forKey: .rows).compactMap(\.row)
            tags = (try? container.decode([String].self, forKey: .tags)) ?? []
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(title, forKey: .title)
            try container.encode(price.rounded(), forKey: .price)
            try container.encode(rows, forKey: .rows)
        }
    }

    struct Typed: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = Older
        var page: Page
        init(from old: Older) { page = Page(title: old.heading, price: 0, rows: []) }
    }

    struct Older: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var heading: String
    }

    struct Shaped: Codable { var page: Page }

    struct Edited: Codable {
        var page: Page
        var version: Version = Self.version
    }

    static var chains: [MigrationChain] {
        [
            MigrationChain(Typed.self, named: "typed notebook"),
            MigrationChain(Typed.self, named: "intended notebook", intendedLosses: [2: ["$.page.tags"]]),
            MigrationChain(named: "shaped notebook", shapes: ShapeVersions(Shaped.self)),
            MigrationChain(Edited.self, named: "edited notebook"),
            MigrationChain(Priced.self, named: "priced notebook"),
            MigrationChain(Released.self, named: "released notebook"),
            MigrationChain(Sided.self, named: "sided notebook"),
            MigrationChain(Stamped.self, named: "stamped notebook"),
        ]
    }

    /// A document of which the app reads more than it writes, from few possible values.
    struct Sided: VersionedCodable {
        enum Side: String, Codable { case left, right }

        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var caption: String
        var side: Side
        var isBound: Bool

        private enum CodingKeys: String, CodingKey { case caption, side, isBound }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(caption, forKey: .caption)
        }
    }

    /// A document that a closure gives values that the newest version does not read: a constant, another form of a value
    /// that is also kept, and the only form of one that is not.
    struct Stamped: Codable {
        var caption: String
        var version: Version = Self.version
    }

    /// A document whose version is two numbers. Minor versions below 5 are the same.
    struct Released: VersionedCodable {
        struct Numbers: VersionPathSpec {
            static let keyPathToVersion: KeyPath<Self, Int?> = \Self.version
            var major: Int?
            var minor: Int?
            var version: Int? { major.map { 100 * $0 + ((minor ?? 0) < 5 ? 0 : 5) } }
            init(withVersion version: Int?) { (major, minor) = (version.map { $0 / 100 }, version.map { $0 % 100 }) }
        }

        static let version: Int? = 405
        typealias PreviousVersion = Draft
        typealias VersionSpec = Numbers
        var heading: String
        init(from old: Draft) { heading = old.headline }
    }

    struct Draft: VersionedCodable {
        static let version: Int? = 400
        typealias PreviousVersion = NothingEarlier
        typealias VersionSpec = Released.Numbers
        var headline: String
    }

    /// A document whose price has a different name in each version. The last step leaves the previous name in place.
    struct Priced: Codable {
        var score: Double
        var version: Version = Self.version
    }
}

extension Notebook.Priced: Versionable {
    enum Version: Int, VersionType {
        case v1 = 1
        case v2, v3
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: .none
        case .v2: .migrate { $0["amount"] = $0.removeValue(forKey: "price") }
        case .v3: .migrate { $0["score"] = $0["amount"] }
        }
    }
}

extension Notebook.Stamped: Versionable {
    enum Version: Int, VersionType {
        case v1 = 1
        case v2 = 2
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: .none
        case .v2:
            .migrate { payload in
                let name = payload.removeValue(forKey: "inscription") as? String ?? ""
                payload["caption"] = name
                payload["label"] = name.uppercased()
                payload["stamp"] = "moved"
                if let price = payload.removeValue(forKey: "price") as? Double { payload["cents"] = price * 100 }
            }
        }
    }
}

extension Notebook.Edited: Versionable {
    enum Version: Int, VersionType {
        case v1 = 1
        case v2 = 2
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: .none
        case .v2: .migrate { payload in payload["page"] = payload.removeValue(forKey: "sheet") ?? payload["page"] }
        }
    }
}
