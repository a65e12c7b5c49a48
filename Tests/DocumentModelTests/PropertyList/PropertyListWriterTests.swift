import Foundation
import Testing

@testable import DocumentModel

@Suite("Writing a property list")
struct PropertyListWriterTests {
    private func parse(_ data: Data) throws -> Document { try Document(parsing: SourceBytes(data)) }

    @Test("a written property list is what Foundation reads and writes", arguments: 0..<25 as Range<UInt64>)
    func agreement(seed: UInt64) throws {
        var random = RandomPropertyList(seed: seed)
        let value = (0..<5).map { _ in random.value() }
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let theirs = try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
            let document = try parse(theirs)
            #expect(document.root.foundationValue == NSArray(array: value))
            for form in [PropertyListWriter.xml, .binary] {
                let ours = try form.data(document.root)
                let back = try PropertyListSerialization.propertyList(from: ours, format: nil)
                #expect((back as? NSArray ?? (back as? [Any]).map(NSArray.init(array:))) == NSArray(array: value))
                #expect(try parse(ours) == document)
                if form == .xml, format == .xml { #expect(ours == theirs.withShortReals) }
            }
        }
    }

    @Test("line ends, markup and spaces in strings and keys are kept, here and in Foundation")
    func text() throws {
        let texts = ["a\rb", "a\r\nb", "\r", "\n", "\t a ", "<b>&amp;</b>", "]]>", "\"'\"", "<!-- -->", "&#13;"]
        let document = try DocumentEncoder().encode(texts.map { [$0: $0] })
        for form in [PropertyListWriter.xml, .binary] {
            let data = try form.data(document.root)
            let back = try PropertyListSerialization.propertyList(from: data, format: nil)
            #expect(back as? [[String: String]] == texts.map { [$0: $0] })
            #expect(try parse(data).root.isEqual(to: document.root))
            // A reader of XML takes a carriage return for a line feed (XML 1.0, section 2.11).
            if form == .xml { #expect(!data.contains(UInt8(ascii: "\r"))) }
        }
    }

    @Test("a written property list keeps the order of keys")
    func order() throws {
        let document = try Document(json: #"{"z":1,"a":{"c":[],"b":2.0},"m":"x","z":true}"#)
        for form in [PropertyListWriter.xml, .binary] {
            let data = try form.data(document.root)
            #expect(try JSONWriter().string(parse(data).root) == #"{"z":1,"a":{"c":[],"b":2.0},"m":"x","z":true}"#)
        }
    }

    @Test("XML is laid out as by Foundation")
    func layout() throws {
        let value: [String: Any] = [
            "a": [
                Data((0..<200).map { UInt8($0) }), [[[[[[[[[[Data(0..<99)]]]]]]]]]] as [Any], [] as [Any],
                [:] as [String: Any], "", 0.5,
                Double.infinity, -Double.infinity, Double.nan, Date(timeIntervalSinceReferenceDate: -0.5),
                Date.distantPast,
            ] as [Any]
        ]
        let theirs = try PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0)
        let ours = try PropertyListWriter.xml.data(parse(theirs).root)
        #expect(String(decoding: ours, as: UTF8.self) == String(decoding: theirs, as: UTF8.self))
    }

    @Test("integers on both sides of every number of bytes are kept, here and in Foundation")
    func integers() throws {
        let numbers: [Any] = [
            0, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, Int.max, UInt64.max, -1, -256, Int.min,
        ]
        let document = try Document(json: "[\(numbers.map { "\($0)" }.joined(separator: ","))]")
        for form in [PropertyListWriter.xml, .binary] {
            let data = try form.data(document.root)
            #expect(try JSONWriter().string(parse(data).root) == JSONWriter().string(document.root))
            let back = try PropertyListSerialization.propertyList(from: data, format: nil) as? [Any]
            #expect(back.map(NSArray.init(array:)) == NSArray(array: numbers))
        }
    }

    @Test(
        "arrays and strings of every length are kept, and as many objects as references of one and two bytes name",
        arguments: [0, 1, 14, 15, 16, 254, 255, 256, 257, 70_000])
    func lengths(count: Int) throws {
        let numbers = (0..<count).map(String.init).joined(separator: ",")
        let document = try Document(json: "{\"a\":[\(numbers)],\"s\":\"\(String(repeating: "x", count: count))\"}")
        let data = try PropertyListWriter.binary.data(document.root)
        #expect(try parse(data) == document)
        let back = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        #expect((back?["a"] as? [Any])?.count == count && (back?["s"] as? String)?.utf8.count == count)
    }

    @Test("a value that property lists cannot hold is refused, with its path")
    func refusals() throws {
        for form in [PropertyListWriter.xml, .binary] {
            func error(_ json: String) throws -> PropertyListWritingError {
                let document = try Document(json: json)
                return try #require(throws: PropertyListWritingError.self) {
                    try form.data(document.root)
                }
            }
            let null = try error(#"{"a":[1,null]}"#)
            #expect(null.path.description == "$.a[1]" && null.problem == .null)
            let number = try error("[18446744073709551616]")
            #expect(number.path.description == "$[0]" && number.problem == .integerTooLarge("18446744073709551616"))
        }
    }

    /// Returns whether each value that Foundation reads is a dictionary. Identifiers are objects of a separate class.
    private func kinds(_ data: Data) throws -> [String: Bool] {
        let value = try PropertyListSerialization.propertyList(from: data, format: nil)
        return try #require(value as? [String: Any]).mapValues { $0 is [String: Any] }
    }

    @Test("the identifiers of keyed archives are kept, and none are made from dictionaries that look like them")
    func identifiers() throws {
        // An identifier and a dictionary.
        let file: [UInt8] =
            Array("bplist00".utf8) + [0xD2, 1, 2, 3, 4] + [0x51, 0x61] + [0x51, 0x62] + [0x82, 1, 2, 3]
            + [0xD1, 5, 6] + [0x56] + Array("CF$UID".utf8) + [0x10, 7] + [8, 13, 15, 17, 21, 24, 31]
            + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 7] + [0, 0, 0, 0, 0, 0, 0, 0] + [
                0, 0, 0, 0, 0, 0, 0, 33,
            ]
        #expect(try kinds(Data(file)) == ["a": false, "b": true])
        let document = try parse(Data(file))
        #expect(JSONWriter().string(document.root) == #"{"a":{"CF$UID":66051},"b":{"CF$UID":7}}"#)
        let data = try PropertyListWriter.binary.data(document.root)
        #expect(try kinds(data) == ["a": false, "b": true])
        #expect(try JSONWriter().string(parse(data).root) == JSONWriter().string(document.root))
        let decoded = try DocumentDecoder().decode([String: Document].self, from: document.root)
        #expect(try PropertyListWriter.binary.data(DocumentEncoder().encode(decoded).root) == data)

        // XML has dictionaries for both, so one that is not an identifier cannot be written.
        let error = try #require(throws: PropertyListWritingError.self) {
            try PropertyListWriter.xml.data(document.root)
        }
        #expect(error.path.description == "$.b")
        let identifier = Document(copying: try #require(document.root["a"]))
        let xml = try PropertyListWriter.xml.data(identifier.root)
        #expect(try PropertyListSerialization.propertyList(from: xml, format: nil) is [String: Any] == false)
        #expect(try PropertyListWriter.xml.data(parse(xml).root) == xml)
    }
}

extension Data {
    /// An XML property list from Foundation in which a real `1` is replaced with `1.0`, as documents have it.
    fileprivate var withShortReals: Data {
        Data(String(decoding: self, as: UTF8.self).replacing(/<real>(-?\d+)<\/real>/) { "<real>\($0.1).0</real>" }.utf8)
    }

    @Test(
        "keys that are equivalent but not the same stay two keys", arguments: [DocumentFormat.plistBinary, .plistXML])
    func equivalentKeys(format: DocumentFormat) throws {
        let value: PropertyListValue = ["\u{e9}": 1, "e\u{301}": 2, "inner": ["e\u{301}": 3, "\u{e9}": 4]]
        let writer = try #require(PropertyListWriter(format: format))
        let data = try writer.data(value.document(format).root)
        let document = try Document(parsing: SourceBytes(data))
        let expected = #"{"\#u{e9}":1,"e\#u{301}":2,"inner":{"e\#u{301}":3,"\#u{e9}":4}}"#
        #expect(JSONWriter().string(document.root).utf8.elementsEqual(expected.utf8))
    }
}
