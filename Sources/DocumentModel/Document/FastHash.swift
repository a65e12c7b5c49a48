/// Hashes that are fast and the same in every run, not safe against collisions that someone looks for.
enum FastHash {
    /// Folds two words into one, after Wang Yi's wyhash: the halves of a product of 128 bits.
    static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: right ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low
    }

    /// The hash of some bytes.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var result = UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            result = mix(result, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        var tail: UInt64 = 0
        while offset < bytes.count {
            tail = tail << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return mix(result, tail)
    }
}
