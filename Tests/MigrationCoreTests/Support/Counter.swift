import DocumentModel

/// A number that any thread can increment.
final class Counter: Sendable {
    private let number = Locked(0)

    func count() { number.withLock { $0 += 1 } }

    var value: Int { number.withLock { $0 } }
}
