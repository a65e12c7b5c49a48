import DocumentModel
import MigrationCore

/// Documents in chronological order, oldest first: the committed states of a file, or the documents in one place.
///
/// The current state is the document selected in the list. It is compared with the state before it.
struct Timeline: Sendable {
    /// The name of the file or place whose states these are.
    let title: String
    let states: [FoundDocument.ID]
    /// Whether the states are the committed states of a file, followed by its current content.
    var isHistory: Bool { before != nil }
    /// The states that were read to be compared with the following state.
    private var read: [(state: FoundDocument.ID, content: Neighbor)] = []
    private let positions: [FoundDocument.ID: Int]
    /// The predecessors of each state; nil if the predecessor of each is its neighbor.
    private let before: [FoundDocument.ID: [FoundDocument.ID]]?
    /// The states right after each committed state.
    private var after: [FoundDocument.ID: [FoundDocument.ID]] = [:]
    /// The states in which the document is not there.
    private let deleted: Set<FoundDocument.ID>
    /// The states on sides of merges, which do not lead to the newest state.
    let sides: TimelineSides
    /// The known facts about each state.
    var facts: TimelineFacts
    /// The value that orders the states; nil for the order of the list.
    private(set) var order: OrderKey?
    /// The value of each state that orders them.
    private(set) var orderValues: [FoundDocument.ID: String] = [:]
    /// Whether the states are the same row in several files, which differ in their names.
    var isOfRow = false
    /// The state that is being read.
    var awaited: FoundDocument.ID?
    /// Whether each state is shown in the shape of the newest version.
    private(set) var isMigrated = false
    /// The path of the value to select once a state is shown.
    var followedPath: DocumentPath?
    /// The value that was followed last.
    var followed: FollowedValue?
    /// The state that has the same content as those before it, as far as they were compared.
    private(set) var unchanged: Unchanged?

    /// A state, and the states before it with the same content.
    struct Unchanged: Sendable {
        let state: FoundDocument.ID
        /// The earliest state known to have the same content.
        var since: FoundDocument.ID
        /// The number of states before with the same content.
        var count: Int
    }

    /// The content of a state that others are compared with.
    enum Neighbor: Sendable {
        case document(Document)
        case unreadable
    }

    /// - Parameters:
    ///   - before: The predecessors of each committed state of a file; nil if the predecessor of each state is its
    ///     neighbor.
    ///   - deleted: The states in which the document is not there.
    ///   - lanes: The lane of each state on a side of a merge.
    init(
        title: String, states: [FoundDocument.ID], before: [FoundDocument.ID: [FoundDocument.ID]]? = nil,
        deleted: Set<FoundDocument.ID> = [], lanes: [FoundDocument.ID: Int] = [:]
    ) {
        self.title = title
        self.deleted = deleted
        self.before = before
        self.states = states
        positions = Dictionary(states.enumerated().map { ($1, $0) }) { first, _ in first }
        sides = TimelineSides(lanes, states: states, before: before ?? [:])
        facts = TimelineFacts(count: states.count)
        for state in states {
            for earlier in before?[state] ?? [] { after[earlier, default: []].append(state) }
        }
    }

    /// Returns the position of a document among the states, counted from 0; nil for any other document.
    func position(of document: FoundDocument.ID?) -> Int? { document.flatMap { positions[$0] } }

    func state(at position: Int) -> FoundDocument.ID? {
        states.indices.contains(position) ? states[position] : nil
    }

    /// Returns the name of a state that is not in git.
    func name(of document: FoundDocument) -> String { isOfRow ? document.heading : document.displayName }

    /// Returns the states right before another. There are several for a merge and none for the first state.
    func statesBefore(_ state: FoundDocument.ID) -> [FoundDocument.ID] {
        guard let before else { return positions[state].flatMap { self.state(at: $0 - 1) }.map { [$0] } ?? [] }
        return before[state] ?? []
    }

    /// Returns the states right after another.
    func statesAfter(_ state: FoundDocument.ID) -> [FoundDocument.ID] {
        guard before == nil else { return after[state] ?? [] }
        return positions[state].flatMap { self.state(at: $0 + 1) }.map { [$0] } ?? []
    }

    /// Returns the states on the line that leads to another, the nearest first.
    func line(before state: FoundDocument.ID) -> some Sequence<FoundDocument.ID> {
        sequence(first: state) { statesBefore($0).first }.dropFirst()
    }

    /// Returns the state that another is compared with, across deletions; nil for the first state.
    func stateBefore(_ state: FoundDocument.ID) -> FoundDocument.ID? {
        line(before: state).first { !deleted.contains($0) }
    }

    /// Returns the state that another is compared with: the one before it or, if they are the same, the nearest one
    /// that may differ.
    func stateCompared(with state: FoundDocument.ID) -> FoundDocument.ID? {
        stateBefore(unchanged?.state == state ? unchanged?.since ?? state : state)
    }

    /// Notes that a state does not differ from the one that it was compared with.
    ///
    /// - Returns: Whether there is an earlier state to compare it with, not too far away.
    mutating func noteUnchanged(_ state: FoundDocument.ID) -> Bool {
        guard let same = stateCompared(with: state) else { return false }
        let count = unchanged?.state == state ? unchanged?.count ?? 0 : 0
        unchanged = Unchanged(state: state, since: same, count: count + 1)
        return count + 1 < Self.mostCompared && stateCompared(with: state) != nil
    }

    /// Compares the states with those right before them again.
    mutating func forgetUnchanged() { unchanged = nil }

    /// The number of states without a change to look through for the last one.
    private static let mostCompared = 32

    /// Returns a timeline of the same states ordered by a value, in which the predecessor of each is its neighbor.
    func ordered(
        _ states: [FoundDocument.ID], by key: OrderKey, values: [FoundDocument.ID: String]
    ) -> Timeline {
        var timeline = Timeline(title: title, states: states)
        timeline.order = key
        timeline.orderValues = values
        timeline.isOfRow = isOfRow
        timeline.isMigrated = isMigrated
        return timeline
    }

    /// The states in order, each with its predecessors.
    var statesInTime: [StateInTime] {
        states.map { StateInTime(document: $0, before: statesBefore($0), isDeleted: deleted.contains($0)) }
    }

    subscript(state: FoundDocument.ID) -> Neighbor? { read.last { $0.state == state }?.content }

    /// Stores the content of a state, and keeps only the most recently read states.
    mutating func note(_ neighbor: Neighbor, of state: FoundDocument.ID) {
        guard positions[state] != nil else { return }
        forget(state)
        read = read.suffix(Self.mostKept - 1) + [(state, neighbor)]
        if awaited == state { awaited = nil }
    }

    /// Shows every state as it is, or in the shape of the newest version.
    mutating func see(migrated: Bool) {
        isMigrated = migrated
        read = []
        awaited = nil
        unchanged = nil
        followed = nil
    }

    /// Discards the content of a state.
    mutating func forget(_ state: FoundDocument.ID) { read.removeAll { $0.state == state } }

    /// The number of states kept in memory, so that going back and forth does not read a state twice.
    private static let mostKept = 8
}

/// A state of a timeline, and its predecessors.
public struct StateInTime: Sendable {
    /// The state's document.
    public let document: FoundDocument.ID
    /// The states right before it.
    public let before: [FoundDocument.ID]
    /// Whether the document is not there in this state.
    public let isDeleted: Bool

    /// Creates a state of a timeline.
    public init(document: FoundDocument.ID, before: [FoundDocument.ID], isDeleted: Bool = false) {
        self.document = document
        self.before = before
        self.isDeleted = isDeleted
    }
}

/// A value to follow through the states of a timeline.
public struct FollowRequest: Sendable {
    /// The path of the value in one of the states.
    public let path: DocumentPath
    /// That state.
    public let state: FoundDocument.ID
    /// All states, oldest first.
    public let states: [StateInTime]
    /// The version of each state that opens; nil if it doesn't, or that isn't known.
    public let versions: [DocumentVersion?]
    /// Whether each state is shown in the shape of the newest version.
    public let isMigrated: Bool

    /// Creates a request.
    public init(
        path: DocumentPath, state: FoundDocument.ID, states: [StateInTime], versions: [DocumentVersion?],
        isMigrated: Bool = false
    ) {
        (self.path, self.state, self.states) = (path, state, states)
        (self.versions, self.isMigrated) = (versions, isMigrated)
    }

    /// The position of ``state``; nil if it isn't among the states.
    var anchor: Int? { states.firstIndex { $0.document == state } }

    /// The states by their positions.
    var inTime: [HistoryState] {
        let positions = Dictionary(states.enumerated().map { ($1.document, $0) }) { first, _ in first }
        return states.map { state in
            HistoryState(before: state.before.compactMap { positions[$0] }, isDeleted: state.isDeleted)
        }
    }
}

/// For each value of a state, the state that last changed it.
public struct BlamedValues: Sendable {
    /// The request. Its path is that of the value to select.
    public let request: FollowRequest
    /// The values; nil if the document of the state cannot be read.
    package let blame: ValueBlame?

    /// Finds the states.
    ///
    /// - Parameter read: Returns the document of a state; nil if it cannot be read.
    /// - Returns: nil if `isCancelled` returned true.
    public init?(
        _ request: FollowRequest, isCancelled: () -> Bool = { false }, read: (FoundDocument.ID) -> Document?
    ) {
        self.request = request
        guard let anchor = request.anchor else { return nil }
        do {
            blame = try ValueBlame(
                newest: anchor, in: request.inTime, checkpoint: { if isCancelled() { throw CancellationError() } },
                read: { read(request.states[$0].document) })
        } catch {
            return nil
        }
    }
}

/// The history of a value through the states of a timeline.
public struct FollowedValue: Sendable {
    /// The path of the value in the state in which it was asked for.
    public let path: DocumentPath
    /// The states that were searched, in order.
    public let states: [FoundDocument.ID]
    /// The history; nil if there is no value at the path.
    package let history: ValueHistory?

    /// The positions of the states in which the value is not what it was before.
    var changes: [Int] {
        (history?.changes ?? []).filter { if case .first = $0.event { false } else { true } }.map(\.state)
    }

    /// Returns the value in the state at a position, if it is a number there.
    func number(at position: Int) -> Double? { history?.numbers[position] }

    /// Follows the value to all states.
    ///
    /// - Parameters:
    ///   - read: Returns the document of a state; nil if it cannot be read. Such a state is skipped.
    ///   - migration: Returns the migration of an earlier state to the version of a later one; nil if both have the same.
    /// - Returns: nil if `isCancelled` returned true.
    public init?(
        _ request: FollowRequest, isCancelled: () -> Bool = { false }, read: (FoundDocument.ID) -> Document?,
        migration: (_ earlier: Int, _ later: Int) -> MigrationTrace? = { _, _ in nil }
    ) {
        path = request.path
        states = request.states.map(\.document)
        guard let anchor = request.anchor else { return nil }
        let states = states
        do {
            history = try ValueHistory(
                of: request.path, at: anchor, in: request.inTime,
                checkpoint: { if isCancelled() { throw CancellationError() } },
                read: { read(states[$0]) }, migration: migration)
        } catch {
            return nil
        }
    }
}
