import DocumentModel
import Foundation

/// The chain that a document belongs to, determined only from its content.
public enum Recognition {
    /// The document belongs to a chain.
    case recognized(RecognizedDocument)
    /// The document belongs to no chain, or fits several equally well. The reason of the nearest chain comes first.
    case unrecognized([Reason])

    /// The chain, if there is one.
    public var chain: MigrationChain? { if case .recognized(let document) = self { document.chain } else { nil } }
}

/// A document and the chain that it belongs to, with what was learned while finding it: the version, and often the
/// decoded value. A run starts from there.
public struct RecognizedDocument {
    /// The chain.
    public let chain: MigrationChain
    fileprivate let document: Document
    fileprivate let found: DetectedStage?
    fileprivate let detail: RunDetail
    /// Returns the chains without version keys that read all of the document apart from its version. They run it, so
    /// this is called only if the document fails.
    fileprivate let others: () -> [String]

    /// Opens the document and returns only the outcome. See ``MigrationChain/check(_:source:to:)``.
    public consuming func check(source: String = "document", to target: DocumentVersion? = nil) -> CheckResult {
        CheckResult(run(source, target, detail: .outcome))
    }

    /// Opens the document and records every step. See ``MigrationChain/trace(_:source:to:)``.
    public consuming func trace(source: String = "document", to target: DocumentVersion? = nil) -> MigrationTrace {
        run(source, target, detail: .trace)
    }

    /// Opens the document, and encodes the result.
    package consuming func migrate(
        source: String = "document", to target: DocumentVersion? = nil
    ) -> (document: MigratedDocument, data: Data?) {
        let chain = chain
        return MigratedDocument.made(from: run(source, target, detail: .result)) {
            chain.check($0, source: source, to: target)
        }
    }

    /// Opens the document, and encodes the document that the app writes the next time it saves.
    package consuming func writing(to target: DocumentVersion? = nil) -> MigrationTrace {
        run("", target, detail: .writing)
    }

    private func run(_ source: String, _ target: DocumentVersion?, detail: RunDetail) -> MigrationTrace {
        // Steps may modify a value of class type, and a check keeps no parts. So the decoded value can serve only one
        // run, with the same detail.
        let found = detail == self.detail ? found : nil
        var trace = chain.run(document, source: source, to: target, found: found, detail: detail)
        if let failure = trace.failure, !failure.isOfTarget {
            let others = others()
            if !others.isEmpty { trace.warnings.append(.fitsOtherChains(chain: chain.name, others: others)) }
        }
        return trace
    }
}

extension Collection<MigrationChain> {
    /// Finds the chain that a document belongs to. This runs no steps, and ignores the name and location of the
    /// document.
    ///
    /// A version key with a value that the chain knows has priority. If exactly one chain with such a key decodes the
    /// document as that version and leaves nothing unread, it is the result. Otherwise, all chains with such a key are
    /// compared by their fields: the share of the document's top-level fields that the version knows, and the share of
    /// its required fields that the document has. A document that fails to decode still belongs to its chain, because
    /// that is the case people want to investigate. If no chain has such a key, all chains are compared, so a document
    /// that has lost its version key is recognized by its fields.
    ///
    /// If a type has refused a document only because of missing names, it is not tried again on a document that lacks
    /// the same names, except for a trace. This assumes that types judge by the document only.
    ///
    /// - Warning: The fields of a type are determined by making it decode itself from made-up values, once for each
    ///   type. If an `init(from:)` crashes on a value instead of throwing an error, it crashes here too. To avoid that,
    ///   name the chain.
    ///
    /// - Parameter tracing: Whether the document will be traced afterward, rather than checked.
    public func recognize(_ document: Document, tracing: Bool = true) -> Recognition {
        Recognition(of: document, among: Array(self), for: tracing ? .trace : .outcome)
    }
}

extension Recognition {
    /// Creates the result for a document. JSON5 belongs only to a chain that allows it.
    ///
    /// - Parameter detail: The detail of the run that follows.
    package init(of document: Document, among chains: [MigrationChain], for detail: RunDetail) {
        let offered = document.format == .json5 ? chains.filter(\.allowsJSON5) : chains
        self = Contest(document, offered, detail).outcome
        if case .unrecognized(let reasons) = self, document.isKeyedArchive {
            self = .unrecognized([.keyedArchive(type: document.archivedClass)] + reasons)
        } else if case .unrecognized(let reasons) = self, let inside = document.documentInside {
            self = .unrecognized([inside] + reasons)
        }
    }
}

/// The chains that compete for a document.
private struct Contest {
    private let document: Document
    private let chains: [MigrationChain]
    private let detail: RunDetail
    /// The reading of each chain, and the version that the document states according to it.
    private let readings: [Reading]
    private let claims: [DetectedStage?]

    init(_ document: Document, _ chains: [MigrationChain], _ detail: RunDetail) {
        self.document = document
        self.chains = chains
        self.detail = detail
        let answers = VersionAnswers()
        let readings = chains.map { $0.system.reading(document, detail: detail, sharing: answers, for: $0.observer) }
        self.readings = readings
        claims = chains.indices.map { chains[$0].system.claim(readings[$0]) }
    }

    private struct Candidate {
        let index: Int
        let fit: ChainFit
        let found: DetectedStage?
    }

    var outcome: Recognition {
        let claiming = chains.indices.filter { claims[$0]?.isClaim == true }
        let whole = claiming.filter { claims[$0]?.isWhole == true }
        if whole.count == 1 { return recognized(whole[0], claims[whole[0]]) }
        var candidates = claiming.map(candidate)
        if !candidates.contains(where: { $0.fit.hasVersion && $0.fit.isConvincing }) {
            candidates += chains.indices.filter { claims[$0]?.isClaim != true }.map(candidate)
        }
        let convincing = candidates.filter(\.fit.isConvincing)
        guard let best = convincing.max(by: { $0.fit.rank < $1.fit.rank }) else {
            if claiming.count > 1 {
                return .unrecognized([.tie(chains: claiming.map(name), version: claims[claiming[0]]?.version)])
            }
            // The nearest come first. Chains that fit equally well keep their order.
            let order = candidates.indices.sorted {
                let (left, right) = (candidates[$0].fit.rank, candidates[$1].fit.rank)
                return left == right ? $0 < $1 : left > right
            }
            return .unrecognized(
                order.map { .poorFit(chain: name(candidates[$0].index), fit: candidates[$0].fit) })
        }
        let equals = convincing.filter { $0.fit.rank == best.fit.rank }
        guard equals.count == 1 else {
            return .unrecognized([.tie(chains: equals.map { name($0.index) }, version: nil)])
        }
        return recognized(best.index, best.found)
    }

    private func name(_ index: Int) -> String { chains[index].name }

    private func recognized(_ index: Int, _ found: DetectedStage?) -> Recognition {
        .recognized(
            RecognizedDocument(
                chain: chains[index], document: document, found: found, detail: detail,
                others: { others(than: index, found) }))
    }

    /// Returns the chains without version keys that open the document and read all of it apart from its version.
    private func others(than index: Int, _ found: DetectedStage?) -> [String] {
        guard claims[index]?.isClaim == true, let version = found?.path ?? claims[index]?.path else { return [] }
        return chains.indices.filter { other in
            guard other != index, claims[other] == nil, chains[other].isRepeatable,
                candidate(other).fit.isConvincing
            else { return false }
            let trace = chains[other].run(document, source: "", to: nil, found: nil, detail: .outcome)
            return trace.failure == nil
                && trace.dropped.allSatisfy { path in
                    version.hasPrefix(path)
                        && document.root.descendant(at: path)?.nodes.count { !$0.kind.isContainer && $0.kind != .key }
                            == 1
                }
        }
        .map(name)
    }

    private func candidate(_ index: Int) -> Candidate {
        let (fit, found) = chains[index].system.fit(of: readings[index], claim: claims[index])
        return Candidate(index: index, fit: fit, found: found)
    }
}

extension MigrationFailure {
    /// Whether the document only cannot become the version that was asked for.
    fileprivate var isOfTarget: Bool { if case .unreachableTarget = reason { true } else { false } }
}
