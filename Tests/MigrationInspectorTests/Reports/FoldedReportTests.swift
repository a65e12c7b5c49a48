import DocumentModel
import DocumentSources
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

private struct LockV1: VersionedCodable {
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier
    struct Package: Codable {
        let size: Int
        let deps: [String: String]
    }
    let packages: [String: Package]
}

private struct Lock: VersionedCodable {
    static let version: Int? = 2
    typealias PreviousVersion = LockV1
    struct Package: Codable { let bytes: Int }
    let packages: [String: Package]

    init(from old: LockV1) { packages = old.packages.mapValues { Package(bytes: $0.size) } }
}

@Suite("Reports on documents with repetitive contents")
struct FoldedReportTests {
    private static let chain = MigrationChain(Lock.self)

    private func trace(licenses: Int = 13) throws -> MigrationTrace {
        let packages = (0..<20).map { number in
            let license = number < licenses ? #", "license": "MIT""# : ""
            return #""p\#(number)": {"size": \#(number + 100), "deps": {"a\#(number)": "x"}\#(license)}"#
        }
        let json = #"{"version": 1, "packages": {\#(packages.joined(separator: ", "))}}"#
        return try Self.chain.trace(Document(json: json))
    }

    private func text(_ trace: MigrationTrace) -> [String] {
        TraceText.text(of: trace, GivenName("a.json").document, source: nil).split(separator: "\n").map(String.init)
    }

    @Test("a text report shows fields and changes that differ only in a key on one line, with their count")
    func text() throws {
        let lines = text(try trace())
        #expect(lines.contains("dropped, the app does not read it: $.packages.*.license (13 of 20)"), "\(lines)")
        #expect(lines.contains(#"  - $.packages.*.license (13 of 20): "MIT", …"#))
        #expect(lines.contains("  → $.packages.*.size is now $.packages.*.bytes (20): 100, …"))
        #expect(lines.count < 16)
    }

    @Test("a Markdown report folds repeated fields too")
    func markdown() throws {
        let story = TraceStory.text(of: try trace(), GivenName("a.json").document)
        #expect(story.contains("\n- $.packages.*.deps (20): an object of 1 member, …\n"), "\(story)")
        #expect(story.split(separator: "\n").count < 26)
    }

    @Test("a result and a trace file have a folded path with its count, also when read back")
    func json() throws {
        let trace = try trace()
        let path = try #require(DocumentPath("$.packages.*.license"))
        for report in [
            try DocumentEncoder().encode(CheckResult(trace)).root, try DocumentEncoder().encode(versioned: trace).root,
        ] {
            #expect(report["dropped"]?.elements.compactMap(\.string) == ["\(path)"])
            #expect(report["folded"]?["\(path)"]?["count"]?.numberText == "13")
        }
        let file = try DocumentEncoder().encode(versioned: trace)
        let again = try DocumentDecoder().decode(versioned: MigrationTrace.self, from: file.root)
        #expect(again.dropped == [path])
        #expect(text(again).contains("dropped, the app does not read it: \(path) (13 of 20)"))
    }

    @Test("one more member of a folded loss is new beside a baseline, and fewer are not, even unfolded")
    func baseline() throws {
        var report = CheckReport()
        report.add(CheckResult(try trace(licenses: 13)))
        let folder = try TemporaryFolder()
        let path = try folder.write("\(JSONWriter().string(DocumentEncoder().encode(report).root))", to: "known.json")
        for (licenses, isKnown) in [(9, true), (12, true), (13, true), (14, false)] {
            var baseline = try Baseline(reading: FilePath(path))
            baseline.countsLosses = true
            #expect(baseline.meet(CheckResult(try trace(licenses: licenses))) == isKnown, "\(licenses)")
        }
    }
}
