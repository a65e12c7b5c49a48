import DocumentModel

/// A state of a document among others, oldest first.
package struct HistoryState: Sendable {
    /// The positions of the states that this one was made from, the one on its own line first.
    package var before: [Int]
    /// Whether the document is not there in this state.
    package var isDeleted: Bool

    /// Creates a state.
    package init(before: [Int], isDeleted: Bool = false) {
        (self.before, self.isDeleted) = (before, isDeleted)
    }
}

extension [HistoryState] {
    /// Returns states of which each was made from the one before it.
    package init(inLine count: Int) {
        self = (0..<count).map { HistoryState(before: $0 == 0 ? [] : [$0 - 1]) }
    }
}

/// The history of a value through the states of a document: what it was, where it was, and what that rests on.
package struct ValueHistory: Sendable {
    /// The states in which something happened to the value, oldest first.
    package let changes: [Change]
    /// The path of the value in each state that has it.
    package let paths: [Int: DocumentPath]
    /// The value in each state in which it is a number.
    package let numbers: [Int: Double]
    /// The states that could not be read.
    package let unread: Set<Int>

    /// What happened to the value in a state.
    package struct Change: Sendable {
        /// The position of the state.
        package let state: Int
        package let event: Event
        /// The path of the value in this state; in the state before if it isn't in this one.
        package let path: DocumentPath
        /// What connects the value with that in the next change towards the state in which it was asked for.
        package let grounds: [ValueGround]
        /// Whether the event may be that of a state right before this one that could not be read.
        package let isAfterUnread: Bool
    }

    /// What happened to a value in a state. A value counts as changed if it differs from that of every state before.
    package enum Event: Sendable {
        /// There is no state before this one.
        case first(Document)
        case added(Document)
        case removed(Document)
        case changed(from: Document, to: Document)
        /// The value is the same, but its name is another, or it is in another container.
        case moved(Document, from: DocumentPath)
        /// The document was migrated, and the steps make the same value of the old one: no change of what is meant.
        case migrated(from: Document, to: Document)
        /// It isn't known which value it was before this state, or, if there is none here, what became of it.
        case unfollowed(Unfollowed, Document?)
    }

    /// Follows a value to earlier and later states.
    ///
    /// - Parameters:
    ///   - path: The path of the value in the state at position `anchor`.
    ///   - states: The states, each after those that it was made from.
    ///   - read: Returns the document of a state; nil if it cannot be read. Such a state is skipped.
    ///   - migration: Returns the migration of the document of an earlier state to the version of a later one, with
    ///     the findings of experiments; nil if both have the same version, or it does not get there.
    /// - Returns: nil if there is no value at that path.
    /// - Throws: The errors of `checkpoint`, which is called now and then.
    package init?(
        of path: DocumentPath, at anchor: Int, in states: [HistoryState], checkpoint: () throws -> Void,
        read: (Int) -> Document?, migration: (_ earlier: Int, _ later: Int) -> MigrationTrace? = { _, _ in nil }
    ) rethrows {
        let found = try withoutActuallyEscaping(read) { read in
            try withoutActuallyEscaping(migration) { migration in
                var follower = ValueFollower(states: states, read: read, migration: migration)
                guard follower.begin(at: anchor, path) else { return nil as ValueFollower.Found? }
                try follower.follow(checkpoint)
                return follower.found
            }
        }
        guard let found else { return nil }
        (changes, paths, numbers, unread) = (found.changes, found.paths, found.numbers, found.unread)
    }
}

extension ValueHistory.Change {
    /// Returns whether the change may be that of an earlier state, which could not be read or is not known.
    ///
    /// - Parameter revision: The commit of this state; nil if it is not committed.
    package func mayBeEarlier(_ revision: DocumentRevision?) -> Bool {
        if case .first = event, revision?.knowsPast == false { return true }
        return isAfterUnread
    }
}

extension ValueHistory.Event {
    /// The value before; nil if there was none, or it isn't known.
    package var old: Document? {
        switch self {
        case .first, .added, .unfollowed: nil
        case .removed(let old), .changed(let old, _), .migrated(let old, _), .moved(let old, _): old
        }
    }

    /// The value in this state; nil if there is none.
    package var new: Document? {
        switch self {
        case .removed: nil
        case .first(let new), .added(let new), .changed(_, let new), .migrated(_, let new), .moved(let new, _): new
        case .unfollowed(_, let new): new
        }
    }
}

/// What it rests on that a value is the same as one in another state.
package enum ValueGround: Sendable, Hashable {
    /// The two documents were compared.
    case pairing(PairingGround)
    /// The value is the origin of the other one in a step: proved by experiments, or likely because it is equal.
    case step(MigrationFailure.Step, isProved: Bool)
    /// The value was gone in between, and what the selector says is the same.
    case again(DocumentSelector)
}

/// Why a value is not followed through a step.
package enum Unfollowed: Sendable, Hashable {
    /// The step made the value: none of the values that it reads changes it, as far as others were tried.
    case made(MigrationFailure.Step)
    /// The value depends on several values before the step.
    case several(MigrationFailure.Step, [DocumentPath])
    /// It isn't known what the value comes from or becomes, because no experiment showed it.
    case unknown(MigrationFailure.Step, StepFinding.Left.Reason?)
}
