import DocumentModel
import Foundation
import MigrationCore

/// A source that can be read only once: standard input, another open descriptor (`/dev/fd/63`), or a named pipe.
///
/// It contains one document, or JSON Lines: more than one JSON value, one per line. The beginning shows which of the
/// two it is, so lines are delivered with their bytes while they are still being written. A stream compressed with gzip
/// is first read to its end, because only the end shows which part of it is intact, and then unpacked.
///
/// ## Invariant
/// `state` is accessed only while `lock` is held; everything else never changes. That makes the class `Sendable`.
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
        /// Reading was cancelled: a stream with the bytes read so far, followed by the rest.
        case interrupted(any ByteStream)
        /// The whole stream, or the part before the point where it cannot be read.
        case kept(SourceBytes, before: SourceError?)
        /// The documents were found, and delivered with their bytes.
        case delivered
        /// The stream could not be read to its end.
        case failed(SourceError)
    }

    /// - Parameter open: Called once, when the stream is first read.
    init(_ file: FilePath, open: @escaping () throws(SourceError) -> any ByteStream) {
        self.file = file
        openFirst = open
    }

    var label: String? { file == Self.standardInput.file ? "standard input" : nil }
    var isReadOnce: Bool { true }
    /// Known only after the stream was read.
    var isPacked: Bool { hasPackedBytes.withLock { $0 } }
    /// Nil, because the stream never changes.
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

    /// The stream from its beginning, unpacked if it is compressed.
    private struct Opened {
        /// The part that is intact, or nil if there is none.
        var good: (any ByteStream)?
        /// Why the rest after that part cannot be read.
        var problem: SourceError?
        /// The compressed bytes, if the stream is compressed.
        var packed: SourceBytes?

        /// Returns the stream from its beginning again.
        ///
        /// - Parameter buffer: The bytes that were read from it.
        func again(behind buffer: GrowingBuffer) -> any ByteStream {
            ResumedStream(packed ?? buffer.bytes(behind: nil), then: packed == nil ? good : nil)
        }
    }

    private func open(waiting: () -> Void = {}, isCancelled: () -> Bool) throws(SourceError) -> Opened {
        let stream: any ByteStream
        if case .interrupted(let again) = state { stream = again } else { stream = try openFirst() }
        var buffer = GrowingBuffer()
        /// Reads until the buffer has `count` bytes.
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

    /// - Throws: ``SourceError`` if the bytes are those of a store, which can be read only from a file.
    private func checkDocument(_ bytes: SourceBytes) throws(SourceError) {
        if StoreHeader.begins(bytes) { throw SourceError(file, .store(.wholeStore)) }
    }

    /// The number of bytes that show whether a stream is compressed.
    private static let headLength = 2
}

extension FilePath {
    /// Whether this names an open descriptor of the process that opens it. No other process can open such a path.
    fileprivate var isDescriptor: Bool {
        self == "/dev/stdin" || ["/dev/fd/", "/proc/self/fd/"].contains { bytes.starts(with: $0.utf8) }
    }
}
