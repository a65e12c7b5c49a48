import DisplayText
import MigrationCore
import TestSupport
import Testing

@testable import InspectorUI

/// Compares the list with a model that computes everything the slow way.
@Suite("The list of documents")
struct DocumentListTests {
    /// The expected content of the list, recomputed each time.
    private struct Model {
        var documents: [FoundDocument] = []
        var outcomes: [MigrationOutcome?] = []
        var filter = DocumentFilter()
        /// The documents that the filter lets through; those of the previous filter while a job works on the next one.
        var shown: [Int] = []
        var selected: Int?

        func matches(_ position: Int) -> Bool {
            (filter.outcome == nil || outcomes[position] == filter.outcome)
                && (filter.name.isEmpty || documents[position].title.lowercased().contains(filter.name))
        }

        mutating func showAll() {
            shown = documents.indices.filter(matches)
            guard !shown.isEmpty else { return }
            let next = shown.first { $0 >= selected ?? 0 } ?? shown[shown.count - 1]
            selected = next
        }

        /// The headings and the rows below them.
        var lines: [DocumentSections.Line] {
            let hasHeadings = Set(documents.map(\.heading)).count > 1
            var lines: [DocumentSections.Line] = []
            for (row, position) in shown.enumerated() {
                if hasHeadings, row == 0 || documents[shown[row - 1]].heading != documents[position].heading {
                    lines.append(.heading(row: row))
                }
                lines.append(.row(row))
            }
            return lines
        }

        func problem(_ direction: Int) -> Int? {
            guard let row = shown.firstIndex(where: { $0 == selected }) else { return nil }
            return (1...shown.count).map { (row + direction * $0 + shown.count * 2) % shown.count }.first {
                outcomes[shown[$0]].map { ![.current, .migrated, .deleted].contains($0) } ?? false
            }
        }
    }

    private func expectSame(_ list: DocumentList, _ model: Model, _ history: [String]) {
        let comment: Comment = "\(history)"
        #expect((0..<list.rowCount).map { list.row($0).document.id.number } == model.shown, comment)
        #expect((0..<list.rowCount).map { list.row($0).result?.outcome } == model.shown.map { model.outcomes[$0] })
        #expect(list.count == model.documents.count && list.checkedCount == model.outcomes.count { $0 != nil }, comment)
        #expect(list.isChecking == model.outcomes.contains(nil), comment)
        for outcome in MigrationOutcome.allCases {
            #expect(list.count(of: outcome) == model.outcomes.count { $0 == outcome }, comment)
        }
        #expect((0..<list.sections.lineCount).map(list.sections.line(at:)) == model.lines, comment)
        for (line, content) in model.lines.enumerated() {
            guard case .row(let row) = content else { continue }
            #expect(list.sections.line(ofRow: row) == line, comment)
            let isFirst = line > 0 && model.lines[line - 1] == .heading(row: row)
            if list.sections.hasHeadings { #expect(list.sections.isFirstOfSection(row) == isFirst, comment) }
        }
        #expect(list.selectedDocument?.number == model.selected, comment)
        // The width needed for names doesn't shrink as results come in, because the panels would jump.
        let widest = (0..<list.rowCount).map { row in
            let (document, result) = list.row(row)
            let summary = result.map { TextWidth.columns(of: VersionSummary.runs($0, repertoire: .unicode)) }
            return TextWidth.columns(of: document.displayName) + 1 + (summary ?? 6)
        }.max()
        #expect(list.widestRow >= widest ?? 0, comment)
        if history.last?.hasPrefix("filter") == true { #expect(list.widestRow == widest ?? 0, comment) }
        guard !model.shown.isEmpty else { return }
        #expect(list.row(ofProblem: 1) == model.problem(1), comment)
        #expect(list.row(ofProblem: -1) == model.problem(-1), comment)
        #expect(list.canMove(forward: false) == (model.selected != model.shown.first), comment)
        #expect(list.canMove(forward: true) == (model.selected != model.shown.last), comment)
    }

    @Test("the list equals its model after finding, checking, filtering and selecting in any order", arguments: 0..<40)
    func model(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed + 1))
        var list = DocumentList()
        var model = Model()
        var job: (@Sendable (() -> Bool) -> [Int]?)?
        var history: [String] = []
        for _ in 0..<40 {
            switch Int.random(in: 0..<9, using: &generator) {
            case 0, 1:
                let found = (0..<Int.random(in: 0...4, using: &generator)).map { offset in
                    FoundDocument(
                        id: .init(model.documents.count + offset),
                        name: ["poem", "letter", "a-much-longer-name-than-that"].randomElement(using: &generator) ?? "",
                        heading: ["", "old/", "new/"].randomElement(using: &generator) ?? "")
                }
                history.append("found \(found.map(\.title))")
                model.documents += found
                model.outcomes += found.map { _ in nil }
                list.append(found)
                if job == nil { model.showAll() }
            case 2, 3:
                guard let position = model.documents.indices.randomElement(using: &generator) else { continue }
                let outcome = MigrationOutcome.allCases.randomElement(using: &generator) ?? .failed
                history.append("\(position) is \(outcome)")
                model.outcomes[position] = outcome
                list.note([
                    CheckedDocument(.init(position), result: CheckResult(source: "", outcome: outcome)),
                    CheckedDocument(.init(1_000_000), result: CheckResult(source: "", outcome: outcome)),
                ])
                if job == nil { model.showAll() }
            case 4:
                guard job == nil else { continue }
                model.filter =
                    [
                        DocumentFilter(), DocumentFilter(outcome: .failed), DocumentFilter(name: "old"),
                        DocumentFilter(outcome: .migrated, name: "poem"),
                    ].randomElement(using: &generator) ?? DocumentFilter()
                history.append("filter \(model.filter)")
                job = list.setFilter(model.filter)
                #expect((job == nil) == model.filter.isEmpty)
                if model.filter.isEmpty { model.showAll() }
                // Finish the job now, or after more has happened.
                guard Bool.random(using: &generator) else { continue }
                fallthrough
            case 5:
                guard let work = job, let matching = work({ false }) else { continue }
                history.append("filtered")
                job = nil
                // The selection at this moment stays.
                model.selected = list.selectedDocument?.number
                list.finishFilter(matching: matching)
                model.showAll()
            case 6:
                guard job == nil, !model.shown.isEmpty else { continue }
                let row = Int.random(in: -2...model.shown.count, using: &generator)
                history.append("select \(row)")
                list.select(row: row)
                model.selected = model.shown[max(0, min(row, model.shown.count - 1))]
            case 7:
                guard job == nil, let selected = model.shown.firstIndex(where: { $0 == model.selected }) else {
                    continue
                }
                let distance = Int.random(in: -3...3, using: &generator)
                history.append("move \(distance)")
                list.move(by: distance)
                model.selected = model.shown[max(0, min(selected + distance, model.shown.count - 1))]
            default:
                guard job == nil, !model.shown.isEmpty, model.shown.contains(where: { $0 == model.selected }) else {
                    continue
                }
                history.append("scroll")
                expectInSight(&list, &generator, history)
                model.selected = list.selectedDocument?.number
            }
            if job == nil { expectSame(list, model, history) }
        }
    }

    /// Scrolls, and expects a visible row to be selected: the previous one if it is still visible.
    private func expectInSight(_ list: inout DocumentList, _ generator: inout SeededGenerator, _ history: [String]) {
        let height = Int.random(in: 2...6, using: &generator)
        list.show(height: height)
        let before = list
        list.scroll(by: Int.random(in: -4...4, using: &generator), height: height)
        let visible = list.position.visible(count: list.sections.lineCount, height: height)
        let (old, new) = (before.sections.line(ofRow: before.selectedRow), list.sections.line(ofRow: list.selectedRow))
        #expect(visible.contains(new) && list.position.selected == new, "\(history)")
        if visible.contains(old) { #expect(old == new, "\(history)") }
        // The selection moves only as far as it has to.
        let rows = visible.filter { if case .row = list.sections.line(at: $0) { true } else { false } }
        if !visible.contains(old) { #expect(new == (old < visible.lowerBound ? rows.first : rows.last), "\(history)") }
    }

    @Test("a click selects the row on its line, and headings and lines below the last row select nothing")
    func clicks() {
        var list = DocumentList()
        list.append((0..<6).map { FoundDocument(id: .init($0), name: "\($0)", heading: "\($0 / 2)/") })
        list.show(height: 20)
        let selected = (-1...10).map { line in
            list.select(row: 5)
            list.select(line: line)
            return list.selectedRow
        }
        #expect(selected == [5, 5, 0, 1, 5, 2, 3, 5, 4, 5, 5, 5])
        list.moveToEnd(forward: false)
        #expect(list.selectedRow == 0)
        list.moveToEnd(forward: true)
        #expect(list.selectedRow == 5)
    }

    @Test("the heading of a folder's first document is visible with it if two lines fit", arguments: 1...4)
    func headingInSight(height: Int) {
        var list = DocumentList()
        list.append((0..<9).map { FoundDocument(id: .init($0), name: "\($0)", heading: "\($0 / 3)/") })
        list.moveToEnd(forward: true)
        list.show(height: height)
        for row in (0..<9).reversed() {
            list.select(row: row)
            list.show(height: height)
            let visible = list.position.visible(count: list.sections.lineCount, height: height)
            let line = list.sections.line(ofRow: row)
            #expect(visible.contains(line))
            if row % 3 == 0, height > 1 { #expect(visible.contains(line - 1), "row \(row)") }
            #expect(visible.count == height)
        }
    }
}
