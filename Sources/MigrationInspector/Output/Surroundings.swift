import CProcess
import DocumentModel
import Foundation

/// The program's requirements for the process it's started in.
enum Surroundings {
    /// The minimum stack size in bytes. With less, a signal sooner or later ends the program.
    private static let smallestStack: UInt64 = 128 << 10

    /// Makes sure that the standard streams exist, and that the command line can be read. Call this before anything
    /// else.
    static func prepare() {
        // If a stream is closed, the next file that is opened gets its descriptor, and would be read and written as
        // that stream. A descriptor open only in the other direction fails just like a closed one.
        for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(stream, F_GETFD) < 0 {
            _ = open("/dev/null", mode)
        }
        let stack = cprocess_current_limit(Int32(cprocess_stack))
        guard stack >= smallestStack else {
            Console.error(
                "migration-inspector: the stack may have \(stack / 1024) KB only ('ulimit -s' shows the limit, 'ulimit -s 8192' raises it)"
            )
            exit(ExitStatus.software.rawValue)
        }
        #if os(Linux)
            // Swift's runtime reads this file, and traps if it can't.
            let file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
            if file >= 0 {
                close(file)
                return
            }
            let reason =
                errno == ENOENT
                ? "there is no /proc/self/cmdline; 'mount -t proc proc /proc' mounts it"
                : "\(SystemFailure(code: errno, of: .descriptor))"
            Console.error("migration-inspector: the command line cannot be read: \(reason)")
            exit(ExitStatus.software.rawValue)
        #endif
    }
}
