import DocumentModel

/// Threads for work beside the screen: with a stack for comparing documents of any depth, and a signal stack, so that
/// even a stack overflow gives the terminal back.
public enum GuardedThread {
    /// 64 MB: address space, of which only what is used becomes memory.
    public static let defaultStackSize = 64 << 20

    /// Runs the work on a thread of its own, protected by ``CrashGuard``.
    ///
    /// - Parameter name: Shown by debuggers; Linux keeps the first 15 bytes.
    /// - Throws: ``SystemFailure``, where the system starts no thread.
    package static func start(
        name: String, stackSize: Int = defaultStackSize, _ work: @escaping @Sendable () -> Void
    ) throws(SystemFailure) {
        try WorkThread.start(name: name, stackSize: stackSize) {
            CrashGuard.protectCurrentThread()
            work()
        }
    }
}
