import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

/// The claims that a search must not make about documents with equal values, or with several things wrong.
@Suite("Claims that experiments do not make")
struct ClaimTests {
    private struct Page: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = PageV1
        var heads: [Head]
        var size: Int
        var title: String

        struct Head: Codable {
            var kind: String
            var text: String
        }

        struct Wrong: Error, CustomStringConvertible { var description: String }

        init(from old: PageV1) throws {
            heads = try old.cells.map { cell in
                switch cell.kind {
                case "heading":
                    guard let level = cell.level, (0...1000).contains(level) else {
                        throw Wrong(description: "bad heading")
                    }
                    return Head(kind: "text", text: String(repeating: "#", count: level) + cell.text)
                case "text", "code": return Head(kind: cell.kind, text: cell.text)
                default: throw Wrong(description: "unknown kind \(cell.kind)")
                }
            }
            guard old.size.allSatisfy(\.isNumber), let size = Int(old.size) else {
                throw Wrong(description: "bad size")
            }
            self.size = size
            title = old.cells.first?.text ?? ""
        }
    }

    private struct PageV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var cells: [Cell]
        var size: String
        var title: String?

        struct Cell: Codable {
            var kind: String
            var text: String
            var level: Int?
        }
    }

    private let chain = MigrationChain(Page.self)

    private func culprit(_ text: String, lenders: [String] = []) throws -> MigrationFailure.Culprit? {
        let document = try Document(json: text)
        let trace = chain.trace(document)
        try #require(trace.failure != nil)
        var search = CulpritSearch(trace, lenders: try lenders.map { try Document(json: $0) }) { experiment in
            let result = chain.check(try (experiment.sample ?? document).applying(experiment.edits))
            return ExperimentOutcome(result.failure, version: result.version)
        }
        return try search?.culprit()
    }

    private func finding(_ text: String) throws -> (step: MigrationStep, finding: StepFinding) {
        let examined = try ExaminedStep(Document(json: text), of: chain)
        return (examined.step, try #require(examined.finding))
    }

    private func path(_ text: String) -> DocumentPath { DocumentPath(text) ?? .root }

    @Test("an error that merely quotes the value just tried is another failure, whatever the neighboring elements")
    func echoes() throws {
        for neighbor in ["", #", {"kind": "code", "text": "b"}, {"kind": "text", "text": "c"}"#] {
            let found = try culprit(
                #"{"version": 1, "size": "3", "cells": [{"kind": "heading", "text": "a", "level": -1}\#(neighbor)]}"#)
            let places = try #require(found.map { [$0.path] + $0.others })
            #expect(places.contains(path("$.cells[0].level")))
            // The kind only decides whether the level is checked.
            #expect(neighbor.isEmpty || places == [path("$.cells[0].level")])
        }
    }

    @Test("a value borrowed from another document does not replace a whole array")
    func borrowed() throws {
        let found = try culprit(
            #"{"version": 1, "size": "3", "cells": [{"kind": "tex", "text": "a"}, {"kind": "tex", "text": "b"}]}"#,
            lenders: [#"{"version": 1, "size": "4", "cells": [{"kind": "code", "text": "mine"}]}"#])
        #expect(found?.path != path("$.cells"))
    }

    @Test("a value that is only misspelled or of another kind keeps its meaning")
    func meaning() throws {
        let misspelt = try culprit(
            #"{"version": 1, "size": "3", "cells": [{"kind": "cod", "text": "a"}, {"kind": "text", "text": "b"}, {"kind": "code", "text": "c"}]}"#
        )
        #expect(misspelt?.proof?.finding == .passes(.set(path("$.cells[0].kind"), Document(text: "code"))))
        let number = try culprit(#"{"version": 1, "size": 130, "cells": []}"#)
        #expect(number?.proof?.finding == .passes(.set(path("$.size"), Document(text: "130"))))
        // Siblings with numbers in their strings show that a number may be meant.
        for (sibling, isRepair) in [("7", true), ("c", false)] {
            let change = DocumentEdit.set(path("$.cells[0].text"), Document(text: "12"))
            let cells = ["12", "\"\(sibling)\"", "\"8\""].map { #"{"kind": "text", "text": \#($0)}"# }
            let found = try culprit(
                #"{"version": 1, "size": "3", "cells": [\#(cells.joined(separator: ", "))]}"#)
            #expect(found?.proof?.finding == (isRepair ? .repair(change) : .passes(change)))
        }
        // Of the passing values, one that causes no later failure is chosen.
        let null = try culprit(#"{"version": 1, "size": null, "cells": []}"#)
        guard case .passes(.set(_, let value))? = null?.proof?.finding else {
            Issue.record("\(String(describing: null))")
            return
        }
        #expect(value.root.string.map { Int($0) != nil } == true || value.root.string == "")
    }

    @Test("an equal value has not moved if it is made from another value, or if nothing reads it")
    func moves() throws {
        let (step, _) = try finding(
            #"{"version": 1, "size": "3", "title": "a title that is like it", "cells": [{"kind": "text", "text": "a title that is like it"}]}"#
        )
        let changes = try #require(step.difference?.changes)
        #expect(!changes.contains { $0.kind == .moved && $0.from?.lastKey == "title" })
    }

    @Test("one lost value is not reported as the loss of all of them if other elements need theirs")
    func lost() throws {
        let (_, found) = try finding(
            #"{"version": 1, "size": "3", "cells": [{"kind": "text", "text": "a", "level": 3}, {"kind": "heading", "text": "b", "level": 2}]}"#
        )
        #expect(found.lost.contains(path("$.cells[0].level")) && !found.lost.contains(path("$.cells[*].level")))
    }

    @Test("a document in which a name occurs twice has no values reported as made by the step")
    func duplicates() throws {
        let (_, found) = try finding(
            #"{"version": 1, "size": "3", "size": "4", "cells": [{"kind": "text", "text": "a"}]}"#)
        #expect(!found.origins.contains { $0.from.isEmpty })
    }

    private struct Keyed: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = KeyedV1
        var items: [Item]
        struct Item: Codable { var id: String }
        init(from old: KeyedV1) throws { items = old.items.map { Item(id: $0.key ?? UUID().uuidString) } }
    }

    private struct KeyedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var items: [Item]
        struct Item: Codable {
            var key: String?
            var count: Int
        }
    }

    /// Makes its items from the list. A document that is not free is accepted with one list only.
    private struct Listed: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = ListedV1
        var items: [String]
        struct Unknown: Error {}
        init(from old: ListedV1) throws {
            guard old.isFree == true || old.list == ["one", "two"] else { throw Unknown() }
            items = old.list + ["six"]
        }
    }

    private struct ListedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var list: [String]
        var isFree: Bool?
    }

    @Test("a container is derived from a similar one only if a change of that one was accepted and shows in the result")
    func likeness() throws {
        let chain = MigrationChain(Listed.self)
        func origins(_ text: String) throws -> [ValueOrigin] {
            let document = try Document(json: text)
            let step = try #require(chain.trace(document).steps.first)
            let changes = try #require(step.difference?.changes)
            #expect(changes.contains { $0.kind == .moved && $0.from == path("$.list") && $0.path == path("$.items") })
            let finding = try #require(try ExaminedStep(document, of: chain).finding)
            return finding.origins.filter { $0.path == path("$.items") }
        }
        #expect(
            try origins(#"{"version": 1, "list": ["one", "two"], "isFree": true}"#).first?.from.contains(
                path("$.list[*]"))
                == true)
        #expect(try origins(#"{"version": 1, "list": ["one", "two"]}"#).isEmpty)
    }

    @Test("a value carried to a place that differs in every run is not reported as lost")
    func differing() throws {
        let chain = MigrationChain(Keyed.self)
        let document = try Document(
            json: #"{"version": 1, "items": [{"key": "the first key", "count": 1}, {"count": 2}]}"#)
        let finding = try ExaminedStep(document, of: chain).finding
        #expect(finding?.differing == [path("$.items[*].id")])
        #expect(finding?.lost == [path("$.items[*].count")])
        #expect(finding?.notMoved == [])
    }
}
