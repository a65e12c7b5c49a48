import DocumentModel

/// Which chain a document belongs to, judged from its content alone.
public enum Recognition: Sendable {
    /// It belongs to this chain.
    case recognized(MigrationChain)
    /// It belongs to none, or to more than one alike; the reasons, one for each chain that was looked at.
    case unrecognized(reasons: [String])

    /// The chain, if there is one.
    public var chain: MigrationChain? { if case .recognized(let chain) = self { chain } else { nil } }
}

extension Collection<MigrationChain> {
    /// Finds the chain that a document belongs to. No step is run, and neither name nor place of the document count.
    ///
    /// First comes a version key, at the path of a version that has it, with a value that the chain knows; then the share of the
    /// document's top-level fields that this version knows, and the share of its required fields that the document has. A document that
    /// then fails still belongs to its chain: that is what people come for.
    public func recognize(_ document: Document) -> Recognition {
        let fits = map { ChainFit($0, document) }
        let convincing = fits.filter(\.isConvincing)
        guard let best = convincing.max(by: { $0.rank < $1.rank }) else {
            return .unrecognized(reasons: fits.map(\.reason))
        }
        let equals = convincing.filter { $0.rank == best.rank }
        guard equals.count == 1 else {
            let names = equals.map(\.chain.name).joined(separator: " and ")
            return .unrecognized(reasons: ["it fits \(names) alike"] + fits.map(\.reason))
        }
        return .recognized(best.chain)
    }
}

/// How well a document fits a chain.
private struct ChainFit {
    let chain: MigrationChain
    /// The stage that fits best.
    private let stage: ChainStage
    /// Whether the document states a version that the chain has, where it has it.
    private let hasVersion: Bool
    /// The share of the document's fields that the stage knows.
    private let known: Double
    /// The share of the stage's required fields that the document has.
    private let present: Double

    init(_ chain: MigrationChain, _ document: Document) {
        let root = document.root
        let detected = chain.detector.detect(in: root, decoder: chain.decoder)
        let stages = detected.stage.map { [chain.stages[$0]] } ?? chain.stages.reversed()
        let names = Set(root.members.map(\.name))
        let fits = stages.map { stage in (stage: stage, share: Self.shares(stage, names, chain.decoder.strategies)) }
        // Of equal fits the newest counts.
        let best = fits.reduce(fits[0]) {
            $1.share.known + $1.share.present > $0.share.known + $0.share.present ? $1 : $0
        }
        self.chain = chain
        stage = best.stage
        (known, present) = best.share
        hasVersion = detected.stage != nil && detected.path != nil
    }

    /// The version key says nothing about the shape, so it is not counted among the fields.
    private static func shares(
        _ stage: ChainStage, _ names: Set<String>, _ strategies: DecodingStrategies
    ) -> (known: Double, present: Double) {
        let fields = stage.fields()
        let versionName = stage.versionPath?.components.first.flatMap {
            if case .key(let name) = $0 { name } else { nil }
        }
        let spelled = Set(names.filter { $0 != versionName }.map { strategies.fieldName(ofKey: $0) })
        let required = fields.fields.filter { $0.isRequired && $0.name != versionName }.map(\.name)
        let present = required.isEmpty ? nil : Double(required.count(where: spelled.contains)) / Double(required.count)
        guard fields.isComplete else { return (present ?? 0, present ?? 0) }
        let known = spelled.isEmpty ? 0 : Double(spelled.count(where: fields.names.contains)) / Double(spelled.count)
        return (known, present ?? known)
    }

    /// A version that the chain knows is half an answer; without it, half of both shares must be there.
    var isConvincing: Bool { known + present >= (hasVersion ? 0.5 : 1) }

    var rank: [Double] { [hasVersion ? 1 : 0, known + present] }

    var reason: String {
        let version = hasVersion ? "has a version of \(chain.name)" : "has no version of \(chain.name)"
        return "\(version); \(percent(known)) of its fields are known to \(stage.type), "
            + "and \(percent(present)) of what \(stage.type) needs are there"
    }

    private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

extension [Double] {
    fileprivate static func < (left: [Double], right: [Double]) -> Bool { left.lexicographicallyPrecedes(right) }
}
