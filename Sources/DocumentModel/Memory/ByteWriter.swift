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

    /// Appends the decimal digits of a number, after a minus sign if it is negative.
    mutating func append(decimal value: Int64) {
        // The lowest number has 19 digits and a sign.
        if capacity - count < 20 { grow(for: 20) }
        let base = base.unsafelyUnwrapped
        var rest = value.magnitude
        var length = value < 0 ? 2 : 1
        while rest >= 10 {
            rest /= 10
            length += 1
        }
        rest = value.magnitude
        var offset = count + length
        repeat {
            offset -= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            base.storeBytes(
                of: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit), toByteOffset: offset, as: UInt8.self)
            rest = quotient
        } while rest > 0
        if value < 0 { base.storeBytes(of: UInt8(ascii: "-"), toByteOffset: count, as: UInt8.self) }
        count += length
    }

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
