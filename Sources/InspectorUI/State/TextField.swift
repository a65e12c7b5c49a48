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

    /// More than anybody means to search for.
    private static let longestPaste = 1000
}
