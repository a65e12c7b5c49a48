import Foundation

/// The bytes of a document, read once and never changed.
///
/// The bytes live in memory of their own rather than in a mapping of the file: a mapped file that another program
/// shortens while it is open ends the reading process with SIGBUS, and nothing can be known beforehand about who else
/// has a document open.
///
/// ## Invariant
/// `count` bytes from `base` are initialised before `init` returns and never written again, which is what makes the class
/// `Sendable`. At least ``padding`` zero bytes follow them, so that a reader may load a whole machine word at any offset up
/// to `count` without asking first.
public final class SourceBytes: @unchecked Sendable {
    /// How many readable zero bytes follow the last byte.
    static let padding = 16

    let base: UnsafePointer<UInt8>

    /// The number of bytes.
    public let count: Int

    /// Makes room for `capacity` bytes and lets `fill` write them.
    ///
    /// - Parameter fill: Writes up to `capacity` bytes at the pointer and returns how many it wrote.
    /// - Throws: What `fill` throws.
    public init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity + Self.padding, alignment: 16)
        do {
            let written = try fill(UnsafeMutableRawBufferPointer(start: memory, count: capacity))
            precondition(written >= 0 && written <= capacity)
            memset(memory + written, 0, Self.padding)
            count = written
            base = UnsafePointer(memory.assumingMemoryBound(to: UInt8.self))
        } catch {
            memory.deallocate()
            throw error
        }
    }

    /// Copies `data`.
    public convenience init(_ data: Data) {
        self.init(capacity: data.count) { memory in data.copyBytes(to: memory) }
    }

    /// Copies `bytes`.
    public convenience init(_ bytes: UnsafeRawBufferPointer) {
        self.init(capacity: bytes.count) { memory in
            memory.copyMemory(from: bytes)
            return bytes.count
        }
    }

    /// Copies the UTF-8 bytes of `text`.
    public convenience init(_ text: String) {
        var text = text
        self.init(text.withUTF8 { Data($0) })
    }

    deinit { UnsafeMutableRawPointer(mutating: base).deallocate() }

    /// The byte at `offset`, which must be less than ``count``.
    public subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < count)
        return base[offset]
    }

    /// Runs `body` with the bytes in `range`, which must lie within `0..<count`.
    public func withBytes<Result>(
        in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return try withExtendedLifetime(self) {
            try body(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
        }
    }

    /// A copy of the bytes in `range`.
    public func data(in range: Range<Int>) -> Data { withBytes(in: range) { Data($0) } }

    /// A copy of all bytes.
    public var data: Data { data(in: 0..<count) }

    /// The bytes in `range` as text; ill-formed UTF-8 becomes U+FFFD.
    public func string(in range: Range<Int>) -> String { withBytes(in: range) { String(decoding: $0, as: UTF8.self) } }
}
