import DocumentModel
import Foundation

/// Finds the lines in bytes that come in chunks.
///
/// A line ends at LF, and a CR before it is white space (jsonlines.org). A CR alone ends none: JSON allows it between any
/// two tokens. It counts as the end of a line all the same, as it does inside of documents (``LineIndex``), so that a
/// document is named for the line of the file at which it begins. Lines of nothing but white space are counted, but hold
/// nothing.
///
/// In a text without any LF, lines end at CR. That shows only at its end, where ``hasOnlyReturns`` says so; split it once
/// more then, with ``atReturns``.
struct LineSplitter {
    /// Splits a text without any LF.
    static var atReturns: LineSplitter { LineSplitter(lineEnd: 0x0D) }

    /// The byte at which lines end.
    private var lineEnd: Int32 = 0x0A
    /// The number of the line at hand, from 1.
    private(set) var number = 1
    /// Where it begins, in bytes from the beginning of all.
    private(set) var lineStart = 0
    /// Whether there is more than white space in it so far.
    private(set) var hasContent = false
    /// How many lines end inside of it, at a CR alone.
    private var innerCount = 0
    private var last: UInt8 = 0
    private var offset = 0

    init() {}

    private init(lineEnd: Int32) { self.lineEnd = lineEnd }

    /// The lines that end in the next chunk.
    ///
    /// - Parameters:
    ///   - piece: Given every piece of a line, without the byte at its end.
    ///   - line: Given the number of every line that ends, where it lies, and whether it holds anything; when it returns
    ///     false, no more lines are looked for.
    /// - Returns: Whether the whole chunk was looked at.
    mutating func split(
        _ chunk: UnsafeRawBufferPointer, piece: (UnsafeRawBufferPointer) -> Void,
        line: (_ number: Int, _ bytes: Range<Int>, _ hasContent: Bool) -> Bool
    ) -> Bool {
        guard !chunk.isEmpty else { return true }
        if offset == 0, chunk.starts(with: Self.byteOrderMark) { lineStart = Self.byteOrderMark.count }
        var position = min(max(0, lineStart - offset), chunk.count)
        while position < chunk.count {
            let end = Self.first(lineEnd, in: chunk[position...])
            let part = chunk[position..<(end ?? chunk.count)]
            var inside = part
            while let inner = Self.first(0x0D, in: inside) {
                innerCount += 1
                inside = inside[(inner + 1)...]
            }
            if !hasContent { hasContent = !part.allSatisfy(\.isWhitespace) }
            piece(UnsafeRawBufferPointer(rebasing: part))
            guard let end else { break }
            let goesOn = line(number, lineStart..<offset + end, hasContent)
            if innerCount > 0, (end > 0 ? chunk[end - 1] : last) == 0x0D { innerCount -= 1 }
            number += 1 + innerCount
            innerCount = 0
            position = end + 1
            lineStart = offset + position
            hasContent = false
            if !goesOn { return false }
        }
        offset += chunk.count
        last = chunk[chunk.count - 1]
        return true
    }

    /// Whether there is no LF, and a CR, if all bytes were split.
    var hasOnlyReturns: Bool { number == 1 && innerCount > 0 }

    /// Where the line at hand lies, if all bytes were split.
    var lastLine: Range<Int> { min(lineStart, offset)..<offset }

    /// The number of lines, if all bytes were split. What follows the last end of a line is one only if something stands
    /// there.
    var count: Int { number + innerCount - (lineStart >= offset || last == 0x0D ? 1 : 0) }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether the text begins with the byte order mark of UTF-16 or UTF-32.
    static func beginsInWiderEncoding(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0, 0xFE, 0xFF])
    }

    private static func first(_ byte: Int32, in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let base = bytes.base.baseAddress, let hit = memchr(base + bytes.startIndex, byte, bytes.count) else {
            return nil
        }
        return UnsafeRawPointer(hit) - base
    }
}
