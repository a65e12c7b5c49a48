import DocumentModel

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
    /// The states in which the document is not there.
    private let deleted: Set<FoundDocument.ID>
    /// The states on sides of merges, which do not lead to the newest state.
    let sides: Set<FoundDocument.ID>
    /// The path of the value that orders the states; nil for the order of the list.
    private(set) var order: DocumentPath?
    /// The state that is being read.
    var awaited: FoundDocument.ID?
    /// The path of the value to select once a state is shown.
    var followedPath: DocumentPath?

    /// The content of a state that others are compared with.
    enum Neighbor: Sendable {
        case document(Document)
        case unreadable
    }

    /// - Parameters:
    ///   - before: The predecessors of each committed state of a file; nil if the predecessor of each state is its
    ///     neighbor.
    ///   - deleted: The states in which the document is not there.
    ///   - sides: The states on sides of merges.
    init(
        title: String, states: [FoundDocument.ID], before: [FoundDocument.ID: [FoundDocument.ID]]? = nil,
        deleted: Set<FoundDocument.ID> = [], sides: Set<FoundDocument.ID> = []
    ) {
        self.title = title
        (self.deleted, self.sides) = (deleted, sides)
        self.before = before
        self.states = states
        positions = Dictionary(states.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// Returns the position of a document among the states, counted from 0; nil for any other document.
    func position(of document: FoundDocument.ID?) -> Int? { document.flatMap { positions[$0] } }

    func state(at position: Int) -> FoundDocument.ID? {
        states.indices.contains(position) ? states[position] : nil
    }

    /// Returns the states right before another. There are several for a merge and none for the first state.
    func statesBefore(_ state: FoundDocument.ID) -> [FoundDocument.ID] {
        guard let before else { return positions[state].flatMap { self.state(at: $0 - 1) }.map { [$0] } ?? [] }
        return before[state] ?? []
    }

    /// Returns the states on the line that leads to another, the nearest first.
    func line(before state: FoundDocument.ID) -> some Sequence<FoundDocument.ID> {
        sequence(first: state) { statesBefore($0).first }.dropFirst()
    }

    /// Returns the state that another is compared with, across deletions; nil for the first state.
    func stateBefore(_ state: FoundDocument.ID) -> FoundDocument.ID? {
        line(before: state).first { !deleted.contains($0) }
    }

    /// Returns a timeline of the same states ordered by a value, in which the predecessor of each is its neighbor.
    func ordered(_ states: [FoundDocument.ID], by path: DocumentPath) -> Timeline {
        var timeline = Timeline(title: title, states: states)
        timeline.order = path
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

/// The history of a value through the states of a timeline.
public struct FollowedValue: Sendable {
    /// The path of the value in each state.
    public let path: DocumentPath
    /// The states that were searched, in order.
    public let states: [FoundDocument.ID]
    /// The states in which the value differs from the state before, oldest first.
    public let changes: [Change]
    /// The number of states that could not be read.
    public let unreadCount: Int

    /// A state in which the value differs from the state before.
    public struct Change: Sendable, Hashable {
        /// The state with the new value.
        public let state: FoundDocument.ID
        /// The value before, as shown to people, truncated if long; nil if there was no value.
        public let old: String?
        /// The value in this state, in the same form.
        public let new: String?
        /// Whether there is no state before this one.
        public let isFirst: Bool
    }

    /// Searches the states in order. The value only counts as changed if it differs from that of every predecessor.
    ///
    /// - Parameter read: Returns the document of a state; nil if it cannot be read. Such a state is skipped.
    /// - Returns: nil if `isCancelled` returned true.
    public init?(
        _ path: DocumentPath, in states: [StateInTime], isCancelled: () -> Bool = { false },
        read: (FoundDocument.ID) -> Document?
    ) {
        self.path = path
        self.states = states.map(\.document)
        var (changes, unread) = ([Change](), 0)
        // The values that later states have yet to be compared with.
        var values: [FoundDocument.ID: DocumentNode?] = [:]
        var uses: [FoundDocument.ID: Int] = [:]
        for before in states.flatMap(\.before) { uses[before, default: 0] += 1 }
        for state in states {
            if isCancelled() { return nil }
            let before = state.before.compactMap { values[$0] }
            for used in state.before {
                uses[used, default: 0] -= 1
                if uses[used] == 0 { values[used] = nil }
            }
            guard let document = state.isDeleted ? nil : read(state.document) else {
                if !state.isDeleted { unread += 1 }
                // The next state is compared with the value before the deletion or the unreadable state.
                if let first = before.first { values[state.document] = first }
                continue
            }
            let node = document.root.descendant(at: path)
            if uses[state.document, default: 0] > 0 { values[state.document] = .some(node) }
            if before.isEmpty {
                if node != nil {
                    changes.append(Change(state: state.document, old: nil, new: Self.text(node), isFirst: true))
                }
            } else if !before.contains(where: { Self.areEqual($0, node) }) {
                changes.append(
                    Change(state: state.document, old: Self.text(before[0]), new: Self.text(node), isFirst: false))
            }
        }
        self.changes = changes
        unreadCount = unread
    }

    private static func areEqual(_ left: DocumentNode?, _ right: DocumentNode?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.isEqual(to: right)
        default: false
        }
    }

    private static func text(_ node: DocumentNode?) -> String? {
        node.map { ValueText.runs($0, budget: longest).map(\.text).joined() }
    }

    /// The length at which values are cut off, in columns.
    private static let longest = 40
}
