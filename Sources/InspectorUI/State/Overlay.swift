/// Something that takes the keys and the mouse from the panels, and usually covers them: a menu, a page of text, a
/// prompt. There is at most one.
protocol Overlay: PanelView {
    /// All keys that work, except the ones that ``typed(_:in:)`` takes.
    var keys: [KeyGroup] { get }
    /// Whether it shows the document that is inspected, and closes when another one is.
    var isOfDocument: Bool { get }
    /// Whether all keys are typed as text.
    var isTyping: Bool { get }

    /// Returns the frame in the area of the panels; empty if the panels stay visible.
    func frame(in panels: Rect) -> Rect
    /// Lays out the content in the frame, and scrolls to the selection.
    mutating func show(in frame: Rect)
    /// Returns the area of the rows that the keys scroll; nil if the keys act on the focused panel.
    func rows(in frame: Rect) -> Rect?
    func draw(_ inspector: Inspector, in frame: Rect, on canvas: inout Canvas)

    /// Handles a key that has no command. Returns false if it does nothing.
    func typed(_ key: InspectorKey, in inspector: inout Inspector) -> Bool
    /// Handles a click, which may be the second of a double-click.
    ///
    /// - Returns: False to pass the click on to the panels.
    func clicked(_ mouse: InspectorMouse, in inspector: inout Inspector) -> Bool
    /// Handles a tick of the clock.
    func tick(in inspector: inout Inspector)
    /// Restores what the overlay changed, after it was closed.
    func closed(in inspector: inout Inspector)
}

extension Overlay {
    var isOfDocument: Bool { false }
    var isTyping: Bool { false }
    func frame(in panels: Rect) -> Rect { .zero }
    mutating func show(in frame: Rect) {}
    func rows(in frame: Rect) -> Rect? { frame.inset(1) }
    func draw(_ inspector: Inspector, in frame: Rect, on canvas: inout Canvas) {}
    func typed(_ key: InspectorKey, in inspector: inout Inspector) -> Bool { false }
    func tick(in inspector: inout Inspector) {}
    func closed(in inspector: inout Inspector) {}
}

extension Inspector {
    var menu: MenuView? { overlay as? MenuView }
    var page: PageView? { overlay as? PageView }
    var chainTable: ChainTable? { overlay as? ChainTable }
    var prompt: Prompt? { overlay as? Prompt }
    var playback: Playback? { overlay as? Playback }

    /// Changes the overlay, if it is one of this type.
    mutating func change<View: Overlay>(_ type: View.Type, _ change: (inout View) -> Void) {
        guard var view = overlay as? View else { return }
        change(&view)
        overlay = view
    }

    mutating func closeOverlay() {
        let closed = overlay
        overlay = nil
        closed?.closed(in: &self)
    }

    /// Opens an overlay that was not asked for just now, unless the user is in another one.
    ///
    /// - Parameter notice: What to say in that case.
    mutating func offer(_ later: (any Overlay)?, else notice: Notice) {
        if overlay == nil { overlay = later } else { say(notice) }
    }

    /// Shows a message, unless one is shown that stays until a key is pressed.
    mutating func say(_ notice: Notice) { if message?.stays != true { message = Message(notice) } }
}
