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

    init(_ purpose: Purpose, text: String = "") {
        self.purpose = purpose
        field = TextField(text)
        before = text
    }
}
