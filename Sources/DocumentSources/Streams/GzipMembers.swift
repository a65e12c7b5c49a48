import DocumentModel
import Foundation
import MigrationCore

/// Where the good part of a packed file ends: gzip says that something is wrong behind it, and not where.
///
/// A file is a sequence of members (RFC 1952, section 2.2). The gzip program tests beginnings of the file: one that ends
/// with a member is good, one that ends inside a member is cut short, and one that has something else behind its last
/// member makes it warn. A file is tested up to sixty times; only damaged ones are.
struct GzipMembers {
    private let path: FilePath
    private let byteCount: Int

    init(in path: FilePath) throws(SourceError) {
        self.path = path
        byteCount = try OpenFile(path: path).status.byteCount
    }

    /// How many places are tried at which a member may begin: a damaged file can be full of them.
    private static let mostStarts = 32

    /// The number of bytes up to the end of the last good member, and of zeros behind it; nil if no member is good, or if
    /// its end was not found.
    ///
    /// - Throws: ``SourceError``.
    func goodEnd() throws(SourceError) -> Int? {
        switch try test(byteCount) {
        case .good: return byteCount
        case .followed: return try endBeforeOtherBytes()
        case .damaged:
            // A few bytes behind the last member look like the beginning of another.
            for end in (1...3).map({ byteCount - $0 }) where end > 0 {
                if try test(end) == .good { return end }
            }
            for start in try memberStarts().suffix(Self.mostStarts).reversed() {
                if try test(start) == .good { return start }
            }
            return nil
        }
    }

    private func endBeforeOtherBytes() throws(SourceError) -> Int? {
        var (inside, outside, step) = (byteCount - 1, byteCount, 1)
        while inside > 0, try test(inside) == .followed {
            step *= 2
            (inside, outside) = (max(0, inside - step), inside)
        }
        while outside - inside > 1 {
            let middle = (inside + outside) / 2
            if try test(middle) == .followed { outside = middle } else { inside = middle }
        }
        // gzip takes two bytes to see that they begin no member, or one behind zeros.
        for end in [outside - 1, outside - 2] where end > 0 {
            if try test(end) == .good { return end }
        }
        return nil
    }

    /// Where bytes stand with which a member begins: the magic number, the one method, and no flag that is unknown.
    private func memberStarts() throws(SourceError) -> [Int] {
        let bytes = try OpenFile(path: path).bytes(DocumentReading())
        return bytes.withBytes(in: 0..<bytes.count) { bytes in
            bytes.indices.dropLast(3).filter {
                $0 > 0 && bytes[$0] == 0x1F && bytes[$0 + 1] == 0x8B && bytes[$0 + 2] == 8 && bytes[$0 + 3] & 0xE0 == 0
            }
        }
    }

    private func test(_ length: Int) throws(SourceError) -> Gzip.Verdict {
        try Gzip.test(FileStream(try OpenFile(path: path), byteCount: length), as: path)
    }
}

/// The beginning of a file.
private final class FileStream: ByteStream {
    private let file: OpenFile
    private let byteCount: Int
    private var offset = 0

    init(_ file: consuming OpenFile, byteCount: Int) {
        self.file = file
        self.byteCount = byteCount
    }

    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) throws(SourceError) -> Int? {
        let length = file.read(into: .init(rebasing: memory.prefix(max(0, byteCount - offset))), at: offset)
        guard length >= 0 else { throw SourceError(file.path, errno: errno) }
        offset += length
        return length
    }
}

extension Gzip {
    /// What the first bytes of a file hold.
    static func unpacking(_ path: FilePath, byteCount: Int) throws(SourceError) -> any ByteStream {
        try unpacking(FileStream(try OpenFile(path: path), byteCount: byteCount), as: path)
    }
}
