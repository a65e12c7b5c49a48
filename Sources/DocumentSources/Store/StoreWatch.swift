import DocumentModel
import Foundation
import MigrationCore

/// Bounds how long SQLite may take in this process over one question about a store.
///
/// The constraints, indexes and columns that a store declares are evaluated when a row is written, and may take any
/// time. SQLite asks whether to go on (`sqlite3_progress_handler`) only where its program jumps: not between the terms
/// of a constraint, nor within a function. So another thread watches, and the program ends with the work.
public final class StoreWatch: Sendable {
    /// What SQLite is asked, and for how many ticks; nil between two questions.
    private let work = Locked<(name: @Sendable () -> String, tickCount: Int)?>(nil)

    /// In microseconds. Ticks are counted, and not time: while the program is stopped, there are none.
    private static let tick: useconds_t = 20_000

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - seconds: How long a question may take.
    ///   - end: Ends the program; given what took too long. It is called on another thread, and until then SQLite's answer
    ///     is not taken.
    /// - Throws: ``SystemFailure``, where the system starts no thread.
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

    /// Begins with a question about what has this name.
    func begin(_ name: @escaping @Sendable () -> String) { work.withLock { $0 = (name, 0) } }

    /// Goes on after the answer.
    func finish() { work.withLock { $0 = nil } }
}
