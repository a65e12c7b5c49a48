import DocumentModel

/// How well a document fits a chain.
public struct ChainFit: Sendable, Hashable, Codable {
    /// The version that a document states.
    enum StatedVersion: Sendable, Hashable, Codable {
        /// A version that the chain has, found where the chain keeps versions.
        case known(DocumentVersion)
        case unknown(DocumentVersion)
        /// The value where the chain keeps versions is not one, as text.
        case unreadable(String)
        /// The document states no version where documents of this chain have one.
        case missing
        /// Documents of this chain never state a version.
        case notAsked
    }

    let version: StatedVersion
    /// The type of the version that fits best.
    let type: String
    /// The overlap between the document's fields and the fields of that version.
    let shares: Shares
    /// The root of the document, if it isn't an object as that type expects.
    var root: FoundValue?

    var hasVersion: Bool { if case .known = version { true } else { false } }

    /// A version that the chain knows is half the evidence. Without it, more than half of the fields must agree.
    var isConvincing: Bool { hasVersion ? shares.sum >= 0.5 : shares.sum > 1 }

    /// The sort key for chains that fit: a version that the chain knows counts first, then the fields.
    var rank: (version: Int, fields: Double) { (hasVersion ? 1 : 0, shares.sum) }
}

extension ChainFit {
    /// The overlap between the names of a document's fields and the fields of a version.
    struct Shares: Sendable, Hashable, Codable {
        /// The share of the document's fields that the version knows.
        let known: Double
        /// The share of the version's required fields that the document has.
        let present: Double

        /// The number of fields in the document, and the number of those that the version knows.
        let nameCount: Int
        let knownCount: Int
        /// The number of the version's required fields that the document lacks.
        let missingCount: Int
        /// Whether all fields of the version are known.
        let isComplete: Bool

        var sum: Double { known + present }

        /// Creates the shares for a version with no required fields.
        ///
        /// - Parameters:
        ///   - nameCount: The number of fields in the document, `knownCount` of which are known.
        ///   - present: The least value to use as the share of required fields.
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
