import Foundation
import TestSupport
import Testing

@testable import DocumentModel

@Suite("Documents that another process wrote to memory")
struct PackedDocumentTests {
    /// The block of a document, which owns its memory.
    private final class Block {
        let packed: PackedDocument
        let bytes: UnsafeMutableRawBufferPointer

        init(_ document: Document) {
            packed = PackedDocument(document)
            bytes = .allocate(byteCount: packed.blockLength, alignment: 16)
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
            packed.write(document, into: bytes)
        }

        deinit { bytes.deallocate() }

        var document: Document? { packed.document(in: bytes, of: self) }

        /// The bytes of a node on the tape, which follows the text and its padding.
        func node(_ index: Int, of document: Document) -> UnsafeMutablePointer<TapeNode> {
            let tape = (document.storage.text.count + SourceBytes.padding + 15) & ~15
            return (bytes.baseAddress! + tape).assumingMemoryBound(to: TapeNode.self) + index
        }
    }

    /// Whether a document is refused after a change to its text or its tape.
    private func isRefused(
        _ text: String, _ change: (Block, Document) throws -> Void
    ) throws -> Bool {
        let document = try Document(json: text)
        let block = Block(document)
        try #require(block.document?.root.isEqual(to: document.root) == true)
        try change(block, document)
        return block.document == nil
    }

    private func replace(_ text: String, with other: [UInt8]) -> (Block, Document) throws -> Void {
        { block, document in
            let start = try #require(document.source?.string(in: 0..<document.storage.text.count).utf8Offset(of: text))
            for (offset, byte) in other.enumerated() { block.bytes[start + offset] = byte }
        }
    }

    @Test("a packed document is the same document, whatever its format and however it was made")
    func honest() throws {
        let bytes =
            [
                Data(#"{"a": [1, -2.5e3, "é\u00e9\ud83d\ude00\"\\", {}, []], "": null, "ü": [true, false]}"#.utf8),
                Data("\u{FEFF}[1,]".utf8), try #require("{\"é\": \"\u{1F600}\"}".data(using: .utf16)),
                try #require("[\"ß\"]".data(using: .utf32LittleEndian)), Data("null".utf8), Data("\"\"".utf8),
                Data(
                    #"<plist><dict><key>a &amp; b</key><array><integer>7</integer><string>&#233;<![CDATA[<]]></string></array><key>d</key><date>2024-01-31T12:00:00Z</date><key>e</key><data>AQID</data><key>f</key><real>nan</real></dict></plist>"#
                        .utf8),
                try PropertyListSerialization.data(
                    fromPropertyList: ["a": [1, "x", Data([1]), Date(timeIntervalSince1970: 0)], "ü": "x"],
                    format: .binary, options: 0),
            ]
        for bytes in bytes {
            let document = try Document(parsing: SourceBytes(bytes))
            var copied = DocumentBuilder()
            copied.append(document.root)
            for document in [document, Document(copying: document.root), copied.finish(format: document.format)] {
                let arrived = try #require(Block(document).document, "\(bytes)")
                #expect(arrived.root.isEqual(to: document.root) && arrived.format == document.format)
                #expect(arrived.root.nodes.map(\.sourceRange) == document.root.nodes.map(\.sourceRange))
                #expect(arrived.root.nodes.map(\.string) == document.root.nodes.map(\.string))
                #expect(arrived.leniencies == document.leniencies)
            }
        }
        let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(Block(try Document(json: deepest)).document != nil)
    }

    @Test("a packed document is refused if it is nested too deeply")
    func depth() {
        for (depth, isTaken) in [(512, true), (513, true), (514, false), (100_000, false)] {
            var builder = DocumentBuilder()
            for _ in 0..<depth { builder.beginArray() }
            for _ in 0..<depth { builder.end() }
            let document = builder.finish()
            #expect((Block(document).document != nil) == isTaken && document.isTooDeep == (depth > 512), "\(depth)")
        }
    }

    @Test("a packed document is refused if nodes share text, or are in another order than their text")
    func overlaps() throws {
        let text = #"["abc", "def"]"#
        #expect(try isRefused(text) { $0.node(2, of: $1).pointee.start = $0.node(1, of: $1).pointee.start })
        #expect(try isRefused(text) { $0.node(1, of: $1).pointee.end = $0.node(2, of: $1).pointee.end })
        #expect(
            try isRefused(text) { block, document in
                let (first, second) = (block.node(1, of: document), block.node(2, of: document))
                (first.pointee.start, second.pointee.start) = (second.pointee.start, first.pointee.start)
                (first.pointee.end, second.pointee.end) = (second.pointee.end, first.pointee.end)
            })
        // The brackets belong to the array.
        #expect(try isRefused("[7]") { $0.node(1, of: $1).pointee.start = 0 })
        #expect(try isRefused("[[]]") { $0.node(1, of: $1).pointee.end = 4 })
        #expect(try isRefused("[7]") { $0.node(0, of: $1).pointee.end = 2 })
    }

    @Test(
        "a packed document is refused if a string is not spelled as JSON spells strings",
        arguments: [
            ("abcd", [0x22, 0x22]), ("abcd", [0x0A]), ("abcd", [0x5C]), ("abcd", [0xFF]), ("abcd", [0xC3, 0x28]),
            ("abcd", [0x61, 0x62, 0x63, 0xE2]), ("abcd", [0xED, 0xA0, 0x80]), (#"\n"#, [0x5C, 0x78]),
            (#"\u00e9"#, Array(#"\u00g9"#.utf8)), (#"\ud83d\ude00"#, Array(#"\ud83d\u0041"#.utf8)),
            (#"\ud83d\ude00"#, Array(#"\ude00\ud83d"#.utf8)), (#"\u00e9"#, Array(#"\ud800"#.utf8)),
            (#"end\\"#, Array(#"endx\"#.utf8)), ("name", [0x22]), ("name", [0x1B]),
        ] as [(String, [UInt8])])
    func strings(_ text: String, _ bytes: [UInt8]) throws {
        let whole = #"{"name": ["abcd is a text of some length", "\n", "\u00e9", "\ud83d\ude00", "end\\"]}"#
        #expect(try isRefused(whole, replace(text, with: bytes)))
    }

    @Test("a packed string without quotation marks may have any text that is UTF-8")
    func unquoted() throws {
        for (byte, isTaken) in [(UInt8(ascii: "\""), true), (0x0A, true), (0x80, false), (0xC3, false)] {
            var builder = DocumentBuilder()
            builder.string("a b")
            let block = Block(builder.finish())
            block.bytes[1] = byte
            #expect((block.document != nil) == isTaken, "\(byte)")
        }
        // Escapes exist only inside quotation marks.
        var builder = DocumentBuilder()
        builder.string("a")
        let document = builder.finish()
        let block = Block(document)
        block.node(0, of: document).pointee.flags = .escaped
        #expect(block.document == nil)
    }
}

extension String {
    /// The position of a text in this one, in bytes of UTF-8.
    fileprivate func utf8Offset(of text: String) -> Int? {
        range(of: text, options: .literal).map { utf8.distance(from: startIndex, to: $0.lowerBound) }
    }
}
