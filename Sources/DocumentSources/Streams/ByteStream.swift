import DocumentModel
import Foundation
import MigrationCore

/// A sequence of bytes that can be read once: from a pipe, a file or a program. Only one thread reads it at a time.
protocol ByteStream: AnyObject {
    /// Reads the next bytes, waiting at most `patience` milliseconds for them.
    ///
    /// - Returns: The number of bytes read, 0 at the end; nil if there are none yet.
    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) throws(SourceError) -> Int?

    /// Whether the bytes are unpacked as they are read, so that a few may become many.
    var isUnpacked: Bool { get }
}

extension ByteStream {
    var isUnpacked: Bool { false }

    /// - Throws: ``SourceError`` if a document exceeds the maximum size.
    func checkSize(_ byteCount: Int, as file: FilePath) throws(SourceError) {
        guard byteCount < Document.largestSourceLength else { throw SourceError(file, .tooLarge(byteCount: byteCount)) }
        guard !isUnpacked || byteCount <= SizeLimit.bytes else {
            throw SourceError(file, .gzip(.tooLarge(limit: SizeLimit.bytes)))
        }
    }

    /// Reads the next bytes, waiting until there are some.
    ///
    /// - Parameters:
    ///   - file: The path for error messages.
    ///   - waiting: Called once if there are no bytes yet.
    ///   - isCancelled: Called now and then; reading ends when it returns true.
    /// - Returns: The number of bytes read; 0 at the end.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` if `isCancelled` returned true.
    func read(
        into memory: UnsafeMutableRawBufferPointer, as file: FilePath, waiting: () -> Void = {},
        isCancelled: () -> Bool = { false }
    ) throws(SourceError) -> Int {
        if isCancelled() { throw SourceError(file, .cancelled) }
        if let length = try read(into: memory, patience: 0) { return length }
        waiting()
        while true {
            if isCancelled() { throw SourceError(file, .cancelled) }
            // Milliseconds between two checks for cancellation.
            if let length = try read(into: memory, patience: 50) { return length }
        }
    }

    /// Reads to the end and discards everything.
    ///
    /// - Throws: ``SourceError``.
    func skip(as file: FilePath, isCancelled: () -> Bool) throws(SourceError) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { memory.deallocate() }
        while try read(into: memory, as: file, isCancelled: isCancelled) > 0 {}
    }

    /// Returns the whole stream in one piece.
    ///
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` if reading was cancelled.
    func all(as file: FilePath, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        var buffer = GrowingBuffer()
        try buffer.append(all: self, as: file, reading)
        return buffer.bytes(behind: nil)
    }
}

extension GrowingBuffer {
    /// Appends the next bytes of a stream, waiting until there are some.
    ///
    /// - Returns: The number of bytes; 0 at the end of the stream.
    mutating func append(
        from stream: any ByteStream, as file: FilePath, atMost limit: Int = .max, waiting: () -> Void = {},
        isCancelled: () -> Bool
    ) throws(SourceError) -> Int {
        var problem: SourceError?
        let length = append { memory in
            do throws(SourceError) {
                return try stream.read(
                    into: .init(rebasing: memory.prefix(limit)), as: file, waiting: waiting, isCancelled: isCancelled)
            } catch {
                problem = error
                return 0
            }
        }
        if let problem { throw problem }
        try stream.checkSize(count, as: file)
        return length
    }

    /// Appends the rest of a stream. If it throws, the bytes read so far are kept.
    mutating func append(all stream: any ByteStream, as file: FilePath, _ reading: DocumentReading) throws(SourceError)
    {
        while try append(from: stream, as: file, isCancelled: reading.isCancelled) > 0 {
            reading.progress?(count, nil)
        }
    }
}

/// The bytes from an open descriptor: a pipe, a terminal or a redirected file.
final class DescriptorStream: ByteStream {
    private let file: FilePath
    private let descriptor: Int32
    /// Whether to close the descriptor with the instance.
    private let isOwned: Bool

    /// - Parameter file: The path for error messages.
    init(_ file: FilePath, descriptor: Int32, isOwned: Bool) {
        self.file = file
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    /// Opens a named pipe without waiting for another program to write to it.
    convenience init(opening file: FilePath) throws(SourceError) {
        let descriptor = open(file.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SourceError(file, errno: errno) }
        self.init(file, descriptor: descriptor, isOwned: true)
    }

    deinit { if isOwned { close(descriptor) } }

    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) throws(SourceError) -> Int? {
        // If no program has opened a named pipe for writing yet, read(2) reports its end, but poll(2) waits.
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, patience) != 0 else { return nil }
        let length = Foundation.read(descriptor, memory.baseAddress, memory.count)
        if length < 0, errno == EINTR || errno == EAGAIN { return nil }
        guard length >= 0 else { throw SourceError(file, errno: errno) }
        return length
    }
}

/// The first bytes of a file.
final class FileStream: ByteStream {
    private let file: OpenFile
    private let count: Int
    private var offset = 0

    /// - Parameter count: The maximum number of bytes to read from the file.
    init(_ file: consuming OpenFile, first count: Int) {
        self.file = file
        self.count = count
    }

    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) throws(SourceError) -> Int? {
        let length = file.read(into: .init(rebasing: memory.prefix(count - offset)), at: offset)
        guard length >= 0 else { throw SourceError(file.path, errno: errno) }
        offset += length
        return length
    }
}

/// Bytes in memory, followed by another stream.
final class ResumedStream: ByteStream {
    private let head: SourceBytes
    private let headCount: Int
    private var offset = 0
    private let rest: (any ByteStream)?

    /// - Parameter count: The maximum number of bytes to use from `head`.
    init(_ head: SourceBytes, first count: Int = .max, then rest: (any ByteStream)?) {
        self.head = head
        headCount = min(count, head.count)
        self.rest = rest
    }

    var isUnpacked: Bool { rest?.isUnpacked ?? false }

    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) throws(SourceError) -> Int? {
        guard offset < headCount else {
            guard let rest else { return 0 }
            return try rest.read(into: memory, patience: patience)
        }
        let end = min(headCount, offset + memory.count)
        head.withBytes(in: offset..<end) { memory.copyMemory(from: $0) }
        defer { offset = end }
        return end - offset
    }
}
