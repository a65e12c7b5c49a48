import DocumentModel
import Foundation

/// The stores that this process has open, each of them once, whatever names it goes by.
final class OpenStores: Sendable {
    static let shared = OpenStores()

    /// As many as are kept open when nobody is reading from them.
    private static let limit = 8

    private struct Entry {
        let path: String
        let identity: FileStatus.Identity
        let store: SharedStore

        /// Whether this is the store in the file of that identity. Once a file is gone, another may get its identity.
        func isStore(inFileOf identity: FileStatus.Identity) -> Bool {
            self.identity == identity && FileStatus(path: path)?.identity == identity
        }
    }

    /// The one that was asked for last comes last.
    private let entries = Locked<[Entry]>([])

    /// The store in the file at `path`. It is opened when it is first asked.
    func store(at path: String) throws(SourceError) -> SharedStore {
        guard let status = FileStatus(path: path) else { throw SourceError(source: path, errno: errno) }
        return entries.withLock { entries in
            var entry = Entry(path: path, identity: status.identity, store: SharedStore(path: path))
            if let index = entries.firstIndex(where: { $0.isStore(inFileOf: status.identity) }) {
                entry = entries.remove(at: index)
            }
            entries.append(entry)
            if entries.count > Self.limit { entries.removeFirst() }
            return entry.store
        }
    }

    /// Whether the file at `path` is a store that was opened here. To open and close it once more would cost SQLite its locks.
    func contains(_ path: String) -> Bool {
        guard let status = FileStatus(path: path) else { return false }
        return entries.withLock { entries in entries.contains { $0.isStore(inFileOf: status.identity) } }
    }
}
