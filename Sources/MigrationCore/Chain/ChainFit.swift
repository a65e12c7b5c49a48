import DocumentModel

/// How well a document fits a chain.
struct ChainFit {
    /// Whether the document states a version that the chain has, where it has it.
    let hasVersion: Bool
    /// The type of the version that fits best.
    let type: String
    /// What the document's fields and those of that version have in common.
    let shares: Shares

    /// A version that the chain knows is half an answer; without it, more than half of the fields must agree.
    var isConvincing: Bool { hasVersion ? shares.sum >= 0.5 : shares.sum > 1 }

    var rank: Rank { Rank(hasVersion: hasVersion, sum: shares.sum) }

    /// Why the document does not belong to the chain of that name, in words.
    func reason(chain: String) -> String {
        let version = hasVersion ? "has a version of \(chain)" : "has no version of \(chain)"
        return "\(version); \(percent(shares.known)) of its fields are known to \(type), "
            + "and \(percent(shares.present)) of what \(type) needs are there"
    }

    private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

extension ChainFit {
    /// How much the names of a document's fields and the fields of a version have in common.
    struct Shares {
        /// The share of the document's fields that the version knows.
        let known: Double
        /// The share of the version's required fields that the document has.
        let present: Double

        var sum: Double { known + present }

        init(_ stage: ChainStage, _ names: Set<String>, _ strategies: DecodingStrategies) {
            var versionName: String?
            if case .key(let name) = stage.versionPath?.components.first { versionName = name }
            self.init(stage.fields(), versionName: versionName, names, strategies)
        }

        /// The version key says nothing about the shape, so it is not counted among the fields.
        init(_ fields: TypeFields, versionName: String?, _ names: Set<String>, _ strategies: DecodingStrategies) {
            let spelled = Set(names.lazy.filter { $0 != versionName }.map { strategies.fieldName(ofKey: $0) })
            let required = fields.fields.filter { $0.isRequired && $0.name != versionName }
            let found = required.count { spelled.contains($0.name) }
            let presentShare = required.isEmpty ? nil : Double(found) / Double(required.count)
            let fieldNames = fields.names
            let knownCount = spelled.count { fieldNames.contains($0) }
            let knownShare = spelled.isEmpty ? 0 : Double(knownCount) / Double(spelled.count)
            // Where not all fields are known, or none is required, the one share has to stand for both.
            known = fields.isComplete ? knownShare : presentShare ?? 0
            present = presentShare ?? known
        }
    }

    /// How chains that fit are compared: a version that the chain knows first, then the fields.
    struct Rank: Comparable {
        var hasVersion: Bool
        var sum: Double

        static func < (left: Rank, right: Rank) -> Bool {
            left.hasVersion == right.hasVersion ? left.sum < right.sum : !left.hasVersion
        }
    }
}
