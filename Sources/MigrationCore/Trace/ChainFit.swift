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

    var rank: Rank { Rank(hasVersion: hasVersion, sum: shares.sum) }
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

        /// Compares the fields of a version with those of a document, by the names that types give them.
        ///
        /// - Parameter versionName: The field with the version key, which says nothing about the shape and does not count.
        init(_ fields: TypeFields, _ names: Set<String>, except versionName: String?) {
            let required = Self.count(fields.requiredNames, in: names, except: versionName)
            let found = Self.count(names, in: fields.names, except: versionName)
            let presentShare = Self.share(required)
            let knownShare = Self.share(found) ?? 0
            nameCount = found.count
            knownCount = found.shared
            missingCount = required.count - required.shared
            isComplete = fields.isComplete
            // Where not all fields are known, or none is required, the one share has to stand for both.
            known = fields.isComplete ? knownShare : presentShare ?? 0
            present = presentShare ?? known
        }

        /// How many names there are, and how many of them are in `others`.
        private static func count(
            _ names: Set<String>, in others: Set<String>, except exception: String?
        ) -> (count: Int, shared: Int) {
            var (count, shared) = (0, 0)
            for name in names where name != exception {
                count += 1
                if others.contains(name) { shared += 1 }
            }
            return (count, shared)
        }

        /// nil where there is nothing to share.
        private static func share(_ names: (count: Int, shared: Int)) -> Double? {
            names.count == 0 ? nil : Double(names.shared) / Double(names.count)
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
