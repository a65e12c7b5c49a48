import DocumentModel
import Foundation
import MigrationCore

/// What can be read only once: standard input, another open descriptor (`/dev/fd/63`), or a named pipe.
///
/// It is one document, or JSON Lines: more than one JSON value, one a line. Which of the two shows at the beginning, so
/// lines are found, and delivered with their bytes, while what writes them goes on. What gzip has packed is unpacked.
///
/// ## Invariant
/// `state` is touched only while `lock` is held; everything else never changes. That makes the class `Sendable`.
final class DocumentStream: DocumentSource, @unchecked Sendable {
    static var container: DocumentContainer? { .jsonl }

    static let standardInput = DocumentStream("-") { DescriptorStream("-", descriptor: STDIN_FILENO, isOwned: false) }

    let file: FilePath
    private let open: () throws(SourceError) -> any ByteStream
    private let lock = NSLock()
    private var state = State.unread
    private let wasPacked = Locked(false)

    private enum State {
        case unread
        /// Bytes that were read before reading was cancelled, and the rest.
        case interrupted(GrowingBuffer, any ByteStream)
        /// All of it.
        case kept(SourceBytes)
        /// Its documents were found, and delivered with their bytes.
        case delivered
        /// It could not be read to its end.
        case failed(SourceError)
    }

    /// - Parameter open: Called once, when it is first read.
    init(_ file: FilePath, open: @escaping () throws(SourceError) -> any ByteStream) {
        self.file = file
        self.open = open
    }

    var label: String? { file == Self.standardInput.file ? "standard input" : nil }
    var isReadOnce: Bool { true }
    /// Known once it is read.
    var isPacked: Bool { wasPacked.withLock { $0 } }
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
        let stream: any ByteStream
        switch state {
        case .unread: stream = try opened(waiting: search.waiting, isCancelled: search.isCancelled)
        case .interrupted(let head, let rest): stream = ResumedStream(head.bytes(behind: nil), then: rest)
        case .kept(let bytes): stream = ResumedStream(bytes, then: nil)
        case .delivered: throw SourceError(file, .readAlready)
        case .failed(let error): throw error
        }
        state = .delivered
        do throws(SourceError) {
            let whole = try DocumentLines(of: self, in: stream).findEither(search, check: checkDocument)
            if let whole { state = .kept(whole) }
        } catch {
            if error.reason != .cancelled { state = .failed(error) }
            throw error
        }
    }

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        lock.lock()
        defer { lock.unlock() }
        var buffer = GrowingBuffer()
        let stream: any ByteStream
        switch state {
        case .unread: stream = try opened(isCancelled: reading.isCancelled)
        case .interrupted(let head, let rest): (buffer, stream) = (head, rest)
        case .kept(let bytes):
            try checkDocument(bytes)
            return bytes
        case .delivered: throw SourceError(file, .readAlready)
        case .failed(let error): throw error
        }
        do throws(SourceError) {
            try buffer.append(all: stream, as: file, reading)
        } catch {
            state = error.reason == .cancelled ? .interrupted(buffer, stream) : .failed(error)
            throw error
        }
        let bytes = buffer.bytes(behind: nil)
        state = .kept(bytes)
        try checkDocument(bytes)
        return bytes
    }

    /// The stream from its beginning, unpacked where it is packed.
    private func opened(waiting: () -> Void = {}, isCancelled: () -> Bool) throws(SourceError) -> any ByteStream {
        let stream = try open()
        var head = GrowingBuffer()
        do throws(SourceError) {
            while head.count < Self.headLength {
                let length = try head.append(
                    from: stream, as: file, atMost: Self.headLength - head.count, waiting: waiting,
                    isCancelled: isCancelled)
                if length == 0 { break }
            }
        } catch {
            if error.reason == .cancelled { state = .interrupted(head, stream) }
            throw error
        }
        let bytes = head.bytes(behind: nil)
        let whole = ResumedStream(bytes, then: stream)
        let isPacked = Gzip.begins(bytes)
        wasPacked.withLock { $0 = isPacked }
        return isPacked ? try Gzip.unpacking(whole, as: file) : whole
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
