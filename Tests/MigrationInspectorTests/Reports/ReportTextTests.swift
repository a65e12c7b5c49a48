import DocumentModel
import DocumentSources
import MigrationCore
import Testing

@testable import MigrationInspector

@Suite("Reports in text form")
struct ReportTextTests {
    private static let document = GivenName("a.json").document

    private func result(
        _ outcome: MigrationOutcome, _ version: DocumentVersion?, _ target: DocumentVersion? = .number(3),
        _ failure: MigrationFailure? = nil
    ) -> CheckResult {
        var result = CheckResult(source: "a.json", outcome: outcome, failure: failure)
        (result.chain, result.version, result.target) = ("Poem", version, target)
        return result
    }

    private func failure(_ from: DocumentVersion, _ to: DocumentVersion) -> MigrationFailure {
        MigrationFailure(.timedOut(seconds: 1), step: .init(from: from, to: to))
    }

    // MARK: - Versions

    @Test("a version path shows how far a document got, starting from its version")
    func versions() {
        func path(_ result: CheckResult) -> String { VersionText.path(of: result) }
        for outcome in MigrationOutcome.allCases { #expect(path(result(outcome, nil)).isEmpty, "\(outcome)") }
        #expect(path(result(.current, .number(3))) == "3" && path(result(.current, .number(3), nil)) == "3")
        #expect(path(result(.migrated, .unversioned)) == "none → 3")
        #expect(path(result(.migrated, .number(1), .name("v2"))) == "1 → v2")
        // A step need not lead to another version; a rewrite of preferences doesn't.
        #expect(path(result(.migrated, .number(3))) == "3")
        #expect(path(result(.failed, .number(1))) == "1 ✗")
        #expect(path(result(.failed, .number(1), .number(3), MigrationFailure(.timedOut(seconds: 1)))) == "1 ✗")
        #expect(path(result(.failed, .number(1), .number(3), failure(.number(1), .number(2)))) == "1 ✗ 2")
        #expect(path(result(.failed, .number(1), .number(3), failure(.number(2), .number(3)))) == "1 → 2 ✗ 3")
        for outcome in [MigrationOutcome.unrecognized, .unreadable] {
            #expect(path(result(outcome, .number(1))).isEmpty)
        }
    }

    // MARK: - Checks

    @Test("a check prints a line for each document, followed by its dropped fields and warnings")
    func lines() {
        func lines(_ result: CheckResult) -> [String] {
            CheckText.lines(for: result)
        }
        let warning = Reason.trailingComma(location: SourceLocation(line: 1, column: 2, offset: 1))
        for outcome in MigrationOutcome.allCases {
            let failure = [.failed, .unreadable].contains(outcome) ? failure(.number(1), .number(2)) : nil
            var result = result(outcome, .number(1), .number(3), failure)
            #expect(lines(result).count == 1, "\(outcome)")
            (result.dropped, result.warnings) = ([Poems.field("mood")], [warning, warning])
            let head =
                switch outcome {
                case .current: "a.json: ✓ Poem 1, current"
                case .migrated: "a.json: ✓ Poem 1 → 3"
                case .failed: "a.json: ✗ Poem 1 ✗ 2: \(result.failure?.sentence ?? "")"
                case .unreadable: "a.json: ✗ Poem: \(result.failure?.sentence ?? "")"
                case .unrecognized: "a.json: ? \([warning].unrecognizedSentence)"
                case .deleted: "a.json: – deleted"
                }
            let said = "    warning: \(warning)"
            let warnings = outcome == .unrecognized ? [] : [said, said]
            #expect(lines(result) == [head, "    " + [Poems.field("mood")].droppedSentence()] + warnings)
        }
        var located = result(.failed, nil, nil, Poems.ratingFailure)
        located.chain = nil
        located.failure?.location = SourceLocation(line: 5, column: 17, offset: 90)
        #expect(lines(located) == ["a.json:5:17: ✗ \(Poems.ratingFailure.sentence)"])
        located.failure?.location = SourceLocation(line: 5, column: 17, offset: 90, within: Poems.field("key"))
        let place = located.failure?.location.map { "\($0)" } ?? ""
        #expect(lines(located) == ["a.json: ✗ \(Poems.ratingFailure.sentence) (\(place))"])
        // A position in a string inside a line is no position in the file.
        (located.source, located.container) = ("a.jsonl#L4", .jsonl)
        #expect(lines(located)[0].hasPrefix("a.jsonl#L4: ✗ "))
    }

    @Test("a summary counts the documents, and names causes shared by several of them")
    func summary() {
        var report = CheckReport()
        func lines() -> [String] {
            CheckText.summary(of: report).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(lines() == ["", "0 documents: 0 current, 0 migrated, 0 failed, 0 unrecognized, 0 unreadable"])
        report.add(result(.failed, .number(1), .number(3), failure(.number(1), .number(2))))
        #expect(lines() == ["", "1 document: 0 current, 0 migrated, 1 failed, 0 unrecognized, 0 unreadable"])
        report.add(result(.failed, .number(1), .number(3), failure(.number(2), .number(3))))
        #expect(lines().count == 2)
        report.add(result(.failed, .number(1), .number(3), failure(.number(1), .number(2))))
        let shared = report.causes.filter { $0.count == 2 }.map { "  \($0.sentence)" }
        #expect(
            lines() == [
                "", "3 documents: 0 current, 0 migrated, 3 failed, 0 unrecognized, 0 unreadable", "",
                "What failures have in common:",
            ] + shared)
        #expect(shared.count == 1)
    }

    // MARK: - Traces

    @Test("a trace is printed from its version to its outcome, step by step")
    func trace() throws {
        let before = try Document(json: #"{"version":1,"poem":"One","gone":true,"same":0}"#)
        let after = try Document(json: #"{"version":2,"verse":"One","same":0,"new":null}"#)
        let reason = Reason.notEncodable(type: "Poem", because: .timedOut(seconds: 1))
        let against = Reason.field(path: Poems.field("lines"), problem: .missingKey)
        let warning = Reason.trailingComma(location: SourceLocation(line: 1, column: 2, offset: 1))
        var trace = MigrationTrace(
            source: "a.json", format: .json, chain: "Poem", versions: [], target: .number(3),
            detection: VersionDetection(
                version: .number(1), path: Poems.field("version"),
                attempts: [
                    .init(version: .number(3), type: "Poem", path: nil, found: nil, reason: against),
                    .init(version: .number(1), type: "PoemV1", path: nil, found: nil, reason: nil),
                ]),
            steps: [
                MigrationStep(
                    from: .number(1), to: .number(2), fromType: "PoemV1", toType: "PoemV2", note: "it is renamed",
                    seconds: 0.000012, before: before, ending: .made(after)),
                MigrationStep(
                    from: .number(2), to: .number(2), fromType: "PoemV2", toType: "PoemV2", seconds: 0.001,
                    before: after, ending: .made(after)),
                MigrationStep(
                    from: .number(2), to: .number(3), fromType: "PoemV2", toType: "Poem", seconds: 0, before: after,
                    ending: .madeUnencodable(reason)),
            ],
            dropped: [Poems.field("a"), Poems.field("b")], warnings: [warning], document: before)
        func lines() -> [String] {
            TraceText.text(of: trace, Self.document, source: before.source)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let head = [
            "a.json (json): Poem, version 1 at $.version", "  ○ 3 Poem: \(against.sentenceWithPlace)", "  ● 1 PoemV1",
            "",
            "step 1 → 2  (PoemV1 to PoemV2, 12 µs)", "  note: it is renamed",
        ]
        let changes = [
            "  ~ $.version: 1 → 2", "  → $.poem is now $.verse: \"One\"", "  - $.gone: true", "  + $.new: null",
        ]
        let tail = [
            "", "step 2 → 2  (PoemV2 to PoemV2, 1.00 ms)", "  nothing changed", "",
            "step 2 → 3  (PoemV2 to Poem, 0 µs)", "  \(reason.unwrittenSentence)", "",
            [Poems.field("a")].droppedSentence(), [Poems.field("b")].droppedSentence(), "warning: \(warning)",
            reason.unwrittenSentence, trace.outcomeWords,
        ]
        #expect(Array(lines().prefix(head.count)) == head)
        #expect(lines().dropFirst(head.count).prefix(changes.count).sorted() == changes.sorted())
        #expect(Array(lines().dropFirst(head.count + changes.count)) == tail)
        // The first line leaves out information that isn't known.
        (trace.steps, trace.dropped, trace.warnings, trace.detection.attempts) = ([], [], [], [])
        trace.detection.path = nil
        #expect(lines() == ["a.json (json): Poem, version 1", "", trace.outcomeWords])
        trace.detection.version = nil
        #expect(lines().first == "a.json (json): Poem")
        trace.opening = .unrecognized([against])
        (trace.chain, trace.format) = (nil, nil)
        #expect(lines() == ["a.json", "", "reason: \(against)", trace.outcomeWords])
    }

    @Test("parts that take the same step are printed together, and one that fails separately")
    func stepsOfParts() throws {
        func part(_ number: Int, fails: Bool = false) throws -> MigrationTrace {
            let failure = MigrationFailure(.thrown(message: "no"), step: .init(from: .number(1), to: .number(2)))
            let step = MigrationStep(
                from: .number(1), to: .number(2), fromType: "A", toType: "B", seconds: 0,
                before: try Document(json: "{}"),
                ending: fails ? .failed(failure) : .made(try Document(json: #"{"n": \#(number)}"#)))
            return MigrationTrace(
                source: "a.json", chain: "Part", target: .number(2), detection: VersionDetection(version: .number(1)),
                opening: fails ? .failed(failure) : .opened, steps: [step],
                path: DocumentPath([.key("list"), .index(number)]))
        }
        let trace = MigrationTrace(
            source: "a.json", chain: "Whole", target: .number(1), detection: VersionDetection(version: .number(1)),
            opening: .opened, parts: try (0..<12).map { try part($0) } + [try part(12, fails: true)])
        let lines = TraceText.text(of: trace, Self.document, source: nil).split(separator: "\n").map(String.init)
        #expect(
            lines.filter { $0.hasPrefix("step") || $0.hasPrefix("  +") } == [
                "step 1 → 2 of $.list[*] (12 parts)  (A to B)", "  + $.list[*].n (12): 0, …",
                "step 1 ✗ 2 of $.list[12]  (A to B)",
            ])
        #expect(!lines.contains("  nothing changed"))
    }

    @Test(
        "each part of a document is printed with its outcome, and with its failure if that isn't the failure of the whole"
    )
    func parts() throws {
        let failure = MigrationFailure(
            .field(path: .root, problem: .missingKey), step: .init(from: .number(4), to: .number(5)))
        func part(_ key: String, _ failure: MigrationFailure?) -> MigrationTrace {
            MigrationTrace(
                source: "a.json", chain: "Int", target: .number(5),
                detection: VersionDetection(version: .number(4)), opening: failure.map { .failed($0) } ?? .opened,
                path: Poems.field(key), rewriting: failure == nil ? .checked : nil)
        }
        let whole = try Document(json: #"{"a":1,"b":2,"c":3}"#)
        let trace = MigrationTrace(
            source: "a.json", chain: "Settings", target: .number(5), detection: VersionDetection(version: .number(4)),
            opening: .failedInParts,
            steps: [
                MigrationStep(
                    from: .number(4), to: .number(5), fromType: "", toType: "", seconds: 0, before: whole,
                    ending: .made(whole))
            ], parts: [part("a", failure), part("b", nil), part("c", failure)], document: whole)
        let lines = TraceText.text(of: trace, Self.document, source: nil).split(separator: "\n").map(String.init)
        for key in ["a", "c"] { #expect(lines.contains("  ✗ \(part(key, failure).keptSentence)")) }
        #expect(lines.count { $0.hasPrefix("  ✗ ") } == 2)
        let reported = Array(lines.drop { !$0.hasPrefix("part ") }.dropLast())
        let third = try #require(trace.parts[2].failureOfWhole)
        #expect(
            reported == [
                "part $.a: Int 4 ✗ 5", "part $.b: Int \(VersionText.path(of: CheckResult(trace.parts[1])))",
                "part $.c: Int 4 ✗ 5", "  \(third.sentence)",
            ])
        #expect(trace.failure == trace.parts[0].failureOfWhole)
    }
}
