import DocumentModel
import Foundation
import MigrationCore

/// The stores that this process has open, each of them once, whatever names it goes by.
final class OpenStores: Sendable {
    static let shared = OpenStores()

    /// How many are kept open while nothing is read from them.
    private static let limit = 8

    private struct Entry {
        let path: FilePath
        let identity: FileStatus.Identity
        var store: SharedStore

        /// Whether this is the store in the file of that identity. Once a file is gone, another may get its identity;
        /// and where another file has taken the place of one, the store goes over to it.
        func isStore(inFileOf identity: FileStatus.Identity) -> Bool {
            (store.identity ?? self.identity) == identity && FileStatus(path: path)?.identity == identity
        }
    }

    /// The one that was asked for last comes last.
    private let entries = Locked<[Entry]>([])

    /// The store in the file at `path`. It is opened when it is first asked.
    func store(at path: FilePath) throws(SourceError) -> SharedStore {
        guard let status = FileStatus(path: path) else { throw SourceError(path, errno: errno) }
        return entries.withLock { entries in
            let known = entries.firstIndex { $0.isStore(inFileOf: status.identity) }
            let entry =
                known.map { entries.remove(at: $0) }
                ?? Entry(path: path, identity: status.identity, store: SharedStore(path: path))
            entries.append(entry)
            if entries.count > Self.limit {
                // One that is in use stays known: to open and close its file once more would cost SQLite its locks.
                let idle = entries.indices.dropLast().first { isKnownUniquelyReferenced(&entries[$0].store) }
                if let idle { entries.remove(at: idle) }
            }
            return entry.store
        }
    }

    /// Whether the file at `path` is a store that was opened here. To open and close it once more would cost SQLite its
    /// locks.
    func contains(_ path: FilePath) -> Bool {
        guard let status = FileStatus(path: path) else { return false }
        return entries.withLock { entries in entries.contains { $0.isStore(inFileOf: status.identity) } }
    }
}

/// A store that several threads ask; one after the other.
///
/// ## Invariant
/// `access` and everything in it is touched only while `lock` is held, which is what makes the class `Sendable`.
final class SharedStore: @unchecked Sendable {
    private let path: FilePath
    private let lock = NSLock()
    private var access: StoreAccess? {
        didSet {
            let identity = access?.identity
            opened.withLock { $0 = identity }
        }
    }
    /// The file that is open, for those who must not wait for an answer.
    private let opened = Locked<FileStatus.Identity?>(nil)

    /// The file that is open; nil where none is.
    var identity: FileStatus.Identity? { opened.withLock { $0 } }

    init(path: FilePath) { self.path = path }

    /// How often to ask again when the files change under one's hands.
    private static let attempts = 5

    /// Asks the store, opening it where needed. What is read counts only if the files did not change meanwhile, unless
    /// SQLite looks after that.
    ///
    /// - Parameters:
    ///   - name: What to name in an error.
    ///   - question: May be asked again.
    func ask<Answer>(
        as name: @autoclosure () -> String, _ question: (StoreSession) throws(StoreProblem) -> Answer
    ) throws(SourceError) -> Answer {
        try withAccess(as: name()) { access throws(StoreProblem) in try question(access.session) }
    }

    /// Copies the store as it is at one moment, log included. What is at `target` is replaced.
    ///
    /// - Parameter name: What to name in an error.
    func copy(to target: FilePath, as name: @autoclosure () -> String) throws(SourceError) {
        try withAccess(as: name()) { access throws(StoreProblem) in try access.copy(to: target) }
    }

    private func withAccess<Answer>(
        as name: @autoclosure () -> String, _ question: (StoreAccess) throws(StoreProblem) -> Answer
    ) throws(SourceError) -> Answer {
        lock.lock()
        defer { lock.unlock() }
        for _ in 0..<Self.attempts {
            let access = try current(as: name())
            do throws(StoreProblem) {
                let answer = try question(access)
                if access.isCurrent { return answer }
            } catch {
                // The next question begins anew: the schema may be another by then, or the lock be gone.
                let isCurrent = access.isCurrent
                self.access = nil
                guard !isCurrent || error.isPassing else { throw SourceError(source: name(), reason: .store(error)) }
                usleep(StoreProblem.passingTime)
            }
        }
        throw SourceError(source: name(), reason: .store(.neverStill))
    }

    private func current(as name: @autoclosure () -> String) throws(SourceError) -> StoreAccess {
        if let access, access.isCurrent { return access }
        // The old one is closed before the new one is opened, which must be the only one.
        access = nil
        do throws(SourceError) {
            let opened = try StoreAccess.open(path)
            access = opened
            return opened
        } catch {
            throw SourceError(source: name(), reason: error.reason)
        }
    }
}
