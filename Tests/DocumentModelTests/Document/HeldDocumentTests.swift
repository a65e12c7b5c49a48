import DocumentModel
import Foundation
import Testing

@Suite("Documents inside values of others")
struct HeldDocumentTests {
    private func path(_ text: String) throws -> DocumentPath { try #require(DocumentPath(text)) }

    private func text(_ document: Document) -> String { JSONWriter().string(document.root) }

    private func propertyList(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> Document {
        let data = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
        return try Document(parsing: SourceBytes(data))
    }

    @Test("a held document is JSON or JSON5 in a string, also in base64, and is edited in place")
    func edited() throws {
        let inner = Data(#"{"key": "a", "list": [1]}"#.utf8)
        for value in [
            #""{\"key\": \"a\", \"list\": [1]}""#, #""// note\n{key: 'a', list: [1]}""#,
            "\"\(inner.base64EncodedString())\"",
        ] {
            let document = try Document(json: "{\"shortcut\": \(value), \"n\": 1}")
            let held = try #require(document.root["shortcut"]?.held)
            #expect(held.document.root["key"]?.string == "a")
            let edited = try document.applying([
                .set(path("$.shortcut.key"), Document(text: "b")),
                .add(path("$.shortcut.list[1]"), Document(json: "2")),
                .remove(path("$.shortcut.list[0]")), .rename(path("$.shortcut.key"), to: "name"),
            ])
            #expect(text(try #require(edited.root["shortcut"]?.held).document) == #"{"name":"b","list":[2]}"#)
            #expect(edited.root["n"]?.numberText == "1")
        }
    }

    @Test("base64 of both alphabets is unfolded with and without padding, and is written back as it was")
    func spellings() throws {
        // The bytes of `?>~` and `ü` become characters in which the alphabets differ.
        let text = #"{"a":"??>>~~ü"}"#
        for isPadded in [true, false] {
            // Nothing shows the alphabet of `{b:1}`, and then padding does.
            for (json, isURLSafe) in [(text, true), (text, false), ("{b:1}", !isPadded)] {
                func base64(_ text: String) -> String {
                    var text = Data(text.utf8).base64EncodedString()
                    if isURLSafe {
                        text = text.replacing("+", with: "-").replacing("/", with: "_")
                    }
                    return isPadded ? text : text.replacing("=", with: "")
                }
                let document = try Document(json: "{\"held\": \"\(base64(json))\"}")
                let name = try #require(document.root["held"]?.held?.document.root.firstChild?.key?.string)
                let edited = try document.applying([.set(path("$.held.\(name)"), Document(text: "??>>~"))])
                let written = json.hasPrefix("{b") ? #"{b:"??>>~"}"# : #"{"a":"??>>~"}"#
                #expect(edited.root["held"]?.string == base64(written), "\(json) \(isPadded)")
            }
        }
    }

    @Test("a word that is base64 of something else, or of an empty object without padding, holds nothing")
    func wordsInBase64() throws {
        for word in ["example", "Windows", "W10", "e30", "e30=x", "eyJhIjox", "eyJhIjoxfQ-+", "You", "e"] {
            #expect(try Document(json: "[\"\(word)\"]").root[0]?.held == nil, "\(word)")
        }
    }

    @Test(
        "an XML property list held in a string, in data, or in base64 keeps its layout and comments when it is edited")
    func xmlInPlace() throws {
        let xml = """
            <plist version="1.0">
            <!-- by hand -->
            <dict>
              <key>b</key>  <integer>0x1F</integer><!-- kept -->
              <key>list</key>
              <array>
                <string>a</string>
                <!-- the last -->
                <string>c</string>
              </array>
              <key>none</key><dict/>
              <key>old</key>
              <true/>
            </dict>
            </plist>

            """
        let edits: [DocumentEdit] = try [
            .set(path("$.held.list[0]"), Document(text: "<&>\nz")), .add(path("$.held.list[1]"), Document(text: "b")),
            .add(path("$.held.list[3]"), Document(json: #"{"d": [1]}"#)), .remove(path("$.held.old")),
            .rename(path("$.held.b"), to: "B"), .add(path("$.held.none.one"), Document(json: "1.5")),
            .add(path("$.held.day"), Document(json: #"{"$date": "2024-01-31T12:00:00Z"}"#)),
        ]
        let expected = """
            <plist version="1.0">
            <!-- by hand -->
            <dict>
              <key>B</key>  <integer>0x1F</integer><!-- kept -->
              <key>list</key>
              <array>
                <string>&lt;&amp;&gt;
            z</string>
                <!-- the last -->
                <string>b</string>
                <string>c</string>
                <dict>
                \t<key>d</key>
                \t<array>
                \t\t<integer>1</integer>
                \t</array>
                </dict>
              </array>
              <key>none</key><dict>
              \t<key>one</key>
              \t<real>1.5</real>
              </dict>
              <key>day</key><date>2024-01-31T12:00:00Z</date>
            </dict>
            </plist>

            """
        let inString = try Document(json: "{\"held\": \(JSONWriter().string(Document(text: xml).root))}")
        #expect(try inString.applying(edits).root["held"]?.string == expected)
        let base64 = Data(xml.utf8).base64EncodedString()
        let inBase64 = try Document(json: "{\"held\": \"\(base64)\"}").applying(edits)
        #expect(inBase64.root["held"]?.string == Data(expected.utf8).base64EncodedString())
        for format in [.xml, .binary] as [PropertyListSerialization.PropertyListFormat] {
            let inData = try propertyList(["held": Data(xml.utf8)], format).applying(edits)
            #expect(inData.root["held"]?.data == Data(expected.utf8))
        }
        // So does a whole document, and the result is what the edits make of its values.
        let whole = try Document(parsing: SourceBytes(xml))
        let direct = try edits.map { edit in
            try edit.moved(to: path("\(edit.path)".replacing("$.held", with: "$")))
        }
        let spliced = try #require(whole.splicing(direct))
        #expect(spliced.source.map { String(decoding: $0.data, as: UTF8.self) } == expected)
        #expect(try spliced == whole.applying(direct))
    }

    @Test("a held document in the data of a property list keeps its format, at any depth")
    func propertyLists() throws {
        let formats: [PropertyListSerialization.PropertyListFormat] = [.xml, .binary]
        for format in formats {
            let inner = try PropertyListSerialization.data(
                fromPropertyList: ["key": "a", "json": "[1, {\"x\": 1}]"], format: format, options: 0)
            let document = try propertyList(["shortcut": inner], format)
            let edited = try document.applying([
                .set(path("$.shortcut.key"), Document(text: "b")),
                .set(path("$.shortcut.json[1].x"), Document(json: "2")),
            ])
            #expect(edited.format == document.format)
            let held = try #require(edited.root["shortcut"]?.held?.document)
            #expect(edited.root["shortcut"]?.kind == .data && held.format == document.format)
            #expect(held.root["key"]?.string == "b" && held.root["json"]?.string == #"[1, {"x": 2}]"#)
        }
    }

    @Test("an impossible edit inside a held property list is refused with the path of the value")
    func refused() throws {
        let inner = try PropertyListSerialization.data(fromPropertyList: ["key": "a"], format: .xml, options: 0)
        let document = try propertyList(["shortcut": inner], .xml)
        let error = try #require(throws: DocumentEditError.self) {
            try document.applying([.set(path("$.shortcut.other.key"), Document(json: "1"))])
        }
        #expect(error.path.description == "$.shortcut.other.key" && error.problem == .missing)
    }

    @Test("texts that only begin like a document hold none")
    func none() throws {
        for value in [
            "\"{not json}\"", "\"[draft] title\"", "\"Word\"", "\"eyes\"", "\"/usr/bin\"", "\"<b>\"", "\"12\"", "1",
            "null",
            "\"\"", "\"// no\"",
        ] {
            #expect(try Document(json: "[\(value)]").root[0]?.held == nil, "\(value)")
        }
    }

    @Test("held documents are compared value by value")
    func compared() throws {
        let old = try Document(json: #"{"list": ["x", "{\"a\": 1, \"b\": {\"c\": [1, 2]}}"]}"#)
        let new = try Document(json: #"{"list": ["y", "x", "{\"b\": {\"c\": [1, 3]}, \"d\": true}"]}"#)
        let changes = DocumentDifference(old: old.root, new: new.root).unfolded().changes
        #expect(
            changes.map { "\($0.kind) \($0.path)" } == [
                "added $.list[0]", "removed $.list[1].a", "changed $.list[2].b.c[1]", "added $.list[2].d",
            ])
        let spelled = try Document(json: #"{"list": ["x", "{\"b\":{\"c\":[1,2]},\"a\":1}"]}"#)
        let respelled = DocumentDifference(old: old.root, new: spelled.root).unfolded().changes
        #expect(respelled.map { "\($0.kind) \($0.path)" } == ["changed $.list[1]"])
    }

    @Test("a keyed archive is recognized, with the class of its object")
    func keyedArchive() throws {
        let archive: [String: Any] = [
            "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": ["CF$UID": 1]],
            "$objects": [
                "$null", ["name": ["CF$UID": 2], "$class": ["CF$UID": 3]], "Lear",
                ["$classname": "Poem", "$classes": ["Poem", "NSObject"]],
            ],
        ]
        let document = try propertyList(archive, .xml)
        #expect(document.isKeyedArchive && document.archivedClass == "Poem")
        #expect(try !Document(json: #"{"$archiver": "NSKeyedArchiver", "$objects": []}"#).isKeyedArchive)
    }
}
