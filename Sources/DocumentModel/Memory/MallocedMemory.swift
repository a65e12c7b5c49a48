import Foundation

/// Memory from `malloc`, in which the largest blocks grow and shrink without being copied.
enum MallocedMemory {
    /// The maximum number of unused bytes that may stay allocated.
    static let mostSlack = 4096

    /// Returns the memory from the allocator.
    ///
    /// If there is none, the program ends, as it does when an array cannot grow. No caller could continue without the
    /// memory that it requested.
    @inline(__always)
    fileprivate static func checked(_ memory: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let memory else { fatalError("out of memory") }
        return memory
    }
}

extension UnsafeMutableRawPointer {
    /// Allocates memory with `malloc`, aligned to 16 bytes.
    static func allocated(byteCount: Int) -> UnsafeMutableRawPointer {
        MallocedMemory.checked(malloc(byteCount))
    }

    /// Resizes the memory.
    func reallocated(byteCount: Int) -> UnsafeMutableRawPointer {
        MallocedMemory.checked(realloc(self, byteCount))
    }
}

extension UnsafeMutablePointer where Pointee: ~Copyable {
    /// Allocates memory for `count` values with `malloc`.
    static func allocated(count: Int) -> UnsafeMutablePointer {
        UnsafeMutableRawPointer.allocated(byteCount: count * MemoryLayout<Pointee>.stride)
            .bindMemory(to: Pointee.self, capacity: count)
    }

    /// Resizes the memory to the capacity for `count` values. This moves the bytes of the values, which is allowed for
    /// every Swift value that contains no weak reference.
    func reallocated(count: Int) -> UnsafeMutablePointer {
        UnsafeMutableRawPointer(self).reallocated(byteCount: count * MemoryLayout<Pointee>.stride)
            .bindMemory(to: Pointee.self, capacity: count)
    }
}
