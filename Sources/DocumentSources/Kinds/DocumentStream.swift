import DocumentModel
import Foundation
import MigrationCore

/// What can be read only once: standard input, another open descriptor (`/dev/fd/63`), or a named pipe.
///
/// It is one document, or JSON Lines: more than one JSON value, one a line. Which of the two shows at the beginning, so
/// lines are found, and delivered with their bytes, while what writes them goes on. What gzip has packed is read to its end
/// first, since only that shows which part of it is good, and is unpacked then.
///
/// ## Invariant
/// `state` is touched only while `lock` is held; everything else never changes. That makes the class `Sendable`.
final class DocumentStream: DocumentSource, @unchecked Sendable {
    static var container: DocumentContainer? { .jsonl }

    static let standardInput = DocumentStream("-") { DescriptorStream("-", descriptor: STDIN_FILENO, isOwned: false) }

    let file: FilePath
    private let openFirst: () throws(SourceError) -> any ByteStream
    private let lock = NSLock()
    private var state = State.unread
    private let hasPackedBytes = Locked(false)

    private enum State {
        case unread
        /// Reading was cancelled: what was read before, and the rest.
        case interrupted(any ByteStream)
        /// All of it, or what comes before that which cannot be read.
        case kept(SourceBytes, before: SourceError?)
        /// Its documents were found, and delivered with their bytes.
        case delivered
        /// It could not be read to its end.
        case failed(SourceError)
    }

    /// - Parameter open: Called once, when it is first read.
    init(_ file: FilePath, open: @escaping () throws(SourceError) -> any ByteStream) {
        self.file = file
        openFirst = open
    }

    var label: String? { file == Self.standardInput.file ? "standard input" : nil }
    var isReadOnce: Bool { true }
    /// Known once it is read.
    var isPacked: Bool { hasPackedBytes.withLock { $0 } }
    /// It never changes.
    var stamp: ModificationStamp? { nil }

    static func source(in file: FoundFile) -> DocumentStream? {
        if file.path == standardInput.file { return standardInput }
        guard file.isGiven, file.path.isDescriptor || FileStatus(path: file.path)?.isPipe == true else { return nil }
        return source(at: file.path)
    }

    static func source(at file: FilePath) -> DocumentStream {
        if file == standardInput.file { return standardInput }
        return DocumentStream(file) { () throws(SourceError) in try DescriptorStream(opening: file) }
    }

    func document(named part: String) -> DocumentReference? { nil }

    // MARK: - Reading

    func find(_ search: DocumentSearch) throws(SourceError) {
        lock.lock()
        defer { lock.unlock() }
        let opened: Opened
        switch state {
        case .unread, .interrupted: opened = try open(waiting: search.waiting, isCancelled: search.isCancelled)
        case .kept(let bytes, let problem):
            let again = ResumedStream(bytes, then: nil)
            _ = try DocumentLines(of: self, in: again).findEither(search, check: checkDocument)
            if let problem { throw problem }
            return
        case .delivered: throw SourceError(file, .readAlready)
        case .failed(let error): throw error
        }
        state = .delivered
        do throws(SourceError) {
            if let good = opened.good,
                let whole = try DocumentLines(of: self, in: good).findEither(search, check: checkDocument)
            {
                state = .kept(whole, before: opened.problem)
            }
            if let problem = opened.problem { throw problem }
        } catch {
            if case .delivered = state, error.reason != .cancelled { state = .failed(error) }
            throw error
        }
    }

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        lock.lock()
        defer { lock.unlock() }
        let opened: Opened
        switch state {
        case .unread, .interrupted: opened = try open(isCancelled: reading.isCancelled)
        case .kept(let bytes, let problem):
            try checkDocument(bytes)
            if let problem { throw problem }
            return bytes
        case .delivered: throw SourceError(file, .readAlready)
        case .failed(let error): throw error
        }
        var buffer = GrowingBuffer()
        do throws(SourceError) {
            if let problem = opened.problem { throw problem }
            if let stream = opened.good { try buffer.append(all: stream, as: file, reading) }
        } catch {
            let isCancelled = error.reason == .cancelled
            state = isCancelled ? .interrupted(opened.again(behind: buffer)) : .failed(error)
            throw error
        }
        let bytes = buffer.bytes(behind: nil)
        state = .kept(bytes, before: nil)
        try checkDocument(bytes)
        return bytes
    }

    /// The stream from its beginning, unpacked where it is packed.
    private struct Opened {
        /// What can be relied on; nil if nothing can.
        var good: (any ByteStream)?
        /// Why what follows that cannot.
        var problem: SourceError?
        /// What gzip has packed.
        var packed: SourceBytes?

        /// The stream from its beginning once more.
        ///
        /// - Parameter buffer: What was read of it.
        func again(behind buffer: GrowingBuffer) -> any ByteStream {
            ResumedStream(packed ?? buffer.bytes(behind: nil), then: packed == nil ? good : nil)
        }
    }

    private func open(waiting: () -> Void = {}, isCancelled: () -> Bool) throws(SourceError) -> Opened {
        let stream: any ByteStream
        if case .interrupted(let again) = state { stream = again } else { stream = try openFirst() }
        var buffer = GrowingBuffer()
        /// Reads on, up to so many bytes.
        func read(to count: Int) throws(SourceError) {
            while buffer.count < count {
                let limit = count - buffer.count
                let length = try buffer.append(
                    from: stream, as: file, atMost: limit, waiting: waiting, isCancelled: isCancelled)
                if length == 0 { break }
                if count > Self.headLength, buffer.count > SizeLimit.bytes {
                    throw SourceError(file, .gzip(.tooLarge(limit: SizeLimit.bytes)))
                }
            }
        }
        do throws(SourceError) {
            try read(to: Self.headLength)
            let head = buffer.bytes(behind: nil)
            guard Gzip.begins(head) else { return Opened(good: ResumedStream(head, then: stream)) }
            hasPackedBytes.withLock { $0 = true }
            try read(to: .max)
            let packed = buffer.bytes(behind: nil)
            let (count, problem) = try withoutActuallyEscaping(isCancelled) { isCancelled throws(SourceError) in
                let stream = ResumedStream(packed, then: nil)
                return try Gzip.goodPart(of: stream, as: file, isCancelled: isCancelled) { packed }
            }
            let good = ResumedStream(packed, first: count, then: nil)
            return Opened(
                good: count > 0 ? try Gzip.unpacking(good, as: file) : nil, problem: problem, packed: packed)
        } catch {
            let again = ResumedStream(buffer.bytes(behind: nil), then: stream)
            state = error.reason == .cancelled ? .interrupted(again) : .failed(error)
            throw error
        }
    }

    /// - Throws: ``SourceError`` for the bytes of a store, of which only a file can be read.
    private func checkDocument(_ bytes: SourceBytes) throws(SourceError) {
        if StoreHeader.begins(bytes) { throw SourceError(file, .store(.wholeStore)) }
    }

    /// How many bytes show whether a stream is packed.
    private static let headLength = 2
}

extension FilePath {
    /// Whether this names an open descriptor of the process that opens it; then no other can open it.
    fileprivate var isDescriptor: Bool {
        self == "/dev/stdin" || ["/dev/fd/", "/proc/self/fd/"].contains { bytes.starts(with: $0.utf8) }
    }
}
