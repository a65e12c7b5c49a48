import DocumentModel

extension ValueGround {
    /// What the connection with another state rests on, in a few words.
    package var words: String {
        switch self {
        case .pairing(.identity(let member)): "by \(member)"
        case .pairing(.alignment): "aligned"
        case .pairing(.resemblance): "likely, by resemblance"
        case .pairing(.position): "by position"
        case .pairing(.renamed(let from, let to)): "renamed from \(from) to \(to)"
        case .pairing(.moved(let from, let to)): "moved from \(from) to \(to)"
        case .step(let step, let isProved):
            "through step \(step.from) → \(step.to), \(isProved ? "proved" : "likely")"
        case .again(let selector): "again at \(selector)"
        }
    }
}

extension ValueHistory.Change {
    /// Whether the change is on a side of a merge, and what it rests on, in a few words; nil if it is neither and each
    /// value has the same name in all states.
    ///
    /// - Parameter revision: The commit of the state, which says whether the states before it are known.
    package func groundWords(in revision: DocumentRevision?) -> String? {
        var words = (revision?.isOnSide == true ? ["on a side"] : []) + grounds.map(\.words)
        if isAfterUnread {
            words.append("or in a state before that could not be read")
        } else if mayBeEarlier(revision) {
            words.append("or in a state before that is not known")
        }
        return words.isEmpty ? nil : words.joined(separator: "; ")
    }
}

extension Unfollowed {
    /// Why the value is not followed any further.
    package var sentence: String {
        switch self {
        case .made(let step): "step \(step.from) → \(step.to) makes it"
        case .several(let step, let paths):
            "in step \(step.from) → \(step.to) it goes with \(paths.map(\.description).joined(separator: ", "))"
        case .unknown(let step, let reason):
            "not known what it is before and after step \(step.from) → \(step.to)"
                + (reason.map { ": \($0.sentence)" } ?? "")
        }
    }
}
