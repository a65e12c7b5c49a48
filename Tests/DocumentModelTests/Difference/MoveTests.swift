import DocumentModel
import Testing

@Suite("Moved values")
struct MoveTests {
    @Test("a trivial value moves under its name, or if nothing else was added or removed")
    func trivialValues() throws {
        #expect(
            try Changes.between(#"{"x": {"on": true}, "y": {}}"#, #"{"x": {}, "y": {"on": true}}"#)
                == ["> $.x.on → $.y.on"])
        #expect(
            try Changes.between(#"{"deleted": null, "n": 1}"#, #"{"born": null, "n": 1}"#) == ["> $.deleted → $.born"])
        let changes = try Changes.between(#"{"deleted": null, "n": 1}"#, #"{"born": null, "n": 1, "x": 2}"#)
        #expect(changes == ["- $.deleted null", "+ $.born null", "+ $.x 2"])
    }

    @Test("a container that moved takes its content with it")
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

    @Test("the content of a container that moved does not move anywhere else")
    func containersFirst() throws {
        let value = #"{"street": "Elm Street", "city": "Crewe"}"#
        let changes = try Changes.between(
            #"{"p": {"a": \#(value), "n": 1}, "q": {}}"#, #"{"p": {"b": "Elm Street", "n": 1}, "q": {"c": \#(value)}}"#)
        #expect(changes == [#"+ $.p.b "Elm Street""#, "> $.p.a → $.q.c"])
    }

    @Test("a value that was added twice has not moved, even if one is nested more deeply, before or after the other")
    func twice() throws {
        for new in [
            #"{"r": {"x": {"y": 123, "z": 1.5}}, "price": 123}"#, #"{"price": 123, "r": {"x": {"y": 123, "z": 1.5}}}"#,
        ] {
            let changes = try Changes.between(#"{"r": {}, "t": {"version": 123, "items": "Elm Street"}}"#, new)
            #expect(!changes.contains { $0.hasPrefix(">") }, "\(changes)")
        }
    }

    @Test("each of many equal values moves within its own container")
    func manyContainers() throws {
        func text(_ name: String) -> String {
            let elements = (0..<200).map { #"{"id": \#($0), "\#(name)": "sku \#($0 % 7)", "same": true}"# }
            return "[\(elements.joined(separator: ","))]"
        }
        let expected = (0..<200).map { "> $[\($0)].title → $[\($0)].name" }
        #expect(try Changes.between(text("title"), text("name")) == expected)
    }

    @Test("a distinctive value moves any distance and under any name, if it is the only one added and removed")
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
        "a value is distinctive if it has three bytes, or is a container with something distinctive or with many values",
        arguments: [
            ("\"abc\"", true), ("\"ab\"", false), ("123", true), ("12", false), ("\"é\"", false), ("\"éé\"", true),
            ("true", false), ("[1, 2]", false), ("[1, \"abc\"]", true), ("{\"a\": {\"b\": 1}}", false),
            ("{\"a\": {\"b\": 123}}", true), ("[1,2,3,4,5,6,7,8]", true), ("[1,2,3,4]", false), ("[]", false),
        ])
    func distinctiveness(value: String, isDistinctive: Bool) throws {
        // Only the value itself shows that it is the one that moved.
        let moved = try Changes.between(#"{"mood": \#(value), "s": 0}"#, #"{"place": \#(value), "s": 0, "t": "new"}"#)
        #expect(moved.contains("> $.mood → $.place") == isDistinctive)
    }

    @Test("the equal value with the same name moved, or else the one with the most similar name, in order")
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

    @Test("a container that left its wrapper and changed has moved, and its elements are compared with each other")
    func unwrapped() throws {
        let old =
            #"{"object": {"pins": [{"package": "Lear", "url": "x.org/lear", "state": {"tag": null}}]}, "version": 1}"#
        let new = #"{"pins": [{"identity": "lear", "location": "x.org/lear", "state": {}}], "version": 2}"#
        let moved = ["> $.object.pins → $.pins"]
        #expect(
            try Changes.between(old, new).dropFirst() == moved + [
                #"- $.object.pins[0].package "Lear""#, #"+ $.pins[0].identity "lear""#,
                "> $.object.pins[0].url → $.pins[0].location", "- $.object.pins[0].state.tag null", "~ $.version 1 → 2",
            ])
        #expect(try Changes.between(new, old).contains("> $.pins → $.object.pins"))
        // Other values in the wrapper move separately.
        let both = try Changes.between(
            #"{"in": {"a": {"list": ["one", "two"]}, "title": "An epicure"}}"#,
            #"{"list": ["one", "two", "three"], "name": "An epicure"}"#)
        #expect(
            both.filter { !$0.hasPrefix("-") } == [
                "> $.in.a.list → $.list", #"+ $.list[2] "three""#, "> $.in.title → $.name",
            ])
        #expect(both.filter { $0.hasPrefix("-") }.map { $0.prefix(6) } == ["- $.in"])
    }

    @Test(
        "a container has not moved if another has its name, little of it is left, or an equal one is elsewhere",
        arguments: [
            (#"{"a": {"l": [100, 200]}, "b": {"l": [100, 300]}}"#, #"{"l": [100, 200, 400]}"#),
            (#"{"a": {"l": [100, 200]}}"#, #"{"l": [100, 200, 300], "b": {"l": [100, 200, 400]}}"#),
            (#"{"a": {"l": [100, 200, 300]}}"#, #"{"l": [100, 500, 600]}"#),
            (#"{"a": {"l": [1, 2, 3]}}"#, #"{"l": [1, 2, 4]}"#),
            (#"{"a": {"l": [100, 200]}}"#, #"{"l": [100, 200, 300], "m": [100, 200]}"#),
            (#"{"a": {"l": [100, 200]}}"#, #"{"l": {"x": 100, "y": 200}}"#),
            (#"{"a": [{"l": [100, 200]}]}"#, #"{"l": [100, 200, 300]}"#),
            (#"{"a": {"l": [100, 200], "l": 1}}"#, #"{"l": [100, 200, 300]}"#),
        ])
    func notUnwrapped(old: String, new: String) throws {
        for (old, new) in [(old, new), (new, old)] {
            let changes = try Changes.between(old, new)
            #expect(
                !changes.contains { $0.hasPrefix(">") && $0.hasSuffix(".l") && $0.contains(".l →") }, "\(changes)")
        }
    }

    @Test("a container that was renamed and changed has moved, and its elements are compared with each other")
    func renamed() throws {
        #expect(
            try Changes.between(
                #"{"lines": [{"sku": "A-100", "n": 2}, {"sku": "B-200", "n": 3}], "v": 2}"#,
                #"{"items": [{"product": {"sku": "A-100"}, "n": 2}, {"product": {"sku": "B-200"}, "n": 4}], "v": 3}"#
            )
                == [
                    "> $.lines → $.items", #"+ $.items[0].product {"sku":"A-100"}"#,
                    "> $.lines[0].sku → $.items[0].product.sku", #"+ $.items[1].product {"sku":"B-200"}"#,
                    "> $.lines[1].sku → $.items[1].product.sku", "~ $.items[1].n 3 → 4", "~ $.v 2 → 3",
                ])
        // The similar one of several.
        #expect(
            try Changes.between(
                #"{"settings": {"theme": "dark", "size": 140}, "user": {"first": "Edward"}, "tags": ["one", "two"]}"#,
                #"{"style": {"theme": "dark", "size": 140, "n": 1}, "who": {"name": "E. Lear"}, "words": ["two", "six"]}"#
            ).filter { $0.hasPrefix(">") } == ["> $.settings → $.style", "> $.tags[1] → $.words[0]"])
        // With a change in it, whatever the changed member is called.
        for (list, other) in [("tags", "tags"), ("tags", "labels")] {
            #expect(
                try Changes.between(
                    #"{"customer": {"name": "Edward", "mail": "e@x.org", "\#(list)": ["one", "two"]}, "n": 1}"#,
                    #"{"client": {"name": "Edward", "mail": "e@x.org", "\#(other)": ["one", "two", "six"]}, "n": 1}"#
                ).filter { $0.contains("customer") && !$0.contains("[") } == ["> $.customer → $.client"]
                    + (list == other ? [] : ["> $.customer.\(list) → $.client.\(other)"]))
        }
        // Out of its wrapper under another name, beside an object that was renamed as well.
        #expect(
            try Changes.between(
                #"{"in": {"rows": ["one", "two"]}, "poet": {"first": "Edward", "last": "Lear"}}"#,
                #"{"list": ["one", "two", "six"], "author": {"first": "Edward", "last": "Lear", "born": 1812}}"#
            ).filter { !$0.hasPrefix("-") } == [
                "> $.in.rows → $.list", #"+ $.list[2] "six""#, "> $.poet → $.author", "+ $.author.born 1812",
            ])
    }

    @Test(
        "a container was not renamed if two are similar, half of it is left, or an equal one is elsewhere",
        arguments: [
            (#"{"a": ["one", "two"]}"#, #"{"b": ["one", "two", "six"], "c": ["one", "two", "ten"]}"#),
            (#"{"a": [{"t": "one"}, {"t": "two"}]}"#, #"{"b": [{"t": "All", "in": [{"t": "one"}, {"t": "two"}]}]}"#),
            (#"{"a": [{"t": "one"}]}"#, #"{"b": [[{"t": "one", "n": 1}]]}"#),
            (#"{"a": {"w": 100, "h": 200}}"#, #"{"b": {"x": 100, "y": 300}}"#),
            (#"{"a": {"w": 1, "h": true}}"#, #"{"b": {"w": 1, "h": false}}"#),
            (#"{"a": ["one", "two"]}"#, #"{"b": ["one", "two", "six"], "c": {"d": ["one", "two"]}}"#),
            (#"{"a": ["one", "two"]}"#, #"{"b": {"x": "one", "y": "two"}}"#),
            (#"{"a": {"x": "one", "y": "two", "born": 1812}}"#, #"{"x": "one", "y": "two", "b": {"born": 1812}}"#),
            (#"{"a": {"date": "2020", "by": "Lear"}}"#, #"{"b": {"date": "2020"}}"#),
            (#"{"a": ["EUR", "USD", "GBP"]}"#, #"{"b": ["EUR"]}"#),
        ])
    func notRenamed(old: String, new: String) throws {
        for (old, new) in [(old, new), (new, old)] {
            let changes = try Changes.between(old, new)
            #expect(!changes.contains("> $.a → $.b") && !changes.contains("> $.b → $.a"), "\(changes)")
        }
    }

    @Test("the outer ones of nested containers that were renamed are found, and the patch is right")
    func renamedWithinEachOther() throws {
        func nested(_ name: String, _ value: Int) throws -> Document {
            let inside = (0..<30).reduce(#"{"one": 100, "two": 200, "three": \#(value)}"#) {
                #"{"\#(name)\#($1)": \#($0)}"#
            }
            return try Document(json: inside)
        }
        let (old, new) = (try nested("a", 1), try nested("b", 2))
        let difference = DocumentDifference(old: old.root, new: new.root)
        #expect(difference.changes.contains { $0.from?.description == "$.a29" && $0.path.description == "$.b29" })
        #expect(difference.changes.count { $0.kind == .moved } < 15)
        #expect(try difference.patch.applied(to: old.root) == new)
    }

    @Test("the outer one of nested containers has moved, and what it lost is looked for inside it")
    func nestedPairs() throws {
        let changes = try Changes.between(
            #"{"w": {"outer": {"inner": ["one", "two", "four"], "note": "An epicure"}}}"#,
            #"{"outer": {"inner": ["one", "two", "five"], "text": "An epicure"}}"#)
        #expect(
            changes.dropFirst() == [
                "> $.w.outer → $.outer", #"~ $.outer.inner[2] "four" → "five""#, "> $.w.outer.note → $.outer.text",
            ])
    }

    @Test("many containers that left one wrapper are found, in any order")
    func manyPairs() throws {
        func members(_ numbers: some Sequence<Int>, _ value: String) -> String {
            numbers.map { #""k\#($0)": ["value \#($0)", "\#(value)", "other \#($0)"]"# }.joined(separator: ", ")
        }
        let old = #"{"wrap": {\#(members(0..<300, "old"))}}"#
        for numbers in [Array(0..<300), (0..<300).reversed()] {
            let changes = try Changes.between(old, "{\(members(numbers, "new"))}")
            #expect(changes.filter { $0.hasPrefix(">") } == numbers.map { "> $.wrap.k\($0) → $.k\($0)" })
            #expect(changes.filter { $0.hasPrefix("~") } == numbers.map { #"~ $.k\#($0)[1] "old" → "new""# })
        }
    }

    @Test("a value that is known not to have moved is not a move, even if it changed")
    func excludedContainers() throws {
        let old = try Document(json: #"{"w": {"list": ["one", "two"]}}"#)
        let new = try Document(json: #"{"list": ["one", "two", "three"]}"#)
        func moves(_ excluded: [ValueMove]) -> [String] {
            DocumentDifference(old: old.root, new: new.root, except: excluded).changes.filter { $0.kind == .moved }
                .map { "\($0.path)" }
        }
        #expect(moves([]) == ["$.list"])
        let list = DocumentPath.root.appending(key: "list")
        let move = ValueMove(from: DocumentPath.root.appending(key: "w").appending(key: "list"), path: list)
        #expect(!moves([move]).contains("$.list"))
        let renamed = try Document(json: #"{"v": {"list": ["one", "two", "three"]}}"#)
        let known = ValueMove(from: DocumentPath.root.appending(key: "w"), path: DocumentPath.root.appending(key: "v"))
        for excluded in [[], [known]] {
            let difference = DocumentDifference(old: old.root, new: renamed.root, except: excluded)
            let isMoved = difference.changes.contains { $0.kind == .moved && $0.path == known.path }
            #expect(isMoved == excluded.isEmpty)
        }
    }

    @Test("an object with a duplicate name takes no part in moves")
    func duplicates() throws {
        let changes = try Changes.between(
            #"{"a": {"x": "An epicure", "x": 2}, "b": 1}"#, #"{"b": 1, "c": {"x": "An epicure", "x": 2}}"#)
        #expect(!changes.contains { $0.hasPrefix(">") } && changes.count == 2)
    }
}
