import Foundation

/// Threads for work that may need a deep stack, such as running an app's recursive decoding on a document of a
/// thousand levels: the 8 MB of the main thread and the 512 KB of others are not made for that.
public enum GuardedThread {
    /// 64 MB: address space, of which only what is used becomes memory.
    public static let defaultStackSize = 64 << 20

    /// Runs the work on a thread of its own, protected by ``CrashGuard``.
    ///
    /// - Parameter name: Shown by debuggers; Linux keeps the first 15 bytes.
    public static func start(
        name: String, stackSize: Int = defaultStackSize, _ work: @escaping @Sendable () -> Void
    ) {
        let thread = Thread {
            CrashGuard.protectCurrentThread()
            work()
        }
        thread.name = name
        thread.stackSize = stackSize
        thread.start()
    }

    /// Runs the work on a thread of its own and waits for its result without holding up another thread.
    public static func run<Result: Sendable>(
        name: String, stackSize: Int = defaultStackSize, _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            start(name: name, stackSize: stackSize) {
                continuation.resume(with: Swift.Result { try work() })
            }
        }
    }
}
