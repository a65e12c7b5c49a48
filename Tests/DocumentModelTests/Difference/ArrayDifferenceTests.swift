import DocumentModel
import TestSupport
import Testing

@Suite("The changes between two arrays")
struct ArrayDifferenceTests {
    @Test("strings that share half of their words are compared, and others are not")
    func strings() throws {
        #expect(
            try Changes.between(
                #"["the quick brown fox", "jumps"]"#, #"["one line more than before", "the quick red dog", "jumps"]"#)
                == [#"+ $[0] "one line more than before""#, #"~ $[1] "the quick brown fox" → "the quick red dog""#])
        #expect(
            try Changes.between(#"["the quick brown fox"]"#, #"["what is this", "the slow red dog"]"#)
                == [#"- $[0] "the quick brown fox""#, #"+ $[0] "what is this""#, #"+ $[1] "the slow red dog""#])
    }

    @Test("arrays that share elements are compared, and so is a single array on each side")
    func arrays() throws {
        #expect(
            try Changes.between("[[1, 2, 3], [4, 5, 6]]", "[[9], [1, 2, 3, 7], [4, 6]]")
                == ["+ $[0] [9]", "+ $[1][3] 7", "- $[1][1] 5"])
        #expect(try Changes.between("[[1]]", "[[2]]") == ["~ $[0][0] 1 → 2"])
        #expect(try Changes.between("[1]", "[[2]]") == ["- $[0] 1", "+ $[0] [2]"])
        #expect(try Changes.between("[[1], 2]", "[3, [4]]").allSatisfy { !$0.hasPrefix("~") })
    }

    @Test("objects that share most of their members or kinds of members are compared")
    func objects() throws {
        #expect(try Changes.between(#"[{"a": 1}]"#, #"[{"b": true}]"#) == [#"- $[0] {"a":1}"#, #"+ $[0] {"b":true}"#])
        #expect(try Changes.between(#"[{"a": 1}]"#, #"[{"a": 2}]"#) == ["~ $[0].a 1 → 2"])
        // A value under another name counts more than a kind of value under the same name.
        let changes = try Changes.between(
            #"[{"title": "An epicure", "lines": 5, "old": true}]"#,
            #"[{"lines": 6, "x": "y", "z": []}, {"name": "An epicure", "lines": 7, "old": null}]"#)
        #expect(
            changes == [
                #"+ $[0] {"lines":6,"x":"y","z":[]}"#, "> $[0].title → $[1].name", "~ $[1].lines 5 → 7",
                "~ $[1].old true → null",
            ])
        #expect(try Changes.between("[{}, 1]", "[1, {}]") == ["> $[0] → $[1]"])
    }

    @Test("the pairing of elements in order that has the most in common is used")
    func best() throws {
        // The first could be compared with any of them, and is most similar to the last.
        let changes = try Changes.between(
            #"[{"a": 1, "b": 2, "c": 3, "d": 4}]"#,
            #"[{"a": 1, "b": 0, "c": 0, "d": 0}, {"a": 1, "b": 2, "c": 0, "d": 0}, {"a": 1, "b": 2, "c": 3, "d": 0}]"#)
        #expect(changes.last == "~ $[2].d 4 → 0" && changes.count == 3)
    }

    @Test("elements at the same positions are compared unless others have as much in common")
    func inPlace() throws {
        // Three pairs of elements, one position apart, have all of their values in common. Those at the same
        // positions have 5 of 12, 4 of 5, 13 of 15 and 11 of 12 in common, which adds up to as much.
        let lists = [[17] + Array(13...16) + Array(18...23), [17] + Array(5...16), Array(0...16), Array(0...12)]
        let turned = lists.dropFirst().map { Array($0.reversed()) } + [Array(0...10)]
        let changes = try Changes.between("\(lists)", "\(turned)")
        #expect(changes.contains { $0.hasPrefix("- $[0] [") } && changes.contains { $0.hasPrefix("+ $[3] [") })
        #expect(
            try Changes.between(
                #"[{"a": 1, "b": 2, "c": 3}, {"a": 4, "b": 5, "c": 6}, {"a": 7, "b": 8, "c": 9}]"#,
                #"[{"a": 1, "b": 2, "c": 0}, {"a": 4, "b": 5, "c": 0}, {"a": 0, "b": 8, "c": 9}]"#)
                == ["~ $[0].c 3 → 0", "~ $[1].c 6 → 0", "~ $[2].a 7 → 0"])
    }

    @Test("objects at the same positions are compared unless others have more in common, in any order of members")
    func objectsInPlace() throws {
        let first = #"{"a": 1, "b": 2, "c": 3, "d": 4}"#
        let second = #"{"a": 5, "b": 6, "c": 7, "d": 8}"#
        func changes(_ news: String) throws -> [String] { try Changes.between("[\(first), \(second)]", news) }
        // At the same positions, four members have the same kind of value: four tenths in each pair, which is less
        // than what the second and the first have in common.
        #expect(
            try changes(#"[{"d": 0, "a": 5, "b": 6, "c": 7}, {"d": 9, "c": 0, "b": 0, "a": 0}]"#)
                == ["- $[0] \(Changes.compact(first))", "~ $[0].d 8 → 0", #"+ $[1] {"d":9,"c":0,"b":0,"a":0}"#])
        // With one more equal member, they have more in common.
        #expect(
            try changes(#"[{"d": 4, "a": 5, "b": 6, "c": 7}, {"d": 9, "c": 0, "b": 0, "a": 0}]"#)
                == ["~ $[0].a 1 → 5", "~ $[0].b 2 → 6", "~ $[0].c 3 → 7"]
                + ["~ $[1].d 8 → 9", "~ $[1].c 7 → 0", "~ $[1].b 6 → 0", "~ $[1].a 5 → 0"])
        // They have enough in common that no others need to be checked.
        #expect(
            try changes(#"[{"d": 4, "a": 1, "b": 2, "c": 0}, {"d": 0, "c": 7, "b": 6, "a": 5}]"#)
                == ["~ $[0].c 3 → 0", "~ $[1].d 8 → 0"])
    }

    @Test("the similarity of objects does not depend on which of their members are equal", arguments: 0..<6)
    func similarity(equal: Int) throws {
        func object(_ names: String, _ rest: String, _ value: (Int) -> Int) -> String {
            let members = names.enumerated().map { "\"\($1)\": \(value($0))" } + rest.map { "\"\($0)\": null" }
            return "[{" + members.joined(separator: ", ") + "}]"
        }
        // One of ten members is equal, and five are of the same kind: three tenths.
        let changes = try Changes.between(
            object("abcdef", "ghij") { _ in 1 }, object("abcdef", "klmn") { $0 == equal ? 1 : 2 })
        #expect(changes.count { $0.hasPrefix("~ $[0].") } == 5)
    }

    @Test("objects are identified by the first name that all of them have, each with another string or number")
    func identifyingNames() throws {
        func swapped(_ first: String, _ second: String) throws -> [String] {
            try Changes.between(
                "[{\(first), \"v\": 1}, {\(second), \"v\": 2}]", "[{\(second), \"v\": 3}, {\(first), \"v\": 1}]")
        }
        let moved = ["> $[1] → $[0]", "~ $[0].v 2 → 3"]
        #expect(try swapped(#""id": 1"#, #""id": 2"#) == moved)
        #expect(try swapped(#""key": "a""#, #""key": 7"#) == moved)
        #expect(try swapped(#""id": 1, "name": "A""#, #""id": 1, "name": "B""#) == moved)
        #expect(try swapped(#""id": null, "slug": "A""#, #""id": 2, "slug": "B""#) == moved)
        #expect(try swapped(#""id": 1, "name": "A""#, #""name": "B""#) == moved)
        #expect(try swapped(#""id": true"#, #""id": false"#) != moved)
        #expect(try swapped(#""kind": 1"#, #""kind": 2"#) != moved)
        // Elements that are not objects have no names, and need none.
        let mixed = try Changes.between(
            #"["x", {"id": 1, "v": 1}, {"id": 2, "v": 2}]"#, #"[{"id": 2, "v": 3}, {"id": 1, "v": 1}, 7]"#)
        #expect(mixed.contains("~ $[0].v 2 → 3"))
    }

    private func array(_ elements: some Sequence<String>) -> String { "[\(elements.joined(separator: ","))]" }

    @Test("many records without identifiers are compared with those that share a unique value")
    func manyRecords() throws {
        func record(_ number: Int, _ version: Int) -> String {
            #"{"mail": "m\#(number)@x.org", "v": \#(version), "t": true}"#
        }
        let old = array((0..<40).map { record($0, 1) })
        var records = (0..<40).map { record($0, 2) }
        records.insert(#"{"kind": "other"}"#, at: 10)
        records.remove(at: 30)
        let changes = try Changes.between(old, array(records))
        let removed = try Changes.compact(record(29, 1))
        #expect(changes.contains(#"+ $[10] {"kind":"other"}"#) && changes.contains("- $[29] \(removed)"))
        #expect(changes.filter { $0.hasPrefix("~") } == (0..<40).filter { $0 != 10 }.map { "~ $[\($0)].v 1 → 2" })
    }

    @Test("many records that keep a unique text are compared in place, and the others in between")
    func renamedRecords() throws {
        let old = array((0..<60).map { #"{"package": "P\#($0)", "url": "x.org/\#($0)", "tag": "main"}"# })
        let new = (0..<60).map { #"{"identity": "p\#($0)", "location": "x.org/\#($0 == 7 ? 99 : $0)", "tag": "main"}"# }
        let changes = try Changes.between(old, array(new))
        #expect(
            changes.filter { $0.hasPrefix(">") }
                == (0..<60).filter { $0 != 7 }.map { "> $[\($0)].url → $[\($0)].location" })
        #expect(changes.count == 60 * 3 + 1)
        // Records that are not in place are found as well.
        let turned = try Changes.between(old, array(new[20...] + new[..<20]))
        #expect(turned.count { $0.hasPrefix("> $[") && $0.contains("].url → ") } >= 39)
    }

    @Test("records whose values were wrapped or unwrapped are compared with what they were")
    func wrappedRecords() throws {
        let plain = array((0..<3).map { #"{"sku": "A-\#($0)", "n": \#($0)}"# })
        let wrapped = array((0..<3).map { #"{"product": {"code": {"sku": "A-\#($0)"}}, "n": \#($0 + 1)}"# })
        let values = try Changes.between(plain, wrapped)
        #expect(
            values.filter { !$0.hasPrefix("+") }
                == (0..<3).flatMap {
                    ["> $[\($0)].sku → $[\($0)].product.code.sku", "~ $[\($0)].n \($0) → \($0 + 1)"]
                })
        let back = try Changes.between(wrapped, plain)
        #expect(
            back.filter { !$0.hasPrefix("-") }
                == (0..<3).flatMap {
                    ["> $[\($0)].product.code.sku → $[\($0)].sku", "~ $[\($0)].n \($0 + 1) → \($0)"]
                })
    }

    @Test("many sorted records are compared with what they were, even if all are one position further on")
    func sortedRecords() throws {
        func record(_ number: Int, _ version: Int) -> String {
            #"{"day": "day \#(number / 10)", "mail": "\#(number)@x.org", "v": \#(version)}"#
        }
        let count = 6000
        let changes = try Changes.between(
            array((0..<count).map { record($0, 1) }), array((1...count).map { record($0, 2) }))
        #expect(changes.filter { $0.hasPrefix("~") } == (0..<count - 1).map { "~ $[\($0)].v 1 → 2" })
        #expect(changes.count == count + 1)
    }

    @Test("many records whose values were wrapped are compared with what they were, even if the first ones are gone")
    func manyWrappedRecords() throws {
        let (count, gone) = (3000, 10)
        func texts(_ number: Int) -> String { #""sku": "A-\#(number)", "title": "no. \#(number % 100)""# }
        let plain = array((0..<count).map { #"{\#(texts($0)), "n": \#($0 % 7)}"# })
        let wrapped = array((gone..<count).map { #"{"product": {\#(texts($0))}, "n": \#($0 % 7)}"# })
        let changes = try Changes.between(plain, wrapped)
        #expect(
            changes.filter { $0.hasPrefix(">") }
                == (gone..<count).flatMap { number in
                    ["sku", "title"].map { "> $[\(number)].\($0) → $[\(number - gone)].product.\($0)" }
                })
        #expect(changes.count == 3 * (count - gone) + gone)
    }

    @Test("many records without unique values are compared in order, or with one of the next few if some were added")
    func plainRecords() throws {
        func records(_ value: Int) -> [String] { (0..<30).map { #"{"x": \#($0), "y": \#(value)}"# } }
        let same = try Changes.between(array(records(1)), array(records(2)))
        #expect(same == (0..<30).map { "~ $[\($0)].y 1 → 2" })
        for count in 1...3 {
            let new = array([String](repeating: #""new""#, count: count) + records(2))
            let changes = try Changes.between(array(records(1)), new)
            #expect(
                changes == (0..<count).map { #"+ $[\#($0)] "new""# } + (count..<30 + count).map { "~ $[\($0)].y 1 → 2" }
            )
        }
    }

    @Test("many scalars are compared one by one if as many were added as removed")
    func manyScalars() throws {
        let old = array((0..<30).map { "\($0)" })
        #expect(
            try Changes.between(old, array((0..<30).map { "\($0 + 50)" }))
                == (0..<30).map { "~ $[\($0)] \($0) → \($0 + 50)" })
        let changes = try Changes.between(old, array((0..<31).map { "\($0 + 50)" }))
        #expect(changes.count == 61 && !changes.contains { $0.hasPrefix("~") })
    }

    @Test("elements that changed their position are moves, each once")
    func moves() throws {
        #expect(try Changes.between("[1, 2, 3]", "[3, 1, 2]") == ["> $[2] → $[0]"])
        #expect(try Changes.between(#"["one", "two", "three"]"#, #"["two", "three", "one"]"#) == ["> $[0] → $[2]"])
        let pairs = try Changes.between("[1, 1, 2, 2]", "[2, 2, 1, 1]")
        #expect(pairs == ["> $[0] → $[2]", "> $[1] → $[3]"])
    }
}
