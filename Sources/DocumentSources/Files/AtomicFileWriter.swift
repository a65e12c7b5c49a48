import Foundation

/// Writes files so that a program that opens them finds the old contents or the new, never a part.
///
///     try AtomicFileWriter(keepsBackup: true).write(data, to: "poem.json")
///
/// The contents go to a file of another name beside the old one, to the disk, and then the two change places in one step.
/// What came out is compared with what was there before: if another program saved the file meanwhile, the two change
/// places again, and that save stays. What replaces a file has its owner, group, permissions, extended attributes and
/// access control list; where this user cannot give them, nothing is replaced. A symbolic link stays one: the file that
/// it leads to is replaced. A device, a pipe, or an open descriptor, such as /dev/stdout, is written to as it is.
///
/// - Warning: Without ``keepsBackup`` the old contents are lost. Other names of the file (hard links) keep them in
///   either case. A file system that cannot have two files change places (renameat2(2)) leaves a moment between the last
///   comparison and the replacement in which a save is not noticed.
public struct AtomicFileWriter: Sendable {
    /// Whether a file that is replaced is kept, with `.bak` behind its name.
    public var keepsBackup: Bool

    var calls = FileCalls()

    /// Whether what is written to a path goes to a terminal: to a device that is one, or a descriptor of one.
    public static func isTerminal(_ path: FilePath) -> Bool {
        switch try? target(of: path) {
        case .descriptor(let number): return isatty(number) != 0
        case .special(let file):
            // Whoever reads a pipe would take its closing for the end.
            guard FileStatus(path: file)?.isCharacterDevice == true else { return false }
            let descriptor = open(file.cString, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return isatty(descriptor) != 0
        case .file, nil: return false
        }
    }

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
    /// - Parameters:
    ///   - model: The file that the contents come from. A new file may then be read and written by those who may do that
    ///     with the model, as far as the umask allows; without one, by those whom the umask allows it. A file that is
    ///     replaced keeps its rights, less those that the model does not have.
    ///   - expected: The file that is to be replaced, as it was when it was read; nil to replace the file as it is now.
    /// - Returns: What was replaced; nil where there was no file.
    /// - Throws: ``SourceError``; ``SourceProblem/backupExists(path:)`` where the backup's name is taken,
    ///   ``SourceProblem/changedMeanwhile`` where another program saved the file since. The file at `path` is then as it
    ///   was, or as the other program left it, and no other file is left behind.
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

    /// - Throws: ``SourceError`` for a folder, and for a file that is protected against writing: to replace a file takes
    ///   no permission to write to it, only to its folder.
    private static func refuse(_ replaced: FileStatus, at target: FilePath, as path: FilePath) throws(SourceError) {
        if replaced.isFolder { throw SourceError(path, .isFolder) }
        guard access(target.cString, W_OK) == 0 else { throw SourceError(path, errno: errno) }
    }

    /// Makes sure, as far as can be known beforehand, that a file can be written at `path`: makes the file that would take
    /// its place, and removes it again.
    ///
    /// - Throws: ``SourceError``, what ``write(_:to:like:replacing:)`` would throw.
    public func checkWriting(to path: FilePath) throws(SourceError) {
        guard case .file(let target) = try Self.target(of: path) else { return }
        guard let replaced = FileStatus(path: target) else {
            guard [ENOENT, ENOTDIR].contains(errno) else { throw SourceError(path, errno: errno) }
            // Folders that are not there yet are made, in the nearest one that is.
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

    /// What a path leads to.
    private enum Target {
        /// A regular file, or a name that is free.
        case file(FilePath)
        /// A device, a pipe, or what another process has open.
        case special(FilePath)
        /// A descriptor of this process.
        case descriptor(Int32)
    }

    /// What is to be written where `path` may be a symbolic link, which may lead to a file that is yet to be made.
    private static func target(of path: FilePath) throws(SourceError) -> Target {
        var target = path
        // As many links as Linux follows (path_resolution(7)).
        for _ in 0..<40 {
            // The link in such a folder leads to the open file itself: to replace the name that it shows would take the
            // file from whoever has it open.
            let name = target.lastComponent
            if let number = Int32("\(name)"), name == FilePath("\(number)"), let folder = target.parent.resolved {
                if folder == "/dev/fd" || folder.isDescriptors(of: "/proc/\(getpid())/") {
                    // Those of this program's own are closed in programs that it starts; those that it was given are not.
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
        /// Whether it was another name of the file already.
        var isOtherName = false
        let identity: FileStatus.Identity?

        init(path: FilePath, isNew: Bool = true, isOtherName: Bool = false) {
            (self.path, self.isNew, self.isOtherName) = (path, isNew, isOtherName)
            identity = FileStatus(path: path)?.identity
        }

        /// Removes it, if it was made here and its name still is that file's.
        func removeIfNew(_ calls: FileCalls) {
            if isNew, let identity { calls.removeName(path, of: identity) }
        }
    }

    /// Keeps a file under another name too. A link cannot overwrite anything, and leaves no moment without a file.
    ///
    /// A backup with the same contents is one that an interrupted run has left, or as good as that.
    private func keep(
        _ old: borrowing OpenFile, _ state: FileState, as path: FilePath
    ) throws(SourceError) -> Backup {
        let backup = old.path + FilePath.backupEnding
        if calls.link(old.path, backup) == 0 {
            if FileStatus(path: backup)?.identity == old.status.identity { return Backup(path: backup) }
            // Another program has put a file in its place, which keeps its own name; or it has put one of its own here.
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
        // File systems without hard links, and files that this user may not link: a copy.
        let copy = try NewFile(beside: backup, as: path, calls)
        try copy.write(try old.bytes(DocumentReading()).data)
        try copy.takeOver(old)
        try copy.synchronize()
        try copy.renameToNew(backup)
        return Backup(path: backup)
    }

    /// - Throws: ``SourceProblem/backupExists(path:)`` where a file of the backup's name has other contents.
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

    /// Gets the name `target`, which nothing has.
    ///
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/changedMeanwhile`` where a file has it by now.
    func renameToNew(_ target: FilePath) throws(SourceError) {
        let code = calls.renameToNew(path, target)
        if code == EEXIST { throw SourceError(source, .changedMeanwhile) }
        guard code == 0 else { throw SourceError(source, errno: code) }
        hasTaken(target)
    }

    /// Changes places with the file at `target`, which then is as it was when its state was taken, or changes places with
    /// it again.
    ///
    /// - Parameters:
    ///   - old: The file at `target`, open.
    ///   - data: What was written to this one.
    ///   - backup: Where the old file is to be kept, if it is.
    /// - Returns: Where it is kept.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/changedMeanwhile`` where the file was another.
    fileprivate func exchange(
        with target: FilePath, _ old: borrowing OpenFile, in state: FileState, _ data: Data,
        keeping backup: AtomicFileWriter.Backup?
    ) throws(SourceError) -> FilePath? {
        let changed = SourceError(source, .changedMeanwhile)
        guard let status = FileStatus(path: target), ModificationStamp(status) == state.stamp else { throw changed }
        // What has this name from here on may be the only copy of what another program saves.
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

    /// Has a file that was replaced keep the name of the backup. A program that has it open may go on writing to it, so
    /// it is not enough that another file there has the same contents.
    ///
    /// - Parameter path: The name that the file has now.
    /// - Returns: The name that it has then: another one where another program has put a file there meanwhile.
    private func keep(_ path: FilePath, of target: FilePath, as backup: AtomicFileWriter.Backup?) -> FilePath? {
        func isAtBackup(_ identity: FileStatus.Identity?) -> Bool {
            backup.flatMap { FileStatus(path: $0.path)?.identity } == identity
        }
        guard let backup, !isAtBackup(FileStatus(path: path)?.identity) else {
            unlink(path.cString)
            return backup?.path
        }
        if isAtBackup(backup.identity), calls.rename(path, backup.path, .exchanging) == 0 {
            // That is the copy, if no other file has come there since.
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

    /// Puts a file that another program saved back to its place. Only what was made here and is untouched is removed.
    private func putBack(_ path: FilePath, _ target: FilePath, _ data: Data) throws(SourceError) {
        if calls.rename(path, target, .exchanging) == 0 {
            if item.isUntouched(at: path, since: data) {
                unlink(path.cString)
                return
            }
            // Another save has come to the place in between. It is the latest, and goes back there.
            _ = calls.rename(path, target, .exchanging)
        }
        let kept = target + ".saved"
        guard calls.rename(path, kept, .toNew) == 0 else { throw SourceError(path, .exists) }
        throw SourceError(source, .notPutBack(path: kept.description))
    }

    /// Takes the place for good: the folder goes to the disk too, as far as its file system can.
    private func hasTaken(_ target: FilePath) {
        item.leave()
        calls.synchronizeFolder(of: target)
    }
}

extension FilePath {
    /// Whether this is the folder in which Linux shows the descriptors of a process whose own folder begins with `start`
    /// (proc_pid_fd(5)).
    fileprivate func isDescriptors(of start: String) -> Bool {
        bytes.starts(with: start.utf8) && bytes.suffix(3).elementsEqual("/fd".utf8)
    }
}
