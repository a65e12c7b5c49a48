import DocumentModel
import Foundation

/// A regular file that is open for reading, and closed when the value is destroyed.
struct OpenFile: ~Copyable {
    /// The path at which it was opened.
    let path: FilePath
    private let descriptor: Int32
    /// The status of the file when it was opened.
    let status: FileStatus

    /// Opens the regular file at `path`.
    ///
    /// Other files are refused before they are opened, because opening a pipe blocks and opening a device can have side
    /// effects. The check is repeated for the open file, which may be a different one by then; `O_NONBLOCK` keeps a
    /// pipe from blocking until then.
    init(path: FilePath) throws(SourceError) {
        guard let before = FileStatus(path: path) else { throw SourceError(path, errno: errno) }
        if let refusal = before.refusal { throw SourceError(path, refusal) }
        let descriptor = open(path.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SourceError(path, errno: errno) }
        guard let status = FileStatus(descriptor: descriptor) else {
            let error = SourceError(path, errno: errno)
            close(descriptor)
            throw error
        }
        if let refusal = status.refusal {
            close(descriptor)
            throw SourceError(path, refusal)
        }
        self.path = path
        self.descriptor = descriptor
        self.status = status
    }

    deinit { close(descriptor) }

    /// Reads up to `memory.count` bytes at `offset`: fewer at the end of the file, and none past it.
    ///
    /// - Returns: The number of bytes read, or -1 with `errno` set.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        var result: Int
        repeat {
            result = pread(descriptor, memory.baseAddress, memory.count, off_t(offset))
        } while result < 0 && errno == EINTR
        return result
    }

    /// The current status of the file, or nil with `errno` set if that fails.
    var currentStatus: FileStatus? { FileStatus(descriptor: descriptor) }

    /// Locks the file in the way temporary files are locked, unless another process has locked it.
    func lockAsTemporary() { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Calls fcntl(2) on the file.
    ///
    /// - Returns: The result, which is -1 with `errno` set if the call fails.
    func fileControl(_ command: Int32, _ request: inout flock) -> Int32 { fcntl(descriptor, command, &request) }

    /// Returns the first bytes of the file, as many as `DocumentFormat.announced(by:)` needs.
    func head() throws(SourceError) -> SourceBytes {
        var failure: Int32 = 0
        let head = SourceBytes(capacity: DocumentFormat.headLength) { memory in
            let length = read(into: memory, at: 0)
            if length < 0 { failure = errno }
            return max(0, length)
        }
        guard failure == 0 else { throw SourceError(path, errno: failure) }
        return head
    }

    /// Writes all bytes to a descriptor.
    ///
    /// - Returns: Whether everything was written; if not, `errno` is set.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
            let length = write(descriptor, rest.baseAddress, rest.count)
            if length < 0, errno == EINTR { continue }
            guard length > 0 else { return false }
            offset += length
        }
        return true
    }

    /// The number of bytes to read between two calls of a progress handler.
    private static let chunkLength = 1 << 20

    /// Returns the bytes of the file or of a part of it.
    ///
    /// - Parameter range: The part, or nil for the whole file.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` if reading was cancelled.
    func bytes(in range: Range<Int>? = nil, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        let part = range ?? 0..<status.byteCount
        guard part.count < Document.largestSourceLength else {
            throw SourceError(path, .tooLarge(byteCount: part.count))
        }
        var failure: SourceError?
        let bytes = SourceBytes(capacity: part.count) { memory in
            var count = 0
            while count < memory.count {
                if reading.isCancelled() {
                    failure = SourceError(path, .cancelled)
                    break
                }
                let chunk = memory[count..<min(count + Self.chunkLength, memory.count)]
                let length = read(into: .init(rebasing: chunk), at: part.lowerBound + count)
                if length < 0 { failure = SourceError(path, errno: errno) }
                guard length > 0 else { break }
                count += length
                reading.progress?(count, part.count)
            }
            return count
        }
        if let failure { throw failure }
        return range == nil && bytes.count == part.count ? try growth(behind: bytes, reading) : bytes
    }

    /// Returns the whole contents of a file that may have more bytes than its size: one that is being written to, or
    /// one that the file system generates when it is read (files in /proc have size 0).
    private func growth(behind bytes: SourceBytes, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        var buffer = GrowingBuffer()
        while true {
            if reading.isCancelled() { throw SourceError(path, .cancelled) }
            let offset = bytes.count + buffer.count
            let length = buffer.append { read(into: $0, at: offset) }
            guard length >= 0 else { throw SourceError(path, errno: errno) }
            let total = bytes.count + buffer.count
            guard total < Document.largestSourceLength else { throw SourceError(path, .tooLarge(byteCount: total)) }
            if length == 0 { break }
        }
        return buffer.count == 0 ? bytes : buffer.bytes(behind: bytes)
    }
}

/// The options for reading a document, and callbacks.
struct DocumentReading {
    /// Called now and then with the number of bytes read and, if known, the number to read.
    var progress: ((_ bytesRead: Int, _ total: Int?) -> Void)?
    /// Called now and then; reading stops when it returns true.
    var isCancelled: () -> Bool = { false }
    /// The number of the request that this is part of. Documents are read as they were at any time since the request
    /// was made, so checking a file once is enough for all of them. Nil to read the document as it is now.
    var asking: UInt64?
}

/// A buffer for an unknown number of bytes, stored in chunks so that none are copied when it grows.
struct GrowingBuffer {
    private static let chunkLength = 1 << 18

    private var chunks: [[UInt8]] = []

    /// The number of bytes.
    private(set) var count = 0

    /// Lets `fill` append bytes.
    ///
    /// - Parameter fill: Writes at the pointer and returns the number of bytes it wrote, or a negative number if it
    ///   failed.
    /// - Returns: The result of `fill`.
    mutating func append(_ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        var result = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkLength) { memory, written in
            result = fill(UnsafeMutableRawBufferPointer(memory))
            written = max(0, result)
        }
        if result > 0 {
            // A pipe delivers little at a time, so a separate chunk for each read would waste most of its memory.
            if let last = chunks.indices.last, chunks[last].count + result <= Self.chunkLength {
                chunks[last].append(contentsOf: chunk)
            } else {
                chunks.append(chunk)
            }
            count += result
        }
        return result
    }

    /// Returns all bytes in one piece, after those of `head`.
    func bytes(behind head: SourceBytes?) -> SourceBytes {
        let headCount = head?.count ?? 0
        return SourceBytes(capacity: headCount + count) { memory in
            var offset = headCount
            head?.withBytes(in: 0..<headCount) { memory.copyMemory(from: $0) }
            for chunk in chunks {
                memory[offset...].copyBytes(from: chunk)
                offset += chunk.count
            }
            return offset
        }
    }
}
