extension DocumentNode {
    /// The beginning of the text of a string or key, read without reading the rest: for showing one line of a string
    /// that may be a hundred megabytes long.
    ///
    /// - Parameter limit: How many bytes of the text, as it is stored, are read at most.
    /// - Returns: The text, and whether that is all of it; nil for anything but a string or key.
    public func beginning(limit: Int) -> (text: String, isWhole: Bool)? {
        let node = tapeNode
        guard node.kind == .string || node.kind == .key else { return nil }
        let inset = node.flags.contains(.quoted) ? 1 : 0
        let range = Int(node.start) + inset..<Int(node.end) - inset
        if range.count <= limit { return (string ?? "", true) }
        let text = document.storage.text
        var end = range.lowerBound + max(0, limit)
        // Not in the middle of a character of UTF-8 …
        while end > range.lowerBound, text[end] & 0xC0 == 0x80 { end -= 1 }
        guard node.flags.contains(.escaped) else { return (text.string(in: range.lowerBound..<end), false) }
        // … nor of an escape, of which `\uD83D\uDE00` is the longest.
        var offset = range.lowerBound
        while offset < end {
            guard text[offset] == UInt8(ascii: "\\") else {
                offset += 1
                continue
            }
            let isHexadecimal = text[offset + 1] == UInt8(ascii: "u")
            let isPair =
                isHexadecimal && text[offset + 2] | 0x20 == UInt8(ascii: "d")
                && "89ab".utf8.contains(text[offset + 3] | 0x20)
            let length = isPair ? 12 : isHexadecimal ? 6 : 2
            if offset + length > end { end = offset } else { offset += length }
        }
        return (JSONString.unescaped(text, range.lowerBound..<end), false)
    }
}
