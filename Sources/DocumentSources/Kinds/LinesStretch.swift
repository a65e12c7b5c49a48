import DocumentModel
import Foundation

/// A stretch of a file of lines that was read at once: lines are mostly read one behind the other.
///
/// It stands for the file as long as a look at the file says that nothing was written since. Where something was written
/// so shortly before that a further change need not show, there is no stretch.
struct LinesStretch: Sendable {
    private let file: FilePath
    private let identity: FileStatus.Identity
    private let changed: FileStatus.Moment
    private let byteCount: Int
    private let offset: Int
    private let bytes: SourceBytes

    private static let length = 64 << 10
    /// Where lines are longer, too few fit into a stretch.
    private static let longestLine = length / 4
    /// FAT tells the times of changes in steps of two seconds, which are the longest.
    static let longestClockTick = 2.0

    /// Reads from the byte before a line on; nil where lines of that file are better read one by one.
    ///
    /// - Parameter clockTick: The time, in seconds, in which two changes may have the same time.
    init?(of file: borrowing OpenFile, from line: Range<Int>, clockTick: Double = longestClockTick) {
        guard line.count <= Self.longestLine, file.status.changed.distanceToNow > clockTick else { return nil }
        let start = max(0, line.lowerBound - 1)
        let bytes = SourceBytes(capacity: min(Self.length, max(0, file.status.byteCount - start))) {
            max(0, file.read(into: $0, at: start))
        }
        (self.file, identity, changed) = (file.path, file.status.identity, file.status.changed)
        (byteCount, offset, self.bytes) = (file.status.byteCount, start, bytes)
    }

    /// The bytes of a line that lies within the stretch as it is in the file now; nil if it is to be read from there.
    ///
    /// - Parameter isKnownToStand: Whether the file need not be looked at.
    func line(_ extent: Range<Int>, of file: FilePath, isKnownToStand: Bool = false) -> SourceBytes? {
        guard self.file == file, extent.lowerBound > offset, extent.upperBound < offset + bytes.count,
            JSONLines.isLine(extent, in: byteCount, byte: { $0 < offset ? nil : bytes[$0 - offset] }),
            isKnownToStand || isInFile
        else { return nil }
        return SourceBytes(capacity: extent.count) { memory in
            bytes.withBytes(in: extent.lowerBound - offset..<extent.upperBound - offset) { memory.copyMemory(from: $0) }
            return extent.count
        }
    }

    /// Whether nothing was written to the file since the stretch was read.
    private var isInFile: Bool {
        guard let status = FileStatus(path: file) else { return false }
        return status.identity == identity && status.changed == changed && status.byteCount == byteCount
    }
}
