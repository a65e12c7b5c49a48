import TestSupport
import Testing

@testable import InspectorUI

@Suite("Random input")
struct FuzzTests {
    private static let keys: [InspectorKey] =
        "jkhlvdseEnNfgGoczZq?123[]<> /xyO".map { .character($0) } + [
            .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab, .backTab, .enter, .escape, .backspace,
            .delete, .insert, .function(1), .control("d"), .control("u"), .control("w"), .control("f"), .control("b"),
            .control("l"), .control("z"), .control("c"),
        ]

    @Test("random keys, clicks and sizes produce a screen of exactly the right size", arguments: 0..<6)
    func random(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var session = Session(width: 100, height: 30)
        for _ in 0..<120 {
            switch Int.random(in: 0..<20, using: &generator) {
            case 0:
                let width = Int.random(in: 0...140, using: &generator)
                let height = Int.random(in: 0...50, using: &generator)
                session.send(.input(.resize(width: width, height: height)))
            case 1:
                let kinds: [InspectorMouse.Kind] = [.press, .doublePress, .wheelUp, .wheelDown]
                let mouse = InspectorMouse(
                    kinds.randomElement(using: &generator) ?? .press, x: Int.random(in: -1...140, using: &generator),
                    y: Int.random(in: -1...50, using: &generator))
                session.send(.input(.mouse(mouse)))
            case 2: session.send(.tick)
            case 3: session.send(.input(.paste("a\u{1B}[2J\nb")))
            default: session.send(.input(.key(Self.keys.randomElement(using: &generator) ?? .escape)))
            }
            let canvas = session.canvas
            #expect(canvas.width == session.inspector.size.width && canvas.height == session.inspector.size.height)
            let other = session.inspector.canvas(
                width: Int.random(in: 0...130, using: &generator), height: Int.random(in: 0...40, using: &generator),
                glyphs: .ascii)
            #expect(other.picture { _ in true }.unicodeScalars.allSatisfy { $0.isASCII })
        }
    }
}
