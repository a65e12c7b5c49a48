import Foundation
import TestSupport
import Testing

/// Checks the report on the demo-data. `expected-results.jsonl`, beside this file, has a line for every document, as
/// printed by `check demo-data --format jsonl`. To add a document, review its line and add it there.
@Suite("The report on the demo-data")
struct DemoDataTests {
    private let report: JSONValue
    private let results: [JSONValue]

    init() throws {
        report = try BuiltProgram.inspector.run("check", "demo-data", "--format", "json").json()
        results = report["results"].elements
        try #require(results.count > 40)
    }

    @Test("the report on the demo-data is as expected for every document and field")
    func expectedResults() throws {
        let lines = try Project.text("Tests/MigrationInspectorTests/DemoData/expected-results.jsonl")
        let expected = try lines.split(separator: "\n").map { try JSONValue(String($0)) }
        #expect(results.map { $0["source"] } == expected.map { $0["source"] })
        for (result, expected) in zip(results, expected) where result["source"] == expected["source"] {
            let source = expected["source"].text ?? ""
            for key in expected.keys.union(result.keys).subtracting(["failure", "warnings"]).sorted() {
                #expect(result[key] == expected[key], "\(source) \(key)")
            }
            let (failure, expectedFailure) = (result["failure"], expected["failure"])
            for key in failure.keys.union(expectedFailure.keys).subtracting(["message"]).sorted() {
                #expect(failure[key] == expectedFailure[key], "\(source) \(key)")
            }
            #expect(result["warnings"].elements.count == expected["warnings"].elements.count, "\(source)")
        }
    }

    @Test("the report has exactly the fields that scripts may rely on")
    func fields() {
        #expect(
            report.keys == [
                "documents", "current", "migrated", "failed", "unrecognized", "unreadable", "results", "causes",
            ])
        for result in results {
            #expect(
                result.keys == [
                    "source", "format", "container", "chain", "version", "versionPath", "target", "outcome", "failure",
                    "lost", "narrowed", "dropped", "leftOver", "folded", "examined", "reopens", "warnings",
                ])
            guard result["failure"] != nil else { continue }
            let failure = result["failure"]
            #expect(failure.keys == ["kind", "step", "path", "culprit", "message", "location", "tried"])
            #expect([[], ["from", "to"]].contains(failure["step"].keys))
            #expect([[], ["path", "certain", "others", "proof"]].contains(failure["culprit"].keys))
            #expect([[], ["line", "column", "offset"]].contains(failure["location"].keys.subtracting(["in"])))
        }
        #expect(!report["causes"].elements.isEmpty)
        for cause in report["causes"].elements {
            #expect(cause.keys == ["kind", "chain", "step", "path", "culprit", "count", "message", "sources"])
        }
    }

    @Test("the report has its fields in the documented order")
    func order() throws {
        let text = try BuiltProgram.inspector.run("check", "demo-data/poems/rating-9.json", "--format", "jsonl").lines[
            0]
        #expect(
            text == """
                {"source":"demo-data/poems/rating-9.json","format":"json","container":null,"chain":"Poem","version":1,\
                "versionPath":"$.version","target":3,"outcome":"failed","failure":{"kind":"fieldNoLongerValid",\
                "step":{"from":1,"to":2},"path":"$.rating","culprit":{"path":"$.starRating","certain":false,"others":[],\
                "proof":null},\
                "message":"Star rating 9 is no longer valid","location":{"line":5,"column":17,"offset":233},\
                "tried":null},"lost":null,"narrowed":null,"dropped":[],"leftOver":[],"folded":{},\
                "examined":null,"reopens":null,"warnings":[]}
                """)
    }

    @Test("the report's counts match its results")
    func counts() {
        #expect(report["documents"].integer == results.count)
        for outcome in ["current", "migrated", "failed", "unrecognized", "unreadable"] {
            let count = results.count { $0["outcome"].text == outcome }
            #expect(report[outcome].integer == count, "\(outcome)")
        }
        for result in results {
            let hasFailure = result["failure"] != nil
            #expect(hasFailure == ["failed", "unreadable"].contains(result["outcome"]))
        }
    }

    /// Returns a message without quoted text and numbers.
    private static func withoutValues(_ message: JSONValue) -> JSONValue {
        .string((message.text ?? "").replacing(/"[^"]*"/, with: "").replacing(/[0-9]+/, with: ""))
    }

    /// A path with `*` in place of positions.
    private static func folded(_ path: JSONValue) -> JSONValue {
        path.text.map { .string($0.replacing(/\[[0-9]+\]/, with: "[*]")) } ?? path
    }

    @Test("the report groups failures by what they have in common, the most frequent first")
    func causes() throws {
        var groups: [[JSONValue]: [JSONValue]] = [:]
        for result in results where result["failure"] != nil {
            let failure = result["failure"]
            let shared = [
                failure["kind"], result["chain"], failure["step"], Self.folded(failure["path"]),
                Self.folded(failure["culprit"]["path"]),
                Self.withoutValues(failure["message"]),
            ]
            groups[shared, default: []].append(result)
        }
        let causes = report["causes"].elements
        #expect(causes.count == groups.count)
        for cause in causes {
            let shared = [
                cause["kind"], cause["chain"], cause["step"], Self.folded(cause["path"]), Self.folded(cause["culprit"]),
                Self.withoutValues(cause["message"]),
            ]
            let group = try #require(groups[shared])
            #expect(cause["count"].integer == group.count)
            #expect(cause["message"] == group[0]["failure"]["message"])
            #expect(cause["sources"].elements == group.prefix(10).map { $0["source"] })
        }
        let frequencies = causes.compactMap(\.["count"].integer)
        #expect(frequencies == frequencies.sorted(by: >))
    }

    @Test("the lines and columns in the report match the offsets")
    func locations() throws {
        var count = 0
        for result in results where result["container"] == nil && ["json", "plist-xml"].contains(result["format"]) {
            let location = result["failure"]["location"]
            guard location != nil, location["in"] == nil else { continue }
            let source = try #require(result["source"].text)
            let offset = try #require(location["offset"].integer)
            let before = String(decoding: try Project.data(source).prefix(offset), as: UTF8.self).unicodeScalars
            let lineStart = before.lastIndex(of: "\n").map(before.index(after:)) ?? before.startIndex
            #expect(location["line"].integer == before.count { $0 == "\n" } + 1, "\(source)")
            #expect(location["column"].integer == before[lineStart...].count + 1, "\(source)")
            count += 1
        }
        #expect(count > 10)
    }

    @Test("the offset of a failure leads to the culprit's value")
    func culprits() throws {
        for (source, value) in [
            ("poems/rating-9.json", "9"), ("poems/wrong-rating-in-words.json", #""five""#),
            ("poems/wrong-lines-null.json", "null"),
            ("poems/wrong-author-misspelt.json", #""Lewis Carroll""#),
            ("resolved-packages/pin-of-unknown-kind.resolved", #""carrierPigeon""#),
            ("posted-letters/recipient-empty.json", #""Ada Lovelace, , "#), ("poems/version-7-too-new.json", "7"),
        ] {
            let result = try #require(results.first { $0["source"].text == "demo-data/\(source)" })
            let offset = try #require(result["failure"]["location"]["offset"].integer)
            let text = try Project.data("demo-data/\(source)").dropFirst(offset)
            #expect(text.starts(with: Data(value.utf8)), "\(source)")
        }
    }

    @Test("the report is the same for a named chain as for a recognized one")
    func namedChains() throws {
        let chains = [("poems", "Poem"), ("posted-letters", "Letter"), ("resolved-packages", "Package.resolved")]
        for (folder, chain) in chains {
            let arguments = ["check", "demo-data/\(folder)", "--format", "json"]
            let recognised = try BuiltProgram.inspector.run(arguments).json()["results"].elements
            let named = try BuiltProgram.inspector.run(arguments + ["--chain", chain]).json()["results"].elements
            #expect(recognised.map { $0["source"] } == named.map { $0["source"] })
            #expect(recognised.contains { $0["chain"] != nil })
            for (recognised, named) in zip(recognised, named) where recognised["chain"] != nil {
                #expect(recognised == named)
                #expect(recognised["chain"].text == chain)
            }
        }
    }
}
