import DocumentModel
import Foundation

/// How many bytes a small file may turn into: a packed document when it is unpacked, a store when it is copied to be read.
///
/// Four megabytes that gzip has packed may hold four gigabytes, and a file with holes takes no room until it is copied.
public enum SizeLimit {
    /// The limit where none is given, in megabytes.
    public static let usualMegabytes = 1024

    /// How worker processes learn of it.
    private static let variable = "MIGRATION_INSPECTOR_SIZE_LIMIT"

    /// Sets the limit for this process, and for those that it starts. Call it before anything is read.
    ///
    /// - Parameter megabytes: 0 for any size.
    public static func set(megabytes: Int) { setenv(variable, "\(megabytes)", 1) }

    /// The limit in bytes.
    static let bytes: Int = {
        let megabytes = getenv(variable).flatMap { Int(String(cString: $0)) } ?? usualMegabytes
        return (1...1_000_000).contains(megabytes) ? megabytes << 20 : .max
    }()
}
