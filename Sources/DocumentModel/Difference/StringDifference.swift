/// The words that changed between two strings, marked in both.
///
///     let difference = StringDifference("An epicure dining at Crewe", "An epicure dining in Crewe")
///     difference.newSegments.filter(\.isChanged).map(\.text)      // ["in"]
///
/// Words, runs of spaces and single other characters are aligned by ``SequenceAlignment``. Two adjustments make the
/// result easier to read: a space between two changed words counts as changed, and strings with hardly anything in
/// common are changed as a whole, instead of everything except a few short words. For strings longer than
/// ``lengthLimit``, the common beginning and end are set aside, and if the rest is still longer, it is changed as a
/// whole.
public struct StringDifference: Sendable, Hashable {
    /// A part of a string.
    public struct Segment: Sendable, Hashable {
        /// The text of the part.
        public let text: Substring
        /// Whether the other string has different text, or none, in its place.
        public let isChanged: Bool
    }

    /// The maximum number of UTF-8 bytes for which words are compared.
    static let lengthLimit = 1 << 16

    /// The minimum share of the longer string, not counting spaces, that must be in common to mark individual words.
    private static let leastShare = 0.2

    /// The parts of the old string.
    public let oldSegments: [Segment]
    /// The parts of the new string.
    public let newSegments: [Segment]

    /// Compares two strings.
    public init(_ old: String, _ new: String) {
        let (oldRange, newRange) = Self.comparedRanges(old, new)
        let isTooLong = max(old[oldRange].utf8.count, new[newRange].utf8.count) > Self.lengthLimit
        var oldTokens = isTooLong ? [Token(old[oldRange])] : Self.tokens(old[oldRange])
        var newTokens = isTooLong ? [Token(new[newRange])] : Self.tokens(new[newRange])
        let pairs = SequenceAlignment.pairs(oldTokens.map(\.hash), newTokens.map(\.hash), checkpoint: {})
        let setAside = old.utf8.count - old[oldRange].utf8.count
        let common = pairs.reduce(setAside) { $0 + oldTokens[$1.old].weight }
        let longer = max(
            oldTokens.reduce(setAside) { $0 + $1.weight }, newTokens.reduce(setAside) { $0 + $1.weight })
        if Double(common) >= Double(longer) * Self.leastShare {
            for pair in pairs {
                oldTokens[pair.old].isChanged = false
                newTokens[pair.new].isChanged = false
            }
        }
        Self.bridgeSpaces(&oldTokens, &newTokens, pairs)
        oldSegments = Self.segments(old, oldRange, oldTokens)
        newSegments = Self.segments(new, newRange, newTokens)
    }

    // MARK: - Words

    private struct Token {
        let text: Substring
        let hash: UInt64
        let isSpace: Bool
        var isChanged = true

        init(_ text: Substring) {
            self.text = text
            hash = String(text).withBytes { FastHash.hash($0) }
            isSpace = text.first?.isWhitespace ?? true
        }

        /// The token's weight in measuring what two strings have in common.
        var weight: Int { isSpace ? 0 : text.utf8.count }
    }

    private enum CharacterClass { case word, space, single }

    private static func tokens(_ text: Substring) -> [Token] {
        var tokens: [Token] = []
        var start = text.startIndex
        var previous: CharacterClass?
        for index in text.indices {
            let current = characterClass(text[index])
            if let previous, previous != current || current == .single {
                tokens.append(Token(text[start..<index]))
                start = index
            }
            previous = current
        }
        if start < text.endIndex { tokens.append(Token(text[start...])) }
        return tokens
    }

    private static func characterClass(_ character: Character) -> CharacterClass {
        if character.isWhitespace { return .space }
        guard character.isLetter || character.isNumber || character == "_" else { return .single }
        // Scripts without spaces between words, from the CJK radicals on, are split into characters; Hangul has spaces.
        let scalar = character.unicodeScalars.first?.value ?? 0
        return scalar >= 0x2E80 && !(0xAC00...0xD7A3).contains(scalar) ? .single : .word
    }

    /// Marks spaces between changed words as changed, on both sides.
    private static func bridgeSpaces(
        _ old: inout [Token], _ new: inout [Token], _ pairs: [SequenceAlignment.Pair]
    ) {
        func isBetweenChanges(_ tokens: [Token], _ position: Int) -> Bool {
            position > 0 && position + 1 < tokens.count && tokens[position - 1].isChanged
                && tokens[position + 1].isChanged
        }
        for pair in pairs where old[pair.old].isSpace && isBetweenChanges(old, pair.old) {
            guard isBetweenChanges(new, pair.new) else { continue }
            old[pair.old].isChanged = true
            new[pair.new].isChanged = true
        }
    }

    // MARK: - Long strings

    /// Returns the parts of long strings that remain without the words that both begin and end with.
    private static func comparedRanges(
        _ old: String, _ new: String
    ) -> (old: Range<String.Index>, new: Range<String.Index>) {
        guard max(old.utf8.count, new.utf8.count) > lengthLimit else {
            return (old.startIndex..<old.endIndex, new.startIndex..<new.endIndex)
        }
        // Returns the number of equal bytes up to the end of a word.
        func sharedLength(_ pairs: some Sequence<(UInt8, UInt8)>) -> Int {
            var (length, end) = (0, 0)
            for (byte, other) in pairs {
                guard byte == other else { break }
                length += 1
                if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") { end = length }
            }
            return end
        }
        let prefix = sharedLength(zip(old.utf8, new.utf8))
        let shorter = min(old.utf8.count, new.utf8.count) - prefix
        // The space before the common words at the end is part of the compared text.
        let suffix = max(0, sharedLength(zip(old.utf8.reversed(), new.utf8.reversed()).prefix(shorter)) - 1)
        func range(_ text: String) -> Range<String.Index> {
            let start = text.utf8.index(text.startIndex, offsetBy: prefix)
            return start..<text.utf8.index(text.endIndex, offsetBy: -suffix)
        }
        return (range(old), range(new))
    }

    private static func segments(_ text: String, _ range: Range<String.Index>, _ tokens: [Token]) -> [Segment] {
        var segments: [Segment] = []
        var start = text.startIndex
        var isChanged = false
        func close(at end: String.Index) {
            if start < end { segments.append(Segment(text: text[start..<end], isChanged: isChanged)) }
            start = end
        }
        for token in tokens where token.isChanged != isChanged {
            close(at: token.text.startIndex)
            isChanged = token.isChanged
        }
        if isChanged { close(at: range.upperBound) }
        isChanged = false
        close(at: text.endIndex)
        return segments
    }
}
