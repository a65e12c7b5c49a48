import DocumentModel

/// What happened to a followed value in one state, for reports.
package struct FollowedRow: Sendable {
    /// The name of the document in that state.
    package let source: String
    /// The commit; nil for a state that isn't committed.
    package let revision: DocumentRevision?
    package let change: ValueHistory.Change

    /// Creates a row.
    package init(source: String, revision: DocumentRevision?, change: ValueHistory.Change) {
        (self.source, self.revision, self.change) = (source, revision, change)
    }
}

extension FollowedRow: Encodable {
    private enum CodingKeys: CodingKey {
        case source, commit, date, author, subject, kind, path, from, to, by, because, mayBeEarlier
    }

    /// Writes every field, with null for what there is none of. `from` and `to` are the values; what `kind` says shows
    /// whether null is a value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(source, forKey: .source)
        try container.encode(revision?.commit, forKey: .commit)
        try container.encode(revision?.committed, forKey: .date)
        try container.encode(revision?.author, forKey: .author)
        try container.encode(revision?.subject, forKey: .subject)
        try container.encode(change.event.kind, forKey: .kind)
        try container.encode(change.path, forKey: .path)
        try container.encode(change.event.old, forKey: .from)
        try container.encode(change.event.new, forKey: .to)
        try container.encode(change.grounds, forKey: .by)
        try container.encode(change.event.unfollowed?.sentence, forKey: .because)
        try container.encode(change.mayBeEarlier(revision), forKey: .mayBeEarlier)
    }
}

extension ValueHistory.Event {
    /// The name of the event in reports.
    package var kind: String {
        switch self {
        case .first: "first"
        case .added: "added"
        case .removed: "removed"
        case .changed: "changed"
        case .moved: "moved"
        case .migrated: "migrated"
        case .unfollowed: "unfollowed"
        }
    }

    /// Why the value is not followed any further; nil if it is.
    package var unfollowed: Unfollowed? { if case .unfollowed(let reason, _) = self { reason } else { nil } }
}

extension ValueGround: Encodable {
    private enum CodingKeys: CodingKey { case kind, member, from, to, proved, selector }

    /// Writes the kind, and what it is about.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .pairing(.identity(let member)):
            try container.encode("identity", forKey: .kind)
            try container.encode(member, forKey: .member)
        case .pairing(.alignment): try container.encode("aligned", forKey: .kind)
        case .pairing(.resemblance): try container.encode("likely", forKey: .kind)
        case .pairing(.position): try container.encode("position", forKey: .kind)
        case .pairing(.renamed(let from, let to)):
            try container.encode("renamed", forKey: .kind)
            try container.encode(from, forKey: .from)
            try container.encode(to, forKey: .to)
        case .pairing(.moved(let from, let to)):
            try container.encode("moved", forKey: .kind)
            try container.encode(from, forKey: .from)
            try container.encode(to, forKey: .to)
        case .step(let step, let isProved):
            try container.encode("step", forKey: .kind)
            try container.encode(step.from, forKey: .from)
            try container.encode(step.to, forKey: .to)
            try container.encode(isProved, forKey: .proved)
        case .again(let selector):
            try container.encode("again", forKey: .kind)
            try container.encode(selector.description, forKey: .selector)
        }
    }
}
