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
        let difference = StringDifference(oldText, newText)
        return (ChangedWords(difference.oldSegments), ChangedWords(difference.newSegments))
    }

    private init(_ segments: [StringDifference.Segment]) {
        pieces = segments.map { Piece(text: String($0.text), isChanged: $0.isChanged) }
    }

    /// The string in quotation marks, with the changed words set off.
    func runs(_ style: Style) -> [StyledText] {
        [StyledText("\"", style)]
            + pieces.map { StyledText($0.text, $0.isChanged ? style.with(.emphasized) : style) }
            + [StyledText("\"", style)]
    }
}
