import CProcess
import DocumentModel
import Foundation
import MigrationCore

/// A page of memory shared by a worker and its parent. It says where the worker is and how it ended.
///
/// The worker writes and the parent reads. While the worker runs, values may be slightly out of date; once it's dead,
/// they are its last ones. The parent writes ``hasTakenOutput``, and both write ``claim``, with atomic operations.
///
/// The app's code can write to the page too, so any word may have any value. The page helps to explain what happens,
/// and may cause the worker to be ended earlier. It can be ended later only because it claims that the document is
/// still being read, which the parent believes for no longer than reading can take.
///
/// ## Invariant
/// The memory lasts as long as the instance, and cannot be made shorter. The parent accesses it word by word,
/// atomically; values that it reads from a running worker may be torn.
final class WorkerPage: @unchecked Sendable {
    static let length = 4096
    private let memory: UnsafeMutableRawPointer

    /// Maps the page of a descriptor.
    init?(descriptor: Int32) {
        guard let memory = mmap(nil, Self.length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { return nil }
        self.memory = memory
    }

    deinit { munmap(memory, Self.length) }

    /// Returns the descriptor of a new page; -1 if there is no memory for it.
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

    /// The stage of a worker that hasn't answered yet, or the reason why it ended itself.
    enum State: UInt64 {
        case starting, makingChains
        /// The worker can no longer communicate with its parent: the parent is gone, or the app's code has closed the
        /// descriptors.
        case disconnected
        /// The system cannot start a thread for the worker.
        case withoutThread
    }

    var state: State {
        get { State(rawValue: cprocess_load(word(Offset.state))) ?? .starting }
        set { cprocess_store(word(Offset.state), newValue.rawValue) }
    }

    /// The progress of reading and parsing the document, in thousandths.
    var readShare: UInt64 {
        get { cprocess_load(word(Offset.readShare)) }
        set { cprocess_store(word(Offset.readShare), newValue) }
    }

    /// The size of the document in bytes; 0 if it isn't known yet.
    var byteCount: Int {
        get { Int(clamping: cprocess_load(word(Offset.byteCount))) }
        set { cprocess_store(word(Offset.byteCount), UInt64(newValue)) }
    }

    /// In the parent: returns the size of a request's document in bytes, limited to the maximum that this process
    /// knows.
    func byteCount(of request: WorkerRequest) -> Int {
        let count = byteCount
        // Small documents don't need the system call.
        return count < 1_000_000 ? count : min(count, request.mostBytes)
    }

    /// Whether the parent has taken output of the app that follows the last mark of a request, or is about to check
    /// whether there is some.
    var hasTakenOutput: Bool {
        get { cprocess_load(word(Offset.hasTakenOutput)) != 0 }
        set { cprocess_store(word(Offset.hasTakenOutput), newValue ? 1 : 0) }
    }

    /// Returns the number of the request to which all output after the last mark in a stream belongs. Stream 0 is
    /// standard output, 1 is standard error.
    func separated(stream: Int) -> UInt64 { cprocess_load(word(Offset.separated + 8 * stream)) }

    /// In the worker: records that nothing follows the last mark in a stream when the request with this number begins.
    func separate(stream: Int, for number: UInt64) { cprocess_store(word(Offset.separated + 8 * stream), number) }

    /// In the worker: the place that the run of the chain has reached.
    var place: UnsafeMutablePointer<RunPlace> { (memory + Offset.place).assumingMemoryBound(to: RunPlace.self) }

    /// In the worker: the index of the last node of the document that was read; -1 for none.
    var node: UnsafeMutablePointer<Int64> { (memory + Offset.node).assumingMemoryBound(to: Int64.self) }

    /// In the worker: the fault that a signal handler noted.
    var fault: UnsafeMutablePointer<WorkerFault> { (memory + Offset.fault).assumingMemoryBound(to: WorkerFault.self) }

    /// In the parent: the current values of these three.
    var seenPlace: RunPlace { copy(RunPlace(), at: Offset.place) }
    var seenNode: Int64 { copy(-1, at: Offset.node) }
    var seenFault: WorkerFault { copy(WorkerFault(), at: Offset.fault) }

    /// Copies a value that consists of plain numbers, word by word, because the worker may be writing to it.
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

    /// The number of the worker's current or last request; 0 before the first.
    var claimed: UInt64 { cprocess_load(word(Offset.claim)) & ~Self.revoked }

    /// In the worker: begins the request with this number. Returns false if the parent has taken it back.
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

    /// In the parent: takes back the requests after the worker's current one.
    ///
    /// - Parameters:
    ///   - first: The number of the first of these requests.
    ///   - counts: The possible numbers of requests that stay with the worker.
    /// - Returns: How many requests stay with the worker. If the page has no plausible number, the last of them is the
    ///   first unanswered one.
    func revoke(first: UInt64, _ counts: ClosedRange<Int>) -> Int {
        let count = revoke().map { Int(Int64(bitPattern: $0 &- first &+ 1)) }
        return count.flatMap { counts.contains($0) ? $0 : nil } ?? min(counts.lowerBound + 1, counts.upperBound)
    }

    /// - Returns: The number of the worker's current request; nil if the word keeps changing, which no worker does.
    private func revoke() -> UInt64? {
        for _ in 0..<Self.mostAttempts {
            let claim = cprocess_load(word(Offset.claim))
            if claim & Self.revoked != 0 { return claim & ~Self.revoked }
            if cprocess_exchange(word(Offset.claim), claim, claim | Self.revoked) == claim { return claim }
        }
        return nil
    }

    private static let mostAttempts = 100

    /// In the parent: lets the worker begin the request with this number, after ``revoke()``.
    func resume(at number: UInt64) { cprocess_store(word(Offset.claim), number - 1) }
}

/// The fault that ends a worker, as noted by a signal handler.
struct WorkerFault {
    /// The signal; 0 if there was none.
    var signal: Int32 = 0
    /// The raw value of a ``Kind``.
    var kind: UInt16 = 0
    /// The raw value of a ``Thread``.
    var thread: UInt16 = 0
    /// The address of the instruction, relative to the start of its module.
    var offset: UInt64 = 0
    /// The first 127 bytes of the module's file name, followed by a zero.
    var module: Name = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    typealias Name = (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64, UInt64
    )

    enum Kind: UInt16 {
        case other, stackOverflow, outOfMemory
    }

    /// The thread that ended the process, by a fault or by calling `exit`. The app's code runs on the main thread.
    enum Thread: UInt16 {
        case unknown, main, other

        /// Returns the kind of the calling thread, in a worker whose main thread is `main`.
        static func current(main: pthread_t) -> Self { pthread_equal(pthread_self(), main) != 0 ? .main : .other }
    }

    /// The last component of the module's name; empty if it isn't known.
    var moduleName: String {
        withUnsafeBytes(of: module) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
