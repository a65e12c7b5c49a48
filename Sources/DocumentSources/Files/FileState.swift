import DocumentModel
import Foundation

/// The state of a file when it was read: its status, and a hash of its contents.
///
/// States from before and after a replacement are compared, so that a save in between is never lost.
public struct FileState: Hashable, Sendable {
    let stamp: ModificationStamp
    /// Two hashes with different seeds (128 bits), and the number of bytes. The hashes differ between processes.
    private let hashes: [Int]

    /// Reads the file at `path`.
    ///
    /// - Throws: ``SourceError``.
    public init(reading path: FilePath) throws(SourceError) { try self.init(try OpenFile(path: path)) }

    /// Reads an open file.
    init(_ file: borrowing OpenFile) throws(SourceError) {
        guard let status = file.currentStatus else { throw SourceError(file.path, errno: errno) }
        stamp = ModificationStamp(status)
        var hashers = [Hasher(), Hasher()]
        for index in hashers.indices { hashers[index].combine(index) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { memory.deallocate() }
        var offset = 0
        while true {
            let length = file.read(into: memory, at: offset)
            guard length >= 0 else { throw SourceError(file.path, errno: errno) }
            if length == 0 { break }
            for index in hashers.indices {
                hashers[index].combine(bytes: UnsafeRawBufferPointer(rebasing: memory[..<length]))
            }
            offset += length
        }
        hashes = hashers.map { $0.finalize() } + [offset]
    }

    /// Returns whether both files have the same contents.
    func hasContents(of other: FileState) -> Bool { hashes == other.hashes }
}
