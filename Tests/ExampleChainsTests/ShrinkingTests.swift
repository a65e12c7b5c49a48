import DocumentModel
import ExampleChains
import Foundation
import Testing

@testable import MigrationCore

@Suite("Shrinking the demo data")
struct ShrinkingTests {
    /// The documents of the demo data that fail, by their paths.
    private static let failing: [String] = {
        let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../demo-data").standardized
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let names = (files?.allObjects as? [URL] ?? []).map(\.path).filter {
            $0.hasSuffix(".json") || $0.hasSuffix(".plist") || $0.hasSuffix(".resolved")
        }
        return names.sorted().filter { name in
            guard let document = try? document(name), let outcome = outcome(of: document) else { return false }
            return outcome.failure != nil
        }
    }()

    private static func document(_ name: String) throws -> Document {
        try Document(parsing: SourceBytes(Data(contentsOf: URL(fileURLWithPath: name))))
    }

    /// Returns how a document opens with the chain that it is recognized by, or nil if that is none.
    ///
    /// - Parameter chain: The chain to open it with instead.
    private static func outcome(of document: Document, with chain: MigrationChain? = nil) -> ExperimentOutcome? {
        guard let chain = chain ?? ExampleChains.all.recognize(document, tracing: false).chain else { return nil }
        let result = chain.check(document)
        return ExperimentOutcome(result.failure, version: result.version)
    }

    /// Returns the document without each single member or element in turn, those of embedded documents included.
    private static func reductions(of document: Document) -> [Document] {
        var paths: [DocumentPath] = []
        func visit(_ node: DocumentNode, _ path: DocumentPath) {
            (node.held?.document.root ?? node).forEachStep { component, child in
                paths.append(path.appending(component))
                visit(child, path.appending(component))
            }
        }
        visit(document.root, .root)
        return paths.compactMap { try? document.applying([.remove($0)]) }
    }

    @Test("there are many failing documents to shrink")
    func documents() { #expect(Self.failing.count > 10) }

    @Test(
        "no member or element can be removed from a shrunk document without another failure",
        arguments: failing, [false, true])
    func minimal(name: String, isChainGiven: Bool) throws {
        let document = try Self.document(name)
        let chain = try #require(ExampleChains.all.recognize(document).chain)
        func fails(_ smaller: Document) -> Bool {
            guard let first = Self.outcome(of: document, with: chain),
                let outcome = Self.outcome(of: smaller, with: isChainGiven ? chain : nil)
            else { return false }
            return outcome.isSameFailure(of: smaller, as: first, of: document)
        }
        let shrunk = try DocumentShrinker.shrink(document) { fails($0) }
        #expect(fails(shrunk))
        for smaller in Self.reductions(of: shrunk) {
            #expect(!fails(smaller), "\(JSONWriter().string(shrunk.root)) → \(JSONWriter().string(smaller.root))")
        }
    }
}
