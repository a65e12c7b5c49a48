import DocumentModel
import Foundation
import TestSupport
import Testing

@testable import MigrationCore

@Suite("Redacting a document")
struct RedactingTests {
    /// Redacts a document for which the closure says how it ends.
    private func redact(
        _ text: String, redactsNames: Bool = false, ending: @escaping (DocumentNode) -> String
    ) throws -> Redaction {
        let document = try Document(parsing: SourceBytes(text), allowsJSON5: true)
        return try DocumentRedactor.redact(
            document, redactsNames: redactsNames, replacements: Replacements(random: SeededGenerator(seed: 1))
        ) { ending($0.root) == ending(document.root) }
    }

    private func text(_ redaction: Redaction) -> String {
        redaction.document.source.map { String(decoding: $0.data, as: UTF8.self) } ?? ""
    }

    @Test("only the values without which the document ends in another way are kept")
    func kept() throws {
        let items = (0..<100).map { #"{"kind": "\#($0 == 41 ? "Swimming" : "Running")", "count": \#($0 + 100)}"# }
        let redaction = try redact("[\(items.joined(separator: ", "))]") { root in
            root[41]?["kind"]?.string == "Swimming" ? "unknown" : "fine"
        }
        #expect(redaction.keptValues.map(\.description) == ["$[41].kind"])
        #expect(!text(redaction).contains("Running"))
    }

    @Test("a value that another one of its form can stand for is not kept")
    func others() throws {
        let redaction = try redact(#"{"stars": 9, "name": "Ada"}"#) { root in
            (Int(root["stars"]?.numberText ?? "") ?? 0) > 7 ? "too many" : "fine"
        }
        #expect(redaction.keptValues.isEmpty && text(redaction).contains(#""stars": 8"#))
    }

    @Test("equal values stay equal")
    func equal() throws {
        let redaction = try redact(#"{"owner": "Ada", "people": [{"id": "Ada"}, {"id": "Bob"}]}"#) { root in
            root["people"]?.elements.contains { $0["id"]?.string == root["owner"]?.string } == true ? "" : "no owner"
        }
        #expect(redaction.keptValues.isEmpty && !text(redaction).contains("Ada"))
    }

    @Test("values that must agree are kept, and no others")
    func agreeing() throws {
        let redaction = try redact(#"{"total": 1234, "counts": [1000, 234], "name": "Ada"}"#) { root in
            let counts = root["counts"]?.elements.compactMap { Int($0.numberText ?? "") } ?? []
            return Int(root["total"]?.numberText ?? "") == counts.reduce(0, +) ? "fine" : "wrong total"
        }
        #expect(redaction.keptValues.map(\.description) == ["$.total", "$.counts[0]", "$.counts[1]"])
    }

    @Test("names are kept unless they are to be redacted, and those that look like data are named")
    func names() throws {
        let json = #"{"accounts": {"ada@example.org": {"name": "Ada"}, "bob@example.org": {"name": "Bob"}}}"#
        let ending: (DocumentNode) -> String = { root in
            root["accounts"]?.members.allSatisfy { $0.value["name"] != nil } == true ? "fine" : "no name"
        }
        let kept = try redact(json, ending: ending)
        #expect(kept.namedByData.map(\.description) == ["$.accounts"] && text(kept).contains("ada@example.org"))
        let redacted = try redact(json, redactsNames: true, ending: ending)
        #expect(!text(redacted).contains("example") && !text(redacted).contains("ada"))
        #expect(redacted.keptNames.allSatisfy { ["accounts", "name"].contains($0.lastKey) })
        #expect(redacted.keptNames.count == 3 && redacted.keptValues.isEmpty)
    }

    @Test("the layout stays, and the comments of JSON5 are redacted")
    func layout() throws {
        let redaction = try redact("{\n  // Ada's secret\n  name: 'Ada', /* 42 */ ages: [0x2A,],\n}\n") { _ in "" }
        let text = text(redaction)
        #expect(redaction.document.format == .json5 && text.hasPrefix("{\n  // ") && text.hasSuffix(",],\n}\n"))
        for secret in ["Ada", "secret", "42", "0x2A"] { #expect(!text.contains(secret), "\(text)") }
    }

    @Test("documents inside values are redacted, and keep what they need")
    func held() throws {
        let inner = #"{\"kind\": \"home\", \"city\": \"Turin\"}"#
        let redaction = try redact(#"{"address": "\#(inner)"}"#) { root in
            root["address"]?.heldJSON?.root["kind"]?.string == "home" ? "home" : "unknown"
        }
        #expect(redaction.keptValues.map(\.description) == ["$.address.kind"])
        #expect(!text(redaction).contains("Turin") && redaction.document.root["address"]?.heldJSON != nil)
    }

    @Test("the encoding of the text stays")
    func encoding() throws {
        let data = try #require("\u{FEFF}{\"name\": \"Ada\"}".data(using: .utf16LittleEndian))
        let redaction = try DocumentRedactor.redact(
            Document(parsing: SourceBytes(data)), redactsNames: false, replacements: Replacements()
        ) { _ in true }
        #expect(redaction.document.encoding == .utf16LittleEndian && redaction.document.hasByteOrderMark)
        #expect(redaction.document.root["name"]?.string?.count == 3)
    }

    @Test("a document of which too many values are needed is refused")
    func budget() throws {
        let document = try Document(json: "[\((0..<100).map(String.init).joined(separator: ", "))]")
        var budget = ExperimentBudget()
        budget.runs = 50
        #expect(throws: RedactionProblem.budgetSpent) {
            _ = try DocumentRedactor.redact(
                document, redactsNames: false, replacements: Replacements(), budget: budget
            ) { $0 == document }
        }
    }
}
