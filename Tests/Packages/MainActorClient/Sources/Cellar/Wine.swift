import Foundation
import MigrationCore

/// A wine, as the app writes it today.
public struct Wine: Codable, Equatable {
    public var name: String
    public var year: Int
    public var grapes: [String]

    public init(name: String, year: Int, grapes: [String]) {
        self.name = name
        self.year = year
        self.grapes = grapes
    }
}

extension Wine: VersionedCodable {
    public static let version: Int? = 2
    public typealias PreviousVersion = WineV1

    public init(from old: WineV1) throws {
        guard let year = Int(old.vintage) else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.year], debugDescription: "'\(old.vintage)' is not a year"))
        }
        name = old.name
        self.year = year
        grapes = Pantry.shared.usualGrapes
    }
}

/// A wine as the first release wrote it.
public struct WineV1: Codable {
    public var name: String
    public var vintage: String
}

extension WineV1: VersionedCodable {
    public static let version: Int? = 1
    public typealias PreviousVersion = NothingEarlier
}

/// A note about a wine, whose version is not at the root.
public struct Note: Codable {
    public var text: String
}

extension Note: VersionedCodable {
    public static let version: Int? = 1
    public typealias PreviousVersion = NothingEarlier

    public struct VersionSpec: VersionPathSpec {
        public static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata.version
        public var metadata: Metadata
        public struct Metadata: Codable { public var version: Int? }
        public init(withVersion version: Int?) { metadata = Metadata(version: version) }
    }
}

/// State that only the main actor may use.
final class Pantry {
    static let shared = Pantry()
    var usualGrapes = ["unknown"]
}

/// The app's files.
public struct WineFile {
    public init() {}

    public func open(_ data: Data) throws -> Wine { try JSONDecoder().decode(versioned: Wine.self, from: data) }
    public func write(_ wine: Wine) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(versioned: wine)
    }
    public func note(_ data: Data) throws -> Note { try PropertyListDecoder().decode(versioned: Note.self, from: data) }
    public func write(_ note: Note) throws -> Data { try PropertyListEncoder().encode(versioned: note) }
}
