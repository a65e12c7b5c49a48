import DisplayText

/// The signs that screens draw besides text, in one table, so that screens do not depend on what the terminal can
/// show. Get them from the canvas: `canvas.glyphs.failed`.
public struct Glyphs: Equatable, Sendable {
    public let repertoire: Repertoire

    /// Outcomes of documents and steps.
    public let succeeded, failed, unrecognized, unreadable: String

    /// Documents that open, but with a loss or a warning.
    public let loss, warning: String

    /// Changes.
    public let added, removed, changed, moved: String

    /// Versions in the line of steps: reached, shown now, never reached.
    public let reached, here, pending: String

    /// Trees and lists.
    public let expanded, collapsed, bullet, selection: String

    /// Pointers to something, from its right and from below.
    public let pointer, caret: String
    public let arrow, dash, separator, ellipsis: String
    /// Signs for lines that continue beyond the right or left edge of the panel.
    public let continuesRight, continuesLeft: String

    /// Numbers as columns of a chart, from low to high.
    public let levels: [String]

    /// Progress bars, scroll bars, and the spinner that turns while work is going on.
    public let barFull, barEmpty, scrollThumb: String
    public let spinner: [String]

    /// Line drawing characters, indexed by ``LineArms/rawValue``.
    let lines: [String]

    public static let unicode = Glyphs(
        repertoire: .unicode,
        succeeded: "✓", failed: "✗", unrecognized: "?", unreadable: "⊘", loss: "!", warning: "i",
        added: "+", removed: "-", changed: "~", moved: "»",
        reached: "●", here: "◉", pending: "○",
        expanded: "▼", collapsed: "▶", bullet: "•", selection: "▌",
        pointer: "◀", caret: "^", arrow: "→", dash: "–", separator: "·", ellipsis: "…",
        continuesRight: "›", continuesLeft: "‹", levels: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
        barFull: "█", barEmpty: "░", scrollThumb: "┃",
        spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
        lines: [" ", "│", "│", "│", "─", "┘", "┐", "┤", "─", "└", "┌", "├", "─", "┴", "┬", "┼"]
    )

    public static let ascii = Glyphs(
        repertoire: .ascii,
        succeeded: "v", failed: "x", unrecognized: "?", unreadable: "/", loss: "!", warning: "i",
        added: "+", removed: "-", changed: "~", moved: ">",
        reached: "*", here: "@", pending: "o",
        expanded: "v", collapsed: ">", bullet: "*", selection: ">",
        pointer: "<", caret: "^", arrow: "->", dash: "-", separator: "-", ellipsis: "...",
        continuesRight: ">", continuesLeft: "<", levels: ["_", ".", ",", "-", "~", "=", "*", "#"],
        barFull: "#", barEmpty: ".", scrollThumb: "#",
        spinner: ["|", "/", "-", "\\"],
        lines: [" ", "|", "|", "|", "-", "+", "+", "+", "-", "+", "+", "+", "-", "+", "+", "+"]
    )

    public static func glyphs(for repertoire: Repertoire) -> Glyphs { repertoire == .unicode ? unicode : ascii }

    /// A line from left to right, and a line from top to bottom.
    var horizontalLine: String { lines[Int(([.left, .right] as LineArms).rawValue)] }
    var verticalLine: String { lines[Int(([.up, .down] as LineArms).rawValue)] }

    /// Returns the spinner's sign after a number of ticks.
    func spinner(_ ticks: Int) -> String { spinner[ticks % spinner.count] }
}

/// The directions in which a line leaves a cell. Where lines meet in a cell, their arms are combined, so corners,
/// tees and crossings come out right in any drawing order.
package struct LineArms: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let up = LineArms(rawValue: 1)
    package static let down = LineArms(rawValue: 2)
    package static let left = LineArms(rawValue: 4)
    package static let right = LineArms(rawValue: 8)
}

extension Glyphs {
    var times: String { repertoire == .unicode ? "×" : "x" }
    var arrowBack: String { repertoire == .unicode ? "←" : "<-" }
}
