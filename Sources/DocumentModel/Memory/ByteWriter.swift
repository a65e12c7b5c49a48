import Foundation

/// Collects bytes in memory that a document or a `Data` can take over without a copy.
///
/// ## Invariant
/// `count` bytes from `base` are initialized, and at least `capacity` are allocated with `malloc`.
struct ByteWriter: ~Copyable {
    private(set) var count = 0
    private var capacity: Int
    private var base: UnsafeMutableRawPointer

    init(capacity: Int = 256) {
        self.capacity = max(16, capacity)
        base = .allocated(byteCount: self.capacity)
    }

    deinit { free(base) }

    /// What was written; not to be kept.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(for: 1) }
        base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        if capacity - count < bytes.count { grow(for: bytes.count) }
        (base + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @inline(__always)
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

    /// Appends the decimal digits of a number, behind a minus sign where it is negative.
    mutating func append(decimal value: Int64) {
        // The lowest number has 19 digits and a sign.
        if capacity - count < 20 { grow(for: 20) }
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
    private mutating func grow(for more: Int) {
        capacity = max(capacity * 2, count + more)
        base = base.reallocated(byteCount: capacity)
    }

    /// Puts other bytes of the same number in the place of some.
    mutating func replace(at offset: Int, with bytes: some Collection<UInt8>) {
        precondition(offset >= 0 && offset + bytes.count <= count)
        for (index, byte) in bytes.enumerated() {
            base.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
        }
    }

    /// The memory, which is no larger than it need be by much, with `padding` zero bytes behind what was written. To be
    /// freed.
    consuming func release(padding: Int = 0) -> (base: UnsafeMutableRawPointer, count: Int) {
        let needed = max(16, count + padding)
        if capacity < needed || capacity - needed > MallocedMemory.mostSlack {
            base = base.reallocated(byteCount: needed)
        }
        memset(base + count, 0, padding)
        let result = (base, count)
        discard self
        return result
    }

    /// What was written, without a copy.
    consuming func data() -> Data {
        let (base, count) = release()
        return Data(bytesNoCopy: base, count: count, deallocator: .free)
    }
}

/// Memory of `malloc`, in which the largest blocks grow and shrink without being copied.
enum MallocedMemory {
    /// So many bytes more than are needed may stay allocated.
    static let mostSlack = 4096

    /// Whether the allocator has been told that blocks of some size come and go.
    ///
    /// glibc gives memory back to the system as soon as 128 KB at the end of its heap are free. A document of 20 KB with
    /// its snapshots takes more, so each would take its pages from the system anew: a fifth of the time of comparing it.
    /// Once a block has been freed that was large enough to be the system's own, glibc keeps twice as much as that
    /// (`mallopt(3)`, `M_MMAP_THRESHOLD`), and the first large document would teach it so too: the process then keeps up to
    /// 16 MB at the end of each of its heaps. The block is not touched.
    static let isReused: Bool = {
        #if canImport(Glibc)
            free(block(byteCount: 8 << 20))
        #endif
        return true
    }()

    /// A block, in a function of its own, since the compiler leaves out what is allocated and freed at once.
    @inline(never)
    private static func block(byteCount: Int) -> UnsafeMutableRawPointer? { malloc(byteCount) }
}

extension UnsafeMutableRawPointer {
    /// New memory of `malloc`, aligned to 16 bytes. Where there is none, the program ends, as it does everywhere in
    /// Swift.
    static func allocated(byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount > MallocedMemory.mostSlack { _ = MallocedMemory.isReused }
        guard let memory = malloc(byteCount) else { fatalError("out of memory") }
        return memory
    }

    /// New memory of `malloc` that holds zeros.
    static func zeroed(byteCount: Int) -> UnsafeMutableRawPointer {
        guard let memory = calloc(1, byteCount) else { fatalError("out of memory") }
        return memory
    }

    /// The memory with another size.
    func reallocated(byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount > MallocedMemory.mostSlack { _ = MallocedMemory.isReused }
        guard let memory = realloc(self, byteCount) else { fatalError("out of memory") }
        return memory
    }
}

extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
    /// Memory for `count` values, allocated with `malloc`.
    static func allocated(count: Int) -> UnsafeMutablePointer {
        UnsafeMutableRawPointer.allocated(byteCount: count * MemoryLayout<Pointee>.stride)
            .bindMemory(to: Pointee.self, capacity: count)
    }

    /// The memory, made larger or smaller so that it has room for `count` values.
    func reallocated(count: Int) -> UnsafeMutablePointer {
        UnsafeMutableRawPointer(self).reallocated(byteCount: count * MemoryLayout<Pointee>.stride)
            .bindMemory(to: Pointee.self, capacity: count)
    }
}
