import CNcurses
import Foundation
import TestSupport
import Testing

@testable import CursesTerminal
@testable import InspectorUI

/// The tests are serialized, because a process has one terminal at a time.
@Suite("Terminals", .serialized)
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

    /// How long to wait for events, on the slowest machine.
    private static let patience = Duration.seconds(200)

    /// Waits for `count` inputs, and returns them with any that arrive soon afterwards.
    private func inputs(
        _ terminal: CursesTerminal, count: Int, then pause: Duration = .milliseconds(40)
    ) -> [InspectorInput] {
        var inputs: [InspectorInput] = []
        while true {
            let events = terminal.nextEvents(timeout: inputs.count < count ? Self.patience : pause)
            if events.isEmpty { return inputs }
            for case .input(let input) in events { inputs.append(input) }
        }
    }

    @Test("the terminal is restored to its previous state, and can be opened again")
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

    @Test("a canvas is shown, and the next time only its changes")
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

    /// The rows that ncurses has put on the terminal, without trailing blanks.
    private func rows(_ terminal: CursesTerminal) -> [String] {
        (0..<terminal.size.height).map { y in
            var characters = [CChar](repeating: 0, count: 4 * terminal.size.width + 1)
            mvwinnstr(cncurses_screen(), Int32(y), 0, &characters, Int32(characters.count - 1))
            let end = characters.lastIndex { $0 != 0 && $0 != 32 } ?? -1
            return String(decoding: characters[...end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    @Test("a line that moves leaves no remains")
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

    @Test("a smaller canvas shows nothing of an earlier one, in a window of the same size or another")
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
        #expect(terminal.nextEvents(timeout: Self.patience) == [.input(.resize(width: 40, height: 4))])
        present("d", width: 20, height: 2)
        #expect(rows(terminal) == ["dddddddddddddddddddd", "dddddddddddddddddddd", "", ""])
    }

    @Test("NO_COLOR and terminals without colors are monochrome")
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
        "a terminal type that can't show a screen is refused by name, and the terminal stays unchanged",
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
        "keys are recognized by the bytes that terminals send for them",
        arguments: [
            ("j", .character("j")), ("東", .character("東")), (" ", .character(" ")), ("\r", .enter), ("\t", .tab),
            ("\u{7F}", .backspace), ("\u{8}", .backspace), ("\n", .enter), ("\u{1B}", .escape),
            ("\u{3}", .control("c")), ("\u{1C}", .control("\\")),
            ("\u{1B}OA", .up), ("\u{1B}[A", .up), ("\u{1B}[B", .down), ("\u{1B}[1;5C", .right), ("\u{1B}[Z", .backTab),
            ("\u{1B}[H", .home), ("\u{1B}[1~", .home), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp),
            ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete), ("\u{1B}OP", .function(1)), ("\u{1B}[15~", .function(5)),
            ("\0", .control("@")), ("\u{1}", .control("a")), ("\u{19}", .control("y")), ("\u{1F}", .control("_")),
            ("\u{1D}", .control("]")), ("~", .character("~")), ("\u{A0}", .character("\u{A0}")),
            ("\u{1B}\u{1B}", .escape),
            ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
            ("\u{1B}OH", .home), ("\u{1B}[F", .end), ("\u{1B}[7~", .home), ("\u{1B}[8~", .end), ("\u{1B}[2~", .insert),
            ("\u{1B}OM", .enter), ("\u{1B}[24~", .function(12)), ("\u{1B}[1;2A", .up), ("\u{1B}[1;2B", .down),
            ("\u{1B}[1;2C", .right), ("\u{1B}[1;2D", .left), ("\u{1B}[1;5A", .up), ("\u{1B}[1;3B", .down),
            ("\u{1B}[1;5D", .left), ("\u{1B}[1;5H", .home), ("\u{1B}[1;2F", .end), ("\u{1B}[1;5F", .end),
            ("\u{1B}[5;5~", .pageUp), ("\u{1B}[6;2~", .pageDown), ("\u{1B}[6;5~", .pageDown), ("\u{1B}[3;2~", .delete),
            ("\u{1B}[3;5~", .delete), ("\u{1B}[2;2~", .insert), ("\u{1B}[2;5~", .insert),
        ] as [(String, InspectorKey)])
    func keys(bytes: String, key: InspectorKey) throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        pseudoTerminal.press(bytes)
        #expect(terminal.nextEvents(timeout: Self.patience) == [.input(.key(key))])
    }

    @Test("Alt and unknown keys are not mistaken for other keys")
    func unknownKeys() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        pseudoTerminal.press("\u{1B}q\u{1B}[27;5;9~\u{1B}[99X\u{1B}\u{1B}[99X\u{1B}\u{1B}[A\u{1B}Oz\u{85}j")
        #expect(inputs(terminal, count: 1) == [.key(.character("j"))])
    }

    @Test(
        "mouse presses, double presses and wheel turns are recognized at any speed",
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
        var isSlow = false
        if together {
            pseudoTerminal.press(reports.joined())
            seen = inputs(terminal, count: 4)
        } else {
            let start = ContinuousClock.now
            for (index, report) in reports.enumerated() {
                pseudoTerminal.press(report)
                seen += inputs(terminal, count: report.hasSuffix("m") ? 0 : 1)
                // A busy machine may report a double press as two single ones.
                if index == 2 { isSlow = start.duration(to: .now) > .milliseconds(400) }
            }
        }
        #expect(
            seen == [
                .mouse(InspectorMouse(.press, x: 4, y: 5)),
                isSlow ? seen.dropFirst().first : .mouse(InspectorMouse(.doublePress, x: 4, y: 5)),
                .mouse(InspectorMouse(.wheelUp, x: 249, y: 1)), .mouse(InspectorMouse(.wheelDown, x: 0, y: 0)),
            ])
    }

    @Test("quick presses at different positions are not a double press")
    func pressesElsewhere() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        let places = [(5, 6), (5, 9), (8, 9)]
        pseudoTerminal.press(places.map { "\u{1B}[<0;\($0);\($1)M\u{1B}[<0;\($0);\($1)m" }.joined())
        #expect(inputs(terminal, count: 3) == places.map { .mouse(InspectorMouse(.press, x: $0 - 1, y: $1 - 1)) })
    }

    @Test("double presses come in pairs, and only if the second press comes soon")
    func pairs() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        let press = "\u{1B}[<0;5;6M\u{1B}[<0;5;6m"
        pseudoTerminal.press(press + press + press)
        let kinds: [InspectorMouse.Kind] = [.press, .doublePress, .press]
        let seen = inputs(terminal, count: 3, then: .milliseconds(450))
        #expect(seen == kinds.map { .mouse(InspectorMouse($0, x: 4, y: 5)) })
        pseudoTerminal.press(press)
        #expect(inputs(terminal, count: 1) == [.mouse(InspectorMouse(.press, x: 4, y: 5))])
    }

    @Test("mouse buttons without a meaning are ignored, and don't hold up keys")
    func otherButtons() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        for report in ["<2;5;6M", "<2;5;6m", "<1;5;6M", "<1;5;6m", "<0;5;6m"] {
            pseudoTerminal.press("\u{1B}[\(report)")
            #expect(inputs(terminal, count: 0) == [])
        }
        pseudoTerminal.press("j")
        #expect(inputs(terminal, count: 1) == [.key(.character("j"))])
    }

    @Test("pasted text is text and not keys, even if its end gets lost")
    func paste() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        pseudoTerminal.press("\u{1B}[200~a\rq\u{1B}[201~j")
        #expect(inputs(terminal, count: 2) == [.paste("a\nq"), .key(.character("j"))])
        pseudoTerminal.press("\u{1B}[200~a\u{1B}[A\tb\n\u{1B}[201~\u{1B}[201~")
        #expect(inputs(terminal, count: 1) == [.paste("a\tb\n")])
        pseudoTerminal.press("\u{1B}[200~lost")
        // The text is reported long before the timeout, which could be infinite.
        let time = ContinuousClock().measure {
            #expect(terminal.nextEvents(timeout: Self.patience) == [.input(.paste("lost"))])
        }
        #expect(time < Self.patience / 2)
    }

    @Test("a window of another size is reported and redrawn")
    func resizing() throws {
        let pseudoTerminal = try Terminal(width: 80, height: 24)
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        for (width, height) in [(120, 40), (20, 5), (1, 1), (80, 24)] {
            pseudoTerminal.resize(width: width, height: height)
            kill(getpid(), SIGWINCH)
            #expect(terminal.nextEvents(timeout: Self.patience) == [.input(.resize(width: width, height: height))])
            var canvas = Canvas(width: 80, height: 24)
            canvas.draw("\(width)東", x: 0, y: 0)
            terminal.present(canvas, theme: terminal.theme)
        }
        #expect(pseudoTerminal.shows("80東"))
    }

    @Test("other threads can wake the terminal, and waits end in time")
    func waking() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        let waker = terminal.waker
        try GuardedThread.start(name: "waker") { for _ in 0..<100 { waker.wake() } }
        #expect(terminal.nextEvents(timeout: Self.patience) == [.woken])
        let time = ContinuousClock().measure { while !terminal.nextEvents(timeout: .milliseconds(50)).isEmpty {} }
        #expect(time < Self.patience)
        #expect(terminal.nextEvents(timeout: .zero).isEmpty)
    }

    @Test("a request to end is an event", arguments: [SIGTERM, SIGHUP, SIGINT])
    func termination(signal: Int32) throws {
        // Signals that are ignored when a terminal is opened stay ignored, and the tests may have been started in the
        // background.
        let before = Foundation.signal(signal, SIG_DFL)
        defer { Foundation.signal(signal, before) }
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        kill(getpid(), signal)
        #expect(terminal.nextEvents(timeout: Self.patience) == [.terminate(TerminationSignal(number: signal))])
    }

    @Test("a wide character cut off by the edge of the window becomes a question mark, and its neighbors stay")
    func cutCharacter() throws {
        let pseudoTerminal = try Terminal(width: 10, height: 2)
        let terminal = try open(pseudoTerminal)
        defer { withExtendedLifetime(pseudoTerminal) { terminal.close() } }
        var canvas = Canvas(width: 20, height: 3)
        canvas.draw("123456789東京", x: 0, y: 0)
        canvas.draw("12345678東京", x: 0, y: 1)
        terminal.present(canvas, theme: terminal.theme)
        #expect(rows(terminal) == ["123456789?", "12345678東"])
    }

    @Test("the cursor is at the canvas's position if that is in the window, and hidden otherwise")
    func cursor() throws {
        let pseudoTerminal = try Terminal(width: 30, height: 3)
        let terminal = try open(pseudoTerminal)
        defer { withExtendedLifetime(pseudoTerminal) { terminal.close() } }
        let (visible, hidden) = ("\u{1B}[?25h", "\u{1B}[?25l")
        var canvas = Canvas(width: 40, height: 4)
        var isVisible: Bool?
        for (x, y, isInWindow) in [
            (3, 1, true), (30, 1, false), (29, 2, true), (0, 0, true), (0, 3, false), (-1, 0, false), (0, -1, false),
        ] {
            canvas.cursor = Point(x: x, y: y)
            pseudoTerminal.forget()
            terminal.present(canvas, theme: terminal.theme)
            #expect(
                (getcurx(cncurses_screen()), getcury(cncurses_screen()))
                    == (isInWindow ? (Int32(x), Int32(y)) : (29, 2)))
            if isInWindow != isVisible { #expect(pseudoTerminal.shows(isInWindow ? visible : hidden), "\(x), \(y)") }
            isVisible = isInWindow
        }
    }

    /// A sequence that sets a color (ECMA-48, SGR 30 to 38, 40 to 48, 90 to 97, 100 to 107).
    private static let colour = /\u{1B}\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m/

    @Test("the whole screen is sent again after a change of theme or a request to redraw")
    func repainting() throws {
        let pseudoTerminal = try Terminal(width: 30, height: 3)
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        var canvas = Canvas(width: 30, height: 3)
        canvas.draw("failed", x: 0, y: 0, style: .failed)
        terminal.present(canvas, theme: terminal.theme)
        #expect(pseudoTerminal.shows("failed") && pseudoTerminal.isQuiet())
        let coloured = pseudoTerminal.output
        pseudoTerminal.forget()
        terminal.present(canvas, theme: terminal.theme)
        #expect(pseudoTerminal.isQuiet() && !pseudoTerminal.output.contains("failed"))
        terminal.redraw()
        terminal.present(canvas, theme: terminal.theme)
        #expect(pseudoTerminal.shows("failed"))
        pseudoTerminal.forget()
        terminal.present(canvas, theme: Theme(depth: .monochrome))
        #expect(pseudoTerminal.shows("failed") && pseudoTerminal.isQuiet())
        #expect(coloured.contains(Self.colour) && !pseudoTerminal.output.contains(Self.colour))
    }

    @Test(
        "the color depth follows the terminal type and NO_COLOR",
        arguments: [
            ("xterm-256color", nil, .twoHundredFiftySix), ("xterm-256color", "", .twoHundredFiftySix),
            ("xterm-256color", "0", .monochrome), ("xterm", nil, .eight), ("vt220", nil, .monochrome),
        ] as [(String, String?, ColorDepth)])
    func depth(type: String, noColor: String?, depth: ColorDepth) throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal, type: type, noColor.map { ["NO_COLOR": $0] } ?? [:])
        defer { withExtendedLifetime(pseudoTerminal) { terminal.close() } }
        #expect(terminal.colorDepth == depth && terminal.theme == Theme(depth: depth))
    }

    @Test("the restoration sequence undoes the terminal's setup, and has no delays for an old terminal")
    func restoration() throws {
        let pseudoTerminal = try Terminal(width: 80, height: 24)
        var terminal = try open(pseudoTerminal)
        let new = String(decoding: TerminalCapabilities().restoration(lastRow: 23), as: UTF8.self)
        terminal.close()
        for part in ["\u{1B}[?1006l", "\u{1B}[?1000l", "\u{1B}[?2004l", "\u{1B}[?25h", "\u{1B}[24;1H"] {
            #expect(new.contains(part), "\(part.debugDescription)")
        }
        // The alternate screen is left last, so that nothing else appears on the normal screen.
        #expect(new.hasSuffix("\u{1B}[?1049l") || new.contains("\u{1B}[?1049l\u{1B}["))
        #expect(pseudoTerminal.isQuiet())
        pseudoTerminal.forget()
        terminal = try open(pseudoTerminal, type: "vt100")
        let old = String(decoding: TerminalCapabilities().restoration(lastRow: 23), as: UTF8.self)
        terminal.close()
        #expect(old.contains("\u{1B}[24;1H") && old.hasSuffix("\r\n") && !old.contains("$<") && !old.contains("2004"))
        #expect(pseudoTerminal.shows("\r\n") && pseudoTerminal.isQuiet())
        #expect(!pseudoTerminal.output.contains("2004") && !pseudoTerminal.output.contains("1000"))
    }

    @Test("the terminal recovers from an unexpected stop with its own mode and a full redraw")
    func continuation() throws {
        let pseudoTerminal = try Terminal(width: 30, height: 3)
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        var canvas = Canvas(width: 30, height: 3)
        canvas.draw("picture", x: 0, y: 0)
        terminal.present(canvas, theme: terminal.theme)
        #expect(pseudoTerminal.shows("picture") && pseudoTerminal.isQuiet())
        let settings = pseudoTerminal.settings
        // The settings of a shell.
        var shell = TerminalRestoration.state.pointee.settings
        tcsetattr(pseudoTerminal.programSide, TCSANOW, &shell)
        pseudoTerminal.forget()
        kill(getpid(), SIGCONT)
        #expect(terminal.nextEvents(timeout: .milliseconds(300)) == [])
        #expect(pseudoTerminal.settings == settings)
        terminal.present(canvas, theme: terminal.theme)
        #expect(pseudoTerminal.shows("picture") && pseudoTerminal.output.contains("\u{1B}[?1049h"))
        // The restored terminal had a visible cursor, so it is hidden again.
        #expect(pseudoTerminal.shows("\u{1B}[?25l"))
    }

    @Test("a terminal that hangs up asks the program to end")
    func hangUp() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { terminal.close() }
        pseudoTerminal.hangUp()
        #expect(terminal.nextEvents(timeout: Self.patience) == [.terminate(TerminationSignal(number: SIGHUP))])
    }

    @Test("a closed terminal shows nothing, waits for nothing, and can be woken")
    func closed() throws {
        let pseudoTerminal = try Terminal(width: 30, height: 3)
        let terminal = try open(pseudoTerminal)
        terminal.close()
        #expect(pseudoTerminal.isQuiet())
        pseudoTerminal.forget()
        var canvas = Canvas(width: 30, height: 3)
        canvas.draw("picture", x: 0, y: 0)
        terminal.present(canvas, theme: terminal.theme)
        terminal.redraw()
        terminal.waker.wake()
        pseudoTerminal.press("j")
        #expect(terminal.nextEvents() == [])
        #expect(pseudoTerminal.isQuiet() && !pseudoTerminal.output.contains("picture"))
    }

    @Test("simultaneous requests to end are all reported, and waits never end early")
    func requests() throws {
        let pseudoTerminal = try Terminal()
        let terminal = try open(pseudoTerminal)
        defer { withExtendedLifetime(pseudoTerminal) { terminal.close() } }
        for signal in [SIGINT, SIGTERM] { kill(getpid(), signal) }
        var events: [TerminalEvent] = []
        while events.count < 2 {
            let more = terminal.nextEvents(timeout: Self.patience)
            if more.isEmpty { break }
            events += more
        }
        #expect(Set(events) == Set([SIGINT, SIGTERM].map { .terminate(TerminationSignal(number: $0)) }))
        let time = ContinuousClock().measure { #expect(terminal.nextEvents(timeout: .milliseconds(30)).isEmpty) }
        #expect(time >= .milliseconds(30))
    }

    // MARK: - Parts

    @Test(
        "the last megabyte of captured output is replayed, even to a slow reader",
        arguments: [0, 10, 4096, 4097, (1 << 20) + 5])
    func replay(count: Int) async throws {
        let folder = try TemporaryFolder()
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let capture = Foundation.open(try folder.write(bytes, to: "capture"), O_RDONLY)
        defer { Foundation.close(capture) }
        // A nonblocking pipe, which takes only as much as fits.
        let ends = try #require(makePipe())
        defer { Foundation.close(ends.readEnd) }
        let (begun, begins) = AsyncStream.makeStream(of: Void.self)
        async let received = GuardedThread.run(name: "reader") {
            begins.finish()
            var (received, memory) = (Data(), [UInt8](repeating: 0, count: 1 << 16))
            while true {
                var request = pollfd(fd: ends.readEnd, events: Int16(POLLIN), revents: 0)
                poll(&request, 1, 1000)
                let length = read(ends.readEnd, &memory, memory.count)
                if length > 0 { received += memory[..<length] }
                if length == 0 { return received }
            }
        }
        // The replay gives up on a terminal that takes nothing for two seconds, so the reader has to be ready first.
        for await _ in begun {}
        TerminalRestoration.replay(capture, to: ends.writeEnd)
        Foundation.close(ends.writeEnd)
        #expect(try await received == bytes.suffix(1 << 20))
    }

    @Test("a pipe for signals doesn't block and isn't inherited by other programs")
    func pipes() throws {
        let ends = try #require(makePipe())
        for end in [ends.readEnd, ends.writeEnd] {
            #expect(fcntl(end, F_GETFL) & O_NONBLOCK != 0 && fcntl(end, F_GETFD) & FD_CLOEXEC != 0)
            Foundation.close(end)
        }
        let waker = try #require(TerminalWaker())
        #expect(!waker.drain())
        for _ in 0..<100_000 { waker.wake() }
        #expect(waker.drain() && !waker.drain())
    }

    @Test("a guarded thread has its name and room for recursion")
    func threads() async throws {
        // The depth of the stack at a deeply nested call.
        @Sendable @inline(never) func distance(_ depth: Int, from top: UInt) -> UInt {
            var here = depth
            let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
            return top - address > 48 << 20 ? top - address : distance(depth + 1, from: top) + UInt(here % 1)
        }
        let (name, used) = try await GuardedThread.run(name: "work") {
            var top = 0
            return (Thread.current.name, distance(0, from: withUnsafeMutablePointer(to: &top) { UInt(bitPattern: $0) }))
        }
        #expect(name == "work" && used > 48 << 20)
    }
}
