import Foundation

/// The encoding in which a text was read.
///
/// JSON is UTF-8 (RFC 8259, section 8.1). Files of older systems are met in UTF-16 and UTF-32 too; they are transcoded.
public enum TextEncoding: String, Sendable, Hashable, Codable {
    /// One byte a unit, one to four a character.
    case utf8 = "UTF-8"
    /// Two bytes a unit, the lower one first.
    case utf16LittleEndian = "UTF-16LE"
    /// Two bytes a unit, the higher one first.
    case utf16BigEndian = "UTF-16BE"
    /// Four bytes a character, the lowest one first.
    case utf32LittleEndian = "UTF-32LE"
    /// Four bytes a character, the highest one first.
    case utf32BigEndian = "UTF-32BE"

    /// `utf8`, a text in UTF-8, in this encoding; ill-formed bytes become U+FFFD. In UTF-8 it is `utf8` itself, behind a
    /// byte order mark where one is asked for.
    public func data(of utf8: Data, withByteOrderMark: Bool) -> Data {
        let text = withByteOrderMark ? Data("\u{FEFF}".utf8) + utf8 : utf8
        // Nothing is converted where there is nothing to convert.
        guard let encoding = foundationEncoding else { return text }
        // These encodings have room for every character, so there is nothing to fail.
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

    /// How many bytes a code unit takes.
    var unitLength: Int {
        switch self {
        case .utf8: 1
        case .utf16LittleEndian, .utf16BigEndian: 2
        case .utf32LittleEndian, .utf32BigEndian: 4
        }
    }

    /// Whether the first byte of a code unit is the one that counts most.
    var isBigEndian: Bool { self == .utf16BigEndian || self == .utf32BigEndian }

    /// The encoding of `bytes`, from their byte order mark or, without one, from where the first bytes are zero (RFC
    /// 4627, section 3: the first two characters of a JSON text are ASCII).
    static func detect(in bytes: SourceBytes) -> (encoding: TextEncoding, markLength: Int) {
        guard bytes.count >= 2 else { return (.utf8, 0) }
        let base = bytes.base
        // Past the end come zero bytes, so the four can always be read.
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

    /// `bytes` in UTF-8, without their byte order mark.
    ///
    /// - Parameter format: What the text is, for an error.
    /// - Throws: ``DocumentParseError`` with the place of the first unit that is not part of a character.
    func transcode(
        _ bytes: SourceBytes, skipping markLength: Int, format: DocumentFormat = .json
    ) throws(DocumentParseError) -> SourceBytes {
        let length = bytes.count - markLength
        // No unit of two bytes takes more than three in UTF-8, and none of four more than four.
        let capacity = unitLength == 2 ? (length + 1) / 2 * 3 : length
        var hasFailed = false
        let text = SourceBytes(capacity: capacity) { memory in
            var written = 0
            func write(_ byte: UInt8) {
                memory[written] = byte
                written += 1
            }
            let units = stride(from: markLength, to: bytes.count, by: unitLength).lazy.map {
                // Half a surrogate pair, which no text has at its end, stands for a unit that is cut off.
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

    /// The code unit at `offset`; nil if it is not all there.
    func unit(at offset: Int, in bytes: SourceBytes) -> UInt32? {
        guard offset + unitLength <= bytes.count else { return nil }
        return (0..<unitLength).reduce(0) { unit, position in
            unit << 8 | UInt32(bytes[offset + (isBigEndian ? position : unitLength - 1 - position)])
        }
    }

    /// The location of the byte at `offset` of `utf8`, its offset counted in bytes of this encoding, which stand behind
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
