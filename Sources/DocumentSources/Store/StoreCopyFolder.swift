import Foundation

/// A folder of one's own that is gone when the value ends, with what SQLite has left in it.
struct StoreCopyFolder: ~Copyable {
    let path: String
    private let source: String

    /// The database in it.
    var database: String { path + "/store" }

    /// Makes a folder that nobody else may enter.
    ///
    /// - Parameters:
    ///   - parent: The folder to make it in, with the slash at its end; nothing for the current folder.
    ///   - source: What to name in an error.
    init(in parent: String, as source: String) throws(SourceError) {
        path = parent + ".\(String(UInt64.random(in: .min ... .max), radix: 36)).tmp"
        self.source = source
        guard mkdir(path, 0o700) == 0 else { throw SourceError(source: source, errno: errno) }
    }

    deinit { remove() }

    /// Removes the folder now. Doing so again does nothing.
    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(database + suffix) }
        rmdir(path)
    }
}
