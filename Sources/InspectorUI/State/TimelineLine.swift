import DisplayText
import DocumentModel
import MigrationCore

/// The states of a timeline from left to right, with a sign for each, and versions above the states where they begin.
/// Fitted to any width around the current state.
struct TimelineLine: Sendable {
    /// A visible state.
    struct Cell: Sendable {
        let position: Int
        /// The column of the sign.
        let x: Int
        let sign: StyledText
        let isHere: Bool
        /// Whether the state is on a side of a merge.
        let isOnSide: Bool
    }

    /// The name of a version, above the first visible state of that version.
    struct Label: Sendable {
        let x: Int
        let text: String
        let isHere: Bool
    }

    private(set) var cells: [Cell] = []
    private(set) var labels: [Label] = []
    /// The number of columns from one state to the next.
    private(set) var pitch = 1
    /// Whether there are more states to the left and right of the visible ones.
    private(set) var goesOn = (left: false, right: false)

    init(_ timeline: Timeline, here: Int, documents: DocumentList, width: Int, glyphs: Glyphs) {
        let count = timeline.states.count
        guard count > 0, width > 0 else { return }
        pitch = [4, 3, 2].first { (count - 1) * $0 < width } ?? 1
        let room = max(1, (width - 1) / pitch + 1)
        let first = max(0, min(here - room / 2, count - room))
        let seen = first..<min(count, first + room)
        goesOn = (seen.lowerBound > 0, seen.upperBound < count)
        var shownVersion: DocumentVersion??
        var free = 0
        for position in seen {
            let result = documents.result(of: timeline.states[position])
            let x = (position - first) * pitch
            cells.append(
                Cell(
                    position: position, x: x, sign: StateSign.text(result, glyphs), isHere: position == here,
                    isOnSide: timeline.sides.contains(timeline.states[position])))
            // The versions are those of the line to the newest state.
            guard let result, cells.last?.isOnSide == false else { continue }
            let isNew = shownVersion == nil || shownVersion != .some(result.version)
            shownVersion = .some(result.version)
            guard isNew, let version = result.version else { continue }
            let text = VersionSummary.name(version)
            let columns = TextWidth.columns(of: text, repertoire: glyphs.repertoire)
            // Leave out a name that would cover another. The current state's version is also shown below.
            guard x >= free, x + columns <= width else { continue }
            labels.append(Label(x: x, text: text, isHere: position == here))
            free = x + columns + 1
        }
    }

    /// Returns the state nearest to a column; nil if none is near.
    func position(at column: Int) -> Int? {
        cells.min { abs($0.x - column) < abs($1.x - column) }.flatMap {
            abs($0.x - column) <= pitch ? $0.position : nil
        }
    }
}
