import DisplayText
import DocumentModel
import MigrationCore

/// The whole history in one line, fitted to any width: a column for each state, or for several where they do not all
/// fit, with the versions above and the dates below.
struct TimelineLine: Sendable {
    /// A row of the timeline, from top to bottom.
    enum Row: Hashable, Sendable {
        /// The versions, each as long as it is written.
        case versions
        /// The signs of the states that lead to the newest one.
        case states
        /// The signs of states on sides of merges.
        case sides(Int)
        /// Marks where the version or the outcome changes, or the document is renamed.
        case turns
        /// The value that is followed: a number as a chart, any other where it changes.
        case followed
        /// The dates of the states, or the values that order them.
        case axis
        /// The states around the current one, where a column stands for several.
        case window
        /// The name of the current state, and its outcome.
        case name, outcome
    }

    /// One state, or several in order.
    struct Column: Sendable {
        let x: Int
        /// The positions of the states.
        let states: Range<Int>
        /// The worst sign of the states in each row: those that lead to the newest one, and the sides.
        fileprivate(set) var signs: [StateSign?]
        let isHere: Bool
        fileprivate(set) var isTurn = false
        fileprivate(set) var isRenamed = false
    }

    /// Adjacent columns with one version.
    struct Band: Sendable {
        let x: Int
        fileprivate(set) var width: Int
        /// The name of the version; nil if there are several, or there is no room for it.
        fileprivate(set) var name: String?
        fileprivate(set) var isHere: Bool
    }

    /// A state in the window around the current one.
    struct Cell: Sendable {
        let position: Int
        let x: Int
        let sign: StateSign
        let isHere: Bool
    }

    private(set) var columns: [Column] = []
    private(set) var bands: [Band] = []
    /// The dates of states, or the values that order them.
    private(set) var axis = TimelineAxis()
    /// The level of the followed number in each column, of ``levelCount``; nil if it is not a number.
    private(set) var levels: [Int?] = []
    /// The columns in which the followed value changes.
    private(set) var changes: Set<Int> = []
    /// The least and the greatest followed number.
    private(set) var numbers: ClosedRange<Double>?
    /// The states around the current one; empty if each state has a column.
    private(set) var window: [Cell] = []
    /// Whether there are more states to the left and right of the window.
    private(set) var goesOn = (left: false, right: false)
    /// The number of columns from one state to the next.
    private(set) var pitch = 1
    private(set) var rows: [Row] = []

    static let levelCount = 8
    /// The number of columns from one state to the next, the widest first. The first one has room for a date.
    private static let pitches = [12, 4, 3, 2, 1]
    private static let windowPitch = 2

    /// - Parameters:
    ///   - here: The position of the current state.
    ///   - height: The number of rows that there is room for.
    init(
        _ timeline: Timeline, here: Int?, documents: DocumentList, width: Int, height: Int, glyphs: Glyphs
    ) {
        let count = timeline.states.count
        guard count > 0, width > 0 else { return }
        pitch = Self.pitches.first { (count - 1) * $0 + ($0 == Self.pitches[0] ? $0 : 1) <= width } ?? 1
        let columnCount = min(count, width)
        columns = (0..<columnCount).map { index in
            let states = (index * count / columnCount)..<((index + 1) * count / columnCount)
            return Column(
                x: index * pitch, states: states,
                signs: Array(repeating: nil, count: timeline.sides.rowCount + 1),
                isHere: here.map(states.contains) ?? false)
        }
        for index in columns.indices {
            for position in columns[index].states {
                let (fact, row) = (timeline.facts[position], timeline.sides.row(of: position))
                columns[index].signs[row] = max(columns[index].signs[row] ?? fact.sign, fact.sign)
                columns[index].isTurn = columns[index].isTurn || fact.isTurn
                columns[index].isRenamed = columns[index].isRenamed || fact.isRenamed
            }
        }
        findBands(timeline, width: width, glyphs: glyphs)
        axis = TimelineAxis(timeline, columns, pitch: pitch, documents: documents, width: width, glyphs: glyphs)
        findLevels(timeline)
        if columnCount < count { findWindow(timeline, here: here, width: width) }
        chooseRows(timeline, height: height)
    }

    // MARK: Versions

    private mutating func findBands(_ timeline: Timeline, width: Int, glyphs: Glyphs) {
        /// A version, several in one column, or none that is known.
        enum Content: Equatable {
            case version(Int)
            case several
            case none
        }
        var runs: [(content: Content, x: Int, end: Int, isHere: Bool)] = []
        for column in columns {
            // The versions are those of the line to the newest state.
            let main = column.states.filter { timeline.sides.row(of: $0) == 0 }
            // A side has its own column. The version continues above it.
            if main.isEmpty, let last = runs.indices.last {
                runs[last].end = column.x + 1
                runs[last].isHere = runs[last].isHere || column.isHere
                continue
            }
            let versions = main.compactMap { timeline.facts[$0].version }
            var content = Content.none
            if let last = versions.last {
                // A column in which one version follows another belongs to the new one.
                let others = versions.filter { $0 != last }.map { Content.version($0) }
                let isInOrder = versions.firstIndex(of: last).map { versions[$0...].allSatisfy { $0 == last } } ?? true
                let areKnown = others.allSatisfy { $0 == runs.last?.content }
                content = others.isEmpty || isInOrder && areKnown ? .version(last) : .several
            }
            if let last = runs.indices.last, runs[last].content == content {
                runs[last].end = column.x + 1
                runs[last].isHere = runs[last].isHere || column.isHere
            } else {
                runs.append((content, column.x, column.x + 1, column.isHere))
            }
        }
        for (index, run) in runs.enumerated() where run.content != .none {
            let next = index + 1 < runs.count ? runs[index + 1].x : nil
            // A name has a blank after it, unless the next one begins like it with a letter.
            let gap = next == nil || pitch == 1 ? 0 : 1
            let room = max(1, (next ?? width) - run.x - gap)
            var band = Band(x: run.x, width: min(room, max(1, run.end - run.x)), name: nil, isHere: run.isHere)
            if case .version(let number) = run.content {
                let name = timeline.facts.versions[number]
                let columns = TextWidth.columns(of: name, repertoire: glyphs.repertoire)
                let needsBlank = next != nil && gap == 0 && !name.hasPrefix("v")
                if columns + (needsBlank ? 1 : 0) <= room {
                    band.name = name
                } else if room > Self.shortestCutName {
                    band.name = TextWidth.truncate(name, to: room - 1, middle: true, glyphs: glyphs)
                }
                band.width = max(band.width, band.name.map { TextWidth.columns(of: $0) } ?? 0)
            }
            bands.append(band)
        }
    }

    private static let shortestCutName = 5

    // MARK: The followed value

    private mutating func findLevels(_ timeline: Timeline) {
        guard let followed = timeline.followed, followed.states == timeline.states else { return }
        let changed = Set(followed.changes)
        changes = Set(
            columns.indices.filter { index in
                columns[index].states.contains { changed.contains($0) && timeline.sides.row(of: $0) == 0 }
            })
        var last: Double?
        let values = columns.map { column -> Double? in
            let main = column.states.filter { timeline.sides.row(of: $0) == 0 }
            // The value goes on above the column of a side.
            guard let end = main.last else { return last }
            last = followed.number(at: end)
            // A peak that lasts for one of many states must not disappear.
            return main.compactMap(followed.number).max()
        }
        let all = timeline.states.indices.lazy.filter { timeline.sides.row(of: $0) == 0 }
            .compactMap { followed.number(at: $0) }
        guard let least = all.min(), let greatest = all.max() else { return }
        numbers = least...greatest
        levels = values.map { value in
            value.map {
                // Halves keep the distance of very large numbers finite.
                let share = greatest > least ? ($0 / 2 - least / 2) / (greatest / 2 - least / 2) : 0.5
                return max(0, min(Self.levelCount - 1, Int(share * Double(Self.levelCount))))
            }
        }
    }

    // MARK: The window

    private mutating func findWindow(_ timeline: Timeline, here: Int?, width: Int) {
        guard let here else { return }
        let count = timeline.states.count
        let room = max(1, (width - 1) / Self.windowPitch + 1)
        let first = max(0, min(here - room / 2, count - room))
        let seen = first..<min(count, first + room)
        goesOn = (seen.lowerBound > 0, seen.upperBound < count)
        window = seen.map {
            Cell(
                position: $0, x: ($0 - first) * Self.windowPitch, sign: timeline.facts[$0].sign, isHere: $0 == here)
        }
    }

    // MARK: Rows

    private mutating func chooseRows(_ timeline: Timeline, height: Int) {
        let sides = (1...TimelineSides.mostRows).filter { $0 <= timeline.sides.rowCount }
        var all: [Row] = [.versions, .states] + sides.map(Row.sides)
        if columns.contains(where: { $0.isTurn || $0.isRenamed }) { all.append(.turns) }
        if numbers != nil || !changes.isEmpty { all.append(.followed) }
        if !axis.labels.isEmpty { all.append(.axis) }
        if !window.isEmpty { all.append(.window) }
        all += [.name, .outcome]
        // The rows that matter most, if there is no room for all.
        let order: [Row] = [
            .states, .name, .outcome, .versions, .sides(1), .followed, .turns, .axis, .window, .sides(2),
        ]
        let chosen = order.filter(all.contains).prefix(max(0, height))
        rows = all.filter(chosen.contains)
    }

    /// Returns the row in which the states of a row of sides are drawn.
    func row(ofSide side: Int) -> Row {
        let drawn = rows.reduce(0) { if case .sides(let number) = $1 { max($0, number) } else { $0 } }
        return side == 0 || drawn == 0 ? .states : .sides(min(side, drawn))
    }

    /// Returns the worst sign of a column among the states that are drawn in a row.
    func sign(of column: Column, in row: Row) -> StateSign? {
        column.signs.enumerated().filter { self.row(ofSide: $0.offset) == row }.compactMap(\.element).max()
    }

    // MARK: The mouse

    /// Returns the state nearest to a column of a row; nil if none is near. Of several states, this is the first with
    /// the sign that is shown.
    func position(at x: Int, in row: Row?, of timeline: Timeline) -> Int? {
        if row == .window {
            return window.min { abs($0.x - x) < abs($1.x - x) }.flatMap {
                abs($0.x - x) <= Self.windowPitch ? $0.position : nil
            }
        }
        guard let column = columns.min(by: { abs($0.x - x) < abs($1.x - x) }), abs(column.x - x) <= pitch else {
            return nil
        }
        let worst = column.states.map { timeline.facts[$0].sign }.max()
        return column.states.first { timeline.facts[$0].sign == worst }
    }
}
