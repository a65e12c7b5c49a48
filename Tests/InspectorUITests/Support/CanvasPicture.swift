@testable import InspectorUI

/// Pictures of a canvas as text.
extension Canvas {
    /// The picture with one line for each row, without trailing blanks.
    var text: String {
        picture { _ in true }
    }

    /// Returns the cells with this role, and blanks elsewhere.
    func picture(of role: Role) -> String {
        picture { $0.role == role }
    }

    /// Returns the cells whose style matches, and blanks elsewhere:
    ///
    ///     canvas.picture { $0.modifiers.contains(.selected) }
    func picture(where fits: (Style) -> Bool) -> String {
        (0..<height).map { y in
            var line = ""
            for cell in cells[(y * width)..<((y + 1) * width)] {
                // A wide character that is left out still takes two columns.
                line += fits(cell.style) ? cell.text : " "
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }
}
