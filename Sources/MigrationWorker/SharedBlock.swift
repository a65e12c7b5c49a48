import CProcess
import Foundation

/// A block of memory that another process wrote, or that was received from it.
///
/// ## Invariant
/// The memory is not written once the block exists: it is the instance's own, or sealed memory that is mapped for
/// reading. That makes the class `Sendable`.
final class SharedBlock: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    private let isMapped: Bool

    /// A copy of bytes that came over a socket.
    init(copying source: UnsafeRawBufferPointer) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(16, source.count), alignment: 16)
        bytes = UnsafeMutableRawBufferPointer(rebasing: memory[..<source.count])
        bytes.copyMemory(from: source)
        isMapped = false
    }

    /// The memory behind a descriptor, which is closed.
    ///
    /// - Returns: nil where it is shorter than that, or may still change.
    init?(descriptor: Int32, length: Int) {
        defer { close(descriptor) }
        var status = stat()
        // First the seals: what is not sealed may be anything, and its length another one a moment later.
        guard length > 0, cprocess_is_sealed(descriptor) != 0, fstat(descriptor, &status) == 0,
            Int(status.st_size) >= length,
            let memory = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { return nil }
        #if os(Linux)
            bytes = UnsafeMutableRawBufferPointer(start: memory, count: length)
            isMapped = true
        #else
            // There are no seals.
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
    /// A descriptor of new memory that `fill` wrote; nil where there is none to have.
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
