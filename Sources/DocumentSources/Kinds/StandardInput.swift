import DocumentModel
import Foundation

/// Standard input: read once, when it is first asked for, and kept, since it cannot be read again.
///
/// ## Invariant
/// `kept` and `pending` are touched only while `lock` is held; everything else never changes. That makes the class
/// `Sendable`.
final class StandardInput: DocumentSource, @unchecked Sendable {
    static var container: DocumentContainer? { nil }

    static let shared = StandardInput(descriptor: STDIN_FILENO)

    private let descriptor: Int32
    private let lock = NSLock()
    private var kept: SourceBytes?
    /// What was read before reading was cancelled; the next one to ask goes on from there.
    private var pending = GrowingBuffer()

    let file: FilePath = "-"
    var label: String? { "standard input" }
    var isReadOnce: Bool { true }
    /// It never changes.
    var stamp: ModificationStamp? { nil }

    init(descriptor: Int32) { self.descriptor = descriptor }

    static func source(in file: FoundFile) -> StandardInput? { file.path == shared.file ? shared : nil }

    static func source(at file: FilePath) -> StandardInput { shared }

    func find(_ search: DocumentSearch) { search.deliver(DocumentReference(self)) }

    func document(named part: String) -> DocumentReference? { nil }

    /// How long to wait for input before asking whether reading was cancelled, in milliseconds.
    private static let patience: Int32 = 50

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        let bytes = try read(reading)
        guard !StoreHeader.begins(bytes) else { throw SourceError(file, .store(.wholeStore)) }
        return bytes
    }

    private func read(_ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        lock.lock()
        defer { lock.unlock() }
        if let kept { return kept }
        while true {
            if reading.isCancelled() { throw SourceError(file, .cancelled) }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, Self.patience) != 0 else { continue }
            let length = pending.append { Foundation.read(descriptor, $0.baseAddress, $0.count) }
            if length < 0, errno == EINTR || errno == EAGAIN { continue }
            guard length >= 0 else { throw SourceError(file, errno: errno) }
            guard pending.count < Document.largestSourceLength else {
                throw SourceError(file, .tooLarge(byteCount: pending.count))
            }
            if length == 0 { break }
            reading.progress?(pending.count, nil)
        }
        let bytes = pending.bytes(behind: nil)
        kept = bytes
        pending = GrowingBuffer()
        return bytes
    }
}
