import Testing

@testable import DocumentModel

@Suite("Selectors of values")
struct DocumentSelectorTests {
    @Test(
        "a selector is read back as it was printed",
        arguments: [
            "$", "$.pins[3].state", "$.pins[identity=swift-log].state.version", "$['a b']['c d'='e ]']", "$.a[id=7]",
        ])
    func law(text: String) throws {
        #expect(try #require(DocumentSelector(text)).description == text)
    }

    @Test(
        "a text that is no selector is refused", arguments: ["", "pins", "$.a[id]", "$.a[=1]", "$.a[id=", "$.a[id=]"])
    func wrong(text: String) { #expect(DocumentSelector(text) == nil) }

    @Test("an element is selected by the value of a member, unless several have it")
    func matching() throws {
        let document = try Document(json: #"{"l": [{"id": 1, "k": "a"}, {"id": 2, "k": "a"}, {"id": "x", "k": true}]}"#)
        func path(_ selector: String) throws -> String {
            switch try #require(DocumentSelector(selector)).match(in: document.root) {
            case .found(let node): "\(node.path)"
            case .missing: "missing"
            case .several(let count): "several \(count)"
            }
        }
        #expect(try path("$.l['1'].k") == "$.l[1].k" && path("$.l.2") == "$.l[2]" && path("$.l.3") == "missing")
        #expect(try path("$.l[id=2].k") == "$.l[1].k" && path("$.l[id=x]") == "$.l[2]")
        #expect(
            try path("$.l[k=true]") == "$.l[2]" && path("$.l[id=3]") == "missing" && path("$.l[k=a]") == "several 2")
    }

    @Test("the selector of a value has the identities of its elements")
    func identities() throws {
        let document = try Document(json: #"{"l": [{"id": 1, "t": ["a"]}, {"id": 2, "t": ["b"]}]}"#)
        let path = try #require(DocumentPath("$.l[1].t[0]"))
        let node = try #require(document.root.descendant(at: path))
        #expect(DocumentSelector(of: node).description == "$.l[id=2].t[0]" && DocumentSelector(of: node).hasPositions)
    }
}
