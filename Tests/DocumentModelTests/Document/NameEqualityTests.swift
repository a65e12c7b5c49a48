import DocumentModel
import Testing

@Suite("Equality of names")
struct NameEqualityTests {
    private let composed = "\u{E9}"
    private let decomposed = "e\u{301}"

    @Test("an object with é spelled in two ways has two members, in any order")
    func membersOfAnObject() throws {
        let one = try Document(json: "{\"\(composed)\": 1, \"\(decomposed)\": 2, \"x\": 3}")
        let same = try Document(json: "{\"x\": 3, \"\(decomposed)\": 2, \"\(composed)\": 1}")
        let other = try Document(json: "{\"x\": 3, \"\(decomposed)\": 1, \"\(composed)\": 2}")
        #expect(one == same)
        #expect(one != other)
    }

    @Test("paths to é spelled in two ways are two paths")
    func paths() {
        let paths: Set = [DocumentPath([.key(composed)]), DocumentPath([.key(decomposed)])]
        #expect(paths.count == 2)
        #expect(!DocumentPath([.key(composed), .index(1)]).hasPrefix(DocumentPath([.key(decomposed)])))
    }

    @Test("a JSON Pointer escapes / and ~ even under an accent")
    func jsonPointer() throws {
        let path = DocumentPath([.key("/\u{338}~\u{301}")])
        #expect(path.jsonPointer.unicodeScalars.elementsEqual("/~1\u{338}~0\u{301}".unicodeScalars))
        #expect(try #require(DocumentPath(jsonPointer: path.jsonPointer)) == path)
    }
}
