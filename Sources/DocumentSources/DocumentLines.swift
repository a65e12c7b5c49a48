import DocumentModel
import Foundation

/// Finds the lines of a JSON Lines file without keeping more of it in memory than a chunk.
///
/// Lines end at LF, and a CR before it is white space (jsonlines.org). A CR alone ends no line: JSON allows it between any two tokens
/// of a document. Lines of nothing but white space are counted, but are no documents.
struct DocumentLines {
    /// How many bytes are read at once.
    private static let chunkLength = 1 << 20

    /// Calls `body` with the number (from 1) and the bytes of every line that is not empty, in order, until it returns false.
    ///
    /// - Returns: The number of lines, if all were read.
    @discardableResult
    static func forEach(
        in file: borrowing OpenFile, path: String, isCancelled: () -> Bool = { false },
        _ body: (_ number: Int, _ bytes: Range<Int>) -> Bool
    ) throws(SourceError) -> Int {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkLength, alignment: 16)
        defer { memory.deallocate() }
        var number = 1
        var lineStart = 0
        var hasContent = false
        var offset = 0
        while true {
            if isCancelled() { throw SourceError(source: path, reason: .cancelled) }
            let length = file.read(into: memory, at: offset)
            guard length >= 0 else { throw SourceError(source: path, errno: errno) }
            let chunk = UnsafeRawBufferPointer(rebasing: memory[..<length])
            if offset == 0 {
                guard !beginsInWiderEncoding(chunk) else { throw SourceError(source: path, reason: .linesNotInUTF8) }
                if chunk.starts(with: byteOrderMark) { lineStart = byteOrderMark.count }
            }
            guard length > 0 else { break }
            var position = min(max(0, lineStart - offset), length)
            while position < length {
                let lineEnd = firstLineFeed(in: chunk, from: position)
                if !hasContent { hasContent = !chunk[position..<(lineEnd ?? length)].allSatisfy(isWhitespace) }
                guard let lineEnd else { break }
                if hasContent, !body(number, lineStart..<offset + lineEnd) { return number }
                number += 1
                position = lineEnd + 1
                lineStart = offset + position
                hasContent = false
            }
            offset += length
        }
        if hasContent { _ = body(number, lineStart..<offset) }
        // What follows the last line feed is a line only if something stands there.
        return lineStart < offset ? number : number - 1
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether the text begins with the byte order mark of UTF-16 or UTF-32.
    private static func beginsInWiderEncoding(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0, 0xFE, 0xFF])
    }

    private static func firstLineFeed(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, let hit = memchr(base + start, 0x0A, bytes.count - start) else {
            return nil
        }
        return UnsafeRawPointer(hit) - base
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0D || byte == 0x09
    }
}
