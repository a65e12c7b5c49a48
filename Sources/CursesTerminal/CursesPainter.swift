import CNcurses
import Foundation
import InspectorUI

/// Draws canvases in ncurses' window. ncurses compares the window with the terminal's content and sends the
/// difference.
@MainActor
final class CursesPainter {
    private var last: (canvas: Canvas, theme: Theme)?
    private var colors = CursesColors()
    /// One row in the form that ncurses takes.
    private var row: [cchar_t] = []
    /// A cell's characters, terminated by a zero.
    private var characters = [wchar_t](repeating: 0, count: Int(CCHARW_MAX) + 1)
    private var cursorIsVisible: Bool?

    /// Causes the next canvas to be drawn completely.
    func repaint() {
        last = nil
        cursorIsVisible = nil
        colors.forgetAppearances()
        clearok(cncurses_screen(), true)
    }

    func paint(_ canvas: Canvas, theme: Theme, width: Int, height: Int) {
        let window = cncurses_screen()
        if last?.theme != theme { colors.forgetAppearances() }
        let isComparable =
            last?.theme == theme && last?.canvas.width == canvas.width && last?.canvas.height == canvas.height
        if !isComparable { werase(window) }
        for y in 0..<min(height, canvas.height) {
            if isComparable, let last, canvas.hasSameRow(y, as: last.canvas) { continue }
            fillRow(y, of: canvas, theme: theme, width: width)
            // This does not move the cursor, so the last cell of the last row does not scroll the screen.
            mvwadd_wchnstr(window, Int32(y), 0, row, Int32(row.count))
        }
        last = (canvas, theme)
        placeCursor(canvas.cursor, width: width, height: height)
        wrefresh(window)
    }

    private func placeCursor(_ cursor: Point?, width: Int, height: Int) {
        let isVisible = cursor.map { $0.x >= 0 && $0.x < width && $0.y >= 0 && $0.y < height } ?? false
        if isVisible != cursorIsVisible {
            curs_set(isVisible ? 1 : 0)
            cursorIsVisible = isVisible
        }
        // If the terminal cannot hide its cursor, move it to a corner.
        let place = isVisible ? cursor : nil
        wmove(cncurses_screen(), Int32(place?.y ?? height - 1), Int32(place?.x ?? width - 1))
    }

    /// Fills the row with one entry per character. ncurses adds the right halves of wide characters.
    private func fillRow(_ y: Int, of canvas: Canvas, theme: Theme, width: Int) {
        row.removeAll(keepingCapacity: true)
        var x = 0
        let end = min(width, canvas.width)
        while x < end {
            let cell = canvas[x, y]
            let columns = x + 1 < canvas.width && canvas[x + 1, y].isContinuation ? 2 : 1
            let look = colors.look(of: cell.style, theme: theme)
            if x + columns <= end, setCharacters(cell.text, columns: columns) {
                appendCell(look)
            } else {
                // The window ends in the middle of the character, or the C library disagrees about its width.
                for _ in 0..<min(columns, end - x) {
                    characters[0] = 63
                    characters[1] = 0
                    appendCell(look)
                }
            }
            x += columns
        }
    }

    private func appendCell(_ look: CursesColors.Look) {
        var cell = cchar_t()
        setcchar(&cell, characters, look.attributes, look.pair, nil)
        row.append(cell)
    }

    /// Sets a cell's characters. Returns false if the C library, and therefore ncurses, would use a different number
    /// of columns.
    private func setCharacters(_ text: String, columns: Int) -> Bool {
        var count = 0
        for scalar in text.unicodeScalars where count < Int(CCHARW_MAX) {
            let character = wchar_t(bitPattern: scalar.value)
            if scalar.value >= 0x80, cncurses_character_columns(character) != (count == 0 ? Int32(columns) : 0) {
                if count == 0 { return false }
                continue
            }
            characters[count] = character
            count += 1
        }
        characters[count] = 0
        return count > 0
    }
}
