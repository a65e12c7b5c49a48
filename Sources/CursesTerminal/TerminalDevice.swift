import CNcurses
import Foundation
import InspectorUI

/// The terminal as opened by ncurses, and waiting for its input.
@MainActor
final class TerminalDevice {
    enum Readiness {
        case nothing
        case some
        /// The other side has hung up.
        case gone
    }

    /// Whether the terminal reports mouse events while the screen is shown.
    var takesMouse = true {
        didSet { mousemask(takesMouse ? cncurses_button_events() : 0, nil) }
    }
    private let screen: OpaquePointer
    private let input: Int32
    private let output: Int32
    private let inputStream: UnsafeMutablePointer<FILE>
    private let outputStream: UnsafeMutablePointer<FILE>
    private let capabilities: TerminalCapabilities

    /// Opens the terminal with copies of these descriptors.
    init(environment: [String: String], descriptors: TerminalDescriptors) throws(TerminalError) {
        guard let type = environment["TERM"], !type.isEmpty else { throw .noTerminalType }
        // For an unknown type, newterm(3X) would print its own message.
        var status: Int32 = 0
        guard setupterm(type, descriptors.picture, &status) == 0 else {
            throw status == 1 ? .unsuitableTerminalType(type) : .unknownTerminalType(type)
        }
        let described = cncurses_terminal()
        defer { del_curterm(described) }
        guard TerminalCapabilities.string("cup") != nil else { throw .unsuitableTerminalType(type) }

        var settings = termios()
        guard tcgetattr(descriptors.picture, &settings) == 0,
            let inputStream = Self.stream(on: descriptors.keys, mode: "r")
        else { throw .noTerminal }
        guard let outputStream = Self.stream(on: descriptors.picture, mode: "w") else {
            fclose(inputStream)
            throw .noTerminal
        }
        output = fileno(outputStream)
        TerminalRestoration.state.pointee.terminal = output
        TerminalRestoration.state.pointee.settings = settings
        // newterm(3X) already shows the alternate screen, but has not determined its height yet.
        var (columns, rows): (Int32, Int32) = (0, 0)
        _ = cncurses_window_size(output, &columns, &rows)
        TerminalRestoration.prepare(TerminalCapabilities().restoration(lastRow: max(0, Int(rows) - 1)))
        TerminalRestoration.arm()
        guard let screen = newterm(type, outputStream, inputStream) else {
            TerminalRestoration.disarm()
            fclose(inputStream)
            fclose(outputStream)
            throw .cannotStart(type)
        }
        self.screen = screen
        self.inputStream = inputStream
        self.outputStream = outputStream
        input = fileno(inputStream)
        capabilities = TerminalCapabilities()
        configure()
    }

    /// Opens a stream, which ncurses needs. It has a separate descriptor, so no other output mixes with it.
    private static func stream(on descriptor: Int32, mode: String) -> UnsafeMutablePointer<FILE>? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { return nil }
        guard let stream = fdopen(copy, mode) else {
            Foundation.close(copy)
            return nil
        }
        return stream
    }

    /// Sets up the input: Ctrl-C and Ctrl-Z arrive as keys, and nothing is echoed, translated or buffered.
    private func configure() {
        raw()
        noecho()
        nonl()
        let window = cncurses_screen()
        keypad(window, true)
        meta(window, true)
        nodelay(window, true)
        scrollok(window, false)
        // Pending keys must not delay drawing.
        typeahead(-1)
        // Long enough for the bytes of a key to arrive one by one, short enough for Esc to feel immediate.
        set_escdelay(25)
        mouseinterval(0)
        KeyReader.defineKeys()
    }

    func startColors(environment: [String: String]) -> ColorDepth {
        let unwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        guard !unwanted, has_colors(), start_color() == OK else { return .monochrome }
        use_default_colors()
        return ColorDepth.allCases.last { $0.rawValue <= cncurses_colors() } ?? .monochrome
    }

    /// Shows the screen, at the start and after ``leave()``.
    func enter() {
        TerminalRestoration.prepare(capabilities.restoration(lastRow: Int(cncurses_lines()) - 1))
        TerminalRestoration.arm()
        OutputCapture.begin()
        // After endwin(3X), this switches the terminal back to ncurses' mode.
        wrefresh(cncurses_screen())
        // Request all events, including those without a meaning here. After a report that it did not request, ncurses
        // would wait for the next key.
        if takesMouse { mousemask(cncurses_button_events(), nil) }
        capabilities.send(capabilities.pasteOn, to: output)
    }

    /// Restores the terminal temporarily or permanently.
    func leave() {
        mousemask(0, nil)
        curs_set(1)
        capabilities.send(capabilities.pasteOff, to: output)
        endwin()
        capabilities.send(capabilities.endOfPicture, to: output)
        tcsetattr(output, TCSANOW, &TerminalRestoration.state.pointee.settings)
        TerminalRestoration.disarm()
        OutputCapture.end()
    }

    /// Sends a control sequence that does not change the screen.
    func send(_ sequence: String) {
        var bytes = Array(sequence.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR, errno != EAGAIN { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }

    func close() {
        delscreen(screen)
        fclose(inputStream)
        fclose(outputStream)
    }

    /// Applies the window's current size if it has changed, and returns it.
    func adoptSize() -> (width: Int, height: Int) {
        var columns: Int32 = 0
        var rows: Int32 = 0
        if cncurses_window_size(output, &columns, &rows) == 0, columns > 0, rows > 0,
            columns != cncurses_columns() || rows != cncurses_lines()
        {
            resize_term(rows, columns)
            TerminalRestoration.prepare(capabilities.restoration(lastRow: Int(cncurses_lines()) - 1))
        }
        return (Int(cncurses_columns()), Int(cncurses_lines()))
    }

    /// Waits for keys, signals and wakers.
    func wait(milliseconds: Int32?, waker: Int32) -> (keys: Readiness, signals: Bool, woken: Bool) {
        var descriptors = [input, TerminalSignals.descriptor, waker].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard Foundation.poll(&descriptors, nfds_t(descriptors.count), milliseconds ?? -1) > 0 else {
            return (.nothing, false, false)
        }
        let happened = Int32(descriptors[0].revents)
        let keys: Readiness = happened & (POLLHUP | POLLERR | POLLNVAL) != 0 ? .gone : happened != 0 ? .some : .nothing
        return (keys, descriptors[1].revents != 0, descriptors[2].revents != 0)
    }

    /// Whether the terminal is readable without any bytes to read, which means that it has hung up.
    var isAtEnd: Bool {
        var descriptor = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        return Foundation.poll(&descriptor, 1, 0) > 0 && cncurses_readable_bytes(input) <= 0
    }
}
