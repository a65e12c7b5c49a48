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

        init(known: Double, present: Double) {
            self.known = known
            self.present = present
        }

        /// Compares the fields of a version with those of a document, by the names that types give them.
        ///
        /// - Parameter versionName: The field with the version key, which says nothing about the shape and does not count.
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

    /// How chains that fit are compared: a version that the chain knows first, then the fields.
    struct Rank: Comparable {
        var hasVersion: Bool
        var sum: Double

        static func < (left: Rank, right: Rank) -> Bool {
            left.hasVersion == right.hasVersion ? left.sum < right.sum : !left.hasVersion
        }
    }
}
