import CSQLite
import DocumentModel
import Foundation
import MigrationCore

/// A store, opened for reading in a way that changes none of its files.
///
/// SQLite's own read-only mode isn't enough. If the database uses a write-ahead log, SQLite writes or creates the log's
/// index, and creates a missing log; if a crash has left a journal, it fails. So the way to read depends on the files
/// next to the database:
///
/// | files next to it | how it is read |
/// | --- | --- |
/// | none, and it uses no log | read-only; SQLite locks the file while it reads, like any program |
/// | a log and its index | read-only, with a read-only index; later commits are seen |
/// | a log without its index | a private copy of both, with the log merged into it |
/// | a journal to roll back | a private copy of both, rolled back |
/// | a journal that names a super-journal | not at all: rolling back requires all databases of the transaction |
/// | none or an empty log, and it uses one | directly, without a lock; a writer would create the index first |
///
/// In the third, fourth and last case, an answer is valid only if the files are the same before and after; see
/// ``isCurrent``.
///
/// ## Invariant
/// A process has at most one instance per file, because closing any descriptor of a file releases all locks that the
/// process has on it (fcntl(2)), including SQLite's. ``OpenStores`` ensures that.
final class StoreAccess {
    let session: StoreSession
    private let file: OpenFile
    private let files: StoreFiles
    /// The state of the files that answers are based on; nil if SQLite itself detects changes.
    private let snapshot: StoreFiles.Moment?
    /// Whether a private copy is read instead of the file.
    private let isPrivateCopy: Bool

    private init(
        _ connection: SQLiteConnection, file: consuming OpenFile, files: StoreFiles, snapshot: StoreFiles.Moment?,
        isPrivateCopy: Bool = false
    ) {
        session = StoreSession(connection)
        self.file = file
        self.files = files
        self.snapshot = snapshot
        self.isPrivateCopy = isPrivateCopy
    }

    /// The identity of the file that is read, or that the private copy was made of.
    var identity: FileStatus.Identity { file.status.identity }

    // Close SQLite's connection first, because closing the descriptor releases its locks.
    deinit { session.close() }

    /// Whether answers are based on the current contents of the files.
    var isCurrent: Bool {
        if let snapshot { return files.moment == snapshot }
        guard let now = FileStatus(path: files.database), now.identity == file.status.identity else { return false }
        // If a file switched to a log while it is open, SQLite would create the log.
        guard let header = try? StoreHeader(file) else { return false }
        return !header.usesLog || FileStatus.exists(files.log) && FileStatus.exists(files.index)
    }

    /// A state of the files is reliable only if nothing was written in the clock tick in which it was recorded. Ticks
    /// of Linux file systems last at most 10 ms.
    private static let clockTick = 0.05

    /// How often to start over if the file changes meanwhile.
    private static let attempts = 5

    /// Opens the store at `path`.
    static func open(_ path: FilePath) throws(SourceError) -> StoreAccess {
        for _ in 0..<attempts {
            if let access = try attempt(path) { return access }
            usleep(UInt32(clockTick * 1_000_000))
        }
        throw SourceError(path, .store(.neverStill))
    }

    /// Opens the store, or returns nil if it changed meanwhile.
    private static func attempt(_ path: FilePath) throws(SourceError) -> StoreAccess? {
        let files = try StoreFiles(path: path)
        if let problem = files.specialFile { throw SourceError(path, .store(problem)) }
        let file = try OpenFile(path: path)
        let header = try StoreHeader(file)
        guard header.isDatabase else {
            throw SourceError(path, .store(.notDatabase(byteCount: file.status.byteCount)))
        }
        guard file.lockForReading() else { throw SourceError(path, .store(.locked)) }
        let moment = files.moment
        // The file may have been replaced since it was opened, and SQLite would read the new one.
        guard FileStatus(path: files.database)?.identity == file.status.identity else { return nil }
        do throws(StoreProblem) {
            try refuse(file, besides: moment, path: path)
            if moment.hasLog && moment.hasIndex || !header.usesLog && !moment.hasLog {
                do throws(StoreProblem) {
                    // SQLite takes over the lock. If there is a log, it keeps the lock as long as the database is open,
                    // so that the log is kept too.
                    let connection = try connect(files.database, ["mode=ro", "readonly_shm=1"])
                    return StoreAccess(connection, file: file, files: files, snapshot: nil)
                } catch {
                    guard error.wantsCopy else { throw error }
                    guard file.lockForReading() else { throw .locked }
                }
            } else if moment.log == nil, moment.journal == nil {
                let connection = try connect(files.database, ["immutable=1"])
                file.unlock()
                guard moment.isSettled(clockTick), files.moment == moment else { return nil }
                return StoreAccess(connection, file: file, files: files, snapshot: moment)
            }
        } catch {
            throw SourceError(path, .store(header.problem(byteCount: file.status.byteCount) ?? error))
        }
        let connection = try privateCopy(of: file, files, path: path)
        file.unlock()
        guard moment.isSettled(clockTick), files.moment == moment else { return nil }
        return StoreAccess(connection, file: file, files: files, snapshot: moment, isPrivateCopy: true)
    }

    /// Checks the file against its header. SQLite would read zeros past the end of a truncated file and take them for
    /// data. While this process holds the reader's lock, the header is correct, unless there is a log or a journal that
    /// changes it.
    private static func refuse(
        _ file: borrowing OpenFile, besides moment: StoreFiles.Moment, path: FilePath
    ) throws(StoreProblem) {
        guard moment.log == nil, moment.journal == nil, let status = FileStatus(path: path),
            status.identity == file.status.identity, let header = try? StoreHeader(file),
            let problem = header.problem(byteCount: status.byteCount)
        else { return }
        throw problem
    }

    private static func connect(_ database: FilePath, _ parameters: [String]) throws(StoreProblem) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: database, mode: .readOnly, parameters: parameters)
        // The first read detects problems with the file. Reading again is cheaper than making a copy.
        for _ in 1..<attempts {
            do throws(StoreProblem) {
                try look(at: connection)
                return connection
            } catch {
                guard error.isPassing else { throw error }
                usleep(StoreProblem.passingTime)
            }
        }
        try look(at: connection)
        return connection
    }

    private static func look(at connection: SQLiteConnection) throws(StoreProblem) {
        try connection.execute("SELECT count(*) FROM sqlite_schema")
    }

    // MARK: - Copies

    /// Copies a consistent state of the store, including its log. Replaces the file at `target`.
    func copy(to target: FilePath) throws(StoreProblem) {
        _ = unlink(target.cString)
        if try copyFile(to: target) { return }
        let connection = try SQLiteConnection(path: target, mode: .create)
        try session.connection.copy(over: connection)
        connection.close()
    }

    /// Copies the bytes of the file, if the store consists of nothing else. This takes a tenth of the time of SQLite's
    /// backup, which reads and writes each page.
    ///
    /// - Returns: Whether the copy is complete. If not, SQLite's backup will report why.
    private func copyFile(to target: FilePath) throws(StoreProblem) -> Bool {
        guard !isPrivateCopy else { return false }
        // While SQLite reads, no other program changes the file, unless there is a log. The header doesn't show whether
        // there is, because SQLite uses any log that it finds.
        let connection = session.connection
        try connection.execute("BEGIN")
        defer { _ = try? connection.execute("COMMIT") }
        try connection.execute("SELECT count(*) FROM sqlite_schema")
        if snapshot == nil, try connection.usesLog { return false }
        if (try? Self.copy(file, to: target, as: files.database)) != nil { return true }
        _ = unlink(target.cString)
        return false
    }

    /// Returns a connection to a copy of the database, with its log or journal applied. Other programs cannot find the
    /// copy, and it is gone when the connection is closed.
    private static func privateCopy(
        of file: borrowing OpenFile, _ files: StoreFiles, path: FilePath
    ) throws(SourceError) -> SQLiteConnection {
        let sizes = [files.database, files.log, files.journal].map { FileStatus(path: $0)?.byteCount ?? 0 }
        let byteCount = sizes.reduce(0) { $0.addingReportingOverflow($1).partialValue }
        guard byteCount <= SizeLimit.bytes else {
            throw SourceError(path, .store(.copyTooLarge(byteCount: byteCount, limit: SizeLimit.bytes)))
        }
        let folder = try TemporaryItem(.folder, as: path)
        try copy(file, to: folder.content, as: path)
        for (beside, suffix) in [(files.log, "-wal"), (files.journal, "-journal")] where FileStatus.exists(beside) {
            let beside = try OpenFile(path: beside)
            if suffix == "-journal", let name = try beside.superJournal() {
                let problem = StoreProblem.superJournal(journal: beside.path.description, names: name.description)
                throw SourceError(path, .store(problem))
            }
            try copy(beside, to: folder.content + suffix, as: beside.path)
        }
        do throws(StoreProblem) {
            let writer = try SQLiteConnection(path: folder.content, mode: .readWrite)
            // Leaving the log mode merges the log into the file; in other modes, reading the file rolls back a journal.
            try writer.execute("PRAGMA journal_mode = DELETE")
            try writer.execute("SELECT count(*) FROM sqlite_schema")
            writer.close()
            return try connect(folder.content, ["immutable=1"])
        } catch {
            if case .sqlite(SQLITE_FULL, _) = error { throw SourceError(temporary: path, errno: ENOSPC) }
            throw SourceError(path, .store(error))
        }
    }

    /// Copies an open file. It uses the open descriptor, because opening and closing another one would release the
    /// lock.
    private static func copy(_ file: borrowing OpenFile, to target: FilePath, as path: FilePath) throws(SourceError) {
        let descriptor = Foundation.open(target.cString, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SourceError(temporary: target, errno: errno) }
        defer { close(descriptor) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { memory.deallocate() }
        var offset = 0
        while true {
            let length = file.read(into: memory, at: offset)
            guard length >= 0 else { throw SourceError(path, errno: errno) }
            if length == 0 { break }
            StoreCopying.onProgress.withLock { $0 }?(path, Double(offset) / Double(max(1, file.status.byteCount)))
            // Leave a hole for a chunk of only zeros; it may have been one.
            let chunk = UnsafeRawBufferPointer(rebasing: memory[..<length])
            if chunk.contains(where: { $0 != 0 }) {
                guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0, OpenFile.writeAll(chunk, to: descriptor) else {
                    throw SourceError(temporary: target, errno: errno)
                }
            }
            offset += length
        }
        guard ftruncate(descriptor, off_t(offset)) == 0 else { throw SourceError(temporary: target, errno: errno) }
    }
}

/// The copies that are made of stores: private ones of stores that cannot be read directly, and those to be migrated.
package enum StoreCopying {
    /// Called now and then, on any thread, with the file that is being copied and the completed fraction, from 0 to 1.
    package static let onProgress = Locked<(@Sendable (FilePath, Double) -> Void)?>(nil)
}

extension StoreProblem {
    /// Whether SQLite can read the files only with write access: to roll back a journal, or to create the log's index,
    /// which it also does if log and index contradict each other.
    fileprivate var wantsCopy: Bool {
        guard case .sqlite(let code, _) = self else { return false }
        return [SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PROTOCOL].contains(code & 0xFF)
    }

    /// Whether trying again may be enough. While a writer restarts its log, the log's index may have no suitable read
    /// mark. SQLite would set one (`walTryBeginRead` in its wal.c), but a reader that changes nothing leaves that to
    /// the writer.
    var isPassing: Bool {
        guard case .sqlite(let code, _) = self else { return false }
        return [SQLITE_READONLY, SQLITE_PROTOCOL].contains(code & 0xFF)
    }

    /// How long to wait before trying again, in microseconds.
    static let passingTime: UInt32 = 2_000
}

extension StoreFiles.Moment {
    /// Returns whether nothing was written to the files in the last `seconds`, so that another write would change their
    /// stamps.
    fileprivate func isSettled(_ seconds: Double) -> Bool {
        [database, log, journal].allSatisfy { $0.map { $0.distanceToNow > seconds } ?? true }
    }
}
