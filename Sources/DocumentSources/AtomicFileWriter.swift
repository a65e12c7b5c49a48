import Foundation

/// Writes files so that whoever opens them finds the old contents or the new, never a part.
///
///     try AtomicFileWriter(keepsBackup: true).write(data, to: "poem.json")
///
/// The contents go to a file of another name beside the old one, to the disk, and then take the old one's place in one step. The
/// permissions of the file that is replaced are kept, and its owner where the system allows that. A symbolic link stays
/// one: the file that it leads to is replaced. A device or pipe, such as /dev/stdout, is written to as it is.
///
/// - Warning: Without ``keepsBackup`` the old contents are lost.
public struct AtomicFileWriter: Sendable {
    /// Whether a file that is replaced is kept, with `.bak` behind its name.
    public var keepsBackup: Bool

    /// A writer that keeps what it replaces, or does not.
    public init(keepsBackup: Bool) { self.keepsBackup = keepsBackup }

    /// Writes `data` as the whole contents of the file at `path`.
    ///
    /// - Returns: The path of the backup, if one was kept. Where `path` is a symbolic link, it is beside the file that the link leads to.
    /// - Throws: ``SourceError``; ``SourceError/Reason/backupExists(path:)`` where the backup's name is taken. The file at `path` is then
    ///   as it was, and no other file is left behind.
    @discardableResult
    public func write(_ data: Data, to path: String) throws(SourceError) -> String? {
        let target = try Self.target(of: path)
        let replaced = FileStatus(path: target)
        if let replaced {
            if replaced.isFolder { throw SourceError(source: path, reason: .isFolder) }
            // To replace a file takes no permission to write to it, only to its folder; who protected a file meant it.
            guard access(target, W_OK) == 0 else { throw SourceError(source: path, errno: errno) }
            if !replaced.isRegular { return try Self.write(data, toSpecialFile: target, as: path) }
        }
        let temporary = try TemporaryFile(beside: target, as: path, permissions: replaced?.permissions)
        try temporary.write(data)
        if let replaced { temporary.takeOver(replaced) }
        try temporary.synchronize()
        let backup = replaced != nil && keepsBackup ? try Self.keep(target, as: path) : nil
        do throws(SourceError) {
            try temporary.rename(to: target)
        } catch {
            if let backup { unlink(backup) }
            throw error
        }
        return backup
    }

    /// The file that is to be written where `path` is a symbolic link, which may lead to a file that is yet to be made.
    private static func target(of path: String) throws(SourceError) -> String {
        // What is no file is written to as it is; the link to a pipe (/proc/self/fd/1) does not even lead to a name.
        if let status = FileStatus(path: path), !status.isRegular { return path }
        var target = path
        // As many links as Linux follows (path_resolution(7)).
        for _ in 0..<40 {
            guard FileStatus.isLink(target) else { return target }
            var memory = [CChar](repeating: 0, count: Int(PATH_MAX))
            let length = readlink(target, &memory, memory.count)
            guard length > 0 else { throw SourceError(source: path, errno: errno) }
            let destination = String(decoding: memory[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
            target = destination.hasPrefix("/") ? destination : folder(of: target) + destination
        }
        throw SourceError(source: path, reason: .brokenLink)
    }

    /// The path of the folder with its slash; nothing for a file of the current folder.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Keeps the file at `target` under another name too. A link cannot overwrite anything, and leaves no moment without a file.
    private static func keep(_ target: String, as path: String) throws(SourceError) -> String {
        let backup = target + ".bak"
        if link(target, backup) == 0 { return backup }
        switch errno {
        case EEXIST: throw SourceError(source: path, reason: .backupExists(path: backup))
        case EPERM, ENOTSUP, EMLINK, EXDEV:
            // File systems without hard links: a copy, whose name must be free as well.
            return try copy(target, to: backup, as: path)
        default: throw SourceError(source: path, errno: errno)
        }
    }

    private static func copy(_ target: String, to backup: String, as path: String) throws(SourceError) -> String {
        guard !FileStatus.exists(backup), !FileStatus.isLink(backup) else {
            throw SourceError(source: path, reason: .backupExists(path: backup))
        }
        do {
            try FileManager.default.copyItem(atPath: target, toPath: backup)
        } catch {
            throw SourceError(source: path, reason: .system(message: error.localizedDescription))
        }
        return backup
    }

    private static func write(_ data: Data, toSpecialFile target: String, as path: String) throws(SourceError)
        -> String?
    {
        let descriptor = open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SourceError(source: path, errno: errno) }
        defer { close(descriptor) }
        guard writeAll(data, to: descriptor) else { throw SourceError(source: path, errno: errno) }
        return nil
    }

    /// - Returns: Whether everything was written; `errno` says why not.
    fileprivate static func writeAll(_ data: Data, to descriptor: Int32) -> Bool {
        data.withUnsafeBytes { writeAll($0, to: descriptor) }
    }

    /// - Returns: Whether everything was written; `errno` says why not.
    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
            let length = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if length < 0, errno == EINTR { continue }
            guard length > 0 else { return false }
            offset += length
        }
        return true
    }
}

/// A file that is being written beside the one whose place it will take. Its own name is gone when the value ends.
private struct TemporaryFile: ~Copyable {
    private let path: String
    private let source: String
    private let descriptor: Int32

    init(beside target: String, as source: String, permissions: mode_t?) throws(SourceError) {
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        path = AtomicFileWriter.folder(of: target) + ".\(random).tmp"
        self.source = source
        // The permissions of the old file from the first moment on, so that nobody reads the new one who may not read the old.
        let mode = permissions.map { $0 & 0o777 } ?? 0o666
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw SourceError(source: source, errno: errno) }
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    func write(_ data: Data) throws(SourceError) {
        guard AtomicFileWriter.writeAll(data, to: descriptor) else { throw SourceError(source: source, errno: errno) }
    }

    /// Takes over owner and permissions, as far as this user may give them. Changing the owner clears some permissions, so it comes first.
    func takeOver(_ replaced: FileStatus) {
        if let status = FileStatus(descriptor: descriptor),
            (status.owner, status.group) != (replaced.owner, replaced.group)
        {
            _ = fchown(descriptor, replaced.owner, replaced.group)
        }
        fchmod(descriptor, replaced.permissions & 0o777)
    }

    func synchronize() throws(SourceError) {
        guard fsync(descriptor) == 0 else { throw SourceError(source: source, errno: errno) }
    }

    /// Takes the place of the file at `target`, for good: the folder goes to the disk too, as far as its file system can.
    func rename(to target: String) throws(SourceError) {
        guard Foundation.rename(path, target) == 0 else { throw SourceError(source: source, errno: errno) }
        let folder = AtomicFileWriter.folder(of: target)
        let folderDescriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        guard folderDescriptor >= 0 else { return }
        fsync(folderDescriptor)
        close(folderDescriptor)
    }
}
