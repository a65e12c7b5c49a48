/// A line that the user is typing, and its purpose.
struct Prompt: Sendable {
    /// What the text is for.
    struct Purpose: Sendable {
        /// The label in front of the text.
        let label: String
        /// The words at the bottom of the screen for the keys that take the text and that leave it.
        var hints = PromptWords.entry
        /// Whether the text is the name of a file or folder, which can be completed.
        var isPath = false
        /// Whether deleting in an empty prompt closes it.
        var closesIfEmpty = false
        /// Takes the text. Returns what is wrong with it, or nil.
        let take: @Sendable (inout Inspector, String) -> String?
        /// Follows each change of the text.
        var changed: @Sendable (inout Inspector, String) -> Void = { _, _ in }
        /// Leaves the prompt, given the text before the user began typing.
        var leave: @Sendable (inout Inspector, String) -> Void = { _, _ in }
        /// Handles the keys that go up and down.
        var arrow: @Sendable (inout Inspector, _ isUp: Bool) -> Void = { _, _ in }
    }

    let purpose: Purpose
    var field: TextField
    /// The text before the user began typing.
    let before: String
    /// The problem with the text that was entered; nil once the text changes.
    var problem: String?
    /// The completions of the typed name, while it is being completed.
    var completions: PathCompletions?
    /// How far back the user has gone in earlier texts, and the text typed before going back.
    private var recalled = 0
    private var draft = ""

    init(_ purpose: Purpose, text: String = "", problem: String? = nil) {
        self.purpose = purpose
        self.problem = problem
        field = TextField(text)
        before = text
    }

    /// Recalls an earlier text, or the next later one. `earlier` has the latest text last.
    mutating func recall(older: Bool, from earlier: [String]) {
        let next = recalled + (older ? 1 : -1)
        guard next >= 0, next <= earlier.count else { return }
        if recalled == 0 { draft = field.text }
        recalled = next
        field = TextField(next == 0 ? draft : earlier[earlier.count - next])
    }
}

/// A line of text that the user is typing.
struct TextField: Hashable, Sendable {
    /// The text before the cursor, followed by the text after it.
    private(set) var before: String
    private(set) var after = ""

    var text: String { before + after }

    /// Creates a field with this text and the cursor at its end.
    init(_ text: String = "") {
        before = text
    }

    /// Edits the text or moves the cursor. Returns false for a key that does neither.
    mutating func handle(_ key: InspectorKey) -> Bool {
        switch key {
        case .character(let character): before.append(character)
        case .backspace: before = String(before.dropLast())
        case .delete, .control("d"): after = String(after.dropFirst())
        case .left, .control("b"): if let last = before.popLast() { after = String(last) + after }
        case .right, .control("f"): if !after.isEmpty { before.append(after.removeFirst()) }
        case .home, .control("a"): (before, after) = ("", text)
        case .end, .control("e"): (before, after) = (text, "")
        case .control("u"): before = ""
        case .control("k"): after = ""
        case .control("w"): deleteWord()
        default: return false
        }
        return true
    }

    /// Inserts the first line of a pasted text.
    mutating func paste(_ pasted: String) {
        let line = pasted.drop { $0.isNewline }.prefix { !$0.isNewline }
        before += line.prefix(Self.longestPaste)
    }

    private mutating func deleteWord() {
        while before.last?.isWhitespace == true { before.removeLast() }
        while let last = before.last, !last.isWhitespace { before.removeLast() }
    }

    /// A limit that no search exceeds, in characters.
    private static let longestPaste = 1000
}

/// A one-line message to the user that goes away at the next key or after a while.
struct Message: Sendable {
    let text: String
    /// Whether the message stays until a key is pressed. True for news about the user's files, so that it is not
    /// missed.
    let stays: Bool
    private var ticksLeft: Int

    init(_ notice: Notice, stays: Bool = false) {
        text = notice.text
        self.stays = stays
        ticksLeft = Self.ticks
    }

    /// Returns false once the message has expired.
    mutating func tick() -> Bool {
        if stays { return true }
        ticksLeft -= 1
        return ticksLeft > 0
    }

    /// Long enough to read a line, at a few ticks a second.
    private static let ticks = 20
}
