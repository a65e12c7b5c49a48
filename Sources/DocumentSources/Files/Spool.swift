import DocumentModel
import Foundation

/// Stores data in a temporary file until all of it is available, if there may be more than fits in memory, or more than
/// the number of files that can be open.
///
/// ## Invariant
/// `end` is accessed only while it is locked, and the file is written only after `end`, so data never changes once it
/// is added.
public final class Spool: Sendable {
    /// A piece of data that was added.
    public struct Piece: Sendable {
        fileprivate let range: Range<Int>
    }

    /// A file without a name, so that nothing remains of it no matter how the program ends.
    private let descriptor: Int32
    private let path: FilePath
    private let end = Locked(0)

    /// Creates an empty spool.
    ///
    /// - Throws: ``SourceError``.
    public init() throws(SourceError) {
        let item = try TemporaryItem(.file(permissions: 0o600), as: "temporary file")
        descriptor = fcntl(item.descriptor, F_DUPFD_CLOEXEC, 3)
        path = item.path
        guard descriptor >= 0 else { throw SourceError(temporary: path, errno: errno) }
    }

    deinit { close(descriptor) }

    /// Adds data.
    ///
    /// - Throws: ``SourceError``, for example if the disk is full.
    public func add(_ data: Data) throws(SourceError) -> Piece {
        try end.withLock { end throws(SourceError) in
            let start = end
            var offset = 0
            while offset < data.count {
                let length = data.withUnsafeBytes { bytes in
                    pwrite(descriptor, bytes.baseAddress! + offset, data.count - offset, off_t(start + offset))
                }
                if length < 0, errno == EINTR { continue }
                guard length > 0 else { throw SourceError(temporary: path, errno: errno) }
                offset += length
            }
            end += data.count
            return Piece(range: start..<end)
        }
    }

    /// Returns the data of a piece.
    ///
    /// - Throws: ``SourceError``.
    public func data(_ piece: Piece) throws(SourceError) -> Data {
        var data = Data(count: piece.range.count)
        var offset = 0
        while offset < data.count {
            let rest = data.count - offset
            let length = data.withUnsafeMutableBytes { bytes in
                pread(descriptor, bytes.baseAddress! + offset, rest, off_t(piece.range.lowerBound + offset))
            }
            if length < 0, errno == EINTR { continue }
            guard length > 0 else { throw SourceError(path, errno: length < 0 ? errno : EIO) }
            offset += length
        }
        return data
    }
}
