import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

/// An app whose documents fail, lose and carry on what was worked out beforehand; see `Tests/Packages/ProvenInspector`.
@Suite("Documents whose culprits are known")
struct ProvenInspectorTests {
    /// What a document should come to.
    private struct Expectation: Decodable {
        var document: String
        var chain: String
        /// nil for a document that fails.
        var outcome: MigrationOutcome?
        var kind: MigrationFailure.Kind?
        var step: MigrationFailure.Step?
        var path: DocumentPath?
        var culprit: Culprit?
        /// The culprits of all failures, each once those before it are repaired; nil for one.
        var places: [DocumentPath]?
        /// Of a document that migrates: where the new and changed values of each step come from, what the step forgets.
        var steps: [Step]?
        /// The places that differ in every run, of all steps.
        var differing: [DocumentPath]?

        struct Step: Decodable {
            var from: DocumentVersion
            var to: DocumentVersion
            var origins: [ValueOrigin]
            var lost: [DocumentPath]
        }

        /// What experiments should show of the value behind the failure.
        struct Culprit: Decodable {
            var path: DocumentPath
            var certain: Bool
            var others: [DocumentPath]
            /// nil where no experiment shows anything of it.
            var proof: Proof?

            struct Proof: Decodable, Equatable {
                var kind: String
                var operation: String?
            }
        }
    }

    private let folder = Project.path("Tests/Packages/ProvenInspector/Documents")

    private func expectations() throws -> [Expectation] {
        try JSONDecoder().decode([Expectation].self, from: Data(contentsOf: URL(filePath: "\(folder)/expected.json")))
    }

    @Test("have their true culprit proved, or all of those that it might be", .timeLimit(.minutes(30)))
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
            // Of those that might as well be it, any may come first.
            #expect(Set([culprit.path] + culprit.others) == Set([wanted.path] + wanted.others), "\(expected.document)")
            #expect(Self.words(culprit.proof) == wanted.proof, "\(expected.document)")
            let further = trace.furtherFailures.compactMap(\.culprit?.path)
            #expect([culprit.path] + further == expected.places ?? [culprit.path], "\(expected.document)")
        }
    }

    @Test("have the origin of each new value found, and each value that a step forgets", .timeLimit(.minutes(30)))
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
                // In any order.
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

    @Test("come to the outcome, and fail in the step and at the path, that was worked out", .timeLimit(.minutes(30)))
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
