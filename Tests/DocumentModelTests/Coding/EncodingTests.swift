import Foundation
import Testing

@testable import DocumentModel

/// A value, encoded by Foundation's encoders and by ``DocumentEncoder`` with the same settings.
struct EncodingCase: Sendable {
    let description: String
    let outcomes: @Sendable (DocumentFormat) -> (ours: Outcome, foundation: Outcome)

    static func cases<T: Encodable & SendableMetatype>(
        _ values: @escaping @Sendable @autoclosure () -> [T], _ note: String = "",
        configure: @escaping @Sendable (JSONEncoder) -> Void = { _ in }
    ) -> [EncodingCase] {
        values().indices.map { index in
            EncodingCase(description: "\(Outcome.words(values()[index])) \(note)") { format in
                let value = values()[index]
                let encoder = JSONEncoder()
                configure(encoder)
                let strategies = EncodingStrategies(matching: encoder)
                let ours = Outcome {
                    let document = try DocumentEncoder(strategies: strategies).encode(value, as: format)
                    return format == .json ? words(document.root) : try text(of: propertyList(document.root))
                }
                guard format != .json else {
                    let foundation = Outcome {
                        words(try Document(json: String(decoding: try encoder.encode(value), as: UTF8.self)).root)
                    }
                    return (ours, foundation)
                }
                let listEncoder = PropertyListEncoder()
                listEncoder.outputFormat = format == .plistXML ? .xml : .binary
                let foundation = Outcome {
                    let data = try listEncoder.encode(value)
                    return try text(of: PropertyListSerialization.propertyList(from: data, options: [], format: nil))
                }
                return (ours, foundation)
            }
        }
    }

    /// JSON with its members sorted, its numbers as written, and its strings in a single spelling.
    private static func words(_ node: DocumentNode) -> String {
        switch node.kind {
        case .object:
            "{\(node.members.map { "\($0.name.debugDescription): \(words($0.value))" }.sorted().joined(separator: ", "))}"
        case .array: "[\(node.elements.map(words).joined(separator: ", "))]"
        case .string: (node.string ?? "").debugDescription
        default: JSONWriter().string(node)
        }
    }

    private static func text(of propertyList: Any) throws -> String {
        let data = try PropertyListSerialization.data(fromPropertyList: propertyList, format: .xml, options: 0)
        return String(decoding: data, as: UTF8.self)
    }

    private static func propertyList(_ node: DocumentNode) -> Any {
        if let value = node.boolean { return NSNumber(value: value) }
        if let value = node.string { return value }
        if let value = node.date { return value }
        if let value = node.data { return value }
        if let text = node.numberText {
            guard node.isIntegerNumber else { return NSNumber(value: Double(text) ?? .nan) }
            return Int64(text).map { NSNumber(value: $0) } ?? NSNumber(value: UInt64(text) ?? 0)
        }
        if node.kind == .array { return node.elements.map(propertyList) }
        return Dictionary(node.members.map { ($0.name, propertyList($0.value)) }) { $1 }
    }
}

@Suite("Encoding as Foundation's encoders do")
struct EncodingTests {
    static let values: [EncodingCase] = {
        let doubles: [Double] = [
            0, -0.0, 1, -1, 0.1, 1.5, 1e7, 1e15, 1e16, 123_456_789_012_345_680, 1e21, 1e22, 1e23, 1e-5, 1e-7,
            .leastNonzeroMagnitude, .pi,
            .greatestFiniteMagnitude, .leastNormalMagnitude, 100000, 9_007_199_254_740_992,
        ]
        let people = [
            Person(name: "A", age: 1, email: nil, isMember: true, score: 0.5, tags: ["x\n\"/", "é😀\u{7}"], home: nil),
            Person(name: "", age: .min, email: "e", score: 3, tags: [], home: .init(street: "S", number: 255)),
        ]
        let wide = WideNumbers(
            int8: .min, int16: .min, int32: .min, int64: .min, uint: .max, uint8: .max, uint16: .max, uint32: .max,
            uint64: .max, float: 0.1, double: 0.1, bool: false, string: "$null", int: .max)
        return EncodingCase.cases(doubles.map { [$0] }) + EncodingCase.cases(doubles.map { Generic(value: $0) })
            + EncodingCase.cases(doubles.map { [Float($0)] }) + EncodingCase.cases([doubles])
            + EncodingCase.cases([[Double.infinity], [1, -.infinity], [.nan]])
            + EncodingCase.cases([["a": [Float.nan]], ["a": [-.infinity]]])
            + EncodingCase.cases([Generic(value: Double.nan)]) + EncodingCase.cases([[Generic(value: Float.infinity)]])
            + EncodingCase.cases(people) + EncodingCase.cases([people]) + EncodingCase.cases([["p": people]])
            + EncodingCase.cases([wide]) + EncodingCase.cases([[Int128.max, .min], [0]])
            + EncodingCase.cases([["u": UInt128.max]]) + EncodingCase.cases([WideNumbers(int128: 1, uint128: 2)])
            + EncodingCase.cases([
                Shape.circle(radius: 1), .rectangle(width: 1, height: 2), .polygon([1], closed: true), .empty,
            ])
            + EncodingCase.cases([
                Nested(title: "T", numbers: [1, 2], deep: 0.5), Nested(title: "", numbers: [], deep: .nan),
            ])
            + EncodingCase.cases([Dog(legs: 4, name: "D")]) + EncodingCase.cases([Cat(legs: 4, name: "C")])
            + EncodingCase.cases([[Bird(legs: 2, song: "tweet")]]) + EncodingCase.cases([Curious(found: ["x", "y"])])
            + EncodingCase.cases([[1: "a", -2: "b"]]) + EncodingCase.cases([[Season.spring: 1]])
            + EncodingCase.cases([[Suit.hearts: 1]]) + EncodingCase.cases([[String: Int]()])
            + EncodingCase.cases([[Int]()])
            + EncodingCase.cases([[Int?.none, 1]]) + EncodingCase.cases([["a": Int?.none]])
            + EncodingCase.cases([[[Int]?.none, [1]]])
            + EncodingCase.cases(
                [
                    Decimal(string: "0.10")!, Decimal(string: "123456789012345678901234567890.12345678")!, -5, 0,
                    Decimal(string: "1e100")!, Decimal(string: "1e-100")!,
                ].map { [$0] })
            + EncodingCase.cases([URL(string: "http://x/y?z#w")!, URL(string: "a b")].compactMap { $0 }.map { [$0] })
            + EncodingCase.cases([UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!].map { [$0] })
            + EncodingCase.cases([Level.high]) + EncodingCase.cases([Suit.hearts]) + EncodingCase.cases([[Suit.hearts]])
            + EncodingCase.cases([1]) + EncodingCase.cases(["x"]) + EncodingCase.cases([true])
            + EncodingCase.cases([1.5])
            + EncodingCase.cases([Int?.none]) + EncodingCase.cases([Date(timeIntervalSinceReferenceDate: 0)])
            + EncodingCase.cases([Data([1])]) + EncodingCase.cases([Nothing()]) + EncodingCase.cases([[Nothing()]])
            + EncodingCase.cases([Generic(value: Nothing())]) + EncodingCase.cases([Failing()])
            + EncodingCase.cases([["f": Failing()]])
    }()

    /// Has one member, with the given name.
    private struct Keyed: Encodable {
        let name: String
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PathCodingKey.self)
            try container.encode(1, forKey: PathCodingKey(name))
        }
    }

    @Test("snake case is that of JSONEncoder for every name of up to five letters of a few kinds")
    func snakeCase() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        var names = ["myURLProperty", "lastURL", "URLOfIt", "oneTwoThree", "ÄpfelUndBirnen"]
        var last = [""]
        for _ in 0..<5 {
            last = last.flatMap { name in ["a", "B", "_", "1"].map { name + $0 } }
            names += last
        }
        for name in names {
            let object = try JSONSerialization.jsonObject(with: encoder.encode(Keyed(name: name))) as? [String: Any]
            #expect(object?.keys.first == SnakeCase.fromCamelCase(name), "\(name)")
        }
    }

    static let people = [
        SnakePerson(
            firstName: "A", lastURL: "u", _hidden: 1, trailing: 2, children: ["aB": 1, "c_d": 2], byAge: [3: "x"],
            matrix: [["mN": [.init(petName: "P")]]])
    ]

    static let strategies: [EncodingCase] = {
        let dated = Dated(
            day: Date(timeIntervalSince1970: 1_706_702_400.25), maybe: Date(timeIntervalSinceReferenceDate: -1e9),
            list: [Date(timeIntervalSinceReferenceDate: 0.1)], named: ["n": Date(timeIntervalSince1970: 0)])
        let timeless = Dated(day: Date(timeIntervalSince1970: .nan), maybe: nil, list: [], named: [:])
        let blobs = Blobs(blob: Data([0, 255]), maybe: nil, list: [Data()], named: ["n": Data([1])])
        let dates: [(String, @Sendable () -> JSONEncoder.DateEncodingStrategy)] = [
            ("deferred", { .deferredToDate }), ("seconds", { .secondsSince1970 }),
            ("milliseconds", { .millisecondsSince1970 }), ("ISO 8601", { .iso8601 }),
            (
                "custom",
                {
                    .custom { date, encoder in
                        var container = encoder.container(keyedBy: PathCodingKey.self)
                        try container.encode(encoder.codingPath.map(\.stringValue), forKey: PathCodingKey("at"))
                        try container.encode(date.timeIntervalSinceReferenceDate, forKey: PathCodingKey("t"))
                    }
                }
            ), ("custom, nothing", { .custom { _, _ in } }),
        ]
        let data: [(String, @Sendable () -> JSONEncoder.DataEncodingStrategy)] = [
            ("deferred", { .deferredToData }), ("Base64", { .base64 }),
            (
                "custom",
                {
                    .custom { data, encoder in
                        var c = encoder.singleValueContainer()
                        try c.encode(data.count)
                    }
                }
            ),
            ("custom, nothing", { .custom { _, _ in } }),
        ]
        let keyed = people
        return dates.flatMap { name, strategy in
            EncodingCase.cases([dated], name) { $0.dateEncodingStrategy = strategy() }
                + EncodingCase.cases([timeless], name) { $0.dateEncodingStrategy = strategy() }
                + EncodingCase.cases([dated.day], name) { $0.dateEncodingStrategy = strategy() }
        }
            + data.flatMap { name, strategy in
                EncodingCase.cases([blobs], name) { $0.dataEncodingStrategy = strategy() }
                    + EncodingCase.cases([blobs.blob], name) { $0.dataEncodingStrategy = strategy() }
            }
            + EncodingCase.cases(keyed, "to snake case") { $0.keyEncodingStrategy = .convertToSnakeCase }
            + EncodingCase.cases([["outerKey": keyed]], "to snake case") {
                $0.keyEncodingStrategy = .convertToSnakeCase
            }
            + EncodingCase.cases([Dog(legs: 4, name: "D")], "to snake case") {
                $0.keyEncodingStrategy = .convertToSnakeCase
            }
            + EncodingCase.cases([Generic(value: ["k": Double.nan])], "to snake case") {
                $0.keyEncodingStrategy = .convertToSnakeCase
            }
            + EncodingCase.cases(keyed, "with keys by their whole path") {
                $0.keyEncodingStrategy = .custom { path in
                    PathCodingKey(path.map(\.stringValue).joined(separator: "/"))
                }
            }
            + EncodingCase.cases([Nested(title: "T", numbers: [1], deep: 1)], "with keys by their whole path") {
                $0.keyEncodingStrategy = .custom { path in
                    PathCodingKey(path.map(\.stringValue).joined(separator: "/"))
                }
            }
            + EncodingCase.cases([[Double.infinity, -.infinity, .nan, 1]], "as strings") {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            }
            + EncodingCase.cases([Generic(value: Float.nan)], "as strings") {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            }
            + EncodingCase.cases([Curious(found: [])], "with user info") {
                $0.userInfo = [CodingUserInfoKey(rawValue: "place")!: "here"]
            }
    }()

    @Test(
        "encoded values and errors are the same as Foundation's",
        arguments: DocumentFormat.allCases.filter { $0 != .json5 })
    func sameOutcome(format: DocumentFormat) {
        for item in Self.values {
            let (ours, foundation) = item.outcomes(format)
            #expect(ours == foundation, "\(item.description)")
        }
    }

    @Test("encoded values and errors are the same as Foundation's with every strategy")
    func sameOutcomeWithStrategies() {
        for item in Self.strategies {
            let (ours, foundation) = item.outcomes(.json)
            #expect(ours == foundation, "\(item.description)")
        }
    }

    /// Encodes a single value after it has begun an object.
    private struct Twofold: Encodable {
        enum Names: CodingKey { case first, second }

        enum Single {
            case number, words, object, document
            /// An object whose inner value writes into it through the outer encoder.
            case meddling
        }

        let single: Single

        struct Meddling: Encodable {
            let outer: any Encoder

            func encode(to encoder: any Encoder) throws {
                var container = outer.container(keyedBy: Names.self)
                try container.encode("outer", forKey: .first)
                var own = encoder.container(keyedBy: Names.self)
                try own.encode("own", forKey: .second)
            }
        }

        func encode(to encoder: any Encoder) throws {
            if single != .meddling {
                var container = encoder.container(keyedBy: Names.self)
                try container.encode(1, forKey: .first)
            }
            var container = encoder.singleValueContainer()
            switch single {
            case .number: try container.encode(2)
            case .words: try container.encode("two")
            case .object: try container.encode(Generic(value: 2))
            case .document: try container.encode(Document(json: #"{"first": 2, "value": [3], "value": 4}"#))
            case .meddling: try container.encode(Meddling(outer: encoder))
            }
        }
    }

    @Test("an object that was begun is kept if a single value follows it, as in JSONEncoder")
    func singleValueBehindObject() {
        for single in [Twofold.Single.number, .words, .object, .document, .meddling] {
            let value = Twofold(single: single)
            for item in EncodingCase.cases([value]) + EncodingCase.cases([[value]])
                + EncodingCase.cases([["member": value]])
            {
                let (ours, foundation) = item.outcomes(.json)
                #expect(ours == foundation, "\(single)")
            }
        }
    }
}
