import DocumentModel

/// A field's name, taken apart into words: `starRating`, `star_rating` and `StarRating` are the words star and rating.
struct FieldName {
    let words: [String]

    init(_ name: String) {
        var words: [String] = []
        var word = ""
        var previous: Character?
        func endWord() {
            if !word.isEmpty { words.append(word.lowercased()) }
            word = ""
        }
        for character in name {
            guard character.isLetter || character.isNumber else {
                endWord()
                previous = nil
                continue
            }
            if let previous, character.isUppercase, !previous.isUppercase { endWord() }
            word.append(character)
            previous = character
        }
        endWord()
        self.words = words
    }

    /// From 0, nothing in common, to 1, the same words. From 0.6 on, one name can well have come from the other: one has all the words of
    /// the other (rating, star rating), or they are spelled nearly alike (author, auhtor).
    func resemblance(to other: FieldName) -> Double {
        guard !words.isEmpty, !other.words.isEmpty else { return 0 }
        let (joined, otherJoined) = (words.joined(), other.words.joined())
        if joined == otherJoined { return 1 }
        let shared = Double(Set(words).intersection(other.words).count)
        let (fewer, more) = (min(words.count, other.words.count), max(words.count, other.words.count))
        // One word in common of several says little: authorName and authorBorn are two fields beside each other.
        let byWords = shared == Double(fewer) ? 0.5 + 0.4 * shared / Double(more) : 0.4 * shared / Double(more)
        let longest = max(joined.count, otherJoined.count)
        // Far apart in length, they are far apart; only near ones are worth the comparison.
        guard abs(joined.count - otherJoined.count) * 4 <= longest else { return byWords }
        let distance = Double(joined.editDistance(to: otherJoined)) / Double(longest)
        return max(byWords, distance <= 0.25 ? 0.95 - distance : 0)
    }
}
