import DocumentModel
import Foundation

/// Finds lines in bytes that arrive in chunks.
///
/// A line ends at LF; a CR before it is white space (jsonlines.org). A CR without LF doesn't end a line, because JSON
/// allows it between any two tokens. Still, it counts as a line ending for line numbers, as it does inside documents
/// (``LineIndex``), so that a document is named after the line of the file at which it begins. Lines of only white
/// space are counted but have no content.
///
/// In a text without any LF, lines end at CR. That is only known at the end of the text, where ``hasOnlyReturns``
/// reports it; the text then has to be split again with ``atReturns``.
struct LineSplitter {
    /// A splitter for a text without any LF.
    static var atReturns: LineSplitter { LineSplitter(lineEnd: 0x0D) }

    /// The byte that ends a line.
    private var lineEnd: Int32 = 0x0A
    /// The number of the current line, from 1.
    private(set) var number = 1
    /// The offset of the current line, in bytes from the beginning of the text.
    private(set) var lineStart = 0
    /// Whether the current line contains anything but white space so far.
    private(set) var hasContent = false
    /// The number of CRs without LF in the current line.
    private var innerCount = 0
    private var last: UInt8 = 0
    private var offset = 0

    init() {}

    private init(lineEnd: Int32) { self.lineEnd = lineEnd }

    /// Finds the lines that end in the next chunk.
    ///
    /// - Parameters:
    ///   - piece: Called with every piece of a line, without the byte that ends the line.
    ///   - line: Called with the number and byte range of every line that ends, and whether it has content. When it
    ///     returns false, the search stops.
    /// - Returns: Whether the whole chunk was searched.
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

    /// Whether the text has a CR but no LF. Valid once all bytes were split.
    var hasOnlyReturns: Bool { number == 1 && innerCount > 0 }

    /// The byte range of the current line. Valid once all bytes were split.
    var lastLine: Range<Int> { min(lineStart, offset)..<offset }

    /// The number of lines. Valid once all bytes were split. The part after the last line ending counts only if it
    /// isn't empty.
    var count: Int { number + innerCount - (lineStart >= offset || last == 0x0D ? 1 : 0) }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns whether the text begins with the byte order mark of UTF-16 or UTF-32.
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
