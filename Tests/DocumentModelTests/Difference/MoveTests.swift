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
