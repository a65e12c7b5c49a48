/// The states on sides of merges, arranged so that sides of the same time are in separate rows.
struct TimelineSides: Sendable {
    /// A side of a merge.
    struct Side: Sendable {
        /// The positions of its states, in order.
        var states: [Int]
        /// The position of the state that it comes from, and of the one that it is merged into.
        var from: Int?
        var into: Int?
        /// The row below the line to the newest state, counted from 1.
        var row = 1

        /// The first and the last position that the side takes up.
        fileprivate var first: Int { min(from ?? .max, states[0]) }
        fileprivate var last: Int { max(into ?? 0, states[states.count - 1]) }
    }

    /// The sides, in the order in which they begin.
    private(set) var all: [Side] = []
    private var rows: [Int: Int] = [:]
    /// The number of rows.
    private(set) var rowCount = 0

    /// The number of rows in which sides are drawn. Sides that find no free row share the last one.
    static let mostRows = 2

    /// - Parameter lanes: The lane of each state on a side.
    init(
        _ lanes: [FoundDocument.ID: Int], states: [FoundDocument.ID], before: [FoundDocument.ID: [FoundDocument.ID]]
    ) {
        guard !lanes.isEmpty else { return }
        let positions = Dictionary(states.enumerated().map { ($1, $0) }) { first, _ in first }
        var sides: [Int: Side] = [:]
        for (position, state) in states.enumerated() {
            let lane = lanes[state]
            for earlier in before[state] ?? [] {
                guard let other = lanes[earlier], other != lane else { continue }
                sides[other]?.into = position
            }
            guard let lane else { continue }
            if sides[lane] == nil {
                sides[lane] = Side(states: [position], from: before[state]?.first.flatMap { positions[$0] })
            } else {
                sides[lane]?.states.append(position)
            }
        }
        all = sides.values.sorted { ($0.first, $0.last) < ($1.first, $1.last) }
        var ends: [Int] = []
        for index in all.indices {
            let free = ends.firstIndex { $0 < all[index].first }
            let row = free ?? min(ends.count, Self.mostRows - 1)
            if row == ends.count { ends.append(0) }
            ends[row] = max(ends[row], all[index].last)
            all[index].row = row + 1
            for state in all[index].states { rows[state] = row + 1 }
        }
        rowCount = ends.count
    }

    /// Returns the row of the state at a position: 0 for the line to the newest state.
    func row(of position: Int) -> Int { rows[position] ?? 0 }
}
