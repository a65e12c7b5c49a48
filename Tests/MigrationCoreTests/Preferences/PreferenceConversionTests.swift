import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Values of preferences")
struct PreferenceConversionTests {
    // MARK: - Native elements

    @Test(
        "arrays, sets and dictionaries of native values become native",
        arguments: [
            (StoredPreference("k", [String].self), #"["a","b"]"#),
            (StoredPreference("k", Set<String>.self), #"["red","green","blue"]"#),
            (StoredPreference("k", [String: Int].self), #"{"one":1,"big":9007199254740993}"#),
            (StoredPreference("k", [[String: Int]].self), #"[{"one":1},{},{"b":2,"a":1}]"#),
            (StoredPreference("k", [String: [Bool]].self), #"{"x":[true,false]}"#),
            (StoredPreference("k", [UInt64].self), "[18446744073709551615]"),
            (StoredPreference("k", [Int64].self), "[-9223372036854775808]"),
        ])
    func nativeElements(key: StoredPreference, json: String) throws {
        #expect(try Preferences.outcome(of: json, key) == json)
    }

    @Test("a set keeps the order in which it is stored")
    func order() throws {
        let json = "[" + (0..<100).map { "\"\($0)\"" }.joined(separator: ",") + "]"
        #expect(try Preferences.outcome(of: json, StoredPreference("k", Set<String>.self)) == json)
    }

    @Test("numbers are converted exactly to their declared type")
    func numbers() throws {
        let doubles = try Preferences.trace(StoredPreference("k", [Double].self), of: ["k": "[1, 0.1, 1e300]"])
        #expect(try Preferences.read(doubles.result)["k"] as? [Double] == [1, 0.1, 1e300])
        #expect(compact(doubles.result) == #"{"k":[1.0,0.1,1e+300]}"#)
        #expect(try Preferences.outcome(of: "[1.0]", StoredPreference("k", [Int].self)) == "[1]")
    }

    @Test("dates and data inside a JSON string become dates and data")
    func datesAndData() throws {
        let trace = try Preferences.trace(
            StoredPreference("dates", [Date].self), StoredPreference("data", [Data].self),
            of: ["dates": "[727185600.123456]", "data": #"["Ym9vaw=="]"#])
        let read = try Preferences.read(trace.result)
        #expect(read["dates"] as? [Date] == [Date(timeIntervalSinceReferenceDate: 727_185_600.123456)])
        #expect(read["data"] as? [Data] == [Data("book".utf8)])
    }

    // MARK: - Codable elements

    private static let zone = #"{"id":"0","name":"Asia/Taipei"}"#
    private static let zoneText = #""{\"id\":\"0\",\"name\":\"Asia/Taipei\"}""#

    @Test(
        "structs and enums in collections become the JSON strings that Defaults 5 writes",
        arguments: [
            (StoredPreference("k", [Zone].self), "[\(zone)]", "[\(zoneText)]"),
            (StoredPreference("k", Set<Zone>.self), "[\(zone)]", "[\(zoneText)]"),
            (StoredPreference("k", [String: Zone].self), #"{"home": \#(zone)}"#, #"{"home":\#(zoneText)}"#),
            (StoredPreference("k", [Period].self), #"["1 Hour"]"#, #"["\"1 Hour\""]"#),
            (StoredPreference("k", Set<Period>.self), #"["1 Hour"]"#, #"["\"1 Hour\""]"#),
            (StoredPreference("k", [String: Period].self), #"{"a":"1 Hour"}"#, #"{"a":"\"1 Hour\""}"#),
            (StoredPreference("k", [[Zone]].self), "[[\(zone)]]", "[[\(zoneText)]]"),
        ])
    func standardElements(key: StoredPreference, json: String, expected: String) throws {
        #expect(try Preferences.outcome(of: json, key) == expected)
    }

    @Test(
        "structs and enums in collections become dictionaries and raw values if they are declared native",
        arguments: [
            (StoredPreference("k", [Zone].self, storedAs: .native), "[\(zone)]"),
            (StoredPreference("k", Set<Zone>.self, storedAs: .native), "[\(zone)]"),
            (StoredPreference("k", [String: Zone].self, storedAs: .native), #"{"home":\#(zone)}"#),
            (StoredPreference("k", [Period].self, storedAs: .native), #"["1 Hour","10 Minutes"]"#),
            (StoredPreference("k", Set<Period>.self, storedAs: .native), #"["1 Hour","10 Minutes"]"#),
            (StoredPreference("k", [String: Period].self, storedAs: .native), #"{"a":"1 Hour"}"#),
        ])
    func nativeCodableElements(key: StoredPreference, json: String) throws {
        #expect(try Preferences.outcome(of: json, key) == json)
    }

    @Test("an element that becomes a JSON string keeps every field and the spelling of its numbers")
    func spelling() throws {
        let json = #"[{"name":"x","id":"1","extra":1.50e2}]"#
        let trace = try Preferences.trace(StoredPreference("k", [Zone].self), of: ["k": json])
        #expect(try Preferences.read(trace.result)["k"] as? [String] == [String(json.dropFirst().dropLast())])
        #expect(trace.dropped.isEmpty)
    }

    // MARK: - The optional migrations

    @Test("a struct and an enum stay JSON strings unless they are declared native")
    func optionalMigrations() throws {
        #expect(try Preferences.outcome(of: Self.zone, StoredPreference("k", Zone.self)) == "current")
        #expect(try Preferences.outcome(of: #""1 Hour""#, StoredPreference("k", Period.self)) == "current")
        #expect(
            try Preferences.outcome(of: Self.zone, StoredPreference("k", Zone.self, storedAs: .native)) == Self.zone)
        let period = StoredPreference("k", Period.self, storedAs: .native)
        #expect(try Preferences.outcome(of: #""1 Hour""#, period) == #""1 Hour""#)
        #expect(try Preferences.outcome(of: "1 Hour", period) == "current")
        #expect(try Preferences.outcome(of: ["id": "0", "name": "x"], StoredPreference("k", Zone.self)) == "failed")
    }

    @Test("a collection that is declared a JSON string stays one")
    func wholeString() throws {
        let key = StoredPreference("k", [String].self, storedAs: .jsonString)
        #expect(try Preferences.outcome(of: #"["a"]"#, key) == "current")
        #expect(try Preferences.outcome(of: ["a"], key) == "failed")
    }

    @Test("a field that a native struct does not read is dropped, and is reported as dropped")
    func dropped() throws {
        let trace = try Preferences.trace(
            StoredPreference("k", [Zone].self, storedAs: .native), of: ["k": #"[{"id":"0","name":"x","city":"T"}]"#])
        #expect(trace.dropped.map(\.description) == ["$.k[*].city"])
        #expect(trace.parts.first?.dropped.map(\.description) == ["$[*].city"])
    }

    // MARK: - Other types

    private struct Volume: Codable {
        var level: Int

        init(percent: Double) throws {
            guard (0...1).contains(percent) else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [], debugDescription: "A volume of \(percent) is no longer valid"))
            }
            level = Int(percent * 100)
        }
    }

    private static let volume = StoredPreference("k", Volume.self, storedAs: .native, from: Double.self) {
        try Volume(percent: $0)
    }

    /// A size as version 4 wrote it, of which the conversion uses only some fields.
    private struct Size: Codable {
        var width: Int
    }

    @Test("a field that the old type of a conversion does not read is dropped, and is reported as dropped")
    func droppedByConversion() throws {
        let area = StoredPreference("k", [String: Int].self, storedAs: .native, from: Size.self) {
            ["width": $0.width, "height": 2, "depth": 3]
        }
        let trace = try Preferences.trace(area, of: ["k": #"{"width":1,"height":5,"unit":{"name":"cm"},"depth":6}"#])
        #expect(try Preferences.read(trace.result)["k"] as? [String: Int] == ["width": 1, "height": 2, "depth": 3])
        #expect(trace.dropped.map(\.description) == ["$.k.height", "$.k.unit", "$.k.depth"])
        #expect(trace.parts.first?.dropped.map(\.description) == ["$.height", "$.unit", "$.depth"])
    }

    @Test("a value whose type changed is converted")
    func conversion() throws {
        #expect(try Preferences.outcome(of: "0.5", Self.volume) == #"{"level":50}"#)
        #expect(try Preferences.outcome(of: ["level": 50], Self.volume) == "current")
        let text = StoredPreference("k", [Volume].self, from: [Double].self) { try $0.map { try Volume(percent: $0) } }
        #expect(try Preferences.outcome(of: "[0.5]", text) == #"["{\"level\":50}"]"#)
    }

    @Test("a value that is a JSON string before and after is converted inside it, and only once")
    func conversionInsideString() throws {
        let key = StoredPreference("k", Volume.self, from: Period.self) { try Volume(percent: $0 == .oneHour ? 1 : 2) }
        #expect(try Preferences.outcome(of: #""1 Hour""#, key) == #""{\"level\":100}""#)
        #expect(try Preferences.outcome(of: #"{"level":100}"#, key) == "current")
        #expect(try Preferences.outcome(of: #""10 Minutes""#, key) == "failed")
        #expect(try Preferences.outcome(of: #""Never""#, key) == "failed")
    }

    @Test("a value that becomes a string is converted from the JSON of the old type, and only once")
    func conversionToString() throws {
        let key = StoredPreference("k", String.self, from: Period.self) { $0.rawValue }
        let trace = try Preferences.trace(key, of: ["k": #""1 Hour""#])
        #expect(try Preferences.read(trace.result)["k"] as? String == "1 Hour")
        #expect(trace.warnings == [.field(path: DocumentPath([.key("k")]), problem: .takenForJSON(type: "Period"))])
        for current in ["1 Hour", #""2 Hours""#, "", "null", "[broken"] {
            #expect(try Preferences.outcome(of: current, key) == "current")
        }
        let refusing = StoredPreference("k", String?.self, from: Period.self) { period in
            guard period == .oneHour else {
                throw VersionedDecodingError.fieldNoLongerValid(.init(codingPath: [], debugDescription: "too short"))
            }
            return period.rawValue
        }
        #expect(try Preferences.outcome(of: #""1 Hour""#, refusing) == #""1 Hour""#)
        #expect(try Preferences.outcome(of: #""10 Minutes""#, refusing) == "failed")
    }

    @Test(
        "an array of alternating keys and values becomes a dictionary, if JSON cannot have the keys as names",
        arguments: [
            (StoredPreference("k", [UInt8: String].self), #"[1,"one"]"#, #"{"1":"\"one\""}"#),
            (StoredPreference("k", [Double: Int].self), "[1.5,1]", #"{"1.5":"1"}"#),
            (StoredPreference("k", [Bool: Int].self), "[true,1]", #"{"true":"1"}"#),
            (StoredPreference("k", [UInt8: Zone].self), "[7,\(zone)]", #"{"7":\#(zoneText)}"#),
            (StoredPreference("k", [UInt8: Zone].self, storedAs: .native), "[7,\(zone)]", #"{"7":\#(zone)}"#),
            (StoredPreference("k", [[UInt8: [Int64: Int]]].self), "[[1,[2,3]]]", #"[{"1":{"2":"3"}}]"#),
            (StoredPreference("k", [UInt8: Int?].self), "[1,null,2,3]", #"{"2":"3"}"#),
            (StoredPreference("k", [UInt8: Int].self), "[]", "{}"),
            // A dictionary keeps the last of two values for one key.
            (StoredPreference("k", [UInt8: Int].self), "[1,2,1,3]", #"{"1":"3"}"#),
            (StoredPreference("k", [UInt8: Int].self), "[1]", "failed"),
            (StoredPreference("k", [UInt8: Int].self), "[300,1]", "failed"),
            (StoredPreference("k", [Int: Int].self), "[1,2]", "failed"),
            (StoredPreference("k", [String: Int].self), #"["a",2]"#, "failed"),
        ])
    func alternatingArrays(key: StoredPreference, json: String, expected: String) throws {
        #expect(try Preferences.outcome(of: json, key) == expected)
    }

    @Test("a dictionary is read from the alternating array that JSONEncoder writes for it")
    func alternatingArraysOfFoundation() throws {
        let stored = String(decoding: try JSONEncoder().encode([Int16(3): Period.oneHour]), as: UTF8.self)
        let trace = try Preferences.trace(
            StoredPreference("k", [Int16: Period].self, storedAs: .native), of: ["k": stored])
        #expect(try Preferences.read(trace.result)["k"] as? [String: String] == ["3": "1 Hour"])
    }

    @Test(
        "native values below a key that is not a string become JSON strings, as Defaults stores and reads them",
        arguments: [
            // Each with the value that Defaults 7.3.1 stores, recorded by running it.
            (StoredPreference("k", [Int: Int].self), #"{"1":5}"#, #"{"1":"5"}"#),
            (StoredPreference("k", [Int: String].self), #"{"1":"one"}"#, #"{"1":"\"one\""}"#),
            (StoredPreference("k", [Int: [String: Int]].self), #"{"1":{"a":5}}"#, #"{"1":{"a":"5"}}"#),
            (StoredPreference("k", [String: [Int: Bool]].self), #"{"x":{"1":true}}"#, #"{"x":{"1":"true"}}"#),
            (StoredPreference("k", [[Int: Double]].self), #"[{"1":2.5}]"#, #"[{"1":"2.5"}]"#),
            (StoredPreference("k", [Int: [Int]].self), #"{"1":[5,6]}"#, #"{"1":["5","6"]}"#),
            (StoredPreference("k", [Int: Set<Int>].self), #"{"1":[5]}"#, #"{"1":[5]}"#),
            (StoredPreference("k", [Int: [Set<String>]].self), #"{"1":[["a"]]}"#, #"{"1":[["a"]]}"#),
            (StoredPreference("k", [Int: [Int: String]].self), #"{"1":{"2":"two"}}"#, #"{"1":{"2":"\"two\""}}"#),
            (StoredPreference("k", [Int: Int?].self), #"{"1":5}"#, #"{"1":"5"}"#),
            (StoredPreference("k", [UInt8: Data].self), #"[1,"AQI="]"#, #"{"1":"\"AQI=\""}"#),
            (StoredPreference("k", [Int: Date].self), #"{"1":7.5}"#, #"{"1":"7.5"}"#),
            (StoredPreference("k", [Int: URL].self), #"{"1":"https:\/\/a.b"}"#, #"{"1":"\"https:\\/\\/a.b\""}"#),
            (StoredPreference("k", [String: Set<[String: Int]>].self), #"{"x":[{"a":1}]}"#, #"{"x":[{"a":1}]}"#),
            (StoredPreference("k", [Int: Set<[Int: Int]>].self), #"{"1":[{"2":3}]}"#, #"{"1":[{"2":"3"}]}"#),
        ])
    func belowOtherKeys(key: StoredPreference, json: String, expected: String) throws {
        #expect(try Preferences.outcome(of: json, key) == expected)
        #expect(try Preferences.outcome(of: Preferences.value(expected), key) == "current")
    }

    @Test("a comma before a closing bracket is ignored with a warning that says where it is")
    func extraComma() throws {
        let trace = try Preferences.trace(StoredPreference("k", [Int].self), of: ["k": "[1,2,]"])
        #expect(try Preferences.read(trace.result)["k"] as? [Int] == [1, 2])
        let place = SourceLocation(line: 1, column: 5, offset: 4, within: DocumentPath([.key("k")]))
        #expect(trace.warnings == [.trailingComma(location: place)])
    }

    @Test("a fraction of a second that an XML property list cannot hold is left out with a warning")
    func fractionsOfSeconds() throws {
        let key = StoredPreference("k", [Date].self)
        let stored = ["k": "[0.25,7,-0.25]"]
        let trace = try Preferences.trace(key, of: stored, .xml)
        #expect(
            trace.warnings
                == [0, 2].map { .field(path: DocumentPath([.key("k"), .index($0)]), problem: .fractionLeftOut) })
        let dates = [0, 7, -1].map { Date(timeIntervalSinceReferenceDate: $0) }
        #expect(try Preferences.read(trace.result)["k"] as? [Date] == dates)
        #expect(trace.result?.root["k"]?.elements.map(\.date) == dates)
        #expect(try Preferences.trace(key, of: stored, .binary).warnings.isEmpty)
    }

    @Test("an error thrown by the conversion is a failure of the step")
    func failedConversion() throws {
        let trace = try Preferences.trace(Self.volume, StoredPreference("a", [Int].self), of: ["k": "7", "a": "[1]"])
        let failure = try #require(trace.failure)
        #expect(failure.kind == .fieldNoLongerValid)
        #expect(failure.step == .init(from: .number(4), to: .number(5)))
        #expect(failure.path == .of("$.k"))
        #expect(failure.message == "A volume of 7.0 is no longer valid")
        #expect(failure.location == .init(line: 1, column: 1, offset: 0, within: .of("$.k")))
        #expect(trace.parts.first { $0.outcome == .failed }?.steps.map { $0.after == nil } == [true])
        #expect(try Preferences.read(trace.result)["a"] as? [Int] == [1])
    }

    // MARK: - Values that must not change

    @Test("native scalars stay as they are")
    func scalars() throws {
        let values: [String: Any] = [
            "int": 5, "i8": -8, "i16": 16, "i32": 32, "i64": Int64.min, "uint": UInt.max, "u8": 255, "u16": 1, "u32": 2,
            "u64": UInt64.max, "double": 0.1, "float": Float(0.1), "cgFloat": 2.5, "bool": true, "text": "x",
            "date": Date(timeIntervalSinceReferenceDate: 0.1), "data": Data([0, 255]),
        ]
        let trace = try Preferences.trace(
            StoredPreference("int", Int.self), StoredPreference("i8", Int8.self), StoredPreference("i16", Int16.self),
            StoredPreference("i32", Int32.self), StoredPreference("i64", Int64.self),
            StoredPreference("uint", UInt.self),
            StoredPreference("u8", UInt8.self), StoredPreference("u16", UInt16.self),
            StoredPreference("u32", UInt32.self),
            StoredPreference("u64", UInt64.self), StoredPreference("double", Double.self),
            StoredPreference("float", Float.self), StoredPreference("cgFloat", CGFloat.self),
            StoredPreference("bool", Bool.self), StoredPreference("text", String.self),
            StoredPreference("date", Date.self),
            StoredPreference("data", Data.self), of: values)
        #expect(trace.outcome == .current)
        #expect(trace.parts.count == values.count)
        #expect(trace.result == trace.document)
    }

    @Test("a scalar that Defaults 4 wrote as a JSON string becomes native")
    func scalarStrings() throws {
        // Of the integers and floats, only Int, Double and Float were native in version 4.
        #expect(try Preferences.outcome(of: "5", StoredPreference("k", Int8.self)) == "5")
        #expect(try Preferences.outcome(of: "2.5", StoredPreference("k", CGFloat.self)) == "2.5")
        #expect(try Preferences.outcome(of: "300", StoredPreference("k", UInt8.self)) == "failed")
    }

    @Test(
        "a string that looks like JSON stays a string if the key holds strings",
        arguments: [#"["a"]"#, #"{"a":1}"#, "7", "null", "\"quoted\"", "", "$null", "[broken"])
    func strings(text: String) throws {
        #expect(try Preferences.outcome(of: text, StoredPreference("k", String.self)) == "current")
        #expect(try Preferences.outcome(of: [text], StoredPreference("k", [String].self)) == "current")
    }

    @Test("a URL is a JSON string in both versions, even if everything else is native")
    func urls() throws {
        let stored = #""https:\/\/example.com\/a""#
        for form in [PreferenceForm.standard, .native, .jsonString] {
            #expect(try Preferences.outcome(of: stored, StoredPreference("k", URL.self, storedAs: form)) == "current")
        }
        let trace = try Preferences.trace(
            StoredPreference("k", [URL].self, storedAs: .native), of: ["k": "[\(stored)]"])
        #expect(try Preferences.read(trace.result)["k"] as? [String] == [stored])
    }

    @Test("numbers and Booleans are interchangeable, as in UserDefaults")
    func bridging() throws {
        for number in 0...1 {
            #expect(try Preferences.outcome(of: number, StoredPreference("k", Bool.self)) == "current")
        }
        #expect(try Preferences.outcome(of: true, StoredPreference("k", Int.self)) == "current")
        #expect(try Preferences.outcome(of: 2, StoredPreference("k", Bool.self)) == "failed")
        #expect(try Preferences.outcome(of: 3, StoredPreference("k", Double.self)) == "current")
        #expect(try Preferences.outcome(of: 3.0, StoredPreference("k", Int.self)) == "current")
        #expect(try Preferences.outcome(of: 3.5, StoredPreference("k", Int.self)) == "failed")
    }

    // MARK: - Null

    @Test("a key with a null that the type allows is not stored")
    func null() throws {
        #expect(try Preferences.outcome(of: "null", StoredPreference("k", [String]?.self)) == "nothing")
        // A key may always be absent, however it is declared.
        for key in [
            StoredPreference("k", [String].self), StoredPreference("k", [Int: Int].self),
            StoredPreference("k", Zone.self), StoredPreference("k", Period.self, storedAs: .native),
            StoredPreference("k", URL.self), StoredPreference("k", Int8.self), Self.volume,
        ] {
            #expect(try Preferences.outcome(of: "null", key) == "nothing")
            #expect(try Preferences.outcome(of: " null\n", key) == "nothing")
        }
        #expect(try Preferences.outcome(of: "null", StoredPreference("k", String.self)) == "current")
        let trace = try Preferences.trace(
            StoredPreference("list", [String?].self), StoredPreference("table", [String: Zone?].self),
            of: ["list": #"["a",null]"#, "table": #"{"a":null}"#])
        let read = try Preferences.read(trace.result)
        #expect(read["list"] as? [String] == ["a"])
        #expect((read["table"] as? [String: Any])?.isEmpty == true)
        #expect(
            Set(trace.warnings) == [
                .field(path: try #require(.of("$.list[1]")), problem: .nullLeftOut),
                .field(path: try #require(.of("$.table.a")), problem: .nullLeftOut),
            ])
        #expect(trace.dropped.isEmpty)
    }

    @Test("the first of two values with the same name is stored, with a warning")
    func duplicates() throws {
        let trace = try Preferences.trace(StoredPreference("k", [String: Int].self), of: ["k": #"{"a":1,"a":2}"#])
        #expect(compact(trace.result) == #"{"k":{"a":1}}"#)
        #expect(
            trace.warnings == [
                .field(
                    path: .root.appending(key: "a"),
                    problem: .duplicateName(isLastRead: false, spellings: nil, string: .root.appending(key: "k")))
            ])
        #expect(trace.dropped.isEmpty)
    }
}
