import DocumentModel
import Foundation

/// The maximum number of bytes that a small file may expand to: a packed document when it is unpacked, or a store when
/// it is copied to be read.
///
/// Four megabytes compressed with gzip may contain four gigabytes, and a sparse file takes up no space until it is
/// copied.
public enum SizeLimit {
    /// The default limit, in megabytes.
    public static let usualMegabytes = 1024

    /// The environment variable that passes the limit to worker processes.
    private static let variable = "MIGRATION_INSPECTOR_SIZE_LIMIT"

    /// Sets the limit for this process and its child processes. Call it before anything is read.
    ///
    /// - Parameter megabytes: The limit, or 0 for no limit.
    public static func set(megabytes: Int) { setenv(variable, "\(megabytes)", 1) }

    /// The limit in bytes.
    static let bytes: Int = {
        let megabytes = getenv(variable).flatMap { Int(String(cString: $0)) } ?? usualMegabytes
        return (1...1_000_000).contains(megabytes) ? megabytes << 20 : .max
    }()
}
