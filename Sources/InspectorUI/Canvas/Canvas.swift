import DisplayText

/// One cell of the terminal.
public struct Cell: Hashable, Sendable {
    /// What is shown: a character with its combining marks, as ``DisplayText`` lets it through. Empty in the right
    /// half of a wide character.
    public internal(set) var text: String
    public internal(set) var style: Style
    /// The lines through this cell, none for text. Box drawing characters that come out of a document are text, and
    /// never join a line.
    var arms: LineArms

    /// True for the right half of a wide character.
    public var isContinuation: Bool { text.isEmpty }

    static let blank = Cell(text: " ", style: .plain, arms: [])
}

/// A picture of the screen in cells: what a screen draws, what the terminal shows, what tests compare.
///
/// A canvas is a value and knows no terminal. All text that is drawn goes through ``DisplayText``, so that nothing a
/// document contains can reach the terminal as anything but a visible character.
///
/// - Drawing: ``draw(_:x:y:style:maxWidth:overflow:)``, ``draw(_:x:y:maxWidth:overflow:)``, ``clear(_:)``,
///   ``restyle(_:_:)``
/// - Lines: ``box(_:title:trailing:style:)``, ``rule(x:y:length:title:trailing:style:)``,
///   ``verticalLine(x:y:length:style:)``
/// - Parts: ``bounds``, ``clipped(to:_:)``
public struct Canvas: Equatable, Sendable {
    /// What happens to a text that is longer than its place.
    public enum Overflow: Hashable, Sendable {
        /// It is cut off.
        case clip
        /// It is cut off and ends in an ellipsis.
        case ellipsis
        /// Its middle is replaced by an ellipsis: for paths, whose ends tell most.
        case middleEllipsis
    }

    public let width: Int
    public let height: Int
    /// The signs that this canvas can show.
    public let glyphs: Glyphs
    /// Where the terminal's cursor is to be, for fields one types into; nil hides it.
    public var cursor: Point?

    private(set) var cells: [Cell]
    private var clip: Rect

    /// A blank canvas. A negative size is taken as nothing.
    public init(width: Int, height: Int, glyphs: Glyphs = .unicode) {
        self.width = max(0, width)
        self.height = max(0, height)
        self.glyphs = glyphs
        cells = Array(repeating: .blank, count: self.width * self.height)
        clip = Rect(x: 0, y: 0, width: width, height: height)
    }

    public var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

    /// The cell at a place inside the canvas.
    ///
    /// - Precondition: The place is inside ``bounds``.
    public subscript(x: Int, y: Int) -> Cell {
        precondition(bounds.contains(x: x, y: y), "There is no cell (\(x), \(y)) on a canvas of \(width)x\(height).")
        return cells[y * width + x]
    }

    /// Whether a row shows the same as that row of a canvas of the same width: what need not be sent to the terminal.
    public func hasSameRow(_ y: Int, as other: Canvas) -> Bool {
        precondition(width == other.width && y >= 0 && y < height && y < other.height)
        let row = (y * width)..<((y + 1) * width)
        return cells[row] == other.cells[row]
    }

    /// Draws one line of text from `x` to the right and gives the columns it took, never more than `maxWidth`.
    ///
    /// What lies outside the canvas (or the part it is clipped to) is not drawn; a wide character that does not fit
    /// whole leaves a blank. Line ends in the text are shown as escapes: break lines before drawing them.
    @discardableResult
    public mutating func draw(
        _ text: String, x: Int, y: Int, style: Style = .plain, maxWidth: Int = .max, overflow: Overflow = .clip
    ) -> Int {
        draw([StyledText(text, style)], x: x, y: y, maxWidth: maxWidth, overflow: overflow)
    }

    /// Draws texts of several styles one after the other, as one line.
    @discardableResult
    public mutating func draw(
        _ runs: [StyledText], x: Int, y: Int, maxWidth: Int = .max, overflow: Overflow = .clip
    ) -> Int {
        // Beyond the clip nothing can be seen, so that a line of a megabyte costs what is seen of it.
        let room = min(maxWidth, clip.maxX - x)
        guard room > 0, y >= clip.minY, y < clip.maxY else { return 0 }
        let runs =
            overflow == .clip
            ? runs : TextWidth.truncate(runs, to: room, middle: overflow == .middleEllipsis, glyphs: glyphs)
        var used = 0
        drawing: for run in runs {
            for unit in DisplayText(run.text, repertoire: glyphs.repertoire) {
                if used + unit.columns > room {
                    // The half of a wide character that would have fitted.
                    for column in used..<room { put(" ", columns: 1, x: x + column, y: y, style: run.style) }
                    used = room
                    break drawing
                }
                let style = unit.isEscape ? run.style.with(.escape) : run.style
                put(unit.text, columns: unit.columns, x: x + used, y: y, style: style)
                used += unit.columns
            }
        }
        return used
    }

    /// Makes every cell of the rectangle blank.
    public mutating func clear(_ rect: Rect) {
        let area = rect.intersection(clip)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX { put(" ", columns: 1, x: x, y: y, style: .plain) }
        }
    }

    /// Changes the styles in the rectangle and leaves the text: for selections and search matches.
    ///
    ///     canvas.restyle(row) { $0.modifiers.insert(.selected) }
    public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        let area = rect.intersection(clip)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX { change(&cells[y * width + x].style) }
        }
    }

    /// Draws with everything outside the rectangle protected. Coordinates stay those of the whole canvas.
    @discardableResult
    public mutating func clipped<Result>(to rect: Rect, _ body: (inout Canvas) -> Result) -> Result {
        let outer = clip
        clip = clip.intersection(rect)
        defer { clip = outer }
        return body(&self)
    }

    /// Puts one character of one or two columns, keeping the invariant that a wide character is always followed by
    /// its continuation: what it overlaps half becomes blank.
    private mutating func put(_ text: String, columns: Int, x: Int, y: Int, style: Style) {
        guard y >= clip.minY, y < clip.maxY else { return }
        if columns == 2, x < clip.minX || x + 1 >= clip.maxX {
            for half in x...(x + 1) { put(" ", columns: 1, x: half, y: y, style: style) }
            return
        }
        guard x >= clip.minX, x < clip.maxX else { return }
        let index = y * width + x
        if cells[index].isContinuation { cells[index - 1].text = " " }
        let last = x + columns - 1
        if last + 1 < width, cells[y * width + last + 1].isContinuation { cells[y * width + last + 1].text = " " }
        cells[index] = Cell(text: text, style: style, arms: [])
        if columns == 2 { cells[index + 1] = Cell(text: "", style: style, arms: []) }
    }

    /// Leads a line through a cell, uniting it with the lines that are there.
    mutating func putLine(_ arms: LineArms, x: Int, y: Int, style: Style) {
        guard clip.contains(x: x, y: y) else { return }
        let united = cells[y * width + x].arms.union(arms)
        put(glyphs.lines[Int(united.rawValue)], columns: 1, x: x, y: y, style: style)
        cells[y * width + x].arms = united
    }
}
