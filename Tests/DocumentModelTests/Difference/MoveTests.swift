import DocumentModel
import Testing

@Suite("Values that moved")
struct MoveTests {
    @Test("a value that is everywhere moves under its name, or where nothing else came or went")
    func trivialValues() throws {
        #expect(
            try Changes.between(#"{"x": {"on": true}, "y": {}}"#, #"{"x": {}, "y": {"on": true}}"#)
                == ["> $.x.on → $.y.on"])
        #expect(
            try Changes.between(#"{"deleted": null, "n": 1}"#, #"{"born": null, "n": 1}"#) == ["> $.deleted → $.born"])
        let changes = try Changes.between(#"{"deleted": null, "n": 1}"#, #"{"born": null, "n": 1, "x": 2}"#)
        #expect(changes == ["- $.deleted null", "+ $.born null", "+ $.x 2"])
    }

    @Test("a container that moved takes with it what is inside")
    func containers() throws {
        let value = #"{"street": "Elm Street", "city": "Crewe"}"#
        #expect(
            try Changes.between(#"{"home": \#(value), "n": 1}"#, #"{"n": 1, "residence": \#(value)}"#)
                == ["> $.home → $.residence"])
        #expect(
            try Changes.between(#"{"a": {"b": \#(value)}, "n": 1}"#, #"{"n": 1, "c": [0, \#(value)]}"#).filter {
                $0.hasPrefix(">")
            }
                == ["> $.a.b → $.c[1]"])
    }

    @Test("a container that moved leaves nothing of what is inside to where it was")
    func containersFirst() throws {
        let value = #"{"street": "Elm Street", "city": "Crewe"}"#
        let changes = try Changes.between(
            #"{"p": {"a": \#(value), "n": 1}, "q": {}}"#, #"{"p": {"b": "Elm Street", "n": 1}, "q": {"c": \#(value)}}"#)
        #expect(changes == [#"+ $.p.b "Elm Street""#, "> $.p.a → $.q.c"])
    }

    @Test("what came twice has not moved, also where one of the two came further inside, before or behind the other")
    func twice() throws {
        for new in [
            #"{"r": {"x": {"y": 123, "z": 1.5}}, "price": 123}"#, #"{"price": 123, "r": {"x": {"y": 123, "z": 1.5}}}"#,
        ] {
            let changes = try Changes.between(#"{"r": {}, "t": {"version": 123, "items": "Elm Street"}}"#, new)
            #expect(!changes.contains { $0.hasPrefix(">") }, "\(changes)")
        }
    }

    @Test("among many equal values each moves within its own container")
    func manyContainers() throws {
        func text(_ name: String) -> String {
            let elements = (0..<200).map { #"{"id": \#($0), "\#(name)": "sku \#($0 % 7)", "same": true}"# }
            return "[\(elements.joined(separator: ","))]"
        }
        let expected = (0..<200).map { "> $[\($0)].title → $[\($0)].name" }
        #expect(try Changes.between(text("title"), text("name")) == expected)
    }

    @Test("a distinctive value moves however far and under whatever name, if it is the only one that came and went")
    func distinctive() throws {
        for depth in [1, 15, 16, 17, 40] {
            let (open, close) = (String(repeating: #"{"a":"#, count: depth), String(repeating: "}", count: depth))
            let old = #"{"deep": \#(open){"k": "An epicure"}\#(close)}"#
            let new = #"{"deep": \#(open){}\#(close), "other": "An epicure"}"#
            let path = "$.deep" + String(repeating: ".a", count: depth) + ".k"
            #expect(try Changes.between(old, new) == ["> \(path) → $.other"])
            #expect(try Changes.between(new, old) == ["> $.other → \(path)"])
        }
        let changes = try Changes.between(#"{"p": "Lear", "q": "Lear"}"#, #"{"zz": "Lear"}"#)
        #expect(changes == [#"- $.p "Lear""#, #"- $.q "Lear""#, #"+ $.zz "Lear""#])
    }

    @Test(
        "a value is distinctive if it has three bytes, is a container with something distinctive, or with much",
        arguments: [
            ("\"abc\"", true), ("\"ab\"", false), ("123", true), ("12", false), ("\"é\"", false), ("\"éé\"", true),
            ("true", false), ("[1, 2]", false), ("[1, \"abc\"]", true), ("{\"a\": {\"b\": 1}}", false),
            ("{\"a\": {\"b\": 123}}", true), ("[1,2,3,4,5,6,7,8]", true), ("[1,2,3,4]", false), ("[]", false),
        ])
    func distinctiveness(value: String, isDistinctive: Bool) throws {
        // Nothing but the value says that it is the one that went.
        let moved = try Changes.between(#"{"mood": \#(value), "s": 0}"#, #"{"place": \#(value), "s": 0, "t": "new"}"#)
        #expect(moved.contains("> $.mood → $.place") == isDistinctive)
    }

    @Test("of equal values the one with the same name moved, else the one whose name is most alike, in order")
    func names() throws {
        #expect(
            try Changes.between(
                #"{"in": {"title": "Lear", "name": "Lear"}, "out": {}}"#,
                #"{"in": {}, "out": {"name": "Lear", "title": "Lear"}}"#)
                == ["> $.in.name → $.out.name", "> $.in.title → $.out.title"])
        #expect(
            try Changes.between(
                #"{"unitPrice": "9.99", "listPrice": "9.99"}"#, #"{"list_price": "9.99", "unit_price": "9.99"}"#)
                == ["> $.listPrice → $.list_price", "> $.unitPrice → $.unit_price"])
    }

    @Test("an object in which a name occurs twice takes no part")
    func duplicates() throws {
        let changes = try Changes.between(
            #"{"a": {"x": "An epicure", "x": 2}, "b": 1}"#, #"{"b": 1, "c": {"x": "An epicure", "x": 2}}"#)
        #expect(!changes.contains { $0.hasPrefix(">") } && changes.count == 2)
    }
}
