import DocumentModel

/// A changed string in pieces: which of its words are not in the other one.
struct ChangedWords: Hashable, Sendable {
    /// In order; together they are the string, or its beginning.
    var pieces: [Piece]

    struct Piece: Hashable, Sendable {
        var text: String
        var isChanged: Bool
    }

    /// Compares two strings as far as a row may show them; nil when they are not both strings.
    static func compare(_ old: DocumentNode, _ new: DocumentNode) -> (old: ChangedWords, new: ChangedWords)? {
        guard let oldText = old.beginning(limit: ValueText.longestString)?.text,
            let newText = new.beginning(limit: ValueText.longestString)?.text
        else { return nil }
        let (oldWords, newWords) = (words(of: oldText), words(of: newText))
        let shortest = min(oldWords.count, newWords.count)
        var prefix = 0
        while prefix < shortest, oldWords[prefix] == newWords[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < shortest - prefix,
            oldWords[oldWords.count - 1 - suffix] == newWords[newWords.count - 1 - suffix]
        { suffix += 1 }
        return (ChangedWords(oldWords, prefix, suffix), ChangedWords(newWords, prefix, suffix))
    }

    private init(_ words: [Substring], _ prefix: Int, _ suffix: Int) {
        let parts = [
            (words[..<prefix], false), (words[prefix..<(words.count - suffix)], true),
            (words[(words.count - suffix)...], false),
        ]
        pieces = parts.filter { !$0.0.isEmpty }.map { Piece(text: $0.0.joined(), isChanged: $0.1) }
    }

    private static func words(of text: String) -> [Substring] {
        var words: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let isWord = text[start].isLetter || text[start].isNumber
            var end = text.index(after: start)
            while isWord, end < text.endIndex, text[end].isLetter || text[end].isNumber { end = text.index(after: end) }
            words.append(text[start..<end])
            start = end
        }
        return words
    }
}
