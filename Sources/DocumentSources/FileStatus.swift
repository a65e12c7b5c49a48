import Foundation

/// What the system says about a file without opening it (stat(2)).
struct FileStatus {
    private let status: stat

    /// The file that `path` leads to, symbolic links followed; nil with `errno` set where there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.status = status
    }

    /// The open file; nil with `errno` set for a bad descriptor.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.status = status
    }

    static func exists(_ path: String) -> Bool { FileStatus(path: path) != nil }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var byteCount: Int { Int(status.st_size) }
    var permissions: mode_t { status.st_mode & 0o7777 }
    var owner: uid_t { status.st_uid }
    var group: gid_t { status.st_gid }

    /// Which file this is, whatever its name.
    struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    var identity: Identity {
        Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// When the contents last changed.
    var modified: (seconds: Int, nanoseconds: Int) {
        #if canImport(Darwin)
            (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
            (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
    }

    /// What the file is, for files that are neither regular nor folders.
    var specialKind: String {
        switch status.st_mode & S_IFMT {
        case S_IFIFO: "a named pipe"
        case S_IFSOCK: "a socket"
        case S_IFCHR, S_IFBLK: "a device"
        default: "a special file"
        }
    }

    /// Why the contents of this file are not to be read; nil for a regular file.
    var refusal: SourceError.Reason? {
        isRegular ? nil : isFolder ? .isFolder : .isSpecialFile(kind: specialKind)
    }
}
