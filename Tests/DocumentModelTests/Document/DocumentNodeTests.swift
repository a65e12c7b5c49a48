import Testing

@testable import DocumentModel

@Suite("Navigation in a document")
struct DocumentNodeTests {
    private let document = try? Document(json: #"{"a": [1, {"b": null}, []], "a": {}, "c": "x"}"#)

    @Test("children have their names, positions and neighbors")
    func children() throws {
        let root = try #require(document).root
        #expect(root.children.map { $0.key?.string } == ["a", "a", "c"])
        #expect(root.children.map(\.ordinal) == [0, 1, 2])
        let first = try #require(root.firstChild)
        #expect(first.value.children.map { $0.key?.string } == [nil, nil, nil])
        #expect(first.value.children.map(\.component) == [.index(0), .index(1), .index(2)])
        #expect(first.next?.next?.value.string == "x" && first.next?.next?.next == nil)
        #expect(first.value.firstChild?.next?.next?.next == nil)
        #expect(first.next?.value.firstChild == nil && first.value.firstChild?.value.firstChild == nil)
        #expect(root.key == nil && root.count == 3 && first.value.count == 3 && first.next?.value.count == 0)
    }

    @Test("nodes are in reading order, including names, and are found again by their identities")
    func nodes() throws {
        let root = try #require(document).root
        #expect(
            root.nodes.map(\.kind) == [
                .object, .key, .array, .number, .object, .key, .null, .array, .key, .object, .key, .string,
            ])
        #expect(root.nodes.map(\.id) == Array(root.nodes.indices))
        #expect(root.nodes.allSatisfy { root.nodes[$0.id].path == $0.path })
        let array = try #require(root["a"])
        #expect(array.nodes.map(\.id) == root.nodes.map(\.id).filter(array.nodes.indices.contains))
        #expect(array.nodes.count == 6 && root.nodes.count == root.document.nodeCount)
    }

    @Test("the way to a node leads through all containers around it, and the way to a name is that to its value")
    func ways() throws {
        let document = try #require(document)
        let null = try #require(document.root.nodes.first { $0.isNull })
        let key = try #require(null.key)
        #expect(document.children(leadingTo: null.id).map(\.ordinal) == [0, 1, 0])
        #expect(document.children(leadingTo: key.id).map(\.value.id).last == null.id)
        #expect(document.children(leadingTo: document.root.id).isEmpty)
    }

    @Test(
        "the depth is the number of nested containers, wherever in the document they are",
        arguments: [
            ("1", 0), ("[]", 1), ("{}", 1), ("[1, 2]", 1), ("[[]]", 2), ("[[], []]", 2), ("[[[]], []]", 3),
            ("[[], [[]]]", 3), (#"{"a": {"b": [1]}, "c": [[]]}"#, 3), (#"{"a": 1, "b": {"c": 2}, "d": {}}"#, 2),
            ("[[1], [2], [3, [4]]]", 3), ("[1, [2], 3, [4], []]", 2),
        ])
    func depth(json: String, depth: Int) throws {
        let document = try Document(json: json)
        #expect(document.root.depth == depth)
        // A part of a document is as deep as it is by itself.
        for child in document.root.children {
            #expect(child.value.depth == Document(copying: child.value).root.depth && child.value.depth < depth)
        }
    }

    @Test("the node at a byte is the last one that begins there or before")
    func places() throws {
        let document = try #require(document)
        #expect(document.node(atSourceByte: 0)?.kind == .object)
        #expect(document.node(atSourceByte: 1)?.kind == .key && document.node(atSourceByte: 3)?.kind == .key)
        #expect(document.node(atSourceByte: 7)?.numberText == "1" && document.node(atSourceByte: 99)?.string == "x")
    }

    @Test("a member is found by its name, however that is escaped, and the first of several members is found")
    func members() throws {
        let object = try Document(json: #"{"a":1,"\u0062\n":2,"é":3,"a":4,"":5,"c":{"a":6}}"#).root
        let found = ["a", "b\n", "é", "", "e\u{301}", "d"].map { object[$0]?.numberText }
        #expect(found == ["1", "2", "3", "5", nil, nil])
        #expect(object.member(named: "b\n")?.name == "b\n")
        #expect(try Document(json: #"["a","b"]"#).root["a"] == nil)
        #expect(try Document(json: #""a""#).root["a"] == nil)
    }

    @Test("an element is found by its position, and none after the last")
    func elements() throws {
        let array = try Document(json: #"[[1,2],{"a":3},4]"#).root
        #expect(array[2]?.numberText == "4")
        #expect(array[1]?["a"]?.numberText == "3")
        #expect([-1, 3, .max].allSatisfy { array[$0] == nil })
        #expect(try Document(json: #"{"a":1}"#).root[0] == nil)
        #expect(try Document(json: "[]").root[0] == nil)
    }
}
