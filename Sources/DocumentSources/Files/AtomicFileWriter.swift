import Foundation

/// Writes files so that a program that opens them finds the old contents or the new, never a part.
///
///     try AtomicFileWriter(keepsBackup: true).write(data, to: "poem.json")
///
/// The contents go to a file of another name beside the old one, to the disk, and then take the old one's place in one
/// step. What replaces a file has its owner, group, permissions, extended attributes and access control list; where
/// this user cannot give them, nothing is replaced. A symbolic link stays one: the file that it leads to is replaced. A
/// device or pipe, such as /dev/stdout, is written to as it is.
///
/// - Warning: Without ``keepsBackup`` the old contents are lost. Other names of the file (hard links) keep them in
///   either case.
public struct AtomicFileWriter: Sendable {
    /// Whether a file that is replaced is kept, with `.bak` behind its name.
    public var keepsBackup: Bool

    var calls = FileCalls()

    /// A writer that keeps what it replaces, or does not.
    public init(keepsBackup: Bool) { self.keepsBackup = keepsBackup }

    /// What became of a file that was replaced.
    public struct Replaced: Sendable, Hashable {
        /// The file with the old contents, if one was kept; beside the file that a symbolic link leads to.
        public var backup: FilePath?
        /// How many other names (hard links) go on leading to the old contents.
        public var otherNames: Int
    }

    /// Writes `data` as the whole contents of the file at `path`.
    ///
    /// - Parameter model: The file that the contents come from. A new file may then be read and written by those who
    ///   may do that with the model, as far as the umask allows; without one, by those whom the umask allows it. A file
    ///   that is replaced keeps its rights, less those that the model does not have.
    /// - Returns: What was replaced; nil where there was no file.
    /// - Throws: ``SourceError``; ``SourceProblem/backupExists(path:)`` where the backup's name is taken. The file
    ///   at `path` is then as it was, and no other file is left behind.
    @discardableResult
    public func write(_ data: Data, to path: FilePath, like model: FilePath? = nil) throws(SourceError) -> Replaced? {
        let target = try Self.target(of: path)
        guard let replaced = FileStatus(path: target) else {
            let temporary = try NewFile(beside: target, as: path, calls, permissions: model == nil ? 0o666 : 0o600)
            try temporary.write(data)
            if let model { temporary.restrict(to: model) }
            try temporary.synchronize()
            try TemporaryItem.placing { () throws(SourceError) in try temporary.rename(to: target) }
            return nil
        }
        if replaced.isFolder { throw SourceError(path, .isFolder) }
        // To replace a file takes no permission to write to it, only to its folder; a file that was protected against
        // writing stays as it is.
        guard access(target.cString, W_OK) == 0 else { throw SourceError(path, errno: errno) }
        guard replaced.isRegular else {
            try Self.write(data, toSpecialFile: target, as: path)
            return nil
        }
        let old = try OpenFile(path: target)
        let temporary = try NewFile(beside: target, as: path, calls)
        try temporary.write(data)
        try temporary.takeOver(old)
        if let model { try temporary.lower(to: model) }
        try temporary.synchronize()
        return try TemporaryItem.placing { () throws(SourceError) in
            let backup = keepsBackup ? try keep(old, as: path) : nil
            do throws(SourceError) {
                try temporary.rename(to: target)
            } catch {
                if let backup, backup.isNew { unlink(backup.path.cString) }
                throw error
            }
            let names = old.status.nameCount - (backup?.isOtherName == true ? 2 : 1)
            return Replaced(backup: backup?.path, otherNames: names)
        }
    }

    /// Makes sure, as far as can be known beforehand, that a file can be written at `path`; nothing is changed.
    ///
    /// - Throws: ``SourceError``, what ``write(_:to:like:)`` would throw.
    public func checkWriting(to path: FilePath) throws(SourceError) {
        let target = try Self.target(of: path)
        let folder = target.parent
        guard let replaced = FileStatus(path: target) else {
            // Folders that are not there yet are made, in the nearest one that is.
            var nearest = folder
            while !FileStatus.exists(nearest) { nearest = nearest.parent }
            guard FileStatus(path: nearest)?.isFolder == true else { throw SourceError(nearest, errno: ENOTDIR) }
            guard access(nearest.cString, W_OK | X_OK) == 0 else { throw SourceError(path, errno: errno) }
            return
        }
        if replaced.isFolder { throw SourceError(path, .isFolder) }
        guard access(target.cString, W_OK) == 0 else { throw SourceError(path, errno: errno) }
        guard replaced.isRegular else { return }
        guard access(folder.cString, W_OK | X_OK) == 0 else { throw SourceError(path, errno: errno) }
        guard keepsBackup else { return }
        let old = try OpenFile(path: target)
        let backup = old.path + FilePath.backupEnding
        if FileStatus.exists(backup) || FileStatus.isLink(backup) { _ = try found(backup, of: old, as: path) }
    }

    /// The file that is to be written where `path` is a symbolic link, which may lead to a file that is yet to be made.
    private static func target(of path: FilePath) throws(SourceError) -> FilePath {
        // What is no file is written to as it is; the link to a pipe (/proc/self/fd/1) does not even lead to a name.
        if let status = FileStatus(path: path), !status.isRegular { return path }
        var target = path
        // As many links as Linux follows (path_resolution(7)).
        for _ in 0..<40 {
            guard FileStatus.isLink(target) else { return target }
            var memory = [CChar](repeating: 0, count: Int(PATH_MAX))
            let length = readlink(target.cString, &memory, memory.count)
            guard length > 0 else { throw SourceError(path, errno: errno) }
            let destination = FilePath(memory[..<length].map(UInt8.init(bitPattern:)))
            target = destination.isAbsolute ? destination : target.folder.appending(destination)
        }
        throw SourceError(path, .brokenLink)
    }

    /// A file with the old contents.
    private struct Backup {
        let path: FilePath
        var isNew = true
        /// Whether it was another name of the file already.
        var isOtherName = false
    }

    /// Keeps a file under another name too. A link cannot overwrite anything, and leaves no moment without a file.
    ///
    /// A backup with the same contents is one that an interrupted run has left, or as good as that.
    private func keep(_ old: borrowing OpenFile, as path: FilePath) throws(SourceError) -> Backup {
        let backup = old.path + FilePath.backupEnding
        if calls.link(old.path, backup) == 0 { return Backup(path: backup) }
        switch errno {
        case EEXIST, EPERM, ENOTSUP, EMLINK, EXDEV:
            if FileStatus.exists(backup) || FileStatus.isLink(backup) { return try found(backup, of: old, as: path) }
        default: throw SourceError(path, errno: errno)
        }
        // File systems without hard links, and files that this user may not link: a copy.
        let copy = try NewFile(beside: backup, as: path, calls)
        try copy.write(try old.bytes(DocumentReading()).data)
        try copy.takeOver(old)
        try copy.synchronize()
        try copy.rename(to: backup)
        return Backup(path: backup)
    }

    /// - Throws: ``SourceProblem/backupExists(path:)`` where a file of the backup's name has other contents.
    private func found(
        _ backup: FilePath, of old: borrowing OpenFile, as path: FilePath
    ) throws(SourceError) -> Backup {
        let taken = SourceError(path, .backupExists(path: backup.description))
        guard !FileStatus.isLink(backup), let status = FileStatus(path: backup), status.isRegular,
            status.byteCount == old.status.byteCount
        else { throw taken }
        if status.identity == old.status.identity { return Backup(path: backup, isNew: false, isOtherName: true) }
        let kept = try OpenFile(path: backup).bytes(DocumentReading()).data
        guard try old.bytes(DocumentReading()).data == kept else { throw taken }
        return Backup(path: backup, isNew: false)
    }

    private static func write(_ data: Data, toSpecialFile target: FilePath, as path: FilePath) throws(SourceError) {
        let descriptor = open(target.cString, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SourceError(path, errno: errno) }
        defer { close(descriptor) }
        guard data.withUnsafeBytes({ OpenFile.writeAll($0, to: descriptor) }) else {
            throw SourceError(path, errno: errno)
        }
    }
}

/// A file that is being written beside the place that it will take. Its own name is gone when the value ends.
struct NewFile: ~Copyable {
    private let item: TemporaryItem
    private let source: FilePath
    private let calls: FileCalls

    private var path: FilePath { item.path }
    private var descriptor: Int32 { item.descriptor }

    /// - Parameters:
    ///   - source: What to name in an error.
    ///   - permissions: Those of the file from its first moment on, less what the umask takes away.
    init(
        beside target: FilePath, as source: FilePath, _ calls: FileCalls, permissions: mode_t = 0o600
    ) throws(SourceError) {
        item = try TemporaryItem(.file(permissions: permissions), in: target.folder, as: source)
        self.source = source
        self.calls = calls
    }

    func write(_ data: Data) throws(SourceError) {
        guard data.withUnsafeBytes({ OpenFile.writeAll($0, to: descriptor) }) else {
            throw SourceError(source, errno: errno)
        }
    }

    /// Takes over owner, group, attributes and permissions of the file whose place this one takes.
    ///
    /// - Throws: ``SourceError`` where this user cannot give them.
    func takeOver(_ replaced: borrowing OpenFile) throws(SourceError) {
        let status = replaced.status
        // In this order: another owner takes permissions away, and an access control list comes with permissions of its
        // own.
        if !belongsLike(status) { _ = calls.changeOwner(descriptor, status.owner, status.group) }
        guard belongsLike(status) else {
            throw SourceError(source, .ownerNotKept(owner: status.owner, group: status.group))
        }
        if let name = FileAttributes(path: replaced.path).copy(to: (path, descriptor), calls) {
            throw SourceError(source, .attributeNotKept(name: name.description))
        }
        // Set, rather than asked for when the file is made: so the umask has no part in it.
        guard calls.changePermissions(descriptor, status.permissions) == 0 else {
            throw SourceError(source, errno: errno)
        }
    }

    private func belongsLike(_ status: FileStatus) -> Bool {
        FileStatus(descriptor: descriptor).map { ($0.owner, $0.group) == (status.owner, status.group) } ?? false
    }

    /// Takes away the rights that users do not have on another file.
    func lower(to model: FilePath) throws(SourceError) {
        guard let status = FileStatus(path: model), status.isRegular, let own = FileStatus(descriptor: descriptor),
            own.permissions & ~status.permissions != 0
        else { return }
        guard calls.changePermissions(descriptor, own.permissions & status.permissions) == 0 else {
            throw SourceError(source, errno: errno)
        }
    }

    /// Gives the file the rights of another; see ``FileAttributes/restrict(_:to:_:)``.
    func restrict(to model: FilePath) { FileAttributes.restrict((path, descriptor), to: model, calls) }

    func synchronize() throws(SourceError) {
        guard calls.synchronize(descriptor) == 0 else { throw SourceError(source, errno: errno) }
    }

    /// Takes the place of the file at `target`, for good: the folder goes to the disk too, as far as its file system
    /// can.
    func rename(to target: FilePath) throws(SourceError) {
        guard calls.rename(path, target) == 0 else { throw SourceError(source, errno: errno) }
        item.leave()
        let folder = target.folder
        let folderDescriptor = open((folder == "" ? FilePath.currentFolder : folder).cString, O_RDONLY | O_CLOEXEC)
        guard folderDescriptor >= 0 else { return }
        _ = calls.synchronize(folderDescriptor)
        close(folderDescriptor)
    }
}
