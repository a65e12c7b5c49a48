import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Documents in several folders")
struct DocumentHeadingTests {
    private static let found = [
        FoundDocument(id: 0, name: "d/letters/v1.json", heading: "letters/", displayName: "v1.json"),
        FoundDocument(id: 1, name: "d/letters/v2.json", heading: "letters/", displayName: "v2.json"),
        FoundDocument(id: 2, name: "d/mystery.json", displayName: "mystery.json"),
        FoundDocument(id: 3, name: "d/poems/v1.json", heading: "poems/", displayName: "v1.json"),
        FoundDocument(
            id: 4, name: "d/poems/x.jsonl#L1", heading: "poems/x.jsonl", displayName: "line 1",
            title: "poems/x.jsonl#L1"),
    ]

    private func inspector(_ found: [FoundDocument] = found, width: Int = 120, height: Int = 20) -> Inspector {
        var inspector = Inspector(title: "d")
        _ = inspector.handle(.input(.resize(width: width, height: height)))
        _ = inspector.handle(.found(found))
        _ = inspector.handle(.finishedFinding(leftOut: []))
        return inspector
    }

    private func lines(_ inspector: Inspector) -> [String] {
        let size = inspector.size
        return inspector.canvas(width: size.width, height: size.height).text.split(separator: "\n").dropFirst().map {
            String($0.dropFirst().prefix(20)).replacing("│", with: " ").trimmingSuffix()
        }
    }

    @Test("each folder's name is above its documents, and the title has the whole path")
    func headings() {
        var inspector = inspector()
        #expect(
            lines(inspector).prefix(9) == [
                " letters/", " · v1.json", " · v2.json", " ./", " · mystery.json", " poems/", " · v1.json",
                " poems/x.jsonl", " · line 1",
            ])
        for _ in 0..<3 { _ = inspector.handle(.input(.key(.down))) }
        let screen = inspector.canvas(width: 120, height: 20).text
        #expect(screen.contains("┌ poems/v1.json"))
        #expect(screen.contains("4/5 ┐"))
    }

    @Test("documents that are found later are under the heading of their own folder, and so are all others")
    func foundAgain() {
        var inspector = inspector()
        let new = [
            FoundDocument(id: 5, name: "d/a.json", displayName: "a.json"),
            FoundDocument(id: 6, name: "d/letters/v3.json", heading: "letters/", displayName: "v3.json"),
        ]
        let all = Self.found + new
        for order: [Int] in [[5, 0, 1, 6, 2, 3, 4], [4, 3, 6, 5, 2, 1, 0], [3, 4, 0, 1, 6, 2, 5]] {
            let added = inspector.documents.count == all.count ? [] : new
            _ = inspector.handle(
                .foundAgain(added, order: order.map { FoundDocument.ID($0) }, gone: 0, isAsked: false))
            var expected: [String] = []
            for (index, number) in order.enumerated() {
                if index == 0 || all[order[index - 1]].heading != all[number].heading {
                    expected.append(all[number].heading.isEmpty ? " ./" : " \(all[number].heading)")
                }
                expected.append(" · \(all[number].displayName)")
            }
            #expect(Array(lines(inspector).prefix(expected.count)) == expected)
            #expect(inspector.documents.documents(beside: 0).map(\.number).sorted() == [0, 1, 6])
        }
    }

    @Test("documents in a single folder have no heading")
    func oneFolder() {
        let inspector = inspector(Array(Self.found[..<2]))
        #expect(lines(inspector).prefix(2) == [" · v1.json", " · v2.json"])
    }

    @Test("a heading can't be selected with keys or the mouse")
    func notSelectable() {
        var inspector = inspector()
        _ = inspector.handle(.input(.key(.down)))
        _ = inspector.handle(.input(.mouse(InspectorMouse(.press, x: 3, y: 4))))
        #expect(inspector.documents.selectedDocument == 1)
        _ = inspector.handle(.input(.key(.down)))
        #expect(inspector.documents.selectedDocument == 2)
        _ = inspector.handle(.input(.mouse(InspectorMouse(.press, x: 3, y: 7))))
        #expect(inspector.documents.selectedDocument == 3)
    }

    @Test("a filter by name matches the folder, and keeps the headings of the documents it shows")
    func filter() {
        var inspector = inspector()
        for key in "/poems" { _ = inspector.handle(.input(.key(.character(key)))) }
        #expect(lines(inspector).prefix(4) == [" poems/", " · v1.json", " poems/x.jsonl", " · line 1"])
    }

    @Test("a filter by name matches what the list shows, even if the path doesn't contain it")
    func shownName() {
        var inspector = inspector()
        for key in "/line 1" { _ = inspector.handle(.input(.key(.character(key)))) }
        #expect(lines(inspector).prefix(2) == [" poems/x.jsonl", " · line 1"])
        #expect(inspector.documents.rowCount == 1)
    }

    @Test("the first document of a folder scrolls into view together with the folder's name")
    func scrolledUp() {
        var inspector = inspector(height: 7)
        _ = inspector.handle(.input(.key(.end)))
        for _ in 0..<2 { _ = inspector.handle(.input(.key(.up))) }
        #expect(lines(inspector).prefix(2) == [" ./", " · mystery.json"])
        for _ in 0..<4 { _ = inspector.handle(.input(.mouse(InspectorMouse(.wheelUp, x: 3, y: 3)))) }
        #expect(lines(inspector).first == " letters/")
        for _ in 0..<9 { _ = inspector.handle(.input(.mouse(InspectorMouse(.wheelDown, x: 3, y: 3)))) }
        #expect(lines(inspector).dropLast(2).last == " · line 1")
    }

    @Test("lines and rows map to each other for any sections")
    func sections() {
        var sections = DocumentSections()
        for row in 0..<100_000 { sections.append(heading: row / 100) }
        #expect(sections.lineCount == 100_000)
        sections.hasHeadings = true
        #expect(sections.lineCount == 101_000)
        for row in stride(from: 0, to: 100_000, by: 37) {
            #expect(sections.line(at: sections.line(ofRow: row)) == .row(row))
            if row % 100 == 0 { #expect(sections.line(at: sections.line(ofRow: row) - 1) == .heading(row: row)) }
        }
    }
}

extension String {
    fileprivate func trimmingSuffix() -> String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
