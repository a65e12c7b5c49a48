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

    @Test("an edit continues inside a string that holds JSON, which is rewritten, and inside a string of that JSON")
    func heldJSON() throws {
        let text = #"{"t": "{ \"n\": 1.50,\n \"in\": \"[1, 2]\" }", "u": "[not JSON", "w": "plain"}"#
        let document = try Document(json: text)
        func changed(_ edit: DocumentEdit) throws -> String {
            let changed = try document.applying([edit])
            try edit.check(in: document)
            return try #require(changed.root["t"]?.string)
        }
        let value = try Document(json: "true")
        #expect(try changed(.set(Self.path("$.t.n"), value)) == #"{"n":true,"in":"[1, 2]"}"#)
        #expect(try changed(.set(Self.path("$.t.in[1]"), value)) == #"{"n":1.50,"in":"[1,true]"}"#)
        #expect(try changed(.add(Self.path("$.t.x"), value)) == #"{"n":1.50,"in":"[1, 2]","x":true}"#)
        #expect(try changed(.rename(Self.path("$.t.n"), to: "m")) == #"{"m":1.50,"in":"[1, 2]"}"#)
        #expect(try changed(.remove(Self.path("$.t.in"))) == #"{"n":1.50}"#)
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
