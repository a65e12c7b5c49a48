import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Chains of payload closures")
struct PayloadChainTests {
    private let chain = MigrationChain(Suitcase.self, notes: { $0 == .weighed ? "in grams" : nil })

    private func opened(_ json: String) throws -> Suitcase {
        try VersionableDecoder().decode(Suitcase.self, from: Data(json.utf8))
    }

    @Test("a payload chain takes a step for each version, with its own before and after")
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

    @Test("the field that a closure refuses is located like any other")
    func refused() throws {
        let json = #"{"version": 1, "name": "Ada", "kilograms": -3}"#
        #expect(throws: VersionedDecodingError.self) { try opened(json) }
        let failure = try #require(try chain.check(json: json).failure)
        #expect(failure.kind == .fieldNoLongerValid)
        #expect(failure.step == .init(from: .number(2), to: .number(3)))
        #expect(failure.culprit == .init(path: try #require(.of("$.kilograms")), certain: false))
        #expect(failure.location?.column == 44)
    }

    @Test("a version key without a version is reported with its value")
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

    @Test("a payload must be an object")
    func noObject() {
        for json in ["[1]", "1"] {
            #expect(throws: DecodingError.self) { try opened(json) }
        }
    }

    @Test("a document of the newest version is decoded as it is, without calling a closure")
    func current() throws {
        let trace = try chain.trace(json: #"{"version": 4, "owner": "Ada", "grams": 5, "tags": {}, "lid": 1}"#)
        #expect(trace.outcome == .current)
        #expect(trace.steps.isEmpty)
        #expect(trace.dropped.map(\.description) == ["$.lid"])
    }

    @Test("a failed decoding at the end is a failure of the last step")
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

    @Test("the old field is found for a value that does not decode at the end")
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

    @Test("a failed decoding belongs to no step if there was none")
    func currentFailure() throws {
        let failure = try #require(
            try chain.check(json: #"{"version": 4, "owner": 1, "grams": 5, "tags": {}}"#).failure)
        #expect(failure.step == nil)
        #expect(failure.culprit?.path.description == "$.owner")
    }

    @Test("a value left unread at the end is dropped, unlike a value that a closure used up or made")
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

    @Test("a dropped value has its path in the document, even if a closure removed elements before it")
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

    @Test("a value that a closure made in array elements is not dropped, unlike one that the document had in them")
    func madeInElements() throws {
        let chain = MigrationChain(Items.self)
        #expect(try chain.check(json: #"{"version": 1, "items": [{"name": "a"}]}"#).dropped == [])
        let dropped = try chain.check(json: #"{"version": 1, "items": [{"name": "a"}, {"name": "b", "size": 1}]}"#)
            .dropped
        #expect(dropped.map(\.description) == ["$.items[1].size"])
    }

    @Test("a value that a closure made and nothing reads is not dropped, because no document had it")
    func made() throws {
        let chain = MigrationChain(Anything<MakingAMember>.self)
        let trace = try chain.trace(json: #"{"version": 1, "mood": 1}"#)
        #expect(trace.outcome == .migrated)
        #expect(trace.result?.root["made"] != nil)
        #expect(trace.dropped == [try #require(.of("$.mood"))])
        #expect(try chain.check(json: #"{"version": 1}"#).dropped == [])
        // It is dropped if the document has it where the closure puts something else.
        #expect(
            try chain.check(json: #"{"version": 1, "made": {"inside": [3]}}"#).dropped == [try #require(.of("$.made"))])
    }

    @Test("a current document is read only by the app's decoder, which may allow JSON5")
    func appsDecoder() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let json = "{version: 4, /* in JSON5 */ owner: 'Ada', grams: +5, tags: {},}"
        let suitcase = try VersionableDecoder().decode(Suitcase.self, from: Data(json.utf8), usingDecoder: decoder)
        #expect(suitcase == Suitcase(owner: "Ada", grams: 5, tags: [:]))
    }

    /// The version is not a stored field of this type.
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

    @Test("the version is not dropped if the type does not read it", arguments: [1, 2])
    func unreadVersion(version: Int) throws {
        let result = try MigrationChain(Label.self).check(json: #"{"version": \#(version), "name": "a", "mood": 1}"#)
        #expect(result.dropped == [try #require(.of("$.mood"))])
    }

    @Test("an unknown version is named, with the versions that were tried")
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

    @Test("a payload chain stops at the target version")
    func target() throws {
        let trace = try chain.trace(json: #"{"version": 1, "kilograms": 1}"#, to: .number(3))
        #expect(trace.outcome == .migrated)
        #expect(compact(trace.result) == #"{"version":3,"tags":{},"grams":1000}"#)
    }
}
