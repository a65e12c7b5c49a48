import DocumentModel
import Testing

@testable import MigrationCore

/// Searches for the cause of a failure. Each experiment is a run of the chain.
protocol MendSearching {}

extension MendSearching {
    func search(
        _ chain: MigrationChain, _ text: String, _ check: ((MigrationTrace) -> Void)? = nil
    ) throws -> MigrationFailure.Culprit? {
        try search(chain, Document(json: text), check)
    }

    func search(
        _ chain: MigrationChain, _ document: Document, _ check: ((MigrationTrace) -> Void)? = nil
    ) throws -> MigrationFailure.Culprit? {
        let trace = chain.trace(document)
        try #require(trace.failure != nil)
        check?(trace)
        let versions = trace.detection.version.map { [$0] } ?? trace.versions.map(\.version).reversed()
        let outlines = versions.compactMap { chain.outline(of: $0) }
        var search = CulpritSearch(trace, outlines: outlines) { experiment in
            let result = chain.trace(try (experiment.sample ?? document).applying(experiment.edits))
            return ExperimentOutcome(
                result.failures, version: result.detection.version,
                dropped: result.leftOver == nil ? nil : result.dropped)
        }
        return try search?.culprit()
    }

    func path(_ text: String) -> DocumentPath { DocumentPath(text) ?? .root }

    func texts(_ documents: [Document]?) -> [String] { documents?.compactMap(\.root.string) ?? [] }
}

/// The error that chains of the tests throw.
struct Refusal: Error, CustomStringConvertible { var description: String }
