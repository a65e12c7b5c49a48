import DocumentModel
import Foundation
import Testing

/// A type and a text that is decoded by JSONDecoder and by ``DocumentDecoder`` with the same settings.
struct JSONDecodingCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    private let body: @Sendable (String, DecodingStrategies, JSONDecoder) -> (ours: Outcome, foundation: Outcome)
    private let configure: @Sendable (JSONDecoder) -> Void

    var outcomes: (ours: Outcome, foundation: Outcome) {
        let decoder = JSONDecoder()
        configure(decoder)
        return body(text, DecodingStrategies(matching: decoder), decoder)
    }

    static func cases<T: Decodable>(
        _ type: T.Type, _ texts: [String], _ note: String = "",
        configure: @escaping @Sendable (JSONDecoder) -> Void = { _ in }
    ) -> [JSONDecodingCase] {
        texts.map { text in
            JSONDecodingCase(
                testDescription: "\(type) \(note) from \(text)", text: text,
                body: { text, strategies, decoder in
                    let ours = Outcome {
                        try DocumentDecoder(strategies: strategies).decode(T.self, from: Document(json: text).root)
                    }
                    return (ours, Outcome { try decoder.decode(T.self, from: Data(text.utf8)) })
                }, configure: configure)
        }
    }
}

@Suite("Decoding JSON as JSONDecoder does")
struct JSONDecodingTests {
    /// One value of every kind.
    static let kinds = ["null", "true", "1", "1.5", "\"x\"", "[]", "{}", "[1]", "{\"a\":1}"]

    static let scalars: [JSONDecodingCase] = {
        let numbers = [
            "0", "-0", "1", "-1", "1.0", "1e2", "1E+2", "1.5", "34.0", "0.1e1", "100e-2", "1e400", "-1e400", "1e-400",
            "0e-400",
            "0.0", "-0.0", "127", "128", "-128", "-129", "255", "256", "32767", "32768", "-32769", "65535", "65536",
            "2147483647",
            "2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740991", "9007199254740992",
            "9007199254740993", "9007199254740993.0", "9007199254740993.5", "9007199254740992.5", "-9007199254740993.0",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
            "-9223372036854775808.0", "9223372036854775807.0", "18446744073709551615", "18446744073709551616",
            "18446744073709551615.0", "18446744073709551616.0", "1e18", "1e19", "12345678901234567890.00",
            "1.0000000000000001", "0.1", "0.30000000000000004", "3.4028235e38", "3.4028236e38", "1.17549435e-38",
            "1e-46",
            "5e-324", "2e-324", "1.7976931348623157e308", "1.7976931348623159e308", "123456789012345678901234567890",
            "170141183460469231731687303715884105727", "170141183460469231731687303715884105728",
            "-170141183460469231731687303715884105728", "340282366920938463463374607431768211455",
            "340282366920938463463374607431768211456", "1e127", "1e128", "1e165", "1e166", "1e-127", "1e-128", "1e-129",
            "0.12345678901234567890123456789012345678901234567890", "99999999999999999999999999999999999999999",
            "7.2057594037927933e16", "16777217", "8.5e22", "1e23", "1234567890123456789e3",
        ]
        let texts = kinds + numbers
        func every<T: Codable>(_ type: T.Type) -> [JSONDecodingCase] {
            JSONDecodingCase.cases(T.self, texts)
                + JSONDecodingCase.cases([T].self, texts.map { "[\($0)]" })
                + JSONDecodingCase.cases([String: T].self, kinds.map { "{\"k\":\($0)}" })
                + JSONDecodingCase.cases(T?.self, kinds) + JSONDecodingCase.cases([T?].self, kinds.map { "[\($0)]" })
                + JSONDecodingCase.cases(Generic<T>.self, kinds.map { "{\"value\":\($0)}" })
                + JSONDecodingCase.cases(Generic<T?>.self, kinds.map { "{\"value\":\($0)}" } + ["{}"])
        }
        return every(Bool.self) + every(String.self) + every(Int.self) + every(Int8.self) + every(Int16.self)
            + every(Int32.self) + every(Int64.self) + every(UInt.self) + every(UInt8.self) + every(UInt16.self)
            + every(UInt32.self) + every(UInt64.self) + every(Int128.self) + every(UInt128.self) + every(Double.self)
            + every(Float.self) + every(Decimal.self) + every(URL.self) + every(Date.self) + every(Data.self)
            + every(UUID.self) + every(Level.self) + every(Suit.self)
    }()

    static let structures: [JSONDecodingCase] = {
        let people =
            kinds + [
                #"{"name":"A","age":1,"score":0.5,"tags":["x"]}"#,
                #"{"name":"A","age":1,"score":0.5,"tags":["x",null]}"#,
                #"{"name":"A","age":"1","score":0.5,"tags":[]}"#,
                #"{"name":"A","age":1,"email":null,"isMember":true,"score":1,"tags":[],"home":{"street":"S","number":255}}"#,
                #"{"name":"A","age":1,"score":1,"tags":[],"home":{"street":"S","number":256}}"#,
                #"{"name":"A","age":1,"score":1,"tags":[],"home":{"street":"S","number":-1}}"#,
                #"{"name":"A","age":1,"score":1,"tags":[],"home":{"street":null,"number":1}}"#,
                #"{"name":"A","age":1,"score":1,"tags":[],"home":{"number":1}}"#,
                #"{"name":"A","age":1,"score":1,"tags":[],"home":[]}"#,
                #"{"name":"A","age":1,"email":7,"score":1,"tags":[]}"#,
                #"{"name":"A","name":"B","age":1,"age":2,"score":1,"tags":[]}"#,
                #"{"n\u0061me":"esc\"aped\n","age":1,"score":1,"tags":["\ud83d\ude00"]}"#,
                #"{"age":1,"score":1,"tags":{}}"#,
            ]
        let shapes =
            kinds + [
                #"{"circle":{"radius":2}}"#, #"{"circle":{}}"#, #"{"circle":{"radius":null}}"#, #"{"circle":7}"#,
                #"{"rectangle":{"width":1,"height":"x"}}"#, #"{"empty":{}}"#, #"{"empty":null}"#, #"{"other":{}}"#,
                #"{"polygon":{"_0":[1,2],"closed":false}}"#, #"{"polygon":{"_0":[1,"2"],"closed":false}}"#,
                #"{"circle":{"radius":1},"empty":{}}"#,
            ]
        let nested = [
            #"{"head":{"title":"T"},"list":[{"deep":1},[1,2,3]]}"#,
            #"{"head":{"title":"T"},"list":[{"deep":1},[1,"2"]]}"#,
            #"{"head":{"title":1},"list":[{"deep":1},[]]}"#, #"{"head":{"title":"T"},"list":[{"deep":"x"},[]]}"#,
            #"{"head":{"title":"T"},"list":[{"deep":1}]}"#, #"{"head":{"title":"T"},"list":[]}"#,
            #"{"head":{"title":"T"},"list":[null,[]]}"#, #"{"head":{"title":"T"},"list":[{"deep":1},null]}"#,
            #"{"head":{"title":"T"},"list":[{"deep":1},{}]}"#, #"{"head":{"title":"T"}}"#, #"{"head":[],"list":[]}"#,
            #"{"head":{},"list":[{},[]]}"#, #"{"head":null,"list":[]}"#,
        ]
        return JSONDecodingCase.cases(Person.self, people)
            + JSONDecodingCase.cases([Person].self, people.map { "[\($0)]" })
            + JSONDecodingCase.cases([[String: Person]].self, people.map { "[{\"p\":\($0)}]" })
            + JSONDecodingCase.cases(Shape.self, shapes)
            + JSONDecodingCase.cases([Shape].self, shapes.map { "[\($0)]" })
            + JSONDecodingCase.cases(Nested.self, kinds + nested)
            + JSONDecodingCase.cases(
                Animal.self, kinds + [#"{"legs":4}"#])
            + JSONDecodingCase.cases(
                Dog.self,
                kinds + [
                    #"{"name":"D","super":{"legs":4}}"#, #"{"name":"D","super":{"legs":"4"}}"#, #"{"name":"D"}"#,
                    #"{"name":"D","super":null}"#, #"{"name":"D","super":[]}"#, #"{"name":"D","super":{}}"#,
                ])
            + JSONDecodingCase.cases(
                Cat.self,
                [
                    #"{"name":"D","base":{"legs":4}}"#, #"{"name":"D","base":{"legs":"4"}}"#, #"{"name":"D"}"#,
                    #"{"name":"D","base":null}"#, #"{"base":{"legs":4}}"#,
                ])
            + JSONDecodingCase.cases(
                Bird.self,
                kinds + [#"["tweet",{"legs":2}]"#, #"["tweet",{"legs":""}]"#, #"["tweet"]"#, #"["tweet",null]"#])
            + JSONDecodingCase.cases(
                Curious.self,
                kinds + [
                    #"{"a":1,"b":[1,null],"z":0}"#, #"{"a":null,"b":[]}"#, #"{"b":[]}"#, #"{"a":"s","b":[]}"#,
                    #"{"a":1.0,"b":[1.5]}"#,
                ])
            + JSONDecodingCase.cases(
                Tolerant.self,
                [
                    #"{"a":1}"#, #"{"a":300}"#, #"{"a":"x"}"#, #"{}"#,
                    #"{"a":1,"b":{"name":"A","age":1,"score":0.5,"tags":["x"]}}"#, #"{"a":1e400,"b":{"name":"A"}}"#,
                ])
            + JSONDecodingCase.cases(Elements.self, kinds + [#"[1,null,"x",2.0,null]"#, #"[1,[]]"#, "[1.5]"])
            + JSONDecodingCase.cases(PastEnd<PastEndScalar>.self, ["[]"])
            + JSONDecodingCase.cases(PastEnd<PastEndValue>.self, ["[]"])
            + JSONDecodingCase.cases(PastEnd<PastEndNil>.self, ["[]"])
            + JSONDecodingCase.cases(PastEnd<PastEndKeyed>.self, ["[]", "[null]", "[1]"])
            + JSONDecodingCase.cases(PastEnd<PastEndUnkeyed>.self, ["[]", "[null]", "[1]"])
            + JSONDecodingCase.cases(PastEnd<PastEndSuper>.self, ["[]", "[null]"])
            + JSONDecodingCase.cases([PastEnd<PastEndSuper>].self, ["[[]]"])
            + JSONDecodingCase.cases(AsksKeyed.self, kinds + [#"{"head":null}"#, #"{"head":[]}"#, #"{"head":{}}"#])
            + JSONDecodingCase.cases(AsksUnkeyed.self, kinds + [#"{"head":null}"#, #"{"head":[]}"#, #"{"head":{}}"#])
            + JSONDecodingCase.cases(
                WideNumbers.self,
                [
                    "{}",
                    #"""
                    {"int8":-128,"int16":-32768,"int32":-2147483648,"int64":-9223372036854775808,"uint":18446744073709551615,
                    "uint8":255,"uint16":65535,"uint32":4294967295,"uint64":18446744073709551615,"float":0.1,"double":0.1,
                    "bool":false,"string":"","int":1e3,"int128":-170141183460469231731687303715884105728,
                    "uint128":340282366920938463463374607431768211455}
                    """#,
                    #"{"int8":null,"int16":null,"int32":null,"int64":null,"uint":null,"uint8":null,"uint16":null,"uint32":null}"#,
                    #"{"uint64":null,"float":null,"double":null,"bool":null,"string":null,"int":null,"int128":null}"#,
                ]
                    + [
                        "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float",
                        "double",
                    ]
                    .flatMap { key in ["\"x\"", "[]", "1e99", "-1.5"].map { "{\"\(key)\":\($0)}" } }
            )
            + JSONDecodingCase.cases(Failing.self, ["{}"]) + JSONDecodingCase.cases([Failing].self, ["[1]"])
            + JSONDecodingCase.cases(Nothing.self, kinds)
    }()

    static let keys: [JSONDecodingCase] =
        JSONDecodingCase.cases(
            [Int: String].self, kinds + [#"{"1":"a","-2":"b"}"#, #"{"1":"a","x":"b"}"#, #"{"1":1}"#])
        + JSONDecodingCase.cases([Season: Int].self, [#"{"spring":1}"#, #"{"winter":1}"#, #"{"spring":"x"}"#, "[]"])
        + JSONDecodingCase.cases(
            [Suit: Int].self, [#"["hearts",1,"spades",2]"#, #"["hearts"]"#, #"["clubs",1]"#, "{}"])
        + JSONDecodingCase.cases(Set<Int>.self, ["[1,2,1]", "[1,null]", "{}"])
        + JSONDecodingCase.cases(
            [String: Int].self,
            [
                #"{"a":1,"a":2,"a":"x"}"#, #"{"é":1,"e\u0301":2}"#, #"{"\u212a":1,"K":2}"#, #"{"":1}"#,
                "{" + (0..<100).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}",
                "{" + (0..<100).map { "\"key\($0 % 40)\":\($0)" }.joined(separator: ",") + ",\"last\":null}",
            ])
        + JSONDecodingCase.cases(
            KelvinKey.self,
            [#"{"K":1}"#, #"{"\u212a":1}"#, #"{"\u212a":2,"K":1}"#, #"{"K":2,"\u212a":1}"#, "{\"K\":1}"])
        + JSONDecodingCase.cases(
            AccentKey.self,
            ["{\"e\u{301}\":1}", "{\"\u{e9}\":1}", #"{"\u00e9":1}"#, #"{"e\u0301":2,"\u00e9":1}"#, "{}"])

    struct KelvinKey: Decodable {
        var kelvin: Int
        enum CodingKeys: String, CodingKey { case kelvin = "\u{212A}" }
    }

    struct AccentKey: Decodable {
        var accent: Int
        enum CodingKeys: String, CodingKey { case accent = "\u{E9}" }
    }

    static let keyStrategies: [JSONDecodingCase] = {
        let texts = [
            #"{"first_name":"A","last_url":"u","lastUrl":"v","lastURL":"w","_hidden":1,"trailing_":2,"children":{"a_b":1,"c":2}}"#,
            #"{"firstName":"A","children":{}}"#, #"{"first_name":"A","firstName":"B","children":{"a_b":"x"}}"#,
            #"{"first_name":"A","children":{"a_b":1,"a_b":2},"by_age":{"1":"x"},"matrix":[{"m_n":[{"pet_name":"P"}]}]}"#,
            #"{"first_name":"A","children":{},"matrix":[{"m_n":[{"pet_name":7}]}]}"#,
            #"{"first_name":"A","children":null}"#, #"{"first_name":"A","children":[]}"#,
            #"{"first__name":"A","children":{}}"#,
            #"{"first_name_":"A","children":{}}"#, #"{"_first_name":"A","children":{}}"#,
            #"{"__first_name_":"A","_first_name":"B","FIRST_NAME":"C","First_Name":"D","first_NAME":"E","children":{}}"#,
            #"{"___":"A","":"B","_":"C","children":{}}"#, #"{"first_name":"A","children":{"k":{}}}"#,
        ]
        return JSONDecodingCase.cases(SnakePerson.self, texts, "from snake case") {
            $0.keyDecodingStrategy = .convertFromSnakeCase
        }
            + JSONDecodingCase.cases([String: SnakePerson].self, texts.map { "{\"a_b\":\($0)}" }, "from snake case") {
                $0.keyDecodingStrategy = .convertFromSnakeCase
            }
            + JSONDecodingCase.cases(SnakePerson.self, texts, "with keys by their whole path") {
                $0.keyDecodingStrategy = .custom { path in
                    PathCodingKey(
                        path.count == 1 ? path[0].stringValue.replacing("_n", with: "N") : path.last!.stringValue)
                }
            }
            + JSONDecodingCase.cases(
                [String: Int].self, [#"{"a_b":1}"#, #"{"a_b":1,"c":null}"#, "null", "[]"], "snake case"
            ) {
                $0.keyDecodingStrategy = .convertFromSnakeCase
            }
            + JSONDecodingCase.cases([Int: Int].self, [#"{"1":1}"#], "snake case") {
                $0.keyDecodingStrategy = .convertFromSnakeCase
            }
    }()

    static let dates: [JSONDecodingCase] = {
        let values = [
            "0", "1.5", "-1e9", "1706702400", "1706702400123", "\"2024-01-31T12:00:00Z\"",
            "\"2024-01-31T12:00:00+01:00\"",
            "\"2024-01-31T12:00:00.5Z\"", "\"2024-01-31\"", "\"\"", "\"x\"", "null", "true", "[]", "{}", "1e400",
        ]
        let texts =
            values.map { "{\"day\":\($0),\"list\":[],\"named\":{}}" }
            + values.map { "{\"day\":0,\"maybe\":\($0),\"list\":[],\"named\":{}}" }
            + values.map { "{\"day\":\"2024-01-31T12:00:00Z\",\"list\":[\($0)],\"named\":{}}" }
            + values.map { "{\"day\":0,\"list\":[0,\($0)],\"named\":{\"n\":\($0)}}" }
        let strategies: [(String, @Sendable () -> JSONDecoder.DateDecodingStrategy)] = [
            ("deferred", { .deferredToDate }), ("seconds", { .secondsSince1970 }),
            ("milliseconds", { .millisecondsSince1970 }), ("ISO 8601", { .iso8601 }),
            (
                "custom",
                {
                    .custom { decoder in
                        let container = try decoder.singleValueContainer()
                        let count = decoder.codingPath.count
                        if let text = try? container.decode(String.self) {
                            return Date(timeIntervalSince1970: Double(text.count + count))
                        }
                        return Date(timeIntervalSince1970: try container.decode(Double.self) + Double(count))
                    }
                }
            ),
        ]
        return strategies.flatMap { name, strategy in
            JSONDecodingCase.cases(Dated.self, texts, name) { $0.dateDecodingStrategy = strategy() }
                + JSONDecodingCase.cases(Date.self, values, name) { $0.dateDecodingStrategy = strategy() }
                + JSONDecodingCase.cases([Date?].self, values.map { "[\($0)]" }, name) {
                    $0.dateDecodingStrategy = strategy()
                }
        }
    }()

    static let data: [JSONDecodingCase] = {
        let values = [
            "\"\"", "\"eA==\"", "\"e\\u0041==\"", "\"x\"", "\"eA\"", "null", "1", "[1,255]", "[256]", "[1,null]", "{}",
        ]
        let texts =
            values.map { "{\"blob\":\($0),\"list\":[],\"named\":{}}" }
            + values.map { "{\"blob\":\"\",\"maybe\":\($0),\"list\":[\($0)],\"named\":{\"n\":\($0)}}" }
            + values.map { "{\"blob\":[],\"maybe\":\($0),\"list\":[\($0)],\"named\":{\"n\":\($0)}}" }
        let strategies: [(String, @Sendable () -> JSONDecoder.DataDecodingStrategy)] = [
            ("deferred", { .deferredToData }), ("Base64", { .base64 }),
            ("custom", { .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) } }),
        ]
        return strategies.flatMap { name, strategy in
            JSONDecodingCase.cases(Blobs.self, texts, name) { $0.dataDecodingStrategy = strategy() }
                + JSONDecodingCase.cases(Data.self, values, name) { $0.dataDecodingStrategy = strategy() }
        }
    }()

    static let otherStrategies: [JSONDecodingCase] =
        JSONDecodingCase.cases(
            [Double].self, ["[\"inf\",\"-inf\",\"nan\",1]", "[\"x\"]", "[\"i\\u006ef\"]", "[null]", "[\"\"]"],
            "as strings"
        ) {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        + JSONDecodingCase.cases([Float?].self, ["[\"inf\",null,\"nan\",1]", "[\"x\"]"], "as strings") {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        + JSONDecodingCase.cases([Date].self, ["[\"inf\",\"-inf\"]", "[\"x\"]"], "as strings") {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        + JSONDecodingCase.cases(Curious.self, [#"{"a":1,"b":[]}"#], "with user info") {
            $0.userInfo = [CodingUserInfoKey(rawValue: "place")!: "here"]
        }
        + JSONDecodingCase.cases(
            [URL].self, ["[\"\"]", "[\"http://a b\"]", "[\"x\"]", "[\"http://[\"]", "[\"a/b?c#d\"]"])

    enum Group: String, CaseIterable {
        case scalars, structures, keys, keyStrategies, dates, data, otherStrategies

        var cases: [JSONDecodingCase] {
            switch self {
            case .scalars: JSONDecodingTests.scalars
            case .structures: JSONDecodingTests.structures
            case .keys: JSONDecodingTests.keys
            case .keyStrategies: JSONDecodingTests.keyStrategies
            case .dates: JSONDecodingTests.dates
            case .data: JSONDecodingTests.data
            case .otherStrategies: JSONDecodingTests.otherStrategies
            }
        }
    }

    @Test("decoded values and errors are the same as JSONDecoder's", arguments: Group.allCases)
    func sameOutcome(group: Group) {
        for item in group.cases {
            let (ours, foundation) = item.outcomes
            #expect(ours == foundation, "\(item.testDescription)")
        }
    }

    @Test("a number that a type cannot hold is named in the record, which JSONDecoder does not do")
    func detail() throws {
        let (error, record) = try failure([String: [Int8]].self, #"{"a": [1, 300]}"#)
        let detail = try #require(record.detail(of: error))
        #expect(DocumentPath(codingPath: detail.codingPath).description == "$.a[1]")
        guard case .unrepresentable("300", let type) = detail.problem else { throw detail }
        #expect(type is Int8.Type)
    }

    private enum Tone: String, Codable, CaseIterable { case low, high }
    private struct Song: Codable { var tones: [Tone?] }

    @Test("a value that is not a case of an enum is reported with the type and its cases, whatever wraps it")
    func noCase() throws {
        let (error, record) = try failure(Song.self, #"{"tones": ["low", null, "deep"]}"#)
        let detail = try #require(record.detail(of: error))
        guard case .noCase(let cases) = detail.problem else { throw detail }
        #expect(DocumentPath(codingPath: detail.codingPath).description == "$.tones[2]")
        #expect(cases == ["low", "high"])
        #expect(detail.type is Tone.Type)
    }

    @Test("the reported cases of an enum do not depend on the thread, whatever actor its conformances belong to")
    @MainActor func casesOfAnActor() async throws {
        nonisolated(unsafe) let type: any Decodable.Type = Chord.self
        #expect(try cases(of: type) == ["minor", "major"])
        let elsewhere = try await Task.detached { try cases(of: type) }.value
        #expect(elsewhere == ["minor", "major"])
    }

    nonisolated private func cases(of type: any Decodable.Type) throws -> [String]? {
        let (error, record) = try failure(type, #""deep""#)
        guard case .noCase(let cases)? = record.detail(of: error)?.problem else { throw error }
        return cases
    }

    @Test("an object with many members is read as by Foundation, in any order of requests", arguments: [60, 70, 1000])
    func manyMembers(count: Int) throws {
        struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        /// The values under names in an order that is not the document's, requested twice, and under missing names.
        struct Values: Decodable, Equatable {
            var values: [Int?] = []
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: AnyKey.self)
                for _ in 0..<2 {
                    for number in 0..<2 * container.allKeys.count {
                        let key = AnyKey(stringValue: "key \(number * 7 % 1009)")
                        values.append(try container.decodeIfPresent(Int.self, forKey: key))
                    }
                }
                values.append(try container.decodeIfPresent(Int.self, forKey: AnyKey(stringValue: "\u{212A}")))
            }
        }
        let members = (0..<count).map { "\"key \($0)\":\($0)" }
        for extra in [[], ["\"K\":5"], ["\"key 3\":-1", "\"key 0\":-2", "\"K\":1", "\"K\":2"]] {
            let json = "{\((members + extra).joined(separator: ","))}"
            let document = try Document(json: json)
            let data = Data(json.utf8)
            let (decoder, foundation) = (DocumentDecoder(), JSONDecoder())
            #expect(
                try decoder.decode([String: Int].self, from: document.root)
                    == foundation.decode([String: Int].self, from: data))
            #expect(
                try decoder.decode(Values.self, from: document.root) == foundation.decode(Values.self, from: data))
        }
    }

    private struct Odd: Decodable {
        init(from decoder: any Decoder) throws {
            _ = try? decoder.singleValueContainer().decode(Bool.self)
            throw DecodingError.typeMismatch(Int.self, .init(codingPath: [], debugDescription: "Odd is odd"))
        }
    }

    @Test("an error that a type throws itself has no detail, and one that it caught is on record")
    func authors() throws {
        let (error, record) = try failure(Odd.self, "1")
        #expect(record.detail(of: error) == nil)
        #expect(record.errors.count == 1)
    }

    private func failure<T: Decodable>(_ type: T.Type, _ json: String) throws -> (any Error, ReadRecord) {
        let record = ReadRecord()
        let document = try Document(json: json)
        let error = #expect(throws: (any Error).self) {
            try DocumentDecoder().decode(type, from: document.root, recording: record)
        }
        return (try #require(error), record)
    }
}

private enum Chord { case minor, major }

extension Chord: @MainActor RawRepresentable, @MainActor Decodable, @MainActor CaseIterable {
    static var allCases: [Chord] { [.minor, .major] }

    init?(rawValue: String) {
        guard let chord = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = chord
    }

    var rawValue: String {
        switch self {
        case .minor: "minor"
        case .major: "major"
        }
    }
}
