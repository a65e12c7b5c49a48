import Foundation

/// Memory of `malloc`, in which the largest blocks grow and shrink without being copied.
enum MallocedMemory {
    /// How many bytes more than are needed may stay allocated.
    static let mostSlack = 4096
    /// The same for the lists of which a document or a difference has only one.
    static let mostRoomLeft = 1 << 18

    /// Tells the allocator, once, that blocks of some size come and go.
    ///
    /// glibc gives memory back to the system as soon as 128 KB at the end of its heap are free. A document of 20 KB with
    /// its snapshots takes more, so each would take its pages from the system anew: a fifth of the time of comparing it.
    /// Once a block has been freed that was large enough to be the system's own, glibc keeps twice as much as that
    /// (`mallopt(3)`, `M_MMAP_THRESHOLD`), and the first large document would teach it so too: the process then keeps up to
    /// 16 MB at the end of each of its heaps. The block is not touched.
    @inline(__always)
    fileprivate static func keepWhatIsFreed() { _ = hasToldAllocator }

    private static let hasToldAllocator: Void = {
        #if canImport(Glibc)
            free(block(byteCount: 8 << 20))
        #endif
    }()

    /// A block, in a function of its own, since the compiler leaves out what is allocated and freed at once.
    @inline(never)
    private static func block(byteCount: Int) -> UnsafeMutableRawPointer? { malloc(byteCount) }

    /// The memory that the allocator gave.
    ///
    /// Where it has none, the program ends. An array ends it in the same way when it cannot grow, and no caller could
    /// go on without the memory that it asked for.
    @inline(__always)
    fileprivate static func checked(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory else { fatalError("out of memory") }
        return memory
    }
}

extension UnsafeMutableRawPointer {
    /// New memory of `malloc`, aligned to 16 bytes.
    static func allocated(byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount > MallocedMemory.mostSlack { MallocedMemory.keepWhatIsFreed() }
        return MallocedMemory.checked(malloc(byteCount))
    }

    /// New memory of `malloc` that holds zeros.
    static func zeroed(byteCount: Int) -> UnsafeMutableRawPointer { MallocedMemory.checked(calloc(1, byteCount)) }

    /// The memory with another size.
    func reallocated(byteCount: Int) -> UnsafeMutableRawPointer {
        if byteCount > MallocedMemory.mostSlack { MallocedMemory.keepWhatIsFreed() }
        return MallocedMemory.checked(realloc(self, byteCount))
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Memory for `count` values, allocated with `malloc`.
    static func allocated(count: Int) -> UnsafeMutablePointer {
        UnsafeMutableRawPointer.allocated(byteCount: count * MemoryLayout<Pointee>.stride)
            .bindMemory(to: Pointee.self, capacity: count)
    }

    /// The memory, made larger or smaller so that it has room for `count` values. It moves the bytes of the values,
    /// which is allowed for every Swift value that holds no weak reference.
    func reallocated(count: Int) -> UnsafeMutablePointer {
        UnsafeMutableRawPointer(self).reallocated(byteCount: count * MemoryLayout<Pointee>.stride)
            .bindMemory(to: Pointee.self, capacity: count)
    }
}
