import CursesTerminal
import InspectorUI

/// What a session needs of the terminal that it shows the screen on.
@MainActor
protocol SessionTerminal: AnyObject {
    /// Ends the wait for events from any thread.
    nonisolated var waker: TerminalWaker { get }
    nonisolated var glyphs: Glyphs { get }
    nonisolated var theme: Theme { get }
    var size: (width: Int, height: Int) { get }
    /// What to do before the program stops in the background, and after it continues.
    var onStop: () -> Void { get set }
    var onContinue: () -> Void { get set }
    /// Whether mouse events are reported.
    var takesMouse: Bool { get set }

    /// Shows a canvas.
    func present(_ canvas: Canvas, theme: Theme)

    /// Waits for events.
    ///
    /// - Parameter timeout: The longest time to wait; nil waits indefinitely.
    /// - Returns: No events after the timeout.
    func nextEvents(timeout: Duration?) -> [TerminalEvent]

    /// Shows everything again, as after another program has written to the terminal.
    func redraw()

    /// Stops the program, as Ctrl-Z does.
    func suspend()

    /// Leaves the terminal to another program while `body` runs.
    func lend(_ body: (_ isAskedToEnd: () -> Bool) -> Void)

    /// Puts text into the clipboard. Returns false if the text is too long.
    func copy(_ text: String) -> Bool
}

extension CursesTerminal: SessionTerminal {}

/// A terminal without keys, which keeps what it would show.
@MainActor
final class PictureTerminal: SessionTerminal {
    nonisolated let waker: TerminalWaker
    nonisolated let glyphs = Glyphs.unicode
    nonisolated let theme = Theme(depth: .twoHundredFiftySix)
    let size: (width: Int, height: Int)
    var onStop: () -> Void = {}
    var onContinue: () -> Void = {}
    var takesMouse = false
    /// What the terminal shows.
    private(set) var canvas: Canvas

    /// Creates a terminal of this size in columns and rows.
    init(width: Int, height: Int) throws(TerminalError) {
        guard let waker = TerminalWaker() else { throw .noDescriptors }
        self.waker = waker
        size = (width, height)
        canvas = Canvas(width: width, height: height)
    }

    func present(_ canvas: Canvas, theme: Theme) { self.canvas = canvas }

    func nextEvents(timeout: Duration?) -> [TerminalEvent] { waker.waits(timeout) ? [.woken] : [] }

    func redraw() {}
    func suspend() {}
    func lend(_ body: (_ isAskedToEnd: () -> Bool) -> Void) { body { true } }
    func copy(_ text: String) -> Bool { true }
}
