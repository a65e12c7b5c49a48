import DocumentModel
import Foundation
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Rows of a document inside a value")
struct HeldDocumentRowTests {
    private func text(_ rows: [StepRow], width: Int = 70) -> String {
        rows.map { row in
            var line = StepRowLine(row, glyphs: .unicode, width: width).runs.map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    private func rows(_ old: String, _ new: String) -> [StepRow] {
        let (old, new) = (PoemFixtures.document(old), PoemFixtures.document(new))
        return DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: .unified)?.rows ?? []
    }

    @Test("a step shows the changes inside a document in a string, not two long texts")
    func changed() {
        expectPicture(
            text(
                rows(
                    #"{"n": 1, "shortcut": "{\"key\": \"a\", \"list\": [1, 2]}"}"#,
                    #"{"n": 1, "shortcut": "{\"key\": \"b\", \"list\": [1, 2], \"new\": true}"}"#)),
            """
                n         1
                shortcut  {3} in a string
            ~     key   "a" → "b"
                  list  [1, 2]
            +     new   true
            """)
    }

    @Test("a step shows the changes inside a document in base64")
    func base64() throws {
        func line(_ json: String) -> String { #"{"n": 1, "shortcut": "\#(Data(json.utf8).base64EncodedString())"}"# }
        expectPicture(
            text(rows(line(#"{"key": "a"}"#), line(#"{"key": "b"}"#))),
            """
                n         1
                shortcut  {1} in base64
            ~     key  "a" → "b"
            """)
    }

    @Test("a document that only one side holds in a string is shown as a changed value")
    func oneSide() {
        expectPicture(
            text(rows(#"{"shortcut": "{\"key\": \"a\"}"}"#, #"{"shortcut": {"key": "a"}}"#)),
            #"""
            -   shortcut  "{"key": "a"}"
            +   shortcut  {1}
            +     key  "a"
            """#)
    }

    @Test("a value that holds a document opens in place, and its rows have the whole path")
    func opened() throws {
        var rows = rows(#"{"s": "{\"key\": [1]}", "n": 1}"#, #"{"s": "{\"key\": [1]}", "n": 2}"#)
        rows.toggle(at: 0)
        expectPicture(
            text(rows),
            """
                s  {1} in a string
                  key  [1]
            ~   n  1 → 2
            """)
        #expect(rows[1].node?.path.description == "$.s.key")
        rows.toggle(at: 0)
        #expect(text([rows[0]]) == "    s  {key: [1]} in a string")
    }

    @Test("the field that broke a step is lit up inside a document in a string")
    func culprit() throws {
        let document = PoemFixtures.document(#"{"n": 1, "shortcut": "{\"key\": \"a\", \"code\": 7}"}"#)
        let path = try #require(DocumentPath("$.shortcut.code"))
        let failure = MigrationFailure(
            kind: .typeMismatch, path: path, culprit: .init(path: path, certain: true), message: "not a text")
        expectPicture(
            text(FailureRows.rows(document: document, failure: failure)),
            """
                n         1
                shortcut  {2} in a string
                  key   "a"
            ✗     code  7  ◀ not a text
            """)
        var view = ValueView(document, culprit: (path, failure))
        #expect(view.selectedPath == path)
        view.move(by: -1)
        #expect(view.selectedPath.description == "$.shortcut.key")
    }

    @Test("the tree of values opens an inner document in place, and remembers which rows were closed")
    func tree() {
        var view = ValueView(PoemFixtures.document(#"{"a": [1, [2]], "s": "{\"x\": {\"y\": 1}}", "z": [3]}"#))
        func paths() -> [String] { view.rows(height: 100).map { $0.path.description } }
        view.moveToEnd(forward: true)
        view.move(by: -1)
        view.toggle()
        #expect(paths().last == "$.z")
        view.move(by: -1)
        #expect(view.selectedPath.description == "$.s" && view.canToggle)
        view.toggle()
        #expect(paths() == ["$", "$.a", "$.a[0]", "$.a[1]", "$.a[1][0]", "$.s", "$.s.x", "$.s.x.y", "$.z"])
        view.toggle()
        #expect(paths().suffix(2) == ["$.s", "$.z"])
        #expect(view.original.root["s"]?.kind == .string)
    }

    @Test("a keyed archive is described with its class, both closed and open")
    func archive() throws {
        let archive: [String: Any] = [
            "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": ["CF$UID": 1]],
            "$objects": [
                "$null", ["$class": ["CF$UID": 2]], ["$classname": "Poem", "$classes": ["Poem", "NSObject"]],
            ],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
        let outer = try PropertyListSerialization.data(
            fromPropertyList: ["poem": data, "n": 1], format: .binary, options: 0)
        let document = try Document(parsing: SourceBytes(outer))
        let poem = try #require(document.root["poem"])
        let words = ValueText.runs(poem).map(\.text).joined()
        #expect(words.hasSuffix(" bytes, a keyed archive of Poem"))
        #expect(ValueText.size(try #require(poem.unfolded)) == "{4} in data, a keyed archive of Poem")
    }

    @Test("a value in an inner document is edited in place, and its row leads to its position in the file")
    func edited() throws {
        let document = try Document(
            parsing: SourceBytes("{\n  \"n\": 1,\n  \"shortcut\": \"{\\\"key\\\": \\\"a\\\", \\\"code\\\": 7}\"\n}"))
        let trace = MigrationTrace(
            source: "held.json", format: .json, chain: "Keys", versions: [.init(version: .number(1), type: "Keys")],
            detection: VersionDetection(version: .number(1)), document: document)
        var session = Session([trace], width: 100, height: 30)
        session.type("2 v G Enter G")
        #expect(session.screen.contains("$.shortcut.code ┤"))
        session.type("C e C-u text:8 Enter")
        let path = try #require(DocumentPath("$.shortcut.code"))
        #expect(session.inspector.whatIf?.edits == [.set(path, PoemFixtures.document("8"))])
    }
}
