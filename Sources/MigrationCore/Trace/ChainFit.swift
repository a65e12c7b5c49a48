import DocumentModel

/// How well a document fits a chain.
public struct ChainFit: Sendable, Hashable, Codable {
    /// What the document says of its version.
    enum StatedVersion: Sendable, Hashable, Codable {
        /// One that the chain has, where it has it.
        case known(DocumentVersion)
        case unknown(DocumentVersion)
        /// It says nothing where versions of this chain do.
        case missing
        /// Documents of this chain never say.
        case notAsked
    }

    let version: StatedVersion
    /// The type of the version that fits best.
    let type: String
    /// What the document's fields and those of that version have in common.
    let shares: Shares

    var hasVersion: Bool { if case .known = version { true } else { false } }

    /// A version that the chain knows is half an answer; without it, more than half of the fields must agree.
    var isConvincing: Bool { hasVersion ? shares.sum >= 0.5 : shares.sum > 1 }

    /// How chains that fit are compared: a version that the chain knows first, then the fields.
    var rank: (version: Int, fields: Double) { (hasVersion ? 1 : 0, shares.sum) }
}

extension ChainFit {
    /// How much the names of a document's fields and the fields of a version have in common.
    struct Shares: Sendable, Hashable, Codable {
        /// The share of the document's fields that the version knows.
        let known: Double
        /// The share of the version's required fields that the document has.
        let present: Double

        /// The document's fields, and how many of them the version knows.
        let nameCount: Int
        let knownCount: Int
        /// The version's required fields that the document does not have.
        let missingCount: Int
        /// Whether all fields of the version are known.
        let isComplete: Bool

        var sum: Double { known + present }

        /// A fit to fields none of which must be there.
        ///
        /// - Parameters:
        ///   - nameCount: The number of the document's fields, `knownCount` of which are known.
        ///   - present: What is to count for the share of required fields.
        init(nameCount: Int, knownCount: Int, present: Double) {
            known = nameCount == 0 ? 0 : Double(knownCount) / Double(nameCount)
            self.present = max(known, present)
            self.nameCount = nameCount
            self.knownCount = knownCount
            missingCount = 0
            isComplete = true
        }
    }
}
