import CProcess
import DocumentModel
import Foundation

/// What the program needs of the process that it is started in.
enum Surroundings {
    /// With less the program ends by a signal, sooner or later; in bytes.
    private static let smallestStack: UInt64 = 128 << 10

    /// Makes sure that there are standard streams, and that the command line can be read. Call it before anything else.
    static func prepare() {
        // A file that is opened in the place of a stream that is closed would be read and written as that stream. One that
        // can only be used the other way around fails as a closed one does.
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
            // Swift's runtime reads it, and where it cannot, traps.
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
