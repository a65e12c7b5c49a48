/// A line that is being typed, and what it is for.
struct Prompt: Sendable {
    enum Purpose: Sendable {
        case filter
        case search
        /// Something that is asked for once.
        case entry(Entry)

        /// What stands before the text.
        var label: String {
            switch self {
            case .filter: "Name contains: "
            case .search: "Search: "
            case .entry(let entry): "\(entry.label): "
            }
        }

        var isEntry: Bool { if case .entry = self { true } else { false } }
    }

    /// What a text is asked for, and what becomes of it.
    struct Entry: Sendable {
        let label: String
        /// Whether the name of a file or folder is asked for, which can be completed.
        var isPath = false
        /// Takes the text; gives what is wrong with it, or nil.
        let take: @Sendable (inout Inspector, String) -> String?
    }

    let purpose: Purpose
    var field: TextField
    /// What was there before, for Escape.
    let before: String
    /// What was wrong with the text when it was entered, until it changes.
    var problem: String?
    /// The names that what was typed may become, while it is completed.
    var completions: PathCompletions?
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

/// A line of text that is being typed.
struct TextField: Hashable, Sendable {
    /// What stands before the cursor, and from it on.
    private(set) var before: String
    private(set) var after = ""

    var text: String { before + after }

    /// A field with this text and the cursor at its end.
    init(_ text: String = "") {
        before = text
    }

    /// Changes the text or moves the cursor as the key says; false for a key that does neither.
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

    /// Inserts a text that was pasted: its first line, since this is one line.
    mutating func paste(_ pasted: String) {
        let line = pasted.drop { $0.isNewline }.prefix { !$0.isNewline }
        before += line.prefix(Self.longestPaste)
    }

    private mutating func deleteWord() {
        while before.last?.isWhitespace == true { before.removeLast() }
        while let last = before.last, !last.isWhitespace { before.removeLast() }
    }

    /// No search is longer.
    private static let longestPaste = 1000
}

/// One line that tells the user something, and goes away at the next key or by itself.
struct Message: Sendable {
    let text: String
    /// True of what became of the user's files: it is there until a key is pressed, for one who looked elsewhere.
    let stays: Bool
    private var ticksLeft: Int

    init(_ text: String, stays: Bool = false) {
        self.text = text
        self.stays = stays
        ticksLeft = Self.ticks
    }

    /// False when its time is over.
    mutating func tick() -> Bool {
        if stays { return true }
        ticksLeft -= 1
        return ticksLeft > 0
    }

    /// Long enough to read a line, at a few ticks a second.
    private static let ticks = 20
}
