import DocumentModel
import Testing

@testable import MigrationCore

/// Searches for what is behind a failure: each proof is a run of the chain.
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

/// What a chain of a test throws.
struct Refusal: Error, CustomStringConvertible { var description: String }
