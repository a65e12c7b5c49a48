import Foundation
import Testing

@testable import DocumentModel

@Suite("Writing a property list")
struct PropertyListWriterTests {
    private func parse(_ data: Data) throws -> Document { try Document(parsing: SourceBytes(data)) }

    @Test("gives what Foundation reads and writes", arguments: 0..<25 as Range<UInt64>)
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

    @Test("keeps the order of keys")
    func order() throws {
        let document = try Document(json: #"{"z":1,"a":{"c":[],"b":2.0},"m":"x","z":true}"#)
        for form in [PropertyListWriter.xml, .binary] {
            let data = try form.data(document.root)
            #expect(try JSONWriter().string(parse(data).root) == #"{"z":1,"a":{"c":[],"b":2.0},"m":"x","z":true}"#)
        }
    }

    @Test("lays XML out as Foundation does")
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

    @Test("keeps integers on both sides of every number of bytes, for itself and for Foundation")
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
        "keeps arrays and strings of every length, and as many objects as references of one and of two bytes name",
        arguments: [0, 1, 14, 15, 16, 254, 255, 256, 257, 70_000])
    func lengths(count: Int) throws {
        let numbers = (0..<count).map(String.init).joined(separator: ",")
        let document = try Document(json: "{\"a\":[\(numbers)],\"s\":\"\(String(repeating: "x", count: count))\"}")
        let data = try PropertyListWriter.binary.data(document.root)
        #expect(try parse(data) == document)
        let back = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        #expect((back?["a"] as? [Any])?.count == count && (back?["s"] as? String)?.utf8.count == count)
    }

    @Test("refuses what property lists cannot hold, and says where it is")
    func refusals() throws {
        for form in [PropertyListWriter.xml, .binary] {
            func error(_ json: String) throws -> PropertyListWritingError {
                let document = try Document(json: json)
                return try #require(throws: PropertyListWritingError.self) {
                    try form.data(document.root)
                }
            }
            #expect(
                try error(#"{"a":[1,null]}"#).description
                    == "$.a[1]: found null, which property lists do not have, expected a value, or no such member")
            #expect(try error("[18446744073709551616]").path.description == "$[0]")
        }
    }

    @Test("keeps the identifiers of keyed archives")
    func identifiers() throws {
        let document = try Document(json: #"{"$top":{"root":{"CF$UID":1}},"big":{"CF$UID":70000}}"#)
        let data = try PropertyListWriter.binary.data(document.root)
        #expect(try parse(data) == document)
        let back = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        #expect(back?["big"] as? [String: Any] == nil)
    }
}

extension Data {
    /// An XML property list of Foundation's with `1` for a real made `1.0`, as documents have it.
    fileprivate var withShortReals: Data {
        Data(String(decoding: self, as: UTF8.self).replacing(/<real>(-?\d+)<\/real>/) { "<real>\($0.1).0</real>" }.utf8)
    }

    @Test(
        "keys that are equivalent and not the same stay two keys", arguments: [DocumentFormat.plistBinary, .plistXML])
    func equivalentKeys(format: DocumentFormat) throws {
        let value: PropertyListValue = ["\u{e9}": 1, "e\u{301}": 2, "inner": ["e\u{301}": 3, "\u{e9}": 4]]
        let writer = try #require(PropertyListWriter(format: format))
        let data = try writer.data(value.document(format).root)
        let document = try Document(parsing: SourceBytes(data))
        let expected = #"{"\#u{e9}":1,"e\#u{301}":2,"inner":{"e\#u{301}":3,"\#u{e9}":4}}"#
        #expect(JSONWriter().string(document.root).utf8.elementsEqual(expected.utf8))
    }
}
