import DocumentModel
import Foundation

/// A file or folder that this process needs for a while, under a name of its own. It is gone when the value ends.
///
/// A program that is ended by a signal calls ``TemporaryFiles/removeAll(beforeEnding:)`` first. Where it cannot
/// (SIGKILL, a power cut), the next item that is made in the same folder takes away what was left: while its process
/// lives, an item is locked (flock(2)).
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

    /// The items that exist.
    private static let existing = Locked<Set<FilePath>>([])
    /// Held while files take the places of others.
    private static let placing = NSLock()
    private static let prefix = ".migration-inspector-"
    private static let suffix = ".tmp"
    private static let storeName = "store"

    /// The database in a folder for a store, or the folder of what is made; SQLite's own files get longer names.
    var store: FilePath { path + "/" + Self.storeName }

    /// - Parameters:
    ///   - folder: The folder to make it in, with the slash at its end; an empty name for the current folder.
    ///   - source: What to name in an error.
    init(_ kind: Kind, in folder: FilePath, as source: FilePath) throws(SourceError) {
        Self.removeAbandoned(in: folder)
        while true {
            let path = folder + Self.prefix + String(UInt64.random(in: .min ... .max), radix: 36) + Self.suffix
            let (descriptor, code) = Self.existing.withLock { existing in
                let descriptor = Self.make(kind, at: path)
                if descriptor >= 0 { existing.insert(path) }
                return (descriptor, errno)
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
            _ = Self.existing.withLock { $0.remove(path) }
        }
    }

    private static func make(_ kind: Kind, at path: FilePath) -> Int32 {
        switch kind {
        case .file(let permissions):
            return open(path.cString, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, permissions)
        case .folder:
            guard mkdir(path.cString, 0o700) == 0 else { return -1 }
            let descriptor = open(path.cString, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
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
            if existing.remove(path) != nil { Self.remove(path) }
        }
    }

    /// The file has got another name, which stays.
    func leave() { _ = Self.existing.withLock { [path] in $0.remove(path) } }

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
            existing.forEach(remove)
            end()
        }
    }

    private static func remove(_ path: FilePath) {
        if unlink(path.cString) == 0 { return }
        // SQLite may be making a file just now.
        for _ in 0..<10 {
            for entry in FolderEntry.entries(ofFolder: path) ?? [] where entry.name.bytes.starts(with: storeName.utf8) {
                removeTree((path + "/").appending(entry.name))
            }
            if rmdir(path.cString) == 0 || errno != ENOTEMPTY { return }
        }
    }

    /// Removes what was made here, and what is in it.
    private static func removeTree(_ path: FilePath) {
        if unlink(path.cString) == 0 { return }
        for entry in FolderEntry.entries(ofFolder: path) ?? [] { removeTree((path + "/").appending(entry.name)) }
        rmdir(path.cString)
    }

    /// Removes what processes that are gone have left in a folder.
    private static func removeAbandoned(in folder: FilePath) {
        let entries = FolderEntry.entries(ofFolder: folder == "" ? FilePath.currentFolder : folder) ?? []
        for entry in entries where entry.isHidden && entry.name.hasSuffix(suffix) {
            guard entry.name.bytes.starts(with: prefix.utf8) else { continue }
            let path = folder.appending(entry.name)
            let descriptor = open(path.cString, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            close(descriptor)
        }
    }
}

/// The files and folders that this process needs for a while.
public enum TemporaryFiles {
    /// Removes them all, for a program that is about to end; no more are made from then on. A file that is just taking
    /// the place of another takes it first.
    public static func removeAll(beforeEnding end: () -> Never) -> Never { TemporaryItem.removeAll(beforeEnding: end) }
}
