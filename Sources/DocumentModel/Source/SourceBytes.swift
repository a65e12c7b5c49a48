import Foundation

/// Called with the number of bytes read so far. Returns whether to continue.
public typealias ParseProgress = (_ bytesRead: Int) -> Bool

/// The bytes of a document, which are read once and never changed.
///
/// The bytes are copied to memory instead of mapping the file. If another program truncates a mapped file while it is
/// open, the reading process is killed by SIGBUS, and any program may have a document open.
///
/// ## Invariant
/// `count` bytes from `base` are initialized before `init` returns and never written again, which makes the class
/// `Sendable`. At least ``padding`` zero bytes follow them, so that a reader may load a whole machine word at any
/// offset up to `count` without a check.
public final class SourceBytes: @unchecked Sendable {
    /// A document's text must be shorter, because its nodes store byte offsets in 32 bits.
    static let limit = Int(UInt32.max)

    /// The number of readable zero bytes after the last byte.
    package static let padding = 16

    let base: UnsafePointer<UInt8>

    /// The number of bytes.
    public let count: Int

    /// The owner of the memory, or nil if the instance owns it.
    private let owner: AnyObject?

    /// Uses the memory of `owner`: `count` bytes at `base`, followed by ``padding`` zero bytes.
    init(_ base: UnsafePointer<UInt8>, count: Int, of owner: AnyObject) {
        self.base = base
        self.count = count
        self.owner = owner
    }

    /// Uses the first `count` bytes of a block without a copy. Returns nil if they aren't followed by ``padding`` zero
    /// bytes.
    ///
    /// - Parameters:
    ///   - block: A block that doesn't change while `owner` exists.
    ///   - owner: The owner of the block's memory.
    package convenience init?(in block: UnsafeMutableRawBufferPointer, count: Int, of owner: AnyObject) {
        guard count >= 0, count <= block.count - Self.padding, let base = block.baseAddress,
            block[count..<count + Self.padding].allSatisfy({ $0 == 0 })
        else { return nil }
        self.init(UnsafePointer(base.assumingMemoryBound(to: UInt8.self)), count: count, of: owner)
    }

    /// Allocates memory for `capacity` bytes and lets `fill` write them.
    ///
    /// - Parameter fill: Writes up to `capacity` bytes at the pointer and returns the number of bytes it wrote.
    /// - Throws: Any error that `fill` throws.
    public init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows {
        let memory = UnsafeMutableRawPointer.allocated(byteCount: capacity + Self.padding)
        do {
            let written = try fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
            precondition(written >= 0 && written <= capacity)
            memset(memory + written, 0, Self.padding)
            count = written
            owner = nil
            base = UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
        } catch {
            free(memory)
            throw error
        }
    }

    /// Takes over the written bytes without a copy.
    convenience init(_ written: consuming ByteWriter) {
        let (memory, count) = written.released(padding: Self.padding)
        self.init(owning: memory, count: count)
    }

    /// Takes over memory from `malloc` with ``padding`` zero bytes after the first `count`.
    private init(owning memory: UnsafeMutableRawPointer, count: Int) {
        base = UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
        self.count = count
        owner = nil
    }

    /// Copies `data`.
    public convenience init(_ data: Data) {
        self.init(capacity: data.count) { memory in
            data.withUnsafeBytes { bytes in
                memory.copyMemory(from: bytes)
                return bytes.count
            }
        }
    }

    /// Copies `bytes`.
    public convenience init(_ bytes: UnsafeRawBufferPointer) {
        self.init(capacity: bytes.count) { memory in
            memory.copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// Copies the UTF-8 bytes of `text`.
    public convenience init(_ text: String) { self.init(text.withBytes { Data($0) }) }

    deinit { if owner == nil { free(UnsafeMutableRawPointer(mutating: base)) } }

    /// The byte at `offset`, which must be less than ``count``.
    public subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < count)
        return base[offset]
    }

    /// Calls `body` with the bytes in `range`, which must be within `0..<count`.
    public func withBytes<Result>(
        in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return try withExtendedLifetime(self) {
            try body(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
        }
    }

    /// Returns whether the bytes in `range` equal those of `other`.
    func areBytes(in range: Range<Int>, equalTo other: UnsafeRawBufferPointer) -> Bool {
        guard range.count == other.count else { return false }
        guard let address = other.baseAddress, !range.isEmpty else { return true }
        return withBytes(in: range) { memcmp($0.baseAddress!, address, other.count) == 0 }
    }

    /// Returns whether the bytes from `offset` on begin with those of `text`.
    package func begins(with text: String, at offset: Int = 0) -> Bool {
        guard offset + text.utf8.count <= count else { return false }
        return zip(offset..., text.utf8).allSatisfy { base[$0] == $1 }
    }

    /// Returns a copy of the bytes in `range`.
    public func data(in range: Range<Int>) -> Data { withBytes(in: range) { Data($0) } }

    /// A copy of all bytes.
    public var data: Data { data(in: 0..<count) }

    /// Returns the bytes in `range` as text, with ill-formed UTF-8 replaced by U+FFFD.
    public func string(in range: Range<Int>) -> String { withBytes(in: range) { String(decoding: $0, as: UTF8.self) } }
}

extension SourceBytes {
    /// The offset of the first byte that isn't part of a UTF-8 character, or nil if all are valid.
    var firstInvalidUTF8: Int? {
        withBytes(in: 0..<count) { bytes in
            var offset = 0
            while offset < bytes.count {
                // Most text is mostly ASCII, so read eight bytes at a time. The padding keeps the reads in range.
                let word = UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self)
                if word & 0x8080_8080_8080_8080 == 0 {
                    offset += 8
                } else if bytes[offset] < 0x80 {
                    offset += 1
                } else if let length = UTF8Sequence.length(at: base + offset) {
                    offset += length
                } else {
                    return offset
                }
            }
            return nil
        }
    }
}
