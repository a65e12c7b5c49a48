import Foundation
import MigrationCore

/// A book's metadata, as it is stored in the rows of a database: whether the book is active.
struct BookMetadataV1: Codable {
    var active: Bool
}

/// And when it was created, if that is known: the key is there in any case.
struct BookMetadataV2: Codable {
    var active: Bool
    var createdAt: Date?

    enum CodingKeys: CodingKey { case active, createdAt }

    /// Null is written, so that the key tells this shape from the one before.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(active, forKey: .active)
        try container.encode(createdAt, forKey: .createdAt)
    }
}
