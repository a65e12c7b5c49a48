import CProcess
import Foundation

/// A block of memory that was written by, or received from, another process.
///
/// ## Invariant
/// The memory isn't written after initialization: it's either owned by the instance, or sealed and mapped read-only.
/// That makes the class `Sendable`.
final class SharedBlock: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    private let isMapped: Bool

    /// Copies bytes that were received from a socket.
    init(copying source: UnsafeRawBufferPointer) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(16, source.count), alignment: 16)
        bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<source.count])
        bytes.copyMemory(from: source)
        isMapped = false
    }

    /// Maps the memory of a descriptor, and closes the descriptor.
    ///
    /// - Returns: nil if the memory is shorter than `length` or not sealed.
    init?(descriptor: Int32, length: Int) {
        defer { close(descriptor) }
        var status = stat()
        // Check the seals first: without them, the contents and the length could change at any time.
        guard length > 0, cprocess_is_sealed(descriptor) != 0, fstat(descriptor, &status) == 0,
            Int(status.st_size) >= length,
            let memory = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { return nil }
        #if os(Linux)
            bytes = UnsafeMutableRawBufferPointer(start: memory, count: length)
            isMapped = true
        #else
            // This system has no seals.
            defer { munmap(memory, length) }
            bytes = .allocate(byteCount: length, alignment: 16)
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: memory, count: length))
            isMapped = false
        #endif
    }

    deinit {
        if isMapped { munmap(bytes.baseAddress, bytes.count) } else { bytes.deallocate() }
    }
}

/// Memory that is written once, sealed, and sent to another process.
enum SealedMemory {
    /// Returns the descriptor of new memory that is filled by `fill`; nil if there is no memory for it.
    static func make(length: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) -> Int32? {
        let descriptor = cprocess_shared_memory()
        guard descriptor >= 0 else { return nil }
        guard ftruncate(descriptor, off_t(length)) == 0,
            let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else {
            close(descriptor)
            return nil
        }
        fill(UnsafeMutableRawBufferPointer(start: memory, count: length))
        munmap(memory, length)
        guard cprocess_seal(descriptor) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
