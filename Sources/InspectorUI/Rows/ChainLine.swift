import MigrationCore

/// The versions of a chain on one line, with the way that the document took: fitted to any width.
struct ChainLine: Sendable {
    /// A version or the link between two.
    struct Piece: Sendable {
        var runs: [StyledText]
        /// Columns from the beginning of the whole line.
        var x: Int
        var width: Int
        /// Where a click leads.
        var stop: Int?
        var isHere: Bool
    }

    private(set) var pieces: [Piece] = []
    private(set) var width = 0
    /// The middle of the broken link, or of the version that could not be read.
    private(set) var failureColumn: Int?
    /// The columns that are scrolled out at the left.
    private(set) var scroll = 0

    init(_ inspection: Inspection, width available: Int, glyphs: Glyphs) {
        guard let trace = inspection.trace, !trace.versions.isEmpty else { return }
        // Names go first, a bit at a time; then one scrolls.
        for longest in [Int.max, 16, 12, 8, 5] {
            build(trace, inspection, longest, glyphs)
            if width <= available { return }
        }
        let here = pieces.filter(\.isHere)
        let start = here.first?.x ?? 0
        let end = here.last.map { $0.x + $0.width } ?? 0
        scroll = max(0, min((start + end - available) / 2, width - available))
    }

    private mutating func build(_ trace: MigrationTrace, _ inspection: Inspection, _ longest: Int, _ glyphs: Glyphs) {
        pieces = []
        width = 0
        failureColumn = nil
        let found = trace.versions.firstIndex { $0.version == trace.detection.version }
        let reached = trace.steps.filter { $0.after != nil }.count
        for (position, version) in trace.versions.enumerated() {
            if position > 0 { appendLink(to: position, found, trace, inspection, glyphs) }
            let stop = found.map { position - $0 }
            let state = State(
                isPast: stop.map { $0 < 0 } ?? false, isReached: stop.map { $0 >= 0 && $0 <= reached } ?? false,
                isBroken: stop == 0 && trace.outcome == .failed && trace.failure?.step == nil && trace.steps.isEmpty)
            let isHere = stop == inspection.stop && !(inspection.shownStep != nil && inspection.failureHere != nil)
            append(
                version, state, stop.flatMap { $0 >= 0 && $0 < inspection.stopCount ? $0 : nil }, isHere, longest,
                glyphs)
        }
        if found == nil, let version = trace.detection.version, trace.outcome != .current {
            appendUnknown(version, glyphs)
        }
    }

    private struct State {
        let isPast: Bool
        let isReached: Bool
        let isBroken: Bool
    }

    private mutating func append(
        _ version: ChainVersion, _ state: State, _ stop: Int?, _ isHere: Bool, _ longest: Int, _ glyphs: Glyphs
    ) {
        let sign =
            state.isBroken
            ? glyphs.failed
            : isHere ? glyphs.here : state.isReached || state.isPast ? glyphs.reached : glyphs.pending
        let style: Style =
            state.isBroken ? .failed : isHere ? .current : state.isReached ? .succeeded : state.isPast ? .dim : .pending
        if state.isBroken { failureColumn = width }
        var runs = [
            StyledText(sign + " ", style),
            StyledText("\(version.version)", isHere ? .current : state.isReached ? .plain : .dim),
        ]
        // The type of "none" says nothing that "none" does not.
        if version.version != .unversioned {
            let name = TextWidth.truncate(version.type, to: longest, glyphs: glyphs)
            runs.append(StyledText(" \(name)", isHere ? .current : state.isReached ? .plain : .dim))
        }
        add(runs, stop, isHere, glyphs)
    }

    private mutating func appendLink(
        to position: Int, _ found: Int?, _ trace: MigrationTrace, _ inspection: Inspection, _ glyphs: Glyphs
    ) {
        let stop = found.map { position - $0 } ?? 0
        let line = glyphs.repertoire == .unicode ? "──" : "--"
        guard stop > 0, stop <= trace.steps.count else {
            return add([StyledText(" \(line) ", .pending)], nil, false, glyphs)
        }
        let isHere = inspection.stop == stop
        let step = trace.steps[stop - 1]
        if step.after == nil {
            failureColumn = width + 1 + TextWidth.columns(of: line, repertoire: glyphs.repertoire)
            let style: Style = isHere ? .failed.with(.emphasized) : .failed
            return add([StyledText(" \(line)\(glyphs.failed)\(line) ", style)], stop, isHere, glyphs)
        }
        add([StyledText(" \(line) ", isHere ? .current : .succeeded)], stop, isHere, glyphs)
    }

    /// A version that is none of the chain's.
    private mutating func appendUnknown(_ version: DocumentVersion, _ glyphs: Glyphs) {
        failureColumn = width + 3
        add([StyledText("   \(glyphs.failed) \(version)", .failed)], 0, true, glyphs)
    }

    private mutating func add(_ runs: [StyledText], _ stop: Int?, _ isHere: Bool, _ glyphs: Glyphs) {
        let columns = TextWidth.columns(of: runs, repertoire: glyphs.repertoire)
        pieces.append(Piece(runs: runs, x: width, width: columns, stop: stop, isHere: isHere))
        width += columns
    }
}
