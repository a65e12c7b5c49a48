import CursesTerminal

extension GuardedThread {
    /// Runs the work on a separate thread, and waits for its result.
    static func run<Result: Sendable>(
        name: String, stackSize: Int = defaultStackSize, _ work: @escaping @Sendable () -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try start(name: name, stackSize: stackSize) { continuation.resume(returning: work()) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}
