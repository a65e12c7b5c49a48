import Foundation

/// Puts documents in the order of a value that each of them holds: a sequence number, or a date.
public enum DocumentOrder {
    /// What a document is ordered by. Numbers come before dates and dates before texts; a document without any of them
    /// comes behind all others.
    private enum Key: Comparable {
        case number(ExactNumber)
        case date(Date)
        case text([UInt8])
        case nothing

        init(_ node: DocumentNode?) {
            guard let node else {
                self = .nothing
                return
            }
            switch node.kind {
            case .number:
                let number = node.numberText.map { ExactNumber($0) }
                self = number.flatMap { $0.isNumber ? .number($0) : nil } ?? .nothing
            case .date: self = node.date.map { .date($0) } ?? .nothing
            case .string:
                guard let text = node.string else {
                    self = .nothing
                    return
                }
                self = Self.date(text).map { .date($0) } ?? .text(Array(text.utf8))
            case .object, .array, .key, .boolean, .null, .data: self = .nothing
            }
        }

        private static func date(_ text: String) -> Date? {
            // Without a time it is midnight, and without a time zone that of Greenwich.
            for text in [text, text + "Z", text + "T00:00:00Z"] {
                if let date = try? Date.ISO8601FormatStyle().parse(text) { return date }
                if let date = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text) { return date }
            }
            return nil
        }

        static func < (left: Key, right: Key) -> Bool {
            switch (left, right) {
            case (.number(let left), .number(let right)): left < right
            case (.date(let left), .date(let right)): left < right
            case (.text(let left), .text(let right)): left.precedesAsFileName(right)
            default: left.rank < right.rank
            }
        }

        private var rank: Int {
            switch self {
            case .number: 0
            case .date: 1
            case .text: 2
            case .nothing: 3
            }
        }
    }

    /// The documents in the order of their values; those with equal ones stay in the order in which they are.
    ///
    /// Numbers are compared as numbers, dates (also texts in ISO 8601, in Greenwich's time where they say none) as points in time, other texts
    /// letter by letter, but digits in them as numbers: `1.9.0` comes before `1.10.0`. A document without such a value comes
    /// behind all others.
    ///
    /// - Parameter value: The value of a document; nil where it has none.
    /// - Returns: Nothing where no document has a value to be ordered by; nil when `isCancelled` returned true.
    public static func ordered<Item>(
        _ items: [Item], isCancelled: () -> Bool = { false }, value: (Item) -> DocumentNode?
    ) -> [Item]? {
        var keys: [Key] = []
        for item in items {
            if isCancelled() { return nil }
            keys.append(Key(value(item)))
        }
        guard keys.contains(where: { $0 != .nothing }) else { return [] }
        return items.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { items[$0] }
    }
}

extension [UInt8] {
    /// Whether the text comes before `other` as names of files are compared: digits count as the number that they write, all
    /// else letter by letter. Where that is the same, as of `1.01` and `1.1`, letters alone decide.
    fileprivate func precedesAsFileName(_ other: [UInt8]) -> Bool {
        var (rest, otherRest) = (self[...], other[...])
        while let byte = rest.first, let otherByte = otherRest.first {
            if byte.isDigit, otherByte.isDigit {
                let (number, otherNumber) = (rest.takeNumber(), otherRest.takeNumber())
                if number.count != otherNumber.count { return number.count < otherNumber.count }
                if !number.elementsEqual(otherNumber) { return number.lexicographicallyPrecedes(otherNumber) }
            } else if byte == otherByte {
                (rest, otherRest) = (rest.dropFirst(), otherRest.dropFirst())
            } else {
                return byte < otherByte
            }
        }
        return rest.isEmpty && otherRest.isEmpty ? lexicographicallyPrecedes(other) : rest.isEmpty
    }
}

extension ArraySlice<UInt8> {
    /// Takes the digits at the beginning.
    ///
    /// - Returns: The digits without zeros before them.
    fileprivate mutating func takeNumber() -> Self {
        let digits = prefix { $0.isDigit }
        self = dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
