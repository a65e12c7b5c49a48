import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("A chain of payload closures")
struct PayloadChainTests {
    private let chain = MigrationChain(Suitcase.self, notes: { $0 == .weighed ? "in grams" : nil })

    private func opened(_ json: String) throws -> Suitcase {
        try VersionableDecoder().decode(Suitcase.self, from: Data(json.utf8))
    }

    @Test("takes a step for each version, with its own before and after")
    func steps() throws {
        let json = #"{"name": "Ada", "kilograms": 12.5, "version": 1}"#
        let trace = try chain.trace(json: json)
        #expect(trace.outcome == .migrated)
        #expect(trace.steps.map(\.fromType) == ["Suitcase.first", "Suitcase.tagged", "Suitcase.weighed"])
        #expect(trace.steps.map(\.note) == [nil, "in grams", nil])
        #expect(
            trace.steps.map { compact($0.after) } == [
                #"{"name":"Ada","kilograms":12.5,"version":2,"tags":{}}"#,
                #"{"name":"Ada","version":3,"tags":{},"grams":12500}"#,
                #"{"version":4,"tags":{},"grams":12500,"owner":"Ada"}"#,
            ])
        #expect(trace.steps.dropFirst().map { compact($0.before) } == trace.steps.dropLast().map { compact($0.after) })
        #expect(compact(trace.result) == compact(trace.steps.last?.after))
        #expect(try opened(json) == Suitcase(owner: "Ada", grams: 12500, tags: [:]))
    }

    @Test("lights up the field that a closure refuses, like any other")
    func refused() throws {
        let json = #"{"version": 1, "name": "Ada", "kilograms": -3}"#
        #expect(throws: VersionedDecodingError.self) { try opened(json) }
        let failure = try #require(try chain.check(json: json).failure)
        #expect(failure.kind == .fieldNoLongerValid)
        #expect(failure.step == .init(from: .number(2), to: .number(3)))
        #expect(failure.culprit == .init(path: try #require(.of("$.kilograms")), certain: true))
        #expect(failure.location?.column == 44)
    }

    @Test("says of a version key that holds no version what it holds")
    func noVersion() throws {
        let trace = try chain.trace(json: #"{"version": "x", "name": "Ada"}"#)
        #expect(trace.detection.version == nil && trace.failure != nil)
        #expect(trace.detection.attempts.count == 4)
        for attempt in trace.detection.attempts {
            guard case .notAVersion(.root.appending(key: "version"), attempt.type, let found?) = attempt.reason else {
                Issue.record("\(attempt)")
                continue
            }
            #expect("\(found)".contains("x"))
        }
    }

    @Test("needs an object")
    func noObject() {
        for json in ["[1]", "1"] {
            #expect(throws: DecodingError.self) { try opened(json) }
        }
    }

    @Test("decodes a document of the newest version as it is, and asks no closure")
    func current() throws {
        let trace = try chain.trace(json: #"{"version": 4, "owner": "Ada", "grams": 5, "tags": {}, "lid": 1}"#)
        #expect(trace.outcome == .current)
        #expect(trace.steps.isEmpty)
        #expect(trace.dropped.map(\.description) == ["$.lid"])
    }

    @Test("takes a failed decoding at the end for a failure of the last step")
    func finalDecoding() throws {
        let json = #"{"version": 3, "nmae": "Ada", "grams": 5, "tags": {}}"#
        #expect(throws: DecodingError.self) { try opened(json) }
        let trace = try chain.trace(json: json)
        #expect(trace.failure?.kind == .keyNotFound)
        #expect(trace.failure?.path?.description == "$.owner")
        #expect(trace.failure?.step == .init(from: .number(3), to: .number(4)))
        #expect(trace.steps.map { $0.after == nil } == [true])
        #expect(try chain.check(json: json) == CheckResult(trace))
    }

    @Test("finds the old field behind a value that does not decode at the end")
    func originOfFinalFailure() throws {
        let renamed = try #require(
            try chain.check(json: #"{"version": 3, "name": 5, "grams": 5, "tags": {}}"#).failure)
        #expect(renamed.path?.description == "$.owner")
        #expect(renamed.culprit == .init(path: try #require(.of("$.name")), certain: false))
        #expect(renamed.location?.column == 24)

        let kept = try #require(
            try chain.check(json: #"{"version": 1, "name": "A", "kilograms": 1, "tags": {"a": 1, "b": "x"}}"#).failure)
        #expect(kept.kind == .typeMismatch)
        #expect(kept.culprit == .init(path: try #require(.of("$.tags.b")), certain: true))
        #expect(kept.location?.column == 67)
    }

    @Test("belongs a failed decoding to no step, if there was none")
    func currentFailure() throws {
        let failure = try #require(
            try chain.check(json: #"{"version": 4, "owner": 1, "grams": 5, "tags": {}}"#).failure)
        #expect(failure.step == nil)
        #expect(failure.culprit?.path.description == "$.owner")
    }

    @Test("drops what is left at the end and nobody reads, not what a closure used up or made")
    func dropped() throws {
        let json = #"{"version": 1, "name": "A", "kilograms": 1, "mood": {"a": 1}, "tags": {"x": 1}}"#
        let trace = try chain.trace(json: json)
        #expect(trace.dropped.map(\.description) == ["$.mood"])
        #expect(try chain.check(json: json) == CheckResult(trace))
    }

    private enum MakingAMember: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) { payload["made"] = ["inside": [1, 2]] }
    }

    private enum MarkingElements: PayloadEdit {
        static func edit(_ payload: inout [String: Any]) {
            payload["items"] = (payload["items"] as? [[String: Any]])?.map {
                $0.merging(["made": true]) { old, _ in old }
            }
        }
    }

    private struct Fewer: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }
        struct Item: Codable { var name: String }
        var items: [Item]
        var version: Version
        static func migrate(to version: Version) -> Migration {
            version == .new
                ? .migrate { $0["items"] = ($0["items"] as? [[String: Any]])?.dropFirst().map(\.self) } : .none
        }
    }

    @Test("what is dropped has its place in the document, also where a closure took elements away before it")
    func droppedBehindRemoved() throws {
        let json =
            #"{"version": 1, "items": [{"name": "a"}, {"name": "b"}, {"name": "c", "size": 1}, {"name": "d"}]}"#
        let dropped = try MigrationChain(Fewer.self).check(json: json).dropped
        #expect(dropped.map(\.description) == ["$.items[2].size"])
    }

    private struct Items: Versionable {
        enum Version: Int, VersionType {
            case old = 1
            case new = 2
        }
        struct Item: Codable { var name: String }
        var items: [Item]
        var version: Version
        static func migrate(to version: Version) -> Migration {
            version == .new ? .migrate { MarkingElements.edit(&$0) } : .none
        }
    }

    @Test("nor is it in the elements of an array; what the document had in one of them is")
    func madeInElements() throws {
        let chain = MigrationChain(Items.self)
        #expect(try chain.check(json: #"{"version": 1, "items": [{"name": "a"}]}"#).dropped == [])
        let dropped = try chain.check(json: #"{"version": 1, "items": [{"name": "a"}, {"name": "b", "size": 1}]}"#)
            .dropped
        #expect(dropped.map(\.description) == ["$.items[1].size"])
    }

    @Test("what a closure made and nothing reads is not dropped: no document had it")
    func made() throws {
        let chain = MigrationChain(Anything<MakingAMember>.self)
        let trace = try chain.trace(json: #"{"version": 1, "mood": 1}"#)
        #expect(trace.outcome == .migrated)
        #expect(trace.result?.root["made"] != nil)
        #expect(trace.dropped == [try #require(.of("$.mood"))])
        #expect(try chain.check(json: #"{"version": 1}"#).dropped == [])
        // It stands where the closure puts something else.
        #expect(
            try chain.check(json: #"{"version": 1, "made": {"inside": [3]}}"#).dropped == [try #require(.of("$.made"))])
    }

    @Test("a current document is read by the app's decoder alone, which may be one of JSON5")
    func appsDecoder() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let json = "{version: 4, /* in JSON5 */ owner: 'Ada', grams: +5, tags: {},}"
        let suitcase = try VersionableDecoder().decode(Suitcase.self, from: Data(json.utf8), usingDecoder: decoder)
        #expect(suitcase == Suitcase(owner: "Ada", grams: 5, tags: [:]))
    }

    /// Its version is in no field of its own.
    private struct Label: Versionable {
        enum Version: Int, VersionType {
            case blank = 1
            case named = 2
        }

        var name: String
        var version: Version { .named }

        static func migrate(to version: Version) -> Migration {
            version == .named ? .migrate { $0["name"] = "x" } : .none
        }
    }

    @Test("the version is not dropped where the type does not read it", arguments: [1, 2])
    func unreadVersion(version: Int) throws {
        let result = try MigrationChain(Label.self).check(json: #"{"version": \#(version), "name": "a", "mood": 1}"#)
        #expect(result.dropped == [try #require(.of("$.mood"))])
    }

    @Test("names a version that it does not know, and those that it tried")
    func unknownVersion() throws {
        let newer = try chain.check(json: #"{"version": 9}"#)
        #expect(newer.version == .number(9))
        #expect(newer.failure?.kind == .unsupportedVersion)
        #expect(newer.failure?.tried == [.number(4), .number(3), .number(2), .number(1)])
        #expect(newer.failure?.culprit?.path == .of("$.version"))
        #expect(try chain.check(json: #"{"name": "A"}"#).failure?.kind == .keyNotFound)
        #expect(try chain.check(json: #"{"version": "two"}"#).failure?.culprit?.path.description == "$.version")
        #expect(try chain.check(json: "[1]").failure?.kind == .typeMismatch)
    }

    @Test("stops at the version that it is told to stop at")
    func target() throws {
        let trace = try chain.trace(json: #"{"version": 1, "kilograms": 1}"#, to: .number(3))
        #expect(trace.outcome == .migrated)
        #expect(compact(trace.result) == #"{"version":3,"tags":{},"grams":1000}"#)
    }
}
