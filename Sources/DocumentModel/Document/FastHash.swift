import Foundation

/// Fast hashes that are the same in every run. They aren't safe against deliberate collisions.
enum FastHash {
    /// Combines two words into one, after Wang Yi's wyhash: XORs the halves of a 128-bit product.
    @inline(__always)
    static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: right ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }

    /// Returns the hash of some bytes, which depends on the seed.
    @inline(__always)
    static func hash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        // Most texts are short: two words, which may overlap, contain all their bytes. A text of one word is hashed as
        // one, because hashing that word twice would give it the same hash as another word.
        let start = seed ^ UInt64(truncatingIfNeeded: bytes.count)
        guard bytes.count <= 16 else { return hash(ofMany: bytes, start) }
        guard bytes.count > 8 else { return mix(start, shortWord(of: bytes)) }
        return mix(
            start ^ bytes.loadUnaligned(as: UInt64.self),
            bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
    }

    @inline(never)
    private static func hash(ofMany bytes: UnsafeRawBufferPointer, _ start: UInt64) -> UInt64 {
        var result = start
        var rest = bytes
        if bytes.count >= fewestInLanes {
            // Four independent hashes, so that none has to wait for the product of another.
            var lanes = (result, result &+ 1, result &+ 2, result &+ 3)
            while rest.count >= 32 {
                func word(_ offset: Int) -> UInt64 { rest.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
                lanes = (mix(lanes.0, word(0)), mix(lanes.1, word(8)), mix(lanes.2, word(16)), mix(lanes.3, word(24)))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(32))
            }
            result = mix(mix(lanes.0, lanes.1), mix(lanes.2, lanes.3))
        }
        forEachWord(of: rest) { result = mix(result, $0) }
        return result
    }

    /// The minimum number of bytes for hashing in four lanes.
    private static let fewestInLanes = 128

    /// Returns the hash of an ASCII name, or nil for any other name. Its high bits are mixed best.
    @inline(__always)
    static func hash(ofASCII bytes: UnsafeRawBufferPointer) -> UInt64? {
        var hash = UInt64(truncatingIfNeeded: bytes.count)
        var highBits: UInt64 = 0
        forEachWord(of: bytes) { word in
            highBits |= word
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        }
        return highBits & 0x8080_8080_8080_8080 == 0 ? hash : nil
    }

    /// Returns whether no two hashes are equal.
    ///
    /// A few hashes are compared pairwise. If there are many, they are distributed into heaps by their high bits, and
    /// each heap is sorted. A heap is small enough to stay in the cache, so twice as many hashes take about twice as
    /// long.
    static func areDistinct<Hashes: RandomAccessCollection<UInt64>>(
        _ hashes: Hashes
    ) -> Bool where Hashes.Indices == Range<Int> {
        if hashes.count <= 8 {
            return hashes.indices.allSatisfy { position in
                (0..<position).allSatisfy { hashes[$0] != hashes[position] }
            }
        }
        var sorted = OwnedList<UInt64>(capacity: hashes.count)
        for hash in hashes { sorted.append(hash) }
        sort(&sorted, by: { $0 }, { _, _ in false })
        return sorted.indices.dropFirst().allSatisfy { sorted[$0] != sorted[$0 - 1] }
    }

    /// Sorts elements by their hashes, and elements with equal hashes by `areInOrder`.
    ///
    /// Inlined, because calling a closure for every hash would take as long as the rest of the sorting.
    @inline(__always)
    static func sort<Element: BitwiseCopyable>(
        _ elements: inout OwnedList<Element>, by hash: (Element) -> UInt64, _ areInOrder: (Element, Element) -> Bool
    ) {
        func isLess(_ left: Element, _ right: Element) -> Bool {
            let (hash, other) = (hash(left), hash(right))
            return hash == other ? areInOrder(left, right) : hash < other
        }
        guard elements.count > heapSize else { return elements.sort(by: isLess) }
        let heapStarts = heaps(&elements, by: hash)
        elements.withMutableElements { elements in
            for (start, end) in zip(heapStarts, heapStarts.dropFirst()) where end > start + 1 {
                // A separate collection, because sorting a slice would copy it.
                var part = UnsafeMutableBufferPointer(rebasing: elements[start..<end])
                part.sort(by: isLess)
            }
        }
    }

    /// Distributes elements into heaps by the high bits of their hashes, with heaps of lower hashes first. There must
    /// be at least one element. Returns the start of each heap, followed by the end of the last one.
    @inline(__always)
    private static func heaps<Element: BitwiseCopyable>(
        _ elements: inout OwnedList<Element>, by hash: (Element) -> UInt64
    ) -> [Int] {
        let heapCount = elements.count / heapSize + 1
        func heap(of element: Element) -> Int { Int(hash(element).multipliedFullWidth(by: UInt64(heapCount)).high) }
        var starts = [Int](repeating: 0, count: heapCount + 1)
        for place in elements.indices { starts[heap(of: elements[place]) + 1] += 1 }
        for heap in 0..<heapCount { starts[heap + 1] += starts[heap] }
        var heaped = OwnedList(repeating: elements[0], count: elements.count)
        var ends = starts
        for place in elements.indices {
            let heap = heap(of: elements[place])
            heaped[ends[heap]] = elements[place]
            ends[heap] += 1
        }
        elements = heaped
        return starts
    }

    private static let heapSize = 32

    /// Calls `body` with words of eight bytes. Words may overlap, and every byte is in at least one.
    @inline(__always)
    static func forEachWord(of bytes: UnsafeRawBufferPointer, _ body: (UInt64) -> Void) {
        var offset = 0
        while offset + 8 <= bytes.count {
            body(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        guard offset < bytes.count else { return }
        body(
            bytes.count >= 8
                ? bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self) : shortWord(of: bytes))
    }

    /// Returns whether two texts have the same bytes. Short ones are compared by the words that their hashes are made
    /// of, which is faster than calling `memcmp`.
    @inline(__always)
    static func haveSameBytes(_ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer) -> Bool {
        let count = bytes.count
        if count != others.count { return false }
        if count <= 8 { return shortWord(of: bytes) == shortWord(of: others) }
        guard count <= 16 else { return memcmp(bytes.baseAddress!, others.baseAddress!, count) == 0 }
        func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
            bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        return word(bytes, 0) == word(others, 0) && word(bytes, count - 8) == word(others, count - 8)
    }

    /// Returns a word of all bytes, which are at most eight; 0 if there are none.
    @inline(__always)
    private static func shortWord(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        if bytes.count >= 4 {
            let (first, last) = (
                bytes.loadUnaligned(as: UInt32.self),
                bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self)
            )
            return UInt64(first) << 32 | UInt64(last)
        }
        if bytes.isEmpty { return 0 }
        return UInt64(bytes[0]) << 16 | UInt64(bytes[bytes.count / 2]) << 8 | UInt64(bytes[bytes.count - 1])
    }
}
