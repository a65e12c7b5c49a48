import DocumentModel
import Foundation
import MigrationCore

/// Limits the time that SQLite may take in this process for one question about a store.
///
/// Constraints, indexes and computed columns that a store declares are evaluated when a row is written, and may take
/// any amount of time. SQLite asks whether to continue (`sqlite3_progress_handler`) only when its bytecode jumps: not
/// between the terms of a constraint, nor within a function. So another thread watches, and ends the program if the
/// work takes too long.
public final class StoreWatch: Sendable {
    /// The subject of the current question, and the ticks so far; nil between questions.
    private let work = Locked<(name: @Sendable () -> String, tickCount: Int)?>(nil)

    /// The length of a tick in microseconds. Ticks are counted instead of measuring time, because there are none while
    /// the program is stopped.
    private static let tick: useconds_t = 20_000

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - seconds: The maximum time for a question.
    ///   - end: Ends the program; called with an error that says what took too long. It is called on another thread.
    ///     From that moment on, an answer of SQLite is no longer accepted.
    /// - Throws: ``SystemFailure`` if the system cannot start a thread.
    package init(seconds: Double, end: @escaping @Sendable (SourceError) -> Never) throws(SystemFailure) {
        try WorkThread.start(name: "store watch") { [weak self] in
            while let self {
                self.work.withLock { work in
                    guard let (name, tickCount) = work else { return }
                    work?.tickCount += 1
                    if Double(tickCount) * Double(Self.tick) > seconds * 1_000_000 {
                        end(SourceError(source: name(), reason: .store(.tookTooLong(seconds: seconds))))
                    }
                }
                usleep(Self.tick)
            }
        }
    }

    /// Starts the time for a question about the subject with this name.
    func begin(_ name: @escaping @Sendable () -> String) { work.withLock { $0 = (name, 0) } }

    /// Stops the time when the question is answered.
    func finish() { work.withLock { $0 = nil } }
}
