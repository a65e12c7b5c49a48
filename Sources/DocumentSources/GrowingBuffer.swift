import DocumentModel

/// Bytes of which nobody knows beforehand how many there will be, kept in chunks so that none is copied as more come.
struct GrowingBuffer {
    private static let chunkLength = 1 << 18

    private var chunks: [[UInt8]] = []

    /// The number of bytes.
    private(set) var count = 0

    /// Lets `fill` write behind the bytes so far.
    ///
    /// - Parameter fill: Writes at the pointer and returns how many bytes it wrote, or a negative number for a failure.
    /// - Returns: What `fill` returned.
    mutating func append(_ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
        var result = 0
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkLength) { memory, written in
            result = fill(UnsafeMutableRawBufferPointer(memory))
            written = max(0, result)
        }
        if result > 0 {
            // A pipe gives little at a time; a chunk of its own for every little would waste most of each.
            if let last = chunks.indices.last, chunks[last].count + result <= Self.chunkLength {
                chunks[last].append(contentsOf: chunk)
            } else {
                chunks.append(chunk)
            }
            count += result
        }
        return result
    }

    /// All bytes in one piece, behind those of `head`.
    func bytes(behind head: SourceBytes?) -> SourceBytes {
        let headCount = head?.count ?? 0
        return SourceBytes(capacity: headCount + count) { memory in
            var offset = headCount
            head?.withBytes(in: 0..<headCount) { memory.copyMemory(from: $0) }
            for chunk in chunks {
                memory[offset...].copyBytes(from: chunk)
                offset += chunk.count
            }
            return offset
        }
    }
}
