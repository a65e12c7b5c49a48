import DocumentModel

/// Looks for the field of an old document that an error is likely to be about, when the error names it in the words of the new shape or not
/// at all.
///
/// Candidates are the fields that the new shape does not have any more. A field speaks for itself when its name resembles the one that
/// the error names (`starRating`, when that is `rating`), or when the message quotes its value or its name.
enum CulpritFinder {
    /// The likeliest field in `root`; nil if none is likely.
    ///
    /// - Parameter newerNames: The top-level fields of the shape that the step makes.
    static func likeliest(
        path: DocumentPath?, message: String, in root: DocumentNode, newerNames: Set<String>
    ) -> MigrationFailure.Culprit? {
        let quoted = MessageWords(message)
        var best: (path: DocumentPath, score: Double)?
        visitFields(in: root, along: path) { candidate, node in
            let isConsumed = candidate.components.first.map { first in
                if case .key(let name) = first { !newerNames.contains(name) } else { true }
            }
            guard isConsumed == true, let name = candidate.lastKey else { return }
            var score = 0.0
            if let wanted = path?.lastKey { score = FieldName(name).resemblance(to: FieldName(wanted)) }
            if quoted.mentions(name: name) { score = max(score, 0.6) }
            if quoted.quotes(node) { score += 0.5 }
            if score >= 0.5, score > best?.score ?? 0 { best = (candidate, score) }
        }
        return best.map { .init(path: $0.path, certain: false) }
    }

    /// The field of `container` that nobody read and whose name is nearly the one that is missing; nil if there is none.
    static func misspelling(
        of path: DocumentPath, among container: DocumentNode?, read record: ReadRecord
    ) -> MigrationFailure.Culprit? {
        guard let container, let missing = path.lastKey, let parent = path.parent else { return nil }
        let wanted = FieldName(missing)
        let candidates = container.members.lazy.filter { !record.contains($0.value) }.map { member in
            (name: member.name, score: FieldName(member.name).resemblance(to: wanted))
        }
        guard let best = candidates.max(by: { $0.score < $1.score }), best.score >= 0.6 else { return nil }
        return .init(path: parent.appending(key: best.name), certain: false)
    }

    /// Visits the members of objects inside objects, and of the elements that `path` leads through; elements of other arrays are records
    /// of their own, not fields of this shape.
    private static func visitFields(
        in root: DocumentNode, along path: DocumentPath?, _ visit: (DocumentPath, DocumentNode) -> Void
    ) {
        var pending: [(DocumentPath, DocumentNode)] = [(.root, root)]
        while let (here, node) = pending.popLast() {
            if !here.isRoot { visit(here, node) }
            if node.kind == .object {
                for member in node.members.reversed() {
                    pending.append((here.appending(key: member.name), member.value))
                }
            } else if node.kind == .array, let path, here.components.count < path.components.count,
                case .index(let position) = path.components[here.components.count], let element = node[position]
            {
                pending.append((here.appending(index: position), element))
            }
        }
    }
}

/// A field's name, taken apart into words: `starRating`, `star_rating` and `StarRating` are the words star and rating.
struct FieldName {
    let words: [String]

    init(_ name: String) {
        var words: [String] = []
        var previousWasLower = false
        for character in name {
            guard character.isLetter || character.isNumber else {
                previousWasLower = false
                if words.last?.isEmpty == false { words.append("") }
                continue
            }
            if words.isEmpty || (character.isUppercase && previousWasLower && words.last?.isEmpty == false) {
                words.append("")
            }
            words[words.count - 1] += character.lowercased()
            previousWasLower = !character.isUppercase
        }
        self.words = words.filter { !$0.isEmpty }
    }

    /// From 0, nothing in common, to 1, the same words. From 0.6 on, one name can well have come from the other.
    func resemblance(to other: FieldName) -> Double {
        guard !words.isEmpty, !other.words.isEmpty else { return 0 }
        let (joined, otherJoined) = (words.joined(), other.words.joined())
        if joined == otherJoined { return 1 }
        let shared = Set(words).intersection(other.words).count
        let overlap = Double(shared) / Double(max(words.count, other.words.count))
        let distance = Double(joined.editDistance(to: otherJoined)) / Double(max(joined.count, otherJoined.count))
        return max(shared > 0 ? 0.5 + 0.4 * overlap : 0, distance <= 1.0 / 3 ? 0.95 - distance : 0)
    }
}

/// The words of an error's message.
private struct MessageWords {
    private let text: String
    private let words: Set<String>

    init(_ message: String) {
        text = message
        words = Set(
            message.split { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "-" }.map { $0.trimmingPunctuation })
    }

    /// Whether the message says the field's name: as it is, or as its words in a row.
    func mentions(name: String) -> Bool {
        guard name.count > 1 else { return false }
        let spaced = FieldName(name).words.joined(separator: " ")
        return words.contains(name) || text.lowercased().containsWord(spaced)
    }

    /// Whether the message quotes the value of `node`.
    func quotes(_ node: DocumentNode) -> Bool {
        switch node.kind {
        case .number: node.numberText.map(words.contains) ?? false
        case .string: node.string.map { $0.count > 1 && text.containsWord($0) } ?? false
        default: false
        }
    }
}

extension Substring {
    /// Without the full stop of a sentence.
    fileprivate var trimmingPunctuation: String {
        var trimmed = self
        while let last = trimmed.last, last == "." || last == "-" { trimmed.removeLast() }
        return String(trimmed)
    }
}

extension String {
    /// Whether `word` occurs with no letter or digit right before or after it.
    fileprivate func containsWord(_ word: String) -> Bool {
        guard !word.isEmpty else { return false }
        return ranges(of: word).contains { range in
            let before = range.lowerBound == startIndex ? nil : self[index(before: range.lowerBound)]
            let after = range.upperBound == endIndex ? nil : self[range.upperBound]
            return ![before, after].contains { $0.map { $0.isLetter || $0.isNumber } ?? false }
        }
    }

    /// The least number of characters inserted, deleted and replaced that turns this text into `other` (Wagner and Fischer, 1974).
    package func editDistance(to other: String) -> Int {
        let (left, right) = (Array(self), Array(other))
        var row = Array(0...right.count)
        for (i, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, otherCharacter) in right.enumerated() {
                let replaced = diagonal + (character == otherCharacter ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = Swift.min(replaced, diagonal + 1, row[j] + 1)
            }
        }
        return row[right.count]
    }
}
