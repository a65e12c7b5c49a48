/// A field's name, split into words: `starRating`, `star_rating` and `StarRating` all have the words star and rating.
package struct FieldName {
    /// The words in lowercase.
    package let words: [String]
    private let letters: [Unicode.Scalar]

    /// The maximum number of scalars of a name that are compared.
    private static let lengthLimit = 64

    /// Splits `name` at every character that is neither a letter nor a number, and between lowercase and uppercase.
    package init(_ name: String) {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var wasUpper = true
        func endWord() {
            if !word.isEmpty { words.append(String(word).lowercased()) }
            word = .init()
        }
        for scalar in name.unicodeScalars.prefix(Self.lengthLimit) {
            let properties = scalar.properties
            guard properties.isAlphabetic || properties.numericType != nil || properties.isGraphemeExtend else {
                endWord()
                wasUpper = true
                continue
            }
            if properties.isUppercase, !wasUpper { endWord() }
            word.append(scalar)
            wasUpper = properties.isUppercase
        }
        endWord()
        self.words = words
        letters = words.flatMap(\.unicodeScalars)
    }

    /// Returns the similarity of two names, from 0 (nothing in common) to 1 (the same words).
    ///
    /// From 0.6 on, one name may well have come from the other: one contains all words of the other (rating, star
    /// rating), or they are spelled almost the same (author, auhtor). Below that, they share a word, a beginning, an
    /// end or two thirds of their letters, which is significant only if no other name is as similar.
    package func resemblance(to other: FieldName) -> Double {
        guard !words.isEmpty, !other.words.isEmpty else { return 0 }
        if letters == other.letters { return 1 }
        let (shorter, longer) = letters.count < other.letters.count ? (self, other) : (other, self)
        let shared = Double(Set(words).intersection(other.words).count)
        let (fewer, more) = (min(words.count, other.words.count), max(words.count, other.words.count))
        // Sharing one of several words means little: authorName and authorBorn are two different fields of a type.
        var result = shared == Double(fewer) ? 0.5 + 0.4 * shared / Double(more) : 0.4 * shared / Double(more)
        let isPart =
            longer.letters.starts(with: shorter.letters)
            || longer.letters.reversed().starts(with: shorter.letters.reversed())
        if isPart, shorter.letters.count >= 2 { result = max(result, 0.4) }
        // Names of very different length are never similar, so skip the comparison.
        let longest = longer.letters.count
        guard (longest - shorter.letters.count) * 3 <= longest else { return result }
        let distance = Double(letters.editDistance(to: other.letters)) / Double(longest)
        return max(result, distance <= 1.0 / 4 ? 0.95 - distance : distance <= 1.0 / 3 ? 0.7 - distance : 0)
    }

    /// Returns whether the names differ in only a few letters: a quarter of them, or one.
    package func isMisspelling(of other: FieldName) -> Bool {
        let longest = max(letters.count, other.letters.count)
        guard abs(letters.count - other.letters.count) <= max(1, longest / 4) else { return false }
        let distance = letters.editDistance(to: other.letters)
        return distance < longest && distance <= max(1, longest / 4)
    }
}
