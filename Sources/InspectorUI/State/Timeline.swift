import DocumentModel

/// Documents in their order through time, oldest first: the committed states of a file, or the documents of one place.
///
/// The state that is looked at is the document that is selected in the list; what it is compared with is the one before
/// it.
struct Timeline: Sendable {
    /// What the states are states of.
    let title: String
    let states: [FoundDocument.ID]
    /// Whether they are the committed states of a file, and that file as it is now.
    var isHistory: Bool { before != nil }
    /// The states that were read to be compared with their neighbors.
    private var read: [(state: FoundDocument.ID, content: Neighbor)] = []
    private let positions: [FoundDocument.ID: Int]
    /// The states that came right before others; nil where those are their neighbors.
    private let before: [FoundDocument.ID: [FoundDocument.ID]]?
    /// The value that the states are in the order of; nil for the order in which they lie there.
    private(set) var order: DocumentPath?
    /// The state that is being read.
    var awaited: FoundDocument.ID?

    /// The state before another.
    enum Neighbor: Sendable {
        case document(Document)
        case unreadable
    }

    /// - Parameter before: Of the committed states of a file, those that each came from; nil where each comes from its
    ///   neighbor.
    init(
        title: String, states: [FoundDocument.ID], before: [FoundDocument.ID: [FoundDocument.ID]]? = nil
    ) {
        self.title = title
        self.before = before
        self.states = states
        positions = Dictionary(states.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// Which of the states a document is, from 0; nil for any other document.
    func position(of document: FoundDocument.ID?) -> Int? { document.flatMap { positions[$0] } }

    func state(at position: Int) -> FoundDocument.ID? {
        states.indices.contains(position) ? states[position] : nil
    }

    /// The states right before another: several for one that merges others, none for the first.
    func statesBefore(_ state: FoundDocument.ID) -> [FoundDocument.ID] {
        guard let before else { return positions[state].flatMap { self.state(at: $0 - 1) }.map { [$0] } ?? [] }
        return before[state] ?? []
    }

    /// The state that another is compared with; nil for the first.
    func stateBefore(_ state: FoundDocument.ID) -> FoundDocument.ID? { statesBefore(state).first }

    /// The same states in the order of a value, in which each comes from its neighbor.
    func ordered(_ states: [FoundDocument.ID], by path: DocumentPath) -> Timeline {
        var timeline = Timeline(title: title, states: states)
        timeline.order = path
        return timeline
    }

    /// The states in their order, each with those before it.
    var statesInTime: [StateInTime] { states.map { StateInTime(document: $0, before: statesBefore($0)) } }

    subscript(state: FoundDocument.ID) -> Neighbor? { read.last { $0.state == state }?.content }

    /// Keeps what a state holds, and of all others those that were read last.
    mutating func note(_ neighbor: Neighbor, of state: FoundDocument.ID) {
        guard positions[state] != nil else { return }
        forget(state)
        read = read.suffix(Self.mostKept - 1) + [(state, neighbor)]
        if awaited == state { awaited = nil }
    }

    /// Forgets what a state held.
    mutating func forget(_ state: FoundDocument.ID) { read.removeAll { $0.state == state } }

    /// The states that are kept, so that going to and fro reads nothing twice.
    private static let mostKept = 8
}

/// A state of a timeline, and those right before it.
public struct StateInTime: Sendable {
    /// The document that is the state.
    public let document: FoundDocument.ID
    /// The states right before it.
    public let before: [FoundDocument.ID]

    /// A state of a timeline.
    public init(document: FoundDocument.ID, before: [FoundDocument.ID]) {
        self.document = document
        self.before = before
    }
}

/// A value in the states of a timeline.
public struct FollowedValue: Sendable {
    /// Where the value is in each of them.
    public let path: DocumentPath
    /// The states that were looked through, in their order.
    public let states: [FoundDocument.ID]
    /// Where it differs from the state before, oldest first.
    public let changes: [Change]
    /// How many of the states could not be read.
    public let unreadCount: Int

    /// A state in which the value is another one than in the state before.
    public struct Change: Sendable, Hashable {
        /// The state.
        public let state: FoundDocument.ID
        /// The value before as a person reads it, a long one cut off; nil where there is none.
        public let old: String?
        /// The value in the state, likewise.
        public let new: String?
        /// Whether there is no state before.
        public let isFirst: Bool
    }

    /// Goes through the states in their order. A value that one of several states before has is no change.
    ///
    /// - Parameter read: Gives the document of a state; nil where it cannot be read. Such a state is passed over.
    /// - Returns: nil when `isCancelled` returned true.
    public init?(
        _ path: DocumentPath, in states: [StateInTime], isCancelled: () -> Bool = { false },
        read: (FoundDocument.ID) -> Document?
    ) {
        self.path = path
        self.states = states.map(\.document)
        var (changes, unread) = ([Change](), 0)
        // The values of states that are still to be compared with others.
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
            guard let document = read(state.document) else {
                unread += 1
                // The next is compared with what was there before.
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

    /// In columns.
    private static let longest = 40
}
