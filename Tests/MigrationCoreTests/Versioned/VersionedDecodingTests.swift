import Foundation
import MigrationCore
import Testing

@Suite("Decoding versioned types")
struct VersionedDecodingTests {
    @Test("an error of Foundation's decoder is passed on unchanged")
    func foundationErrors() {
        #expect {
            try JSONDecoder().decode(versioned: Recipe.self, from: Data(#"{"version": 3, "title": "x"}"#.utf8))
        } throws: { error in
            guard case DecodingError.keyNotFound(let key, _) = error else { return false }
            return key.stringValue == "servings"
        }
    }

    @Test("malformed data gives an error of Foundation too")
    func malformed() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(versioned: Recipe.self, from: Data("{".utf8))
        }
    }

    @Test("a closure that returns the wrong type causes an error, not a crash")
    func wrongTypeReturned() {
        #expect(throws: DecodingError.self) {
            let _: Recipe = try Recipe.decodeTransparently(from: Data()) { type, _ in
                if type == Recipe.self { return 1 }
                return VersionKeyAtRootVersionPathSpec(withVersion: 4)
            }
        }
    }

    @Test("a document of any version is read only by the app's decoder, which may allow JSON5", arguments: [1, 4])
    func appsDecoder(version: Int) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let fields = version == 1 ? "name: 'Toast', portions: '2'" : "title: 'Toast', serves: +2"
        let json = "{version: \(version), /* in JSON5 */ \(fields), ingredients: [],}"
        let recipe = try decoder.decode(versioned: Recipe.self, from: Data(json.utf8))
        #expect(recipe.title == "Toast" && recipe.serves == 2)
    }

    @Test("each kind of version path is read once")
    func readOnce() throws {
        var reads: [String] = []
        let data = Data(#"{"version": 1, "name": "x", "portions": "2", "ingredients": []}"#.utf8)
        let recipe: Recipe = try Recipe.decodeTransparently(from: data) { type, data in
            reads.append("\(type)")
            return try JSONDecoder().decode(type, from: data)
        }
        #expect(recipe.serves == 2)
        #expect(reads == ["VersionKeyAtRootVersionPathSpec", "RecipeV1"])
    }

    @Test("a type that names itself as its previous version does not cause an endless loop")
    func circle() {
        struct Circle: VersionedCodable {
            static let version: Int? = 1
            typealias PreviousVersion = Circle
            init(from old: Circle) { self = old }
        }
        #expect(throws: VersionedDecodingError.self) {
            try JSONDecoder().decode(versioned: Circle.self, from: Data(#"{"version": 2}"#.utf8))
        }
    }

    @Test("a document is decoded directly, without a detour through text")
    func documents() throws {
        let document = try DocumentSample.recipeV1()
        #expect(try DocumentSample.decoder.decode(versioned: Recipe.self, from: document.root).title == "Toast")
    }
}
