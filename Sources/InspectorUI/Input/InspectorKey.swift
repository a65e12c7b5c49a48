import DisplayText

/// A key on the keyboard, as far as a terminal can distinguish keys.
public enum InspectorKey: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    /// A key that types a character; the space bar is `character(" ")`. Shift is reflected in the character.
    case character(Character)
    /// The Control key and a lowercase letter or one of `@ [ \ ] ^ _`. Ctrl-I, Ctrl-M and Ctrl-[, which terminals
    /// cannot distinguish from Tab, Enter and Escape, are reported as the keys of those names.
    case control(Character)
    case up, down, left, right
    case pageUp, pageDown, home, end
    case tab, backTab, enter, escape
    case backspace, delete, insert
    /// A function key; F1 is `function(1)`.
    case function(Int)

    /// The key that stops a document that is still running. Messages about such a document mention it.
    static let stop: InspectorKey = "x"

    /// Creates a key that types a character, such as `"q"`.
    public init(extendedGraphemeClusterLiteral character: Character) { self = .character(character) }

    /// Returns the name of the key in lists of keys: "↑", "PgUp", "Ctrl-C".
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
