import Foundation
import MigrationCore

/// A book's metadata, as it is stored in the rows of a database: whether the book is active, and whether it was
/// deleted.
struct BookMetadataV1: Codable {
    var active: Bool
    var deleted: Bool?

    /// The same with a date, which was not recorded.
    func undated() throws -> BookMetadataV2 {
        guard deleted != true else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.deleted], debugDescription: "A deleted book keeps no metadata"))
        }
        return BookMetadataV2(active: active, createdAt: nil)
    }
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
