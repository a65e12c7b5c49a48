import DocumentModel

/// Threads for background work. They have a stack that is large enough to compare documents of any depth, and a
/// signal stack, so that even a stack overflow restores the terminal.
public enum GuardedThread {
    /// 64 MB of address space, of which only the used part takes up memory.
    public static let defaultStackSize = 64 << 20

    /// Runs the work on a new thread, protected by ``CrashGuard``.
    ///
    /// - Parameter name: The name that debuggers show. Linux keeps the first 15 bytes.
    /// - Throws: ``SystemFailure`` if the system cannot start a thread.
    package static func start(
        name: String, stackSize: Int = defaultStackSize, _ work: @escaping @Sendable () -> Void
    ) throws(SystemFailure) {
        try WorkThread.start(name: name, stackSize: stackSize) {
            CrashGuard.protectCurrentThread()
            work()
        }
    }
}
