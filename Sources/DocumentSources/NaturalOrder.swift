/// The order in which a person lists names: `file2` before `file10`, letter case aside.
///
/// Runs of ASCII digits compare by their value, everything else by its bytes with ASCII letters in lower case, which for UTF-8 is the
/// order of code points. Names that are the same so far compare byte by byte, so that the order is total.
enum NaturalOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { compare(left, $0) < 0 } }
    }

    private static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if isDigit(left[i]), isDigit(right[j]) {
                let (first, second) = (number(in: left, from: &i), number(in: right, from: &j))
                // Without leading zeros the longer number is the greater.
                if first.count != second.count { return first.count - second.count }
                for (digit, other) in zip(first, second) where digit != other { return Int(digit) - Int(other) }
            } else {
                let (byte, other) = (lowercased(left[i]), lowercased(right[j]))
                if byte != other { return Int(byte) - Int(other) }
                (i, j) = (i + 1, j + 1)
            }
        }
        let rest = (left.count - i) - (right.count - j)
        if rest != 0 { return rest }
        return left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    }

    private static func number(
        in text: UnsafeBufferPointer<UInt8>, from offset: inout Int
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        while offset < text.count, text[offset] == UInt8(ascii: "0") { offset += 1 }
        let start = offset
        while offset < text.count, isDigit(text[offset]) { offset += 1 }
        return text[start..<offset]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
