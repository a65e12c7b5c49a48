import DocumentModel
import MigrationCore
import Testing

@Suite("Words about impossible edits")
struct DocumentEditErrorWordsTests {
    @Test(
        "an impossible edit says what is wrong and where",
        arguments: [
            (#"{"operation": "remove", "path": "$.b"}"#, "$.b leads to nothing in the document that can be changed"),
            (
                #"{"operation": "rename", "path": "$.a", "value": "c"}"#,
                "there is a value at $.c already; a change can set it, or remove it first"
            ),
            (
                #"{"operation": "remove", "path": "$"}"#,
                "the whole document can be set, but not added, removed or renamed"
            ),
        ])
    func words(change: String, words: String) throws {
        let edit = try DocumentDecoder().decode(DocumentEdit.self, from: Document(json: change).root)
        let document = try Document(json: #"{"a": 1, "c": 2}"#)
        let error = #expect(throws: DocumentEditError.self) { try document.applying([edit]) }
        #expect(error?.description == words)
    }

    @Test("an edit that would nest too deeply states the limit")
    func depth() throws {
        let nest = try Document(json: String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        let edit = DocumentEdit.set(.root.appending(key: "a"), nest)
        let error = #expect(throws: DocumentEditError.self) { try Document(json: #"{"a": 1}"#).applying([edit]) }
        #expect(error?.description == "with the value at $.a the document would be nested deeper than 512 levels")
    }
}
