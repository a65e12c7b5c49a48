import DocumentModel
import Foundation

/// A block of a file of lines, read at once because lines are mostly read in sequence.
///
/// It is valid as long as the file's status shows that nothing was written since. There is no block for a file that
/// was changed so recently that a further change might not show in its status.
struct LineBlock: Sendable {
    private let file: FilePath
    private let identity: FileStatus.Identity
    private let changed: FileStatus.Moment
    private let byteCount: Int
    private let offset: Int
    private let bytes: SourceBytes

    private static let length = 64 << 10
    /// If lines are longer than this, too few fit into a block.
    private static let longestLine = length / 4
    /// The clock tick of FAT, which stores times of changes in steps of two seconds; no file system has longer ones.
    static let longestClockTick = 2.0

    /// Reads a block, starting at the byte before a line. Returns nil if the lines of the file are better read one by
    /// one.
    ///
    /// - Parameter clockTick: The time, in seconds, within which two changes may get the same timestamp.
    init?(of file: borrowing OpenFile, from line: Range<Int>, clockTick: Double = longestClockTick) {
        guard line.count <= Self.longestLine, file.status.changed.distanceToNow > clockTick else { return nil }
        let start = max(0, line.lowerBound - 1)
        let bytes = SourceBytes(capacity: min(Self.length, max(0, file.status.byteCount - start))) {
            max(0, file.read(into: $0, at: start))
        }
        (self.file, identity, changed) = (file.path, file.status.identity, file.status.changed)
        (byteCount, offset, self.bytes) = (file.status.byteCount, start, bytes)
    }

    /// Returns the bytes of a line in the block, or nil if the line has to be read from the file.
    ///
    /// - Parameter isKnownValid: Whether the block is known to be valid, so that the file's status need not be
    ///   checked.
    func line(_ extent: Range<Int>, of file: FilePath, isKnownValid: Bool = false) -> SourceBytes? {
        guard self.file == file, extent.lowerBound > offset, extent.upperBound < offset + bytes.count,
            JSONLines.isLine(extent, in: byteCount, byte: { $0 < offset ? nil : bytes[$0 - offset] }),
            isKnownValid || isInFile
        else { return nil }
        return SourceBytes(capacity: extent.count) { memory in
            bytes.withBytes(in: extent.lowerBound - offset..<extent.upperBound - offset) { memory.copyMemory(from: $0) }
            return extent.count
        }
    }

    /// Whether nothing was written to the file since the block was read.
    private var isInFile: Bool {
        guard let status = FileStatus(path: file) else { return false }
        return status.identity == identity && status.changed == changed && status.byteCount == byteCount
    }
}
