/// How fast something plays automatically, and for how long its current beat has lasted.
struct Pace: Sendable {
    /// The number of the pace, from the slowest one.
    private(set) var number = 2
    /// The number of ticks since the beat began.
    private var ticks = 0

    /// The number of ticks per beat, from the slowest pace to the fastest.
    private static let lengths = [24, 14, 8, 5, 2]
    static var count: Int { lengths.count }

    /// The share of the beat that is over.
    var share: Double { Double(ticks) / Double(Self.lengths[number]) }

    /// Advances by one tick.
    ///
    /// - Returns: Whether the beat is over. Then another one begins.
    mutating func tick() -> Bool {
        ticks += 1
        guard ticks >= Self.lengths[number] else { return false }
        ticks = 0
        return true
    }

    /// Begins a beat.
    mutating func restart() { ticks = 0 }

    func canGo(faster: Bool) -> Bool { Self.lengths.indices.contains(number + (faster ? 1 : -1)) }

    mutating func go(faster: Bool) {
        guard canGo(faster: faster) else { return }
        number += faster ? 1 : -1
        ticks = 0
    }

    /// The pace in words: `pace 3 of 5`.
    var words: String { "pace \(number + 1) of \(Self.count)" }
}

/// Something that plays automatically.
protocol Playing: Overlay {
    var pace: Pace { get set }
    var isPaused: Bool { get set }
}

extension Inspector {
    /// What plays automatically at the moment.
    var playing: (any Playing)? { overlay as? any Playing }

    /// Changes what plays automatically.
    mutating func changePlaying(_ change: (inout any Playing) -> Void) {
        guard var playing else { return }
        change(&playing)
        overlay = playing
    }
}

/// A timeline that plays automatically, state after state.
struct TimePlayback: Sendable {
    var pace = Pace()
    var isPaused = false
}
