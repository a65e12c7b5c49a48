/// A mouse action, and the cell where it took place.
public struct InspectorMouse: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The left button was pressed.
        case press
        /// The left button was pressed again, shortly after and in the same cell. Follows a `press`.
        case doublePress
        case wheelUp
        case wheelDown
    }

    public var kind: Kind
    public var x: Int
    public var y: Int

    public init(_ kind: Kind, x: Int, y: Int) {
        self.kind = kind
        self.x = x
        self.y = y
    }
}

/// User input.
public enum InspectorInput: Hashable, Sendable {
    case key(InspectorKey)
    case mouse(InspectorMouse)
    /// A pasted text. Its characters must not be handled as keys.
    case paste(String)
    /// The size of the window has changed.
    case resize(width: Int, height: Int)
}
