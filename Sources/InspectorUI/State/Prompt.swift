/// A line that is being typed, and what it is for.
struct Prompt: Sendable {
    enum Purpose: Sendable {
        case filter
        case search
    }

    let purpose: Purpose
    var field: TextField
    /// What was there before, for Escape.
    let before: String
    /// How far back one has gone in what was typed earlier, and what was typed before going there.
    private var recalled = 0
    private var draft = ""

    init(_ purpose: Purpose, text: String = "") {
        self.purpose = purpose
        field = TextField(text)
        before = text
    }

    /// Brings back a text that was typed earlier, or the next later one. `earlier` has the latest at its end.
    mutating func recall(older: Bool, from earlier: [String]) {
        let next = recalled + (older ? 1 : -1)
        guard next >= 0, next <= earlier.count else { return }
        if recalled == 0 { draft = field.text }
        recalled = next
        field = TextField(next == 0 ? draft : earlier[earlier.count - next])
    }
}
