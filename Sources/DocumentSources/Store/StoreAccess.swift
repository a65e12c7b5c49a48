import CSQLite
import DocumentModel
import Foundation
import MigrationCore

/// A store, open for reading in the one way that changes none of its files.
///
/// SQLite's own read-only mode is not that way. In the mode of a write-ahead log it writes to the log's index or
/// creates it, and creates the log where there is none; with a journal that a crash has left it gives up. So it depends
/// on what is beside the file:
///
/// | beside the file | how it is read |
/// | --- | --- |
/// | nothing, and the file keeps no log | read-only; SQLite locks the file while it reads, as any program does |
/// | a log and its index | read-only with the index read-only too; what is committed later is seen |
/// | a log without its index | a private copy of both, with the log put into it |
/// | a journal to be rolled back | a private copy of both, rolled back |
/// | a journal that names a super-journal | not at all: only SQLite with all databases of the transaction can |
/// | nothing, or an empty log, and the file keeps one | as it is, without a lock; a program that opens it to write makes the index first |
///
/// What is read in either of the last three ways counts only if the files are the same before and after; see
/// ``isCurrent``.
///
/// ## Invariant
/// A process has at most one of these for a file: to close any descriptor of a file gives up all locks that the process
/// has on it (fcntl(2)), SQLite's as well. ``OpenStores`` sees to that.
final class StoreAccess {
    let session: StoreSession
    private let file: OpenFile
    private let files: StoreFiles
    /// The files as they were when what is read was taken from them; nil where SQLite itself looks after changes.
    private let snapshot: StoreFiles.Moment?
    /// Whether a private copy is read, and not the file.
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

    /// The file that is read, or of which a copy is.
    var identity: FileStatus.Identity { file.status.identity }

    // SQLite goes first: its locks end with the descriptor.
    deinit { session.close() }

    /// Whether what is read is what the files hold now.
    var isCurrent: Bool {
        if let snapshot { return files.moment == snapshot }
        guard let now = FileStatus(path: files.database), now.identity == file.status.identity else { return false }
        // A file that begins to keep a log while it is open would have SQLite make one.
        guard let header = try? StoreHeader(file) else { return false }
        return !header.usesLog || FileStatus.exists(files.log) && FileStatus.exists(files.index)
    }

    /// A moment of the files is known only if nothing was written in the clock tick in which it was taken; ticks of
    /// Linux file systems last 10 ms at most.
    private static let clockTick = 0.05

    /// How often to begin again when a file changes under one's hands.
    private static let attempts = 5

    /// Opens the store at `path`.
    static func open(_ path: FilePath) throws(SourceError) -> StoreAccess {
        for _ in 0..<attempts {
            if let access = try attempt(path) { return access }
            usleep(UInt32(clockTick * 1_000_000))
        }
        throw SourceError(path, .store(.neverStill))
    }

    /// Opens the store; nil when it changed meanwhile.
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
        // Another file may have taken its place since it was opened, which SQLite would read.
        guard FileStatus(path: files.database)?.identity == file.status.identity else { return nil }
        do throws(StoreProblem) {
            try refuse(file, besides: moment, path: path)
            if moment.hasLog && moment.hasIndex || !header.usesLog && !moment.hasLog {
                do throws(StoreProblem) {
                    // SQLite takes the lock over. In the log's mode it keeps it, so that the log stays as long as it is
                    // open.
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

    /// SQLite reads zeros where a file that was cut short ends, and takes them for what was there. As long as this
    /// process has the reader's lock the header is true, unless a log or a journal has something to add.
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
        // The first look at the file shows what is wrong with it. A copy costs more than to look again.
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

    /// Copies the store as it is at one moment, log included. What is at `target` is replaced.
    func copy(to target: FilePath) throws(StoreProblem) {
        _ = unlink(target.cString)
        if try copyFile(to: target) { return }
        let connection = try SQLiteConnection(path: target, mode: .create)
        try session.connection.copy(over: connection)
        connection.close()
    }

    /// Copies the bytes of the file, if they are all there is to the store: a tenth of the time that SQLite takes,
    /// which reads and writes each page.
    ///
    /// - Returns: Whether the copy is whole. SQLite will say why where it is not.
    private func copyFile(to target: FilePath) throws(StoreProblem) -> Bool {
        guard !isPrivateCopy else { return false }
        // As long as SQLite reads, no other program changes the file, unless there is a log. Whether there is, the
        // header does not tell: SQLite uses one that it finds.
        let connection = session.connection
        try connection.execute("BEGIN")
        defer { _ = try? connection.execute("COMMIT") }
        try connection.execute("SELECT count(*) FROM sqlite_schema")
        if snapshot == nil, try connection.usesLog { return false }
        if (try? Self.copy(file, to: target, as: files.database)) != nil { return true }
        _ = unlink(target.cString)
        return false
    }

    /// A connection to a copy of the database with its log or journal put into it. No other program finds the copy, and
    /// it is gone when closed.
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
            // Leaving the log's mode puts the log into the file; in any other, looking at the file rolls a journal
            // back.
            try writer.execute("PRAGMA journal_mode = DELETE")
            try writer.execute("SELECT count(*) FROM sqlite_schema")
            writer.close()
            return try connect(folder.content, ["immutable=1"])
        } catch {
            if case .sqlite(SQLITE_FULL, _) = error { throw SourceError(temporary: path, errno: ENOSPC) }
            throw SourceError(path, .store(error))
        }
    }

    /// Copies an open file. The descriptor is the one that stays open: to open another and close it would give up the
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
            // What holds nothing but zeros becomes a hole, as it may have been.
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

/// The copies that are made of stores: private ones of those that cannot be read as they are, and those that are
/// migrated.
package enum StoreCopying {
    /// Told now and then which file is being copied, and which share of it is done, from 0 to 1; on any thread.
    package static let onProgress = Locked<(@Sendable (FilePath, Double) -> Void)?>(nil)
}

extension StoreProblem {
    /// Whether SQLite can only read the files where it may write: to roll a journal back, or to make the log's index,
    /// which it does anew where log and index contradict each other.
    fileprivate var wantsCopy: Bool {
        guard case .sqlite(let code, _) = self else { return false }
        return [SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PROTOCOL].contains(code & 0xFF)
    }

    /// Whether to ask again may be all it takes: while a writer begins its log anew, the log's index has no mark to
    /// read by, and SQLite would like to set one (`walTryBeginRead` in its wal.c), which a reader that changes nothing
    /// leaves to the writer.
    var isPassing: Bool {
        guard case .sqlite(let code, _) = self else { return false }
        return [SQLITE_READONLY, SQLITE_PROTOCOL].contains(code & 0xFF)
    }

    /// How long to wait before asking again, in microseconds.
    static let passingTime: UInt32 = 2_000
}

extension StoreFiles.Moment {
    /// Whether nothing was written to the files in the last `seconds`, so that another write would change their stamps.
    fileprivate func isSettled(_ seconds: Double) -> Bool {
        [database, log, journal].allSatisfy { $0.map { $0.distanceToNow > seconds } ?? true }
    }
}
