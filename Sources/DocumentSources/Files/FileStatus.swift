import Foundation
import MigrationCore

/// What the system says about a file without opening it (stat(2)).
struct FileStatus {
    private let status: stat

    /// The file that `path` leads to, symbolic links followed; nil with `errno` set where there is none.
    init?(path: FilePath) { self.init { stat(path.cString, &$0) } }

    /// The open file; nil with `errno` set for a bad descriptor.
    init?(descriptor: Int32) { self.init { fstat(descriptor, &$0) } }

    /// The file of that name in an open folder, which may be a symbolic link; nil with `errno` set where there is none.
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
    /// Who may read, write and execute the file.
    var permissions: mode_t { status.st_mode & 0o777 }
    var owner: uid_t { status.st_uid }
    var group: gid_t { status.st_gid }
    /// How many names the file has.
    var nameCount: Int { Int(status.st_nlink) }

    /// Which file this is, whatever its name.
    struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    var identity: Identity {
        Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    }

    /// A moment of a file's clock.
    struct Moment: Hashable {
        let seconds: Int
        let nanoseconds: Int

        /// The time between the moment and now, in seconds; clocks may say that it is yet to come.
        var distanceToNow: Double {
            abs(Date.now.timeIntervalSince1970 - (Double(seconds) + Double(nanoseconds) * 1e-9))
        }
    }

    /// When the contents, the names or the rights last changed. Unlike the time of a modification, nobody can set it.
    var changed: Moment {
        #if canImport(Darwin)
            Moment(seconds: status.st_ctimespec.tv_sec, nanoseconds: status.st_ctimespec.tv_nsec)
        #else
            Moment(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
        #endif
    }

    /// Whether other users may rename what is in this folder.
    var isOpenToRenaming: Bool { permissions & 0o022 != 0 && status.st_mode & S_ISVTX == 0 }

    /// When the contents were last modified.
    fileprivate var modified: Moment {
        #if canImport(Darwin)
            Moment(seconds: status.st_mtimespec.tv_sec, nanoseconds: status.st_mtimespec.tv_nsec)
        #else
            Moment(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
        #endif
    }

    /// Why the contents of this file are not to be read; nil for a regular file.
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

/// What changes when a file changes: compare two of them to know whether to read a document again.
public struct ModificationStamp: Hashable, Sendable {
    private let modified: FileStatus.Moment
    private let byteCount: Int
    private let identity: FileStatus.Identity
    /// Who may read it: what cannot be read is another document.
    private let permissions: mode_t

    /// The stamp of the file as it is now; nil where there is none.
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

    /// Whether this change came after the other.
    func isLater(than other: ModificationStamp) -> Bool {
        (modified.seconds, modified.nanoseconds) > (other.modified.seconds, other.modified.nanoseconds)
    }

    /// The time between the change and now, in seconds.
    var distanceToNow: Double { modified.distanceToNow }
}

extension SourceError {
    /// The error that `errno` names, which a call about the file at `path` left.
    init(_ path: FilePath, errno code: Int32) {
        let isLink = [ENOENT, ENOTDIR].contains(code) && FileStatus.isLink(path)
        self.init(source: path.description, reason: isLink ? .brokenLink : SourceProblem(errno: code))
    }

    /// What is wrong with the file at `path`.
    init(_ path: FilePath, _ reason: SourceProblem) { self.init(source: path.description, reason: reason) }
}
