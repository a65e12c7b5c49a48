/// Changes bytes at random.
struct Mutator {
    /// Texts with a meaning to the reader of the bytes.
    let words: [[UInt8]]

    init(_ words: [String]) { self.words = words.map { Array($0.utf8) } }

    static let json = Mutator([
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\u0000", "null", "true", "1e400", "-0", "0.1e-7",
        "18446744073709551616", "\u{FEFF}", "//", "/*", "*/", "'", "NaN", "Infinity", "\"version\":", "\"version\": 2",
        "\0",
        "\u{2028}", "é",
    ])
    static let xml = Mutator([
        "<", ">", "/>", "</", "&", "&#0;", "&#x110000;", "&lt;", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>",
        "<dict>",
        "</dict>", "<array>", "</array>", "<key>", "</key>", "<string/>", "<integer>", "0x7fffffffffffffff", "<real>",
        "<date>", "<data>", "=", "CF$UID", "<!DOCTYPE", "nan", "\0", "\"",
    ])
    static let binary = Mutator(["\0", "bplist00", "\u{7F}", "\u{1}", "\0\0\0\0\0\0\0\u{1}", "\0\0\0\0"])

    func mutate(_ bytes: inout [UInt8], times: Int, _ random: inout SplitMix64) {
        for _ in 0..<times { mutate(&bytes, &random) }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        guard !bytes.isEmpty else { return bytes.append(UInt8(random.below(256))) }
        let place = random.below(bytes.count)
        let end = min(bytes.count, place + 1 + random.below(random.below(4) == 0 ? 64 : 4))
        switch random.below(12) {
        case 0, 1: bytes[place] ^= 1 << UInt8(random.below(8))
        case 2: bytes[place] = UInt8(random.below(256))
        case 3, 4: bytes.insert(contentsOf: words[random.below(words.count)], at: place)
        case 5: bytes.replaceSubrange(place..<end, with: words[random.below(words.count)])
        case 6: bytes.removeSubrange(place..<end)
        case 7: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count))
        case 8: bytes.swapAt(place, random.below(bytes.count))
        case 9 where random.below(4) == 0: bytes.removeSubrange(place...)
        case 10:
            // A number that may overflow in the reader's arithmetic.
            let number: [UInt64] = [0, 1, 0x7F, 0xFF, 0x7FFF_FFFF, 0xFFFF_FFFF, .max, .max >> 1, UInt64(bytes.count)]
            let width = 1 << random.below(4)
            var value = number[random.below(number.count)]
            if random.below(2) == 0 { value = value.byteSwapped >> UInt64(64 - width * 8) }
            for offset in 0..<width where place + offset < bytes.count {
                bytes[place + offset] = UInt8(truncatingIfNeeded: value)
                value >>= 8
            }
        default:
            if bytes[place] & 0xF0 == 0x30 { bytes[place] = 0x30 + UInt8(random.below(10)) } else { bytes[place] &+= 1 }
        }
    }
}
