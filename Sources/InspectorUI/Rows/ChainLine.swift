import DisplayText
import MigrationCore

/// The versions of a chain on one line, with the document's path through them. Fitted to any width.
struct ChainLine: Sendable {
    /// A version, or the link between two versions.
    struct Piece: Sendable {
        var runs: [StyledText]
        /// The column where the piece starts, counted from the start of the whole line.
        var x: Int
        var width: Int
        /// The stop that a click leads to.
        var stop: Int?
        var isHere: Bool
    }

    private(set) var pieces: [Piece] = []
    private(set) var width = 0
    /// The column in the middle of the broken link, or of the version that could not be read.
    private(set) var failureColumn: Int?
    /// The number of columns scrolled out of view on the left.
    private(set) var scroll = 0

    /// The sign at the point where the document broke, or where the work on it is.
    private let broken: StyledText

    /// - Parameters:
    ///   - shown: The stop that is shown: 0 for the overview, followed by the steps.
    ///   - hasWholeWay: Whether all steps can be shown as one; nil to determine that from the trace's documents.
    ///   - runningSign: The sign at the point where the work is; nil if the work is done.
    init(
        _ trace: MigrationTrace, stop shown: Int, hasWholeWay: Bool? = nil, width available: Int, glyphs: Glyphs,
        runningSign: String? = nil
    ) {
        broken = runningSign.map { StyledText($0, .progress) } ?? StyledText(glyphs.failed, .failed)
        guard !trace.versions.isEmpty else { return }
        let hasWholeWay = hasWholeWay ?? (trace.wholeWay != nil)
        // Shorten the type names bit by bit, those of the shown step last. If that is not enough, scroll.
        for names in [(here: Int.max, elsewhere: Int.max), (16, 16), (12, 12), (16, 0), (0, 0)] {
            build(trace, shown, hasWholeWay, names, glyphs)
            if width <= available { return }
        }
        let here = pieces.filter(\.isHere)
        let start = here.first?.x ?? 0
        let end = here.last.map { $0.x + $0.width } ?? 0
        scroll = max(0, min((start + end - available) / 2, width - available))
    }

    /// Returns the stop for a click at `column`, counted from the left edge of the visible part.
    func stop(at column: Int) -> Int? {
        pieces.first { $0.x <= column + scroll && column + scroll < $0.x + $0.width }?.stop
    }

    /// - Parameter names: The widths that type names may have at the ends of the shown step and elsewhere.
    private mutating func build(
        _ trace: MigrationTrace, _ shown: Int, _ hasWholeWay: Bool, _ names: (here: Int, elsewhere: Int),
        _ glyphs: Glyphs
    ) {
        pieces = []
        width = 0
        failureColumn = nil
        let found = trace.versions.firstIndex { $0.version == trace.detection.version }
        // Parts that cannot be read break a document at its own version, even if its other parts pass the step.
        let breaksAtOnce =
            trace.outcome == .failed && trace.failure?.step == nil
            && (trace.steps.isEmpty || trace.isMigratedButForParts)
        let isFailedStep = shown > 0 && shown <= trace.steps.count && trace.steps[shown - 1].failure != nil
        for (position, version) in trace.versions.enumerated() {
            let stop = position == found ? 0 : trace.steps.firstIndex { $0.to == version.version }.map { $0 + 1 }
            if position > 0 { appendLink(stop, trace, shown, glyphs) }
            let isHere = stop == shown && !isFailedStep
            let isReached =
                stop.map { $0 == 0 || trace.steps[$0 - 1].failure == nil && !trace.isMigratedButForParts } ?? false
            let (sign, style): (String, Style) =
                if stop == 0 && breaksAtOnce {
                    (broken.text, broken.style)
                } else if isHere {
                    (glyphs.here, .current)
                } else if isReached {
                    (glyphs.reached, .succeeded)
                } else {
                    (glyphs.pending, .pending)
                }
            if stop == 0 && breaksAtOnce { failureColumn = width }
            let textStyle: Style = isHere ? .current : isReached ? .plain : .dim
            var runs = [StyledText(sign + " ", style), StyledText("\(version.version)", textStyle)]
            let longest = stop.map { $0 == shown || $0 + 1 == shown } ?? false ? names.here : names.elsewhere
            // The type of a document without a version adds nothing to "none".
            if version.version != .unversioned, longest > 0 {
                let name = TextWidth.truncate(version.type, to: longest, middle: true, glyphs: glyphs)
                runs.append(StyledText(" \(name)", textStyle))
            }
            add(runs, stop, isHere, glyphs)
        }
        if hasWholeWay {
            let stop = trace.steps.count + 1
            let isHere = shown == stop
            add([StyledText("   "), StyledText("all", isHere ? .current : .dim)], stop, isHere, glyphs)
        }
        if found == nil, let version = trace.detection.version, trace.outcome != .current {
            // The document's version is not in the chain.
            failureColumn = width + 3
            add([StyledText("   "), StyledText("\(glyphs.failed) \(version)", .failed)], 0, true, glyphs)
        }
    }

    private mutating func appendLink(
        _ stop: Int?, _ trace: MigrationTrace, _ shown: Int, _ glyphs: Glyphs
    ) {
        let line = String(repeating: glyphs.horizontalLine, count: 2)
        guard let stop, stop > 0 else { return add([StyledText(" \(line) ", .pending)], nil, false, glyphs) }
        let isHere = shown == stop
        let step = trace.steps[stop - 1]
        if step.failure != nil
            || stop == trace.steps.count && trace.isMigratedButForParts && trace.failure?.step != nil
        {
            failureColumn = width + 1 + TextWidth.columns(of: line, repertoire: glyphs.repertoire)
            let style = isHere ? broken.style.with(.emphasized) : broken.style
            let text = StyledText("\(line)\(broken.text)\(line)", style)
            return add([StyledText(" "), text, StyledText(" ")], stop, isHere, glyphs)
        }
        add([StyledText(" \(line) ", isHere ? .current : .succeeded)], stop, isHere, glyphs)
    }

    private mutating func add(_ runs: [StyledText], _ stop: Int?, _ isHere: Bool, _ glyphs: Glyphs) {
        let columns = TextWidth.columns(of: runs, repertoire: glyphs.repertoire)
        pieces.append(Piece(runs: runs, x: width, width: columns, stop: stop, isHere: isHere))
        width += columns
    }
}
