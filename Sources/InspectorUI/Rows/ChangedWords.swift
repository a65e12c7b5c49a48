import DocumentModel

/// A changed string in pieces, which mark the words that are not in the other string.
struct ChangedWords: Hashable, Sendable {
    /// The pieces in order. Together they are the string or its beginning.
    var pieces: [Piece]

    struct Piece: Hashable, Sendable {
        var text: String
        var isChanged: Bool
    }

    /// Compares the parts of two strings that fit in a row; returns nil unless both are strings.
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

    /// Returns the string in quotation marks, with the changed words emphasized.
    func runs(_ style: Style) -> [StyledText] {
        [StyledText("\"", style)]
            + pieces.map { StyledText($0.text, $0.isChanged ? style.with(.emphasized) : style) }
            + [StyledText("\"", style)]
    }
}
