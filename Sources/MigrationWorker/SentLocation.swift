import DocumentModel
import DocumentSources

/// The location of a request's document, and how many bytes of it are sent along: what differs from one request to the
/// next. It's the first block of a request's frame.
///
/// The block begins with five 64-bit numbers, -1 for none: the first line, the start and the end of the extent, the
/// number of bytes sent along, and the length of the path. The path and the part of the file follow.
struct SentLocation {
    let file: [UInt8]
    let part: String
    let firstLine: Int?
    let extent: Range<Int>?
    /// The number of bytes of the document in the second block; nil if there is no second block.
    let byteCount: Int?

    private static let numberCount = 5

    init(_ address: DocumentAddress, of request: WorkerRequest) {
        file = request.document.file.bytes
        part = address.part
        firstLine = address.firstLine
        extent = address.extent
        byteCount = request.bytes?.count
    }

    /// Decodes a block.
    ///
    /// - Throws: ``BrokenFrame`` if the block is malformed.
    init(in block: UnsafeRawBufferPointer) throws {
        let length = Self.numberCount * MemoryLayout<Int64>.size
        guard block.count >= length else { throw BrokenFrame() }
        let numbers = (0..<Self.numberCount).map {
            block.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Int64>.size, as: Int64.self)
        }
        guard numbers.allSatisfy({ $0 >= -1 }), numbers[4] >= 0, numbers[4] <= block.count - length,
            numbers[1] <= numbers[2], (numbers[1] < 0) == (numbers[2] < 0)
        else { throw BrokenFrame() }
        func number(_ index: Int) -> Int? { numbers[index] < 0 ? nil : Int(numbers[index]) }
        firstLine = number(0)
        extent = numbers[1] < 0 ? nil : Int(numbers[1])..<Int(numbers[2])
        byteCount = number(3)
        let behindPath = length + Int(numbers[4])
        file = Array(block[length..<behindPath])
        part = String(decoding: block[behindPath...], as: UTF8.self)
    }

    /// The encoded block.
    var block: OutgoingFrame.Block {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.numberCount * MemoryLayout<Int64>.size + file.count + part.utf8.count)
        for number in [firstLine, extent?.lowerBound, extent?.upperBound, byteCount, file.count] {
            withUnsafeBytes(of: Int64(number ?? -1)) { bytes.append(contentsOf: $0) }
        }
        bytes += file
        bytes += part.utf8
        return OutgoingFrame.Block(length: bytes.count) { $0.copyBytes(from: bytes) }
    }
}
