import Foundation

/// Collects bytes in memory that a document or a `Data` can take over without a copy.
///
/// ## Invariant
/// `count` bytes from `base` are initialized, and at least `capacity` are allocated with `malloc`. If the capacity is
/// 0, there is no memory.
struct ByteWriter: ~Copyable {
    private(set) var count = 0
    private var capacity: Int
    private var base: UnsafeMutableRawPointer?

    /// Creates an empty writer with some capacity.
    init(capacity: Int = 256) {
        self.capacity = capacity
        base = capacity > 0 ? .allocated(byteCount: capacity) : nil
    }

    deinit { free(base) }

    /// The written bytes, which are valid until the next change.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(for: 1) }
        base.unsafelyUnwrapped.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        if capacity - count < bytes.count { grow(for: bytes.count) }
        (base.unsafelyUnwrapped + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @inline(__always)
    mutating func append(_ text: String) { text.withBytes { append($0) } }

    @inline(__always)
    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    @inline(never)
    private mutating func grow(for more: Int) { resize(to: max(capacity * 2, count + more, 16)) }

    private mutating func resize(to capacity: Int) {
        base = base?.reallocated(byteCount: capacity) ?? .allocated(byteCount: capacity)
        self.capacity = capacity
    }

    /// Returns the memory, with little unused capacity, and with `padding` zero bytes after the written bytes. The
    /// caller must free it.
    consuming func released(padding: Int = 0) -> (base: UnsafeMutableRawPointer, count: Int) {
        let needed = max(16, count + padding)
        if capacity < needed || capacity - needed > MallocedMemory.mostSlack { resize(to: needed) }
        let base = base.unsafelyUnwrapped
        memset(base + count, 0, padding)
        let result = (base, count)
        discard self
        return result
    }

    /// Returns the written bytes without a copy.
    consuming func data() -> Data {
        let (base, count) = released()
        return Data(bytesNoCopy: base, count: count, deallocator: .free)
    }
}
