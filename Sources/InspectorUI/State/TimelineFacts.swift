import MigrationCore

/// The facts about each state that the line of a timeline shows. Only a limited number of results is taken at a time, so
/// that many states do not delay the keys.
struct TimelineFacts: Sendable {
    /// The known facts about a state.
    struct Fact: Sendable, Equatable {
        var sign = StateSign.unchecked
        /// The position of the version among ``versions``; nil if none is known.
        var version: Int?
        /// Whether the version or the outcome changes in this state.
        var isTurn = false
        /// Whether the document has another path from this state on.
        var isRenamed = false
    }

    private var facts: [Fact]
    /// The names of the versions, in the order in which they were seen.
    private(set) var versions: [String] = []
    private var numbers: [DocumentVersion: Int] = [:]
    /// The number of states that were looked at once, from the first one on.
    private var seen = 0
    /// The states before those to look at again.
    private var again: Set<Int> = []
    /// The number of the choice of observed versions that the facts rest on.
    private var choice = 0

    init(count: Int) { facts = Array(repeating: Fact(), count: count) }

    subscript(position: Int) -> Fact { facts[position] }

    /// Whether there are states to look at.
    var isWaiting: Bool { seen < facts.count || !again.isEmpty }

    /// Looks at these states again. Those that were not looked at yet are waiting anyway.
    mutating func lookAgain(at positions: some Sequence<Int>) {
        for position in positions where position < seen { again.insert(position) }
    }

    /// Looks at all states again if other versions are observed.
    mutating func note(choice: Int) {
        guard choice != self.choice else { return }
        self.choice = choice
        seen = 0
        again = []
    }

    /// Returns the next states to look at, no more than a number that takes little time: those to look at again, and
    /// others for the first time.
    mutating func takeWaiting() -> (again: [Int], new: Range<Int>) {
        let again = again.prefix(Self.mostAtOnce)
        self.again.subtract(again)
        let new = seen..<min(facts.count, seen + Self.mostAtOnce - again.count)
        seen = new.upperBound
        return (again.sorted(), new)
    }

    private static let mostAtOnce = 2000

    mutating func set(_ fact: Fact, at position: Int) { facts[position] = fact }

    /// Notes whether a state is a turn, unless it is looked at later anyway.
    mutating func set(isTurn: Bool, at position: Int) { if position < seen { facts[position].isTurn = isTurn } }

    /// Returns the position of a version among ``versions``.
    mutating func number(of version: DocumentVersion) -> Int {
        if let number = numbers[version] { return number }
        numbers[version] = versions.count
        versions.append(VersionSummary.name(version))
        return versions.count - 1
    }
}
