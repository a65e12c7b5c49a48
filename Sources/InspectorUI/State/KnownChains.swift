import DocumentModel
import MigrationCore

/// The program's chains and the fields of their versions, as far as they are known.
struct KnownChains: Sendable {
    /// All chains, once they are known.
    var all: [ChainDescription] = []
    private var wantsAll = false
    /// The chains whose fields are known, with the fields of each version, oldest first.
    private var outlines: [ExactText: (chain: ChainDescription, versions: [VersionOutline?])] = [:]
    private var wantedOutlines: Set<ExactText> = []

    /// Returns what is known about a chain's fields.
    subscript(name: String) -> (chain: ChainDescription, versions: [VersionOutline?])? { outlines[ExactText(name)] }

    mutating func take(_ outlines: [VersionOutline?], of chain: ChainDescription) {
        self.outlines[ExactText(chain.name)] = (chain, outlines)
    }

    /// Returns the requests for the fields of a chain, if they were not requested before.
    mutating func wantOutline(of name: String) -> [InspectorEffect] {
        wantedOutlines.insert(ExactText(name)).inserted ? [.outline(chain: name)] : []
    }

    /// Returns the requests for all chains, if they were not requested before.
    mutating func wantAll() -> [InspectorEffect] {
        defer { wantsAll = true }
        return wantsAll ? [] : [.findChains]
    }
}
