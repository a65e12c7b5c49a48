import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Shrinking a document")
struct DocumentShrinkerTests {
    private func document(_ text: String) throws -> Document { try Document(parsing: SourceBytes(text)) }

    private func shrunk(_ text: String, fails: (DocumentNode) -> Bool) throws -> String {
        let shrunk = try DocumentShrinker.shrink(try document(text)) { fails($0.root) }
        #expect(fails(shrunk.root))
        return JSONWriter(layout: .compact).string(shrunk.root)
    }

    @Test("a shrunk document has only the members and elements that are needed, at any depth")
    func needed() throws {
        let text = #"{"a": [1, {"b": [], "c": {"d": 7, "e": 8}}, 3], "f": {"g": true, "h": null}, "i": "text"}"#
        let left = try shrunk(text) { root in
            root["f"]?["g"] != nil
                && root["a"]?.elements.contains { $0["c"]?["d"]?.numberText != "8" && $0["c"]?["d"] != nil } == true
        }
        #expect(left == #"{"a":[{"c":{"d":0}}],"f":{"g":true}}"#)
    }

    @Test("texts and numbers are shortened, and what remains of them is hidden")
    func values() throws {
        let left = try shrunk(#"{"name": "Ada Lovelace, London", "year": 1843, "mail": "ada@example.com"}"#) { root in
            root["name"]?.string?.contains(",") == true && (root["year"]?.numberText?.count ?? 0) > 2
                && root["mail"]?.string?.contains(/[a-z]@[a-z]/) == true
        }
        #expect(left == #"{"name":",","year":800,"mail":"x@x"}"#)
    }

    @Test("an embedded document loses its unnecessary members too, and so does the second of two members with one name")
    func embedded() throws {
        let held = #"{"n": [1, 22, 3], /* why */ "s": "[{\"x\": 1, \"y\": 2}]"}"#
        let text = JSONWriter().string(Document(text: held).root)
        let json = #"{"a": 1, "t": \#(text), "b": [{"c": 1}], "b": {"c": 2, "d": 3}}"#
        let shrunk = try DocumentShrinker.shrink(try document(json)) { smaller in
            guard let held = smaller.root["t"]?.held?.document.root else { return false }
            return held["n"]?[0] != nil && held["s"]?.held?.document.root[0]?["y"] != nil
                && smaller.root.members.contains { $0.value["d"] != nil }
        }
        #expect(shrunk.root.members.map(\.name) == ["t", "b"])
        #expect(shrunk.root["b"]?.members.map(\.name) == ["d"])
        let inside = try #require(shrunk.root["t"]?.held?.document.root)
        #expect(inside.members.map(\.name) == ["n", "s"] && inside["n"]?.count == 1)
        #expect(inside["n"]?[0]?.numberText == "0")
        #expect(inside["s"]?.held.map { JSONWriter().string($0.document.root) } == #"[{"y":0}]"#)
    }

    @Test("shrinking takes no more runs than its budget, and returns what it has by then")
    func budget() throws {
        var budget = ExperimentBudget()
        budget.runs = 3
        var runs = 0
        let text = #"{"a": [1, 2, 3, 4, 5, 6, 7, 8], "b": "text"}"#
        let left = try DocumentShrinker.shrink(try document(text), budget: budget) { smaller in
            runs += 1
            return smaller.root["a"]?.isEmpty == false
        }
        #expect(runs == 3 && left.root["a"]?.count == 8)
    }

    @Test("shrinking ends with the error of a run")
    func error() throws {
        struct Ended: Error {}
        #expect(throws: Ended.self) {
            _ = try DocumentShrinker.shrink(try document("[1]")) { _ in throw Ended() }
        }
    }

    @Test("a failure counts as the same if it differs only in positions and quoted values")
    func sameness() throws {
        let (old, new) = (try document(#"{"kind": "swim", "n": 12}"#), try document(#"{"kind": "x", "n": 0}"#))
        func outcome(_ message: String, path: String = "$.legs[3].kind") -> ExperimentOutcome {
            ExperimentOutcome(
                MigrationFailure(
                    .field(path: DocumentPath(path) ?? .root, problem: .noLongerValid(message: message)),
                    step: .init(from: .number(1), to: .number(2))), version: .number(1))
        }
        func isSame(_ first: String, _ second: String, path: String = "$.legs[3].kind") -> Bool {
            outcome(second, path: path).isSameFailure(of: new, as: outcome(first), of: old)
        }
        #expect(isSame("'swim' is no kind", "'x' is no kind", path: "$.legs[0].kind"))
        #expect(isSame("no such kind: swim", "no such kind: x") && isSame("12 is too many", "0 is too many"))
        #expect(isSame("'\u{301}swim' is no kind", "'x\u{600}' is no kind"))
        // A word of the message that is also a value elsewhere is not always a quoted value.
        #expect(isSame("no such kind: swim, really", "no such kind: x, really"))
        let (first, both) = (outcome("no value for a"), try document(#"{"kind": "value", "n": 12}"#))
        #expect(first.isSameFailure(of: try document("{}"), as: first, of: both))
        #expect(!isSame("'\u{301}swim' is no kind", "'x\u{600}' is no leg"))
        #expect(!isSame("no such kind: swim", "no such leg: x"))
        #expect(!isSame("no such kind: swim", "no such kind: x", path: "$.legs[3].name"))
        let passed = ExperimentOutcome(nil, version: .number(1))
        #expect(!passed.isSameFailure(of: new, as: outcome("no"), of: old))
        var other = outcome("no")
        other.version = .number(2)
        #expect(!other.isSameFailure(of: new, as: outcome("no"), of: old))
    }

    @Test("a crash counts as the same only if it has the same cause in the same place")
    func crashes() throws {
        let (old, new) = (try document(#"{"kind": "swim", "n": 12}"#), try document(#"{"kind": "x", "n": 0}"#))
        func isSame(_ first: Crash, _ second: Crash) -> Bool {
            let outcomes = [first, second].map {
                ExperimentOutcome(
                    MigrationFailure(.crashed($0, frame: nil), step: .init(from: .number(1), to: .number(2))),
                    version: .number(1))
            }
            return outcomes[1].isSameFailure(of: new, as: outcomes[0], of: old)
        }
        let trap = Crash(.trap, place: "app+0x10")
        #expect(isSame(trap, trap))
        #expect(!isSame(trap, Crash(.trap, place: "app+0x20")))
        #expect(!isSame(trap, Crash(.badAccess, place: "app+0x10")))
        func verdict(_ line: Int, _ words: String) -> Crash {
            Crash(.trap, lastWords: "App/Leg.swift:\(line): Fatal error: \(words)", isVerdict: true)
        }
        #expect(isSame(verdict(7, "no kind: swim, 12"), verdict(7, "no kind: x, 0")))
        #expect(!isSame(verdict(7, "no kind: swim"), verdict(9, "no kind: x")))
        #expect(!isSame(verdict(7, "no kind: swim"), verdict(7, "no leg: x")))
        // Without a verdict, the last words are whatever was printed last.
        #expect(isSame(Crash(.exit(1), lastWords: "at 12"), Crash(.exit(1), lastWords: "at 0")))
        #expect(!isSame(Crash(.exit(1)), Crash(.exit(2))))
    }
}
