import Foundation
import Testing

@testable import DocumentModel

@Suite("Decoding property lists as PropertyListDecoder does")
struct PropertyListDecodingTests {
    struct Case: Sendable {
        let description: String
        let outcomes: @Sendable (DocumentFormat) throws -> (ours: Outcome, foundation: Outcome)

        static func cases<T: Decodable>(_ type: T.Type, _ values: [PropertyListValue]) -> [Case] {
            values.map { value in
                Case(description: "\(type) from \(value)") { format in
                    let document = value.document(format)
                    let data = try value.data(format)
                    var decoder = DocumentDecoder()
                    // No strategy applies to a property list.
                    decoder.strategies.dates = .iso8601
                    decoder.strategies.data = .deferredToData
                    decoder.strategies.keys = .convertFromSnakeCase
                    return (
                        Outcome { [decoder] in try decoder.decode(T.self, from: document.root) },
                        Outcome { try PropertyListDecoder().decode(T.self, from: data) }
                    )
                }
            }
        }
    }

    static let kinds: [PropertyListValue] = [
        "x", "$null", 1, 1.5, 1.0, true, .date(0), .data([1, 2]), [], [:], [1], ["a": 1],
    ]

    static let cases: [Case] = {
        let numbers: [PropertyListValue] = [
            127, 128, -128, -129, 255, 256, 32767, 32768, 65535, 65536, .integer(.max), .integer(.min), .unsigned(.max),
            .integer(1 << 53 + 1), .real(1e300), .real(1e18), .real(.infinity), .real(-.infinity),
            .real(.nan),
            .real(0.1), .real(0.5), .real(1e40),
        ]
        func every<T: Codable>(_ type: T.Type) -> [Case] {
            let values = kinds + numbers
            return Case.cases([T].self, values.map { [$0] }) + Case.cases([T?].self, kinds.map { [$0] })
                + Case.cases(Generic<T>.self, values.map { ["value": $0] })
                + Case.cases(Generic<T?>.self, values.map { ["value": $0] } + [[:]])
                + Case.cases([String: T].self, kinds.map { ["a_b": $0] })
        }
        let people: [PropertyListValue] =
            kinds + [
                ["name": "A", "age": 1, "score": 0.5, "tags": ["x"]],
                ["name": "A", "age": 1, "score": 1, "tags": ["x", "$null"], "email": "$null"],
                ["name": "A", "age": "1", "score": 1, "tags": []],
                ["name": "A", "age": 1, "score": 1, "tags": [], "home": ["street": "S", "number": 1.5]],
                ["name": "A", "age": 1, "score": 1, "tags": [], "home": "$null", "isMember": true],
                ["name": "A", "age": 1, "score": 1, "tags": [], "home": ["street": .data([])]],
                ["age": 1],
            ]
        let scalars =
            every(Bool.self) + every(String.self) + every(Int.self) + every(Int8.self) + every(Int16.self)
            + every(Int32.self) + every(Int64.self) + every(UInt.self) + every(UInt8.self) + every(UInt16.self)
            + every(UInt32.self) + every(UInt64.self) + every(Int128.self) + every(UInt128.self) + every(Double.self)
            + every(Float.self) + every(Decimal.self) + every(URL.self) + every(Date.self) + every(Data.self)
            + every(UUID.self) + every(Level.self)
        let structures =
            Case.cases(Person.self, people) + Case.cases([Person].self, people.map { [$0] })
            + Case.cases(Shape.self, kinds + [["circle": ["radius": 1]], ["circle": [:]], ["empty": [:]], ["no": 1]])
            + Case.cases(
                Dog.self, kinds + [["name": "D", "super": ["legs": 4]], ["name": "D"], ["name": "D", "super": 1]])
            + Case.cases(
                Cat.self, [["name": "D", "base": ["legs": 4]], ["name": "D"], ["name": "D", "base": "$null"]])
            + Case.cases(Bird.self, kinds + [["tweet", ["legs": 2]], ["tweet"], ["tweet", "$null"]])
            + Case.cases(
                Curious.self, kinds + [["a": 1, "b": [1, "$null"], "z": 0], ["a": "$null", "b": []], ["b": []]])
            + Case.cases(Elements.self, kinds + [[1, "$null", "x", 2.0]])
        let ends =
            Case.cases(PastEnd<PastEndScalar>.self, [[]]) + Case.cases(PastEnd<PastEndValue>.self, [[]])
            + Case.cases(PastEnd<PastEndNil>.self, [[]]) + Case.cases(PastEnd<PastEndKeyed>.self, [[], ["$null"], [1]])
            + Case.cases(PastEnd<PastEndUnkeyed>.self, [[], ["$null"], [1]])
            + Case.cases(PastEnd<PastEndSuper>.self, [[], ["$null"]])
        let containers =
            Case.cases(AsksKeyed.self, kinds + [["head": "$null"], ["head": []], ["head": [:]]])
            + Case.cases(AsksUnkeyed.self, kinds + [["head": "$null"], ["head": []], ["head": [:]]])
            + Case.cases([Int: String].self, [["1": "a"], ["x": "a"]])
        return scalars + structures + ends + containers
    }()

    @Test(
        "decoded values and errors are the same as PropertyListDecoder's",
        arguments: [DocumentFormat.plistBinary, .plistXML])
    func sameOutcome(format: DocumentFormat) throws {
        for item in Self.cases {
            let (ours, foundation) = try item.outcomes(format)
            #expect(ours == foundation, "\(item.description)")
        }
    }

    @Test("the last of several members with one name counts in a property list")
    func duplicates() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
            <key>a</key><integer>1</integer><key>b</key><integer>2</integer><key>a</key><integer>3</integer>
            </dict></plist>
            """
        let value: PropertyListValue = ["a": 1, "b": 2, "a": 3]
        let ours = try DocumentDecoder().decode([String: Int].self, from: value.document(.plistXML).root)
        #expect(ours == ["a": 3, "b": 2])
        #expect(try PropertyListDecoder().decode([String: Int].self, from: Data(text.utf8)) == ours)
    }

    @Test("the last of several members with one name counts in a binary property list")
    func binaryDuplicates() throws {
        // {"a": 1, "a": 2}, with one object for both names.
        let bytes: [UInt8] =
            Array("bplist00".utf8) + [0xD2, 1, 1, 2, 3, 0x51, 0x61, 0x10, 1, 0x10, 2, 8, 13, 15, 17]
            + [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 19]
        let document = try Document(parsing: SourceBytes(Data(bytes)))
        let ours = try DocumentDecoder().decode([String: Int].self, from: document.root)
        #expect(ours == ["a": 2])
        #expect(try PropertyListDecoder().decode([String: Int].self, from: Data(bytes)) == ours)
    }

    @Test(
        "the member that Foundation reads counts if names are equivalent, and the other is not read",
        arguments: [DocumentFormat.json, .plistXML, .plistBinary])
    func equivalentNames(format: DocumentFormat) throws {
        for names in [["\u{e9}", "e\u{301}"], ["e\u{301}", "\u{e9}"]] {
            let read = format == .json ? 1 : 2
            var document = try Document(json: "{\"\(names[0])\":1,\"\(names[1])\":2}")
            if format == .json {
                let data = JSONWriter().data(document.root)
                #expect(try JSONDecoder().decode([String: Int].self, from: data) == ["\u{e9}": read])
            } else {
                let value: PropertyListValue = .dictionary([(names[0], .integer(1)), (names[1], .integer(2))])
                document = value.document(format)
            }
            if format == .plistXML {
                let data = try PropertyListWriter.xml.data(document.root)
                #expect(try PropertyListDecoder().decode([String: Int].self, from: data) == ["\u{e9}": read])
            }
            let record = ReadRecord()
            let ours = try DocumentDecoder().decode([String: Int].self, from: document.root, recording: record)
            #expect(ours == ["\u{e9}": read])
            #expect(record.droppedNodes(in: document.root).map(\.numberText) == ["\(3 - read)"])
            #expect(document.root.duplicateNames.map { Array($0.utf8) } == [Array(names[1].utf8)])
        }
    }
}
