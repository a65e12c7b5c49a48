import Synchronization

/// A number that only grows, from any thread.
final class Counter: Sendable {
    private let number = Atomic(0)

    func count() { number.add(1, ordering: .relaxed) }

    var value: Int { number.load(ordering: .relaxed) }
}
