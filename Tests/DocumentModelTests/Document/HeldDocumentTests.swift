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
