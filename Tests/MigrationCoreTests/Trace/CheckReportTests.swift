import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Reports on many documents")
struct CheckReportTests {
    private let chain = MigrationChain(Recipe.self)

    private func report() throws -> CheckReport {
        var report = CheckReport()
        for (name, json) in [
            ("a", #"{"version": 4, "title": "x", "serves": 1, "ingredients": [], "mood": 1}"#),
            ("b", #"{"version": 9}"#), ("c", #"{"name": "x"}"#),
            ("d", #"{"version": 1, "name": "x", "portions": "0", "ingredients": []}"#), ("e", #"{"version": 8}"#),
        ] {
            report.add(chain.check(try Document(json: json), source: name))
        }
        report.add(CheckResult(source: "f", outcome: .unrecognized))
        return report
    }

    @Test("a report counts documents by their outcomes")
    func counts() throws {
        let report = try report()
        #expect(report.counts.documents == 6)
        #expect(MigrationOutcome.counted.map { report.counts[$0] } == [1, 1, 3, 1, 0])
        #expect(report.results.map(\.source) == ["a", "b", "c", "d", "e", "f"])
    }

    @Test("crashes have the same cause only if they happen at the same place in the code")
    func crashes() {
        var report = CheckReport()
        for (cause, place, words) in [
            (.trap, "app+0x10", "Fatal error: 1"), (.trap, "app+0x20", "Fatal error: 2"),
            (.trap, "app+0x10", "Fatal error: 3"), (.abort, "app+0x10", "4"),
        ] as [(Crash.Cause, String, String)] {
            let failure = MigrationFailure(.crashed(Crash(cause, place: place, lastWords: words)))
            report.add(CheckResult(MigrationTrace(source: words, chain: "Recipe", opening: .failed(failure))))
        }
        #expect(report.causes.map(\.count) == [2, 1, 1])
        #expect(report.causes[0].sources == ["Fatal error: 1", "Fatal error: 3"])
    }

    @Test("failures with the same cause are grouped, most frequent first")
    func causes() throws {
        let causes = try report().causes
        #expect(causes.map(\.count) == [2, 1])
        #expect(causes[0].kind == .unsupportedVersion)
        #expect(causes[0].sources == ["b", "e"])
        #expect(try causes[0].message == report().results[1].failure?.message)
        #expect(causes[1].step == .init(from: .number(3), to: .number(4)))
    }

    @Test("failures are grouped by kind, step, path and culprit, and equally frequent causes have a fixed order")
    func distinctCauses() {
        let step = MigrationFailure.Step(from: .number(1), to: .number(2))
        let (a, b) = (DocumentPath([.key("a")]), DocumentPath([.key("b")]))
        let failures = [
            MigrationFailure(.field(path: a, problem: .missingKey)),
            MigrationFailure(.field(path: a, problem: .noLongerValid(message: "x"))),
            MigrationFailure(.field(path: b, problem: .missingKey)),
            MigrationFailure(.field(path: a, problem: .missingKey), step: step),
            MigrationFailure(.field(path: a, problem: .missingKey), culprit: .init(path: b, certain: true)),
            MigrationFailure(.field(path: a, problem: .missingKey), culprit: .init(path: a, certain: true)),
        ]
        var report = CheckReport()
        for (number, failure) in (failures + failures.suffix(1) + failures.prefix(1)).enumerated() {
            report.add(CheckResult(source: "\(number)", outcome: .failed, failure: failure))
        }
        #expect(report.causes.map(\.count) == [2, 2, 1, 1, 1, 1])
        #expect(report.causes.map(\.sources) == [["0", "7"], ["5", "6"], ["1"], ["4"], ["2"], ["3"]])
        // The order does not depend on that of the results.
        var backwards = CheckReport()
        for result in report.results.reversed() { backwards.add(result) }
        #expect(backwards.causes.map(\.culprit) == report.causes.map(\.culprit))
        #expect(backwards.causes.map(\.step) == report.causes.map(\.step))
        #expect(report.causes.map(\.culprit) == [nil, a, nil, b, nil, nil])
        #expect(report.causes[5].step == step && report.causes[4].path == b)
        #expect(report.causes[2].kind == .fieldNoLongerValid && report.causes[0].kind == .keyNotFound)
    }

    @Test("failures at one path are separated by reason, unless the reasons differ only in a value")
    func reasonsOfOnePlace() {
        let words = ["no room", "no time", "no money for 'beds'", "no money for 'tables'", "level 3", "level 12"]
        let elements = (0..<6).map { DocumentPath([.key("rooms"), .index($0)]) }
        var report = CheckReport()
        for (message, path) in zip(words, elements) {
            let failure = MigrationFailure(
                .field(path: path, problem: .noLongerValid(message: message)), culprit: .init(path: path, certain: true)
            )
            report.add(CheckResult(source: message, outcome: .failed, failure: failure))
        }
        #expect(report.causes.map(\.count).sorted() == [1, 1, 2, 2])
        #expect(Set(report.causes.map(\.path)) == [DocumentPath("$.rooms[*]")])
        #expect(Set(report.causes.map(\.culprit)) == [DocumentPath("$.rooms[*]")])
    }

    @Test("a document has passed only if it is current or migrates")
    func passed() {
        let passed = MigrationOutcome.allCases.filter { CheckResult(source: "", outcome: $0).isPassed }
        #expect(passed == [.current, .migrated])
    }

    @Test("documents of two chains never share a cause")
    func chains() {
        var report = CheckReport()
        for chain in ["Poem", "Letter", "Poem"] {
            var result = CheckResult(
                source: chain, outcome: .failed, failure: .init(.malformed(problem: .controlCharacter(1))))
            result.chain = chain
            report.add(result)
        }
        #expect(report.causes.map(\.chain) == ["Poem", "Letter"] && report.causes.map(\.count) == [2, 1])
    }

    @Test("a cause of many documents names the first ten and counts all")
    func manySources() {
        var report = CheckReport()
        for number in 0..<25 as Range<UInt8> {
            report.add(
                CheckResult(
                    source: "\(number)", outcome: .failed,
                    failure: .init(.thrown(message: "\(number)"))),
                keepingResult: false)
        }
        #expect(report.causes.map(\.count) == [25])
        #expect(report.causes[0].sources == (0..<10).map(String.init))
        #expect(report.causes[0].message == "0")
        #expect(report.results.isEmpty)
    }

    @Test("a cause of merged reports names the first ten documents of all of them, and counts all")
    func mergedSources() throws {
        var merged = CheckReport()
        for part in 0..<4 {
            var report = CheckReport()
            for number in 0..<4 {
                report.add(
                    CheckResult(
                        source: "\(part * 4 + number)", outcome: .failed,
                        failure: MigrationFailure(.malformed(problem: .controlCharacter(1)))))
            }
            try merged.add(report)
        }
        #expect(merged.causes.map(\.count) == [16])
        #expect(merged.causes.map(\.sources) == [(0..<10).map(String.init)])
    }

    @Test("a report from before paths were folded can be read")
    func unfolded() throws {
        let text = JSONWriter().string(try DocumentEncoder().encode(try report()).root)
        let old = text.replacing(#""folded":{},"#, with: "")
        #expect(old != text)
        let report = try DocumentDecoder().decode(CheckReport.self, from: Document(json: old).root)
        #expect(report.results.count == 6 && report.results.allSatisfy(\.folds.entries.isEmpty))
    }

    @Test("the JSON has every field of the contract, with null for missing values")
    func json() throws {
        let root = try DocumentEncoder().encode(try report()).root
        #expect(
            root.members.map(\.name) == [
                "documents", "current", "migrated", "failed", "unrecognized", "unreadable", "results", "causes",
            ])
        let results = try #require(root["results"])
        #expect(results.count == 6)
        for result in results.elements {
            #expect(
                result.members.map(\.name) == [
                    "source", "format", "container", "chain", "version", "versionPath", "target", "outcome", "failure",
                    "lost", "narrowed", "dropped", "leftOver", "folded", "examined", "reopens", "warnings",
                ])
        }
        #expect(
            JSONWriter().string(try #require(results[0]))
                == #"{"source":"a","format":"json","container":null,"chain":"Recipe","version":4,"versionPath":"$.version","target":4,"#
                + #""outcome":"current","failure":null,"lost":null,"narrowed":null,"dropped":["$.mood"],"#
                + #""leftOver":[],"folded":{},"examined":null,"reopens":null,"warnings":[]}"#)
        #expect(
            JSONWriter().string(try #require(results[3]?["failure"]))
                == #"{"kind":"fieldNoLongerValid","step":{"from":3,"to":4},"path":"$.serves","#
                + #""culprit":null,"message":"A recipe for nobody is no longer valid","#
                + #""location":{"line":1,"column":1,"offset":0},"tried":null}"#)
        #expect(
            JSONWriter().string(try #require(results[4]?["failure"]?["tried"])) == "[4,3,2,1,null]")
        #expect(
            root["causes"]?[0]?.members.map(\.name) == [
                "kind", "chain", "step", "path", "culprit", "count", "message", "sources",
            ])
    }

    @Test("a location inside a string names the string, and any other location does not")
    func locationInside() throws {
        let inside = SourceLocation(line: 2, column: 3, offset: 9, within: .of("$.key"))
        #expect(compact(try DocumentEncoder().encode(inside)) == #"{"line":2,"column":3,"offset":9,"in":"$.key"}"#)
        let outside = SourceLocation(line: 2, column: 3, offset: 9)
        #expect(compact(try DocumentEncoder().encode(outside)) == #"{"line":2,"column":3,"offset":9}"#)
    }

    @Test("a decoded report equals the encoded one")
    func roundTrip() throws {
        let report = try report()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(report)
        let again = try JSONDecoder().decode(CheckReport.self, from: data)
        #expect(again.counts == report.counts)
        #expect(again.causes == report.causes)
        // A report has only the sentences of its reasons.
        #expect(try encoder.encode(again) == data)
        #expect(again.results.map(\.failure?.kind) == report.results.map(\.failure?.kind))
    }

    @Test("the summary is the report without its results")
    func summary() throws {
        let root = try DocumentEncoder().encode(CheckReport.Summary(try report())).root
        #expect(root.members.map(\.name) == ["summary"])
        #expect(
            root["summary"]?.members.map(\.name) == [
                "documents", "current", "migrated", "failed", "unrecognized", "unreadable", "causes",
            ])
    }
}
