import Foundation
import Testing

@testable import DocumentModel

@Suite("The encoding of a JSON text")
struct TextEncodingTests {
    static let encodings: [TextEncoding] = [
        .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
    ]

    private func encoded(_ text: String, _ encoding: TextEncoding) -> Data {
        let units: [UInt32] =
            switch encoding.unitLength {
            case 1: text.utf8.map(UInt32.init)
            case 2: text.utf16.map(UInt32.init)
            default: text.unicodeScalars.map(\.value)
            }
        return Data(units.flatMap { unit in bytes(unit, encoding) })
    }

    private func bytes(_ unit: UInt32, _ encoding: TextEncoding) -> [UInt8] {
        let bytes = (0..<encoding.unitLength).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
        return encoding.isBigEndian ? bytes.reversed() : bytes
    }

    @Test(
        "the encoding is detected by its byte order mark or, without one, by its zero bytes", arguments: encodings,
        ["", "\u{FEFF}"])
    func detection(encoding: TextEncoding, mark: String) throws {
        for text in ["{\"é😀\":[1,\"\u{FFFF}\"]}", "1", "12", "[]"] {
            let document = try Document(parsing: SourceBytes(encoded(mark + text, encoding)))
            #expect(JSONWriter().string(document.root) == text)
            #expect(document.encoding == encoding)
        }
    }

    @Test(
        "the encoding does not change locations, in lines, columns and bytes of the file", arguments: encodings,
        ["", "\u{FEFF}"])
    func places(encoding: TextEncoding, mark: String) throws {
        let text = "[\n\"é😀\", "
        let error = try #require(throws: DocumentParseError.self) {
            try Document(parsing: SourceBytes(encoded(mark + text + "x]", encoding)))
        }
        #expect(error.location == SourceLocation(line: 2, column: 7, offset: encoded(mark + text, encoding).count))
        let document = try Document(parsing: SourceBytes(encoded(mark + text + "7]", encoding)))
        #expect(document.root[1]?.location == error.location)
    }

    @Test(
        "broken UTF-16 is refused by name, with the offset",
        arguments: [TextEncoding.utf16LittleEndian, .utf16BigEndian])
    func brokenUTF16(encoding: TextEncoding) throws {
        for units in [[0xD83D, 0x22], [0xDE00, 0x22], [0xD83D, 0xD83D], [0xD83D]] as [[UInt32]] {
            let text = encoded("\u{FEFF}[\"é", encoding) + Data(units.flatMap { bytes($0, encoding) })
            let error = try #require(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(text)) }
            #expect(error.problem == .notInEncoding(encoding))
            #expect(error.location == SourceLocation(line: 1, column: 4, offset: 8))
        }
        let odd = encoded("\u{FEFF}[]", encoding) + [0x20]
        let error = try #require(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(odd)) }
        #expect(error.location?.offset == 6)
    }

    @Test("broken UTF-32 is refused, with the offset", arguments: [TextEncoding.utf32LittleEndian, .utf32BigEndian])
    func brokenUTF32(encoding: TextEncoding) throws {
        for unit in [0xD800, 0x11_0000, .max] as [UInt32] {
            let text = encoded("\u{FEFF}[\"", encoding) + Data(bytes(unit, encoding))
            let error = try #require(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(text)) }
            #expect(error.location?.offset == 12)
        }
    }
}
