import DocumentModel

enum DocumentSample {
    static let decoder = DocumentDecoder()

    static func recipeV1() throws -> Document {
        try Document(json: #"{"version": 1, "name": "Toast", "portions": "2", "ingredients": ["bread"]}"#)
    }
}
