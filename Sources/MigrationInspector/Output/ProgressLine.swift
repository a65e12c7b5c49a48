import DocumentModel
import Foundation

/// A line on the terminal's standard error that says how far work has come, a few times a second; nothing where
/// standard error is no terminal.
final class ProgressLine: Sendable {
    private struct State {
        var isDrawn = false
        /// Work that is over before a person could read the line shows none.
        var next = ContinuousClock.now + .milliseconds(300)
    }

    private let isShown = isatty(STDERR_FILENO) != 0
    private let state = Locked(State())

    /// Shows what `text` says, unless the last was shown just now.
    func show(_ text: () -> String) {
        guard isShown else { return }
        state.withLock { state in
            guard ContinuousClock.now >= state.next else { return }
            state = State(isDrawn: true, next: .now + .milliseconds(100))
            Console.draw(text())
        }
    }

    /// Takes the line away.
    func clear() { clear {} }

    /// Takes the line away, and then does what may write to the same terminal.
    func clear(_ work: () throws -> Void) rethrows {
        try state.withLock { state in
            if state.isDrawn { Console.draw("") }
            state.isDrawn = false
            try work()
        }
    }
}
