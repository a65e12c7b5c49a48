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
    let isHistory: Bool
    /// The states that were read to be compared with their neighbors.
    private var read: [FoundDocument.ID: Neighbor] = [:]
    private let positions: [FoundDocument.ID: Int]
    /// The state that is being read.
    var awaited: FoundDocument.ID?

    /// The state before another.
    enum Neighbor: Sendable {
        case document(Document)
        case unreadable
    }

    init(title: String, states: [FoundDocument.ID], isHistory: Bool = false) {
        self.title = title
        self.isHistory = isHistory
        self.states = states
        positions = Dictionary(states.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// Which of the states a document is, from 0; nil for any other document.
    func position(of document: FoundDocument.ID?) -> Int? { document.flatMap { positions[$0] } }

    func state(at position: Int) -> FoundDocument.ID? {
        states.indices.contains(position) ? states[position] : nil
    }

    /// The state before another; nil for the first.
    func stateBefore(_ state: FoundDocument.ID) -> FoundDocument.ID? {
        positions[state].flatMap { self.state(at: $0 - 1) }
    }

    subscript(state: FoundDocument.ID) -> Neighbor? { read[state] }

    /// Keeps what a state holds, and of all others only those that are near it.
    mutating func note(_ neighbor: Neighbor, of state: FoundDocument.ID) {
        guard let here = positions[state] else { return }
        read = read.filter { positions[$0.key].map { abs($0 - here) <= Self.mostKept } ?? false }
        read[state] = neighbor
        if awaited == state { awaited = nil }
    }

    /// Forgets what a state held.
    mutating func forget(_ state: FoundDocument.ID) { read[state] = nil }

    /// The distance up to which states are kept, so that going to and fro reads nothing twice.
    private static let mostKept = 3
}

/// A value in the states of a timeline.
public struct FollowedValue: Sendable {
    public let path: DocumentPath
    /// Where it differs from the state before, oldest first.
    public let changes: [Change]
    /// How many states were looked through, and how many of them could not be read.
    public let stateCount: Int
    public let unreadCount: Int

    /// A state in which the value is another one than in the state before.
    public struct Change: Sendable, Hashable {
        public let state: FoundDocument.ID
        /// The values as a person reads them, long ones cut off; nil where there is none.
        public let old: String?
        public let new: String?
        /// Whether there is no state before.
        public let isFirst: Bool
    }

    /// Goes through the states in their order.
    ///
    /// - Parameter read: Gives the document of a state; nil where it cannot be read. Such a state is passed over.
    /// - Returns: nil when `isCancelled` returned true.
    public init?(
        _ path: DocumentPath, in states: [FoundDocument.ID], isCancelled: () -> Bool = { false },
        read: (FoundDocument.ID) -> Document?
    ) {
        self.path = path
        stateCount = states.count
        var (changes, unread) = ([Change](), 0)
        var last: DocumentNode??
        for state in states {
            if isCancelled() { return nil }
            guard let document = read(state) else {
                unread += 1
                continue
            }
            let node = document.root.descendant(at: path)
            defer { last = .some(node) }
            guard let before = last else {
                if node != nil { changes.append(Change(state: state, old: nil, new: Self.text(node), isFirst: true)) }
                continue
            }
            let isSame =
                switch (before, node) {
                case (nil, nil): true
                case (let before?, let node?): before.isEqual(to: node)
                default: false
                }
            if !isSame {
                changes.append(Change(state: state, old: Self.text(before), new: Self.text(node), isFirst: false))
            }
        }
        self.changes = changes
        unreadCount = unread
    }

    private static func text(_ node: DocumentNode?) -> String? {
        node.map { ValueText.runs($0, budget: longest).map(\.text).joined() }
    }

    /// In columns.
    private static let longest = 40
}
