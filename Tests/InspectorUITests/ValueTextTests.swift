import DisplayText
import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import InspectorUI

@Suite("Values on one line")
struct ValueTextTests {
    private func text(_ node: DocumentNode, budget: Int = 200) -> String {
        ValueText.runs(node, budget: budget).map(\.text).joined()
    }

    @Test(
        "a value is written as in JSON",
        arguments: [
            ("true", "true"), ("false", "false"), ("null", "null"), ("-1.50e3", "-1.50e3"), (#""a\nb""#, "\"a\nb\""),
            (#"{"a":[1,{"b":true}],"c":{}}"#, #"{a: [1, {b: true}], c: {}}"#), ("[]", "[]"),
            ("[[],[null]]", "[[], [null]]"),
        ])
    func json(json: String, line: String) {
        #expect(text(PoemFixtures.document(json).root) == line)
    }

    @Test("dates are written as in ISO 8601, and data as its beginning and its size")
    func propertyLists() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        let list: [String: Any] = [
            "date": date, "none": Data(), "short": Data([0, 0x0F, 0xFF]), "long": Data(repeating: 0xA5, count: 1200),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        let root = try Document(parsing: SourceBytes(data)).root
        func value(_ name: String) throws -> String { text(try #require(root[name])) }
        #expect(try value("date") == "2023-11-14T22:13:20Z")
        #expect(try value("none") == "<> 0 bytes")
        #expect(try value("short") == "<000fff> 3 bytes")
        #expect(try value("long") == "<\(String(repeating: "a5", count: 16))...> \(NumberWords.grouped(1200)) bytes")
    }

    @Test("a value takes no more than the available width")
    func budget() {
        let numbers = PoemFixtures.document("[" + (0..<1000).map(String.init).joined(separator: ",") + "]")
        let line = text(numbers.root, budget: 20)
        #expect(line.hasPrefix("[0, 1, 2, 3") && line.count < 30)
        let long = text(PoemFixtures.document("\"" + String(repeating: "x", count: 10_000) + "\"").root, budget: 20)
        #expect(long.hasPrefix("\"xxx") && !long.hasSuffix("\"") && long.count < 100)
    }

    @Test("a search finds any part of a value that JSON would have")
    func search() throws {
        let document = PoemFixtures.document(#"{"a": true, "b": null, "c": "x", "d": 12.5, "e": false, "f": [0]}"#)
        var session = Session([current(document)], width: 100, height: 30)
        session.type("2 v")
        for (word, name) in [("true", "a"), ("null", "b"), ("x", "c"), ("12.5", "d"), ("false", "e"), ("f", "e")] {
            session.type("g / text:\(word) Enter")
            let selected = session.inspector.shown?.value?.selected.node
            #expect(selected?.key?.string == name, "\(word)")
        }
    }

    private func current(_ document: Document) -> MigrationTrace {
        var trace = PoemFixtures.current
        trace.document = document
        trace.detection.path = nil
        return trace
    }

    @Test("named keys are shown by their names")
    func keys() {
        let names: [(InspectorKey, String)] = [
            (.backspace, "Backspace"), (.delete, "Del"), (.insert, "Ins"), (.function(5), "F5"),
            (.control("d"), "Ctrl-D"),
            (.character(" "), "Space"), (.character("q"), "q"), (.pageUp, "PgUp"), (.pageDown, "PgDn"), (.home, "Home"),
            (.end, "End"), (.tab, "Tab"), (.backTab, "Shift-Tab"), (.enter, "Enter"), (.escape, "Esc"),
        ]
        for (key, name) in names {
            #expect(key.name() == name && key.name(in: .ascii) == name)
        }
        let arrows: [(InspectorKey, String, String)] = [
            (.up, "↑", "Up"), (.down, "↓", "Down"), (.left, "←", "Left"), (.right, "→", "Right"),
        ]
        for (key, sign, word) in arrows { #expect(key.name() == sign && key.name(in: .ascii) == word) }
    }
}
