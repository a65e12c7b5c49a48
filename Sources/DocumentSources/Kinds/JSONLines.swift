import DocumentModel
import Foundation

/// A file with a document a line.
///
/// Lines are found without keeping more of the file in memory than a chunk. A document ends at LF, and a CR before it is
/// white space (jsonlines.org). A CR alone ends none: JSON allows it between any two tokens. It counts as the end of a
/// line all the same, as it does inside of documents (``LineIndex``), so that a document is named for the line of the
/// file at which it begins. Lines of nothing but white space are counted, but are no documents.
struct JSONLines: DocumentSource {
    static var container: DocumentContainer? { .jsonl }

    let file: FilePath

    static func source(in file: FoundFile) -> JSONLines? {
        file.ending == .lines ? JSONLines(file: file.path) : nil
    }

    static func source(at file: FilePath) -> JSONLines { JSONLines(file: file) }

    func find(_ search: DocumentSearch) throws(SourceError) {
        var isEmpty = true
        try Self.forEachLine(in: try OpenFile(path: file), isCancelled: search.isCancelled) { number, extent, content in
            isEmpty = false
            var document = document(atLine: number, extent: extent)
            document.content = content
            search.deliver(document)
            return true
        }
        // A file that is named on the command line is meant as a document.
        if isEmpty, search.isGiven { search.deliver(DocumentReference(self)) }
    }

    func document(named part: String) -> DocumentReference? {
        guard part.utf8.first == UInt8(ascii: "L"), let number = Int(part.dropFirst()), number > 0, part == "L\(number)"
        else { return nil }
        return document(atLine: number, extent: nil)
    }

    private func document(atLine number: Int, extent: Range<Int>?) -> DocumentReference {
        DocumentReference(self, part: "L\(number)", firstLine: number, extent: extent)
    }

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        let file = try OpenFile(path: file)
        guard !document.isWhole, let number = document.firstLine else { return try file.bytes(reading) }
        if let extent = document.extent, Self.isLine(extent, in: file) { return try file.bytes(in: extent, reading) }
        // It is elsewhere by now, or was never found: count from the beginning.
        var found: Range<Int>?
        let lineCount = try Self.forEachLine(in: file, isCancelled: reading.isCancelled) { line, extent, _ in
            if line == number { found = extent }
            return line != number
        }
        guard let found else { throw SourceError(self.file, .noSuchLine(lineCount: lineCount)) }
        return try file.bytes(in: found, reading)
    }

    private static func isLine(_ extent: Range<Int>, in file: borrowing OpenFile) -> Bool {
        let isEnd = extent.upperBound == file.status.byteCount || byte(at: extent.upperBound, of: file) == 0x0A
        guard isEnd, extent.lowerBound > 0 else { return isEnd }
        if byte(at: extent.lowerBound - 1, of: file) == 0x0A { return true }
        return extent.lowerBound == byteOrderMark.count
            && byteOrderMark.indices.allSatisfy { byte(at: $0, of: file) == byteOrderMark[$0] }
    }

    private static func byte(at offset: Int, of file: borrowing OpenFile) -> UInt8? {
        var byte: UInt8 = 0
        let length = withUnsafeMutableBytes(of: &byte) { file.read(into: $0, at: offset) }
        return length == 1 ? byte : nil
    }

    // MARK: - Lines

    /// How many bytes are read at once.
    private static let chunkLength = 1 << 20

    /// Calls `body` with the number (from 1), the bytes and a hash of the content of every line that is not empty, in
    /// order, until it returns false.
    ///
    /// - Returns: The number of lines, if all were read.
    @discardableResult
    private static func forEachLine(
        in file: borrowing OpenFile, isCancelled: () -> Bool,
        _ body: (_ number: Int, _ bytes: Range<Int>, _ content: Int) -> Bool
    ) throws(SourceError) -> Int {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkLength, alignment: 16)
        defer { memory.deallocate() }
        var number = 1
        var lineStart = 0
        /// How many lines end inside of the one that begins at `lineStart`, at a CR alone.
        var innerCount = 0
        var last: UInt8 = 0
        var hasContent = false
        var content = Hasher()
        var offset = 0
        while true {
            if isCancelled() { throw SourceError(file.path, .cancelled) }
            let length = file.read(into: memory, at: offset)
            guard length >= 0 else { throw SourceError(file.path, errno: errno) }
            let chunk = UnsafeRawBufferPointer(rebasing: memory[..<length])
            if offset == 0 {
                guard !beginsInWiderEncoding(chunk) else { throw SourceError(file.path, .linesNotInUTF8) }
                if chunk.starts(with: byteOrderMark) { lineStart = byteOrderMark.count }
            }
            guard length > 0 else { break }
            var position = min(max(0, lineStart - offset), length)
            while position < length {
                let lineEnd = first(0x0A, in: chunk[position...])
                var inside = chunk[position..<(lineEnd ?? length)]
                while let end = first(0x0D, in: inside) {
                    innerCount += 1
                    inside = inside[(end + 1)...]
                }
                let piece = chunk[position..<(lineEnd ?? length)]
                if !hasContent { hasContent = !piece.allSatisfy(\.isWhitespace) }
                content.combine(bytes: UnsafeRawBufferPointer(rebasing: piece))
                guard let lineEnd else { break }
                if hasContent, !body(number, lineStart..<offset + lineEnd, content.finalize()) { return number }
                if (lineEnd > 0 ? chunk[lineEnd - 1] : last) == 0x0D { innerCount -= 1 }
                number += 1 + innerCount
                innerCount = 0
                position = lineEnd + 1
                lineStart = offset + position
                hasContent = false
                content = Hasher()
            }
            offset += length
            last = chunk[length - 1]
        }
        if hasContent { _ = body(number, lineStart..<offset, content.finalize()) }
        // What follows the last end of a line is a line only if something stands there.
        return number + innerCount - (lineStart == offset || last == 0x0D ? 1 : 0)
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether the text begins with the byte order mark of UTF-16 or UTF-32.
    private static func beginsInWiderEncoding(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0, 0, 0xFE, 0xFF])
    }

    private static func first(_ byte: Int32, in bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard let base = bytes.base.baseAddress, let hit = memchr(base + bytes.startIndex, byte, bytes.count) else {
            return nil
        }
        return UnsafeRawPointer(hit) - base
    }
}
