import DocumentModel
import Foundation

/// A file with one document per line.
///
/// Lines are found without keeping more than a chunk of the file in memory. See ``LineSplitter`` for the definition of
/// a line; lines of only white space are not documents.
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
        // A file that is named on the command line is meant to be a document.
        if isEmpty, search.isGiven { search.deliver(DocumentReference(self)) }
    }

    func document(named part: String) -> DocumentReference? {
        switch LineName(part) {
        case .number(let number)?: document(atLine: number, extent: nil)
        case .value?: DocumentReference(self, part: part, firstLine: nil)
        case nil: nil
        }
    }

    /// Returns the number of the line that `part`, the part of a name after `#`, refers to, or nil if it isn't a line.
    static func number(named part: String) -> Int? {
        guard part.utf8.first == UInt8(ascii: "L"), let number = Int(part.dropFirst()), number > 0, part == "L\(number)"
        else { return nil }
        return number
    }

    private func document(atLine number: Int, extent: Range<Int>?) -> DocumentReference {
        DocumentReference(self, part: "L\(number)", firstLine: number, extent: extent)
    }

    /// The bytes that were read together with a line, for the lines after it.
    private static let lastBlock = LastLineBlock()

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        if let extent = document.extent,
            let line = Self.lastBlock.line(extent, of: file, asking: reading.asking)
        {
            return line
        }
        let file = try OpenFile(path: file)
        guard !document.isWhole else { return try file.bytes(reading) }
        guard let number = document.firstLine else {
            return try ContainedDocuments(try file.bytes(reading), as: self.file).document(named: document.part)
        }
        if let extent = document.extent, Self.isLine(extent, in: file) {
            Self.lastBlock.keep(LineBlock(of: file, from: extent))
            return try file.bytes(in: extent, reading)
        }
        // The line has moved, or was never found: count from the beginning.
        var found: Range<Int>?
        let lineCount = try Self.forEachLine(in: file, isCancelled: reading.isCancelled) { line, extent, _ in
            if line == number { found = extent }
            return line != number
        }
        guard let found else { throw SourceError(self.file, .noSuchLine(lineCount: lineCount)) }
        return try file.bytes(in: found, reading)
    }

    private static func isLine(_ extent: Range<Int>, in file: borrowing OpenFile) -> Bool {
        isLine(extent, in: file.status.byteCount) { byte(at: $0, of: file) }
    }

    /// Returns whether a line begins and ends at the bounds of `extent`.
    ///
    /// - Parameters:
    ///   - byteCount: The size of the file.
    ///   - byte: Returns the byte at an offset.
    static func isLine(_ extent: Range<Int>, in byteCount: Int, byte: (Int) -> UInt8?) -> Bool {
        func isLineEnd(_ offset: Int) -> Bool { [0x0A, 0x0D].contains(byte(offset)) }
        let isEnd = extent.upperBound == byteCount || isLineEnd(extent.upperBound)
        guard isEnd, extent.lowerBound > 0 else { return isEnd }
        if isLineEnd(extent.lowerBound - 1) { return true }
        let mark = LineSplitter.byteOrderMark
        return extent.lowerBound == mark.count && mark.indices.allSatisfy { byte($0) == mark[$0] }
    }

    private static func byte(at offset: Int, of file: borrowing OpenFile) -> UInt8? {
        var byte: UInt8 = 0
        let length = withUnsafeMutableBytes(of: &byte) { file.read(into: $0, at: offset) }
        return length == 1 ? byte : nil
    }

    // MARK: - Lines

    /// The number of bytes to read at once.
    private static let chunkLength = 1 << 20

    /// Calls `body` with the number (from 1), the byte range and a hash of the content of every line that is not empty,
    /// in order, until it returns false.
    ///
    /// - Returns: The number of lines, if all were read.
    @discardableResult
    private static func forEachLine(
        in file: borrowing OpenFile, isCancelled: () -> Bool,
        _ body: (_ number: Int, _ bytes: Range<Int>, _ content: Int) -> Bool
    ) throws(SourceError) -> Int {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkLength, alignment: 16)
        defer { memory.deallocate() }
        var lines = LineSplitter()
        var content = Hasher()
        var offset = 0
        while true {
            if isCancelled() { throw SourceError(file.path, .cancelled) }
            let length = file.read(into: memory, at: offset)
            guard length >= 0 else { throw SourceError(file.path, errno: errno) }
            let chunk = UnsafeRawBufferPointer(rebasing: memory[..<length])
            if offset == 0, LineSplitter.beginsInWiderEncoding(chunk) {
                throw SourceError(file.path, .linesNotInUTF8)
            }
            if length == 0, lines.hasOnlyReturns {
                (lines, content, offset) = (.atReturns, Hasher(), 0)
                continue
            }
            guard length > 0 else { break }
            let goesOn = lines.split(chunk) {
                content.combine(bytes: $0)
            } line: { number, extent, hasContent in
                defer { content = Hasher() }
                return !hasContent || body(number, extent, content.finalize())
            }
            guard goesOn else { return lines.count }
            offset += length
        }
        if lines.hasContent { _ = body(lines.number, lines.lastLine, content.finalize()) }
        return lines.count
    }
}
