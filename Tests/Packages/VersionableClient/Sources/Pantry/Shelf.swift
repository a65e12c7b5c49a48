import Foundation
import MigrationCore

/// A tree of values, some of which have separate versions.
public struct Shelf: Codable {
    public let first: VersionableContainer<Jar>
    public let spice: VersionableContainer<Spice>?
    public let more: [String: [VersionableContainer<Jar>]]

    public init(first: Jar, spice: Spice? = nil, more: [String: [Jar]] = [:]) {
        self.first = .init(instance: first)
        self.spice = spice.flatMap { VersionableContainer(instance: $0) }
        self.more = more.mapValues { $0.map { VersionableContainer(instance: $0) } }
    }
}

/// Reads any type that has versions.
public struct Store<Thing: Versionable> {
    private let decoder = VersionableDecoder()

    public init() {}

    public func thing(in data: Data, decoder json: JSONDecoder = JSONDecoder()) throws -> Thing {
        try decoder.decode(Thing.self, from: data, usingDecoder: json)
    }

    public var newest: Thing.Version { Thing.version }

    public func isNewest(_ thing: Thing) -> Bool { thing.version == Thing.version }
}
