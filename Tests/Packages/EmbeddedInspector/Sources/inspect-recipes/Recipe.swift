import MigrationInspector

/// A recipe as the app writes it today.
struct Recipe: VersionedCodable {
    var title: String
    var servings: Int

    static let version: Int? = 2
    typealias PreviousVersion = RecipeV1

    init(from old: RecipeV1) throws {
        title = old.name
        guard let number = old.serves.split(separator: " ").compactMap({ Int($0) }).first else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.servings], debugDescription: "'\(old.serves)' says no number"))
        }
        servings = number
    }
}

/// A recipe as the first release wrote it.
struct RecipeV1: VersionedCodable {
    var name: String
    var serves: String

    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
}
