import CursesTerminal
import DocumentModel
import InspectorUI

/// Where work on other threads leaves its events for the event loop.
final class EventMailbox: Sendable {
    private let events = Locked<[InspectorEvent]>([])
    private let waker: TerminalWaker

    init(waker: TerminalWaker) { self.waker = waker }

    /// Leaves an event and wakes the event loop.
    func post(_ event: InspectorEvent) {
        events.withLock { $0.append(event) }
        waker.wake()
    }

    /// Wakes the event loop, for what is left elsewhere.
    func wake() { waker.wake() }

    /// Does work on a thread of its own. Where the system starts none, a person is told so.
    func start(_ name: String, _ work: @escaping @Sendable () -> Void) {
        do throws(SystemFailure) { try GuardedThread.start(name: name, work) } catch { post(.notice("\(error)")) }
    }

    /// Takes all events that were left, in their order.
    func drain() -> [InspectorEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
