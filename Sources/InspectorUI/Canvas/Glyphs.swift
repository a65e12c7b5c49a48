import DisplayText

/// The signs that screens draw besides text, in one table, so that no screen needs to know what the terminal can
/// show. Take them from the canvas: `canvas.glyphs.failed`.
public struct Glyphs: Equatable, Sendable {
    public let repertoire: Repertoire

    /// Outcomes of documents and steps.
    public let succeeded, failed, unrecognized, unreadable: String

    /// Of what opens: that something is lost, and a warning.
    public let loss, warning: String

    /// Changes.
    public let added, removed, changed, moved: String

    /// Versions on the line of steps: reached, the one shown, never reached.
    public let reached, here, pending: String

    /// Trees and lists.
    public let expanded, collapsed, bullet, selection: String

    /// Pointing at something, from its right and from below.
    public let pointer, caret: String
    public let arrow, dash, separator, ellipsis: String
    /// A line that goes on beyond the panel's right and left edge.
    public let continuesRight, continuesLeft: String

    /// Progress, scroll bars, and something that turns while work goes on.
    public let barFull, barEmpty, scrollThumb: String
    public let spinner: [String]

    /// Line drawing, indexed by ``LineArms/rawValue``.
    let lines: [String]

    public static let unicode = Glyphs(
        repertoire: .unicode,
        succeeded: "✓", failed: "✗", unrecognized: "?", unreadable: "⊘", loss: "!", warning: "i",
        added: "+", removed: "-", changed: "~", moved: "»",
        reached: "●", here: "◉", pending: "○",
        expanded: "▼", collapsed: "▶", bullet: "•", selection: "▌",
        pointer: "◀", caret: "^", arrow: "→", dash: "–", separator: "·", ellipsis: "…",
        continuesRight: "›", continuesLeft: "‹",
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
        continuesRight: ">", continuesLeft: "<",
        barFull: "#", barEmpty: ".", scrollThumb: "#",
        spinner: ["|", "/", "-", "\\"],
        lines: [" ", "|", "|", "|", "-", "+", "+", "+", "-", "+", "+", "+", "-", "+", "+", "+"]
    )

    public static func glyphs(for repertoire: Repertoire) -> Glyphs { repertoire == .unicode ? unicode : ascii }

    /// A line from left to right, and one from top to bottom.
    var horizontalLine: String { lines[Int(([.left, .right] as LineArms).rawValue)] }
    var verticalLine: String { lines[Int(([.up, .down] as LineArms).rawValue)] }

    /// The sign that turns, after that many ticks.
    func spinner(_ ticks: Int) -> String { spinner[ticks % spinner.count] }
}

/// The directions in which a line leaves a cell. Lines that meet in a cell unite theirs, which is what makes
/// corners, tees and crossings come out right whatever the order of drawing.
struct LineArms: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let up = LineArms(rawValue: 1)
    static let down = LineArms(rawValue: 2)
    static let left = LineArms(rawValue: 4)
    static let right = LineArms(rawValue: 8)
}
