import Foundation

/// The variant of base64 (RFC 4648) in which a text is written.
package struct Base64Spelling: Sendable, Equatable {
    /// Whether `-` and `_` take the places of `+` and `/` (RFC 4648, section 5).
    package var isURLSafe: Bool
    /// Whether `=` fills up the last group of four characters.
    package var isPadded: Bool

    /// Returns the bytes that a text represents, and how it is written; nil if it isn't base64.
    ///
    /// If a text doesn't show how it is written, it is assumed to be URL-safe if it lacks padding, because that is the
    /// variant without padding in JSON Web Tokens.
    static func read(_ text: String) -> (data: Data, spelling: Base64Spelling)? {
        let isPadded = text.utf8.count.isMultiple(of: 4)
        let isURLSafe = text.utf8.contains { "-_".utf8.contains($0) }
        let isStandard = text.utf8.contains { "+/".utf8.contains($0) }
        guard !isURLSafe || !isStandard, isPadded || !text.utf8.contains(UInt8(ascii: "=")) else { return nil }
        let characters = text.utf8.map { byte in
            byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
        }
        let padding = repeatElement(UInt8(ascii: "="), count: (4 - characters.count % 4) % 4)
        guard let data = Data(base64Encoded: Data(characters + padding)) else { return nil }
        return (data, Base64Spelling(isURLSafe: isURLSafe || !isStandard && !isPadded, isPadded: isPadded))
    }

    /// Returns the text for bytes.
    func text(of data: Data) -> String {
        let text = data.base64EncodedString().utf8.compactMap { byte in
            switch byte {
            case UInt8(ascii: "+") where isURLSafe: UInt8(ascii: "-")
            case UInt8(ascii: "/") where isURLSafe: UInt8(ascii: "_")
            case UInt8(ascii: "=") where !isPadded: nil as UInt8?
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the first byte that a text in base64 represents, or nil if it doesn't begin with two characters of
    /// base64.
    static func firstByte(of text: some Collection<UInt8>) -> UInt8? {
        let values = text.prefix(2).compactMap { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
            default: nil as UInt8?
            }
        }
        return values.count == 2 ? values[0] << 2 | values[1] >> 4 : nil
    }
}
