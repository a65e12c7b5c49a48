/// UTF-8 sequences of more than one byte.
enum UTF8Sequence {
    /// Returns the length of the sequence that begins at `base`, which must be followed by three readable bytes, or nil
    /// if it is invalid (the Unicode Standard, table 3-7). A continuation byte is never zero, so zero bytes after the
    /// end of a text cannot complete a sequence.
    @inline(__always)
    static func length(at base: UnsafePointer<UInt8>) -> Int? {
        let second = base[1]
        switch base[0] {
        case 0xC2...0xDF where isContinuation(second): return 2
        case 0xE0 where (0xA0...0xBF).contains(second), 0xE1...0xEC where isContinuation(second),
            0xED where (0x80...0x9F).contains(second), 0xEE...0xEF where isContinuation(second):
            return isContinuation(base[2]) ? 3 : nil
        case 0xF0 where (0x90...0xBF).contains(second), 0xF1...0xF3 where isContinuation(second),
            0xF4 where (0x80...0x8F).contains(second):
            return isContinuation(base[2]) && isContinuation(base[3]) ? 4 : nil
        default: return nil
        }
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
