import DocumentModel
import Foundation

/// A file as it was when it was read: what the system says of it, and a hash of its contents.
///
/// Before and after another file takes its place, the two are compared: a save in between is never replaced.
public struct FileState: Hashable, Sendable {
    let stamp: ModificationStamp
    /// Two hashes with different seeds, 128 bits in all. They differ from process to process.
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

    /// Whether both have the same contents.
    func hasContents(of other: FileState) -> Bool { hashes == other.hashes }
}
