import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Repeated changes")
struct RepeatedChangesTests {
    private func exercises(_ count: Int, _ unit: String, odd: Int? = nil) -> Document {
        let elements = (0..<count).map { number in
            let name = number == odd ? "stones" : unit
            let factor = name == "pounds" ? 100 : 45
            let sets = (0..<5).map { #"{"\#(name)": \#((number * 5 + $0 + 1) * factor), "reps": 8}"# }
            return #"{"name": "e\#(number)", "sets": [\#(sets.joined(separator: ", "))]}"#
        }
        return PoemFixtures.document(#"{"exercises": [\#(elements.joined(separator: ", "))]}"#)
    }

    private func rows(_ old: Document, _ new: Document) throws -> DifferenceRows {
        let difference = DocumentDifference(old: old.root, new: new.root)
        return try #require(DifferenceRows(difference, style: .unified))
    }

    private func texts(_ rows: [StepRow]) -> [String] { rows.map(\.searchText) }

    @Test("changes that repeat in elements are shown once, with the range of elements, and counted one by one")
    func folded() throws {
        let arranged = try rows(exercises(25, "pounds"), exercises(25, "kilograms"))
        let texts = texts(arranged.rows)
        #expect(texts.contains("⋯ [1] to [24]: sets[*].pounds → kilograms, in 24 elements alike"), "\(texts)")
        #expect(texts.contains("⋯ [1] to [4]: pounds → kilograms, in 4 elements alike"))
        #expect(arranged.rows.count < 20)
        #expect(arranged.summary.counts[.added] == 125 && arranged.summary.counts[.removed] == 125)
    }

    @Test("changes that repeat in the members of a dictionary are shown once, with the names of the first and the last")
    func dictionary() throws {
        func packages(_ unit: String) -> Document {
            let members = (0..<14).map { #""p\#($0)": {"\#(unit)": \#(1000 + $0)}"# }.joined(separator: ", ")
            return PoemFixtures.document(#"{"packages": {\#(members)}, "name": "a"}"#)
        }
        let texts = texts(try rows(packages("size"), packages("bytes")).rows)
        #expect(texts.contains("⋯ p1 to p13: size → bytes, in 13 members alike"), "\(texts)")
    }

    @Test("folded repeated changes open one below the other, with everything inside them")
    func opened() throws {
        var rows = try rows(exercises(25, "pounds"), exercises(25, "kilograms")).rows
        while rows.contains(where: \.isFold) { rows.openFolds() }
        #expect(rows.count { $0.label == .key("pounds") } == 125 && rows.count { $0.label == .key("kilograms") } == 125)
        #expect(rows.contains { $0.label == .index(24) })
    }

    @Test("a fold ends at an element that changed differently, and a few equal changes are not folded")
    func different() throws {
        let texts = texts(try rows(exercises(9, "pounds"), exercises(9, "kilograms", odd: 4)).rows)
        #expect(texts.contains { $0.hasPrefix("⋯ [1] to [3]: sets[*].pounds → kilograms") }, "\(texts)")
        #expect(texts.contains { $0.hasPrefix("⋯ [6] to [8]: sets[*].pounds → kilograms") })
        let few = try rows(exercises(3, "pounds"), exercises(3, "kilograms")).rows
        #expect(!self.texts(few).contains { $0.contains("[1] to [2]: sets") })
    }

    @Test("repeated changes of many kinds are summarized")
    func manyKinds() throws {
        let old = (0..<6).map { #"{"id": \#($0), "a": 1, "b": 1, "c": 1, "d": 1, "e": 1}"# }.joined(separator: ", ")
        let new = (0..<6).map { #"{"id": \#($0), "a": 2, "b": 2, "c": 2, "d": 2, "f": 1}"# }.joined(separator: ", ")
        let texts = texts(try rows(PoemFixtures.document("[\(old)]"), PoemFixtures.document("[\(new)]")).rows)
        #expect(texts.contains { $0.hasPrefix("⋯ [1] to [5]: ~ a, ~ b, ~ c and ") }, "\(texts)")
    }

    @Test("elements that all moved to another array are shown once on each side")
    func wentElsewhere() throws {
        func document(_ array: String, _ name: String, _ count: Int) -> Document {
            let elements = (0..<count).map { #"{"\#(name)": "number \#($0)", "\#(array)": \#($0 % 7)}"# }
            let text = "[\(elements.joined(separator: ", "))]"
            return PoemFixtures.document(
                array == "items" ? #"{"boxes": [{"items": \#(text)}]}"# : #"{"lines": \#(text)}"#)
        }
        let arranged = try rows(document("lines", "sku", 500), document("items", "code", 500))
        let folds = arranged.rows.filter(\.isFold)
        #expect(
            texts(folds) == [
                "⋯ [1] to [499]: » sku, in 499 elements alike", "⋯ [1] to [499]: » code, in 499 elements alike",
            ])
        #expect(folds.map(\.sign) == [.removed, .added])
        #expect(
            arranged.summary.counts[.moved] == 500 && arranged.summary.counts[.added] == 1
                && arranged.summary.counts[.removed] == 1)
        var rows = arranged.rows
        while rows.contains(where: \.isFold) { rows.openFolds() }
        #expect(rows.count { $0.label == .key("sku") } == 500 && rows.count { $0.label == .key("code") } == 500)
    }

    @Test("changes in a renamed array with renamed members are shown once")
    func renamedArray() throws {
        func document(_ array: String, _ name: String) -> Document {
            let elements = (0..<500).map { #"{"\#(name)": "number \#($0)", "n": \#($0 % 7)}"# }
            return PoemFixtures.document(#"{"\#(array)": [\#(elements.joined(separator: ", "))]}"#)
        }
        let arranged = try rows(document("lines", "sku"), document("items", "code"))
        #expect(texts(arranged.rows.filter(\.isFold)) == ["⋯ [1] to [499]: sku → code, in 499 elements alike"])
        #expect(
            arranged.summary.counts[.moved] == 501 && arranged.summary.counts[.added] == nil
                && arranged.summary.counts[.removed] == nil)
    }

    @Test("a container that values moved into is shown as a whole, and the moved values are counted")
    func movedInto() throws {
        let old = (0..<6).map { #"{"id": \#($0), "a": "a\#($0)", "b": "bb\#($0)", "c": "cc\#($0)", "d": "dd\#($0)"}"# }
        let new = (0..<6).map {
            #"{"id": \#($0), "all": {"a": "a\#($0)", "b": "bb\#($0)", "c": "cc\#($0)", "d": "dd\#($0)", "e": 1}}"#
        }
        let arranged = try rows(
            PoemFixtures.document("[\(old.joined(separator: ", "))]"),
            PoemFixtures.document("[\(new.joined(separator: ", "))]"))
        let folds = arranged.rows.filter(\.isFold)
        #expect(texts(folds) == ["⋯ [1] to [5]: + all, in 5 elements alike"])
        #expect(
            arranged.summary.counts[.added] == 6 && arranged.summary.counts[.moved] == 24
                && arranged.summary.counts[.removed] == nil)
    }

    @Test("elements are folded only if they have the same names, and moved values are shown if nothing else changed")
    func names() throws {
        func texts(_ old: String, _ new: String) throws -> [String] {
            self.texts(try rows(PoemFixtures.document(old), PoemFixtures.document(new)).rows.filter(\.isFold))
        }
        func elements(_ one: (Int) -> String) -> String { "[\((0..<8).map(one).joined(separator: ", "))]" }
        // The fifth element has another name.
        #expect(
            try texts(
                #"{"lines": \#(elements { #"{"sku": "number \#($0)"}"# })}"#,
                #"{"a": [{"items": \#(elements { #"{"code": "number \#($0)", "\#($0 == 4 ? "odd" : "even")": 1}"# })}]}"#
            )
            .contains("⋯ [1] to [3]: » code, in 3 elements alike"))
        #expect(
            try texts(
                #"{"items": \#(elements { #"{"id": \#($0), "name": "name \#($0)"}"# }), "names": {}}"#,
                #"{"items": \#(elements { #"{"id": \#($0)}"# }), "names": {\#((0..<8).map { #""n\#($0)": "name \#($0)""# }.joined(separator: ", "))}}"#
            ) == ["⋯ [1] to [7]: » name, in 7 elements alike"])
    }

    @Test("folded changes take their turn when a step is played, including those of removed elements")
    func played() throws {
        let old = (0..<9).map { #"{"sku": "number \#($0)"}"# }.joined(separator: ", ")
        let new = (0..<9).map { #"{"code": "number \#($0)"}"# }.joined(separator: ", ")
        let rows = try rows(
            PoemFixtures.document(#"{"lines": [\#(old)]}"#), PoemFixtures.document(#"{"all": [{"items": [\#(new)]}]}"#)
        ).rows
        var playback = Playback(style: .unified)
        playback.load(rows, nil)
        let changed = rows.indices.filter { rows[$0].sign != .none }
        #expect(rows.count(where: \.isFold) == 2 && changed.allSatisfy { !playback.hasHappened($0) })
        while playback.go(by: 1) {}
        #expect(changed.allSatisfy { playback.hasHappened($0) })
    }
}
