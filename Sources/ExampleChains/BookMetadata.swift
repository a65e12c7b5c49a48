import Foundation
import MigrationCore

/// A book's metadata, as stored in the rows of a database: whether the book is active, and whether it was deleted.
struct BookMetadataV1: Codable {
    var active: Bool
    var deleted: Bool?

    /// Returns the same metadata with an unknown date, since none was recorded.
    func undated() throws -> BookMetadataV2 {
        guard deleted != true else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.deleted], debugDescription: "A deleted book keeps no metadata"))
        }
        return BookMetadataV2(active: active, createdAt: nil)
    }
}

/// Metadata with the creation date, if that is known. The key always exists.
struct BookMetadataV2: Codable {
    var active: Bool
    var createdAt: Date?

    enum CodingKeys: CodingKey { case active, createdAt }

    /// Null is written explicitly, so that the key distinguishes this shape from the previous one.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(active, forKey: .active)
        try container.encode(createdAt, forKey: .createdAt)
    }
}
