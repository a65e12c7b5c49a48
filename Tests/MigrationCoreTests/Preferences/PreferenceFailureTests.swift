import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Failures of preferences")
struct PreferenceFailureTests {
    private func failure(_ key: StoredPreference, _ stored: Any) throws -> MigrationFailure {
        let trace = try Preferences.trace(key, of: [key.name: stored])
        #expect(trace.outcome == .failed)
        #expect(trace.detection.version == .number(4))
        #expect(trace.result == nil && trace.steps.isEmpty)
        return try #require(trace.failure)
    }

    private func place(_ line: Int, _ column: Int, _ offset: Int, in path: String) -> DocumentModel.SourceLocation {
        .init(line: line, column: column, offset: offset, within: DocumentPath(path))
    }

    @Test("a string that is cut short fails at its end")
    func cutShort() throws {
        let failure = try failure(StoredPreference("k", [String].self), "[\n  \"ä\",\n  \"b\"")
        #expect(failure.kind == .dataCorrupted)
        #expect(failure.step == nil)
        #expect(failure.path == .of("$.k"))
        #expect(failure.location == place(3, 6, 15, in: "$.k"))
        guard case .field(_, .notJSON) = failure.reason else {
            Issue.record("\(failure.reason)")
            return
        }
    }

    @Test("a missing field is named with its path inside the string")
    func missingField() throws {
        let failure = try failure(StoredPreference("k", [Zone].self), #"[{"id":"0","name":"x"},{"id":"1","nam":"y"}]"#)
        #expect(failure.kind == .keyNotFound)
        #expect(failure.path == .of("$.k[1].name"))
        #expect(failure.culprit == .init(path: .of("$.k[1].nam")!, certain: false))
        #expect(failure.location == place(1, 40, 39, in: "$.k"))
    }

    @Test("a value of the wrong type is the culprit")
    func wrongType() throws {
        let failure = try failure(StoredPreference("k", [String: Int].self), #"{"one":1,"two":"zwei"}"#)
        #expect(failure.kind == .typeMismatch)
        #expect(failure.culprit == .init(path: .of("$.k.two")!, certain: true))
        #expect(failure.location == place(1, 16, 15, in: "$.k"))
    }

    @Test("a null in place of a required value fails at the element")
    func null() throws {
        let failure = try failure(StoredPreference("k", [String].self), #"["a", null]"#)
        #expect(failure.kind == .valueNotFound)
        #expect(failure.path == .of("$.k[1]"))
        #expect(failure.location == place(1, 7, 6, in: "$.k"))
    }

    @Test("locations in a JSON string inside an array are relative to that string")
    func elementString() throws {
        let failure = try failure(
            StoredPreference("k", [Zone].self), [#"{"id":"0","name":"x"}"#, #"{"id":7,"name":"x"}"#])
        #expect(failure.kind == .typeMismatch)
        #expect(failure.path == .of("$.k[1].id"))
        #expect(failure.location == place(1, 7, 6, in: "$.k[1]"))
    }

    @Test("a string that is not a case of an enum is reported as that string")
    func unknownCase() throws {
        let key = StoredPreference("k", Period.self, storedAs: .native)
        let native = try failure(key, "2 Hours")
        #expect(native.kind == .dataCorrupted)
        let found = FoundValue(kind: "string", text: "\"2 Hours\"")
        let path = DocumentPath([.key("k")])
        #expect(
            native.reason
                == .field(path: path, problem: .noCase(type: "Period", found: found, cases: ["10 Minutes", "1 Hour"])))
        #expect(native.location?.within == nil)
        let json = try failure(key, #""2 Hours""#)
        #expect(json.reason == native.reason)
        #expect(json.location == place(1, 1, 0, in: "$.k"))
        guard case .field(path, .notJSON) = try failure(key, #""2 Hours"#).reason else {
            Issue.record("a quotation mark begins JSON")
            return
        }
    }

    @Test("a value of neither version is reported with its kind, and its location if the file has locations")
    func neither() throws {
        let trace = try Preferences.trace(StoredPreference("k", Set<String>.self), of: ["k": 7], .xml)
        #expect(trace.failure?.kind == .typeMismatch)
        let found = FoundValue(kind: "number", text: "7")
        #expect(
            trace.failure?.reason
                == .field(path: .root.appending(key: "k"), problem: .mismatch(expected: .array, found: found)))
        #expect(trace.failure?.location?.line == 6)
        #expect(trace.failure?.location?.within == nil)
    }

    @Test("a string that both versions keep fails in both if it does not decode")
    func keptString() throws {
        #expect(try failure(StoredPreference("k", Zone.self), #"{"id":"0"}"#).path == .of("$.k.name"))
        #expect(try failure(StoredPreference("k", Zone.self), 7).kind == .typeMismatch)
        #expect(try failure(StoredPreference("k", URL.self), "https://example.com").kind == .dataCorrupted)
    }

    @Test("a name that is not a valid key of the dictionary is refused")
    func name() throws {
        #expect(try failure(StoredPreference("k", [Int: String].self), #"{"one":"1"}"#).path == .of("$.k.one"))
        #expect(try failure(StoredPreference("k", [Int: String].self), ["one": "1"]).path == .of("$.k.one"))
    }

    @Test("a property list inside a string is not JSON")
    func propertyList() throws {
        let text = #"<?xml version="1.0"?><plist><array/></plist>"#
        #expect(try failure(StoredPreference("k", [String].self), text).kind == .dataCorrupted)
    }

    @Test("a document without a dictionary at the root of a property list cannot be preferences")
    func roots() throws {
        let chain = MigrationChain(preferences: "Clock", keys: [StoredPreference("k", [String].self)])
        let json = chain.trace(try Document(json: #"{"k":"[]"}"#), source: "x")
        #expect(json.failure?.kind == .typeMismatch)
        let data = try PropertyListSerialization.data(fromPropertyList: ["k"], format: .binary, options: 0)
        let array = chain.check(try Document(parsing: SourceBytes(data)), source: "x")
        #expect(array.failure?.path == .root)
        #expect(array.version == nil)
    }
}
