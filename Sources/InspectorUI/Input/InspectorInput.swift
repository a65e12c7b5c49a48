/// Something the mouse did, and the cell it did it in.
public struct InspectorMouse: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// The left button went down.
        case press
        /// The left button went down a second time, soon after and in the same place. A `press` came before it.
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

/// What a person does to the screens.
public enum InspectorInput: Hashable, Sendable {
    case key(InspectorKey)
    case mouse(InspectorMouse)
    /// A text that was pasted as a whole. Its characters must not be taken for keys.
    case paste(String)
    /// The window has another size now.
    case resize(width: Int, height: Int)
}
