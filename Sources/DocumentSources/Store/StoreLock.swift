import Foundation

extension OpenFile {
    /// Where SQLite's locks lie: at 1 GiB, a byte for those who are about to write, one for the one who is, and behind them the bytes
    /// that readers share (lockingv3.html; `SHARED_FIRST` and `SHARED_SIZE` in SQLite's os.h).
    private static let sharedLock = (start: off_t(0x4000_0002), length: off_t(510))

    /// Takes the lock that SQLite's readers hold. While this process has it, nobody else changes the file's pages or ends its log.
    ///
    /// A lock belongs to the process, not to the descriptor: SQLite takes it over without noticing, and gives it back with its own.
    ///
    /// - Returns: Whether the lock was had within the patience that SQLite is given as well.
    func lockForReading() -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(Int(SQLiteConnection.patience))
        while setLock(F_RDLCK) != 0 {
            // Where a file system has no locks, SQLite will say so, or do without.
            guard errno == EACCES || errno == EAGAIN else { return true }
            guard ContinuousClock.now < deadline else { return false }
            usleep(20_000)
        }
        return true
    }

    /// Gives the lock back.
    func unlock() { _ = setLock(F_UNLCK) }

    private func setLock(_ type: some BinaryInteger) -> Int32 {
        var request = flock()
        request.l_type = Int16(type)
        request.l_whence = Int16(SEEK_SET)
        request.l_start = Self.sharedLock.start
        request.l_len = Self.sharedLock.length
        return fileControl(F_SETLK, &request)
    }
}
