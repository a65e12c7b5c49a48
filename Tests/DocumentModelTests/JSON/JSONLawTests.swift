import Foundation
import TestSupport
import Testing

@testable import DocumentModel

@Suite("Laws of reading and writing JSON")
struct JSONLawTests {
    private static let text =
        #"{"id": 12, "é\n\ud83d\ude00": [1.50, -0, 1e-3, {"x": null, "y": {}}], "a": true, "a": "日本 \"q\" \\", "": [[], false]}"#

    @Test("a text cut off anywhere is an error, never a crash")
    func truncation() {
        let bytes = Array(Self.text.utf8)
        for length in 0..<bytes.count {
            #expect(throws: DocumentParseError.self) { try Document(parsing: SourceBytes(Data(bytes[..<length]))) }
        }
    }

    @Test("a written document is read as the same document, in every layout", arguments: 0..<60 as Range<UInt64>)
    func roundTrips(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var builder = DocumentBuilder()
        build(&builder, depth: 0, &generator)
        let document = builder.finish()
        for layout in [JSONWriter.Spacing.compact, .pretty, .pretty(indent: "\t")] {
            let text = JSONWriter(layout: layout).string(document.root)
            let back = try Document(json: text)
            #expect(JSONWriter().string(back.root) == JSONWriter().string(document.root))
            #expect(back == document && back.nodeCount == document.nodeCount)
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            }
            for node in back.root.nodes {
                #expect(DocumentPath(node.path.description) == node.path)
            }
        }
        var copy = DocumentBuilder()
        copy.append(try Document(json: JSONWriter(layout: .pretty).string(document.root)).root)
        #expect(copy.finish() == document)
    }

    @Test(
        "a document keeps the layout of its first member or element",
        arguments: [
            "[\r\n\t1,\r\n\t[\r\n\t\t2\r\n\t]\r\n]", "[\n  1,\n  {\n    \"a\": 2\n  }\n]", "[1,[2]]",
            "{\r\n \"a\" : 1,\r\n \"b\" : {\r\n  \"c\" : 2\r\n }\r\n}", "{\r\"a\":1,\r\"b\":2\r}",
        ])
    func layout(text: String) throws {
        let document = try Document(json: text)
        #expect(JSONWriter(layout: .matching(document)).string(document.root) == text)
    }

    private func build(_ builder: inout DocumentBuilder, depth: Int, _ generator: inout SeededGenerator) {
        switch Int.random(in: 0..<(depth > 3 ? 5 : 8), using: &generator) {
        case 0: builder.string(string(&generator))
        case 1: builder.number(Int.random(in: .min ... .max, using: &generator))
        case 2:
            builder.number(
                ["1.50", "-0", "1e-3", "0.1E+5", "12345678901234567890"].randomElement(using: &generator) ?? "0")
        case 3: builder.boolean(Bool.random(using: &generator))
        case 4: builder.null()
        case 5:
            builder.beginArray()
            for _ in 0..<Int.random(in: 0..<6, using: &generator) { build(&builder, depth: depth + 1, &generator) }
            builder.end()
        default:
            builder.beginObject()
            for _ in 0..<Int.random(in: 0..<6, using: &generator) {
                builder.key(string(&generator))
                build(&builder, depth: depth + 1, &generator)
            }
            builder.end()
        }
    }

    private func string(_ generator: inout SeededGenerator) -> String {
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<20, using: &generator) {
            let limit: UInt32 = [0x20, 0x80, 0x800, 0xD800, 0x11_0000].randomElement(using: &generator) ?? 0x80
            scalars.append(Unicode.Scalar(UInt32.random(in: 0..<limit, using: &generator)) ?? "\\")
        }
        return String(scalars)
    }

    @Test(
        "a text is accepted if and only if Foundation accepts it, however it was mutated",
        arguments: 0..<8 as Range<UInt64>)
    func agreement(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("{}[]\",:\\/untrufalse0123456789.eE+- \n\té\u{1}".utf8)
        let original = Array(Self.text.utf8)
        for _ in 0..<1500 {
            var bytes = original
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.remove(at: position)
                case 1: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: position)
                default: bytes[position] = alphabet.randomElement(using: &generator) ?? 0
                }
            }
            let data = Data(bytes)
            let ours = (try? Document(parsing: SourceBytes(data))) != nil
            let theirs = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
            #expect(ours == theirs, "\(String(decoding: data, as: UTF8.self))")
        }
    }

    @Test("strings are unescaped as by Foundation")
    func strings() throws {
        let text = #""\u0041\u00e9\u65E5\uD83D\ude00\"\\\/\b\f\n\r\t\u0000 é日😀""#
        #expect(try Document(json: text).root.string == JSONDecoder().decode(String.self, from: Data(text.utf8)))
    }

    @Test("strings that were built have escapes only for quotation marks, backslashes and control characters")
    func escapes() {
        for value in 0...0x80 as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var builder = DocumentBuilder()
            builder.string("a\(scalar)é")
            let hexadecimal = String(value, radix: 16, uppercase: false)
            let escape: String =
                switch value {
                case 8: "\\b"
                case 9: "\\t"
                case 10: "\\n"
                case 12: "\\f"
                case 13: "\\r"
                case ..<16: "\\u000\(hexadecimal)"
                case ..<32: "\\u00\(hexadecimal)"
                case 34, 92: "\\\(scalar)"
                default: "\(scalar)"
                }
            #expect(JSONWriter().string(builder.finish().root) == "\"a\(escape)é\"")
        }
    }

    @Test("a value that JSON does not have is written as an object that says so")
    func wrapped() {
        var builder = DocumentBuilder()
        builder.beginArray()
        builder.date(Date(timeIntervalSinceReferenceDate: 0.5))
        builder.data(Data([1, 2, 3]))
        builder.number("nan")
        builder.number("-inf")
        builder.end()
        let document = builder.finish(format: .plistBinary)
        let expected = #"[{"$date":"2001-01-01T00:00:00.5Z"},{"$data":"AQID"},{"$real":"nan"},{"$real":"-inf"}]"#
        #expect(JSONWriter().string(document.root) == expected)
    }
}
