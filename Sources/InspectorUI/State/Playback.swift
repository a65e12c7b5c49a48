import DocumentModel
import MigrationCore

/// A migration that plays by itself: how far it is in the step that is shown, and how fast it goes.
///
/// A step is played beat by beat. Each is a change that has not happened before it and has happened after it; a value
/// that moves, or is made from another, is on its way from the row of the one to the row of the other meanwhile.
struct Playback: Sendable {
    /// One change.
    struct Beat: Sendable, Equatable {
        /// The rows that are as they become from then on; the last is the one to look at.
        var rows: [Int]
        /// The row that the value comes from.
        var source: Int?
    }

    private(set) var beats: [Beat] = []
    private var beatOfRow: [Int: Int] = [:]
    /// The beat that is being played; the number of them once all are.
    private(set) var beat = 0
    /// The ticks since it began.
    private var ticks = 0
    /// Whether the rows of the step are still to be taken, and whether to begin at its end then.
    private(set) var isAwaitingRows = true
    private var beginsAtEnd = false
    private(set) var pace = 2
    var isPaused = false
    /// How differences were shown before.
    let style: DifferenceStyle

    init(style: DifferenceStyle) { self.style = style }

    /// The ticks that a beat takes, from the slowest pace to the fastest.
    private static let paces = [24, 14, 8, 5, 2]
    static var paceCount: Int { paces.count }

    // MARK: The beats of a step

    /// Takes the rows of the step that is shown; how far it was played stays.
    mutating func load(_ rows: [StepRow], _ finding: StepFinding?) {
        beats = Self.beats(rows, finding)
        beatOfRow = [:]
        for (number, beat) in beats.enumerated() {
            for row in beat.rows { beatOfRow[row] = number }
        }
        beat = beginsAtEnd ? beats.count : min(beat, beats.count)
        (isAwaitingRows, beginsAtEnd) = (false, false)
    }

    /// The changes of a step: what is made or moves, in the order of its rows, each with what it is made of, and then
    /// what is gone.
    private static func beats(_ rows: [StepRow], _ finding: StepFinding?) -> [Beat] {
        var (places, gone) = ([DocumentPath: Int](), [Int]())
        let origins = Dictionary(finding?.origins.map { ($0.path, $0.from) } ?? []) { first, _ in first }
        // The paths of all rows are long where documents are deep.
        let haveSources = !origins.isEmpty || rows.contains { if case .movedHere = $0.body { true } else { false } }
        for (index, row) in rows.enumerated() {
            if row.isGone { gone.append(index) }
            guard haveSources, row.isGone || row.sign == .none || row.sign == .changed, let path = row.node?.path else {
                continue
            }
            for path in [path, path.foldingIndices] where places[path] == nil { places[path] = index }
        }
        var (beats, taken) = ([Beat](), Set<Int>())
        for (index, row) in rows.enumerated() where row.sign != .none && !row.isGone {
            // What lies in a value that is new comes with it.
            if row.sign == .added, let last = beats.last?.rows.last, last == index - 1, rows[last].sign == .added,
                row.depth > rows[beats[beats.count - 1].rows.first { rows[$0].sign == .added } ?? last].depth
            {
                beats[beats.count - 1].rows.append(index)
                continue
            }
            var source: Int?
            if case .movedHere(_, let from) = row.body {
                source = places[from]
            } else if haveSources, let path = row.node?.path,
                let from = (origins[path] ?? origins[path.foldingIndices])?.first
            {
                source = places[from]
                // What moves into a new container is not what that is made of.
                if row.node?.kind.isContainer == true, let place = source, case .movedAway = rows[place].body {
                    source = nil
                }
            }
            var beat = Beat(rows: [index], source: source == index ? nil : source)
            if let source = beat.source, rows[source].isGone, taken.insert(source).inserted {
                beat.rows.insert(source, at: 0)
            }
            beats.append(beat)
        }
        for index in gone where !taken.contains(index) {
            // What lay in a value that is gone goes with it.
            let last = beats.last?.rows.last
            if let last, last == index - 1, rows[last].isGone, rows[index].depth > rows[last].depth {
                beats[beats.count - 1].rows.append(index)
            } else {
                beats.append(Beat(rows: [index], source: nil))
            }
        }
        return beats
    }

    /// Whether a row is as the step makes it.
    func hasHappened(_ row: Int) -> Bool { beatOfRow[row].map { $0 < beat } ?? true }

    /// The row to look at.
    var row: Int? { beats.indices.contains(beat) ? beats[beat].rows.last : beats.last?.rows.last }

    /// The value that is on its way: from row to row, and how much of the way it has behind it.
    var flight: (from: Int, to: Int, share: Double)? {
        guard beats.indices.contains(beat), let from = beats[beat].source, let to = beats[beat].rows.last else {
            return nil
        }
        return (from, to, Double(ticks) / Double(Self.paces[pace]))
    }

    // MARK: Going on

    /// Time has passed.
    ///
    /// - Returns: False once the step is over, and was to be seen for a while.
    mutating func tick() -> Bool {
        ticks += 1
        guard ticks >= Self.paces[pace] else { return true }
        ticks = 0
        guard beat < beats.count else { return false }
        beat += 1
        return true
    }

    /// Goes to another beat.
    ///
    /// - Returns: False where the step has none before or behind.
    mutating func go(by count: Int) -> Bool {
        guard !isAwaitingRows else { return true }
        let next = beat + count
        guard (0...beats.count).contains(next) else { return false }
        (beat, ticks) = (next, 0)
        return true
    }

    /// Begins with another step, at its beginning or its end.
    mutating func begin(atEnd: Bool = false) {
        (beats, beatOfRow) = ([], [:])
        (beat, ticks) = (0, 0)
        (isAwaitingRows, beginsAtEnd) = (true, atEnd)
    }

    func canGo(faster: Bool) -> Bool { Self.paces.indices.contains(pace + (faster ? 1 : -1)) }

    mutating func go(faster: Bool) {
        guard canGo(faster: faster) else { return }
        pace += faster ? 1 : -1
        ticks = 0
    }
}

extension StepRow {
    /// Whether it is of the old document alone.
    fileprivate var isGone: Bool {
        switch body {
        case .movedAway: true
        case .changedString(_, _, let isOld): isOld
        default: sign == .removed
        }
    }

    /// The row as it is before its change; nil where there is nothing then.
    var beforehand: StepRow? {
        var row = self
        row.finding = nil
        row.sign = .none
        switch body {
        case .movedAway(let node, _): row.body = .value(node)
        case .change(let old, _): row.body = .value(old)
        case .changedString(let node, _, let isOld):
            guard isOld else { return nil }
            row.body = .value(node)
        case .movedHere, .culprit: return nil
        case .repeated, .fold, .inside, .became, .absent, .text, .part: break
        case .value: if sign == .added { return nil }
        }
        return sign == .added ? nil : row
    }
}
