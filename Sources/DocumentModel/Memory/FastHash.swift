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
        forEachWord(of: bytes) { result = mix(result, $0) }
        return result
    }

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
    static func areDistinct(_ hashes: [UInt64]) -> Bool {
        // Comparing a few pairwise takes less time than creating a set.
        guard hashes.count <= 16 else { return Set(hashes).count == hashes.count }
        return hashes.indices.allSatisfy { position in !hashes[..<position].contains(hashes[position]) }
    }

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

    /// Returns whether two texts have the same bytes.
    @inline(__always)
    static func haveSameBytes(_ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == others.count else { return false }
        guard let base = bytes.baseAddress, let otherBase = others.baseAddress else { return bytes.isEmpty }
        return memcmp(base, otherBase, bytes.count) == 0
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
