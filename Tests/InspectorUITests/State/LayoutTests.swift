import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The layout")
struct LayoutTests {
    private static let sizes = [
        (30, 7), (31, 9), (50, 12), (69, 24), (70, 24), (80, 24), (99, 30), (100, 20), (120, 36), (200, 60),
    ]

    @Test("panels don't overlap or leave the window, whichever has the keyboard focus", arguments: sizes)
    func places(width: Int, height: Int) {
        for trace in [PoemFixtures.migrating, PoemFixtures.malformed] {
            for keys in ["", "2", "3", "2 Enter", "3 Enter", "Z"] {
                var session = Session([trace, trace], width: width, height: height)
                session.type(keys)
                let layout = session.inspector.layout
                let shown = Panel.allCases.map { layout[$0] }.filter(\.isShown)
                var owner: [Int: Int] = [:]
                for (number, area) in shown.enumerated() {
                    for rect in [area.content] {
                        #expect(rect.minX >= 0 && rect.maxX <= width && rect.minY >= 0 && rect.maxY < height)
                        #expect(!rect.isEmpty)
                        for y in rect.minY..<rect.maxY {
                            for x in rect.minX..<rect.maxX {
                                #expect(owner.updateValue(number, forKey: y * width + x) == nil)
                            }
                        }
                    }
                }
                #expect(layout.hints == Rect(x: 0, y: height - 1, width: width, height: 1))
                let focus = session.inspector.focus
                #expect(layout[focus].isShown, "\(keys) at \(width)x\(height)")
                #expect(!layout.rows(of: focus).isEmpty)
                if keys == "Z" || keys.hasSuffix("Enter") { #expect(shown.count == 1) }
            }
        }
    }

    @Test("the list is beside the document if both fit, and gives way to it otherwise")
    func panels() {
        func shown(_ width: Int, _ keys: String) -> [Panel] {
            var session = Session([PoemFixtures.migrating], width: width, height: 36)
            session.type(keys)
            return Panel.allCases.filter { session.inspector.layout[$0].isShown }
        }
        for width in [100, 160] {
            for keys in ["", "2", "3"] { #expect(shown(width, keys) == Panel.allCases) }
        }
        for width in [70, 99] {
            #expect(shown(width, "") == Panel.allCases)
            for keys in ["2", "3"] { #expect(shown(width, keys) == [.step, .source]) }
        }
        for width in [30, 69] {
            #expect(shown(width, "") == [.documents])
            for keys in ["2", "3"] { #expect(shown(width, keys) == [.step, .source]) }
        }
    }

    @Test("the source gets most of the height if there is nothing else, and more with the keyboard focus than without")
    func sourceHeight() {
        func share(_ trace: MigrationTrace, _ keys: String) -> Int {
            var session = Session([trace], width: 120, height: 47)
            session.type(keys)
            let layout = session.inspector.layout
            let (step, source) = (layout[.step].content.height, layout[.source].content.height)
            return 100 * (source + 1) / (step + source + 2)
        }
        #expect((38...42).contains(share(PoemFixtures.migrating, "2")))
        #expect((55...62).contains(share(PoemFixtures.migrating, "3")))
        for keys in ["", "3"] { #expect((70...77).contains(share(PoemFixtures.malformed, keys))) }
    }

    @Test("a window too low for both shows the step or the source, whichever has the keyboard focus")
    func low() {
        for (keys, panel) in [("2", Panel.step), ("3", .source)] {
            var session = Session([PoemFixtures.migrating], width: 80, height: 9)
            session.type(keys)
            #expect(Panel.allCases.filter { session.inspector.layout[$0].isShown } == [panel])
        }
    }

    @Test("a failure far to the right in a malformed text is visible at once")
    func farRight() {
        let line = "{\"a\": \"" + String(repeating: "x", count: 300) + "\", ,}"
        var session = Session([PoemFixtures.malformed], width: 100, height: 24)
        var trace = PoemFixtures.malformed
        trace.fail { failure in
            MigrationFailure(
                kind: failure.kind, message: failure.message,
                location: DocumentModel.SourceLocation(line: 1, column: 311, offset: 310))
        }
        session.holdsTraces = true
        session.type("r")
        session.send(.traced(0, trace))
        session.send(.sourceRead(0, SourceBytes(line)))
        #expect(session.screen.contains("xxx\", ,}"))
        #expect(session.screen.contains("^ malformed"))
    }
}
