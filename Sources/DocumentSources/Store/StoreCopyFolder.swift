import DocumentModel
import Foundation

/// A folder of one's own that is gone when the value ends, with what SQLite has left in it.
struct StoreCopyFolder: ~Copyable {
    let path: String
    private let source: String

    /// The folders that exist.
    private static let existing = Locked<Set<String>>([])

    /// The database in it.
    var database: String { Self.database(in: path) }

    private static func database(in path: String) -> String { path + "/store" }

    /// Makes a folder that nobody else may enter.
    ///
    /// - Parameters:
    ///   - parent: The folder to make it in, with the slash at its end; nothing for the current folder.
    ///   - source: What to name in an error.
    init(in parent: String, as source: String) throws(SourceError) {
        path = parent + ".\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
        self.source = source
        let path = path
        let isMade = Self.existing.withLock { existing in
            guard mkdir(path, 0o700) == 0 else { return false }
            existing.insert(path)
            return true
        }
        guard isMade else { throw SourceError(source: source, errno: errno) }
    }

    deinit { remove() }

    /// Removes the folder, and what is in it, before the value ends.
    func remove() {
        let path = path
        Self.existing.withLock { existing in
            if existing.remove(path) != nil { Self.remove(path) }
        }
    }

    /// Removes all folders, whoever is at work in them.
    static func removeAll() {
        existing.withLock { existing in
            existing.forEach(remove)
            existing = []
        }
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(database(in: path) + suffix) }
        rmdir(path)
    }
}
