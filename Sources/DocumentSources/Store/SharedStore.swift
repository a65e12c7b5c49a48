import DocumentModel
import Foundation
import MigrationCore

/// The stores that this process has open. Each is open only once, even if it has several names.
final class OpenStores: Sendable {
    static let shared = OpenStores()

    /// The number of unused stores to keep open.
    private static let limit = 8

    private struct Entry {
        let path: FilePath
        let identity: FileStatus.Identity
        var store: SharedStore

        /// Returns whether this is the store in the file with that identity. After a file is removed, another may get
        /// its identity; after a file is replaced, the store uses the new file.
        func isStore(inFileOf identity: FileStatus.Identity) -> Bool {
            (store.identity ?? self.identity) == identity && FileStatus(path: path)?.identity == identity
        }
    }

    /// In order of use, with the most recent one last.
    private let entries = Locked<[Entry]>([])

    /// Returns the store in the file at `path`. It is opened when it is first read.
    func store(at path: FilePath) throws(SourceError) -> SharedStore {
        guard let status = FileStatus(path: path) else { throw SourceError(path, errno: errno) }
        return entries.withLock { entries in
            let known = entries.firstIndex { $0.isStore(inFileOf: status.identity) }
            let entry =
                known.map { entries.remove(at: $0) }
                ?? Entry(path: path, identity: status.identity, store: SharedStore(path: path))
            entries.append(entry)
            if entries.count > Self.limit {
                // Keep stores in use: opening and closing such a file again would release SQLite's locks on it.
                let idle = entries.indices.dropLast().first { isKnownUniquelyReferenced(&entries[$0].store) }
                if let idle { entries.remove(at: idle) }
            }
            return entry.store
        }
    }

    /// Returns whether the file at `path` is a store that is open here. Opening and closing it again would release
    /// SQLite's locks on it.
    func contains(_ path: FilePath) -> Bool {
        guard let status = FileStatus(path: path) else { return false }
        return entries.withLock { entries in entries.contains { $0.isStore(inFileOf: status.identity) } }
    }
}

/// A store that several threads can use; their questions are answered one at a time.
///
/// ## Invariant
/// `access` and everything in it is used only while `lock` is held, which makes the class `Sendable`.
final class SharedStore: @unchecked Sendable {
    private let path: FilePath
    private let lock = NSLock()
    private var access: StoreAccess? {
        didSet {
            let identity = access?.identity
            opened.withLock { $0 = identity }
        }
    }
    /// The identity of the open file, for callers that must not wait for an answer.
    private let opened = Locked<FileStatus.Identity?>(nil)

    /// The identity of the open file, or nil if none is open.
    var identity: FileStatus.Identity? { opened.withLock { $0 } }

    init(path: FilePath) { self.path = path }

    /// How often to try again if the files change while they are read.
    private static let attempts = 5

    /// Asks the store a question, opening the store if necessary. An answer is valid only if the files didn't change
    /// meanwhile, unless SQLite itself ensures that.
    ///
    /// - Parameters:
    ///   - name: The name for error messages.
    ///   - question: May be called several times.
    func ask<Answer>(
        as name: @autoclosure () -> String, _ question: (StoreSession) throws(StoreProblem) -> Answer
    ) throws(SourceError) -> Answer {
        try withAccess(as: name()) { access throws(StoreProblem) in try question(access.session) }
    }

    /// Copies a consistent state of the store, including its log. Replaces the file at `target`.
    ///
    /// - Parameter name: The name for error messages.
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
                // Open the store again for the next question: the schema may have changed, or the lock may be lost.
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
        // Close the old one before opening the new one, which must be the only one.
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
