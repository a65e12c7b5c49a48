import Foundation

/// The conversions of keys between `camelCase` and `snake_case`, as defined by JSONDecoder and JSONEncoder.
enum SnakeCase {
    /// Returns `oneTwoThree` for `one_two_three`; underscores at both ends are kept.
    static func toCamelCase(_ key: String) -> String {
        guard key.utf8.contains(UInt8(ascii: "_")), let first = key.firstIndex(where: { $0 != "_" }),
            let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let inside = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
        return key[..<first] + inside + key[key.index(after: last)...]
    }

    /// Returns `my_url_property` for `myURLProperty`. A word begins at an uppercase letter after a lowercase one, and
    /// at the last of several uppercase letters before a lowercase one.
    static func fromCamelCase(_ key: String) -> String {
        guard !key.isEmpty else { return key }
        var words: [Substring] = []
        var wordStart = key.startIndex
        var rest = key.index(after: wordStart)..<key.endIndex
        while let upper = key.rangeOfCharacter(from: .uppercaseLetters, range: rest) {
            words.append(key[wordStart..<upper.lowerBound])
            rest = upper.lowerBound..<rest.upperBound
            guard let lower = key.rangeOfCharacter(from: .lowercaseLetters, range: rest) else {
                wordStart = rest.lowerBound
                break
            }
            if lower.lowerBound == key.index(after: upper.lowerBound) {
                wordStart = upper.lowerBound
            } else {
                let lastUpper = key.index(before: lower.lowerBound)
                words.append(key[upper.lowerBound..<lastUpper])
                wordStart = lastUpper
            }
            rest = lower.upperBound..<rest.upperBound
        }
        words.append(key[wordStart..<rest.upperBound])
        return words.map { $0.lowercased() }.joined(separator: "_")
    }
}
