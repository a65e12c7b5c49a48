import Testing

@testable import DocumentModel

@Suite("Edits of a document")
struct DocumentEditTests {
    private static let text = #"{"a": 1.50, "b\u0021": [1, {"c": "é"}, 3], "a": 2, "d": null}"#

    private func edited(_ edits: DocumentEdit...) throws -> String {
        let document = try Document(json: Self.text).applying(edits)
        // The result is a document like any other: it can be written and read.
        let written = JSONWriter(layout: .compact).string(document.root)
        #expect(try Document(json: written) == document)
        return written
    }

    private static func path(_ text: String) throws -> DocumentPath { try #require(DocumentPath(text)) }

    @Test("setting a value leaves the others as they are spelled")
    func set() throws {
        let value = try Document(json: #"{"new": [true]}"#)
        #expect(
            try edited(.set(Self.path("$['b!'][1].c"), value))
                == #"{"a":1.50,"b\u0021":[1,{"c":{"new":[true]}},3],"a":2,"d":null}"#)
        #expect(try edited(.set(.root, value)) == #"{"new":[true]}"#)
        #expect(try edited(.set(Self.path("$.a"), value)).hasPrefix(#"{"a":{"new":[true]},"#))
    }

    @Test(
        "an element is changed at its position in any spelling, and a member whose name is a number at its name",
        arguments: ["$['b!'][1].c", "$['b!']['1'].c", #"$["b!"].1.c"#, "$['b!']['Index 1'].c", "$['b!']['[1]'].c"])
    func positions(place: String) throws {
        #expect(try edited(.remove(Self.path(place))).contains("[1,{},3]"))
        let text = #"{"1": {"1": [0, 1]}, "held": "[5, 6]"}"#
        let document = try Document(json: text)
        for place in ["$.1.1.1", "$['1']['1'][1]", "$.1['1'].1", "$.held.1", "$.held['1']"] {
            let edit = try DocumentEdit.set(Self.path(place), Document(json: "9"))
            try edit.check(in: document)
            let changed = place.contains("held") ? ("6", "9") : ("1]}", "9]}")
            let expected = text.replacing(changed.0, with: changed.1)
            #expect(try document.splicing([edit]) == Document(json: expected))
            #expect(try document.applying([edit]) == Document(json: expected))
        }
    }

    @Test("an edit that would nest a document too deeply to be read again is refused")
    func depth() throws {
        func nested(_ depth: Int) throws -> Document {
            try Document(json: String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
        let place = DocumentPath(Array(repeating: .index(0), count: 255))
        #expect(try nested(256).applying([.set(place, nested(257))]).root.depth == 512)
        #expect(throws: DocumentEditError(path: place, problem: .tooDeep)) {
            try nested(256).applying([.set(place, nested(258))])
        }
    }

    @Test("renaming and removing affect every member with the name, so that no duplicate takes its place")
    func members() throws {
        #expect(
            try edited(.rename(Self.path("$.a"), to: "z")) == #"{"z":1.50,"b\u0021":[1,{"c":"é"},3],"z":2,"d":null}"#)
        #expect(try edited(.remove(Self.path("$.a"))) == #"{"b\u0021":[1,{"c":"é"},3],"d":null}"#)
        #expect(try edited(.remove(Self.path("$['b!'][1]")), .remove(Self.path("$.d"))).contains("[1,3]"))
    }

    @Test("a member is added after the others, and an element before the one at its position or after the last")
    func add() throws {
        let value = try Document(json: "0")
        #expect(try edited(.add(Self.path("$.e"), value)).hasSuffix(#""d":null,"e":0}"#))
        #expect(try edited(.add(Self.path("$['b!'][0]"), value)).contains(#"[0,1,{"c":"é"},3],"#))
        #expect(try edited(.add(Self.path("$['b!'][1]"), value)).contains(#"[1,0,{"c":"é"},3],"#))
        #expect(try edited(.add(Self.path("$['b!'][3]"), value)).contains(#"[1,{"c":"é"},3,0],"#))
        #expect(try edited(.add(Self.path("$['b!'][1].d"), value)).contains(#"[1,{"c":"é","d":0},3],"#))
        #expect(try edited(.remove(Self.path("$.d")), .add(Self.path("$.d"), value)).hasSuffix(#","d":0}"#))
    }

    @Test(
        "an impossible edit names the path that is wrong",
        arguments: [
            (#"{"operation": "set", "path": "$.x", "value": 1}"#, "$.x", DocumentEditError.Problem.missing),
            (#"{"operation": "set", "path": "$['b!'][*]", "value": 1}"#, "$['b!'][*]", .missing),
            (#"{"operation": "remove", "path": "$.a.b"}"#, "$.a.b", .missing),
            (#"{"operation": "remove", "path": "$"}"#, "$", .isRoot),
            (#"{"operation": "rename", "path": "$['b!'][0]", "value": "x"}"#, "$['b!'][0]", .missing),
            (#"{"operation": "rename", "path": "$.a", "value": "d"}"#, "$.d", .exists),
            (#"{"operation": "add", "path": "$.a", "value": 1}"#, "$.a", .exists),
            (#"{"operation": "add", "path": "$.x.y", "value": 1}"#, "$.x.y", .missing),
            (#"{"operation": "add", "path": "$['b!'][4]", "value": 1}"#, "$['b!'][4]", .missing),
            (#"{"operation": "add", "path": "$['b!'].x", "value": 1}"#, "$['b!'].x", .missing),
        ])
    func problems(_ json: String, _ path: String, _ problem: DocumentEditError.Problem) throws {
        let edit = try DocumentDecoder().decode(DocumentEdit.self, from: Document(json: json).root)
        let error = DocumentEditError(path: try Self.path(path), problem: problem)
        #expect(throws: error) { try Document(json: Self.text).applying([edit]) }
    }

    @Test("an edit continues inside a string that holds JSON, and inside a string of that JSON")
    func heldJSON() throws {
        let text = #"{"t": "{ \"n\": 1.50,\n \"in\": \"[1, 2]\" }", "u": "[not JSON", "w": "plain"}"#
        let document = try Document(json: text)
        func changed(_ edit: DocumentEdit) throws -> String {
            let changed = try document.applying([edit])
            try edit.check(in: document)
            return try #require(changed.root["t"]?.string)
        }
        let value = try Document(json: "true")
        #expect(try changed(.set(Self.path("$.t.n"), value)) == "{ \"n\": true,\n \"in\": \"[1, 2]\" }")
        #expect(try changed(.set(Self.path("$.t.in[1]"), value)) == "{ \"n\": 1.50,\n \"in\": \"[1, true]\" }")
        #expect(
            try changed(.add(Self.path("$.t.x"), value))
                == "{ \"n\": 1.50,\n \"in\": \"[1, 2]\",\n \"x\": true }")
        #expect(try changed(.rename(Self.path("$.t.n"), to: "m")) == "{ \"m\": 1.50,\n \"in\": \"[1, 2]\" }")
        #expect(try changed(.remove(Self.path("$.t.in"))) == #"{ "n": 1.50 }"#)
        for (place, problem) in [
            ("$.t.x.y", DocumentEditError.Problem.missing), ("$.u[0]", .missing), ("$.w.x", .missing),
        ] {
            let error = DocumentEditError(path: try Self.path(place), problem: problem)
            #expect(throws: error) { try document.applying([.set(Self.path(place), value)]) }
            #expect(throws: error) { try DocumentEdit.set(Self.path(place), value).check(in: document) }
        }
        let exists = DocumentEditError(path: try Self.path("$.t.in"), problem: .exists)
        #expect(throws: exists) { try document.applying([.rename(Self.path("$.t.n"), to: "in")]) }
    }

    @Test(
        "an edit inside embedded JSON5 keeps its comments and spelling",
        arguments: [
            (#"{"operation": "set", "path": "$.t.n", "value": [2]}"#, "{ /*1*/ n: [2], // 2\n l: ['a', 'b',] /*3*/, }"),
            (
                #"{"operation": "set", "path": "$.t.l[1]", "value": "c"}"#,
                "{ /*1*/ n: 0x10, // 2\n l: ['a', \"c\",] /*3*/, }"
            ),
            (
                #"{"operation": "rename", "path": "$.t.n", "value": "m"}"#,
                "{ /*1*/ \"m\": 0x10, // 2\n l: ['a', 'b',] /*3*/, }"
            ),
            (#"{"operation": "remove", "path": "$.t.n"}"#, "{ /*1*/ l: ['a', 'b',] /*3*/, }"),
            (#"{"operation": "remove", "path": "$.t.l"}"#, "{ /*1*/ n: 0x10 /*3*/, }"),
            (#"{"operation": "remove", "path": "$.t.l[1]"}"#, "{ /*1*/ n: 0x10, // 2\n l: ['a',] /*3*/, }"),
            (
                #"{"operation": "add", "path": "$.t.x", "value": 1}"#,
                "{ /*1*/ n: 0x10, // 2\n l: ['a', 'b',],\n \"x\": 1 /*3*/, }"
            ),
            (
                #"{"operation": "add", "path": "$.t.l[2]", "value": 1}"#,
                "{ /*1*/ n: 0x10, // 2\n l: ['a', 'b', 1,] /*3*/, }"
            ),
            (
                #"{"operation": "add", "path": "$.t.l[0]", "value": 1}"#,
                "{ /*1*/ n: 0x10, // 2\n l: [1, 'a', 'b',] /*3*/, }"
            ),
        ])
    func heldJSON5(_ edit: String, _ expected: String) throws {
        let text = "{ /*1*/ n: 0x10, // 2\n l: ['a', 'b',] /*3*/, }"
        let edit = try DocumentDecoder().decode(DocumentEdit.self, from: Document(json: edit).root)
        var builder = DocumentBuilder()
        builder.beginObject()
        builder.key("t")
        builder.string(text)
        builder.end()
        let changed = try builder.finish().applying([edit])
        #expect(changed.root["t"]?.string == expected)
        // What was spliced reads as the document with the change.
        let inner = edit.moved(to: DocumentPath(Array(edit.path.components.dropFirst())))
        #expect(
            try changed.root["t"]?.held?.document == Document(json5: SourceBytes(text)).applying([inner]))
    }

    @Test("edits in the text of a document keep its layout and its comments")
    func splicing() throws {
        let text = "// notes\n{\n  n : 1, // one\n  list: [\n    1,\n    {a: 'b'}\n  ]\n}\n"
        let document = try Document(json5: SourceBytes(text))
        let value = try Document(json: "true")
        let edits: [DocumentEdit] = [
            .set(try Self.path("$.n"), value), .add(try Self.path("$.list[1]"), value),
            .add(try Self.path("$.list[3]"), value), .add(try Self.path("$.x"), value),
            .rename(try Self.path("$.list[2].a"), to: "c"), .remove(try Self.path("$.list[0]")),
        ]
        let changed = try #require(document.splicing(edits))
        #expect(
            changed.source?.string(in: 0..<(changed.source?.count ?? 0))
                == "// notes\n{\n  n : true, // one\n  list: [\n    true,\n    {\"c\": 'b'},\n    true\n  ],\n  \"x\": true\n}\n"
        )
        #expect(try changed == document.applying(edits) && changed.comments?.count == 2)
        let missing = try Self.path("$.y")
        #expect(document.splicing([.set(.root, value)]) == nil && document.splicing([.remove(missing)]) == nil)
    }

    @Test("an edit of every member with a name inside embedded JSON leaves valid JSON")
    func heldDuplicates() throws {
        func changed(_ text: String, _ edit: DocumentEdit) throws -> String? {
            try edit.spliced(into: Document(json: text)).map { String(decoding: $0, as: UTF8.self) }
        }
        let a = try Self.path("$.a")
        #expect(try changed(#"{"b": 0, "a": 1, "a": 2}"#, .remove(a)) == #"{"b": 0}"#)
        #expect(try changed(#"{"a": 1, "b": 0, "a": 2}"#, .remove(a)) == #"{"b": 0}"#)
        #expect(try changed(#"{"a": 1, "a": 2}"#, .remove(a)) == "{}")
        #expect(try changed(#"{"a": 1, "a": 2}"#, .rename(a, to: "c")) == #"{"c": 1, "c": 2}"#)
        #expect(try changed(#"{"a": 1, "a": 2}"#, .remove(Self.path("$.a#2"))) == #"{"a": 1}"#)
        #expect(try changed("{ }", .add(a, Document(json: "0"))) == #"{"a": 0 }"#)
    }

    @Test("edits are encoded as JSON and decoded from it")
    func coding() throws {
        let value = try Document(json: #"{"n": 1.0}"#)
        let path = try Self.path("$.a[2]")
        let edits: [DocumentEdit] = [.set(path, value), .rename(path, to: "b"), .remove(path), .add(path, value)]
        let encoded = try DocumentEncoder().encode(edits)
        #expect(try DocumentDecoder().decode([DocumentEdit].self, from: encoded.root) == edits)
        #expect(encoded.root[1]?["operation"]?.string == "rename" && encoded.root[1]?["value"]?.string == "b")
    }

    @Test("edits of a property list take dates, data and null as JSON wraps them")
    func propertyLists() throws {
        let list = try Document(
            parsing: SourceBytes("<plist version=\"1.0\"><dict><key>a</key><integer>1</integer></dict></plist>"))
        let value = try Document(
            json: #"[{"$date": "2024-01-31T12:00:00Z"}, {"$data": "AQI="}, {"$real": "nan"}, {"$date": "x"}, null]"#)
        let changed = try list.applying([.add(Self.path("$.b"), value)])
        #expect(changed.format == .plistXML && changed.root["a"]?.numberText == "1")
        let elements = try #require(changed.root["b"]).elements.map(\.self)
        #expect(elements[0].date != nil && elements[1].data?.count == 2 && elements[2].numberText == "nan")
        #expect(elements[3]["$date"]?.string == "x" && elements[4].string == "$null")
    }
}
