import DocumentModel
import Foundation

/// Random replacements for the values of documents. Each has the form of the value that it replaces, and equal values
/// have equal replacements.
///
/// Replacements are drawn, not computed from the values, so nothing leads back from them to the values.
package final class Replacements {
    /// A value that can be replaced.
    package enum Value: Hashable, Sendable {
        /// A string, or the name of a key.
        case text(ExactText)
        /// A number in its original spelling.
        case number(String)
        case date(Date)
        case data(Data)

        /// Creates the value of a node, or returns nil for a container, a boolean, null, and a number without digits.
        init?(_ node: DocumentNode) {
            switch node.kind {
            case .string, .key: self = .text(ExactText(node.string ?? ""))
            case .number:
                guard let text = node.numberText, text.utf8.last?.isDigit == true else { return nil }
                self = .number(text)
            case .date: self = .date(node.date ?? .distantPast)
            case .data: self = .data(node.data ?? Data())
            default: return nil
            }
        }
    }

    /// The source of random numbers.
    struct Generator: RandomNumberGenerator {
        var base: any RandomNumberGenerator
        mutating func next() -> UInt64 { base.next() }
    }

    var random: Generator
    private var known: [Value: Value] = [:]
    /// The replacements of all values.
    private var taken: Set<Value> = []
    /// The earlier replacements of a value.
    private var earlier: [Value: Set<Value>] = [:]
    /// Matches the parts of texts that have a form of their own.
    let forms = TextForm.pattern

    package init(random: any RandomNumberGenerator = SystemRandomNumberGenerator()) {
        self.random = Generator(base: random)
    }

    /// The number of replacements to draw until one is new.
    private static let mostDraws = 64

    /// The replacement of a value. It is the value itself if that has no letters and no digits.
    package subscript(value: Value) -> Value {
        let (value, zeros) = value.withoutZeros
        if let replacement = known[value] { return replacement.appending(zeros) }
        var replacement = value
        for _ in 0..<Self.mostDraws {
            let drawn = draw(value)
            if drawn == value { continue }
            // Rather the replacement of two values than the value itself.
            replacement = drawn
            if !taken.contains(drawn) { break }
        }
        known[value] = replacement
        taken.insert(replacement)
        return replacement.appending(zeros)
    }

    /// Returns the replacement of a text.
    package subscript(text: String) -> String {
        if case .text(let replacement) = self[.text(ExactText(text))] { replacement.string } else { text }
    }

    /// Replaces a value by something else from now on. Returns false if it probably has no other replacement.
    func change(_ value: Value) -> Bool {
        let value = value.withoutZeros.value
        earlier[value, default: [value]].insert(known[value] ?? value)
        for _ in 0..<Self.mostDraws {
            let replacement = draw(value)
            if earlier[value]?.contains(replacement) == true { continue }
            known[value] = replacement
            taken.insert(replacement)
            return true
        }
        return false
    }

    /// Keeps these names from becoming the replacement of another one.
    func reserve(_ names: some Sequence<Value>) { taken.formUnion(names) }

    private func draw(_ value: Value) -> Value {
        switch value {
        case .text(let text): .text(ExactText(self.text(like: text.string)))
        case .number(let text): .number(number(like: text))
        case .date(let date): .date(self.date(like: date))
        case .data(let data): .data(Data(data.map { _ in UInt8.random(in: 0...255, using: &random) }))
        }
    }

    /// Returns a number with the same sign and exponent and as many digits, which is whole if the other is, and fits
    /// into the same integer types.
    private func number(like text: String) -> String {
        let parts = text.split(separator: /[eE]/, maxSplits: 1)
        let exponent = text.dropFirst(parts[0].count)
        let isNegative = text.hasPrefix("-")
        let digits = parts[0].drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
        guard digits.count == 2 else {
            let bounds = [UInt64(Int32.max), UInt64(UInt32.max), UInt64(Int64.max), UInt64.max]
            let bound = UInt64(digits[0]).flatMap { own in bounds.first { own <= $0 } }
            var drawn = digitsLike(digits[0])
            while let bound, UInt64(drawn).map({ $0 > bound }) ?? true { drawn = digitsLike(digits[0]) }
            return "\(isNegative ? "-" : "")\(drawn)\(exponent)"
        }
        // Less than one stays less than one. A last digit of 0 would make the number shorter.
        let whole = digits[0] == "0" ? "0" : digitsLike(digits[0])
        let fraction = digits[1].dropLast().map { _ in digit() } + [String(Int.random(in: 1...9, using: &random))]
        return "\(isNegative ? "-" : "")\(whole).\(fraction.joined())\(exponent)"
    }

    /// Returns digits of which the first is not 0 either, unless it's the only one.
    private func digitsLike(_ text: Substring) -> String {
        let first = text.count == 1 ? digit() : String(Int.random(in: 1...9, using: &random))
        return first + text.dropFirst().map { _ in digit() }.joined()
    }

    func digit() -> String { String(Int.random(in: 0...9, using: &random)) }

    /// Returns a date that is at midnight in UTC, or at a whole second, if the other is.
    private func date(like date: Date) -> Date {
        let seconds = date.timeIntervalSince1970
        let day = Double(Int.random(in: 7_305..<18_262, using: &random) * 86_400)
        if seconds.truncatingRemainder(dividingBy: 86_400) == 0 { return Date(timeIntervalSince1970: day) }
        let time = Double.random(in: 0..<86_400, using: &random)
        return Date(timeIntervalSince1970: day + (seconds.rounded() == seconds ? time.rounded(.down) : time))
    }

    // MARK: - Comparing

    /// Returns whether a name is this name, or its replacement.
    func isSame(_ name: String, as original: String) -> Bool {
        name.isExactly(original) || known[.text(ExactText(original))] == .text(ExactText(name))
    }

    /// Returns whether two messages have the same words, apart from numbers, quoted values, and words of values that
    /// stand where there is a word of a replacement.
    func isSame(message: String, as original: String) -> Bool {
        if message.withoutQuotedValues == original.withoutQuotedValues { return true }
        let (words, originals) = (message.words, original.words)
        guard words.count == originals.count else { return false }
        var olds: Set<Substring> = []
        var news: Set<Substring> = []
        for (old, new) in known {
            if case .text(let text) = old { olds.formUnion(text.string.words) }
            if case .text(let text) = new { news.formUnion(text.string.words) }
        }
        return zip(words, originals).allSatisfy { word, original in
            word == original || word.first?.isNumber == true && original.first?.isNumber == true
                || news.contains(word) && olds.contains(original)
        }
    }
}

extension String {
    /// The words in lowercase.
    fileprivate var words: [Substring] { lowercased().split { !$0.isLetter && !$0.isNumber } }
}

extension Replacements.Value {
    /// The number without zeros at the end of its fraction, and these zeros: numbers that are equal have equal
    /// replacements, however they are spelled.
    fileprivate var withoutZeros: (value: Self, zeros: Substring) {
        guard case .number(let text) = self, let match = text.wholeMatch(of: /(-?[0-9]+(?:\.[0-9]*[1-9])?)(\.?0*)/)
        else { return (self, "") }
        return (.number(String(match.1)), match.2)
    }

    fileprivate func appending(_ zeros: Substring) -> Self {
        if case .number(let text) = self { .number(text + zeros) } else { self }
    }

    /// The value as a document.
    var document: Document {
        var builder = DocumentBuilder()
        switch self {
        case .text(let text): builder.string(text.string)
        case .number(let text): builder.number(text)
        case .date(let date): builder.date(date)
        case .data(let data): builder.data(data)
        }
        return builder.finish(format: .plistBinary)
    }
}
