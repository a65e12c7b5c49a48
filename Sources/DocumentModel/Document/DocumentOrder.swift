import Foundation

/// Sorts documents by a value that each of them contains: a sequence number or a date.
public enum DocumentOrder {
    /// The key to sort a document by. Numbers come before dates and dates before text; a document without any of them
    /// comes last.
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
            // If there is no time, use midnight; if there is no time zone, use UTC.
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

    /// Returns whether a text comes before another: character by character, except that digits in them are compared as
    /// numbers.
    package static func precedes(_ text: String, _ other: String) -> Bool {
        Array(text.utf8).precedesAsFileName(Array(other.utf8))
    }

    /// Returns the documents in the order of their values. Documents with equal values keep their order.
    ///
    /// Numbers are compared as numbers. Dates, including text in ISO 8601 format (in UTC if it has no time zone), are
    /// compared as points in time. Other text is compared character by character, except that digits in it are compared
    /// as numbers: `1.9.0` comes before `1.10.0`. A document without such a value comes last.
    ///
    /// - Parameter value: Returns the value of a document, or nil if it has none.
    /// - Returns: An empty array if no document has a value to sort by; nil if `isCancelled` returned true.
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
    /// Returns whether the text comes before `other` in the order of file names: digits are compared as the numbers
    /// they form, everything else byte by byte. If that makes no difference, as for `1.01` and `1.1`, all bytes are
    /// compared.
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
    /// Removes the digits at the beginning.
    ///
    /// - Returns: The digits without leading zeros.
    fileprivate mutating func takeNumber() -> Self {
        let digits = prefix { $0.isDigit }
        self = dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
