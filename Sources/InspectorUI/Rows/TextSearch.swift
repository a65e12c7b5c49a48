/// A text to search for. Case is ignored for ASCII letters unless the text has an uppercase letter, like `smartcase`
/// in less and vim.
struct TextSearch: Hashable, Sendable {
    let text: String
    private let needle: [UInt8]
    private let foldsCase: Bool

    init(_ text: String) {
        self.text = text
        foldsCase = !text.utf8.contains { (0x41...0x5A).contains($0) }
        needle = Array(text.utf8)
    }

    var isEmpty: Bool { needle.isEmpty }

    func matches(_ haystack: String) -> Bool {
        if needle.isEmpty { return true }
        var haystack = haystack
        return haystack.withUTF8 { firstMatch(in: UnsafeRawBufferPointer($0), from: 0) != nil }
    }

    /// Returns the offset of the first match in `bytes` at or after `start`.
    func firstMatch(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let first = needle.first, bytes.count >= needle.count else { return nil }
        let other = foldsCase && (0x61...0x7A).contains(first) ? first - 0x20 : first
        var offset = max(0, start)
        let last = bytes.count - needle.count
        while offset <= last {
            let byte = bytes[offset]
            if byte == first || byte == other, isMatch(bytes, at: offset) { return offset }
            offset += 1
        }
        return nil
    }

    /// Returns the offset of the last match in `bytes` that starts before `end`.
    func lastMatch(in bytes: UnsafeRawBufferPointer, before end: Int) -> Int? {
        guard !needle.isEmpty else { return nil }
        var offset = min(end - 1, bytes.count - needle.count)
        while offset >= 0 {
            if isMatch(bytes, at: offset) { return offset }
            offset -= 1
        }
        return nil
    }

    /// Returns the UTF-8 ranges of all matches in a text, for highlighting.
    func ranges(in text: [UInt8]) -> [Range<Int>] {
        text.withUnsafeBytes { bytes in
            var ranges: [Range<Int>] = []
            while let match = firstMatch(in: bytes, from: ranges.last?.upperBound ?? 0) {
                ranges.append(match..<(match + needle.count))
            }
            return ranges
        }
    }

    private func isMatch(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        for position in needle.indices {
            var byte = bytes[offset + position]
            if foldsCase, (0x41...0x5A).contains(byte) { byte += 0x20 }
            if byte != needle[position] { return false }
        }
        return true
    }
}
