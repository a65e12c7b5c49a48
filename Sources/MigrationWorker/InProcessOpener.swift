import DocumentModel
import Foundation
import MigrationCore

/// Runs the app's code in this process, on its main thread: for debuggers, which follow no other process.
///
/// ## Invariant
/// `opener` is used on the main thread only; `waiting` is touched only while `condition` is locked; `onWork` is set
/// before there is a thread that asks.
final class InProcessOpener: @unchecked Sendable {
    private let opener: DocumentOpener
    private let condition = NSCondition()
    private var waiting: [() -> Void] = []
    /// Called on any thread when there is work for ``runWaiting()``.
    var onWork: @Sendable () -> Void = {}

    init(_ chains: [MigrationChain]) { opener = DocumentOpener(chains: chains) }

    /// Opens a document; from another thread, as soon as the main thread lets it.
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

    /// On the main thread: does what waits for it.
    func runWaiting() {
        while let work = condition.withLock({ waiting.isEmpty ? nil : waiting.removeFirst() }) { work() }
    }
}

extension WorkerHost {
    /// Where the app's code runs in this process: what to do, on any thread, when the main thread should call
    /// ``runOnMainThread()``.
    public func onMainThreadWork(_ wake: @escaping @Sendable () -> Void) { inProcess?.onWork = wake }

    /// Where the app's code runs in this process: runs what waits for the main thread.
    public func runOnMainThread() { inProcess?.runWaiting() }
}
