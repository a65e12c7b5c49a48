import Foundation

/// Standard output and standard error.
enum Console {
    /// Writes `text` and a line end to standard output.
    static func print(_ text: String) { write(Data((text + "\n").utf8)) }

    /// Writes bytes to standard output as they are.
    static func write(_ data: Data) { write(data, to: STDOUT_FILENO) }

    /// Writes `text` and a line end to standard error.
    static func error(_ text: String, terminator: String = "\n") {
        write(Data((text + terminator).utf8), to: STDERR_FILENO)
    }

    private static func write(_ data: Data, to descriptor: Int32) {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddressOfSlice, rest.count)
                if count < 0, errno == EINTR { continue }
                // Nobody is left to be told that there is nobody left to read.
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var baseAddressOfSlice: UnsafeRawPointer? { UnsafeRawBufferPointer(rebasing: self).baseAddress }
}
