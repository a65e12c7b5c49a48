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
    /// What gzip has packed of it, until lines are found in it, or its end is reached.
    private let packed = Locked<RecordedStream?>(nil)

    private enum State {
        case unread
        /// Bytes that were read before reading was cancelled, and the rest.
        case interrupted(GrowingBuffer, any ByteStream)
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
        self.open = open
    }

    var label: String? { file == Self.standardInput.file ? "standard input" : nil }
    var isReadOnce: Bool { true }
    /// Known once it is read.
    var isPacked: Bool { packed.withLock { $0 != nil } }
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
            do throws(SourceError) {
                try find(in: stream, search)
            } catch {
                let located = try located(error, search.isCancelled)
                // What is packed before the rest is a document, or several; lines have been delivered before.
                if case .gzip(.followed(let end?, _)) = located.reason, let packed = packed.withLock({ $0?.bytes }) {
                    let good = try Gzip.unpacking(ResumedStream(packed, first: end, then: nil), as: file)
                    try find(in: good, before: located, search)
                }
                throw located
            }
        } catch {
            if case .delivered = state, error.reason != .cancelled { state = .failed(error) }
            throw error
        }
    }

    private func find(
        in stream: any ByteStream, before problem: SourceError? = nil, _ search: DocumentSearch
    ) throws(SourceError) {
        var search = search
        search.deliver = { [packed, deliver = search.deliver] document in
            if !document.isWhole { packed.withLock { $0?.forget() } }
            deliver(document)
        }
        let whole = try DocumentLines(of: self, in: stream).findEither(search, check: checkDocument)
        packed.withLock { $0?.forget() }
        if let whole { state = .kept(whole, before: problem) }
    }

    /// The same error, with where the last good member ends of what gzip has packed.
    private func located(_ error: SourceError, _ isCancelled: @escaping () -> Bool) throws(SourceError) -> SourceError {
        guard let packed = packed.withLock({ $0?.bytes }) else { return error }
        return try GzipMembers(packed, of: file, isCancelled: isCancelled).located(error)
    }

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        lock.lock()
        defer { lock.unlock() }
        var buffer = GrowingBuffer()
        let stream: any ByteStream
        switch state {
        case .unread: stream = try opened(isCancelled: reading.isCancelled)
        case .interrupted(let head, let rest): (buffer, stream) = (head, rest)
        case .kept(let bytes, let problem):
            try checkDocument(bytes)
            if let problem { throw problem }
            return bytes
        case .delivered: throw SourceError(file, .readAlready)
        case .failed(let error): throw error
        }
        do throws(SourceError) {
            try buffer.append(all: stream, as: file, reading)
        } catch {
            let error = try located(error, reading.isCancelled)
            state = error.reason == .cancelled ? .interrupted(buffer, stream) : .failed(error)
            throw error
        }
        packed.withLock { $0?.forget() }
        let bytes = buffer.bytes(behind: nil)
        state = .kept(bytes, before: nil)
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
        guard Gzip.begins(bytes) else { return whole }
        let recorded = RecordedStream(whole)
        packed.withLock { $0 = recorded }
        return try Gzip.unpacking(recorded, as: file)
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
