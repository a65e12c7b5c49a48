import DocumentModel
import ExampleChains
import Foundation
import TestSupport
import Testing

@testable import MigrationCore

@Suite("Redacting the demo data")
struct RedactionTests {
    private static let names: [String] = {
        let folder = Project.folder.appending(path: "demo-data")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.allObjects as? [URL] ?? []).map(\.path).sorted().filter { name in
            guard let document = try? document(name) else { return false }
            return ExampleChains.all.recognize(document, tracing: false).chain != nil
        }
    }()

    private static func document(_ name: String) throws -> Document {
        try Document(parsing: SourceBytes(Data(contentsOf: URL(fileURLWithPath: name))))
    }

    private static func redact(
        _ document: Document, _ chain: MigrationChain, seed: UInt64
    ) throws -> (old: MigrationTrace, new: MigrationTrace, redaction: Redaction) {
        let trace = chain.trace(document, source: "secret.json")
        let (new, redaction) = try chain.redacting(
            trace, redactsNames: false, Replacements(random: SeededGenerator(seed: seed)))
        return (trace, new, redaction)
    }

    @Test("the demo data has documents of every chain")
    func documents() { #expect(Self.names.count > 35) }

    @Test("no run of six characters of a token is in the trace of a redacted document", arguments: names)
    func hunt(name: String) throws {
        let document = try Self.document(name)
        let chain = try #require(ExampleChains.all.recognize(document, tracing: false).chain)
        // Values without which the document ends in another way are kept: versions and cases of enums.
        let needed = try Self.redact(document, chain, seed: 1).redaction
        let kept = needed.keptValues
        let planted = try PlantedTokens(in: document, except: kept, seed: 5)
        let text = try Document(parsing: SourceBytes(planted.document.data(like: document)))
        let (old, new, redaction) = try Self.redact(text, chain, seed: 2)
        // What is looked for is there.
        let original = String(decoding: try JSONEncoder().encode(versioned: old), as: UTF8.self)
        #expect(planted.found(in: original).count >= planted.tokens.count / 2)
        let trace = String(decoding: try JSONEncoder().encode(versioned: new), as: UTF8.self)
        #expect(planted.found(in: trace) == [] && !trace.contains("secret"), "\(trace)")
        #expect(planted.found(in: new.failure?.message ?? "") == [])
        #expect(Set(redaction.keptValues).isSubset(of: kept))
    }

    @Test("a redacted document ends like the document, and no kept value can be replaced by another", arguments: names)
    func alike(name: String) throws {
        let document = try Self.document(name)
        let chain = try #require(ExampleChains.all.recognize(document, tracing: false).chain)
        let (old, new, redaction) = try Self.redact(document, chain, seed: 3)
        #expect(new.outcome == old.outcome && new.detection.version == old.detection.version)
        #expect(new.failure?.kind == old.failure?.kind && new.failure?.path == old.failure?.path)
        #expect(new.failure?.step == old.failure?.step && new.dropped == old.dropped)
        #expect(new.document?.format == document.format && new.document?.nodeCount == document.nodeCount)
        for path in redaction.keptValues {
            let value = try #require(redaction.document.value(at: path))
            #expect(document.value(at: path)?.isEqual(to: value) == true)
        }
    }
}
