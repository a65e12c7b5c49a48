import DocumentModel
import Foundation
import MigrationCore

/// A file or folder that this process needs for a while, under a name of its own. It is gone when the value ends.
///
/// A program that is ended by a signal calls ``TemporaryFiles/removeAll(beforeEnding:)`` first. Where it cannot
/// (SIGKILL, a power cut), the next run that replaces a file of the folder takes away what was left: while its process
/// lives, an item is locked (flock(2)).
///
/// Anybody may make a file of such a name in a folder that others share. So only what belongs to this user is removed,
/// by the descriptors of the folders that it is in, and never through a symbolic link.
struct TemporaryItem: ~Copyable {
    enum Kind {
        /// A file that is open for reading and writing, with these permissions less what the umask takes away.
        case file(permissions: mode_t)
        /// A folder that no other user may enter.
        case folder
    }

    let path: FilePath
    /// Open as long as the value exists.
    let descriptor: Int32

    /// The items that exist, and which files they are.
    private static let existing = Locked<[FilePath: FileStatus.Identity]>([:])
    /// Held while files take the places of others.
    private static let placing = NSLock()
    private static let prefix = ".migration-inspector-"
    private static let suffix = ".tmp"
    /// How the name of a file ends that is about to change places with another; then the other has it. Before it stands
    /// the number of the file, so that it can be told from the other.
    private static let exchangedSuffix = ".old"
    private static let contentName = "store"
    /// What SQLite adds to the name of a database for the files that it keeps beside it.
    static let databaseSuffixes = ["-wal", "-shm", "-journal"]
    /// What is in a folder.
    private static let contentNames = Set(([""] + databaseSuffixes).map { FilePath(contentName + $0) })

    /// The one thing in a folder that is removed with it: a database, beside which SQLite makes files with longer names,
    /// or a folder.
    var content: FilePath { path + "/" + Self.contentName }

    /// Makes an item beside a file whose place it is to take.
    ///
    /// - Parameters:
    ///   - folder: The folder to make it in, with the slash at its end; an empty name for the current folder.
    ///   - source: What to name in an error.
    init(_ kind: Kind, in folder: FilePath, as source: FilePath) throws(SourceError) {
        let parent = try Descriptor(folder: folder == "" ? .currentFolder : folder, as: source)
        Self.removeAbandoned(in: parent.number, folder)
        while true {
            let path = folder + Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36) + Self.suffix
            let (descriptor, code) = Self.existing.withLock { existing in
                let descriptor = Self.make(kind, at: path)
                let code = errno
                if let status = FileStatus(descriptor: descriptor) { existing[path] = status.identity }
                return (descriptor, code)
            }
            guard descriptor >= 0 else { throw SourceError(source, errno: code) }
            // Until it is locked, another process may take it for one that was left.
            _ = flock(descriptor, LOCK_EX)
            guard FileStatus(descriptor: descriptor)?.nameCount == 0 else {
                self.path = path
                self.descriptor = descriptor
                return
            }
            close(descriptor)
            _ = Self.existing.withLock { $0.removeValue(forKey: path) }
        }
    }

    /// Makes an item in the folder of this user's temporary files.
    init(_ kind: Kind, as source: FilePath) throws(SourceError) {
        while true {
            let folder = try PrivateFolder.make(as: source)
            do throws(SourceError) {
                self = try TemporaryItem(kind, in: folder, as: source)
                return
            } catch {
                if error.reason == SourceProblem(errno: ENOSPC) { throw SourceError(temporary: source, errno: ENOSPC) }
                // Another process whose last item is gone has removed the folder.
                guard error.reason == .noSuchFile else { throw error }
            }
        }
    }

    private static func make(_ kind: Kind, at path: FilePath) -> Int32 {
        switch kind {
        case .file(let permissions):
            return open(path.cString, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
        case .folder:
            guard mkdir(path.cString, 0o700) == 0 else { return -1 }
            let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            if descriptor < 0 { rmdir(path.cString) }
            return descriptor
        }
    }

    deinit {
        remove()
        close(descriptor)
    }

    /// Removes the item, and what is in it, before the value ends.
    func remove() {
        let path = path
        Self.existing.withLock { existing in
            if let identity = existing.removeValue(forKey: path) { Self.remove(path, identity) }
        }
    }

    /// Gives the file a name that no run removes while it may lead to the only copy of another file.
    ///
    /// - Parameter old: The file that will have the name; it is locked, so that no other run looks at it.
    /// - Returns: The name.
    /// - Throws: ``SourceError``.
    func keepName(beside old: borrowing OpenFile) throws(SourceError) -> FilePath {
        old.lockAsTemporary()
        guard let status = FileStatus(descriptor: descriptor) else { throw SourceError(path, errno: errno) }
        let name = Self.exchangedName(beside: path, of: status.identity)
        guard rename(path.cString, name.cString) == 0 else { throw SourceError(path, errno: errno) }
        _ = Self.existing.withLock { [path] in $0.removeValue(forKey: path) }
        return name
    }

    /// A name that no other process uses, and under which a later run removes a file only if it is this one, or has
    /// another name.
    static func exchangedName(beside path: FilePath, of file: FileStatus.Identity) -> FilePath {
        path.folder + prefix + String(UInt64.random(in: .min ... .max), radix: 36) + exchangedEnding(of: file)
    }

    private static func exchangedEnding(of file: FileStatus.Identity) -> String {
        "-" + String(file.inode, radix: 36) + exchangedSuffix
    }

    /// Whether the file at a path is this one, and still has the contents that were written to it.
    func isUntouched(at path: FilePath, since data: Data) -> Bool {
        guard FileStatus(path: path)?.identity == FileStatus(descriptor: descriptor)?.identity else { return false }
        return (try? OpenFile(path: path).bytes(DocumentReading()).data) == data
    }

    /// The file has got another name, which stays.
    func leave() { _ = Self.existing.withLock { [path] in $0.removeValue(forKey: path) } }

    /// Whether a folder was made here.
    static func isOwnFolder(_ identity: FileStatus.Identity) -> Bool {
        existing.withLock { $0.values.contains(identity) }
    }

    /// Runs `body` to its end even if a signal is to end the program meanwhile.
    static func placing<Result>(_ body: () throws(SourceError) -> Result) throws(SourceError) -> Result {
        placing.lock()
        defer { placing.unlock() }
        return try body()
    }

    /// See ``TemporaryFiles/removeAll(beforeEnding:)``.
    static func removeAll(beforeEnding end: () -> Never) -> Never {
        placing.lock()
        existing.withLock { existing -> Never in
            for (path, identity) in existing { remove(path, identity) }
            PrivateFolder.remove(beforeEnding: end)
        }
    }

    // MARK: - Removing

    private static func remove(_ path: FilePath, _ identity: FileStatus.Identity) {
        let folder = path.folder == "" ? FilePath.currentFolder : path.folder
        guard let parent = try? Descriptor(folder: folder, as: path) else { return }
        remove(path.lastComponent, identity, in: parent.number)
        PrivateFolder.removeIfEmpty(path.folder)
    }

    /// Removes an item, if the name still is that item's.
    private static func remove(_ name: FilePath, _ identity: FileStatus.Identity, in parent: Int32) {
        guard let status = FileStatus(name, in: parent), status.identity == identity else { return }
        guard status.isFolder else {
            unlinkat(parent, name.cString, 0)
            return
        }
        // SQLite may be making a file just now.
        for _ in 0..<10 {
            removeEntries(ofFolder: name, in: parent) { contentNames.contains($0) }
            if unlinkat(parent, name.cString, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY { return }
        }
    }

    /// Removes what is in a folder of this user.
    private static func removeEntries(
        ofFolder name: FilePath, in parent: Int32, where isRemoved: (FilePath) -> Bool = { _ in true }
    ) {
        let folder = openat(parent, name.cString, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        defer { close(folder) }
        guard FileStatus(descriptor: folder)?.owner == geteuid() else { return }
        for entry in FolderEntry.entries(ofFolder: folder) ?? [] where isRemoved(entry.name) {
            if unlinkat(folder, entry.name.cString, 0) == 0 { continue }
            removeEntries(ofFolder: entry.name, in: folder)
            unlinkat(folder, entry.name.cString, AT_REMOVEDIR)
        }
    }

    /// The folders that were searched for what was left.
    private static let searched = Locked<Set<SearchedFolder>>([])

    private struct SearchedFolder: Hashable {
        let path: FilePath
        let identity: FileStatus.Identity
    }

    /// Does the same once in this process.
    fileprivate static func removeAbandoned(in folder: Int32, _ path: FilePath) {
        guard let identity = FileStatus(descriptor: folder)?.identity,
            searched.withLock({ $0.insert(SearchedFolder(path: path, identity: identity)).inserted })
        else { return }
        removeAbandoned(in: folder)
    }

    /// Removes what processes of this user that are gone have left in a folder.
    fileprivate static func removeAbandoned(in folder: Int32) {
        let isShared = FileStatus(descriptor: folder)?.isOpenToRenaming ?? true
        for entry in FolderEntry.entries(ofFolder: folder) ?? [] where entry.name.bytes.starts(with: prefix.utf8) {
            let isExchanged = entry.name.hasSuffix(exchangedSuffix)
            guard isExchanged || entry.name.hasSuffix(suffix), let found = FileStatus(entry.name, in: folder),
                found.isOwn
            else { continue }
            // Where others may rename, a folder of this user can get any name.
            if found.isFolder, isExchanged || isShared || found.permissions != 0o700 { continue }
            // What came out of a place may be the only copy of it.
            if isExchanged, found.nameCount < 2, !entry.name.hasSuffix(exchangedEnding(of: found.identity)) { continue }
            let descriptor = openat(folder, entry.name.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            // The question is asked again of what is open, which by then may be another.
            guard let status = FileStatus(descriptor: descriptor), status.isOwn,
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            remove(entry.name, status.identity, in: folder)
        }
    }
}

extension FileStatus {
    /// Whether it is a file or a folder of this user.
    fileprivate var isOwn: Bool { owner == geteuid() && (isRegular || isFolder) }
}

/// The descriptor of a folder, closed when the value ends.
private struct Descriptor: ~Copyable {
    let number: Int32

    init(folder: FilePath, as source: FilePath) throws(SourceError) {
        number = open(folder.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SourceError(source, errno: errno) }
    }

    deinit { close(number) }
}

/// The folder that holds all temporary files of this user, which no other user may enter.
private enum PrivateFolder {
    /// How many names are tried. Another user may have made a folder of the first one; the others are made up.
    private static let mostNames = 8

    /// The folder for temporary files that the user names, with a slash at its end; any bytes.
    static var base: FilePath {
        let named = getenv("TMPDIR").map { FilePath(cString: $0) }
        return (named.flatMap { $0 == "" ? nil : $0 } ?? FilePath(NSTemporaryDirectory())).appending("")
    }

    private static func path(_ number: Int) -> FilePath {
        base + "migration-inspector-\(geteuid())"
            + (number == 0 ? "" : "-" + String(UInt64.random(in: .min ... .max), radix: 36))
    }

    /// Makes the folder if it is not there.
    ///
    /// - Returns: Its path, with a slash at its end.
    /// - Throws: ``SourceError``.
    static func make(as source: FilePath) throws(SourceError) -> FilePath {
        for number in 0..<mostNames {
            let path = path(number)
            let (code, isUsed) = used.withLock { used -> (Int32, Bool) in
                let isNew = mkdir(path.cString, 0o700) == 0
                guard isNew || errno == EEXIST else { return (errno, false) }
                guard isPrivate(path) else {
                    // An umask may keep out its own user.
                    if isNew { rmdir(path.cString) }
                    return (0, false)
                }
                used.insert(path + "/")
                return (0, true)
            }
            guard code == 0 else { throw SourceError(temporary: base, errno: code) }
            if isUsed { return path + "/" }
        }
        throw SourceError(path(0), .notPrivate)
    }

    private static func isPrivate(_ path: FilePath) -> Bool {
        let descriptor = open(path.cString, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return FileStatus(descriptor: descriptor).map { $0.owner == geteuid() && $0.permissions & 0o077 == 0 } ?? false
    }

    /// Removes what processes that were ended here have left.
    private static func sweep() {
        let first = path(0)
        guard FileStatus.exists(first) else { return }
        if isPrivate(first) { return sweep(first) }
        // Another user has that name, so what processes left is in folders of other names.
        guard let parent = try? Descriptor(folder: base, as: base) else { return }
        let beginning = first.lastComponent.bytes + [UInt8(ascii: "-")]
        for entry in FolderEntry.entries(ofFolder: parent.number) ?? [] where entry.name.bytes.starts(with: beginning) {
            let path = base.appending(entry.name)
            if isPrivate(path) { sweep(path) }
        }
    }

    private static func sweep(_ path: FilePath) {
        guard let folder = try? Descriptor(folder: path, as: path) else { return }
        TemporaryItem.removeAbandoned(in: folder.number)
        rmdir(path.cString)
    }

    /// Those that this process uses.
    private static let used = Locked<Set<FilePath>>([])

    /// Removes a folder that this process uses, if nothing is in it.
    static func removeIfEmpty(_ path: FilePath) {
        used.withLock { used in
            if used.contains(path), rmdir(path.cString) == 0 { used.remove(path) }
        }
    }

    /// Removes the folders that this process uses, if nothing is in them; it makes no more.
    static func remove(beforeEnding end: () -> Never) -> Never {
        used.withLock { used -> Never in
            for path in used { rmdir(path.cString) }
            sweep()
            end()
        }
    }
}

extension SourceError {
    /// What `errno` says of a file among this user's temporary files.
    init(temporary source: FilePath, errno code: Int32) {
        guard [ENOSPC, EDQUOT, EFBIG].contains(code) else {
            self.init(source, errno: code)
            return
        }
        let message =
            "\(PrivateFolder.base) has no room for temporary files (\(String(cString: strerror(code)).lowercased())); make some, "
            + "or set TMPDIR to a folder that has it"
        self.init(source, .shortage(message: message))
    }
}

/// The files and folders that this process needs for a while.
public enum TemporaryFiles {
    /// Removes what a run that was killed has left beside files, in a folder whose files are about to be replaced.
    public static func removeAbandoned(beside file: FilePath) {
        let folder = file.folder == "" ? FilePath.currentFolder : file.folder
        if let descriptor = try? Descriptor(folder: folder, as: file) {
            TemporaryItem.removeAbandoned(in: descriptor.number, file.folder)
        }
    }

    /// Removes them all, for a program that is about to end; no more are made from then on. A file that is just taking
    /// the place of another takes it first.
    public static func removeAll(beforeEnding end: () -> Never) -> Never { TemporaryItem.removeAll(beforeEnding: end) }
}

/// A copy of a document for a program that works on files, in a folder that no other user may enter.
package struct TemporaryCopy: ~Copyable {
    private let folder: TemporaryItem
    /// The file.
    package let file: FilePath

    /// Writes a copy.
    ///
    /// - Parameters:
    ///   - ending: What the name of the file ends in.
    ///   - source: What to name in an error.
    /// - Throws: ``SourceError``.
    package init(of bytes: SourceBytes, ending: String, as source: FilePath) throws(SourceError) {
        let folder = try TemporaryItem(.folder, as: source)
        guard mkdir(folder.content.cString, 0o700) == 0 else { throw SourceError(temporary: source, errno: errno) }
        let file = folder.content + "/copy" + ending
        try Self.write(bytes, to: file, as: source)
        self.file = file
        self.folder = folder
    }

    private static func write(_ bytes: SourceBytes, to file: FilePath, as source: FilePath) throws(SourceError) {
        let descriptor = open(file.cString, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SourceError(temporary: source, errno: errno) }
        defer { close(descriptor) }
        let isWritten = bytes.withBytes(in: 0..<bytes.count) { OpenFile.writeAll($0, to: descriptor) }
        guard isWritten else { throw SourceError(temporary: source, errno: errno) }
    }
}
