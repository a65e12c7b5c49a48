import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@Suite("Encoding and decoding traces")
struct TraceCodingTests {
    private let chain = MigrationChain(Recipe.self)
    private static let documents = [
        #"{"version": 1, "name": "Anzac biscuits", "portions": "2", "ingredients": ["oats"], "mood": 1}"#,
        #"{"version": 4, "title": "x", "serves": 1, "ingredients": []}"#,
        #"{"version": 1, "name": "x", "portions": "0", "ingredients": ["a", ""]}"#,
        #"{"version": 9}"#, #"{"version": "x"}"#, "{}", "[]",
    ]

    /// The number of steps that each document takes, including the one that fails.
    private static let stepCounts = Dictionary(uniqueKeysWithValues: zip(documents, [3, 0, 3, 0, 0, 4, 0]))

    private func written(_ trace: MigrationTrace) throws -> Document { try DocumentEncoder().encode(versioned: trace) }

    @Test("a trace has every field, with null for missing values", arguments: documents)
    func fields(json: String) throws {
        let root = try written(try chain.trace(json: json)).root
        #expect(root.members.first { _ in true }?.name == "traceVersion")
        #expect(root["traceVersion"]?.numberText == "3")
        for name in [
            "source", "format", "chain", "detection", "steps", "parts", "dropped", "warnings", "outcome", "failure",
            "result",
        ] {
            #expect(root[name] != nil, "\(name)")
        }
        for name in ["version", "path", "attempts"] { #expect(root["detection"]?[name] != nil) }
        let attempts = try #require(root["detection"]?["attempts"])
        #expect(!attempts.isEmpty)
        for attempt in attempts.elements {
            #expect(attempt.members.map(\.name) == ["version", "type", "path", "found", "message", "reason"])
        }
        let steps = try #require(root["steps"])
        #expect(steps.count == Self.stepCounts[json])
        for step in steps.elements {
            #expect(
                step.members.map(\.name) == [
                    "from", "to", "fromType", "toType", "note", "seconds", "before", "after", "origins", "lost",
                    "narrowed", "folded", "examined", "changes", "patch",
                ])
        }
        let failure = try #require(root["failure"])
        #expect(failure.isNull == [0, 1, 5].map { Self.documents[$0] }.contains(json))
        if !failure.isNull {
            #expect(
                failure.members.map(\.name) == [
                    "kind", "step", "path", "culprit", "message", "location", "tried", "reason",
                ])
        }
    }

    private struct Tree: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = OldTree
        var roots: Document
        init(from old: OldTree) { roots = old.root }
    }

    private struct OldTree: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var root: Document
    }

    @Test(
        "the trace of a document nested as deeply as allowed passes through all coders",
        arguments: [100, 470, 480, 500, 511])
    func depth(levels: Int) throws {
        let value = String(repeating: "[", count: levels) + "1.50" + String(repeating: "]", count: levels)
        let trace = try MigrationChain(Tree.self).trace(json: #"{"version":1,"root":\#(value),"other":\#(value)}"#)
        #expect(trace.outcome == .migrated)
        let text = JSONWriter().string(try written(trace).root)
        let back = try DocumentDecoder().decode(versioned: MigrationTrace.self, from: Document(json: text).root)
        #expect(back.result?.root.isEqual(to: try #require(trace.result).root) == true)
        #expect(JSONWriter().string(try #require(back.document).root) == JSONWriter().string(trace.document!.root))
        let other = try JSONDecoder().decode(MigrationTrace.self, from: JSONEncoder().encode(trace))
        #expect(other.result?.root.isEqual(to: try #require(trace.result).root) == true)
        #expect(other.steps.map(\.fromType) == ["OldTree"])
    }

    @Test("a document that looks like the encoded form of a deep one decodes to itself")
    func likeDeep() throws {
        let trace = try MigrationChain(Tree.self).trace(json: #"{"$json":"[1]"}"#)
        let back = try JSONDecoder().decode(MigrationTrace.self, from: JSONEncoder().encode(trace))
        #expect(JSONWriter().string(try #require(back.document).root) == #"{"$json":"[1]"}"#)
    }

    @Test("unknown left-over fields and a failure to reopen are decoded as such")
    func leftOver() throws {
        var trace = try chain.trace(json: Self.documents[0])
        let values: [([DocumentPath]?, String?)] = [(nil, nil), ([], "no"), ([DocumentPath("$.a") ?? .root], nil)]
        for (leftOver, failure) in values {
            trace.leftOver = leftOver
            trace.reopens = Reopening(failure.map { MigrationFailure(.thrown(message: $0)) })
            let again = try DocumentDecoder().decode(versioned: MigrationTrace.self, from: written(trace).root)
            #expect(again.leftOver == leftOver && again.reopens?.failure?.message == failure)
            #expect((again.reopens == .opens) == (failure == nil))
        }
    }

    @Test("a decoded trace equals the encoded one", arguments: documents)
    func roundTrip(json: String) throws {
        let trace = try chain.trace(json: json)
        let document = try written(trace)
        let again = try DocumentDecoder().decode(versioned: MigrationTrace.self, from: document.root)
        #expect(try compact(written(again)) == compact(document))
        #expect(CheckResult(again) == CheckResult(trace))
        #expect(again.detection == trace.detection)
        #expect(again.document == trace.document)
        #expect(again.versions == trace.versions)
    }

    @Test("Foundation's coders encode and decode traces too", arguments: documents)
    func foundation(json: String) throws {
        let trace = try chain.trace(json: json)
        let data = try JSONEncoder().encode(versioned: trace)
        let again = try JSONDecoder().decode(versioned: MigrationTrace.self, from: data)
        #expect(CheckResult(again) == CheckResult(trace))
        #expect(again.steps.map(\.after) == trace.steps.map(\.after))
        #expect(again.result == trace.result)
    }

    @Test("a trace from before reasons were data migrates and keeps its sentences")
    func wordedTrace() throws {
        let old = """
            {"traceVersion": 1, "source": "x.json", "format": "json", "chain": "Recipe", "versions": [], "target": 2,
             "detection": {"version": 1, "path": "$.version", "attempts": [
                {"version": 2, "type": "Recipe", "path": "$.version", "found": 1, "reason": "$.version is 1, not 2"},
                {"version": 1, "type": "RecipeV1", "path": "$.version", "found": 1, "reason": null}]},
             "steps": [{"from": 1, "to": 2, "fromType": "RecipeV1", "toType": "Recipe", "note": null, "seconds": 0.1,
                "before": {"version": 1}, "after": null, "changes": [], "patch": []}],
             "parts": [], "dropped": ["$.mood"], "warnings": ["$.a occurs more than once"], "outcome": "failed",
             "failure": {"kind": "keyNotFound", "step": {"from": 1, "to": 2}, "path": "$.title", "culprit": null,
                "message": "no value for title", "location": null, "tried": null},
             "result": null, "decodingSeconds": 0}
            """
        let trace = try JSONDecoder().decode(versioned: MigrationTrace.self, from: Data(old.utf8))
        #expect(trace.outcome == .failed)
        let reason = Reason.text("no value for title", kind: .keyNotFound, path: .root.appending(key: "title"))
        #expect(trace.failure?.reason == reason)
        #expect(trace.steps.first?.failure == trace.failure)
        #expect(trace.warnings == [.text("$.a occurs more than once")])
        #expect(trace.detection.attempts.map(\.reason) == [.text("$.version is 1, not 2"), nil])
        let again = try JSONDecoder().decode(
            versioned: MigrationTrace.self, from: JSONEncoder().encode(versioned: trace))
        #expect(CheckResult(again) == CheckResult(trace))
    }

    @Test("empty lists in a trace from before examinations were recorded count as unknown")
    func unexaminedTrace() throws {
        func step(_ lists: String) throws -> MigrationStep? {
            let old = """
                {"traceVersion": 2, "source": "x.json", "detection": {"version": 1, "path": null, "attempts": []},
                 "steps": [{"from": 1, "to": 2, "fromType": "A", "toType": "B", "note": null, "seconds": 0,
                    "before": {"a": 1}, "after": {"b": 1}, \(lists), "changes": [], "patch": []}],
                 "parts": [], "dropped": [], "warnings": [], "outcome": "migrated", "failure": null,
                 "result": {"b": 1}, "decodingSeconds": 0}
                """
            return try JSONDecoder().decode(versioned: MigrationTrace.self, from: Data(old.utf8)).steps.first
        }
        let nothing = try step(#""origins": [], "lost": []"#)
        #expect(nothing != nil && nothing?.finding == nil)
        let some = try step(#""origins": [{"path": "$.b", "from": ["$.a"]}], "lost": []"#)
        #expect(some?.finding?.origins.map(\.from) == [[DocumentPath([.key("a")])]])
        #expect(some?.finding?.examination.isWhole == false)
        let examined = try step(#""origins": [], "lost": [], "examined": {"whole": true, "runs": 9, "left": []}"#)
        #expect(examined?.finding?.examination.isWhole == true)
    }

    @Test("a step whose value cannot be encoded stays so in a trace file, and the next step has nothing before it")
    func unencodable() throws {
        var trace = try chain.trace(json: Self.documents[0])
        let reason = Reason.notEncodable(type: "RecipeV2", because: .thrown(message: "no"))
        trace.steps[0].ending = .madeUnencodable(reason)
        trace.steps[1].before = nil
        let again = try JSONDecoder().decode(
            versioned: MigrationTrace.self, from: JSONEncoder().encode(versioned: trace))
        guard case .madeUnencodable(let read) = again.steps[0].ending else {
            Issue.record("\(again.steps[0].ending)")
            return
        }
        #expect(read == reason)
        #expect(again.steps[1].before == nil)
        #expect(again.outcome == .migrated)
        #expect(again.result == trace.result)
    }

    @Test("the reason why a current document cannot be written again is kept in its trace file")
    func unwritable() throws {
        var trace = try chain.trace(json: Self.documents[0])
        trace.steps = []
        let reason = Reason.decodesOnly(type: "Recipe")
        trace.rewriting = .madeUnencodable(reason)
        let again = try JSONDecoder().decode(
            versioned: MigrationTrace.self, from: JSONEncoder().encode(versioned: trace))
        #expect(again.notEncodable == reason && trace.notEncodable == reason)
    }

    @Test(
        "a failure without its fields is refused in a trace file, and a reference to a missing attempt is ignored",
        arguments: [
            (#"{"a": {"b": 1}}"#, nil),
            (
                #"{"kind": "thrown", "message": "", "reason": {"noShapeFits": {"attempts": [], "nearest": 1}}}"#,
                .noShapeFits(attempts: [], nearest: 1)
            ),
        ] as [(String, Reason?)])
    func anyFailure(failure: String, reason: Reason?) throws {
        let file = try Document(
            json: #"""
                {"traceVersion": 2, "source": "", "detection": {"attempts": []}, "steps": [], "parts": [], "dropped": [],
                "warnings": [], "outcome": "failed", "failure": \#(failure)}
                """#)
        let trace = try? DocumentDecoder().decode(versioned: MigrationTrace.self, from: file.root)
        #expect(trace?.failure?.reason == reason)
        #expect(trace?.failure?.path == nil)
    }

    @Test("a failure in a trace file is kept even if the last step made a document and no part failed")
    func failureBehindSteps() throws {
        var text = try compact(written(try chain.trace(json: Self.documents[0]))) ?? ""
        text.replace("\"failure\":null", with: #""failure":{"kind":"thrown","message":"no"}"#)
        text.replace("\"outcome\":\"migrated\"", with: "\"outcome\":\"failed\"")
        let trace = try DocumentDecoder().decode(versioned: MigrationTrace.self, from: Document(json: text).root)
        #expect(trace.outcome == .failed && trace.failure?.message == "no")
        #expect(trace.steps.last?.after != nil)
    }

    @Test("a trace of a future version is refused as such")
    func newerTrace() throws {
        var document = try compact(written(try chain.trace(json: "{}"))) ?? ""
        document.replace("\"traceVersion\":3", with: "\"traceVersion\":4")
        #expect(throws: VersionedDecodingError.self) {
            try JSONDecoder().decode(versioned: MigrationTrace.self, from: Data(document.utf8))
        }
    }

    @Test("the patch of each step turns the document before it into the document after it", arguments: documents)
    func patches(json: String) throws {
        let root = try written(try chain.trace(json: json)).root
        let steps = try #require(root["steps"])
        #expect(steps.count == Self.stepCounts[json])
        for step in steps.elements {
            let (before, after) = (try #require(step["before"]), try #require(step["after"]))
            let patch = try JSONPatch(try #require(step["patch"]))
            if after.isNull {
                #expect(patch.isEmpty)
                #expect(step["changes"]?.isEmpty == true)
            } else {
                #expect(try patch.applied(to: before).root.isEqual(to: after))
                #expect(step["changes"]?.isEmpty == false)
            }
        }
    }

    @Test("a change has a kind, a path and values, and an origin only if the value moved")
    func changes() throws {
        let root = try written(try chain.trace(json: Self.documents[0], to: .number(2))).root
        let changes = try #require(root["steps"]?[0]?["changes"]).elements.map { JSONWriter().string($0) }
        #expect(
            changes.contains(
                #"{"kind":"moved","path":"$.title","from":"$.name","old":"Anzac biscuits","new":"Anzac biscuits"}"#))
        #expect(changes.contains(#"{"kind":"removed","path":"$.mood","old":1}"#))
        #expect(changes.contains(#"{"kind":"changed","path":"$.version","old":1,"new":2}"#))
    }

    @Test("values that JSON does not have are wrapped by every encoder")
    func propertyLists() throws {
        struct Photo: VersionedCodable {
            var taken: Date
            var pixels: Data
            static let version: Int? = 2
            typealias PreviousVersion = Old
            struct Old: VersionedCodable {
                var date: Date
                var pixels: Data
                static let version: Int? = 1
                typealias PreviousVersion = NothingEarlier
            }
            init(from old: Old) {
                taken = old.date
                pixels = old.pixels
            }
        }
        struct OldPhoto: Encodable {
            var version = 1
            var date = Date(timeIntervalSinceReferenceDate: 0)
            var pixels = Data([1, 2, 3])
        }
        let document = try DocumentEncoder().encode(OldPhoto(), as: .plistBinary)
        let trace = MigrationChain(Photo.self).trace(document, source: "photo.plist")
        #expect(trace.format == .plistBinary)
        let byDocument = try written(trace).root
        let byFoundation = try Document(parsing: SourceBytes(JSONEncoder().encode(versioned: trace))).root
        for root in [byDocument, byFoundation] {
            let step = try #require(root["steps"]?[0])
            let expected = try Document(
                json: #"{"taken": {"$date": "2001-01-01T00:00:00Z"}, "pixels": {"$data": "AQID"}, "version": 2}"#)
            #expect(step["after"]?.isEqual(to: expected.root) == true)
            #expect(root["result"]?.isEqual(to: expected.root) == true)
            let patched = try JSONPatch(try #require(step["patch"])).applied(to: try #require(step["before"]))
            #expect(patched.root.isEqual(to: expected.root))
        }
    }
}
