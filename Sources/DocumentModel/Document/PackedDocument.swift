import Foundation

/// The memory layout of a document, for transfer to another process: its properties, and a block of bytes with its
/// text, its tape and its other parts.
///
/// The block begins at an address that is a multiple of 16, and so does each piece in it.
package struct PackedDocument: Codable {
    private let format: DocumentFormat
    private let encoding: TextEncoding
    private let markLength: Int
    private let extraCommas: [Int]
    private let comments: Document.Comments?
    private let textLength: Int
    private let nodeCount: Int
    /// Nil if there is no source, -1 if the text is the source.
    private let sourceLength: Int?
    private let hasSourceRanges: Bool

    /// A piece of the block: its offset and its length.
    private struct Piece {
        let offset: Int
        let length: Int
        var end: Int { offset + length }

        init(behind end: Int, length: Int) {
            offset = (end + 15) & ~15
            self.length = length
        }
    }

    /// Describes a document.
    package init(_ document: Document) {
        let storage = document.storage
        format = storage.format
        encoding = storage.encoding
        markLength = storage.markLength
        extraCommas = storage.extraCommas
        comments = storage.comments
        textLength = storage.text.count
        nodeCount = storage.tape.count
        sourceLength = storage.source.map { $0 === storage.text ? -1 : $0.count }
        hasSourceRanges = storage.sourceRanges != nil
    }

    private var text: Piece { Piece(behind: 0, length: textLength + SourceBytes.padding) }
    private var tape: Piece { Piece(behind: text.end, length: nodeCount * MemoryLayout<TapeNode>.stride) }
    private var source: Piece {
        Piece(behind: tape.end, length: sourceLength.map { $0 < 0 ? 0 : $0 + SourceBytes.padding } ?? 0)
    }
    private var ranges: Piece {
        Piece(behind: source.end, length: hasSourceRanges ? nodeCount * MemoryLayout<Range<UInt32>>.stride : 0)
    }

    /// The length of the block in bytes.
    package var blockLength: Int { ranges.end }

    /// Writes the block for the document that this describes.
    ///
    /// - Parameter block: At least ``blockLength`` bytes, all zero.
    package func write(_ document: Document, into block: UnsafeMutableRawBufferPointer) {
        precondition(block.count >= blockLength)
        let storage = document.storage
        func copy(_ bytes: UnsafeRawBufferPointer, to piece: Piece) {
            UnsafeMutableRawBufferPointer(rebasing: block[piece.offset..<piece.end]).copyMemory(from: bytes)
        }
        storage.text.withBytes(in: 0..<textLength) { copy($0, to: text) }
        copy(storage.tape.bytes, to: tape)
        if let bytes = storage.source, bytes !== storage.text {
            bytes.withBytes(in: 0..<bytes.count) { copy($0, to: source) }
        }
        storage.sourceRanges?.withUnsafeBytes { copy($0, to: ranges) }
    }

    /// Returns the document in a block that another process wrote, or nil if the block violates the invariants of a
    /// document.
    ///
    /// - Parameters:
    ///   - block: A block that doesn't change while `owner` exists.
    ///   - owner: The owner of the block's memory.
    package func document(in block: UnsafeMutableRawBufferPointer, of owner: AnyObject) -> Document? {
        let lengths = [textLength, nodeCount, sourceLength ?? 0]
        // Only in JSON is the text also the source.
        let isSource = sourceLength == -1
        guard lengths.allSatisfy({ $0 >= -1 && $0 <= SourceBytes.limit }), textLength >= 0, nodeCount > 0,
            isSource ? format == .json : sourceLength == nil || format != .json,
            !hasSourceRanges || sourceLength != nil && !isSource,
            block.count == blockLength, let base = block.baseAddress, Int(bitPattern: base) % 16 == 0
        else { return nil }
        func bytes(_ piece: Piece, _ count: Int) -> SourceBytes {
            SourceBytes(
                UnsafePointer((base + piece.offset).assumingMemoryBound(to: UInt8.self)), count: count, of: owner)
        }
        func isPadded(_ piece: Piece) -> Bool {
            block[piece.end - SourceBytes.padding..<piece.end].allSatisfy { $0 == 0 }
        }
        guard isPadded(self.text), (sourceLength ?? -1) < 0 || isPadded(self.source) else { return nil }
        let text = bytes(self.text, textLength)
        let source = sourceLength.map { $0 < 0 ? text : bytes(self.source, $0) }
        let sourceCount = source?.count ?? 0
        var places: [Range<UInt32>]?
        if hasSourceRanges {
            let bounds = UnsafeRawBufferPointer(rebasing: block[ranges.offset..<ranges.end]).bindMemory(to: UInt32.self)
            var ranges: [Range<UInt32>] = []
            ranges.reserveCapacity(nodeCount)
            for index in 0..<nodeCount {
                let (start, end) = (bounds[2 * index], bounds[2 * index + 1])
                guard start <= end, Int(end) <= sourceCount else { return nil }
                ranges.append(start..<end)
            }
            places = ranges
        }
        let nodes = (base + tape.offset).bindMemory(to: TapeNode.self, capacity: nodeCount)
        let textBytes = UnsafeRawBufferPointer(rebasing: block[self.text.offset..<self.text.offset + textLength])
        guard
            let tape = Tape(
                nodes, count: nodeCount, text: textBytes, isSource: isSource, places: places, of: owner),
            extraCommas.allSatisfy({ $0 >= 0 && $0 < sourceCount }), extraCommas.count <= Document.mostLeniencies,
            comments.map({ (0..<sourceCount).contains($0.first) && (1...sourceCount).contains($0.count) }) ?? true,
            (0...4).contains(markLength)
        else { return nil }
        return Document(
            storage: Document.Storage(
                format: format, text: text, tape: tape, source: source, sourceRanges: places, encoding: encoding,
                markLength: markLength, extraCommas: extraCommas, comments: comments))
    }
}

extension Document {
    /// An identity that two values share if they are the same document in memory.
    package var identity: ObjectIdentifier { ObjectIdentifier(storage) }
}
