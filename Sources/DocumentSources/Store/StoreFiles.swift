import DocumentModel
import Foundation
import MigrationCore

/// A database file and the files that SQLite keeps next to it (tempfiles.html).
struct StoreFiles: Sendable {
    /// The real path of the database. SQLite looks for the other files next to the target of a symbolic link.
    let database: FilePath

    /// The write-ahead log.
    var log: FilePath { database + "-wal" }
    /// The index of the log, which is memory shared by the programs that have the database open.
    var index: FilePath { database + "-shm" }
    /// The rollback journal.
    var journal: FilePath { database + "-journal" }

    /// Creates the paths for the store at `path`.
    init(path: FilePath) throws(SourceError) {
        guard let real = path.resolved else { throw SourceError(path, errno: errno) }
        database = real
    }

    /// Returns the path of the store that the file at `path` belongs to as a log, index or journal, or nil if it isn't
    /// such a file.
    ///
    /// Such a file must not be opened: closing it would release the locks that this process has on it (fcntl(2)), and
    /// SQLite, which relies on them, would not notice.
    static func store(ofFileBeside path: FilePath) -> FilePath? {
        guard let suffix = TemporaryItem.databaseSuffixes.first(where: path.hasSuffix) else { return nil }
        let store = path.dropLast(suffix.utf8.count)
        return DocumentStore.isStore(store) ? store : nil
    }

    /// The problem with a log, index or journal that isn't a regular file, or nil if there is none. Opening a pipe
    /// would wait for another program.
    var specialFile: StoreProblem? {
        for path in [log, index, journal] {
            switch FileStatus(path: path)?.refusal {
            case .isSpecialFile(let kind): return .besideIsNoFile(path: path.description, kind)
            case .isFolder: return .besideIsNoFile(path: path.description, nil)
            default: continue
            }
        }
        return nil
    }

    /// A state of the files. If two moments are equal, nothing was written between them.
    struct Moment: Hashable, Sendable {
        // An empty file counts as a missing one.
        let database: ModificationStamp?
        let log: ModificationStamp?
        let journal: ModificationStamp?
        /// Whether a program has the database open with a log, or ended without closing it.
        let hasIndex: Bool
        let hasLog: Bool
    }

    /// The current state of the files.
    var moment: Moment {
        Moment(
            database: Self.stamp(of: database), log: Self.stamp(of: log), journal: Self.stamp(of: journal),
            hasIndex: FileStatus.exists(index), hasLog: FileStatus.exists(log))
    }

    private static func stamp(of path: FilePath) -> ModificationStamp? {
        FileStatus(path: path).flatMap { $0.byteCount > 0 ? ModificationStamp($0) : nil }
    }
}

/// The first hundred bytes of a SQLite database (fileformat2.html, section 1.3), and the first bytes of the table after
/// them.
struct StoreHeader {
    static let length = 100

    private let bytes: SourceBytes

    /// Reads the header of an open file.
    init(_ file: borrowing OpenFile) throws(SourceError) { bytes = try file.head() }

    /// Whether the file begins like a SQLite database.
    var isDatabase: Bool { Self.begins(bytes) }

    /// Returns whether these are the first bytes of a SQLite database, even if the other bytes are not.
    static func begins(_ bytes: SourceBytes) -> Bool { bytes.begins(with: "SQLite format 3\0") }

    /// Whether programs that open the database use a write-ahead log.
    var usesLog: Bool { byte(at: 18) == 2 || byte(at: 19) == 2 }

    /// Returns what is wrong with the file according to its header, or nil if nothing is.
    ///
    /// - Parameter byteCount: The length of the file.
    func problem(byteCount: Int) -> StoreProblem? {
        guard isDatabase else { return .notDatabase(byteCount: byteCount) }
        guard byteCount >= Self.length else { return .cutShort(byteCount: byteCount, expected: Self.length) }
        guard makesSense else { return .scrambled }
        if byte(at: 19) > 2 { return .newerFormat(.readVersion(Int(byte(at: 19)))) }
        let schemaFormat = number(at: 44, width: 4)
        if schemaFormat > 4 { return .newerFormat(.schemaFormat(schemaFormat)) }
        // The number of pages is valid only if it was written by the same writer as the last change counter.
        let expected = number(at: 28, width: 4) * pageSize
        let isCounted = number(at: 24, width: 4) == number(at: 92, width: 4)
        if isCounted, byteCount < expected { return .cutShort(byteCount: byteCount, expected: expected) }
        return nil
    }

    /// Whether the header has the values that every version of SQLite writes: the fractions of a page that a row may
    /// fill, a reserve of zeros, and the first page of the schema's table. Encryption may leave a part of the header
    /// unencrypted, for systems that check it, but not that page.
    private var makesSense: Bool {
        let isPageSize = (512...65536).contains(pageSize) && pageSize & (pageSize - 1) == 0
        let hasFractions = (byte(at: 21), byte(at: 22), byte(at: 23)) == (64, 32, 32)
        let hasReserve = (72..<92).allSatisfy { byte(at: $0) == 0 }
        // An interior page, a leaf, or nothing yet.
        let hasTable = bytes.count <= Self.length || [5, 13].contains(byte(at: Self.length))
        return isPageSize && hasFractions && hasReserve && hasTable
    }

    /// The size of a page; the value 1 means 65536.
    private var pageSize: Int { number(at: 16, width: 2) == 1 ? 65536 : number(at: 16, width: 2) }

    private func byte(at offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private func number(at offset: Int, width: Int) -> Int {
        (offset..<offset + width).reduce(0) { $0 << 8 | Int(byte(at: $1)) }
    }
}

extension OpenFile {
    /// Returns the name of the super-journal in a rollback journal, or nil if there is no name or the journal is not to
    /// be rolled back (fileformat2.html, section 3; `readSuperJournal` and `hasHotJournal` in SQLite's pager.c).
    ///
    /// - Throws: ``SourceError`` if the journal cannot be read.
    func superJournal() throws(SourceError) -> FilePath? {
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        // The name is followed by its length, the sum of its bytes, and the magic number.
        let nameEnd = status.byteCount - 16
        guard nameEnd > 0, try bytes(in: 0..<1, DocumentReading()).data.first != 0 else { return nil }
        let end = try bytes(in: nameEnd..<nameEnd + 16, DocumentReading()).data
        guard end.count == 16, end.suffix(magic.count).elementsEqual(magic) else { return nil }
        func number(at offset: Int) -> UInt32 { end[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        guard (1...nameEnd).contains(Int(number(at: 0))) else { return nil }
        let name = try bytes(in: nameEnd - Int(number(at: 0))..<nameEnd, DocumentReading()).data
        let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
        return sum == number(at: 4) ? FilePath(name) : nil
    }
}

extension OpenFile {
    /// The bytes that SQLite locks, starting at 1 GiB: one for a writer that waits for readers to finish and lets no
    /// new ones begin, one for a process that is about to write, and then the bytes that readers share (lockingv3.html;
    /// `PENDING_BYTE`, `SHARED_FIRST` and `SHARED_SIZE` in SQLite's os.h).
    private static let pendingLock = (start: off_t(0x4000_0000), length: off_t(1))
    private static let sharedLock = (start: off_t(0x4000_0002), length: off_t(510))

    /// Takes the lock that SQLite's readers hold. While this process has it, no other program changes the file's pages
    /// or removes its log.
    ///
    /// A lock belongs to the process, not to the descriptor: SQLite takes it over without noticing, and releases it
    /// with its own. To take it over, SQLite checks whether a reader may begin, so this locks that byte too. Otherwise
    /// a writer could lock the byte in between, and would wait for this process to finish reading while this process
    /// waits for the writer.
    ///
    /// - Returns: Whether the lock was acquired within the time that SQLite would wait too.
    func lockForReading() -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(Int(SQLiteConnection.patience))
        while setLock(F_RDLCK, Self.pendingLock) != 0 || setLock(F_RDLCK, Self.sharedLock) != 0 {
            let error = errno
            unlock()
            // If the file system has no locks, SQLite will report it or work without them.
            guard error == EACCES || error == EAGAIN else { return true }
            guard ContinuousClock.now < deadline else { return false }
            usleep(useconds_t(SQLiteConnection.pause) * 1000)
        }
        return true
    }

    /// Releases the lock.
    func unlock() { for lock in [Self.sharedLock, Self.pendingLock] { _ = setLock(F_UNLCK, lock) } }

    private func setLock(_ type: some BinaryInteger, _ lock: (start: off_t, length: off_t)) -> Int32 {
        var request = flock()
        request.l_type = Int16(type)
        request.l_whence = Int16(SEEK_SET)
        request.l_start = lock.start
        request.l_len = lock.length
        return fileControl(F_SETLK, &request)
    }
}
