import DocumentModel
import Foundation
import MigrationCore

/// Bytes that come one after the other, once: from a pipe, or from a program. One thread at a time reads them.
protocol ByteStream: AnyObject {
    /// Reads what comes next, and waits for it no longer than `patience`, in milliseconds.
    ///
    /// - Returns: How many bytes were read, 0 at the end; nil where none has come yet.
    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) throws(SourceError) -> Int?

    /// Whether its bytes are unpacked as they are read, so that a few may become many.
    var isUnpacked: Bool { get }
}

extension ByteStream {
    var isUnpacked: Bool { false }

    /// - Throws: ``SourceError`` for a document of more bytes than one may have.
    func checkSize(_ byteCount: Int, as file: FilePath) throws(SourceError) {
        guard byteCount < Document.largestSourceLength else { throw SourceError(file, .tooLarge(byteCount: byteCount)) }
        guard !isUnpacked || byteCount <= SizeLimit.bytes else {
            throw SourceError(file, .gzip(.tooLarge(limit: SizeLimit.bytes)))
        }
    }

    /// Reads what comes next, and waits for it.
    ///
    /// - Parameters:
    ///   - file: What to name in an error.
    ///   - waiting: Called once where there is something to wait for.
    ///   - isCancelled: Asked now and then; when it returns true, reading ends.
    /// - Returns: How many bytes were read; 0 at the end.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` when `isCancelled` returned true.
    func read(
        into memory: UnsafeMutableRawBufferPointer, as file: FilePath, waiting: () -> Void = {},
        isCancelled: () -> Bool = { false }
    ) throws(SourceError) -> Int {
        if isCancelled() { throw SourceError(file, .cancelled) }
        if let length = try read(into: memory, patience: 0) { return length }
        waiting()
        while true {
            if isCancelled() { throw SourceError(file, .cancelled) }
            // In milliseconds; so often it is asked whether reading was cancelled.
            if let length = try read(into: memory, patience: 50) { return length }
        }
    }

    /// Reads to the end, and keeps nothing.
    ///
    /// - Throws: ``SourceError``.
    func skip(as file: FilePath, isCancelled: () -> Bool) throws(SourceError) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
        defer { memory.deallocate() }
        while try read(into: memory, as: file, isCancelled: isCancelled) > 0 {}
    }

    /// All that the stream gives, in one piece.
    ///
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` when the reader was cancelled.
    func all(as file: FilePath, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        var buffer = GrowingBuffer()
        try buffer.append(all: self, as: file, reading)
        return buffer.bytes(behind: nil)
    }
}

extension GrowingBuffer {
    /// Appends what a stream gives next, and waits for it.
    ///
    /// - Returns: How many bytes; 0 at the end of the stream.
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

    /// Appends what a stream gives up to its end; what came before is kept where it throws.
    mutating func append(all stream: any ByteStream, as file: FilePath, _ reading: DocumentReading) throws(SourceError)
    {
        while try append(from: stream, as: file, isCancelled: reading.isCancelled) > 0 {
            reading.progress?(count, nil)
        }
    }
}

/// What an open descriptor gives: a pipe, a terminal, a redirected file.
final class DescriptorStream: ByteStream {
    private let file: FilePath
    private let descriptor: Int32
    /// Whether it is closed with the instance.
    private let isOwned: Bool

    /// - Parameter file: What to name in an error.
    init(_ file: FilePath, descriptor: Int32, isOwned: Bool) {
        self.file = file
        self.descriptor = descriptor
        self.isOwned = isOwned
    }

    /// Opens a named pipe, without waiting for another program to write to it.
    convenience init(opening file: FilePath) throws(SourceError) {
        let descriptor = open(file.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SourceError(file, errno: errno) }
        self.init(file, descriptor: descriptor, isOwned: true)
    }

    deinit { if isOwned { close(descriptor) } }

    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) throws(SourceError) -> Int? {
        // A named pipe that nothing has opened for writing yet would say that it is at its end; poll(2) does not.
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

    /// - Parameter count: How many bytes of the file there are at most.
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

/// Bytes that are there already, and then another stream.
final class ResumedStream: ByteStream {
    private let head: SourceBytes
    private let headCount: Int
    private var offset = 0
    private let rest: (any ByteStream)?

    /// - Parameter count: How many of the bytes there are at most.
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
