/// The changes in the history of a document, and what is missing of it, as a report has them.
public struct HistorySummary: Sendable, Hashable {
    /// The changes, newest first: those on the line that leads to the present content before those on other sides of
    /// merges.
    public var turns: [Turn]
    /// The states about which nothing is known; nil if there are none.
    public var missing: MissingStates?

    /// A change in a committed state.
    public struct Turn: Sendable, Hashable {
        /// The name of the document, as its history was asked for.
        public var document: String
        /// The full hash of the commit; nil for the file on the disk.
        public var commit: String?
        /// The change.
        public var change: HistoryTurn

        /// Creates a change.
        public init(of document: String, commit: String?, change: HistoryTurn) {
            self.document = document
            self.commit = commit
            self.change = change
        }
    }

    /// Creates a summary.
    public init(turns: [Turn], missing: MissingStates?) {
        self.turns = turns
        self.missing = missing
    }
}

/// The states of a history about which nothing is known.
public enum MissingStates: Sendable, Hashable {
    /// The clone has no earlier commits (`git clone --depth`).
    case shallow
    /// The contents of this many states were left out when the repository was cloned (`git clone --filter`).
    case partial(Int)
    /// This many states could not be read for other reasons, which their results give.
    case unreadable(Int)
}

extension HistorySummary: Encodable {
    private enum CodingKeys: CodingKey { case turns, missing }

    /// Writes both fields, with null if nothing is missing.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(turns, forKey: .turns)
        try container.encode(missing, forKey: .missing)
    }
}

extension HistorySummary.Turn: Encodable {
    private enum CodingKeys: CodingKey { case document, kind, commit, from, to, observed }

    /// Writes `document`, `kind`, which is `version` or `outcome`, `commit`, `from` and `to`. Another reason for the same failure is
    /// an outcome from `failed` to `failed`, and a new path one to `deleted`. A version that is only observed has
    /// `observed`, which is true.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(document, forKey: .document)
        try container.encode(commit, forKey: .commit)
        switch change {
        case .version(let from, let to):
            try container.encode("version", forKey: .kind)
            try container.encode(from, forKey: .from)
            try container.encode(to, forKey: .to)
        case .observed(let from, let to):
            try container.encode("version", forKey: .kind)
            try container.encode(from, forKey: .from)
            try container.encode(to, forKey: .to)
            try container.encode(true, forKey: .observed)
        case .outcome(let from, let to):
            try container.encode("outcome", forKey: .kind)
            try container.encode(from, forKey: .from)
            try container.encode(to, forKey: .to)
        case .renamed(let from, _):
            try container.encode("outcome", forKey: .kind)
            try container.encode(from, forKey: .from)
            try container.encode(MigrationOutcome.deleted, forKey: .to)
        case .cause:
            try container.encode("outcome", forKey: .kind)
            try container.encode(MigrationOutcome.failed, forKey: .from)
            try container.encode(MigrationOutcome.failed, forKey: .to)
        }
    }
}

extension MissingStates: Encodable {
    private enum CodingKeys: CodingKey { case because, count }

    /// Writes the reason and the number of states, null if it is not known.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .shallow:
            try container.encode("shallow", forKey: .because)
            try container.encodeNil(forKey: .count)
        case .partial(let count):
            try container.encode("partial", forKey: .because)
            try container.encode(count, forKey: .count)
        case .unreadable(let count):
            try container.encode("unreadable", forKey: .because)
            try container.encode(count, forKey: .count)
        }
    }
}
