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
    /// then fails still belongs to its chain: that is what people come for. So does one that has lost its version key, if its fields are
    /// those of some version.
    ///
    /// - Warning: Which fields a type has is learned by letting it decode itself from made-up values, once for each type. An
    ///   `init(from:)` that stops the program over a value, rather than throw, does so here too. To be safe from that, name the chain.
    public func recognize(_ document: Document) -> Recognition {
        let names = Set(document.root.members.map(\.name))
        let fits = map { ChainFit($0, document, names: names) }
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
    private let shares: Shares

    init(_ chain: MigrationChain, _ document: Document, names: Set<String>) {
        let detected = chain.detector.detect(in: document.root, decoder: chain.decoder)
        hasVersion = detected.stage != nil && detected.path != nil
        // Without a version key the document may be from before there was one, or have lost it.
        let stages = hasVersion ? detected.stage.map { [chain.stages[$0]] } : nil
        let strategies = chain.decoder.strategies
        let fieldNames = Set(names.lazy.map { strategies.fieldName(ofKey: $0) })
        let fits = (stages ?? chain.stages.reversed()).map { stage in
            // The version key says nothing about the shape, so it is not counted among the fields.
            let versionName = stage.versionPath?.firstKey.map { strategies.fieldName(ofKey: $0) }
            return (stage: stage, shares: Shares(stage.fields(), fieldNames, except: versionName))
        }
        // Of equal fits the newest counts.
        let best = fits.dropFirst().reduce(fits[0]) { $1.shares.sum > $0.shares.sum ? $1 : $0 }
        self.chain = chain
        (stage, shares) = best
    }

    /// A version that the chain knows is half an answer; without it, more than half of the fields must agree.
    var isConvincing: Bool { hasVersion ? shares.sum >= 0.5 : shares.sum > 1 }

    var rank: Rank { Rank(hasVersion: hasVersion, sum: shares.sum) }

    var reason: String {
        let version = hasVersion ? "has a version of \(chain.name)" : "has no version of \(chain.name)"
        return "\(version); \(percent(shares.known)) of its fields are known to \(stage.type), "
            + "and \(percent(shares.present)) of what \(stage.type) needs are there"
    }

    private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

/// How much the names of a document's fields and the fields of a version have in common.
private struct Shares {
    /// The share of the document's fields that the version knows.
    let known: Double
    /// The share of the version's required fields that the document has.
    let present: Double

    var sum: Double { known + present }

    init(_ fields: TypeFields, _ names: Set<String>, except versionName: String?) {
        let presentShare = Self.share(of: fields.requiredNames, in: names, except: versionName)
        let knownShare = Self.share(of: names, in: fields.names, except: versionName) ?? 0
        // Where not all fields are known, or none is required, the one share has to stand for both.
        known = fields.isComplete ? knownShare : presentShare ?? 0
        present = presentShare ?? known
    }

    /// The share of `names` that are in `others`; nil where there are none.
    private static func share(of names: Set<String>, in others: Set<String>, except exception: String?) -> Double? {
        var (count, shared) = (0, 0)
        for name in names where name != exception {
            count += 1
            if others.contains(name) { shared += 1 }
        }
        return count == 0 ? nil : Double(shared) / Double(count)
    }
}

extension DocumentPath {
    fileprivate var firstKey: String? { if case .key(let name) = components.first { name } else { nil } }
}

private struct Rank: Comparable {
    var hasVersion: Bool
    var sum: Double

    static func < (left: Rank, right: Rank) -> Bool {
        left.hasVersion == right.hasVersion ? left.sum < right.sum : !left.hasVersion
    }
}
