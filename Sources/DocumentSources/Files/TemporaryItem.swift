import DocumentModel
import Foundation
import MigrationCore

/// A file or folder with a unique name that this process needs for a while. It is removed when the value is destroyed.
///
/// A program that is ended by a signal calls ``TemporaryFiles/removeAll(beforeEnding:)`` first. If it cannot (SIGKILL,
/// a power failure), the next run that replaces a file in the same folder removes what remains. An item is locked while
/// its process is alive (flock(2)).
///
/// Any user may create a file of such a name in a shared folder. So only items of this user are removed, through
/// descriptors of the folders that contain them, and never through a symbolic link.
struct TemporaryItem: ~Copyable {
    enum Kind {
        /// A file that is open for reading and writing, with these permissions before the umask is applied.
        case file(permissions: mode_t)
        /// A folder that no other user can enter.
        case folder
    }

    let path: FilePath
    /// Open as long as the value exists.
    let descriptor: Int32

    /// The existing items and the identities of their files.
    private static let existing = Locked<[FilePath: FileStatus.Identity]>([:])
    /// Held while files are being replaced.
    private static let placing = NSLock()
    private static let prefix = ".migration-inspector-"
    private static let suffix = ".tmp"
    /// The suffix of a file's name while it is exchanged with another, which has that name afterwards. Before the
    /// suffix is the first file's inode number, which shows which of the two has the name.
    private static let exchangedSuffix = ".old"
    private static let contentName = "store"
    /// The suffixes that SQLite appends to the name of a database for its related files.
    static let databaseSuffixes = ["-wal", "-shm", "-journal"]
    /// The names of the files in a folder.
    private static let contentNames = Set(([""] + databaseSuffixes).map { FilePath(contentName + $0) })

    /// The only thing in a folder that is removed with it: a folder, or a database with the related files of SQLite.
    var content: FilePath { path + "/" + Self.contentName }

    /// Creates an item next to a file that it will replace.
    ///
    /// - Parameters:
    ///   - folder: The folder to create the item in, with a slash at its end; empty for the current folder.
    ///   - source: The path for error messages.
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
            // Until the item is locked, another process may consider it abandoned and remove it.
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

    /// Creates an item in the folder of this user's temporary files.
    init(_ kind: Kind, as source: FilePath) throws(SourceError) {
        while true {
            let folder = try PrivateFolder.make(as: source)
            do throws(SourceError) {
                self = try TemporaryItem(kind, in: folder, as: source)
                return
            } catch {
                if error.reason == SourceProblem(errno: ENOSPC) { throw SourceError(temporary: source, errno: ENOSPC) }
                // Another process removed the folder after its last item was gone.
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

    /// Removes the item and its contents before the value is destroyed.
    func remove() {
        let path = path
        Self.existing.withLock { existing in
            if let identity = existing.removeValue(forKey: path) { Self.remove(path, identity) }
        }
    }

    /// Renames the file to a name that no run removes while it may lead to the only copy of another file.
    ///
    /// - Parameter old: The file that will have the name. It is locked, so that no other run touches it.
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

    /// Returns a name that no other process uses. A later run removes a file with this name only if it is `file`, or if
    /// the file has another name too.
    static func exchangedName(beside path: FilePath, of file: FileStatus.Identity) -> FilePath {
        path.folder + prefix + String(UInt64.random(in: .min ... .max), radix: 36) + exchangedEnding(of: file)
    }

    private static func exchangedEnding(of file: FileStatus.Identity) -> String {
        "-" + String(file.inode, radix: 36) + exchangedSuffix
    }

    /// Returns whether the file at a path is this one, and still has the contents that were written to it.
    func isUntouched(at path: FilePath, since data: Data) -> Bool {
        guard FileStatus(path: path)?.identity == FileStatus(descriptor: descriptor)?.identity else { return false }
        return (try? OpenFile(path: path).bytes(DocumentReading()).data) == data
    }

    /// Stops managing the file, because it now has a permanent name.
    func leave() { _ = Self.existing.withLock { [path] in $0.removeValue(forKey: path) } }

    /// Returns whether this process created a folder.
    static func isOwnFolder(_ identity: FileStatus.Identity) -> Bool {
        existing.withLock { $0.values.contains(identity) }
    }

    /// Runs `body` to completion even if a signal arrives that ends the program.
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

    /// Removes an item, unless its name now leads to a different file.
    private static func remove(_ name: FilePath, _ identity: FileStatus.Identity, in parent: Int32) {
        guard let status = FileStatus(name, in: parent), status.identity == identity else { return }
        guard status.isFolder else {
            unlinkat(parent, name.cString, 0)
            return
        }
        // SQLite may be creating a file at this moment.
        for _ in 0..<10 {
            removeEntries(ofFolder: name, in: parent) { contentNames.contains($0) }
            if unlinkat(parent, name.cString, AT_REMOVEDIR) == 0 || errno != ENOTEMPTY { return }
        }
    }

    /// Removes the contents of a folder, if it belongs to this user.
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

    /// The folders that were searched for abandoned items.
    private static let searched = Locked<Set<SearchedFolder>>([])

    private struct SearchedFolder: Hashable {
        let path: FilePath
        let identity: FileStatus.Identity
    }

    /// Removes abandoned items from a folder, once in this process.
    fileprivate static func removeAbandoned(in folder: Int32, _ path: FilePath) {
        guard let identity = FileStatus(descriptor: folder)?.identity,
            searched.withLock({ $0.insert(SearchedFolder(path: path, identity: identity)).inserted })
        else { return }
        removeAbandoned(in: folder)
    }

    /// Removes items that former processes of this user left in a folder.
    fileprivate static func removeAbandoned(in folder: Int32) {
        let isShared = FileStatus(descriptor: folder)?.isOpenToRenaming ?? true
        for entry in FolderEntry.entries(ofFolder: folder) ?? [] where entry.name.bytes.starts(with: prefix.utf8) {
            let isExchanged = entry.name.hasSuffix(exchangedSuffix)
            guard isExchanged || entry.name.hasSuffix(suffix), let found = FileStatus(entry.name, in: folder),
                found.isOwn
            else { continue }
            // If others can rename files here, a folder of this user can get any name.
            if found.isFolder, isExchanged || isShared || found.permissions != 0o700 { continue }
            // A file that was exchanged out of its location may be the only copy.
            if isExchanged, found.nameCount < 2, !entry.name.hasSuffix(exchangedEnding(of: found.identity)) { continue }
            let descriptor = openat(folder, entry.name.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            // Check again, because the open file may be a different one by now.
            guard let status = FileStatus(descriptor: descriptor), status.isOwn,
                flock(descriptor, LOCK_EX | LOCK_NB) == 0
            else { continue }
            remove(entry.name, status.identity, in: folder)
        }
    }
}

extension FileStatus {
    /// Whether the file or folder belongs to this user.
    fileprivate var isOwn: Bool { owner == geteuid() && (isRegular || isFolder) }
}

/// The descriptor of a folder, closed when the value is destroyed.
private struct Descriptor: ~Copyable {
    let number: Int32

    init(folder: FilePath, as source: FilePath) throws(SourceError) {
        number = open(folder.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw SourceError(source, errno: errno) }
    }

    deinit { close(number) }
}

/// The folder for all temporary files of this user. No other user can enter it.
private enum PrivateFolder {
    /// The number of names to try. Another user may have created a folder with the first one; the others are random.
    private static let mostNames = 8

    /// The user's folder for temporary files, with a slash at its end. Its name may be any bytes.
    static var base: FilePath {
        let named = getenv("TMPDIR").map { FilePath(cString: $0) }
        return (named.flatMap { $0 == "" ? nil : $0 } ?? FilePath(NSTemporaryDirectory())).appending("")
    }

    private static func path(_ number: Int) -> FilePath {
        base + "migration-inspector-\(geteuid())"
            + (number == 0 ? "" : "-" + String(UInt64.random(in: .min ... .max), radix: 36))
    }

    /// Creates the folder if it doesn't exist.
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
                    // The umask may even deny access to its own user.
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

    /// Removes items that killed processes left here.
    private static func sweep() {
        let first = path(0)
        guard FileStatus.exists(first) else { return }
        if isPrivate(first) { return sweep(first) }
        // Another user has taken that name, so processes have used folders with other names.
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

    /// The folders that this process uses.
    private static let used = Locked<Set<FilePath>>([])

    /// Removes a folder that this process uses, if it is empty.
    static func removeIfEmpty(_ path: FilePath) {
        used.withLock { used in
            if used.contains(path), rmdir(path.cString) == 0 { used.remove(path) }
        }
    }

    /// Removes the folders that this process uses, if they are empty. No folders are created afterwards.
    static func remove(beforeEnding end: () -> Never) -> Never {
        used.withLock { used -> Never in
            for path in used { rmdir(path.cString) }
            sweep()
            end()
        }
    }
}

extension SourceError {
    /// Creates an error for one of this user's temporary files from a value of `errno`.
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
    /// Removes what a killed run left in the folder of a file that is about to be replaced.
    public static func removeAbandoned(beside file: FilePath) {
        let folder = file.folder == "" ? FilePath.currentFolder : file.folder
        if let descriptor = try? Descriptor(folder: folder, as: file) {
            TemporaryItem.removeAbandoned(in: descriptor.number, file.folder)
        }
    }

    /// Removes all temporary files before the program ends. None are created afterwards. If a file is just being
    /// replaced, the replacement is completed first.
    public static func removeAll(beforeEnding end: () -> Never) -> Never { TemporaryItem.removeAll(beforeEnding: end) }
}

/// A copy of a document for a program that works on files, in a folder that no other user can enter.
package struct TemporaryCopy: ~Copyable {
    private let folder: TemporaryItem
    /// The file.
    package let file: FilePath

    /// Writes a copy.
    ///
    /// - Parameters:
    ///   - ending: The ending of the file's name.
    ///   - source: The path for error messages.
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
