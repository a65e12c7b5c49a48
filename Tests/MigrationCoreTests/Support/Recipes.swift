import DocumentModel
import MigrationCore

// A chain that can fail in many ways: five versions, a step that renames, one that reorders, one that refuses.

/// A recipe, as of version 4.
struct Recipe: VersionedCodable {
    var title: String
    var serves: Int
    var ingredients: [Ingredient]
    var source: Source?

    struct Ingredient: Codable {
        var name: String
        var grams: Double?
    }

    struct Source: Codable {
        var book: String
        var page: Int
    }

    static let version: Int? = 4
    typealias PreviousVersion = RecipeV3

    init(from old: RecipeV3) throws {
        guard old.servings > 0 else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.serves], debugDescription: "A recipe for nobody is no longer valid"))
        }
        for (position, ingredient) in old.ingredients.enumerated() where ingredient.isEmpty {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(
                    codingPath: [CodingKeys.ingredients, PathCodingKey(index: position)],
                    debugDescription: "An ingredient without a name is no longer valid"))
        }
        title = old.title
        serves = old.servings
        ingredients = old.ingredients.map { Ingredient(name: $0) }
    }
}

/// A recipe without the heading that version 2 put first among the ingredients.
struct RecipeV3: VersionedCodable {
    var title: String
    var servings: Int
    var ingredients: [String]

    static let version: Int? = 3
    typealias PreviousVersion = RecipeV2

    init(from old: RecipeV2) {
        title = old.title
        servings = old.servings
        ingredients = Array(old.ingredients.dropFirst())
    }
}

struct RecipeV2: VersionedCodable {
    var title: String
    var servings: Int
    var ingredients: [String]

    static let version: Int? = 2
    typealias PreviousVersion = RecipeV1

    init(from old: RecipeV1) throws {
        guard let servings = Int(old.portions) else {
            throw RecipeError.noNumber(field: "portions", text: old.portions)
        }
        title = old.name
        self.servings = servings
        ingredients = ["Ingredients:"] + old.ingredients
    }
}

enum RecipeError: Error, CustomStringConvertible {
    case noNumber(field: String, text: String)

    var description: String {
        switch self {
        case .noNumber(let field, let text): "\(field) is '\(text)', which is no number"
        }
    }
}

struct RecipeV1: VersionedCodable {
    var name: String
    var portions: String
    var ingredients: [String]

    static let version: Int? = 1
    typealias PreviousVersion = UnversionedRecipe

    init(from old: UnversionedRecipe) throws {
        name = old.name ?? "Untitled"
        portions = "1"
        ingredients = old.ingredients ?? []
    }
}

struct UnversionedRecipe: VersionedCodable {
    var name: String?
    var ingredients: [String]?

    static let version: Int? = nil
    typealias PreviousVersion = NothingEarlier
}
