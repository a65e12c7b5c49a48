import DisplayText

/// A key on the keyboard, as far as a terminal can tell.
public enum InspectorKey: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    /// A key that writes something; the blank is `character(" ")`. Shift is in the character.
    case character(Character)
    /// The control key and a letter (in lower case) or one of `@ [ \ ] ^ _`. Tab, Enter and Escape, which terminals
    /// cannot tell from Ctrl-I, Ctrl-M and Ctrl-[, are the keys of those names.
    case control(Character)
    case up, down, left, right
    case pageUp, pageDown, home, end
    case tab, backTab, enter, escape
    case backspace, delete, insert
    /// F1 is `function(1)`.
    case function(Int)

    /// The key that stops a document that is still running; a sentence about such a document names it.
    static let stop: InspectorKey = "x"

    /// A key that writes something: `"q"`.
    public init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }

    /// What the key is called where keys are listed: "↑", "PgUp", "Ctrl-C".
    public func name(in repertoire: Repertoire = .unicode) -> String {
        switch self {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .control(let character): "Ctrl-" + character.uppercased()
        case .up: repertoire == .unicode ? "↑" : "Up"
        case .down: repertoire == .unicode ? "↓" : "Down"
        case .left: repertoire == .unicode ? "←" : "Left"
        case .right: repertoire == .unicode ? "→" : "Right"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .home: "Home"
        case .end: "End"
        case .tab: "Tab"
        case .backTab: "Shift-Tab"
        case .enter: "Enter"
        case .escape: "Esc"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .insert: "Ins"
        case .function(let number): "F\(number)"
        }
    }
}
