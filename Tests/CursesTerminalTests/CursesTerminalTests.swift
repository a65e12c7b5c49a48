import CNcurses
import Foundation
import InspectorUI
import TestSupport
import Testing

@testable import CursesTerminal

/// Serialized, since a process has one terminal at a time.
@Suite("Terminal", .serialized)
@MainActor
struct CursesTerminalTests {
    private func open(
        _ pseudoTerminal: Terminal, type: String = "xterm-256color", _ environment: [String: String] = [:]
    ) throws -> CursesTerminal {
        let environment = environment.merging(["TERM": type]) { own, _ in own }
        return try CursesTerminal(
            environment: environment,
            descriptors: TerminalDescriptors(keys: pseudoTerminal.programSide, picture: pseudoTerminal.programSide))
    }

    /// What the keys become, read until nothing more comes.
    private func inputs(_ terminal: CursesTerminal, patience: Duration = .milliseconds(300)) -> [InspectorInput] {
        var inputs: [InspectorInput] = []
        while true {
            let events = terminal.nextEvents(timeout: patience)
            if events.isEmpty { return inputs }
            for case .input(let input) in events { inputs.append(input) }
        }
    }

    @Test("the terminal is given back as it was found, and can be taken again")
    func openAndClose() throws {
        let pseudoTerminal = try Terminal()
        let before = pseudoTerminal.settings
        for _ in 0..<2 {
            let terminal = try open(pseudoTerminal)
            #expect(pseudoTerminal.settings != before)
            #expect(throws: TerminalError.alreadyOpen) { try open(pseudoTerminal) }
            terminal.close()
            terminal.close()
            #expect(pseudoTerminal.settings == before)
            #expect(pseudoTerminal.shows("\u{1B}[?1049l"))
            #expect(pseudoTerminal.shows("\u{1B}[?2004l"))
        }
    }

    @Test("a canvas is shown, and again only what has changed")
    func presenting() throws {
        let pseudoTerminal = try Terminal(width: 40, height: 5)
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        #expect(terminal.size == (40, 5))
        #expect(terminal.colorDepth == .twoHundredFiftySix)
        var canvas = Canvas(width: 40, height: 5, glyphs: terminal.glyphs)
        canvas.draw("東京 and e\u{301}", x: 0, y: 0)
        canvas.draw("last cell", x: 31, y: 4)
        terminal.present(canvas, theme: terminal.theme)
        #expect(pseudoTerminal.shows("東京 and e\u{301}"))
        #expect(pseudoTerminal.shows("last ce"))
        let shown = pseudoTerminal.output.utf8.count
        canvas.draw("X", x: 3, y: 2, style: .failed)
        terminal.present(canvas, theme: terminal.theme)
        #expect(pseudoTerminal.shows("X"))
        #expect(pseudoTerminal.output.utf8.count - shown < 80)
    }

    /// The rows that ncurses has put on the terminal, without the blanks at their ends.
    private func rows(_ terminal: CursesTerminal) -> [String] {
        (0..<terminal.size.height).map { y in
            var characters = [CChar](repeating: 0, count: terminal.size.width + 1)
            mvwinnstr(cncurses_screen(), Int32(y), 0, &characters, Int32(terminal.size.width))
            let end = characters.lastIndex { $0 != 0 && $0 != 32 } ?? -1
            return String(decoding: characters[...end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    @Test("a line that moves leaves nothing of itself behind")
    func movedLine() throws {
        let pseudoTerminal = try Terminal(width: 30, height: 3)
        let terminal = try open(pseudoTerminal)
        defer { withExtendedLifetime(pseudoTerminal) { terminal.close() } }
        for lines in [["short", "a line to the right edge: 30 c"], ["a line to the right edge: 30 c", "short"]] {
            var canvas = Canvas(width: 30, height: 3)
            for (y, line) in lines.enumerated() { canvas.draw(line, x: 0, y: y) }
            terminal.present(canvas, theme: terminal.theme)
            #expect(rows(terminal) == lines + [""])
        }
    }

    @Test("nothing of an earlier canvas is seen beside a smaller one, with the window as it was or of another size")
    func smallerCanvas() throws {
        let pseudoTerminal = try Terminal(width: 30, height: 3)
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        func present(_ text: String, width: Int, height: Int) {
            var canvas = Canvas(width: width, height: height)
            for y in 0..<height { canvas.draw(String(repeating: text, count: width), x: 0, y: y) }
            terminal.present(canvas, theme: terminal.theme)
        }
        present("a", width: 30, height: 3)
        present("b", width: 10, height: 2)
        #expect(rows(terminal) == ["bbbbbbbbbb", "bbbbbbbbbb", ""])
        present("c", width: 30, height: 3)
        pseudoTerminal.resize(width: 40, height: 4)
        kill(getpid(), SIGWINCH)
        #expect(terminal.nextEvents(timeout: .seconds(2)) == [.input(.resize(width: 40, height: 4))])
        present("d", width: 20, height: 2)
        #expect(rows(terminal) == ["dddddddddddddddddddd", "dddddddddddddddddddd", "", ""])
    }

    @Test("NO_COLOR and terminals without colours get none")
    func noColor() throws {
        let pseudoTerminal = try Terminal()
        var terminal = try open(pseudoTerminal, ["NO_COLOR": "1"])
        #expect(terminal.colorDepth == .monochrome)
        terminal.close()
        terminal = try open(pseudoTerminal, type: "vt100")
        #expect(terminal.colorDepth == .monochrome)
        terminal.close()
    }

    @Test(
        "a terminal type that cannot show a screen is refused by name, and left alone",
        arguments: [
            ("", TerminalError.noTerminalType), ("dumb", .unsuitableTerminalType("dumb")),
            ("no-such-type", .unknownTerminalType("no-such-type")),
        ])
    func refusals(type: String, error: TerminalError) throws {
        let pseudoTerminal = try Terminal()
        let before = pseudoTerminal.settings
        #expect(throws: error) { try open(pseudoTerminal, type: type) }
        #expect(pseudoTerminal.settings == before)
        #expect(pseudoTerminal.output == "")
    }

    @Test(
        "keys are known by what terminals send for them",
        arguments: [
            ("j", .character("j")), ("東", .character("東")), (" ", .character(" ")), ("\r", .enter), ("\t", .tab),
            ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\n", .enter), ("\u{1B}", .escape),
            ("\u{3}", .control("c")), ("\u{1C}", .control("\\")),
            ("\u{1B}OA", .up), ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[1;5C", .right), ("\u{1B}[Z", .backTab),
            ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp),
            ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete), ("\u{1B}OP", .function(1)), ("\u{1B}[15~", .function(5)),
        ] as [(String, InspectorKey)])
    func keys(bytes: String, key: InspectorKey) throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        pseudoTerminal.press(bytes)
        #expect(terminal.nextEvents(timeout: .seconds(2)) == [.input(.key(key))])
    }

    @Test("Alt and keys that nobody knows are not taken for other keys")
    func unknownKeys() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        pseudoTerminal.press("\u{1B}q\u{1B}[27;5;9~\u{1B}[99Xj")
        #expect(inputs(terminal) == [.key(.character("j"))])
    }

    @Test(
        "the mouse presses, presses twice, and turns its wheel, however fast its reports come",
        arguments: [true, false])
    func mouse(together: Bool) throws {
        let pseudoTerminal = try Terminal(width: 300, height: 50)
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        let reports = [
            "\u{1B}[<0;5;6M", "\u{1B}[<0;5;6m", "\u{1B}[<0;5;6M", "\u{1B}[<0;5;6m", "\u{1B}[<64;250;2M",
            "\u{1B}[<65;1;1M",
        ]
        var seen: [InspectorInput] = []
        if together {
            pseudoTerminal.press(reports.joined())
            seen = inputs(terminal)
        } else {
            for report in reports {
                pseudoTerminal.press(report)
                seen += inputs(terminal, patience: .milliseconds(40))
            }
        }
        #expect(
            seen == [
                .mouse(InspectorMouse(.press, x: 4, y: 5)), .mouse(InspectorMouse(.doublePress, x: 4, y: 5)),
                .mouse(InspectorMouse(.wheelUp, x: 249, y: 1)), .mouse(InspectorMouse(.wheelDown, x: 0, y: 0)),
            ])
    }

    @Test("presses at two places are no double press, however soon they come")
    func pressesElsewhere() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        let places = [(5, 6), (5, 9), (8, 9)]
        pseudoTerminal.press(places.map { "\u{1B}[<0;\($0);\($1)M\u{1B}[<0;\($0);\($1)m" }.joined())
        #expect(inputs(terminal) == places.map { .mouse(InspectorMouse(.press, x: $0 - 1, y: $1 - 1)) })
    }

    @Test("buttons that mean nothing neither do anything nor hold up the keys")
    func otherButtons() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        for report in ["<2;5;6M", "<2;5;6m", "<1;5;6M", "<1;5;6m", "<0;5;6m"] {
            pseudoTerminal.press("\u{1B}[\(report)")
            #expect(inputs(terminal, patience: .milliseconds(40)) == [])
        }
        pseudoTerminal.press("j")
        #expect(inputs(terminal) == [.key(.character("j"))])
    }

    @Test("what is pasted is text and no keys, even when its end gets lost")
    func paste() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        pseudoTerminal.press("\u{1B}[200~a\rq\u{1B}[201~j")
        #expect(inputs(terminal) == [.paste("a\nq"), .key(.character("j"))])
        pseudoTerminal.press("\u{1B}[200~lost")
        #expect(inputs(terminal, patience: .seconds(1)) == [.paste("lost")])
    }

    @Test("a window of another size is reported and drawn anew")
    func resizing() throws {
        let pseudoTerminal = try Terminal(width: 80, height: 24)
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        for (width, height) in [(120, 40), (20, 5), (1, 1), (80, 24)] {
            pseudoTerminal.resize(width: width, height: height)
            kill(getpid(), SIGWINCH)
            #expect(terminal.nextEvents(timeout: .seconds(2)) == [.input(.resize(width: width, height: height))])
            var canvas = Canvas(width: 80, height: 24)
            canvas.draw("\(width)東", x: 0, y: 0)
            terminal.present(canvas, theme: terminal.theme)
        }
        #expect(pseudoTerminal.shows("80東"))
    }

    @Test("other threads wake the terminal, and waiting ends in time")
    func waking() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        let waker = terminal.waker
        GuardedThread.start(name: "waker") { for _ in 0..<100 { waker.wake() } }
        #expect(terminal.nextEvents(timeout: .seconds(5)) == [.woken])
        let time = ContinuousClock().measure { while !terminal.nextEvents(timeout: .milliseconds(50)).isEmpty {} }
        #expect(time < .seconds(2))
        #expect(terminal.nextEvents(timeout: .zero).isEmpty)
    }

    @Test("a request to end is an event", arguments: [SIGTERM, SIGHUP, SIGINT])
    func termination(signal: Int32) throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        kill(getpid(), signal)
        #expect(terminal.nextEvents(timeout: .seconds(2)) == [.terminate(TerminationSignal(number: signal))])
    }
}
