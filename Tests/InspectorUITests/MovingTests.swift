import DocumentModel
import MigrationCore
import TestSupport
import Testing

@testable import InspectorUI

@Suite("Moving the selection")
struct MovingTests {
    /// A document with a hundred fields, each on its own line and each changed by the only step.
    private static let long: MigrationTrace = {
        func document(_ version: Int, _ value: String) -> Document {
            let fields = (0..<100).map { "  \"f\($0)\": \"\(value)\"" }.joined(separator: ",\n")
            return PoemFixtures.document("{\n  \"version\": \(version),\n\(fields)\n}\n")
        }
        let (before, after) = (document(1, "a"), document(2, "b"))
        return MigrationTrace(
            source: "long.json", format: .json, chain: "Poem",
            versions: [.init(version: .number(1), type: "Old"), .init(version: .number(2), type: "New")],
            target: .number(2), detection: VersionDetection(version: .number(1), path: DocumentPath("$.version")),
            steps: [
                MigrationStep(
                    from: .number(1), to: .number(2), fromType: "Old", toType: "New", seconds: 0.001, before: before,
                    ending: .made(after))
            ], document: before)
    }()

    /// Seventy documents, all like the long one.
    private static let traces: [MigrationTrace] = (0..<70).map { number in
        var trace = long
        trace.source = "n\(number).json"
        return trace
    }

    /// The keys that lead to each panel with a selection.
    private static let ways = ["1", "2", "2 v", "3", "2 d"]

    private func session(_ way: String, width: Int, height: Int) -> Session {
        var session = Session(Self.traces, width: width, height: height) { "folder \($0 / 7)/" }
        session.type(way)
        return session
    }

    /// The rows of the screen that are drawn as selected in the panel with the keyboard focus.
    private func selectedRows(_ session: Session) -> [String] {
        let canvas = session.canvas
        return (0..<canvas.height).compactMap { y in
            var selected = ""
            for x in 0..<canvas.width {
                let cell = canvas[x, y]
                if cell.style.modifiers.contains(.selected) { selected += cell.text }
            }
            return selected.isEmpty ? nil : selected
        }
    }

    /// The first number in the selected row: that of a document, a field or a line.
    private func number(_ session: Session) throws -> Int {
        let rows = selectedRows(session)
        try #require(rows.count == 1, "\(rows)\n\(session.screen)")
        let digits = rows[0].drop { !$0.isNumber }.prefix { $0.isNumber }
        return try #require(Int(digits), "\(rows[0])")
    }

    private static let moves: [String] = [
        "j", "j", "k", "k", "Up", "Down", "C-d", "C-u", "C-f", "C-b", "PgUp", "PgDn", "g", "G", "Home", "End", "Space",
        "b", "o", "c", "z", "d", "Z", "n", "e",
    ]

    @Test("the selected row is visible after every move", arguments: ways, 0..<2)
    func selectionIsSeen(way: String, seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for (width, height) in [(120, 30), (80, 24), (40, 10)] {
            var session = session(way, width: width, height: height)
            for _ in 0..<50 {
                var move = "wheel"
                switch Int.random(in: 0..<12, using: &generator) {
                case 0:
                    let mouse = InspectorMouse(
                        Bool.random(using: &generator) ? .wheelUp : .wheelDown,
                        x: Int.random(in: 0..<width, using: &generator),
                        y: Int.random(in: 0..<height, using: &generator))
                    session.send(.input(.mouse(mouse)))
                case 1:
                    let lower = Int.random(in: 10...height, using: &generator)
                    move = "\(lower) rows"
                    session.send(.input(.resize(width: width, height: lower)))
                default:
                    move = Self.moves.randomElement(using: &generator) ?? "j"
                    session.type(move)
                }
                let rows = selectedRows(session)
                guard rows.count == 1 else {
                    Issue.record("\(rows.count) rows are selected after \(move), \(width)x\(height)\n\(session.screen)")
                    return
                }
                if session.inspector.focus == .documents, let document = session.inspector.documents.selectedDocument {
                    #expect(rows[0].contains("n\(document.number).json"), "after \(move)")
                }
            }
        }
    }

    @Test(
        "Ctrl-D and Ctrl-U move half a page, and Ctrl-F and Ctrl-B a whole page that overlaps by one row",
        arguments: ways)
    func pages(way: String) throws {
        for height in [36, 19, 24] {
            var session = session(way, width: 120, height: height)
            session.type("g")
            let first = try number(session) == 0 ? 0 : nil
            // Start in the middle, so that no end is in the way.
            session.type("g j j j j j j j")
            let start = try number(session)
            if let first { #expect(start == first + 7) }
            let page = Self.height(of: session.inspector.focus, session.inspector) - 1
            for (key, distance) in [("C-d", page / 2), ("C-f", page), ("C-u", -(page / 2)), ("C-b", -page)] {
                let before = try number(session)
                session.type(key)
                #expect(try number(session) - before == distance, "\(key) at \(height) rows\n\(session.screen)")
            }
            #expect(try number(session) == start)
            session.type("PgDn")
            #expect(try number(session) == start + page)
            session.type("PgUp")
            #expect(try number(session) == start)
        }
    }

    /// The number of rows of the panel on the screen.
    private static func height(of panel: Panel, _ inspector: Inspector) -> Int {
        inspector.layout.rows(of: panel).height
    }

    @Test("a page in the help is as high as the help, not the panel under it", arguments: ["1", "2", "3"])
    func helpPages(way: String) throws {
        var session = session(way, width: 80, height: 20)
        session.type("?")
        func firstRow() throws -> String { try #require(rows().first) }
        func rows() -> [String] {
            session.screen.split(separator: "\n").dropFirst().dropLast(2).map { String($0.dropFirst().dropLast()) }
        }
        let page = rows()
        session.type("C-f")
        #expect(try firstRow() == #require(page.last))
        session.type("C-b C-d")
        #expect(try firstRow() == page[(page.count - 1) / 2])
        session.type("C-u")
        #expect(rows() == page)
    }
}
