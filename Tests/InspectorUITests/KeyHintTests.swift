import Testing

@testable import InspectorUI

@Suite("The key hints in the last line")
struct KeyHintTests {
    /// Key sequences that lead to places with different keys.
    static let ways = [
        "", "j", "j j", "j j j", "j j j j", "j j j j j", "j j j j j j j j", "j Tab", "j Tab l", "j Tab d",
        "j Tab Enter",
        "j Tab v", "j Tab v j l", "j Tab v G", "j s", "j s G", "j s Enter", "j j Tab G", "j j Tab v", "f", "?", "? G",
        "j s / text:mouse Enter", "j Tab / text:love Enter", "j Tab v / text:Crewe Enter", "G Tab j", "G Tab j Enter",
    ]

    @Test("every key hint changes the screen or has an effect", arguments: ways)
    func everyShownKeyWorks(way: String) {
        for (width, height) in [(110, 30), (80, 24), (40, 10)] {
            var session = Session(width: width, height: height)
            session.type(way)
            let canvas = session.canvas
            let shown = BottomLine.items(session.inspector, width: width, .unicode).map(\.group)
            #expect(!shown.isEmpty)
            for group in shown {
                for binding in group.bindings {
                    for key in binding.keys where session.inspector.command(for: key)?.command == binding.command {
                        var next = session
                        next.send(.input(.key(key)))
                        let hasEffect = next.effects.count > session.effects.count
                        let changed = next.canvas
                        #expect(
                            hasEffect || changed.cursor != canvas.cursor || changed != canvas,
                            "\(key.name()) (\(group.hint ?? "")) does nothing at \(width)x\(height) after '\(way)'")
                    }
                }
            }
        }
    }

    @Test("the last line always shows how to get out and to the list of keys", arguments: ways)
    func wayOut(way: String) {
        for width in [120, 80, 40] {
            var session = Session(width: width, height: 24)
            session.type(way)
            let line = session.screen.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
            #expect(line.contains("q quit") || line.contains("close"), "\(line)")
        }
    }

    @Test(
        "a key has one command in each context, unless the first of several can be unavailable",
        arguments: [
            ("1", [InspectorKey.enter: [KeyCommand.showStep, .zoom], .character("Z"): [.zoom, .unzoom]]),
            (
                "2",
                [
                    .enter: [.toggleFold, .read, .openPart, .zoom], .character("Z"): [.zoom, .unzoom],
                    .character("n"): [.nextMatch, .nextChange], .character("N"): [.previousMatch, .previousChange],
                    .character("o"): [.openAll, .edit], .left: [.previousState, .previousStep],
                    .right: [.nextState, .nextStep], .character("h"): [.previousState, .previousStep],
                    .character("l"): [.nextState, .nextStep], .character("O"): [.orderByValue, .folderTimeline],
                    .character("g"): [.oldestState, .first], .home: [.oldestState, .first],
                    .character("G"): [.newestState, .last], .end: [.newestState, .last],
                ].merging(inTime) { $1 }
            ),
            (
                "2 v",
                [
                    .enter: [.toggleFold, .read, .zoom], .character("Z"): [.zoom, .unzoom],
                    .character("o"): [.openAll, .edit], .character("O"): [.orderByValue, .folderTimeline],
                ].merging(inTime) { $1 }
            ),
            (
                "3",
                [.character("Z"): [.zoom, .unzoom]].merging(inTime) { $1 }
            ),
            ("?", [:]), ("y", [:]), ("w t", [:]), ("F", [:]), ("t", [:]), ("p", [:]),
        ])
    func noKeyTwice(way: String, several: [InspectorKey: [KeyCommand]]) {
        let commands = KeyContext.commands(after: way)
        // T starts the tour and leaves it.
        let tour: [InspectorKey: [KeyCommand]] = commands["T"] == nil ? [:] : ["T": [.tour, .leaveTour]]
        // C changes a value. It has other descriptions if passing values are known or a chain must be picked.
        let panels: [InspectorKey: [KeyCommand]] =
            commands["C"] == nil ? [:] : ["C": [.offerPassing, .pickChain, .change]]
        #expect(commands.filter { $1.count > 1 } == several.merging(tour) { $1 }.merging(panels) { $1 })
    }

    /// Keys with an additional command on a timeline.
    private static let inTime: [InspectorKey: [KeyCommand]] = [
        .character("["): [.previousState, .previousStep], .character("]"): [.nextState, .nextStep],
        .character("}"): [.nextTurn, .nextCause], .escape: [.leaveTimeline, .back],
        .character("p"): [.playTime, .play],
    ]
}
