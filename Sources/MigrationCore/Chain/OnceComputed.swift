import Synchronization

/// A value that is computed when it is first asked for, and then kept; safe to ask for from any thread.
final class OnceComputed<Value: Sendable>: Sendable {
    private let compute: @Sendable () -> Value
    private let kept = Mutex<Value?>(nil)

    init(_ compute: @escaping @Sendable () -> Value) { self.compute = compute }

    var value: Value {
        kept.withLock { kept in
            if let kept { return kept }
            let value = compute()
            kept = value
            return value
        }
    }
}
