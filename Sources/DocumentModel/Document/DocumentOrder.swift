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
            case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
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
    /// letter by letter. A document without such a value comes behind all others.
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
