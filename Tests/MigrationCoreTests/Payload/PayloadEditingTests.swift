import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Payloads that a closure edits")
struct PayloadEditingTests {
    /// Returns the document after the closure.
    private func edited<Edit: PayloadEdit>(_ json: String, by _: Edit.Type) throws -> String? {
        let trace = try MigrationChain(Anything<Edit>.self).trace(json: json)
        #expect(trace.failure == nil)
        return compact(trace.steps.last?.after)
    }

    private enum Nothing: PayloadEdit { static func edit(_: inout [String: Any]) {} }

    @Test(
        "an edited payload keeps the order of keys and the spelling of values that were not edited",
        arguments: [
            #"{"version":1,"z":1,"a":1.0,"m":true,"b":null,"c":false,"d":0}"#,
            #"{"version":1,"id":9007199254740993,"huge":123456789012345678901234567890123456789012345678901}"#,
            #"{"version":1,"id":18446744073709551615,"low":-9223372036854775808,"zero":-0,"e":1E+2,"big":1e400}"#,
            #"{"version":1,"pi":3.14159265358979323846264338327950288,"price":19.90}"#,
            #"{"version":1,"text":"caf\u00e9 \/ \"x\"","empty":"","list":[],"object":{}}"#,
            #"{"version":1,"rows":[{"y":1,"x":[null,1,1.0,true]},{"x":2}],"deep":{"b":{"d":1,"c":{}},"a":[[1.50]]}}"#,
        ])
    func untouched(json: String) throws {
        #expect(try edited(json, by: Nothing.self) == json.replacing(#""version":1"#, with: #""version":2"#))
    }

    private enum Adding: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            for name in ["walnut", "almond", "pecan"] { payload[name] = 1 }
            payload["nested"] = ["b": 1, "a": ["d": 2, "c": 3]]
        }
    }

    @Test("added keys are sorted after the existing ones")
    func added() throws {
        #expect(
            try edited(#"{"zebra": 1, "version": 1, "apple": 2}"#, by: Adding.self)
                == #"{"zebra":1,"version":2,"apple":2,"almond":1,"nested":{"a":{"c":3,"d":2},"b":1},"pecan":1,"walnut":1}"#
        )
    }

    private enum Rearranging: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            payload["place"] = payload.removeValue(forKey: "address")
            if let rows = payload["rows"] as? [Any] { payload["rows"] = ["new"] + rows.dropFirst() + rows.prefix(1) }
            if let pair = payload["pair"] as? [Any] { payload["pair"] = Array(pair.reversed()) }
        }
    }

    @Test("a moved value keeps the order of its keys")
    func rearranged() throws {
        let json = #"""
            {"version":1,"address":{"zip":1.0,"city":2},"rows":[{"z":1,"a":2},{"y":3,"b":4}]}
            """#
        #expect(
            try edited(json, by: Rearranging.self)
                == #"{"version":2,"rows":["new",{"y":3,"b":4},{"z":1,"a":2}],"place":{"zip":1.0,"city":2}}"#)
        let pair = #"{"version":1,"pair":[{"z":1,"a":2,"m":3},{"y":3,"b":4,"c":5}]}"#
        #expect(
            try edited(pair, by: Rearranging.self)
                == #"{"version":2,"pair":[{"y":3,"b":4,"c":5},{"z":1,"a":2,"m":3}]}"#)
    }

    private enum Thinning: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            payload["rows"] = (payload["rows"] as? [[String: Any]])?.map { $0.filter { $0.key != "gone" } }
            var place = payload["place"] as? [String: Any]
            place?["new"] = Optional(("abc" as Substring).prefix(1)) as Any
            payload["place"] = place
        }
    }

    @Test("an object that only lost or gained members keeps the order of keys and the spelling of values")
    func thinned() throws {
        let json =
            #"{"version":1,"rows":[{"z":1,"gone":2,"a":1.50},{"a":2.0,"gone":{},"z":3}],"place":{"zip":1e2,"city":2}}"#
        #expect(
            try edited(json, by: Thinning.self)
                == #"{"version":2,"rows":[{"z":1,"a":1.50},{"a":2.0,"z":3}],"place":{"zip":1e2,"city":2,"new":"a"}}"#)
    }

    private enum Numbers: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            payload["double"] = payload["one"] as? Double
            payload["integer"] = payload["one"] as? Int
            payload["ints"] = payload["list"] as? [Int]
            payload["flag"] = payload["true"] as? Bool
            payload["large"] = UInt64.max
            payload["small"] = Int8(-5)
            payload["float"] = Float(0.1)
            payload["decimal"] = Decimal(string: "12345678901234567890.5")
            payload["swap"] = payload["true"]
            payload["one"] = payload["real"]
        }
    }

    @Test("the numbers of a payload are those of JSONSerialization, each written as what it is")
    func numbers() throws {
        #expect(
            try edited(#"{"version": 1, "one": 1, "real": 1.0, "true": true, "list": [1, 2.0]}"#, by: Numbers.self)
                == #"{"version":2,"one":1.0,"real":1.0,"true":true,"list":[1,2.0],"decimal":12345678901234567890.5,"#
                + #""double":1.0,"flag":true,"float":0.1,"integer":1,"ints":[1,2],"large":18446744073709551615,"#
                + #""small":-5,"swap":true}"#)
    }

    private enum ADate: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            payload["dates"] = [0, Date(timeIntervalSince1970: 0)] as [Any]
        }
    }
    private enum NotANumber: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) { payload["n"] = ["x": Double.nan] }
    }
    private enum NoNumber: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) { payload["n"] = Decimal.nan }
    }
    private enum AKey: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) { payload["n"] = [1: "one"] }
    }
    private enum SomeBytes: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) { payload["n"] = Data([1]) }
    }
    private enum ASet: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) { payload["n"] = Set([1]) }
    }

    private func left<Edit: PayloadEdit>(_: Edit.Type) throws -> Reason? {
        let json = #"{"version": 1}"#
        #expect(throws: (any Error).self) {
            try VersionableDecoder().decode(Anything<Edit>.self, from: Data(json.utf8))
        }
        let failure = try MigrationChain(Anything<Edit>.self).check(json: json).failure
        #expect(failure?.kind == .thrown)
        return failure?.reason
    }

    private func unwritable(_ found: UnwritableValue, at path: String) throws -> Reason {
        .unwritable(path: try #require(.of(path)), found: found, isPropertyList: false)
    }

    @Test("a payload cannot hold what no JSON document can, and the error says where that is")
    func impossible() throws {
        #expect(try left(ADate.self) == unwritable(.value(type: "Date"), at: "$.dates[1]"))
        #expect(try left(NotANumber.self) == unwritable(.number("nan"), at: "$.n.x"))
        #expect(try left(NoNumber.self) == unwritable(.number("NaN"), at: "$.n"))
        #expect(try left(AKey.self) == unwritable(.key("1"), at: "$.n"))
        #expect(try left(SomeBytes.self) == unwritable(.value(type: "Data"), at: "$.n"))
        #expect(try left(ASet.self) == unwritable(.value(type: "Set<Int>"), at: "$.n"))
    }

    private enum WhatIsThere: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            payload["absent"] = payload["x"] as Any
            payload["dictionary"] = ["a": nil, "b": 1] as [String: Int?]
            payload["list"] = [1, nil] as [Int?]
            payload["mixed"] = [payload["x"] as Any, Optional(Optional(2)) as Any, "s"] as [Any]
            payload["optional"] = Optional(4) as Any
            payload["nested"] = Optional(Optional<[String: Any?]>.some(["z": nil, "y": "x"])) as Any
        }
    }
    private enum Slices: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            let text = payload["text"] as? String ?? ""
            payload["first"] = text.prefix(3)
            payload["words"] = text.split(separator: " ")
            payload["rest"] = [1, 2, 3][1...]
            payload["mixed"] = ([1, "a", text.suffix(1)] as [Any])[1...]
            payload["bySubstring"] = [text.prefix(1): 1]
            payload["contiguous"] = ContiguousArray([1])
        }
    }
    private enum NumbersOfAnyType: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            payload["numbers"] =
                [
                    Int8(-1), UInt64.max, Float(0.1), 0.1, CGFloat(2.5), Decimal(string: "0.1") as Any,
                    NSDecimalNumber(string: "1.5"), Float16(0.5), NSNumber(value: 3),
                ] as [Any]
        }
    }

    @Test("a payload holds nil as null, even inside arrays and dictionaries")
    func nils() throws {
        #expect(
            try edited(#"{"version": 1}"#, by: WhatIsThere.self)
                == #"{"version":2,"absent":null,"dictionary":{"a":null,"b":1},"list":[1,null],"mixed":[null,2,"s"],"#
                + #""nested":{"y":"x","z":null},"optional":4}"#)
    }

    @Test("a payload holds substrings and slices as strings and arrays")
    func slices() throws {
        #expect(
            try edited(#"{"version": 1, "text": "a rose is"}"#, by: Slices.self)
                == #"{"version":2,"text":"a rose is","bySubstring":{"a":1},"contiguous":[1],"first":"a r","#
                + #""mixed":["a","s"],"rest":[2,3],"words":["a","rose","is"]}"#)
    }

    @Test("a payload holds numbers of any type")
    func numbersOfAnyType() throws {
        #expect(
            try edited(#"{"version": 1}"#, by: NumbersOfAnyType.self)
                == #"{"version":2,"numbers":[-1,18446744073709551615,0.1,0.1,2.5,0.1,1.5,0.5,3]}"#)
    }

    @Test("the payload of a property list has its dates and data")
    func propertyList() throws {
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["version": 1, "when": Date(timeIntervalSince1970: 0), "bytes": Data([1, 2])],
            format: .xml, options: 0)
        let document = try Document(parsing: SourceBytes(list))
        let trace = MigrationChain(Anything<ADate>.self).trace(document, source: "x.plist")
        #expect(trace.failure == nil)
        let after = try #require(trace.steps.last?.after?.root)
        #expect(after["bytes"]?.data == Data([1, 2]))
        #expect(after["when"]?.date == Date(timeIntervalSince1970: 0))
        #expect(after["dates"]?[1]?.date == Date(timeIntervalSince1970: 0))
    }

    @Test("a payload equals that of JSONSerialization")
    func comparison() throws {
        let json = #"{"n":null,"b":true,"i":1,"r":1.5,"s":"x","a":[1,"x",{"k":false}],"big":123456789012345678901234}"#
        #expect(try edited(#"{"version":1,"all":\#(json)}"#, by: Comparing.self)?.hasSuffix(#""same":true}"#) == true)
    }

    private enum Comparing: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) throws {
            let json =
                #"{"n":null,"b":true,"i":1,"r":1.5,"s":"x","a":[1,"x",{"k":false}],"big":123456789012345678901234}"#
            let expected = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? NSDictionary
            payload["same"] = (payload["all"] as? [String: Any]).map { NSDictionary(dictionary: $0) == expected }
        }
    }

    private enum Respelling: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            payload["name"] = (payload["name"] as? String)?.precomposedStringWithCanonicalMapping
            if let value = payload.removeValue(forKey: "cafe\u{301}") { payload["caf\u{e9}"] = value }
            payload["moved"] = payload.removeValue(forKey: "second")
        }
    }

    @Test("a payload is spelled as the closure spells it, even if the text or name was an equivalent one before")
    func respelled() throws {
        let json =
            "{\"version\":1,\"name\":\"e\u{301}\",\"cafe\u{301}\":1,\"first\":{\"\u{e9}\":1},\"second\":{\"e\u{301}\":2}}"
        let edited = try #require(try edited(json, by: Respelling.self))
        let expected =
            "{\"version\":2,\"name\":\"\u{e9}\",\"first\":{\"\u{e9}\":1},\"caf\u{e9}\":1,\"moved\":{\"e\u{301}\":2}}"
        #expect(edited.utf8.elementsEqual(expected.utf8))
    }

    private enum Doubling: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            if var table = payload["table"] as? [String: Any], let value = table["\u{e9}"] as? Int {
                table["\u{e9}"] = 2 * value
                payload["table"] = table
            }
        }
    }

    @Test("a payload holds only the last of several members of one name, as with JSONSerialization")
    func equivalentNames() throws {
        for names in [["\u{e9}", "e\u{301}"], ["e\u{301}", "\u{e9}"], ["\u{e9}", "\u{e9}"]] {
            let json = "{\"version\":1,\"table\":{\"\(names[0])\":1,\"\(names[1])\":7}}"
            let edited = try #require(try edited(json, by: Doubling.self))
            #expect(edited.utf8.elementsEqual("{\"version\":2,\"table\":{\"\(names[1])\":14}}".utf8))
        }
    }

    @Test("a warning says that steps get the last of several members of one name, and the decoder the first")
    func duplicateWarnings() throws {
        func isLastRead(_ json: String) throws -> [Bool] {
            try MigrationChain(Anything<Nothing>.self).check(json: json).warnings.compactMap { warning in
                if case .field(_, .duplicateName(let isLastRead, _, _)) = warning { isLastRead } else { nil }
            }
        }
        #expect(try isLastRead(#"{"version":1,"a":1,"a":2}"#) == [true])
        #expect(try isLastRead(#"{"version":2,"a":1,"a":2}"#) == [false])
        // The decoder reads the version.
        #expect(try isLastRead(#"{"version":1,"version":2}"#) == [false])
    }

    private enum Reals: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) throws {
            let texts = payload["texts"] as? [String] ?? []
            let json = "[" + texts.joined(separator: ",") + "]"
            let expected = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Any] ?? []
            let found = payload["reals"] as? [Any] ?? []
            payload["same"] = zip(found, expected).map { one, other in
                one as? Decimal == other as? Decimal && one as? Double == other as? Double
                    && one as? Int == other as? Int
            }
            payload["decimals"] = found.map { $0 is Decimal }
        }
    }

    @Test("reals of any length are those of JSONSerialization, which are decimals too if longer than 17 characters")
    func reals() throws {
        let texts = [
            "1.5", "0.1", "1.2345678901234567890123", "0.30000000000000004", "12345678901234567.5", "1e2", "-2.5e-3",
            "1.234567890123456789e10",
        ]
        let json = """
            {"version": 1, "reals": [\(texts.joined(separator: ","))], "texts": ["\(texts.joined(separator: "\",\""))"]}
            """
        let result = try #require(try MigrationChain(Anything<Reals>.self).trace(json: json).steps.last?.after)
        #expect(compact(result)?.contains(#""same":[true,true,true,true,true,true,true,true]"#) == true)
        #expect(
            compact(result)?.contains(#""decimals":[false,false,true,true,true,false,false,true]"#) == true)
    }

    private struct Refusal: Error, Equatable { var number: Int }

    private enum Refusing: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) throws { throw Refusal(number: 7) }
    }

    /// Catches the errors that closures of a container throw.
    private struct Guest: Codable {
        var caught: Int?

        enum CodingKeys: CodingKey { case container, caught }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            do {
                _ = try container.decode(VersionableContainer<Anything<Refusing>>.self, forKey: .container)
            } catch let error as Refusal {
                caught = error.number
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(caught, forKey: .caught)
        }
    }

    @Test(
        "an error that a closure throws arrives unchanged, in an app and in a chain, in a document and in a container")
    func thrownErrors() throws {
        let json = #"{"version":1}"#
        #expect(throws: Refusal(number: 7)) {
            try VersionableDecoder().decode(Anything<Refusing>.self, from: Data(json.utf8))
        }
        let guest = #"{"container":{"version":1,"instance":"\#(Data(json.utf8).base64EncodedString())"}}"#
        #expect(try JSONDecoder().decode(Guest.self, from: Data(guest.utf8)).caught == 7)
        let chain = MigrationChain(named: "Guest", shapes: ShapeVersions(Guest.self))
        // If it had arrived as another error, the type would not have caught it.
        #expect(try chain.check(json: guest).outcome == .current)
        let failure = try MigrationChain(Anything<Refusing>.self).check(json: json).failure
        #expect(failure?.reason == .thrown(message: "Refusal(number: 7)"))
    }
}
