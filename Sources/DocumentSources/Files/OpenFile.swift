import DocumentModel
import Foundation

/// A regular file that is open for reading; closed when the value ends.
struct OpenFile: ~Copyable {
    /// The name under which it was opened.
    let path: FilePath
    private let descriptor: Int32
    /// What the system said about the file when it was opened.
    let status: FileStatus

    /// Opens the regular file at `path`.
    ///
    /// Anything else is refused before it is opened: opening a pipe waits, and opening a device can do anything. The
    /// question is asked again of the open file, which by then may be another, and until then `O_NONBLOCK` keeps a pipe
    /// from waiting.
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

    /// Reads up to `memory.count` bytes at `offset`; fewer at the end of the file, and none behind it.
    ///
    /// - Returns: The number of bytes read, or -1 with `errno` set.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        var result: Int
        repeat {
            result = pread(descriptor, memory.baseAddress, memory.count, off_t(offset))
        } while result < 0 && errno == EINTR
        return result
    }

    /// What the system says about the file now; nil with `errno` set for a failure.
    var currentStatus: FileStatus? { FileStatus(descriptor: descriptor) }

    /// Locks the file as temporary files are, if nothing else has locked it.
    func lockAsTemporary() { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Calls fcntl(2) on the file.
    ///
    /// - Returns: What it returned; -1 with `errno` set for a failure.
    func fileControl(_ command: Int32, _ request: inout flock) -> Int32 { fcntl(descriptor, command, &request) }

    /// The first bytes of the file, as many as `DocumentFormat.announced(by:)` wants.
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

    /// Writes to a descriptor.
    ///
    /// - Returns: Whether everything was written; `errno` says why not.
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

    /// How many bytes are read between two calls of a progress handler.
    private static let chunkLength = 1 << 20

    /// The bytes of a part of the file, or of all of it.
    ///
    /// - Parameter range: The part; nil for the whole file.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` when the reader was cancelled.
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

    /// The whole of a file that has more bytes than its size said: one that is being written to, or one of a file
    /// system that makes its files up as they are read (/proc says 0).
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

/// How a document is read: what the caller is told meanwhile, and asked.
struct DocumentReading {
    /// Called now and then with the number of bytes read and, where it is known, of those to read.
    var progress: ((_ bytesRead: Int, _ total: Int?) -> Void)?
    /// Asked now and then; when it returns true, reading stops.
    var isCancelled: () -> Bool = { false }
    /// What was asked for together has the same number: it is read as it was at any moment since, so one look at a file
    /// serves all. Nil where it is to be as it is now.
    var asking: UInt64?
}

/// Bytes of an unknown number, kept in chunks so that none is copied as more come.
struct GrowingBuffer {
    private static let chunkLength = 1 << 18

    private var chunks: [[UInt8]] = []

    /// The number of bytes.
    private(set) var count = 0

    /// Lets `fill` write behind the bytes so far.
    ///
    /// - Parameter fill: Writes at the pointer and returns how many bytes it wrote, or a negative number for a failure.
    /// - Returns: What `fill` returned.
    mutating func append(_ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        var result = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkLength) { memory, written in
            result = fill(UnsafeMutableRawBufferPointer(memory))
            written = max(0, result)
        }
        if result > 0 {
            // A pipe gives little at a time; a chunk of its own for every little would waste most of each.
            if let last = chunks.indices.last, chunks[last].count + result <= Self.chunkLength {
                chunks[last].append(contentsOf: chunk)
            } else {
                chunks.append(chunk)
            }
            count += result
        }
        return result
    }

    /// All bytes in one piece, behind those of `head`.
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
