import CProcess
import DocumentModel
import Foundation
import MigrationCore

/// A page of memory that a worker and its parent share: where the worker is, and how it ended.
///
/// The worker writes, and the parent reads: while the worker runs, values that may be a moment old; once it is dead,
/// the last ones. The parent writes ``hasTakenOutput``, and both write ``claim``, with atomic operations.
///
/// The app's code can write to it too, so that any word of it may be any number. What the page says explains what
/// happens, and may have the worker ended earlier. Later only by as long as it says that the document is still being
/// read, which the parent believes no longer than reading can take.
///
/// ## Invariant
/// The memory lasts as long as the instance, and nobody can make it shorter. The parent accesses it word by word,
/// atomically; what it reads of a running worker may be torn.
final class WorkerPage: @unchecked Sendable {
    static let length = 4096
    private let memory: UnsafeMutableRawPointer

    /// Maps the page behind a descriptor.
    init?(descriptor: Int32) {
        guard let memory = mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { return nil }
        self.memory = memory
    }

    deinit { munmap(memory, Self.length) }

    /// The descriptor of a new page; -1 where there is no memory for it.
    static func makeDescriptor() -> Int32 {
        let descriptor = cprocess_shared_memory()
        guard descriptor >= 0 else { return -1 }
        if ftruncate(descriptor, off_t(length)) == 0, cprocess_seal_length(descriptor) == 0 { return descriptor }
        close(descriptor)
        return -1
    }

    // MARK: - Words

    private enum Offset {
        static let claim = 0
        static let readShare = 8
        static let byteCount = 16
        static let state = 24
        static let hasTakenOutput = 32
        static let separated = 40
        static let place = 64
        static let node = 128
        static let fault = 192
    }

    private func word(_ offset: Int) -> UnsafeMutablePointer<UInt64> {
        (memory + offset).assumingMemoryBound(to: UInt64.self)
    }

    /// What a worker does before it answers, or why it ends itself.
    enum State: UInt64 {
        case starting, makingChains
        /// It cannot talk with its parent any more: that is gone, or the app's code has closed its descriptors.
        case disconnected
        /// The system starts no thread for it.
        case withoutThread
    }

    var state: State {
        get { State(rawValue: cprocess_load(word(Offset.state))) ?? .starting }
        set { cprocess_store(word(Offset.state), newValue.rawValue) }
    }

    /// How far the document is read and parsed, in thousandths.
    var readShare: UInt64 {
        get { cprocess_load(word(Offset.readShare)) }
        set { cprocess_store(word(Offset.readShare), newValue) }
    }

    /// The number of bytes of the document; 0 while it is not known.
    var byteCount: Int {
        get { Int(clamping: cprocess_load(word(Offset.byteCount))) }
        set { cprocess_store(word(Offset.byteCount), UInt64(newValue)) }
    }

    /// In the parent: the number of bytes of the document of a request, which is never more than this process knows it
    /// to have.
    func byteCount(of request: WorkerRequest) -> Int {
        let count = byteCount
        // Small documents need no system call.
        return count < 1_000_000 ? count : min(count, request.mostBytes)
    }

    /// Whether the parent has taken something from the app's output that stands behind the last mark of a request, or
    /// is about to look whether there is something.
    var hasTakenOutput: Bool {
        get { cprocess_load(word(Offset.hasTakenOutput)) != 0 }
        set { cprocess_store(word(Offset.hasTakenOutput), newValue ? 1 : 0) }
    }

    /// The number of the request that everything belongs to which stands behind the last mark in a stream: 0 is
    /// standard output, 1 standard error.
    func separated(stream: Int) -> UInt64 { cprocess_load(word(Offset.separated + 8 * stream)) }

    /// In the worker: says that nothing stands behind the last mark in a stream as the request of that number begins.
    func separate(stream: Int, for number: UInt64) { cprocess_store(word(Offset.separated + 8 * stream), number) }

    /// In the worker: where the chain's run is.
    var place: UnsafeMutablePointer<RunPlace> { (memory + Offset.place).assumingMemoryBound(to: RunPlace.self) }

    /// In the worker: the index of the node of the document that was read last; -1 for none.
    var node: UnsafeMutablePointer<Int64> { (memory + Offset.node).assumingMemoryBound(to: Int64.self) }

    /// In the worker: what a signal handler noted.
    var fault: UnsafeMutablePointer<WorkerFault> { (memory + Offset.fault).assumingMemoryBound(to: WorkerFault.self) }

    /// In the parent: the same three, as they are now.
    var seenPlace: RunPlace { copy(RunPlace(), at: Offset.place) }
    var seenNode: Int64 { copy(-1, at: Offset.node) }
    var seenFault: WorkerFault { copy(WorkerFault(), at: Offset.fault) }

    /// A copy of a value of plain numbers, word by word: the worker may go on writing to it.
    private func copy<Value>(_ value: Value, at offset: Int) -> Value {
        var value = value
        withUnsafeMutableBytes(of: &value) { bytes in
            for start in stride(from: 0, to: bytes.count, by: 8) {
                withUnsafeBytes(of: cprocess_load(word(offset + start))) {
                    UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).copyBytes(
                        from: $0.prefix(bytes.count - start))
                }
            }
        }
        return value
    }

    // MARK: - Claiming requests

    private static let revoked: UInt64 = 1 << 63

    /// The number of the request that the worker is at, or was at last; 0 before the first.
    var claimed: UInt64 { cprocess_load(word(Offset.claim)) & ~Self.revoked }

    /// In the worker: begins with the request of that number, unless the parent has taken it back.
    func claim(_ number: UInt64) -> Bool {
        let claimed = cprocess_exchange(word(Offset.claim), number - 1, number) == number - 1
        if claimed {
            readShare = 0
            byteCount = 0
            place.pointee = RunPlace()
            node.pointee = -1
        }
        return claimed
    }

    /// Whether the worker is still reading and parsing the document.
    var isReading: Bool { seenPlace.phase == RunPlace.Phase.idle.rawValue && readShare < 1000 }

    /// In the parent: takes back the requests behind the one that the worker is at.
    ///
    /// - Parameters:
    ///   - first: The number of the first request of some.
    ///   - counts: How many of them can be left to the worker.
    /// - Returns: How many are. Where the page does not say that, it is the one that is not answered.
    func revoke(first: UInt64, _ counts: ClosedRange<Int>) -> Int {
        let count = revoke().map { Int(Int64(bitPattern: $0 &- first &+ 1)) }
        return count.flatMap { counts.contains($0) ? $0 : nil } ?? min(counts.lowerBound + 1, counts.upperBound)
    }

    /// - Returns: The number of the request that the worker is at; nil where the word changes all the time, as no worker
    ///   changes it.
    private func revoke() -> UInt64? {
        for _ in 0..<Self.mostAttempts {
            let claim = cprocess_load(word(Offset.claim))
            if claim & Self.revoked != 0 { return claim & ~Self.revoked }
            if cprocess_exchange(word(Offset.claim), claim, claim | Self.revoked) == claim { return claim }
        }
        return nil
    }

    private static let mostAttempts = 100

    /// In the parent: lets the worker begin with the request of that number, after ``revoke()``.
    func resume(at number: UInt64) { cprocess_store(word(Offset.claim), number - 1) }
}

/// What a signal handler notes of the fault that ends a worker.
struct WorkerFault {
    /// The signal; 0 if there was none.
    var signal: Int32 = 0
    /// The raw value of a ``Kind``.
    var kind: UInt16 = 0
    /// The raw value of a ``Thread``.
    var thread: UInt16 = 0
    /// The instruction, from the beginning of its module.
    var offset: UInt64 = 0
    /// The file name of the module, ended by a zero; its first 127 bytes.
    var module: Name = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    typealias Name = (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64, UInt64
    )

    enum Kind: UInt16 {
        case other, stackOverflow, outOfMemory
    }

    /// Which thread ended the process, by a fault or by `exit`. The app's code runs on the main one.
    enum Thread: UInt16 {
        case unknown, main, other

        /// The thread that asks, in a worker whose main thread is `main`.
        static func current(main: pthread_t) -> Self { pthread_equal(pthread_self(), main) != 0 ? .main : .other }
    }

    /// The last component of the module's name; empty where it is not known.
    var moduleName: String {
        withUnsafeBytes(of: module) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
