import CursesTerminal
import DocumentModel
import InspectorUI

/// Passes events from work on other threads to the event loop.
final class EventMailbox: Sendable {
    private let events = Locked<[InspectorEvent]>([])
    private let waker: TerminalWaker

    init(waker: TerminalWaker) { self.waker = waker }

    /// Adds an event and wakes the event loop.
    func post(_ event: InspectorEvent) {
        events.withLock { $0.append(event) }
        waker.wake()
    }

    /// Wakes the event loop for something that isn't an event.
    func wake() { waker.wake() }

    /// Runs work on a new thread. If the system cannot start one, the user is notified.
    func start(_ name: String, _ work: @escaping @Sendable () -> Void) {
        do throws(SystemFailure) { try GuardedThread.start(name: name, work) } catch { post(.notice("\(error)")) }
    }

    /// Whether no event waits to be taken.
    var isEmpty: Bool { events.withLock(\.isEmpty) }

    /// Removes all events and returns them in order.
    func drain() -> [InspectorEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
