import Foundation
import MigrationCore

/// The status of a file, which is available without opening it (stat(2)).
struct FileStatus {
    private let status: stat

    /// Reads the status of the file at `path`, following symbolic links. Returns nil with `errno` set if it doesn't
    /// exist.
    init?(path: FilePath) { self.init { stat(path.cString, &$0) } }

    /// Reads the status of an open file. Returns nil with `errno` set for a bad descriptor.
    init?(descriptor: Int32) { self.init { fstat(descriptor, &$0) } }

    /// Reads the status of a file in an open folder, without following a symbolic link. Returns nil with `errno` set if
    /// it doesn't exist.
    init?(_ name: FilePath, in folder: Int32) {
        self.init { fstatat(folder, name.cString, &$0, AT_SYMLINK_NOFOLLOW) }
    }

    private init?(_ ask: (inout stat) -> Int32) {
        var status = stat()
        guard ask(&status) == 0 else { return nil }
        self.status = status
    }

    static func exists(_ path: FilePath) -> Bool { FileStatus(path: path) != nil }

    static func isLink(_ path: FilePath) -> Bool {
        FileStatus { lstat(path.cString, &$0) }.map { $0.status.st_mode & S_IFMT == S_IFLNK } ?? false
    }

    var isRegular: Bool { status.st_mode & S_IFMT == S_IFREG }
    var isPipe: Bool { status.st_mode & S_IFMT == S_IFIFO }
    var isCharacterDevice: Bool { status.st_mode & S_IFMT == S_IFCHR }
    /// Whether it is neither a regular file nor a folder.
    var isSpecial: Bool { !isRegular && !isFolder }
    var isFolder: Bool { status.st_mode & S_IFMT == S_IFDIR }
    var byteCount: Int { Int(status.st_size) }
    /// The permission bits of the owner, the group and others.
    var permissions: mode_t { status.st_mode & 0o777 }
    var owner: uid_t { status.st_uid }
    var group: gid_t { status.st_gid }
    /// The number of the file's names (hard links).
    var nameCount: Int { Int(status.st_nlink) }

    /// Identifies a file independently of its name.
    struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    var identity: Identity {
        Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// A time of a file system's clock.
    struct Moment: Hashable {
        let seconds: Int
        let nanoseconds: Int

        /// The absolute time between this moment and now, in seconds. A moment may be in the future, because clocks
        /// differ.
        var distanceToNow: Double {
            abs(Date.now.timeIntervalSince1970 - (Double(seconds) + Double(nanoseconds) * 1e-9))
        }
    }

    /// When the contents, names or permissions last changed. Unlike the modification time, programs cannot set it.
    var changed: Moment {
        #if canImport(Darwin)
            Moment(seconds: status.st_ctimespec.tv_sec, nanoseconds: status.st_ctimespec.tv_nsec)
        #else
            Moment(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
        #endif
    }

    /// Whether other users may rename files in this folder.
    var isOpenToRenaming: Bool { permissions & 0o022 != 0 && status.st_mode & S_ISVTX == 0 }

    /// When the contents were last modified.
    fileprivate var modified: Moment {
        #if canImport(Darwin)
            Moment(seconds: status.st_mtimespec.tv_sec, nanoseconds: status.st_mtimespec.tv_nsec)
        #else
            Moment(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
        #endif
    }

    /// Why this file's contents must not be read, or nil for a regular file.
    var refusal: SourceProblem? {
        isRegular ? nil : isFolder ? .isFolder : .isSpecialFile(specialKind)
    }

    private var specialKind: SpecialFile {
        switch status.st_mode & S_IFMT {
        case S_IFIFO: .namedPipe
        case S_IFSOCK: .socket
        case S_IFCHR, S_IFBLK: .device
        default: .other
        }
    }
}

/// A value that changes when a file changes. Compare two stamps to find out whether to read a document again.
public struct ModificationStamp: Hashable, Sendable {
    private let modified: FileStatus.Moment
    private let byteCount: Int
    private let identity: FileStatus.Identity
    /// The permissions, because a file that becomes unreadable counts as changed.
    private let permissions: mode_t

    /// Creates the stamp of the current file at `path`, or nil if there is none.
    public init?(path: FilePath) {
        guard let status = FileStatus(path: path) else { return nil }
        self.init(status)
    }

    init(_ status: FileStatus) {
        modified = status.modified
        byteCount = status.byteCount
        identity = status.identity
        permissions = status.permissions
    }

    /// Returns whether this change was made after the other.
    func isLater(than other: ModificationStamp) -> Bool {
        (modified.seconds, modified.nanoseconds) > (other.modified.seconds, other.modified.nanoseconds)
    }

    /// The time between the change and now, in seconds.
    var distanceToNow: Double { modified.distanceToNow }
}

extension SourceError {
    /// Creates an error for the file at `path` from the value of `errno` after a failed call.
    init(_ path: FilePath, errno code: Int32) {
        let isLink = [ENOENT, ENOTDIR].contains(code) && FileStatus.isLink(path)
        self.init(source: path.description, reason: isLink ? .brokenLink : SourceProblem(errno: code))
    }

    /// Creates an error for the file at `path`.
    init(_ path: FilePath, _ reason: SourceProblem) { self.init(source: path.description, reason: reason) }
}
