import DocumentModel
import Foundation

/// Which chain a document belongs to, judged from its content alone.
public enum Recognition {
    /// It belongs to a chain.
    case recognized(RecognizedDocument)
    /// It belongs to none, or to more than one alike; the reasons, that of the nearest chain first.
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
        CheckResult(run(source, target, detail: .outcome))
    }

    /// Opens the document and records every step. See ``MigrationChain/trace(_:source:to:)``.
    public consuming func trace(source: String = "document", to target: DocumentVersion? = nil) -> MigrationTrace {
        run(source, target, detail: .trace)
    }

    /// Opens the document, and encodes what comes of it in the end.
    package consuming func migrate(
        source: String = "document", to target: DocumentVersion? = nil
    ) -> (document: MigratedDocument, data: Data?) {
        let chain = chain
        return MigratedDocument.made(from: run(source, target, detail: .result)) {
            chain.check($0, source: source, to: target)
        }
    }

    /// Opens the document, and encodes what the app writes the next time it saves.
    package consuming func writing(to target: DocumentVersion? = nil) -> MigrationTrace {
        run("", target, detail: .writing)
    }

    private func run(_ source: String, _ target: DocumentVersion?, detail: RunDetail) -> MigrationTrace {
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
    /// A type that has refused a document for nothing but names that it lacks is not asked again, except for a trace,
    /// about one that lacks the same names: types are taken to judge by the document alone.
    ///
    /// - Warning: Which fields a type has is learned by letting it decode itself from made-up values, once for each
    ///   type. An `init(from:)` that stops the program over a value, rather than throw, does so here too. To be safe
    ///   from that, name the chain.
    ///
    /// - Parameter tracing: Whether the document is to be traced afterwards, rather than checked.
    public func recognize(_ document: Document, tracing: Bool = true) -> Recognition {
        Recognition(of: document, among: Array(self), for: tracing ? .trace : .outcome)
    }
}

extension Recognition {
    /// The chain that a document belongs to. JSON5 belongs only to a chain that allows it.
    ///
    /// - Parameter detail: What is to be made of the document afterwards.
    package init(of document: Document, among chains: [MigrationChain], for detail: RunDetail) {
        let offered = document.format == .json5 ? chains.filter(\.allowsJSON5) : chains
        self = Contest(document, offered, detail).outcome
        if case .unrecognized(let reasons) = self, document.isKeyedArchive {
            self = .unrecognized([.keyedArchive(type: document.archivedClass)] + reasons)
        }
    }
}

/// The chains that a document may belong to, while it is found out which.
private struct Contest {
    private let document: Document
    private let chains: [MigrationChain]
    private let detail: RunDetail
    /// What each chain read, and what the document says of its version there.
    private let readings: [Reading]
    private let claims: [DetectedStage?]

    init(_ document: Document, _ chains: [MigrationChain], _ detail: RunDetail) {
        self.document = document
        self.chains = chains
        self.detail = detail
        let answers = VersionAnswers()
        let readings = chains.map { $0.system.reading(document, detail: detail, sharing: answers) }
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
            // The nearest first; of equal ones the first.
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
        .recognized(RecognizedDocument(chain: chains[index], document: document, found: found, detail: detail))
    }

    private func candidate(_ index: Int) -> Candidate {
        let (fit, found) = chains[index].system.fit(of: readings[index], claim: claims[index])
        return Candidate(index: index, fit: fit, found: found)
    }
}
