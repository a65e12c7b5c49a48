/// A line of text that is being typed. The cursor is always at its end: what is typed here is short.
struct TextField: Hashable, Sendable {
    private(set) var text = ""

    init(_ text: String = "") {
        self.text = text
    }

    /// Changes the text as the key says; false for a key that does not write.
    mutating func handle(_ key: InspectorKey) -> Bool {
        switch key {
        case .character(let character): text.append(character)
        case .backspace: text = String(text.dropLast())
        case .control("u"): text = ""
        case .control("w"): deleteWord()
        default: return false
        }
        return true
    }

    /// Appends a text that was pasted: its first line, since this is one line.
    mutating func paste(_ pasted: String) {
        let line = pasted.drop { $0.isNewline }.prefix { !$0.isNewline }
        text += line.prefix(Self.longestPaste)
    }

    private mutating func deleteWord() {
        while text.last?.isWhitespace == true { text.removeLast() }
        while let last = text.last, !last.isWhitespace { text.removeLast() }
    }

    /// More than anybody means to search for.
    private static let longestPaste = 1000
}
