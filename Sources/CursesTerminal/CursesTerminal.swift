import CNcurses
import DisplayText
import Foundation
import InspectorUI

/// The terminal: shows canvases and reports what a person does. The only type of the program that knows ncurses.
///
///     let terminal = try CursesTerminal()
///     defer { terminal.close() }
///     while running {
///         terminal.present(screen.draw(terminal.size), theme: terminal.theme)
///         for event in terminal.nextEvents() { … }
///     }
///
/// ncurses is not made for threads, so the terminal belongs to the main actor; work elsewhere reaches it through
/// ``waker``. A process has one at a time.
///
/// While it is open, whatever ends the process gives the terminal back as it was found: see ``CrashGuard``. Ctrl-Z and
/// SIGTSTP suspend the process by themselves. What is printed meanwhile is shown when the screen is gone.
@MainActor
public final class CursesTerminal {
    /// The signs the terminal can show; canvases are made with them.
    public nonisolated let glyphs: Glyphs
    /// No more than the terminal has; none when the environment has `NO_COLOR`.
    public nonisolated let colorDepth: ColorDepth
    /// What other threads use to end the waiting in ``nextEvents(timeout:)``.
    public nonisolated let waker: TerminalWaker

    /// The theme for this terminal's colors.
    public nonisolated var theme: Theme { Theme(depth: colorDepth) }

    /// Columns and rows, as of the last event.
    public private(set) var size: (width: Int, height: Int)

    /// Called before the process stops, and when it goes on.
    public var onStop: () -> Void = {}
    public var onContinue: () -> Void = {}

    private let device: TerminalDevice
    private let painter: CursesPainter
    private var keys = KeyReader()
    private let signals: TerminalSignals.Installed
    private var isOpen = true
    private static var isInUse = false

    /// Takes over the terminal: clears it, and turns off what it does with keys by itself.
    ///
    /// Keys are read from standard input or, when that is no terminal because a document comes from it, from the
    /// process's controlling terminal.
    ///
    /// - Throws: ``TerminalError``, with the terminal untouched.
    public convenience init(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(TerminalError) {
        let descriptors = try TerminalDescriptors.ofProcess()
        defer { if descriptors.ownsKeys { Foundation.close(descriptors.keys) } }
        try self.init(environment: environment, descriptors: descriptors)
    }

    /// For another terminal than the process's own, such as a pseudoterminal in a test.
    init(environment: [String: String], descriptors: TerminalDescriptors) throws(TerminalError) {
        guard !Self.isInUse else { throw .alreadyOpen }
        guard let waker = TerminalWaker() else { throw .noDescriptors }
        self.waker = waker
        glyphs = Glyphs.glyphs(for: TerminalLocale.activate(environment: environment))
        // Before ncurses sends the first byte; it leaves alone what has a handler.
        let signals = TerminalSignals.install()
        CrashGuard.install()
        do {
            device = try TerminalDevice(environment: environment, descriptors: descriptors)
        } catch {
            CrashGuard.uninstall()
            TerminalSignals.uninstall(signals)
            throw error
        }
        self.signals = signals
        colorDepth = device.startColors(environment: environment)
        painter = CursesPainter()
        size = device.adoptSize()
        Self.isInUse = true
        device.enter()
    }

    /// Shows the canvas. Only what differs from the last one is sent to the terminal.
    ///
    /// A canvas that is smaller or larger than the window, because the window has just been resized, is shown as far as
    /// it fits.
    public func present(_ canvas: Canvas, theme: Theme) {
        // Not armed although open: another thread is crashing and has given the terminal back.
        guard isOpen, TerminalRestoration.isArmed else { return }
        painter.paint(canvas, theme: theme, width: size.width, height: size.height)
    }

    /// Sends everything again with the next canvas: something else has written on the screen.
    public func redraw() {
        guard isOpen else { return }
        painter.repaint()
    }

    /// Waits until something happens and gives everything that has happened, in its order.
    ///
    /// - Parameter timeout: How long to wait at most; nil waits for ever, `.zero` not at all.
    /// - Returns: Nothing when the time has run out.
    public func nextEvents(timeout: Duration? = nil) -> [TerminalEvent] {
        guard isOpen else { return [] }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let events = poll(until: deadline)
            if !events.isEmpty { return events }
            if let deadline, ContinuousClock.now >= deadline { return [] }
        }
    }

    /// Gives the terminal back, stops the process as Ctrl-Z does, and shows the screen again when it goes on. A window
    /// that was resized meanwhile is reported by the next ``nextEvents(timeout:)``.
    public func suspend() {
        guard isOpen else { return }
        device.leave()
        onStop()
        TerminalSignals.stop()
        onContinue()
        resume()
    }

    /// Whether the terminal tells of the mouse; else it selects text with it.
    public var takesMouse: Bool {
        get { device.takesMouse }
        set { if isOpen { device.takesMouse = newValue } }
    }

    /// Gives the terminal to another program for as long as `body` runs, and then shows the screen again. Keys that
    /// interrupt or stop are meant for that program.
    ///
    /// - Parameter body: Given a question for it to ask now and then: whether this process is asked to end. It should
    ///   return soon after the answer is yes.
    public func lend(_ body: (_ isAskedToEnd: () -> Bool) -> Void) {
        guard isOpen else { return }
        device.leave()
        TerminalSignals.lend(body)
        resume()
    }

    /// Hands a text to the terminal's clipboard (OSC 52 of xterm), through tmux too. No terminal says whether it took
    /// it.
    ///
    /// - Returns: False for a text that is longer than terminals take, which is not sent.
    @discardableResult
    public func copy(_ text: String) -> Bool {
        let encoded = Data(text.utf8).base64EncodedString()
        guard isOpen, encoded.utf8.count <= Self.longestCopy else { return false }
        let sequence = "\u{1B}]52;c;\(encoded)\u{07}"
        device.send(sequence)
        // tmux takes the first form where `set-clipboard` is on, and hands on the second where `allow-passthrough` is.
        if ProcessInfo.processInfo.environment["TMUX"] != nil {
            device.send("\u{1B}Ptmux;\u{1B}\(sequence)\u{1B}\\")
        }
        return true
    }

    /// What xterm takes, in bytes of base64.
    private static let longestCopy = 74_994

    /// Gives the terminal back as it was found. Calling it again does nothing.
    public func close() {
        guard isOpen else { return }
        isOpen = false
        device.leave()
        CrashGuard.uninstall()
        TerminalSignals.uninstall(signals)
        device.close()
        Self.isInUse = false
    }

    private func resume() {
        device.enter()
        painter.repaint()
    }

    /// One wait. Gives nothing when it was for nothing, such as a signal that is dealt with here.
    private func poll(until deadline: ContinuousClock.Instant?) -> [TerminalEvent] {
        let readiness = device.wait(
            milliseconds: keys.patience(milliseconds(until: deadline)), waker: waker.readEnd)
        var events: [TerminalEvent] = []
        let received = readiness.signals ? TerminalSignals.drain() : []
        for signal in TerminalSignals.terminations where received.contains(signal) {
            events.append(.terminate(TerminationSignal(number: signal)))
        }
        if received.contains(SIGTSTP) {
            suspend()
        } else if received.contains(SIGCONT), TerminalRestoration.isArmed {
            // Stopped by SIGSTOP, which cannot be caught: the shell has had the terminal since.
            device.leave()
            resume()
        }
        // Also without SIGWINCH, which only the job in the foreground gets.
        let new = device.adoptSize()
        if new != size {
            size = new
            painter.repaint()
            events.append(.input(.resize(width: new.width, height: new.height)))
        }
        if readiness.keys != .nothing {
            let inputs = keys.read()
            for input in inputs {
                if input == .key(.control("z")) { suspend() } else { events.append(.input(input)) }
            }
            if inputs.isEmpty, readiness.keys == .gone || device.isAtEnd {
                events.append(.terminate(TerminationSignal(number: SIGHUP)))
            }
        } else if let paste = keys.finishStalledPaste() {
            events.append(.input(paste))
        }
        if readiness.woken, waker.drain() { events.append(.woken) }
        return events
    }

    private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32? {
        guard let deadline else { return nil }
        let left = deadline - .now
        guard left > .zero else { return 0 }
        // Rounded up, so that a wait does not end a fraction early and is repeated with nothing to wait for.
        return Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
    }
}
