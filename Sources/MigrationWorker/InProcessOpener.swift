import DocumentModel
import Foundation
import MigrationCore

/// Runs the app's code in this process, on its main thread, for debuggers, which don't follow child processes.
///
/// ## Invariant
/// `opener` is used only on the main thread. `waiting` is accessed only while `condition` is locked. `onWork` is set
/// before any thread requests work.
final class InProcessOpener: @unchecked Sendable {
    private let opener: DocumentOpener
    private let condition = NSCondition()
    private var waiting: [() -> Void] = []
    /// Called on any thread when there is work for ``runWaiting()``.
    var onWork: @Sendable () -> Void = {}

    init(_ chains: [MigrationChain]) { opener = DocumentOpener(chains: chains) }

    /// Opens a document. When called on another thread, waits until the main thread runs the work.
    func reply<Answer>(to request: WorkerRequest, wanting wanted: Wanted<Answer>) -> WorkerReply<Answer> {
        if Thread.isMainThread { return wanted.reply(of: opener, to: request) }
        var reply: WorkerReply<Answer>?
        condition.lock()
        defer { condition.unlock() }
        waiting.append { [self] in
            let made = wanted.reply(of: opener, to: request)
            condition.withLock {
                reply = made
                condition.broadcast()
            }
        }
        onWork()
        while true {
            if let reply { return reply }
            condition.wait()
        }
    }

    /// Runs the waiting work. Call this on the main thread.
    func runWaiting() {
        while let work = condition.withLock({ waiting.isEmpty ? nil : waiting.removeFirst() }) { work() }
    }
}

extension WorkerHost {
    /// If the app's code runs in this process, sets a closure that is called on any thread when the main thread should
    /// call ``runOnMainThread()``.
    public func onMainThreadWork(_ wake: @escaping @Sendable () -> Void) { inProcess?.onWork = wake }

    /// If the app's code runs in this process, runs the work that is waiting for the main thread.
    public func runOnMainThread() { inProcess?.runWaiting() }
}
