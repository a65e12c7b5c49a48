import DocumentModel
import Foundation

/// Standard input: read once, when somebody first asks, and kept, since it cannot be read again.
///
/// ## Invariant
/// `kept` and `pending` are touched only while `lock` is held; everything else never changes. That makes the class `Sendable`.
final class StandardInput: @unchecked Sendable {
    static let shared = StandardInput(descriptor: STDIN_FILENO)

    private let descriptor: Int32
    private let lock = NSLock()
    private var kept: SourceBytes?
    /// What was read before reading was cancelled; the next one to ask goes on from there.
    private var pending = GrowingBuffer()

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// How long one waits for input before asking whether anybody still wants it, in milliseconds.
    private static let patience: Int32 = 50

    func read(
        progress: ((_ bytesRead: Int, _ total: Int?) -> Void)?, isCancelled: () -> Bool
    ) throws(SourceError) -> SourceBytes {
        lock.lock()
        defer { lock.unlock() }
        if let kept { return kept }
        let name = DocumentReference.standardInput.name
        while true {
            if isCancelled() { throw SourceError(source: name, reason: .cancelled) }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, Self.patience) != 0 else { continue }
            let length = pending.append { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if length < 0, errno == EINTR || errno == EAGAIN { continue }
            guard length >= 0 else { throw SourceError(source: name, errno: errno) }
            guard pending.count < Document.largestSourceLength else {
                throw SourceError(source: name, reason: .tooLarge(byteCount: pending.count))
            }
            if length == 0 { break }
            progress?(pending.count, nil)
        }
        let bytes = pending.bytes(behind: nil)
        kept = bytes
        pending = GrowingBuffer()
        return bytes
    }
}
