import DocumentModel
import DocumentSources

/// Where the document of a request lies, and how many bytes of it come along: what differs from one request to the
/// next. It is the first block of a request's frame.
///
/// In the block stand five numbers of 64 bits, -1 for none: the first line, where the extent begins and ends, the
/// number of bytes that come along, and the length of the path; behind them the path, and the part of the file.
struct SentPlace {
    let file: [UInt8]
    let part: String
    let firstLine: Int?
    let extent: Range<Int>?
    /// How many bytes of the second block are the document; nil where there is none.
    let byteCount: Int?

    private static let numberCount = 5

    init(_ address: DocumentAddress, of request: WorkerRequest) {
        file = request.document.file.bytes
        part = address.part
        firstLine = address.firstLine
        extent = address.extent
        byteCount = request.bytes?.count
    }

    /// What a block says.
    ///
    /// - Throws: ``BrokenFrame`` for one that says nothing.
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

    /// The block that says this.
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
