import DocumentModel

/// What experiments show about the value behind a failure: the chain's own migration ran again and again, each time
/// with one value of the document changed in memory.
///
/// As JSON, where the operation of a change of the version is `version`: `{"kind": "passes", "operation": "set", "path": "$.starRating", "value": 5, "opens": true,
/// "passing": [0, 3, 5], "failing": [6, -1]}`, or `{"kind": "follows"}`.
public struct CulpritProof: Sendable, Hashable {
    /// What the experiments show.
    public enum Finding: Sendable, Equatable {
        /// With this one change, which keeps what the document means, the migration gets past the point where it failed.
        case repair(DocumentEdit)
        /// With this one change the migration gets past the point where it failed. What the value should be is not known.
        case passes(DocumentEdit)
        /// The failure's message or kind changes with the value and with no other, though no value was found that
        /// passes.
        case follows
    }

    /// What the experiments show.
    public var finding: Finding
    /// What comes of the whole document with the change; nil without one, and where that is not known.
    public var ending: Ending?
    /// The values that were put in its place and pass, in the order in which they were tried.
    public var passing: [Document]
    /// The values that were put in its place and do not pass.
    public var failing: [Document]

    /// Whether the change is of the document's version.
    public var isOfVersion = false
    /// What the value and another one, of which either would do, agree in when the document passes; nil where that was not
    /// shown.
    public var agreement: Agreement?

    /// What two values agree in.
    public enum Agreement: String, Sendable, Hashable, Codable {
        /// It passes with the two exchanged.
        case exchanged
        /// It passes with either of the two in both places.
        case equal
    }

    /// What comes of a document once it gets past a failure.
    public enum Ending: Sendable, Hashable {
        /// It opens.
        case opens
        /// Something else fails, there if that is known.
        case fails(DocumentPath?)
    }

    /// Makes a proof from its parts.
    public init(_ finding: Finding, _ ending: Ending? = nil, passing: [Document] = [], failing: [Document] = []) {
        self.finding = finding
        self.ending = ending
        self.passing = passing
        self.failing = failing
    }

    /// The change with which the migration gets past the failure; nil where none was found.
    package var change: DocumentEdit? {
        switch finding {
        case .repair(let edit), .passes(let edit): edit
        case .follows: nil
        }
    }

    /// The change, if it keeps what the document means.
    package var repair: DocumentEdit? { if case .repair(let edit) = finding { edit } else { nil } }

    /// Whether it only shows that the migration passes without the value, which does not prove the value wrong.
    package var isOnlyRemoval: Bool { if case .passes(.remove) = finding { true } else { false } }

    /// Hashes what is cheap to hash.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(passing.count)
        hasher.combine(failing.count)
    }

    /// The proof as it is told of another document, whose paths are found with `change`.
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

    /// Writes the proof; the change that passes beside its kind.
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
        (failure.culprit, failure.search) = (culprit, nil)
        if failure.location?.within == nil {
            failure.location = document?.location(along: culprit.path)
        }
        var trace = self
        trace.replace(failure)
        return trace
    }

    /// Puts a failure in place of the one that there is; of a document whose parts fail by themselves, of the same part.
    package mutating func replace(_ failure: MigrationFailure) {
        switch opening {
        case .failed: opening = .failed(failure)
        case .failedInParts:
            let part = failingPart(of: failure)
            guard let index = parts.firstIndex(where: { $0.path == part && $0.failure != nil }) else { return }
            // The step fails with the first of the parts.
            if let last = steps.indices.last, steps[last].failure != nil,
                index == parts.firstIndex(where: { $0.failure != nil })
            {
                steps[last].ending = .failed(failure)
            }
            guard let part else { return }
            var own = failure.told(ofPartAt: part)
            // Another part has no path in this one.
            if case .fails(let place?)? = failure.culprit?.proof?.ending, !place.hasPrefix(part) {
                own.culprit?.proof?.ending = .fails(nil)
            }
            parts[index].replace(own)
        case .opened: steps[steps.count - 1].ending = .failed(failure)
        case .unrecognized: break
        }
    }
}
