import DisplayText

/// One cell of the terminal.
public struct Cell: Hashable, Sendable {
    /// The character to show, including its combining marks, as produced by ``DisplayText``. Empty in the right half
    /// of a wide character.
    public internal(set) var text: String
    public internal(set) var style: Style
    /// The lines through this cell; empty for text. Box drawing characters in a document are text and never join a
    /// line.
    package internal(set) var arms: LineArms

    /// Whether the cell is a part of a frame or rule, and no text.
    package var isLine: Bool { !arms.isEmpty }
    /// Whether this is the right half of a wide character.
    public var isContinuation: Bool { text.isEmpty }

    static let blank = Cell(text: " ", style: .plain, arms: [])
}

/// A picture of the screen in cells. Screens draw it, the terminal shows it, and tests compare it.
///
/// A canvas is a value and does not depend on a terminal. All text is drawn through ``DisplayText``, so the content
/// of a document only reaches the terminal as visible characters.
///
/// - Drawing: ``draw(_:x:y:style:maxWidth:overflow:)``, ``draw(_:x:y:maxWidth:overflow:)``, ``clear(_:)``,
///   ``restyle(_:_:)``
/// - Lines: ``box(_:title:trailing:style:)``, ``rule(x:y:length:title:trailing:style:)``,
///   ``verticalLine(x:y:length:style:)``
/// - Parts: ``bounds``, ``clipped(to:_:)``
public struct Canvas: Equatable, Sendable {
    /// How to shorten a text that is longer than the space for it.
    public enum Overflow: Hashable, Sendable {
        /// The text is cut off.
        case clip
        /// The text is cut off and ends with an ellipsis.
        case ellipsis
        /// The middle of the text is replaced by an ellipsis, as for paths, whose ends say the most.
        case middleEllipsis
    }

    public let width: Int
    public let height: Int
    /// The signs that this canvas can show.
    public let glyphs: Glyphs
    /// The position of the terminal's cursor, for text fields; nil hides the cursor.
    public var cursor: Point?

    private(set) var cells: [Cell]
    private var clip: Rect

    /// Creates a blank canvas. Negative dimensions count as zero.
    public init(width: Int, height: Int, glyphs: Glyphs = .unicode) {
        self.width = max(0, width)
        self.height = max(0, height)
        self.glyphs = glyphs
        cells = Array(repeating: .blank, count: self.width * self.height)
        clip = Rect(x: 0, y: 0, width: width, height: height)
    }

    public var bounds: Rect { Rect(x: 0, y: 0, width: width, height: height) }

    /// The cell at a position.
    ///
    /// - Precondition: The position is inside ``bounds``.
    public subscript(x: Int, y: Int) -> Cell {
        precondition(bounds.contains(x: x, y: y), "There is no cell (\(x), \(y)) on a canvas of \(width)x\(height).")
        return cells[y * width + x]
    }

    /// Returns whether a row equals the same row of another canvas of the same width, so that it need not be sent to
    /// the terminal again.
    public func hasSameRow(_ y: Int, as other: Canvas) -> Bool {
        precondition(width == other.width && y >= 0 && y < height && y < other.height)
        let row = (y * width)..<((y + 1) * width)
        return cells[row] == other.cells[row]
    }

    /// Draws a line of text starting at `x`, and returns the number of columns it took, which is at most `maxWidth`.
    ///
    /// Anything outside the canvas (or the area that it is clipped to) is not drawn. A wide character that does not
    /// fit leaves a blank. Line breaks in the text are shown as escapes, so break text into lines before drawing it.
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
        // Only the visible part is drawn, so a line of a megabyte costs no more than that.
        let room = min(maxWidth, clip.maxX - x)
        guard room > 0, y >= clip.minY, y < clip.maxY else { return 0 }
        let runs =
            overflow == .clip
            ? runs : TextWidth.truncate(runs, to: room, middle: overflow == .middleEllipsis, glyphs: glyphs)
        var used = 0
        drawing: for run in runs {
            for unit in DisplayText(run.text, repertoire: glyphs.repertoire) {
                if used + unit.columns > room {
                    // Blank out the half of a wide character that would have fit.
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

    /// Changes the styles in the rectangle without changing the text, as for selections and search matches.
    ///
    ///     canvas.restyle(row) { $0.modifiers.insert(.selected) }
    public mutating func restyle(_ rect: Rect, _ change: (inout Style) -> Void) {
        let area = rect.intersection(clip)
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX { change(&cells[y * width + x].style) }
        }
    }

    /// Draws with everything outside the rectangle protected. Coordinates are still those of the whole canvas.
    @discardableResult
    public mutating func clipped<Result>(to rect: Rect, _ body: (inout Canvas) -> Result) -> Result {
        let outer = clip
        clip = clip.intersection(rect)
        defer { clip = outer }
        return body(&self)
    }

    /// Draws one character of one or two columns. Maintains the invariant that a wide character is always followed by
    /// its continuation: a wide character that is half overwritten becomes blank.
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

    /// Draws a line through a cell and joins it with the lines already there.
    mutating func putLine(_ arms: LineArms, x: Int, y: Int, style: Style) {
        guard clip.contains(x: x, y: y) else { return }
        let united = cells[y * width + x].arms.union(arms)
        put(glyphs.lines[Int(united.rawValue)], columns: 1, x: x, y: y, style: style)
        cells[y * width + x].arms = united
    }
}
