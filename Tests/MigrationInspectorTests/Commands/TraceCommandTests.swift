import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("The trace command")
struct TraceCommandTests {
    private let program = BuiltProgram.inspector

    /// Every document of the demo-data, by the name that check prints.
    static let demoDocuments: [String] = {
        let report = try? BuiltProgram.inspector.run("check", "demo-data", "--format", "json").json()
        return report?["results"].elements.compactMap(\.["source"].text) ?? []
    }()

    // MARK: - Text

    @Test("the steps of parts are shown with their changes, at their positions in the document")
    func stepsOfParts() throws {
        let run = try program.run("trace", "demo-data/things/collection-of-things.json")
        let start = try #require(run.lines.firstIndex { $0.hasPrefix("step 1 → 2 of $.things[0].instance  (") })
        #expect(
            run.lines[start + 1..<start + 3] == [
                "  ~ $.things[0].instance.version: 1 → 2", "  + $.things[0].instance.text: \"defaultText\"",
            ])
    }

    @Test("trace prints the version, every step and the line that broke the document")
    func text() throws {
        let run = try program.run("trace", "demo-data/poems/rating-9.json")
        #expect(run.lines.first == "demo-data/poems/rating-9.json (json): Poem, version 1 at $.version")
        #expect(run.lines.contains { $0.hasPrefix("step 1 ✗ 2  (PoemV1 to PoemV2, ") })
        let failure = run.lines.drop { !$0.hasPrefix("✗ ") }
        #expect(
            Array(failure) == [
                "✗ fieldNoLongerValid at $.rating ($.starRating): Star rating 9 is no longer valid",
                "  proved cause: $.starRating: opens with 5; the right value is not known",
                "  gets past this with 0 to 5", "  does not with 6 and -1",
                "  demo-data/poems/rating-9.json:5:17",
                #"  5 │   "starRating": 9"#,
                "    │                 ^",
                MigrationTrace(source: "", opening: .failed(Poems.ratingFailure)).outcomeWords,
            ])
        #expect(run.errors == "" && run.status == 1)
    }

    @Test("trace reports how many changes it tried if none opens the document", arguments: ["text", "markdown"])
    func nothingProved(format: String) throws {
        let file = "demo-data/preferences/array-cut-short-xml.plist"
        let run = try program.run("trace", file, "--format", format)
        #expect(run.lines.contains { $0.hasSuffix(" changes were tried; none opens the document") })
        #expect(run.status == 1)
    }

    @Test("trace --format markdown writes the story of a migration with its proofs")
    func story() throws {
        let run = try program.run("trace", "demo-data/poems/rating-9.json", "--format", "markdown")
        #expect(run.lines.first == "# demo-data/poems/rating-9.json (json): Poem, version 1 at $.version")
        for line in [
            "## Step 1 ✗ 2: PoemV1 to PoemV2", "> the star rating becomes love, meh or hate", "## Failure",
            #"**fieldNoLongerValid at $.rating (\$.starRating): Star rating 9 is no longer valid**"#,
            "- proved cause: $.starRating: opens with 5; the right value is not known", "## Outcome",
        ] {
            #expect(run.lines.contains(line), "\(line)")
        }
        #expect(run.output.contains("```text\ndemo-data/poems/rating-9.json:5:17\n5 │   \"starRating\": 9"))
        let migrated = try program.run("trace", "demo-data/poems/version-1.json", "--format", "markdown")
        #expect(migrated.output.contains("```diff\n") && migrated.lines.contains { $0.hasPrefix("+ $.rating: ") })
        #expect(migrated.status == 0)
    }

    @Test("text in a document can't end a fence or act as markup in the Markdown story")
    func storyOfHostileDocument() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"{"version": 2, "author": "````\u001b[31m*a*", "poem": " # a\n``` b", "rating": "love"}"#,
            to: "*_poem.json")
        let run = try program.run("trace", "*_poem.json", "--format", "markdown", in: folder.path)
        #expect(run.lines.first?.hasPrefix(#"# \*\_poem.json"#) == true)
        #expect(run.output.contains("`````diff\n") && !run.output.contains("\u{1B}"))
    }

    @Test("trace --set and --unset change values in memory")
    func edits() throws {
        let poem = "demo-data/poems/rating-9.json"
        let before = try Project.text(poem)
        let mended = try program.run("trace", poem, "--set", "$.starRating=4")
        #expect(mended.status == 0 && mended.lines.contains("what if: $.starRating is 4"))
        let both = try program.run("trace", poem, "--unset=$.starRating", "--set", #"$["starRating"]=2"#)
        #expect(both.status == 0 && both.lines.contains("what if: without $.starRating, $.starRating is there, 2"))
        #expect(try Project.text(poem) == before)
        let failing = try program.run("trace", poem, "--set", "$.starRating=7", "--format", "json")
        let failure = try failing.json()["failure"]
        #expect(failing.status == 1 && failure["message"] == "Star rating 7 is no longer valid")
        #expect(failure["culprit"]["proof"]["value"] == 5)
        let input = try program.run("trace", "-", "--set", "$.starRating=4", input: before)
        #expect(input.status == 0)
        for (arguments, words) in [
            (["--set", "starRating=4"], "needs a path and a value in JSON"),
            (["--set", "$.starRating"], "found '$.starRating'"),
            (["--set", "$.starRating=four"], "needs a path and a value in JSON"),
            (["--unset", "stars"], "needs a path"),
            (["--unset", "$.stars"], "$.stars leads to nothing"), (["--set", "$.a.b=1"], "$.a.b leads to nothing"),
        ] {
            let run = try program.run(["trace", poem] + arguments)
            #expect(run.status == 64 && run.errors.contains(words), "\(arguments): \(run.errors)")
        }
        #expect(try program.run("check", poem, "--set", "$.starRating=4").status == 64)
    }

    @Test("trace --among takes values to try from other documents")
    func among() throws {
        let document = "demo-data/preferences/array-cut-short-xml.plist"
        #expect(try !program.run("trace", document).output.contains("proved"))
        let run = try program.run("trace", document, "--among", "demo-data/preferences", "--among", "demo-data/poems")
        #expect(run.output.contains("proved cause: $.arrayString: "))
        for command in ["trace", "shrink"] {
            let run = try program.run(command, document, "--among", "nowhere", "--among", "demo-data")
            #expect(run.status == 66 && run.output == "" && run.errors.contains("nowhere: no such file"))
        }
    }

    @Test("trace --no-experiments makes no experiments")
    func noExperiments() throws {
        let run = try program.run("trace", "demo-data/poems/rating-9.json", "--no-experiments")
        #expect(run.lines.contains("✗ \(Poems.ratingFailure.sentence)"))
        #expect(!run.output.contains("proved"))
    }

    @Test("trace prints the changes of each step")
    func changes() throws {
        let run = try program.run("trace", "-", input: Poems.first)
        let migrated = MigrationTrace(
            source: "", target: .number(3), rewriting: .made(try Document(json: Poems.current)))
        for line in [
            #"  ● 1 PoemV1"#, #"  + $.rating: "love"  (← starRating)"#, #"  - $.starRating: 5"#,
            #"  ~ $.version: 1 → 2"#,
            migrated.outcomeWords,
        ] {
            #expect(run.lines.contains(line), "\(line)")
        }
        #expect(run.status == 0)
    }

    // MARK: - JSON

    @Test("the demo-data has documents to trace")
    func demoDataIsThere() { #expect(Self.demoDocuments.count >= 22) }

    @Test("trace --format json has the fields of a trace file", arguments: demoDocuments)
    func fields(source: String) throws {
        let trace = try program.run("trace", source, "--format", "json", "--no-experiments").json()
        let required: Set = [
            "traceVersion", "source", "format", "chain", "detection", "steps", "parts", "dropped", "warnings",
            "outcome",
            "failure", "result",
        ]
        #expect(required.subtracting(trace.keys).isEmpty)
        #expect(trace["traceVersion"] == 3)
        #expect(trace["source"].text == source)
        #expect(trace["detection"].keys == ["version", "path", "attempts"])
        for attempt in trace["detection"]["attempts"].elements {
            #expect(attempt.keys == ["version", "type", "path", "found", "message", "reason"])
        }
        for step in trace["steps"].elements {
            #expect(
                step.keys == [
                    "from", "to", "fromType", "toType", "note", "seconds", "before", "after", "changes", "patch",
                    "origins", "lost", "narrowed", "folded", "examined",
                ])
            for change in step["changes"].elements {
                #expect(["added", "removed", "changed", "moved"].contains(change["kind"]))
                #expect(change.keys.contains("path"))
                #expect(change.keys.contains("from") == (change["kind"] == "moved"))
            }
        }
    }

    @Test("trace and check print the same result", arguments: demoDocuments)
    func agreesWithCheck(source: String) throws {
        let trace = try program.run("trace", source, "--format", "json", "--no-experiments")
        let check = try program.run("check", source, "--format", "json")
        let (reported, result) = (try trace.json(), try check.json()["results"][0])
        for key in ["source", "format", "chain", "outcome", "dropped"] {
            #expect(reported[key] == result[key], "\(key)")
        }
        for key in result["failure"].keys {
            #expect(reported["failure"][key] == result["failure"][key], "failure: \(key)")
        }
        #expect(reported["failure"].keys == result["failure"].keys.union(result["failure"] == .null ? [] : ["reason"]))
        #expect(reported["warnings"].elements.map { $0["message"] } == result["warnings"].elements)
        #expect(reported["detection"]["version"] == result["version"])
        #expect(reported["detection"]["path"] == result["versionPath"])
        #expect(trace.status == check.status)
    }

    @Test(
        "each step begins where the previous one ended, the last ends at the result, and a failed one has no result",
        arguments: demoDocuments)
    func continuity(source: String) throws {
        let trace = try program.run("trace", source, "--format", "json", "--no-experiments").json()
        let steps = trace["steps"].elements
        for (step, next) in zip(steps, steps.dropFirst()) {
            #expect(next["before"] == step["after"])
            #expect(next["from"] == step["to"])
        }
        guard let last = steps.last else {
            // Without any steps, there is a result if the document or a part of it opens.
            let opens = ["current", "migrated"].contains(trace["outcome"])
            #expect(!opens || trace["result"] != nil)
            return
        }
        if trace["outcome"] == "failed", last["after"] == nil {
            #expect(last["changes"] == [] && last["patch"] == [])
            #expect(trace["result"] == nil)
        } else {
            #expect(last["after"] == trace["result"])
        }
    }

    @Test("the patch of each step turns the document before it into the one after it", arguments: demoDocuments)
    func patches(source: String) throws {
        let trace = try Document(json: try program.run("trace", source, "--format", "json").output).root
        for step in try #require(trace["steps"]).elements {
            let after = try #require(step["after"])
            guard after.kind != .null else { continue }
            let patched = try JSONPatch(try #require(step["patch"])).applied(to: try #require(step["before"]))
            #expect(patched.root.isEqual(to: after), "\(JSONWriter().string(patched.root))")
        }
    }

    @Test(
        "patches mean the same to another implementation of RFC 6902",
        .enabled(if: python != nil, "no python3 has jsonpatch"))
    func foreignPatches() throws {
        let python = BuiltProgram(path: try #require(Self.python))
        let traces = try Self.demoDocuments.map { try program.run("trace", $0, "--format", "json").output }
        let folder = try TemporaryFolder()
        let files = try traces.enumerated().map { try folder.write($1, to: "\($0).json") }
        let run = try python.run([Project.path("Tests/Support/apply-patches.py")] + files)
        #expect(run.errors == "")
        #expect(run.output.hasSuffix(" steps\n") && run.output != "0 steps\n")
        #expect(run.status == 0)
    }

    /// A Python with the package jsonpatch.
    static let python: String? = {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/python3" }.first { path in
            FileManager.default.isExecutableFile(atPath: path)
                && (try? BuiltProgram(path: path).run("-c", "import jsonpatch"))?.status == 0
        }
    }()

    // MARK: - What cannot be traced

    @Test("a missing document exits with 66, and an unrecognized or malformed one exits with 1 and the reasons")
    func failures() throws {
        let missing = try program.run("trace", "nowhere.json")
        #expect(missing.errors == "migration-inspector: nowhere.json: \(SourceProblem.noSuchFile)\n")
        #expect(missing.output == "" && missing.status == 66)
        let unknown = try program.run("trace", "-", input: #"{"nothing": "known"}"#)
        #expect(unknown.lines.contains { $0.hasPrefix("reason: ") })
        #expect(unknown.lines.last == MigrationTrace(source: "", opening: .unrecognized([])).outcomeWords)
        #expect(unknown.status == 1)
        let malformed = try program.run("trace", "-", input: "{\n  \"version\": 01\n}")
        #expect(malformed.lines.contains("✗ \(MigrationFailure(.malformed(problem: .leadingZero)).sentence)"))
        #expect(malformed.lines.contains("  no experiments without a document"))
        #expect(malformed.output.contains("\n  -:2:14\n  2 │   \"version\": 01\n    │              ^\n"))
        #expect(malformed.status == 1)
    }
}
