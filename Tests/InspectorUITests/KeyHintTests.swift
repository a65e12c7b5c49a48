import Testing

@testable import InspectorUI

@Suite("The keys at the bottom")
struct KeyHintTests {
    /// Ways to places with different keys.
    static let ways = [
        "", "j", "j j", "j j j", "j j j j", "j j j j j", "j j j j j j j j", "j Tab", "j Tab l", "j Tab d",
        "j Tab Enter",
        "j Tab v", "j Tab v j l", "j Tab v G", "j s", "j s G", "j s Enter", "j j Tab G", "j j Tab v", "f", "?", "? G",
        "j s / text:mouse Enter", "j Tab / text:love Enter", "j Tab v / text:Crewe Enter", "G Tab j", "G Tab j Enter",
    ]

    @Test("every key shown changes what is seen or has an effect", arguments: ways)
    func everyShownKeyWorks(way: String) {
        for (width, height) in [(110, 30), (80, 24), (40, 10)] {
            var session = Session(width: width, height: height)
            session.type(way)
            for group in BottomLine.shownGroups(session.inspector, width: width) {
                for binding in group.bindings {
                    for key in binding.keys where session.inspector.command(for: key) == binding.command {
                        var next = session
                        next.send(.input(.key(key)))
                        let hasEffect = next.effects.count > session.effects.count
                        let cursor = next.canvas.cursor != session.canvas.cursor
                        #expect(
                            hasEffect || cursor || next.canvas != session.canvas,
                            "\(key.name()) (\(group.hint ?? "")) does nothing at \(width)x\(height) after '\(way)'")
                    }
                }
            }
        }
    }

    @Test("the way to all keys and the way out are always shown", arguments: ways)
    func wayOut(way: String) {
        for width in [120, 80, 40] {
            var session = Session(width: width, height: 24)
            session.type(way)
            let line = session.screen.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
            #expect(line.contains("q quit") || line.contains("close"), "\(line)")
        }
    }

    @Test("no key is in the table twice for one place and command, and every command has a key")
    func table() {
        for command in Command.allCases {
            #expect(KeyTable.groups.contains { $0.bindings.contains { $0.command == command } }, "\(command)")
        }
    }
}
