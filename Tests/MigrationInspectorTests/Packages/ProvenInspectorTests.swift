import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

extension StrangersTests {
    /// Tests of an app whose documents have failures, losses and origins that were worked out by hand. See
    /// `Tests/Packages/ProvenInspector`.
    @Suite("Documents with known culprits")
    struct ProvenInspectorTests {
        /// The expected results for a document.
        private struct Expectation: Decodable {
            var document: String
            var chain: String
            /// The outcome, or `nil` for a document that fails.
            var outcome: MigrationOutcome?
            var kind: MigrationFailure.Kind?
            var step: MigrationFailure.Step?
            var path: DocumentPath?
            var culprit: Culprit?
            /// The culprits of all failures, each found once the previous ones are repaired, or `nil` if there is only one.
            var places: [DocumentPath]?
            /// For a document that migrates: the origins of the new and changed values of each step, and the values it
            /// loses.
            var steps: [Step]?
            /// The paths that differ in every run, in all steps.
            var differing: [DocumentPath]?

            struct Step: Decodable {
                var from: DocumentVersion
                var to: DocumentVersion
                var origins: [ValueOrigin]
                var lost: [DocumentPath]
            }

            /// The expected result of experiments with the culprit.
            struct Culprit: Decodable {
                var path: DocumentPath
                var certain: Bool
                var others: [DocumentPath]
                /// The proof, or `nil` if no experiment proves anything.
                var proof: Proof?

                struct Proof: Decodable, Equatable {
                    var kind: String
                    var operation: String?
                }
            }
        }

        private let folder = Project.path("Tests/Packages/ProvenInspector/Documents")

        private func expectations() throws -> [Expectation] {
            try JSONDecoder().decode(
                [Expectation].self, from: Data(contentsOf: URL(filePath: "\(folder)/expected.json")))
        }

        @Test(
            "migrate says that losses are not known if a migration must not be repeated, and refuses that with --strict"
        )
        func notRepeatable() async throws {
            let program = try await StrangersPackage(name: "ProvenInspector").program("proven-inspector")
            let folder = try TemporaryFolder()
            try folder.write(#"{"version": 1, "turns": 7, "gate": "north"}"#, to: "all/a.json")
            let alone = try program.run(["migrate", "all/a.json"], in: folder.path)
            #expect(alone.status == 0 && alone.output.contains("entries"))
            let warning = try #require(alone.errorLines.first)
            #expect(warning.contains("all/a.json: warning: ") && warning.contains("not repeatable"))
            let several = try program.run(["migrate", "--output", "new/", "all"], in: folder.path)
            #expect(several.status == 0 && several.errorLines.first == warning)
            for arguments in [["all/a.json"], ["--output", "strict/", "all"]] {
                let strict = try program.run(["migrate", "--strict"] + arguments, in: folder.path)
                #expect(strict.status == 1 && strict.errors.contains("not repeatable"), "\(strict.errors)")
            }
            #expect(try folder.names().sorted() == ["all", "new"])
        }

        @Test("check opens again what was made where the version may hide a field, and warns if it does not open")
        func reopening() async throws {
            let program = try await StrangersPackage(name: "ProvenInspector").program("proven-inspector")
            let folder = try TemporaryFolder()
            try folder.write(#"{"version": 1, "slogan": "Go on"}"#, to: "placard.json")
            let run = try program.run(["check", "placard.json"], in: folder.path)
            #expect(run.lines.first?.hasPrefix("placard.json: ! Placard 1 → 2") == true, "\(run.output)")
            #expect(run.output.contains("expected String, found a number"))
            let report = try program.run(["check", "--format", "json", "placard.json"], in: folder.path)
            let result = try Document(json: report.output).root["results"]?[0]
            #expect(result?["outcome"]?.string == "migrated")
            let reopening = result?["reopens"]
            #expect(reopening?["kind"]?.string == "typeMismatch" && reopening?["path"]?.string == "$.version")
        }

        @Test("experiments prove the true culprit, or all possible ones", .timeLimit(.minutes(30)))
        func culprits() async throws {
            let program = try await StrangersPackage(name: "ProvenInspector").program("proven-inspector")
            let expected = try expectations().filter { $0.culprit != nil }
            #expect(expected.count == 18)
            for expected in expected {
                let run = try program.run(
                    ["trace", "--time-limit", "4", "--format", "json", expected.document], in: folder)
                let trace = try JSONDecoder().decode(MigrationTrace.self, from: Data(run.output.utf8))
                let culprit = try #require(trace.failure?.culprit, "\(expected.document)")
                let wanted = try #require(expected.culprit)
                #expect(culprit.certain == wanted.certain, "\(expected.document)")
                // Any of the possible culprits may come first.
                #expect(
                    Set([culprit.path] + culprit.others) == Set([wanted.path] + wanted.others), "\(expected.document)")
                #expect(Self.words(culprit.proof) == wanted.proof, "\(expected.document)")
                let further = trace.furtherFailures.compactMap(\.culprit?.path)
                #expect([culprit.path] + further == expected.places ?? [culprit.path], "\(expected.document)")
            }
        }

        @Test(
            "experiments find the origin of each new value, and each value that a step loses", .timeLimit(.minutes(30)))
        func findings() async throws {
            let program = try await StrangersPackage(name: "ProvenInspector").program("proven-inspector")
            let expected = try expectations().filter { $0.steps != nil }
            #expect(expected.count == 6)
            for expected in expected {
                let run = try program.run(["trace", "--format", "json", expected.document], in: folder)
                let trace = try JSONDecoder().decode(MigrationTrace.self, from: Data(run.output.utf8))
                let steps = try #require(expected.steps)
                try #require(trace.steps.map(\.to) == steps.map(\.to) && trace.steps.map(\.from) == steps.map(\.from))
                for (step, expectation) in zip(trace.steps, steps) {
                    let finding = try #require(step.finding, "\(expected.document), step to \(step.to)")
                    // The order doesn't matter.
                    let found = Dictionary(uniqueKeysWithValues: finding.origins.map { ($0.path, Set($0.from)) })
                    let wanted = Dictionary(uniqueKeysWithValues: expectation.origins.map { ($0.path, Set($0.from)) })
                    #expect(found == wanted, "\(expected.document), step to \(step.to)")
                    #expect(Set(finding.lost) == Set(expectation.lost), "\(expected.document), step to \(step.to)")
                }
                let differing = trace.steps.flatMap { $0.finding?.differing ?? [] }
                #expect(Set(differing) == Set(expected.differing ?? []), "\(expected.document)")
            }
        }

        private static func words(_ proof: CulpritProof?) -> Expectation.Culprit.Proof? {
            guard let proof else { return nil }
            let kind = proof.repair == nil ? proof.change == nil ? "follows" : "passes" : "repair"
            return switch proof.change {
            case .set: .init(kind: kind, operation: "set")
            case .rename: .init(kind: kind, operation: "rename")
            case .remove: .init(kind: kind, operation: "remove")
            case .add: .init(kind: kind, operation: "add")
            case nil: .init(kind: kind)
            }
        }

        @Test(
            "documents have the expected outcome, and fail in the expected step at the expected path",
            .timeLimit(.minutes(30)))
        func outcomes() async throws {
            let program = try await StrangersPackage(name: "ProvenInspector").program("proven-inspector")
            let expected = try expectations()
            #expect(expected.count == 24 && Set(expected.map(\.document)).count == 24)
            let run = try program.run(
                ["check", "--time-limit", "4", "--format", "json"] + expected.map(\.document), in: folder)
            #expect(run.status == 1)
            let report = try JSONDecoder().decode(CheckReport.self, from: Data(run.output.utf8))
            try #require(report.results.map(\.source) == expected.map(\.document))
            for (expected, result) in zip(expected, report.results) {
                #expect(result.chain == expected.chain, "\(expected.document)")
                #expect(result.outcome == expected.outcome ?? .failed, "\(expected.document)")
                #expect(result.failure?.kind == expected.kind, "\(expected.document)")
                #expect(result.failure?.step == expected.step, "\(expected.document)")
                #expect(result.failure?.path == expected.path, "\(expected.document)")
            }
        }
    }
}
