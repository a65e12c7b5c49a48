import DocumentModel

/// What experiments show about the value behind a failure: the chain's own migration ran again and again, each time
/// with one value of the document changed in memory.
///
/// As JSON: `{"kind": "passes", "operation": "set", "path": "$.starRating", "value": 5, "passing": [0, 3, 5],
/// "failing": [6, -1]}`, or `{"kind": "follows"}`.
public struct CulpritProof: Sendable, Hashable {
    /// What the experiments show.
    public enum Finding: Sendable, Equatable {
        /// With this one change the migration gets past the point where it failed.
        case passes(DocumentEdit)
        /// The failure's message or kind changes with the value and with no other, though no value was found that
        /// passes.
        case follows
    }

    /// What the experiments show.
    public var finding: Finding
    /// The values that were put in its place and pass, in the order in which they were tried.
    public var passing: [Document]
    /// The values that were put in its place and do not pass.
    public var failing: [Document]

    /// Makes a proof from its parts.
    public init(_ finding: Finding, passing: [Document] = [], failing: [Document] = []) {
        self.finding = finding
        self.passing = passing
        self.failing = failing
    }

    /// Whether it only shows that the migration passes without the value, which does not prove the value wrong.
    package var isOnlyRemoval: Bool { if case .passes(.remove) = finding { true } else { false } }

    /// Hashes what is cheap to hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(passing.count)
        hasher.combine(failing.count)
    }

    /// The proof as it is told of another document, whose paths are found with `change`.
    func changingPaths(_ change: (DocumentPath) -> DocumentPath) -> CulpritProof {
        guard case .passes(let edit) = finding else { return self }
        return CulpritProof(.passes(edit.moved(to: change(edit.path))), passing: passing, failing: failing)
    }
}

extension CulpritProof: Codable {
    private enum CodingKeys: String, CodingKey { case kind, passing, failing }
    private enum Kind: String, Codable { case passes, follows }

    /// Reads a proof.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let finding: Finding =
            switch try container.decode(Kind.self, forKey: .kind) {
            case .passes: .passes(try DocumentEdit(from: decoder))
            case .follows: .follows
            }
        self.init(
            finding, passing: try container.decodeIfPresent([Document].self, forKey: .passing) ?? [],
            failing: try container.decodeIfPresent([Document].self, forKey: .failing) ?? [])
    }

    /// Writes the proof; the change that passes beside its kind.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch finding {
        case .passes(let edit):
            try container.encode(Kind.passes, forKey: .kind)
            try edit.encode(to: encoder)
        case .follows: try container.encode(Kind.follows, forKey: .kind)
        }
        if !passing.isEmpty { try container.encode(passing, forKey: .passing) }
        if !failing.isEmpty { try container.encode(failing, forKey: .failing) }
    }
}

extension DocumentNode {
    /// The whole number that this is, within what a `Double` holds exactly.
    var wholeNumber: Int? {
        guard kind == .number, let number = numberText.flatMap({ Int($0) }), number.magnitude < 1 << 53 else {
            return nil
        }
        return number
    }
}

extension MigrationTrace {
    /// The trace with the culprit of its failure that experiments found.
    package func proving(_ culprit: MigrationFailure.Culprit) -> MigrationTrace {
        guard var failure else { return self }
        failure.culprit = culprit
        if failure.location?.within == nil {
            failure.location = document?.root.deepestDescendant(along: culprit.path).node.location
        }
        var trace = self
        trace.replace(failure)
        return trace
    }

    /// Puts a failure in place of the one that there is.
    private mutating func replace(_ failure: MigrationFailure) {
        switch opening {
        case .failed: opening = .failed(failure)
        case .failedInParts where steps.last?.failure == nil:
            guard let part = parts.firstIndex(where: { $0.failure != nil }) else { return }
            parts[part].replace(parts[part].path.map { failure.told(ofPartAt: $0) } ?? failure)
        case .failedInParts, .opened: steps[steps.count - 1].ending = .failed(failure)
        case .unrecognized: break
        }
    }
}
