import Foundation

/// A database file and those that SQLite keeps beside it (tempfiles.html).
struct StoreFiles: Sendable {
    /// The database, by its real path: SQLite looks for the others beside the file that a symbolic link leads to.
    let database: String

    /// The write-ahead log.
    var log: String { database + "-wal" }
    /// The index of the log, which programs that have the database open share as memory.
    var index: String { database + "-shm" }
    /// The rollback journal.
    var journal: String { database + "-journal" }

    /// The files of the store at `path`.
    init(path: String) throws(SourceError) {
        guard let real = realpath(path, nil) else { throw SourceError(source: path, errno: errno) }
        defer { free(real) }
        database = String(cString: real)
    }

    /// The path of the store that the file at `path` belongs to, as its log, the log's index or its journal; nil for any other file.
    ///
    /// Such a file must not be opened: to close it again would give up the locks that this process has on it (fcntl(2)), and SQLite, which
    /// reads by them, would not notice.
    static func store(ofFileBeside path: String) -> String? {
        for suffix in ["-wal", "-shm", "-journal"] where path.hasSuffix(suffix) {
            let store = String(path.dropLast(suffix.count))
            if DocumentStore.isStore(store) { return store }
        }
        return nil
    }

    /// The files as they are at one moment: equal moments mean that nothing was written between them.
    struct Moment: Hashable, Sendable {
        // A file of no length says no more than none.
        let database: ModificationStamp?
        let log: ModificationStamp?
        let journal: ModificationStamp?
        /// Whether somebody has the database open in the log's mode, or ended without closing it.
        let hasIndex: Bool
        let hasLog: Bool
    }

    /// The files as they are now.
    var moment: Moment {
        Moment(
            database: Self.stamp(of: database), log: Self.stamp(of: log), journal: Self.stamp(of: journal),
            hasIndex: FileStatus.exists(index), hasLog: FileStatus.exists(log))
    }

    private static func stamp(of path: String) -> ModificationStamp? {
        FileStatus(path: path).flatMap { $0.byteCount > 0 ? ModificationStamp($0) : nil }
    }
}
