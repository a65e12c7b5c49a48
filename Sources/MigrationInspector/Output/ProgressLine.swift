import DocumentModel
import Foundation

/// A line on standard error that shows the progress of work, updated a few times a second. It isn't shown if standard
/// error isn't a terminal.
final class ProgressLine: Sendable {
    private struct State {
        var isDrawn = false
        /// The line isn't shown for work that ends before a user could read it.
        var next = ContinuousClock.now + .milliseconds(300)
    }

    private let isShown = isatty(STDERR_FILENO) != 0
    private let state = Locked(State())

    /// Shows the given text, unless the line was updated just now.
    func show(_ text: () -> String) {
        guard isShown else { return }
        state.withLock { state in
            guard ContinuousClock.now >= state.next else { return }
            state = State(isDrawn: true, next: .now + .milliseconds(100))
            Console.draw(text())
        }
    }

    /// Removes the line.
    func clear() { clear {} }

    /// Removes the line, and then does work that may write to the same terminal.
    func clear(_ work: () throws -> Void) rethrows {
        try state.withLock { state in
            if state.isDrawn { Console.draw("") }
            state.isDrawn = false
            try work()
        }
    }
}
