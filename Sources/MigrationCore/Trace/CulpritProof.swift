import DocumentModel

/// The evidence of experiments for the value that caused a failure. In each experiment, the chain's own migration ran
/// with one value of the document changed in memory.
///
/// As JSON: `{"kind": "passes", "operation": "set", "path": "$.starRating", "value": 5, "opens": true, "passing": [0,
/// 3, 5], "failing": [6, -1]}`, or `{"kind": "follows"}`. If the change is to the document's version, its operation is
/// `version`.
public struct CulpritProof: Sendable, Hashable {
    /// The conclusion from the experiments.
    public enum Finding: Sendable, Equatable {
        /// This one change, which keeps the meaning of the document, gets the migration past the failure.
        case repair(DocumentEdit)
        /// This one change gets the migration past the failure. The correct value is not known.
        case passes(DocumentEdit)
        /// The message or kind of the failure changes with this value and with no other, but no value was found that
        /// passes.
        case follows
    }

    /// The conclusion from the experiments.
    public var finding: Finding
    /// The outcome for the whole document with the change. Nil if there is no change, or the outcome is not known.
    public var ending: Ending?
    /// The replacement values that pass, in the order in which they were tried.
    public var passing: [Document]
    /// The replacement values that do not pass.
    public var failing: [Document]

    /// Whether the change is to the document's version.
    public var isOfVersion = false
    /// How the value and another one, either of which could be changed, must agree for the document to pass. Nil if no
    /// agreement was shown.
    public var agreement: Agreement?

    /// How two values must agree.
    public enum Agreement: String, Sendable, Hashable, Codable {
        /// The document passes with the two values swapped.
        case exchanged
        /// The document passes if both fields have the same value, whichever of the two it is.
        case equal
    }

    /// The outcome for a document after it gets past a failure.
    public enum Ending: Sendable, Hashable {
        /// The document opens.
        case opens
        /// Something else fails, at this path if it is known.
        case fails(DocumentPath?)
    }

    /// Creates a proof from its parts.
    public init(_ finding: Finding, _ ending: Ending? = nil, passing: [Document] = [], failing: [Document] = []) {
        self.finding = finding
        self.ending = ending
        self.passing = passing
        self.failing = failing
    }

    /// The change that gets the migration past the failure, or nil if none was found.
    package var change: DocumentEdit? {
        switch finding {
        case .repair(let edit), .passes(let edit): edit
        case .follows: nil
        }
    }

    /// The change, if it keeps the meaning of the document.
    package var repair: DocumentEdit? { if case .repair(let edit) = finding { edit } else { nil } }

    /// Whether the proof shows only that the migration passes without the value. That doesn't prove the value wrong.
    package var isOnlyRemoval: Bool { if case .passes(.remove) = finding { true } else { false } }

    /// Hashes only what is cheap to hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(passing.count)
        hasher.combine(failing.count)
    }

    /// Returns the proof for another document, with each path converted by `change`.
    func changingPaths(_ change: (DocumentPath) -> DocumentPath) -> CulpritProof {
        var proof = self
        switch finding {
        case .repair(let edit): proof.finding = .repair(edit.moved(to: change(edit.path)))
        case .passes(let edit): proof.finding = .passes(edit.moved(to: change(edit.path)))
        case .follows: return self
        }
        if case .fails(let path?) = ending { proof.ending = .fails(change(path)) }
        return proof
    }
}

extension CulpritProof: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, operation, path, value, isAdded, opens, failsAt, passing, failing, agreement
    }
    private enum Kind: String, Codable { case repair, passes, follows }

    /// Reads a proof.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let isOfVersion =
            try container.decodeIfPresent(String.self, forKey: .operation) == Self.versionOperation
        func edit() throws -> DocumentEdit {
            guard isOfVersion else { return try DocumentEdit(from: decoder) }
            let path = try container.decode(DocumentPath.self, forKey: .path)
            let value = try container.decode(Document.self, forKey: .value)
            return try container.decodeIfPresent(Bool.self, forKey: .isAdded) == true
                ? .add(path, value) : .set(path, value)
        }
        let finding: Finding =
            switch try container.decode(Kind.self, forKey: .kind) {
            case .repair: .repair(try edit())
            case .passes: .passes(try edit())
            case .follows: .follows
            }
        let failsAt = try container.decodeIfPresent(DocumentPath.self, forKey: .failsAt)
        let ending = try container.decodeIfPresent(Bool.self, forKey: .opens).map {
            $0 ? Ending.opens : .fails(failsAt)
        }
        self.init(
            finding, ending, passing: try container.decodeIfPresent([Document].self, forKey: .passing) ?? [],
            failing: try container.decodeIfPresent([Document].self, forKey: .failing) ?? [])
        self.isOfVersion = isOfVersion
        agreement = try container.decodeIfPresent(Agreement.self, forKey: .agreement)
    }

    private static let versionOperation = "version"

    /// Writes the proof. The fields of the change are written next to its kind.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch finding {
        case .repair: try container.encode(Kind.repair, forKey: .kind)
        case .passes: try container.encode(Kind.passes, forKey: .kind)
        case .follows: try container.encode(Kind.follows, forKey: .kind)
        }
        switch ending {
        case .opens: try container.encode(true, forKey: .opens)
        case .fails(let path):
            try container.encode(false, forKey: .opens)
            try container.encodeIfPresent(path, forKey: .failsAt)
        case nil: break
        }
        switch change {
        case .set(let path, let value)? where isOfVersion, .add(let path, let value)? where isOfVersion:
            try container.encode(Self.versionOperation, forKey: .operation)
            try container.encode(path, forKey: .path)
            try container.encode(value, forKey: .value)
            if case .add? = change { try container.encode(true, forKey: .isAdded) }
        default: try change?.encode(to: encoder)
        }
        try container.encodeIfPresent(agreement, forKey: .agreement)
        if !passing.isEmpty { try container.encode(passing, forKey: .passing) }
        if !failing.isEmpty { try container.encode(failing, forKey: .failing) }
    }
}

extension DocumentNode {
    /// The whole number in this node, or nil if it isn't one that a `Double` represents exactly.
    var wholeNumber: Int? {
        guard kind == .number, let number = numberText.flatMap({ Int($0) }), number.magnitude < 1 << 53 else {
            return nil
        }
        return number
    }
}

extension Document {
    /// Returns the locations of the other values that may be the cause of a failure just as well, in the same text as the
    /// location of the failure.
    package func locationsOfOthers(than failure: MigrationFailure) -> [SourceLocation] {
        // Only experiments name values of the document as it was read.
        guard let culprit = failure.culprit, culprit.proof != nil, let first = failure.location else { return [] }
        return culprit.others.compactMap(location).filter { $0.within == first.within && $0 != first }
    }
}

extension MigrationTrace {
    /// Returns the trace with the culprit of its failure replaced by the one that experiments found.
    package func proving(_ culprit: MigrationFailure.Culprit) -> MigrationTrace {
        guard var failure else { return self }
        (failure.culprit, failure.search) = (culprit, nil)
        if failure.location?.within == nil {
            failure.location = document?.location(along: culprit.path)
        }
        var trace = self
        trace.replace(failure)
        return trace
    }

    /// Replaces the failure. If parts of the document fail independently, replaces the failure of the same part.
    package mutating func replace(_ failure: MigrationFailure) {
        switch opening {
        case .failed: opening = .failed(failure)
        case .failedInParts:
            let part = failingPart(of: failure)
            guard let index = parts.firstIndex(where: { $0.path == part && $0.failure != nil }) else { return }
            // The last step reports the failure of the first failing part.
            if let last = steps.indices.last, steps[last].failure != nil,
                index == parts.firstIndex(where: { $0.failure != nil })
            {
                steps[last].ending = .failed(failure)
            }
            guard let part else { return }
            var own = failure.reported(ofPartAt: part)
            // A path in another part has no meaning in this one.
            if case .fails(let place?)? = failure.culprit?.proof?.ending, !place.hasPrefix(part) {
                own.culprit?.proof?.ending = .fails(nil)
            }
            parts[index].replace(own)
        case .opened: steps[steps.count - 1].ending = .failed(failure)
        case .unrecognized: break
        }
    }
}
