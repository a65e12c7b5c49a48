/// The beginnings of the lines in a text. Finds the line of a byte, and the bytes of a line, without reading the text
/// again.
///
/// Lines end at LF, CRLF or CR. Creating an index reads every byte once; for large texts, do this on a background
/// thread.
public struct LineIndex: Sendable {
    private let starts: [UInt32]
    private let bytes: SourceBytes

    /// Creates an index by reading `bytes` once. A byte order mark isn't part of any line.
    public init(_ bytes: SourceBytes) {
        self.bytes = bytes
        var starts: [UInt32] = [UInt32(Self.textStart(of: bytes))]
        var offset = Int(starts[0])
        while let end = Self.nextLine(in: bytes, from: offset) {
            offset = end
            starts.append(UInt32(truncatingIfNeeded: offset))
        }
        self.starts = starts
    }

    /// The number of lines. If the text ends with a line ending, its last line is empty.
    public var count: Int { starts.count }

    /// Returns the bytes of line `index` (from 0) without its line ending.
    public func range(ofLine index: Int) -> Range<Int> {
        let start = Int(starts[index])
        guard index + 1 < starts.count else { return start..<bytes.count }
        var end = Int(starts[index + 1]) - 1
        if end > start, bytes[end] == 0x0A, bytes[end - 1] == 0x0D { end -= 1 }
        return start..<end
    }

    /// Returns the index (from 0) of the line that contains the byte at `offset`.
    public func line(at offset: Int) -> Int {
        max(0, starts.partitioningIndex { Int($0) > offset } - 1)
    }

    /// Returns the location of the byte at `offset`, with its column counted in Unicode scalars.
    public func location(at offset: Int) -> SourceLocation {
        let line = line(at: offset)
        return Self.location(at: offset, in: bytes, line: line + 1, from: Int(starts[line]))
    }

    /// Returns the offset of the byte at a line and column, or the nearest one if the text has no such location.
    ///
    /// The location's own offset is ignored, because it is an offset in the file, whose encoding may differ from that
    /// of the text.
    public func offset(of location: SourceLocation) -> Int {
        let range = range(ofLine: max(0, min(location.line - 1, count - 1)))
        return bytes.withBytes(in: range) { line in
            var scalars = 0
            for (offset, byte) in line.enumerated() where byte & 0xC0 != 0x80 {
                scalars += 1
                if scalars >= location.column { return range.lowerBound + offset }
            }
            return range.upperBound
        }
    }

    /// Returns the location of one byte by reading from the start. For a single lookup, this avoids creating an index.
    public static func location(at offset: Int, in bytes: SourceBytes) -> SourceLocation {
        var line = 1
        var start = textStart(of: bytes)
        while let next = nextLine(in: bytes, from: start), next <= offset {
            line += 1
            start = next
        }
        return location(at: offset, in: bytes, line: line, from: start)
    }

    private static func location(
        at offset: Int, in bytes: SourceBytes, line: Int, from start: Int
    ) -> SourceLocation {
        let column = scalarCount(in: bytes, start..<max(start, min(offset, bytes.count))) + 1
        return SourceLocation(line: line, column: column, offset: offset)
    }

    /// Returns the number of Unicode scalars in `range`: all bytes except the continuation bytes of UTF-8.
    static func scalarCount(in bytes: SourceBytes, _ range: Range<Int>) -> Int {
        bytes.withBytes(in: range) { $0.reduce(into: 0) { count, byte in count += byte & 0xC0 == 0x80 ? 0 : 1 } }
    }

    /// Returns the offset of the first byte after a UTF-8 byte order mark.
    static func textStart(of bytes: SourceBytes) -> Int {
        bytes.count >= 3 && bytes.base[0] == 0xEF && bytes.base[1] == 0xBB && bytes.base[2] == 0xBF ? 3 : 0
    }

    /// Returns the beginning of the line after the one that contains `offset`, or nil on the last line.
    private static func nextLine(in bytes: SourceBytes, from offset: Int) -> Int? {
        let base = bytes.base
        let count = bytes.count
        var offset = offset
        // The padding after the bytes keeps the eight-byte loads in range.
        while offset < count {
            let word = UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self).littleEndian
            let hits = (word ^ 0x0A0A_0A0A_0A0A_0A0A).zeroBytes | (word ^ 0x0D0D_0D0D_0D0D_0D0D).zeroBytes
            guard hits != 0 else {
                offset += 8
                continue
            }
            offset += hits.trailingZeroBitCount / 8
            guard offset < count else { return nil }
            let isPair = base[offset] == 0x0D && offset + 1 < count && base[offset + 1] == 0x0A
            return offset + (isPair ? 2 : 1)
        }
        return nil
    }
}

extension UInt64 {
    /// A word with the high bit of the lowest zero byte set, and possibly those of higher bytes; 0 if no byte is zero.
    ///
    /// The borrow of the subtraction can mark a byte above a true hit, but never below one, so the lowest mark is
    /// exact. Source: Mycroft's zero-byte test, in Warren's "Hacker's Delight", section 6-1.
    var zeroBytes: UInt64 { (self &- 0x0101_0101_0101_0101) & ~self & 0x8080_8080_8080_8080 }
}

extension RandomAccessCollection {
    /// Returns the index of the first element that satisfies `condition`, in a collection where all others come before
    /// those that do.
    package func partitioningIndex(where condition: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, self.count)
        while count > 0 {
            let middle = index(low, offsetBy: count / 2)
            if condition(self[middle]) {
                count /= 2
            } else {
                low = index(after: middle)
                count -= count / 2 + 1
            }
        }
        return low
    }
}
