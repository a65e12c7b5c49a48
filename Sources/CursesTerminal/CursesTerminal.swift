import CNcurses
import DisplayText
import Foundation
import InspectorUI

/// The terminal, which shows canvases and reports user input. This is the program's only type that uses ncurses.
///
///     let terminal = try CursesTerminal()
///     defer { terminal.close() }
///     while running {
///         terminal.present(screen.draw(terminal.size), theme: terminal.theme)
///         for event in terminal.nextEvents() { … }
///     }
///
/// ncurses is not thread-safe, so the terminal is isolated to the main actor. Work on other threads reaches it
/// through ``waker``. A process can only have one terminal open at a time.
///
/// While the terminal is open, it is restored no matter how the process ends; see ``CrashGuard``. Ctrl-Z and SIGTSTP
/// suspend the process automatically. Output that is printed meanwhile appears after the screen has closed.
@MainActor
public final class CursesTerminal {
    /// The signs that the terminal can show. Create canvases with them.
    public nonisolated let glyphs: Glyphs
    /// The number of colors that the terminal supports; none if the environment has `NO_COLOR`.
    public nonisolated let colorDepth: ColorDepth
    /// Ends the wait in ``nextEvents(timeout:)`` from other threads.
    public nonisolated let waker: TerminalWaker

    /// The theme for this terminal's colors.
    public nonisolated var theme: Theme { Theme(depth: colorDepth) }

    /// The number of columns and rows, as of the last event.
    public private(set) var size: (width: Int, height: Int)

    /// Called before the process stops and after it continues, respectively.
    public var onStop: () -> Void = {}
    public var onContinue: () -> Void = {}

    private let device: TerminalDevice
    private let painter: CursesPainter
    private var keys = KeyReader()
    private let signals: TerminalSignals.Installed
    private var isOpen = true
    private static var isInUse = false

    /// Takes over the terminal: clears it, and turns off its own handling of keys.
    ///
    /// Keys are read from standard input or, if that is not a terminal because a document comes from it, from the
    /// process's controlling terminal.
    ///
    /// - Throws: ``TerminalError``. The terminal is then unchanged.
    public convenience init(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(TerminalError) {
        let descriptors = try TerminalDescriptors.ofProcess()
        defer { if descriptors.ownsKeys { Foundation.close(descriptors.keys) } }
        try self.init(environment: environment, descriptors: descriptors)
    }

    /// Creates a terminal other than the process's own, such as a pseudoterminal in a test.
    init(environment: [String: String], descriptors: TerminalDescriptors) throws(TerminalError) {
        guard !Self.isInUse else { throw .alreadyOpen }
        guard let waker = TerminalWaker() else { throw .noDescriptors }
        self.waker = waker
        glyphs = Glyphs.glyphs(for: TerminalLocale.activate(environment: environment))
        // Install these before ncurses sends the first byte. ncurses does not replace existing handlers.
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

    /// Shows the canvas. Only the differences from the last one are sent to the terminal.
    ///
    /// If the canvas and the window differ in size, because the window has just been resized, as much is shown as
    /// fits.
    public func present(_ canvas: Canvas, theme: Theme) {
        // An open terminal that is not armed means that another thread is crashing and has restored the terminal.
        guard isOpen, TerminalRestoration.isArmed else { return }
        painter.paint(canvas, theme: theme, width: size.width, height: size.height)
    }

    /// Redraws everything with the next canvas. Call this after something else has written to the screen.
    public func redraw() {
        guard isOpen else { return }
        painter.repaint()
    }

    /// Waits for events and returns all that have occurred, in order.
    ///
    /// - Parameter timeout: The longest time to wait; nil waits indefinitely, and `.zero` does not wait.
    /// - Returns: An empty array if the time is up.
    public func nextEvents(timeout: Duration? = nil) -> [TerminalEvent] {
        guard isOpen else { return [] }
        let deadline = timeout.map { ContinuousClock.now + $0 }
        while true {
            let events = poll(until: deadline)
            if !events.isEmpty { return events }
            if let deadline, ContinuousClock.now >= deadline { return [] }
        }
    }

    /// Restores the terminal, stops the process as Ctrl-Z does, and shows the screen again when the process
    /// continues. If the window was resized meanwhile, the next ``nextEvents(timeout:)`` reports it.
    public func suspend() {
        guard isOpen else { return }
        device.leave()
        onStop()
        TerminalSignals.stop()
        onContinue()
        resume()
    }

    /// Whether the terminal reports mouse events. Otherwise, it uses the mouse to select text.
    public var takesMouse: Bool {
        get { device.takesMouse }
        set { if isOpen { device.takesMouse = newValue } }
    }

    /// Lends the terminal to another program while `body` runs, and then shows the screen again. Keys that interrupt
    /// or stop a process go to that program.
    ///
    /// - Parameter body: Receives a closure that it should call now and then, which returns whether this process has
    ///   been asked to end. If so, `body` should return soon.
    public func lend(_ body: (_ isAskedToEnd: () -> Bool) -> Void) {
        guard isOpen else { return }
        device.leave()
        TerminalSignals.lend(body)
        resume()
    }

    /// Sends a text to the terminal's clipboard (xterm's OSC 52), also through tmux. No terminal reports whether it
    /// accepted the text.
    ///
    /// - Returns: False if the text is longer than terminals accept. It is then not sent.
    @discardableResult
    public func copy(_ text: String) -> Bool {
        let encoded = Data(text.utf8).base64EncodedString()
        guard isOpen, encoded.utf8.count <= Self.longestCopy else { return false }
        let sequence = "\u{1B}]52;c;\(encoded)\u{07}"
        device.send(sequence)
        // tmux accepts the first form if `set-clipboard` is on, and passes on the second if `allow-passthrough` is.
        if ProcessInfo.processInfo.environment["TMUX"] != nil {
            device.send("\u{1B}Ptmux;\u{1B}\(sequence)\u{1B}\\")
        }
        return true
    }

    /// The limit of xterm, in bytes of base64.
    private static let longestCopy = 74_994

    /// Restores the terminal to its original state. Calling this again has no effect.
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

    /// Waits once. Returns no events if the wait ended for a reason that is handled here, such as a signal.
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
            // The process was stopped by SIGSTOP, which cannot be caught. The shell has used the terminal since.
            device.leave()
            resume()
        }
        // Check even without SIGWINCH, which only the foreground job receives.
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
        // Round up, so that a wait does not end a fraction early and repeat for nothing.
        return Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1)
    }
}
