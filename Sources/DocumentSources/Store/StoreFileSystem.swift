import CSQLite
import DocumentModel
import Foundation

/// Restricts the files that SQLite may use while it works for this program (SQLite, "The OS Interface":
/// c3ref/vfs.html).
///
/// File names in a store cannot be trusted: a journal may name any file as a super-journal, and SQLite deletes that
/// file when it rolls the journal back (fileformat2.html, "The Super-Journal"). So SQLite opens no super-journal, and
/// it writes, creates and deletes files only in folders that this program created for it.
enum StoreFileSystem {
    /// The name under which connections use this file system, or nil if it could not be registered.
    static let name: String? = {
        guard let standard, csqlite_open_only_regular_files(standard) == SQLITE_OK else { return nil }
        // SQLite keeps the structure for the lifetime of the process.
        let files = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        files.initialize(to: standard.pointee)
        files.pointee.zName = UnsafePointer(strdup("guarded"))
        files.pointee.pNext = nil
        files.pointee.xOpen = { files, name, file, flags, result in
            guard let standard = StoreFileSystem.standard, flags & SQLITE_OPEN_SUPER_JOURNAL == 0 else {
                // SQLite closes a file only if it has methods.
                file?.pointee.pMethods = nil
                return SQLITE_CANTOPEN
            }
            return standard.pointee.xOpen(files, name, file, StoreFileSystem.allowed(flags, for: name), result)
        }
        files.pointee.xDelete = { files, name, synchronizes in
            guard let standard = StoreFileSystem.standard, StoreFileSystem.isOwn(name) else {
                return csqlite_delete_failed
            }
            return standard.pointee.xDelete(files, name, synchronizes)
        }
        // If it cannot interpret a log, `walTryBeginRead` in SQLite's wal.c pauses a hundred times, for ten seconds in
        // total. Limit each pause to half a millisecond.
        files.pointee.xSleep = { _, microseconds in
            usleep(useconds_t(min(max(microseconds, 0), 500)))
            return microseconds
        }
        return sqlite3_vfs_register(files, 0) == SQLITE_OK ? "guarded" : nil
    }()

    private nonisolated(unsafe) static let standard = sqlite3_vfs_find(nil)

    /// Returns the flags with which a file may be opened. SQLite asks for write access even to a log that it only
    /// reads.
    private static func allowed(_ flags: Int32, for name: UnsafePointer<CChar>?) -> Int32 {
        if isOwn(name) { return flags }
        return flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_DELETEONCLOSE) | SQLITE_OPEN_READONLY
    }

    /// The folders that another process of this program created.
    private static let lent = Locked<[FileStatus.Identity]>([])

    /// Lets SQLite write in a folder that another process of this program created, while `body` runs.
    static func lending(_ folder: FilePath, _ body: () throws(SourceError) -> Void) throws(SourceError) {
        guard let identity = FileStatus(path: folder)?.identity else { throw SourceError(folder, errno: errno) }
        lent.withLock { $0.append(identity) }
        defer { lent.withLock { if let index = $0.firstIndex(of: identity) { $0.remove(at: index) } } }
        try body()
    }

    /// Returns whether a file is in a folder that this program created. That is false for a file without a name;
    /// `temp_store` makes SQLite keep temporary data in memory.
    private static func isOwn(_ name: UnsafePointer<CChar>?) -> Bool {
        guard let name, let folder = FileStatus(path: FilePath(cString: name).parent)?.identity else { return false }
        return TemporaryItem.isOwnFolder(folder) || lent.withLock { $0.contains(folder) }
    }
}
