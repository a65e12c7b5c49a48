import DocumentModel
import TestSupport
import Testing

@Suite("The changes between two documents")
struct DocumentDifferenceTests {
    private func changes(_ old: String, _ new: String) throws -> [String] { try Changes.between(old, new) }

    // MARK: - Values

    @Test("equal numbers are no change however they are spelled, and neither is the order of members")
    func spellingIsNoChange() throws {
        #expect(try changes(#"{"a": 1.0, "b": [10e-1, 0]}"#, #"{"b": [1, -0.0], "a": 1}"#).isEmpty)
        #expect(try changes("9007199254740993", "9007199254740992") == ["~ $ 9007199254740993 → 9007199254740992"])
    }

    @Test("members that were added, removed and changed are listed in reading order")
    func members() throws {
        let changes = try changes(
            #"{"a": 1, "gone": true, "b": {"c": "x"}}"#, #"{"new": null, "a": 2, "b": {"c": "y"}}"#)
        #expect(
            changes == [#"+ $.new null"#, "~ $.a 1 → 2", "- $.gone true", #"~ $.b.c "x" → "y""#])
    }

    @Test("a value of another kind is changed as a whole")
    func kind() throws {
        #expect(
            try changes(#"{"author": "Lear"}"#, #"{"author": {"name": "Lear"}}"#)
                == [#"~ $.author "Lear" → {"name":"Lear"}"#])
    }

    @Test("the two spellings of é are two names")
    func canonicalEquivalence() throws {
        #expect(
            try changes("{\"\u{E9}\": 1, \"e\u{301}\": 2}", "{\"\u{E9}\": 1, \"e\u{301}\": 3}")
                == ["~ $.e\u{301} 2 → 3"])
    }

    @Test("the changes of an object with very many members, in any order, are just those that changed")
    func manyMembers() throws {
        func object(_ numbers: some Sequence<Int>, _ value: (Int) -> Int) -> String {
            "{" + numbers.map { "\"n\($0)\":\(value($0))" }.joined(separator: ",") + "}"
        }
        for count in [8, 9, 16, 17, 200] {
            let old = object(0..<count) { $0 }
            var generator = SeededGenerator(seed: UInt64(count))
            let order = (0..<count).shuffled(using: &generator)
            #expect(try changes(old, object(order) { $0 }).isEmpty)
            #expect(try changes(old, object(order) { $0 == 5 ? -5 : $0 }) == ["~ $.n5 5 → -5"])
            #expect(
                try Set(changes(old, object(order.filter { $0 != 3 } + [count + 7]) { $0 * 2 }))
                    == Set(
                        (1..<count).filter { $0 != 3 }.map { "~ $.n\($0) \($0) → \($0 * 2)" }
                            + ["- $.n3 3", "+ $.n\(count + 7) \(2 * count + 14)"]))
        }
    }

    @Test("a tree of differences knows the label, container and content of each node, and the origin of a move")
    func tree() throws {
        let difference = DocumentDifference(
            old: try Document(json: #"{"same": [1], "list": ["a", "b b b"], "name": "Anonymous", "n": 1}"#).root,
            new: try Document(json: #"{"same": [1], "list": ["b b b", "c"], "author": "Anonymous", "n": {}}"#).root)
        func line(_ node: DifferenceNode) -> String {
            let label =
                switch node.label {
                case .root: "$"
                case .key(let name), .laterKey(let name, _): name
                case .index(let old, let new): "\(old.map(String.init) ?? "-")/\(new.map(String.init) ?? "-")"
                }
            let children = node.children.map(line).joined(separator: ", ")
            #expect(node.hasChildren == !children.isEmpty)
            #expect(node.children.allSatisfy { $0.parent?.id == node.id })
            return "\(node.kind) \(label)" + (children.isEmpty ? "" : " (\(children))")
        }
        #expect(
            line(difference.root)
                == "inside $ (unchanged same, inside list (removed 0/-, unchanged 1/0, added -/1), movedAway name, "
                + "movedHere author, changed n)")
        #expect(difference.root.parent == nil && difference.nodeCount == 9)
        let moved = try #require((0..<difference.nodeCount).map { difference[$0] }.first { $0.kind == .movedHere })
        #expect(moved.counterpart?.kind == .movedAway && moved.counterpart?.new?.id == moved.new?.id)
        #expect(moved.oldPath?.description == "$.name" && moved.newPath?.description == "$.author")
    }

    @Test("a removed member is listed after the member that it followed")
    func removedMembers() throws {
        let difference = DocumentDifference(
            old: try Document(json: #"{"x": 0, "a": 1, "y": 2, "z": 3, "b": 4, "w": 5}"#).root,
            new: try Document(json: #"{"b": 4, "a": 1}"#).root)
        #expect(
            difference.root.children.map { $0.oldPath?.description ?? "" }
                == ["$.x", "$.b", "$.w", "$.a", "$.y", "$.z"])
    }

    // MARK: - Arrays

    @Test("an element inserted at the front of 100,000 is one change")
    func insertionAtTheFront() throws {
        let numbers = (1...100_000).map(String.init).joined(separator: ",")
        #expect(try changes("[\(numbers)]", "[0,\(numbers)]") == ["+ $[0] 0"])
    }

    @Test("insertions and deletions far apart do not affect each other")
    func editsInALongArray() throws {
        var lines = (0..<5000).map { "\"line \($0 % 70)\"" }
        let old = "[\(lines.joined(separator: ","))]"
        lines.insert("\"one more\"", at: 4000)
        lines.remove(at: 1000)
        #expect(
            try changes(old, "[\(lines.joined(separator: ","))]")
                == [#"- $[1000] "line 20""#, #"+ $[3999] "one more""#])
    }

    @Test("an element with the same id is compared inside, wherever its neighbors went")
    func identity() throws {
        let changes = try changes(
            #"[{"id": 1, "v": "a"}, {"id": 2, "v": "b"}, {"id": 3, "v": "c"}]"#,
            #"[{"id": 9, "v": "new"}, {"id": 2, "v": "b"}, {"id": 3, "v": "C"}]"#)
        #expect(
            changes == [
                #"- $[0] {"id":1,"v":"a"}"#, #"+ $[0] {"id":9,"v":"new"}"#, #"~ $[2].v "c" → "C""#,
            ])
    }

    @Test("reordered elements with ids are as few moves as possible, and what changed inside them is listed too")
    func reordered() throws {
        let changes = try changes(
            #"[{"id": "a", "v": 1}, {"id": "b", "v": 2}, {"id": "c", "v": 3}, {"id": "d", "v": 4}]"#,
            #"[{"id": "d", "v": 4}, {"id": "b", "v": 2}, {"id": "c", "v": 3}, {"id": "a", "v": 5}]"#)
        #expect(changes == ["> $[3] → $[0]", "> $[0] → $[3]", "~ $[3].v 1 → 5"])
    }

    @Test("a field renamed in every element is a move in each")
    func renamedInEveryElement() throws {
        let old = (0..<50).map { #"{"unit price": \#($0 * 7 + 100), "title": "t"}"# }.joined(separator: ",")
        let new = (0..<50).map { #"{"unitPrice": \#($0 * 7 + 100), "title": "t"}"# }.joined(separator: ",")
        let changes = try changes("[\(old)]", "[\(new)]")
        #expect(changes == (0..<50).map { "> $[\($0)]['unit price'] → $[\($0)].unitPrice" })
    }

    @Test("similar elements are compared inside if one was inserted among them")
    func similarElements() throws {
        let changes = try changes(
            #"[{"x": 10, "y": 20, "z": 30}, {"text": "hello", "size": 3}]"#,
            #"[{"kind": "title"}, {"x": 10, "y": 20, "z": 31}, {"text": "hello", "size": 4}]"#)
        #expect(
            changes == [#"+ $[0] {"kind":"title"}"#, "~ $[1].z 30 → 31", "~ $[2].size 3 → 4"])
    }

    @Test("scalars are compared one by one if as many were added as removed")
    func scalars() throws {
        #expect(try changes(#"[1, 2, "a"]"#, #"[1, "2", "b"]"#) == [#"~ $[1] 2 → "2""#, #"~ $[2] "a" → "b""#])
        #expect(try changes("[1, 2]", "[1, 5, 6]") == ["- $[1] 2", "+ $[1] 5", "+ $[2] 6"])
    }

    // MARK: - Moves

    @Test("a field renamed with its value kept is one move")
    func renamed() throws {
        #expect(
            try changes(#"{"poem": "An epicure", "n": 1}"#, #"{"text": "An epicure", "n": 1}"#)
                == ["> $.poem → $.text"])
        #expect(try changes(#"{"starRating": 3}"#, #"{"rating": 3}"#) == ["> $.starRating → $.rating"])
    }

    @Test("two renamed fields with the same value each move to the most similar name")
    func renamedAlike() throws {
        let changes = try changes(
            #"{"firstName": "Thomas", "lastName": "Thomas"}"#,
            #"{"familyLastName": "Thomas", "givenFirstName": "Thomas"}"#)
        #expect(Set(changes) == ["> $.firstName → $.givenFirstName", "> $.lastName → $.familyLastName"])
    }

    @Test("fields that went into a nested object are moves into it")
    func nested() throws {
        let changes = try changes(
            #"{"name": "Ann", "street": "Elm Street", "city": "Crewe"}"#,
            #"{"name": "Ann", "address": {"street": "Elm Street", "city": "Crewe", "zip": null}}"#)
        #expect(
            changes == [
                #"+ $.address {"street":"Elm Street","city":"Crewe","zip":null}"#,
                "> $.street → $.address.street", "> $.city → $.address.city",
            ])
    }

    @Test("a field that went out of a removed object is a move and a removal")
    func outOfARemovedObject() throws {
        #expect(
            try changes(#"{"meta": {"version": 1, "x": null}, "a": "b"}"#, #"{"version": 1, "a": "b"}"#)
                == [#"- $.meta {"version":1,"x":null}"#, "> $.meta.version → $.version"])
    }

    @Test("trivial values do not move just because they are equal")
    func trivialValues() throws {
        let changes = try changes(
            #"{"deleted": null, "draft": false, "a": []}"#, #"{"created": null, "visible": false, "b": []}"#)
        #expect(!changes.contains { $0.hasPrefix(">") })
        #expect(
            try self.changes(#"{"x": {"on": true}, "y": {}}"#, #"{"x": {}, "y": {"seen": true}}"#)
                == ["- $.x.on true", "+ $.y.seen true"])
    }

    @Test("records that have values in common have not exchanged them")
    func recordsOfAnArray() throws {
        let changes = try changes(
            #"[{"id": 1, "city": "Crewe", "note": null}, {"id": 2, "city": "Bath", "note": 0}]"#,
            #"[{"id": 2, "city": "Bath", "note": 0}, {"id": 3, "city": "Crewe", "note": null}]"#)
        #expect(
            changes == [
                #"- $[0] {"id":1,"city":"Crewe","note":null}"#, #"+ $[1] {"id":3,"city":"Crewe","note":null}"#,
            ])
    }

    @Test("a value taken out of an element that moves is fetched from where it still is")
    func outOfAMovingElement() throws {
        let old =
            #"{"list": [{"id": 1, "name": "A"}, {"id": 2, "name": "B"}, {"id": 3, "name": "N", "note": "M, long"}]}"#
        let new =
            #"{"note": "M, long", "list": [{"id": 3, "name": "N"}, {"id": 1, "name": "A"}, {"id": 2, "name": "B"}]}"#
        #expect(try changes(old, new) == ["> $.list[2].note → $.note", "> $.list[2] → $.list[0]"])
    }

    @Test(
        "a trivial value moves neither out of an array's element nor into one, whatever its name",
        arguments: ["1", "null", "true", "\"\"", "[]"])
    func trivialValuesOfElements(value: String) throws {
        let inside = #"{"list": [{"id": 7, "name": "Ann", "note": \#(value)}]}"#
        let outside = #"{"list": [{"id": 7, "name": "Ann"}], "note": \#(value)}"#
        let other = #"{"list": [{"id": 7, "name": "Ann"}], "n": {"note": \#(value)}}"#
        for (old, new) in [(inside, outside), (outside, inside), (inside, other), (other, inside)] {
            let changes = try changes(old, new)
            #expect(changes.count == 2 && !changes.contains { $0.hasPrefix(">") }, "\(old) \(new)")
        }
        // Within the element, its name shows where it went.
        #expect(
            try changes(inside, #"{"list": [{"id": 7, "name": "Ann", "notes": \#(value)}]}"#)
                == ["> $.list[0].note → $.list[0].notes"])
    }

    @Test("strings that became objects moved into them")
    func wrappedElements() throws {
        #expect(
            try changes(#"["Ann", "Bob"]"#, #"[{"name": "Ann"}, {"name": "Bob"}]"#).filter { $0.hasPrefix(">") }
                == ["> $[0] → $[0].name", "> $[1] → $[1].name"])
    }

    @Test("the value with the most similar name is the one that moved, if several are equal")
    func ambiguous() throws {
        #expect(
            try changes(
                #"{"firstAuthor": "Lear", "editor": "Lear"}"#, #"{"first_author": "Lear", "edited_by": "Lear"}"#)
                == ["> $.firstAuthor → $.first_author", "> $.editor → $.edited_by"])
    }

    // MARK: - Names that JSON Patch cannot distinguish

    @Test("an object with a duplicate name is replaced as a whole in the patch")
    func duplicateNames() throws {
        let old = try Document(json: #"{"o": {"a": 1, "a": 2, "b": 3}}"#)
        let new = try Document(json: #"{"o": {"b": 3}}"#)
        let difference = DocumentDifference(old: old.root, new: new.root)
        #expect(
            JSONWriter().string(difference.patch.document.root)
                == #"[{"op":"replace","path":"/o","value":{"b":3}}]"#)
        #expect(difference.changes.map(\.path.description) == ["$.o.a", "$.o.a#2"])
    }

    @Test(
        "members with one name are compared in order or, if their number differs, equal ones and then the last ones",
        arguments: [
            // What a closure leaves of two members is the last one.
            (#"{"t": "a", "t": "b"}"#, #"{"t": "b"}"#, ["- $.t a"]),
            (#"{"t": "a", "t": "b"}"#, #"{"t": "a"}"#, ["- $.t#2 b"]),
            (#"{"t": "a", "t": "b"}"#, #"{"t": "c"}"#, ["- $.t a", "~ $.t b c"]),
            (#"{"t": "a", "t": "b", "t": "c"}"#, #"{"t": "b", "t": "d"}"#, ["- $.t a", "~ $.t#2 c d"]),
            (#"{"t": "c"}"#, #"{"t": "a", "t": "b"}"#, ["+ $.t a", "~ $.t#2 c b"]),
            (#"{"t": "a", "t": "b"}"#, #"{"t": "b", "t": "a"}"#, ["~ $.t a b", "~ $.t#2 b a"]),
        ])
    func repeatedNames(_ before: String, _ after: String, expected: [String]) throws {
        let (old, new) = (try Document(json: before), try Document(json: after))
        let difference = DocumentDifference(old: old.root, new: new.root)
        let signs: [DocumentChange.Kind: String] = [.added: "+", .removed: "-", .changed: "~", .moved: ">"]
        #expect(
            difference.changes.map { change in
                ([signs[change.kind] ?? "", "\(change.path)"] + [change.old, change.new].compactMap { $0?.string })
                    .joined(separator: " ")
            } == expected)
        // Each value has its own path in its document.
        for id in 0..<difference.nodeCount {
            let node = difference[id]
            #expect(node.oldPath.flatMap { old.root.descendant(at: $0)?.id } == node.old?.id)
            #expect(node.newPath.flatMap { new.root.descendant(at: $0)?.id } == node.new?.id)
        }
    }

    @Test("members with one name have their own paths and locations")
    func membersOfOneName() throws {
        let old = try Document(json: #"{"a": 1, "b": 0, "a": 2, "a": 3}"#)
        let new = try Document(json: #"{"b": 0, "a": 1, "a": 4}"#)
        let changes = DocumentDifference(old: old.root, new: new.root).changes
        #expect(changes.map { "\($0.kind) \($0.path)" } == ["removed $.a#2", "changed $.a#2"])
        #expect(changes.map { $0.old?.numberText } == ["2", "3"])
        #expect(changes[1].new?.location?.column == 23 && changes[0].old?.location?.column == 23)
        for change in changes {
            let (root, node) = change.kind == .removed ? (old.root, change.old) : (new.root, change.new)
            #expect(root.descendant(at: change.path)?.id == node?.id && node?.path == change.path)
        }
        #expect(DocumentDifference(old: old.root, new: old.root).isEmpty)
    }

    @Test("members with a duplicate name that stayed the same are no change")
    func membersOfOneNameInside() throws {
        let old = try Document(json: #"[{"x": {"a": 1, "a": {"b": 1}}}]"#)
        let new = try Document(json: #"[{"x": {"a": 1, "a": {"b": 2}}}]"#)
        let difference = DocumentDifference(old: old.root, new: new.root)
        #expect(difference.changes.map(\.path.description) == ["$[0].x.a#2.b"])
        #expect(
            JSONWriter().string(difference.patch.document.root)
                == #"[{"op":"replace","path":"/0/x","value":{"a":1,"a":{"b":2}}}]"#)
        var pairs: [String] = []
        difference.forEachPair { old, new in pairs.append("\(old.path) \(new.path)") }
        #expect(pairs.contains("$[0].x.a#2.b $[0].x.a#2.b"))
    }
}
