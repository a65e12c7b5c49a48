import DocumentModel
import MigrationCore

/// A migration that plays automatically: the current position in the shown step, and the pace.
///
/// A step is played as a series of beats. Each beat is a change that has not happened before it and has happened
/// after it. During the beat, a value that moves or is made from another travels from the row of its origin to its
/// new row.
struct Playback: Sendable {
    /// One change.
    struct Beat: Sendable, Equatable {
        /// The rows that show their new state after this beat. The last one is the row to look at.
        var rows: [Int]
        /// The row that the value comes from.
        var source: Int?
    }

    private(set) var beats: [Beat] = []
    private var beatOfRow: [Int: Int] = [:]
    /// The beat that is being played, or the number of beats once all are done.
    private(set) var beat = 0
    var pace = Pace()
    /// Whether the rows of the step have yet to be loaded, and whether to start at the step's end once they are.
    private(set) var isAwaitingRows = true
    private var beginsAtEnd = false
    var isPaused = false
    /// The style in which differences were shown before.
    let style: DifferenceStyle

    init(style: DifferenceStyle) { self.style = style }

    // MARK: The beats of a step

    /// Loads the rows of the step that is shown. Keeps the position within the step.
    mutating func load(_ rows: [StepRow], _ finding: StepFinding?) {
        beats = Self.beats(rows, finding)
        beatOfRow = [:]
        for (number, beat) in beats.enumerated() {
            for row in beat.rows { beatOfRow[row] = number }
        }
        beat = beginsAtEnd ? beats.count : min(beat, beats.count)
        (isAwaitingRows, beginsAtEnd) = (false, false)
    }

    /// Returns the beats of a step: first the values that are made or moved, in the order of the rows, each with its
    /// origin, and then the values that are removed.
    private static func beats(_ rows: [StepRow], _ finding: StepFinding?) -> [Beat] {
        var (rowOfPath, gone) = ([DocumentPath: Int](), [Int]())
        let origins = Dictionary(finding?.origins.map { ($0.path, $0.from) } ?? []) { first, _ in first }
        // In deep documents, computing the paths of all rows is slow.
        let haveSources = !origins.isEmpty || rows.contains { if case .movedHere = $0.body { true } else { false } }
        for (index, row) in rows.enumerated() {
            if row.isGone { gone.append(index) }
            guard haveSources, row.isGone || row.sign == .none || row.sign == .changed, let path = row.node?.path else {
                continue
            }
            for path in [path, path.foldingIndices] where rowOfPath[path] == nil { rowOfPath[path] = index }
        }
        var (beats, taken) = ([Beat](), Set<Int>())
        for (index, row) in rows.enumerated() where row.sign != .none && !row.isGone {
            // The contents of a new value appear together with it.
            if row.sign == .added, let last = beats.last?.rows.last, last == index - 1, rows[last].sign == .added,
                row.depth > rows[beats[beats.count - 1].rows.first { rows[$0].sign == .added } ?? last].depth
            {
                beats[beats.count - 1].rows.append(index)
                continue
            }
            var source: Int?
            if case .movedHere(_, let from) = row.body {
                source = rowOfPath[from]
            } else if haveSources, let path = row.node?.path,
                let from = (origins[path] ?? origins[path.foldingIndices])?.first
            {
                source = rowOfPath[from]
                // A value that moves into a new container is not the origin of that container.
                if row.node?.kind.isContainer == true, let row = source, case .movedAway = rows[row].body {
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
            // The contents of a removed value disappear together with it.
            let last = beats.last?.rows.last
            if let last, last == index - 1, rows[last].isGone, rows[index].depth > rows[last].depth {
                beats[beats.count - 1].rows.append(index)
            } else {
                beats.append(Beat(rows: [index], source: nil))
            }
        }
        return beats
    }

    /// Returns whether a row already shows the result of the step.
    func hasHappened(_ row: Int) -> Bool { beatOfRow[row].map { $0 < beat } ?? true }

    /// The row to look at.
    var row: Int? { beats.indices.contains(beat) ? beats[beat].rows.last : beats.last?.rows.last }

    /// The value that is on its way: the rows it moves between, and the share of the way that it has covered.
    var flight: (from: Int, to: Int, share: Double)? {
        guard beats.indices.contains(beat), let from = beats[beat].source, let to = beats[beat].rows.last else {
            return nil
        }
        return (from, to, pace.share)
    }

    // MARK: Advancing

    /// Advances the playback by one tick.
    ///
    /// - Returns: False once the step is over and its end has been shown for a beat.
    mutating func tick() -> Bool {
        guard pace.tick() else { return true }
        guard beat < beats.count else { return false }
        beat += 1
        return true
    }

    /// Goes to another beat.
    ///
    /// - Returns: False if there is no such beat in this step.
    mutating func go(by count: Int) -> Bool {
        guard !isAwaitingRows else { return true }
        let next = beat + count
        guard (0...beats.count).contains(next) else { return false }
        beat = next
        pace.restart()
        return true
    }

    /// Starts another step at its beginning or its end.
    mutating func begin(atEnd: Bool = false) {
        (beats, beatOfRow) = ([], [:])
        beat = 0
        pace.restart()
        (isAwaitingRows, beginsAtEnd) = (true, atEnd)
    }
}

extension StepRow {
    /// Whether the row only belongs to the old document.
    fileprivate var isGone: Bool {
        switch body {
        case .movedAway: true
        case .changedString(_, _, let isOld): isOld
        default: sign == .removed
        }
    }

    /// The row as it is before its change; nil if it does not exist then.
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
