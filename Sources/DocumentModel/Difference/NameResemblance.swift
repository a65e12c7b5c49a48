/// How much two names of members resemble each other, for telling which of several is the new name of an old one.
enum NameResemblance {
    /// Longer names are compared up to here, in scalars.
    private static let lengthLimit = 64

    /// From 0, not at all, to 1, the same but for case and separators.
    ///
    /// Between them: one name is the beginning or the end of the other (`rating`, `starRating`), they share a word of three or more
    /// letters (`author_name`, `authorID`), or a third of the letters at most is different (V. Levenshtein, 1965).
    static func score(_ left: String, _ right: String) -> Double {
        let (leftWords, rightWords) = (words(left), words(right))
        let (leftLetters, rightLetters) = (Array(leftWords.joined()), Array(rightWords.joined()))
        guard !leftLetters.isEmpty, !rightLetters.isEmpty else { return left == right ? 1 : 0 }
        if leftLetters == rightLetters { return 1 }
        let (shorter, longer) =
            leftLetters.count < rightLetters.count ? (leftLetters, rightLetters) : (rightLetters, leftLetters)
        if shorter.count >= 2, longer.starts(with: shorter) || longer.reversed().starts(with: shorter.reversed()) {
            return 0.9
        }
        if leftWords.contains(where: { $0.count >= 3 && rightWords.contains($0) }) { return 0.8 }
        let share = Double(distance(shorter, longer)) / Double(longer.count)
        return share <= 1.0 / 3 ? 0.7 - share : 0
    }

    /// The words of `starRating`, `star_rating`, `Star rating`, in lower case.
    private static func words(_ name: String) -> [[Unicode.Scalar]] {
        var words: [[Unicode.Scalar]] = [[]]
        var wasLower = false
        for scalar in name.unicodeScalars.prefix(lengthLimit) {
            guard isLetterOrDigit(scalar) else {
                words.append([])
                wasLower = false
                continue
            }
            let isUpper = scalar.isASCII ? ("A"..."Z").contains(scalar) : scalar.properties.isUppercase
            if isUpper, wasLower { words.append([]) }
            if scalar.isASCII {
                words[words.count - 1].append(isUpper ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
            } else {
                words[words.count - 1] += scalar.properties.lowercaseMapping.unicodeScalars
            }
            wasLower = !isUpper
        }
        return words.filter { !$0.isEmpty }
    }

    /// The properties of scalars are looked up in tables; most names are ASCII and need none.
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: !scalar.isASCII && scalar.properties.isAlphabetic
        }
    }

    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var row = Array(0...right.count)
        for (position, scalar) in left.enumerated() {
            var diagonal = row[0]
            row[0] = position + 1
            for (other, otherScalar) in right.enumerated() {
                let replaced = diagonal + (scalar == otherScalar ? 0 : 1)
                diagonal = row[other + 1]
                row[other + 1] = min(replaced, row[other] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
