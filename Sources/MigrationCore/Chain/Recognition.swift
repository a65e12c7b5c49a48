import DocumentModel
import Foundation

/// Which chain a document belongs to, judged from its content alone.
public enum Recognition {
    /// It belongs to a chain.
    case recognized(RecognizedDocument)
    /// It belongs to none, or to more than one alike; the reasons.
    case unrecognized([Reason])

    /// The chain, if there is one.
    public var chain: MigrationChain? { if case .recognized(let document) = self { document.chain } else { nil } }
}

/// A document and the chain that it belongs to, with what was found out about it on the way: its version, and often its
/// value. A run begins with that.
public struct RecognizedDocument {
    /// The chain.
    public let chain: MigrationChain
    fileprivate let document: Document
    fileprivate let found: DetectedStage?
    fileprivate let detail: RunDetail

    /// Opens the document and says what came of it. See ``MigrationChain/check(_:source:to:)``.
    public consuming func check(source: String = "document", to target: DocumentVersion? = nil) -> CheckResult {
        CheckResult(run(source, target, detail: .outcome).trace)
    }

    /// Opens the document and records every step. See ``MigrationChain/trace(_:source:to:)``.
    public consuming func trace(source: String = "document", to target: DocumentVersion? = nil) -> MigrationTrace {
        run(source, target, detail: .trace).trace
    }

    /// Opens the document, and encodes what comes of it in the end.
    package consuming func migrate(
        source: String = "document", to target: DocumentVersion? = nil
    ) -> (document: MigratedDocument, data: Data?) {
        MigratedDocument.made(from: run(source, target, detail: .result).trace)
    }

    private func run(_ source: String, _ target: DocumentVersion?, detail: RunDetail) -> TraceBuilder {
        // A value of class type may be changed by the steps, and a check keeps no parts: what was found serves one run
        // of its kind.
        let found = detail == self.detail ? found : nil
        return chain.system.run(document, source: source, to: target, found: found, detail: detail)
    }
}

extension Collection<MigrationChain> {
    /// Finds the chain that a document belongs to. No step is run, and neither name nor place of the document count.
    ///
    /// A version key with a value that the chain knows comes first. Where one chain with such a key decodes the
    /// document as that version and leaves nothing unread, the document is its own. Otherwise all chains with such a
    /// key are compared by their fields: the share of the document's top-level fields that the version knows, and the
    /// share of its required fields that the document has. A document that then fails still belongs to its chain: that
    /// is what people come for. Without such a key all chains are compared, so a document that has lost its version key
    /// is known by its fields.
    ///
    /// - Warning: Which fields a type has is learned by letting it decode itself from made-up values, once for each
    ///   type. An `init(from:)` that stops the program over a value, rather than throw, does so here too. To be safe
    ///   from that, name the chain.
    ///
    /// - Parameter tracing: Whether the document is to be traced afterwards, rather than checked.
    public func recognize(_ document: Document, tracing: Bool = true) -> Recognition {
        recognize(document, for: tracing ? .trace : .outcome)
    }

    /// Finds the chain that a document belongs to.
    ///
    /// - Parameter detail: What is to be made of the document afterwards.
    package func recognize(_ document: Document, for detail: RunDetail) -> Recognition {
        func recognized(_ chain: MigrationChain, _ found: DetectedStage?) -> Recognition {
            .recognized(RecognizedDocument(chain: chain, document: document, found: found, detail: detail))
        }
        let readings = map { chain in
            let reading = chain.system.reading(document, detail: detail)
            return (chain: chain, reading: reading, claim: chain.system.claim(reading))
        }
        let claims = readings.filter { $0.claim?.isClaim == true }
        let whole = claims.filter { $0.claim?.isWhole == true }
        if let only = whole.first, whole.count == 1 { return recognized(only.chain, only.claim) }
        let names = Set(document.root.members.map(\.name))
        func fits(isClaim: Bool) -> [(chain: MigrationChain, fit: ChainFit, found: DetectedStage?)] {
            readings.filter { ($0.claim?.isClaim == true) == isClaim }.map { chain, reading, claim in
                let (fit, found) = chain.system.fit(of: reading, names: names, claim: claim)
                return (chain, fit, found)
            }
        }
        var candidates = fits(isClaim: true)
        if !candidates.contains(where: { $0.fit.hasVersion && $0.fit.isConvincing }) {
            candidates += fits(isClaim: false)
        }
        let convincing = candidates.filter(\.fit.isConvincing)
        guard let best = convincing.max(by: { $0.fit.rank < $1.fit.rank }) else {
            if claims.count > 1 {
                return .unrecognized([.tie(chains: claims.map(\.chain.name), version: claims[0].claim?.version)])
            }
            return .unrecognized(candidates.map { .poorFit(chain: $0.chain.name, fit: $0.fit) })
        }
        let equals = convincing.filter { $0.fit.rank == best.fit.rank }
        guard equals.count == 1 else { return .unrecognized([.tie(chains: equals.map(\.chain.name), version: nil)]) }
        return recognized(best.chain, best.found)
    }
}
