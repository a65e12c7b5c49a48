import Foundation

/// Writes files so that a program that opens them finds either the old contents or the new ones, never a part.
///
///     try AtomicFileWriter(keepsBackup: true).write(data, to: "poem.json")
///
/// The contents are written to a temporary file next to the old one and flushed to disk; then the two are exchanged in
/// one step. Afterwards, the file that was exchanged out is compared with the one that was there before: if another
/// program saved the file meanwhile, the two are exchanged back and that save is kept. The new file gets the owner,
/// group, permissions, extended attributes and access control list of the old one; if this user cannot set them,
/// nothing is replaced. A symbolic link stays a link: its target is replaced. A device, a pipe, or an open descriptor,
/// such as /dev/stdout, is written to directly.
///
/// - Warning: Without ``keepsBackup`` the old contents are lost. Other names of the file (hard links) keep them in
///   either case. On a file system that cannot exchange two files (renameat2(2)), a save between the last comparison
///   and the replacement is not noticed.
public struct AtomicFileWriter: Sendable {
    /// Whether to keep a replaced file, with `.bak` appended to its name.
    public var keepsBackup: Bool

    var calls = FileCalls()

    /// Returns whether a path leads to a terminal, or to a descriptor of one.
    public static func isTerminal(_ path: FilePath) -> Bool {
        switch try? target(of: path) {
        case .descriptor(let number): return isatty(number) != 0
        case .special(let file):
            // A reader of a pipe would take closing it for the end of the data.
            guard FileStatus(path: file)?.isCharacterDevice == true else { return false }
            let descriptor = open(file.cString, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return isatty(descriptor) != 0
        case .file, nil: return false
        }
    }

    /// Creates a writer.
    public init(keepsBackup: Bool) { self.keepsBackup = keepsBackup }

    /// The outcome of replacing a file.
    public struct Replaced: Sendable, Hashable {
        /// The file with the old contents, if one was kept; next to the target if the path is a symbolic link.
        public var backup: FilePath?
        /// The number of other names (hard links) that still lead to the old contents.
        public var otherNames: Int
    }

    /// Writes `data` as the whole contents of the file at `path`.
    ///
    /// - Parameters:
    ///   - model: The file that the contents come from. A new file can be read and written by the users who can read
    ///     and write the model, as far as the umask allows; without a model, by all users whom the umask allows. A
    ///     replaced file keeps its permissions, except those that the model doesn't have.
    ///   - expected: The state of the file to replace when it was read; nil to replace the file as it is now.
    /// - Returns: Information about the replaced file, or nil if no file was replaced.
    /// - Throws: ``SourceError``; ``SourceProblem/backupExists(path:)`` if the backup's name is taken,
    ///   ``SourceProblem/changedMeanwhile`` if another program saved the file since. The file at `path` is then as it
    ///   was, or as the other program saved it, and no other file remains.
    @discardableResult
    public func write(
        _ data: Data, to path: FilePath, like model: FilePath? = nil, replacing expected: FileState? = nil
    ) throws(SourceError) -> Replaced? {
        let target: FilePath
        switch try Self.target(of: path) {
        case .file(let file): target = file
        case .special(let file):
            try Self.write(data, toSpecialFile: file, as: path)
            return nil
        case .descriptor(let number):
            guard data.withUnsafeBytes({ OpenFile.writeAll($0, to: number) }) else {
                throw SourceError(path, errno: errno)
            }
            return nil
        }
        guard let replaced = FileStatus(path: target) else {
            if expected != nil { throw SourceError(path, .changedMeanwhile) }
            let temporary = try NewFile(beside: target, as: path, calls, permissions: model == nil ? 0o666 : 0o600)
            try temporary.write(data)
            if let model { temporary.restrict(to: model) }
            try temporary.synchronize()
            try TemporaryItem.placing { () throws(SourceError) in try temporary.renameToNew(target) }
            return nil
        }
        try Self.refuse(replaced, at: target, as: path)
        let old = try OpenFile(path: target)
        let state = try FileState(old)
        if let expected, expected != state { throw SourceError(path, .changedMeanwhile) }
        let temporary = try NewFile(beside: target, as: path, calls)
        try temporary.write(data)
        try temporary.takeOver(old)
        if let model { try temporary.lower(to: model) }
        try temporary.synchronize()
        return try TemporaryItem.placing { () throws(SourceError) in
            let backup = keepsBackup ? try keep(old, state, as: path) : nil
            do throws(SourceError) {
                let kept = try temporary.exchange(with: target, old, in: state, data, keeping: backup)
                let names = old.status.nameCount - (backup?.isOtherName == true ? 2 : 1)
                return Replaced(backup: kept, otherNames: names)
            } catch {
                backup?.removeIfNew(calls)
                throw error
            }
        }
    }

    /// - Throws: ``SourceError`` for a folder, and for a write-protected file: replacing a file requires permission to
    ///   write to its folder, but not to the file itself.
    private static func refuse(_ replaced: FileStatus, at target: FilePath, as path: FilePath) throws(SourceError) {
        if replaced.isFolder { throw SourceError(path, .isFolder) }
        guard access(target.cString, W_OK) == 0 else { throw SourceError(path, errno: errno) }
    }

    /// Checks, as far as possible in advance, that a file can be written at `path`, by creating the temporary file that
    /// would replace it and removing it again.
    ///
    /// - Throws: ``SourceError``, the error that ``write(_:to:like:replacing:)`` would throw.
    public func checkWriting(to path: FilePath) throws(SourceError) {
        guard case .file(let target) = try Self.target(of: path) else { return }
        guard let replaced = FileStatus(path: target) else {
            guard [ENOENT, ENOTDIR].contains(errno) else { throw SourceError(path, errno: errno) }
            // Missing folders are created, so the nearest existing one has to be writable.
            var nearest = target.parent
            while !FileStatus.exists(nearest) { nearest = nearest.parent }
            guard FileStatus(path: nearest)?.isFolder == true else { throw SourceError(nearest, errno: ENOTDIR) }
            guard access(nearest.cString, W_OK | X_OK) == 0 else { throw SourceError(path, errno: errno) }
            return
        }
        try Self.refuse(replaced, at: target, as: path)
        let old = try OpenFile(path: target)
        let temporary = try NewFile(beside: target, as: path, calls)
        try temporary.takeOver(old)
        guard keepsBackup else { return }
        let backup = old.path + FilePath.backupEnding
        if FileStatus.exists(backup) || FileStatus.isLink(backup) {
            _ = try found(backup, of: old, try FileState(old), as: path)
        } else if errno != ENOENT {
            throw SourceError(backup, errno: errno)
        }
    }

    /// The target of a path.
    private enum Target {
        /// A regular file, or an unused name.
        case file(FilePath)
        /// A device, a pipe, or a descriptor of another process.
        case special(FilePath)
        /// A descriptor of this process.
        case descriptor(Int32)
    }

    /// Returns the target of a path, which may be a symbolic link to a file that doesn't exist yet.
    private static func target(of path: FilePath) throws(SourceError) -> Target {
        var target = path
        // Linux follows the same number of links (path_resolution(7)).
        for _ in 0..<40 {
            // A link in such a folder leads to the open file itself. Replacing the file at the path that the link shows
            // would disconnect it from the process that has it open.
            let name = target.lastComponent
            if let number = Int32("\(name)"), name == FilePath("\(number)"), let folder = target.parent.resolved {
                if folder == "/dev/fd" || folder.isDescriptors(of: "/proc/\(getpid())/") {
                    // Only inherited descriptors may be written to. Those that this program opened are marked as
                    // close-on-exec.
                    guard fcntl(number, F_GETFD) & FD_CLOEXEC == 0 else { throw SourceError(path, errno: EBADF) }
                    return .descriptor(number)
                }
                if folder.isDescriptors(of: "/proc/") { return .special(target) }
            }
            guard FileStatus.isLink(target) else {
                return FileStatus(path: target)?.isSpecial == true ? .special(target) : .file(target)
            }
            var memory = [CChar](repeating: 0, count: Int(PATH_MAX))
            let length = readlink(target.cString, &memory, memory.count)
            guard length > 0 else { throw SourceError(path, errno: errno) }
            let destination = FilePath(memory[..<length].map(UInt8.init(bitPattern:)))
            target = destination.isAbsolute ? destination : target.folder.appending(destination)
        }
        throw SourceError(path, .brokenLink)
    }

    /// A file with the old contents.
    fileprivate struct Backup {
        let path: FilePath
        var isNew = true
        /// Whether it was another name of the same file before.
        var isOtherName = false
        let identity: FileStatus.Identity?

        init(path: FilePath, isNew: Bool = true, isOtherName: Bool = false) {
            (self.path, self.isNew, self.isOtherName) = (path, isNew, isOtherName)
            identity = FileStatus(path: path)?.identity
        }

        /// Removes the backup if it was created here and its name still leads to that file.
        func removeIfNew(_ calls: FileCalls) {
            if isNew, let identity { calls.removeName(path, of: identity) }
        }
    }

    /// Keeps a file under a second name. A hard link cannot overwrite anything, and leaves no moment without a file.
    ///
    /// An existing backup with the same contents is accepted: it was left by an interrupted run, or is just as good.
    private func keep(
        _ old: borrowing OpenFile, _ state: FileState, as path: FilePath
    ) throws(SourceError) -> Backup {
        let backup = old.path + FilePath.backupEnding
        if calls.link(old.path, backup) == 0 {
            if FileStatus(path: backup)?.identity == old.status.identity { return Backup(path: backup) }
            // Another program has replaced the original, which keeps its name; or it has created a file at the backup's
            // name.
            if let linked = FileStatus(path: backup)?.identity, linked == FileStatus(path: old.path)?.identity {
                calls.removeName(backup, of: linked)
            }
            throw SourceError(path, .changedMeanwhile)
        }
        switch errno {
        case EEXIST, EPERM, ENOTSUP, EMLINK, EXDEV:
            if FileStatus.exists(backup) || FileStatus.isLink(backup) {
                return try found(backup, of: old, state, as: path)
            }
        case ENOENT: throw SourceError(path, .changedMeanwhile)
        default: throw SourceError(backup, errno: errno)
        }
        // The file system has no hard links, or this user may not link the file: make a copy.
        let copy = try NewFile(beside: backup, as: path, calls)
        try copy.write(try old.bytes(DocumentReading()).data)
        try copy.takeOver(old)
        try copy.synchronize()
        try copy.renameToNew(backup)
        return Backup(path: backup)
    }

    /// - Throws: ``SourceProblem/backupExists(path:)`` if the existing file at the backup's name has other contents.
    private func found(
        _ backup: FilePath, of old: borrowing OpenFile, _ state: FileState, as path: FilePath
    ) throws(SourceError) -> Backup {
        let taken = SourceError(path, .backupExists(path: backup.description))
        guard !FileStatus.isLink(backup), let status = FileStatus(path: backup), status.isRegular,
            status.byteCount == old.status.byteCount
        else { throw taken }
        if status.identity == old.status.identity { return Backup(path: backup, isNew: false, isOtherName: true) }
        guard try FileState(reading: backup).hasContents(of: state) else { throw taken }
        return Backup(path: backup, isNew: false)
    }

    private static func write(_ data: Data, toSpecialFile target: FilePath, as path: FilePath) throws(SourceError) {
        let descriptor = open(target.cString, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SourceError(path, errno: errno) }
        defer { close(descriptor) }
        guard data.withUnsafeBytes({ OpenFile.writeAll($0, to: descriptor) }) else {
            throw SourceError(path, errno: errno)
        }
    }
}

/// A file that is written next to the file that it will replace. Its temporary name is removed when the value is
/// destroyed.
struct NewFile: ~Copyable {
    private let item: TemporaryItem
    private let source: FilePath
    private let calls: FileCalls

    private var path: FilePath { item.path }
    private var descriptor: Int32 { item.descriptor }

    /// - Parameters:
    ///   - source: The path for error messages.
    ///   - permissions: The initial permissions of the file, before the umask is applied.
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

    /// Copies the owner, group, attributes and permissions of the file that this one replaces.
    ///
    /// - Throws: ``SourceError`` if this user cannot set them.
    func takeOver(_ replaced: borrowing OpenFile) throws(SourceError) {
        let status = replaced.status
        // The order matters: changing the owner removes permissions, and an access control list sets permissions too.
        if !belongsLike(status) { _ = calls.changeOwner(descriptor, status.owner, status.group) }
        guard belongsLike(status) else {
            throw SourceError(source, .ownerNotKept(owner: status.owner, group: status.group))
        }
        if let name = FileAttributes(path: replaced.path).copy(to: (path, descriptor), calls) {
            throw SourceError(source, .attributeNotKept(name: name.description))
        }
        // Set permissions here rather than when creating the file, so that the umask doesn't apply.
        guard calls.changePermissions(descriptor, status.permissions) == 0 else {
            throw SourceError(source, errno: errno)
        }
    }

    private func belongsLike(_ status: FileStatus) -> Bool {
        FileStatus(descriptor: descriptor).map { ($0.owner, $0.group) == (status.owner, status.group) } ?? false
    }

    /// Removes the permissions that another file doesn't have.
    func lower(to model: FilePath) throws(SourceError) {
        guard let status = FileStatus(path: model), status.isRegular, let own = FileStatus(descriptor: descriptor),
            own.permissions & ~status.permissions != 0
        else { return }
        guard calls.changePermissions(descriptor, own.permissions & status.permissions) == 0 else {
            throw SourceError(source, errno: errno)
        }
    }

    /// Applies the permissions of another file; see ``FileAttributes/restrict(_:to:_:)``.
    func restrict(to model: FilePath) { FileAttributes.restrict((path, descriptor), to: model, calls) }

    func synchronize() throws(SourceError) {
        guard calls.synchronize(descriptor) == 0 else { throw SourceError(source, errno: errno) }
    }

    /// Renames the file to `target`, a name that is not in use.
    ///
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/changedMeanwhile`` if a file has that name by now.
    func renameToNew(_ target: FilePath) throws(SourceError) {
        let code = calls.renameToNew(path, target)
        if code == EEXIST { throw SourceError(source, .changedMeanwhile) }
        guard code == 0 else { throw SourceError(source, errno: code) }
        hasTaken(target)
    }

    /// Exchanges this file with the one at `target`. If the other file has changed since its state was recorded,
    /// exchanges them back.
    ///
    /// - Parameters:
    ///   - old: The file at `target`, open.
    ///   - data: The data that was written to this file.
    ///   - backup: Where to keep the old file; nil to delete it.
    /// - Returns: The path of the old file, if it is kept.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/changedMeanwhile`` if the file at `target` had
    ///   changed.
    fileprivate func exchange(
        with target: FilePath, _ old: borrowing OpenFile, in state: FileState, _ data: Data,
        keeping backup: AtomicFileWriter.Backup?
    ) throws(SourceError) -> FilePath? {
        let changed = SourceError(source, .changedMeanwhile)
        guard let status = FileStatus(path: target), ModificationStamp(status) == state.stamp else { throw changed }
        // From here on, the file with this name may be the only copy of a save by another program.
        let path = try item.keepName(beside: old)
        guard calls.rename(path, target, .exchanging) == 0 else {
            let code = errno
            switch code {
            case ENOENT:
                unlink(path.cString)
                throw changed
            case EINVAL, ENOSYS, ENOTSUP:
                guard (try? FileState(reading: target)) == state else {
                    unlink(path.cString)
                    throw changed
                }
                guard calls.rename(path, target, .replacing) == 0 else {
                    let code = errno
                    unlink(path.cString)
                    throw SourceError(source, errno: code)
                }
                hasTaken(target)
                return backup?.path
            default:
                unlink(path.cString)
                throw SourceError(source, errno: code)
            }
        }
        if FileStatus(path: path)?.identity == old.status.identity, let now = try? FileState(old), now == state {
            let kept = keep(path, of: target, as: backup)
            hasTaken(target)
            return kept
        }
        try putBack(path, target, data)
        throw changed
    }

    /// Moves a file that was replaced to the name of the backup. A program that has it open may still write to it, so
    /// it isn't enough that the file at that name has the same contents.
    ///
    /// - Parameter path: The current name of the file.
    /// - Returns: The new name, which differs from the backup's if another program created a file there meanwhile.
    private func keep(_ path: FilePath, of target: FilePath, as backup: AtomicFileWriter.Backup?) -> FilePath? {
        func isAtBackup(_ identity: FileStatus.Identity?) -> Bool {
            backup.flatMap { FileStatus(path: $0.path)?.identity } == identity
        }
        guard let backup, !isAtBackup(FileStatus(path: path)?.identity) else {
            unlink(path.cString)
            return backup?.path
        }
        if isAtBackup(backup.identity), calls.rename(path, backup.path, .exchanging) == 0 {
            // This is the copy, unless another file was put there since.
            if FileStatus(path: path)?.identity == backup.identity {
                unlink(path.cString)
                return backup.path
            }
            _ = calls.rename(path, backup.path, .exchanging)
        }
        if calls.rename(path, backup.path, .toNew) == 0 { return backup.path }
        let saved = target + ".saved"
        return calls.rename(path, saved, .toNew) == 0 ? saved : path
    }

    /// Moves a file that another program saved back to its original name. Removes only the file that was written here,
    /// and only if it is unchanged.
    private func putBack(_ path: FilePath, _ target: FilePath, _ data: Data) throws(SourceError) {
        if calls.rename(path, target, .exchanging) == 0 {
            if item.isUntouched(at: path, since: data) {
                unlink(path.cString)
                return
            }
            // Another program has saved the file in between. Its save is the latest, so put it back.
            _ = calls.rename(path, target, .exchanging)
        }
        let kept = target + ".saved"
        guard calls.rename(path, kept, .toNew) == 0 else { throw SourceError(path, .exists) }
        throw SourceError(source, .notPutBack(path: kept.description))
    }

    /// Makes the replacement permanent: flushes the folder to disk too, if its file system supports that.
    private func hasTaken(_ target: FilePath) {
        item.leave()
        calls.synchronizeFolder(of: target)
    }
}

extension FilePath {
    /// Returns whether this is the folder in which Linux lists the descriptors of a process whose own folder begins
    /// with `start` (proc_pid_fd(5)).
    fileprivate func isDescriptors(of start: String) -> Bool {
        bytes.starts(with: start.utf8) && bytes.suffix(3).elementsEqual("/fd".utf8)
    }
}
