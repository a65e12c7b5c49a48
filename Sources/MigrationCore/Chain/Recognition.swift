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
        let fits = map { chain in (chain: chain, fit: chain.system.fit(of: document, names: names)) }
        let convincing = fits.filter(\.fit.isConvincing)
        guard let best = convincing.max(by: { $0.fit.rank < $1.fit.rank }) else {
            return .unrecognized(reasons: fits.map { $0.fit.reason(chain: $0.chain.name) })
        }
        let equals = convincing.filter { $0.fit.rank == best.fit.rank }
        guard equals.count == 1 else {
            let names = equals.map(\.chain.name).joined(separator: " and ")
            return .unrecognized(reasons: ["it fits \(names) alike"])
        }
        return .recognized(best.chain)
    }
}
