import DocumentModel
import Foundation
import Testing

@Suite("Documents as Codable values")
struct DocumentCodableTests {
    struct Step: Codable, Equatable {
        var name: String
        var before: Document
        var after: Document?
    }

    @Test("a document is coded verbatim: numbers as written, keys in order, duplicates included")
    func verbatim() throws {
        let text =
            #"{"name":"s","before":{"b":1.50,"a":1e2,"a":[null,"\u0041\n"],"big":123456789012345678901234567890}}"#
        let document = try Document(json: text)
        let step = try DocumentDecoder().decode(Step.self, from: document.root)
        let before = #"{"b":1.50,"a":1e2,"a":[null,"\u0041\n"],"big":123456789012345678901234567890}"#
        #expect(JSONWriter().string(step.before.root) == before)
        #expect(step.after == nil)
        #expect(JSONWriter().string(try DocumentEncoder().encode(step).root) == text)
    }

    @Test("a whole document decodes to itself, including its locations")
    func root() throws {
        let document = try Document(json: " [1]")
        let copy = try DocumentDecoder().decode(Document.self, from: document.root)
        #expect(copy.root.location == document.root.location)
    }

    @Test("a document may be any kind of value")
    func kinds() throws {
        for text in ["null", "true", "false", "0", "-1.5e3", "\"\"", "[]", "{}", "[[],{}]"] {
            let document = try Document(json: text)
            let elements = try DocumentDecoder().decode([Document].self, from: Document(json: "[\(text)]").root)
            #expect(elements == [document])
            #expect(JSONWriter().string(try DocumentEncoder().encode(elements).root) == "[\(text)]")
        }
    }

    @Test("members can be added to an encoded document")
    func addition() throws {
        struct More: Encodable {
            var document: Document

            func encode(to encoder: any Encoder) throws {
                try document.encode(to: encoder)
                var container = encoder.container(keyedBy: PathCodingKey.self)
                try container.encode(3, forKey: PathCodingKey("version"))
            }
        }
        let document = try DocumentEncoder().encode(More(document: Document(json: #"{"b":1,"version":2,"a":1.0}"#)))
        #expect(JSONWriter().string(document.root) == #"{"b":1,"version":3,"a":1.0}"#)
    }

    @Test("a value that only property lists have is encoded in JSON as JSONWriter writes it")
    func wrappers() throws {
        let list: PropertyListValue = [
            "day": .date(0), "blob": .data([1]), "nan": .real(.nan), "deep": [["t": .date(1)]], "n": 1.0,
        ]
        let document = list.document(.plistBinary)
        let encoded = try DocumentEncoder().encode(["p": document])
        #expect(
            JSONWriter().string(encoded.root) == #"{"p":\#(JSONWriter().string(document.root))}"#)
        #expect(encoded.root["p"]?["day"]?["$date"]?.string == "2001-01-01T00:00:00Z")
        // The written text is read as the same document.
        #expect(try Document(json: JSONWriter().string(encoded.root)) == encoded)
    }

    @Test("null is encoded in a property list as the string that Foundation writes for it")
    func propertyListNull() throws {
        let document = try DocumentEncoder().encode(["a": Document(json: "[null,1]")], as: .plistXML)
        #expect(document.root["a"]?[0]?.string == "$null")
        #expect(try DocumentDecoder().decode([String: [Int?]].self, from: document.root) == ["a": [nil, 1]])
    }

    @Test(
        "a document passes through other coders as the value that it is",
        arguments: [
            "null", "true", "[1,-2,18446744073709551615,0.1,1.5e300,123456789012345678901234567890]",
            #"{"a":{"b":[{},[],"x",null,false]}}"#, "\"x\"", "9007199254740993", "0.30000000000000004", "[[[]]]",
        ])
    func otherCoders(text: String) throws {
        let document = try Document(json: text)
        #expect(try JSONDecoder().decode(Document.self, from: Data(text.utf8)) == document)
        let data = try JSONEncoder().encode(document)
        #expect(try Document(json: String(decoding: data, as: UTF8.self)) == document)
    }

    @Test("a number that no other coder can hold is encoded as its text, and a missing value is decoded as null")
    func beyondOthers() throws {
        let document = try Document(json: #"{"a":[1e400,-1e400],"b":1e99}"#)
        let data = try JSONEncoder().encode(document)
        let back = try Document(parsing: SourceBytes(data))
        #expect(try back == Document(json: #"{"a":[{"$real":"1e400"},{"$real":"-1e400"}],"b":1e99}"#))

        struct Absent: Decodable {
            let document: Document
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: PathCodingKey.self)
                document = try Document(from: container.superDecoder(forKey: PathCodingKey("absent")))
            }
        }
        for format in DocumentFormat.allCases {
            let object = try DocumentEncoder().encode(["a": 1], as: format)
            let absent = try DocumentDecoder().decode(Absent.self, from: object.root).document
            #expect(absent.root.isNull && absent.format == format)
        }
    }

    @Test("dates and data pass through property list coders")
    func propertyListCoders() throws {
        let list: PropertyListValue = [
            "day": .date(0), "blob": .data([1, 2]), "n": 1, "r": 1.5, "t": true, "s": "x", "a": [1],
        ]
        let document = list.document(.plistBinary)
        #expect(try PropertyListDecoder().decode(Document.self, from: list.data(.plistBinary)) == document)
        let data = try PropertyListEncoder().encode(document)
        #expect(try PropertyListDecoder().decode(Document.self, from: data) == document)
    }

    @Test("a document from another coder is a property list if it has a date or data, and JSON otherwise")
    func formats() throws {
        let values: [(PropertyListValue, DocumentFormat)] = [
            (["a": [.date(0)]], .plistBinary), (["a": [.data([1])]], .plistBinary), (["a": [1, "x"]], .json),
        ]
        for (value, format) in values {
            for stored in [DocumentFormat.plistXML, .plistBinary] {
                let document = try PropertyListDecoder().decode(Document.self, from: value.data(stored))
                #expect(document.format == format && document == value.document(format))
            }
        }
    }

    @Test("a document keeps its equivalent names when members are added to it")
    func equivalentNames() throws {
        struct Marked: Encodable {
            enum Keys: String, CodingKey { case version }
            let document: Document

            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(document)
                var keyed = encoder.container(keyedBy: Keys.self)
                try keyed.encode(2, forKey: .version)
            }
        }
        let document = try Document(json: "{\"e\u{301}\":1,\"\u{e9}\":2,\"a\":3,\"a\":4}")
        let text = JSONWriter().string(try DocumentEncoder().encode(Marked(document: document)).root)
        #expect(text.utf8.elementsEqual("{\"e\u{301}\":1,\"\u{e9}\":2,\"a\":3,\"a\":4,\"version\":2}".utf8))
    }

    private struct Extended: Encodable {
        let document: Document

        func encode(to encoder: any Encoder) throws {
            try document.encode(to: encoder)
            var container = encoder.container(keyedBy: PathCodingKey.self)
            try container.encode(8, forKey: PathCodingKey("b"))
            try container.encode(9, forKey: PathCodingKey("a"))
        }
    }

    @Test("a member that is encoded after a document replaces the first one with its name", arguments: [2, 20])
    func repeatedNames(count: Int) throws {
        let others = (0..<count).map { #""n\#($0)":0,"# }.joined()
        let document = try Document(json: #"{"a":1,\#(others)"b":2,"a":3}"#)
        let encoded = try DocumentEncoder().encode(Extended(document: document))
        #expect(JSONWriter(layout: .compact).string(encoded.root) == #"{"a":9,\#(others)"b":8,"a":3}"#)
    }
}
