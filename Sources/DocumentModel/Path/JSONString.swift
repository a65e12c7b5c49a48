/// The spelling of strings in JSON (RFC 8259, section 7).
package enum JSONString {
    /// The text that the bytes, the inside of a well-formed string, stand for.
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
                    // No escape is shorter than what it stands for: six bytes give at most three, twelve give four.
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

    /// Whether every escape in the bytes is one that ``unescaped(_:)`` can read, for bytes that no parser has seen.
    static func hasSoundEscapes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        func unit(at start: Int) -> UInt32? {
            let isWhole =
                start + 6 <= bytes.count && bytes[start] == UInt8(ascii: "\\")
                && bytes[start + 1] == UInt8(ascii: "u")
                && bytes[start + 2..<start + 6].allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
            return isWhole ? hexadecimal(bytes, start + 2) : nil
        }
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            guard position + 1 < bytes.count else { return false }
            guard bytes[position + 1] == UInt8(ascii: "u") else {
                position += 2
                continue
            }
            guard let first = unit(at: position) else { return false }
            position += 6
            guard first & 0xFC00 == 0xD800 else { continue }
            guard unit(at: position) != nil else { return false }
            position += 6
        }
        return true
    }

    /// The byte that an escape of one letter stands for.
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

    /// The escape for a control character.
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

    /// The JSON text of a string.
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

    /// Appends the escaped form of `utf8` to `output`, without quotation marks: only what must be escaped is.
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
