import Foundation

/// The encoding in which a text was read.
///
/// JSON is UTF-8 (RFC 8259, section 8.1). Files from older systems may also be in UTF-16 or UTF-32; they are
/// transcoded.
public enum TextEncoding: String, Sendable, Hashable, Codable {
    /// One byte per unit, one to four bytes per character.
    case utf8 = "UTF-8"
    /// Two bytes per unit, the lower one first.
    case utf16LittleEndian = "UTF-16LE"
    /// Two bytes per unit, the higher one first.
    case utf16BigEndian = "UTF-16BE"
    /// Four bytes per character, the lowest one first.
    case utf32LittleEndian = "UTF-32LE"
    /// Four bytes per character, the highest one first.
    case utf32BigEndian = "UTF-32BE"

    /// Returns UTF-8 text converted to this encoding, with ill-formed bytes replaced by U+FFFD. If this encoding is
    /// UTF-8, the bytes are unchanged, after a byte order mark if one is requested.
    public func data(of utf8: Data, withByteOrderMark: Bool) -> Data {
        let text = withByteOrderMark ? Data("\u{FEFF}".utf8) + utf8 : utf8
        // UTF-8 needs no conversion.
        guard let encoding = foundationEncoding else { return text }
        // These encodings can represent every character, so the conversion cannot fail.
        return String(decoding: text, as: UTF8.self).data(using: encoding) ?? text
    }

    private var foundationEncoding: String.Encoding? {
        switch self {
        case .utf8: nil
        case .utf16LittleEndian: .utf16LittleEndian
        case .utf16BigEndian: .utf16BigEndian
        case .utf32LittleEndian: .utf32LittleEndian
        case .utf32BigEndian: .utf32BigEndian
        }
    }

    /// The number of bytes in a code unit.
    var unitLength: Int {
        switch self {
        case .utf8: 1
        case .utf16LittleEndian, .utf16BigEndian: 2
        case .utf32LittleEndian, .utf32BigEndian: 4
        }
    }

    /// Whether the most significant byte of a code unit comes first.
    var isBigEndian: Bool { self == .utf16BigEndian || self == .utf32BigEndian }

    /// Returns the encoding of `bytes`, based on their byte order mark or, if there is none, on which of the first
    /// bytes are zero (RFC 4627, section 3: the first two characters of a JSON text are ASCII).
    static func detect(in bytes: SourceBytes) -> (encoding: TextEncoding, markLength: Int) {
        guard bytes.count >= 2 else { return (.utf8, 0) }
        let base = bytes.base
        // The bytes are followed by zero bytes, so four can always be read.
        let first = (base[0], base[1], base[2], base[3])
        switch first {
        case (0xEF, 0xBB, 0xBF, _): return (.utf8, 3)
        case (0xFF, 0xFE, 0, 0) where bytes.count >= 4: return (.utf32LittleEndian, 4)
        case (0, 0, 0xFE, 0xFF): return (.utf32BigEndian, 4)
        case (0xFF, 0xFE, _, _): return (.utf16LittleEndian, 2)
        case (0xFE, 0xFF, _, _): return (.utf16BigEndian, 2)
        case (1..., 0, 0, 0) where bytes.count >= 4 && bytes.count % 4 == 0: return (.utf32LittleEndian, 0)
        case (0, 0, 0, 1...) where bytes.count % 4 == 0: return (.utf32BigEndian, 0)
        case (1..., 0, _, _) where bytes.count % 2 == 0: return (.utf16LittleEndian, 0)
        case (0, 1..., _, _) where bytes.count % 2 == 0: return (.utf16BigEndian, 0)
        default: return (.utf8, 0)
        }
    }

    /// Returns `bytes` in UTF-8 without their byte order mark.
    ///
    /// - Parameter format: The format of the text, for error messages.
    /// - Throws: ``DocumentParseError`` with the location of the first unit that isn't part of a valid character.
    func transcode(
        _ bytes: SourceBytes, skipping markLength: Int, format: DocumentFormat = .json
    ) throws(DocumentParseError) -> SourceBytes {
        let length = bytes.count - markLength
        // A unit of two bytes takes up to three in UTF-8, and a unit of four up to four.
        let capacity = unitLength == 2 ? (length + 1) / 2 * 3 : length
        var hasFailed = false
        let text = SourceBytes(capacity: capacity) { memory in
            var written = 0
            func write(_ byte: UInt8) {
                memory[written] = byte
                written += 1
            }
            let units = stride(from: markLength, to: bytes.count, by: unitLength).lazy.map {
                // An incomplete unit at the end becomes an unpaired surrogate, which is invalid there.
                self.unit(at: $0, in: bytes) ?? 0xD800
            }
            hasFailed =
                unitLength == 2
                ? Swift.transcode(
                    units.lazy.map { UInt16($0) }.makeIterator(), from: UTF16.self, to: UTF8.self,
                    stoppingOnError: true, into: write)
                : Swift.transcode(
                    units.makeIterator(), from: UTF32.self, to: UTF8.self, stoppingOnError: true, into: write)
            return written
        }
        if hasFailed {
            throw DocumentParseError(
                format: format, location: location(at: text.count, in: text, markLength: markLength),
                problem: .notInEncoding(self))
        }
        guard text.count < SourceBytes.limit else {
            throw DocumentParseError(
                format: format, location: nil, problem: .tooLarge(byteCount: text.count, isTranscoded: true))
        }
        return text
    }

    /// Returns the code unit at `offset`, or nil if it is incomplete.
    func unit(at offset: Int, in bytes: SourceBytes) -> UInt32? {
        guard offset + unitLength <= bytes.count else { return nil }
        return (0..<unitLength).reduce(0) { unit, position in
            unit << 8 | UInt32(bytes[offset + (isBigEndian ? position : unitLength - 1 - position)])
        }
    }

    /// Returns the location of the byte at `offset` of `utf8`, with its offset counted in bytes of this encoding, after
    /// a byte order mark of `markLength` bytes.
    func location(at offset: Int, in utf8: SourceBytes, markLength: Int) -> SourceLocation {
        var location = LineIndex.location(at: offset, in: utf8)
        switch self {
        case .utf8: break
        case .utf16LittleEndian, .utf16BigEndian:
            location.offset = 2 * utf8.string(in: 0..<min(offset, utf8.count)).utf16.count + markLength
        case .utf32LittleEndian, .utf32BigEndian:
            location.offset = 4 * LineIndex.scalarCount(in: utf8, 0..<min(offset, utf8.count)) + markLength
        }
        return location
    }
}
