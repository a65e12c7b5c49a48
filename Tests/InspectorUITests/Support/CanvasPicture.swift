@testable import InspectorUI

/// Canvases as text.
extension Canvas {
    /// The picture, a line a row, without the blanks at the end of each line.
    var text: String {
        picture { _ in true }
    }

    /// The cells that have this role; blanks elsewhere.
    func picture(of role: Role) -> String {
        picture { $0.role == role }
    }

    /// The cells whose style fits; blanks elsewhere:
    ///
    ///     canvas.picture { $0.modifiers.contains(.selected) }
    func picture(where fits: (Style) -> Bool) -> String {
        (0..<height).map { y in
            var line = ""
            for cell in cells[(y * width)..<((y + 1) * width)] {
                // A wide character that is left out still takes its two columns.
                line += fits(cell.style) ? cell.text : " "
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
