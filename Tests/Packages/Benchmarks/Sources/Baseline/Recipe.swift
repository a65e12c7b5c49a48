import Foundation

/// A recipe as the app writes it today. Older ones are edited as dictionaries before they are decoded.
public struct Recipe: Codable, Sendable {
    public var version: Version
    public var title: String
    public var minutes: Int
    public var author: String
    public var ingredients: [Ingredient]
    public var steps: [String]
    public var tags: [String]

    public struct Ingredient: Codable, Sendable {
        public var name: String
        public var amount: Double
        public var unit: String
    }

    public enum Version: Int, Codable, CaseIterable, Comparable, Sendable {
        case v1 = 1
        case v2, v3, v4

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// Turns a recipe of the version before `version` into one of that version.
    public static func migrate(_ payload: inout [String: Any], to version: Version) {
        switch version {
        case .v1: break
        case .v2: payload["author"] = "Anonymous"
        case .v3:
            let ingredients = payload["ingredients"] as? [[String: Any]] ?? []
            payload["ingredients"] = ingredients.map { old in
                ["name": old["name"] ?? "", "amount": old["grams"] ?? 0, "unit": "g"]
            }
        case .v4: payload["tags"] = [String]()
        }
    }

    /// Returns a recipe of the first version, of about 3 KB.
    public static func text() -> String {
        let ingredients = (1...30).map { #"{"name":"Ingredient number \#($0)","grams":\#($0 * 25)}"# }
        let steps = (1...20).map { "\"Step \($0): stir until it is smooth, and wait for a while.\"" }
        return """
            {"version":1,"title":"A soup of many things","minutes":45,"ingredients":[\(ingredients.joined(separator: ","))],\
            "steps":[\(steps.joined(separator: ","))]}
            """
    }
}

extension JSONDecoder {
    /// Opens a recipe of any version as Versionable does: read the version, edit the dictionary that JSONSerialization
    /// makes, and decode what JSONSerialization writes.
    public func openRecipe(_ data: Data) throws -> Recipe {
        struct Stored: Decodable { var version: Recipe.Version }
        let stored = try decode(Stored.self, from: data).version
        if stored == .v4 { return try decode(Recipe.self, from: data) }
        guard var payload = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw UnsupportedVersion()
        }
        for version in Recipe.Version.allCases where version > stored {
            Recipe.migrate(&payload, to: version)
            payload["version"] = version.rawValue
        }
        return try decode(Recipe.self, from: JSONSerialization.data(withJSONObject: payload))
    }
}
