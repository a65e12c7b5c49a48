/// The syntax of strings in JSON (RFC 8259, section 7).
package enum JSONString {
    /// Returns the text that the bytes represent, which are the inside of a well-formed string.
    static func unescaped(_ source: UnsafeRawBufferPointer) -> String {
        String(unsafeUninitializedCapacity: source.count) { target in
            var read = 0
            var written = 0
            while read < source.count {
                guard source[read] == UInt8(ascii: "\\") else {
                    target[written] = source[read]
                    (read, written) = (read + 1, written + 1)
                    continue
                }
                let escape = source[read + 1]
                read += 2
                if escape == UInt8(ascii: "u") {
                    // No escape is shorter than its result: six bytes give at most three, and twelve give four.
                    var value = hexadecimal(source, read)
                    read += 4
                    if value & 0xFC00 == 0xD800 {
                        value = 0x10000 + (value & 0x3FF) << 10 + (hexadecimal(source, read + 2) & 0x3FF)
                        read += 6
                    }
                    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
                    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                        target[written] = byte
                        written += 1
                    }
                } else {
                    target[written] = control(escape)
                    written += 1
                }
            }
            return written
        }
    }

    /// Returns whether a string or a name is well-formed, for bytes that were not parsed and are followed by
    /// ``SourceBytes/padding`` readable bytes. It must be UTF-8 and, if it is quoted, follow JSON's grammar.
    ///
    /// - Parameter isEscaped: Whether there may be escapes, which only quoted text has.
    static func isSound(_ bytes: UnsafeRawBufferPointer, isQuoted: Bool, isEscaped: Bool) -> Bool {
        guard isQuoted || !isEscaped, let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
            return false
        }
        let quote = UInt8(ascii: "\"")
        var (offset, end) = (0, bytes.count)
        if isQuoted {
            guard end > 1, base[0] == quote, base[end - 1] == quote else { return false }
            (offset, end) = (1, end - 1)
        }
        while offset < end {
            // Skip eight bytes at a time if none of them is special.
            let word = UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self)
            if word & 0x8080_8080_8080_8080 == 0, !isQuoted || !hasSpecial(word) {
                offset += 8
                continue
            }
            let byte = base[offset]
            var length: Int? = 1
            if byte >= 0x80 {
                length = UTF8Sequence.length(at: base + offset)
            } else if isQuoted, byte < 0x20 || byte == quote {
                return false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                length = isEscaped ? escapeLength(UnsafeRawBufferPointer(rebasing: bytes[offset..<end])) : nil
            }
            guard let length, offset + length <= end else { return false }
            offset += length
        }
        return true
    }

    /// Returns whether any of eight ASCII bytes is a control character, a quotation mark or a backslash. May also
    /// return true if none is.
    private static func hasSpecial(_ word: UInt64) -> Bool {
        ((word &- 0x2020_2020_2020_2020) | ((word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101)
            | ((word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 != 0
    }

    /// Returns the length of the escape at the beginning of the bytes, or nil if ``unescaped(_:)`` cannot read it.
    static func escapeLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
        func unit(at start: Int) -> UInt32? {
            let isWhole =
                start + 6 <= bytes.count && bytes[start] == UInt8(ascii: "\\")
                && bytes[start + 1] == UInt8(ascii: "u")
                && bytes[start + 2..<start + 6].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            return isWhole ? hexadecimal(bytes, start + 2) : nil
        }
        guard bytes.count > 1 else { return nil }
        if bytes[1] != UInt8(ascii: "u") { return "\"\\/bfnrt".utf8.contains(bytes[1]) ? 2 : nil }
        guard let first = unit(at: 0) else { return nil }
        switch first {
        case 0xD800..<0xDC00: return unit(at: 6).map { (0xDC00..<0xE000).contains($0) } == true ? 12 : nil
        case 0xDC00..<0xE000: return nil
        default: return 6
        }
    }

    /// Returns the byte that a single-letter escape represents.
    static func control(_ escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }

    private static func hexadecimal(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt32 {
        (start..<start + 4).reduce(0) { value, position in
            let byte = bytes[position]
            return value << 4 | UInt32(byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : (byte | 0x20) - 87)
        }
    }

    /// Returns the escape for a control character.
    package static func escape(_ byte: UInt8) -> String {
        switch byte {
        case 0x08: return "\\b"
        case 0x0C: return "\\f"
        case 0x0A: return "\\n"
        case 0x0D: return "\\r"
        case 0x09: return "\\t"
        default: return "\\u" + byte.padded(to: 4, radix: 16)
        }
    }

    /// Returns the JSON text of a string.
    package static func text(of string: String) -> String {
        var output = ByteWriter()
        string.withBytes { appendQuoted($0, to: &output) }
        return String(decoding: output.bytes, as: UTF8.self)
    }

    /// Appends the escaped form of `utf8` to `output`, in quotation marks.
    static func appendQuoted(_ utf8: UnsafeRawBufferPointer, to output: inout ByteWriter) {
        output.append(UInt8(ascii: "\""))
        appendEscaped(utf8, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// Appends the escaped form of `utf8` to `output`, without quotation marks. Only characters that must be escaped
    /// are.
    private static func appendEscaped(_ utf8: UnsafeRawBufferPointer, to output: inout ByteWriter) {
        var clean = 0
        for position in utf8.indices {
            let byte = utf8[position]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            output.append(UnsafeRawBufferPointer(rebasing: utf8[clean..<position]))
            clean = position + 1
            if byte < 0x20 {
                output.append(escape(byte))
            } else {
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            }
        }
        output.append(UnsafeRawBufferPointer(rebasing: utf8[clean...]))
    }
}
