import Foundation

/// A regular file that is open for reading; closed when the value ends.
struct OpenFile: ~Copyable {
    private let descriptor: Int32
    /// What the system said about the file when it was opened.
    let status: FileStatus

    /// Opens the regular file at `path`.
    ///
    /// Anything else is refused before it is opened: opening a pipe waits, and opening a device can do anything. The question
    /// is asked again of the open file, which by then may be another, and until then `O_NONBLOCK` keeps a pipe from waiting.
    init(path: String) throws(SourceError) {
        guard let before = FileStatus(path: path) else { throw SourceError(source: path, errno: errno) }
        if let refusal = before.refusal { throw SourceError(source: path, reason: refusal) }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SourceError(source: path, errno: errno) }
        guard let status = FileStatus(descriptor: descriptor) else {
            let error = SourceError(source: path, errno: errno)
            close(descriptor)
            throw error
        }
        if let refusal = status.refusal {
            close(descriptor)
            throw SourceError(source: path, reason: refusal)
        }
        self.descriptor = descriptor
        self.status = status
    }

    deinit { close(descriptor) }

    /// Reads up to `memory.count` bytes at `offset`; fewer at the end of the file, and none behind it.
    ///
    /// - Returns: The number of bytes read, or -1 with `errno` set.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        var result: Int
        repeat {
            result = pread(descriptor, memory.baseAddress, memory.count, off_t(offset))
        } while result < 0 && errno == EINTR
        return result
    }

    /// Calls fcntl(2) on the file.
    ///
    /// - Returns: What it returned; -1 with `errno` set for a failure.
    func fileControl(_ command: Int32, _ request: inout flock) -> Int32 { fcntl(descriptor, command, &request) }
}
