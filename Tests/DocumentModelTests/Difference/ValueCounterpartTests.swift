import Testing

@testable import DocumentModel

@Suite("The value in another document that a value is followed to")
struct ValueCounterpartTests {
    private func counterpart(_ old: String, _ new: String, of path: String) throws -> ValueCounterpart? {
        let (old, new) = (try Document(json: old), try Document(json: new))
        let place = try #require(DocumentPath(path))
        let node = try #require(new.root.descendant(at: place))
        let difference = DocumentDifference(old: old.root, new: new.root)
        let found = difference.counterpart(ofNew: node)
        // The way back is the same.
        if let found {
            let other = try #require(old.root.descendant(at: found.path))
            let back = difference.counterpart(ofOld: other)
            #expect(back?.path == node.path && back?.grounds == found.grounds)
        }
        return found
    }

    private func pin(_ identity: String, _ location: String, _ version: String) -> String {
        #"{"identity": "\#(identity)", "kind": "remote", "location": "\#(location)", "state": {"version": "\#(version)"}}"#
    }

    @Test("an element is followed by its identity wherever it is")
    func identity() throws {
        let (moss, rose) = (pin("moss", "https://x/moss", "1.0.0"), pin("rose", "https://x/rose", "1.0.0"))
        let newer = pin("rose", "https://x/rose", "2.0.0")
        let fern = pin("fern", "https://x/fern", "3.0.0")
        for (news, path) in [
            ("[\(newer), \(moss)]", "$[0].state.version"), ("[\(newer)]", "$[0].state.version"),
            ("[\(fern), \(newer)]", "$[1].state.version"),
        ] {
            let found = try counterpart("[\(moss), \(rose)]", news, of: path)
            #expect(found?.path == DocumentPath("$[1].state.version"))
            #expect(found?.grounds == [.identity(member: "identity")])
        }
    }

    @Test("an element in the place of another with a different identity is not followed to it")
    func replaced() throws {
        let found = try counterpart(
            "[\(pin("moss", "https://x/moss", "1.0.0"))]", "[\(pin("rose", "https://x/rose", "1.0.0"))]",
            of: "$[0].kind")
        #expect(found == nil)
    }

    @Test("an element whose identity was renamed is likely the same if it keeps most of what it has")
    func renamedIdentity() throws {
        let found = try counterpart(
            "[\(pin("moss", "https://example.com/moss.git", "1.0.0"))]",
            "[\(pin("greenmoss", "https://example.com/moss.git", "1.0.0"))]", of: "$[0].state.version")
        #expect(found?.grounds == [.resemblance])
    }

    @Test("numbers between others are followed by position, and equal ones that occur twice too")
    func positions() throws {
        #expect(try counterpart("[1, 2, 3]", "[1, 5, 3]", of: "$[1]")?.grounds == [.position])
        #expect(try counterpart("[7, 7, 8]", "[7, 7, 9]", of: "$[0]")?.grounds == [.position])
        let aligned = try counterpart("[1000, 2000, 3000]", "[4000, 1000, 2000, 3000]", of: "$[2]")
        #expect(aligned?.path == DocumentPath("$[1]") && aligned?.grounds == [.alignment])
    }

    @Test("a renamed member and one that moved into an object are followed")
    func moves() throws {
        let renamed = try counterpart(
            #"{"a": {"title": "a long text"}}"#, #"{"a": {"name": "a long text"}}"#, of: "$.a.name")
        #expect(renamed?.grounds == [.renamed(from: "title", to: "name")])
        let moved = try counterpart(
            #"{"title": "a long text", "n": 1}"#, #"{"b": {"title": "a long text"}, "n": 1}"#, of: "$.b.title")
        #expect(moved?.path == DocumentPath("$.title"))
    }
}
