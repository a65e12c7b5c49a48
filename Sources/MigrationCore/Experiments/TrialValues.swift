import DocumentModel
import Foundation

/// The replacements to try for a value, best first: the same value with one character changed, then values of the same
/// field elsewhere, then other values of its kind with different sizes and forms. The list has no duplicates and does
/// not contain the value itself. Replacements are created on demand, because those of a long string are as long.
package final class TrialValues {
    private let node: DocumentNode
    private let duplicate: Int
    private let relatives: [DocumentNode]
    /// Values of other fields, which come last.
    private let others: [DocumentNode]
    /// All other possible values, if they are known. Otherwise empty.
    private let choices: [Document]
    /// Numbers other than this one, as text.
    private lazy var numbers = Self.numbers(beside: node)
    /// Days other than that of a date, in the same format.
    private lazy var days = Self.days(beside: node)
    /// Other texts whose numbers are near those of the text, and the opposite of one that spells a Boolean.
    private lazy var parts = Self.parts(of: node)
    /// The number of replacements that were tried to create.
    private var tried = 0
    private var made: [Document] = []

    /// - Parameters:
    ///   - node: The value to replace.
    ///   - choices: All possible values, if they are known.
    ///   - relatives: Values of the same field in sibling elements and in other documents.
    ///   - others: Values of the same kind in other fields.
    ///   - duplicate: The number of equal values that are changed together with this one and have taken the first
    ///     forms.
    package init(
        for node: DocumentNode, choices: [Document] = [], relatives: [DocumentNode] = [],
        others: [DocumentNode] = [], duplicate: Int = 0
    ) {
        (self.node, self.others, self.duplicate) = (node, others, duplicate)
        let isAlike = relatives.allSatisfy { $0.kind == node.kind }
        self.choices = choices.filter { !$0.root.isEqual(to: node) }
        self.relatives = isAlike ? relatives : relatives.filter { $0.kind == node.kind }
    }

    /// Returns one of the replacements, or nil if there are fewer.
    package subscript(number: Int) -> Document? {
        makeValues { made.count <= number && tried < most }
        return number < made.count ? made[number] : nil
    }

    private func makeValues(while isWanted: () -> Bool) {
        while isWanted() {
            defer { tried += 1 }
            guard let value = make(tried), !value.root.isEqual(to: node) else { continue }
            if !made.contains(where: { $0.root.isEqual(to: value.root) }) { made.append(value) }
        }
    }

    /// All replacements.
    var all: [Document] {
        _ = self[most]
        return made
    }

    /// The number of replacements at the start to try in any case: those with the form of the value, and a few from
    /// siblings.
    private(set) lazy var preferredCount: Int = {
        let last = min(most, choices.count + 4 + min(relatives.count, Self.enough))
        makeValues { tried < last }
        return made.count
    }()

    /// Returns whether there are no more replacements than the given number.
    func areAll(_ count: Int) -> Bool { count >= (choices.isEmpty ? all.count : choices.count) }

    /// The number of other values that is enough evidence if there are many.
    package static let enough = 4

    /// The maximum number of replacements.
    var most: Int { choices.count + Self.formCount + relatives.count + ownCount + others.count }

    /// The number of replacements with the form of the value: those with the last changeable character changed, all of
    /// them, the first one, and two in between.
    private static let formCount = 5

    private func make(_ number: Int) -> Document? {
        if number < choices.count { return choices[number] }
        let number = number - choices.count
        let rest = number - 4 - relatives.count
        return switch number {
        case 0: form(0)
        case 1: own(0)
        case 2: node.kind == .number ? own(1) : node.string.flatMap(Self.changedThroughout)
        case 3 where node.kind == .number: own(2)
        case 3: form(max(1, (node.string?.unicodeScalars.count(where: \.canChange) ?? 0) - 1))
        case _ where rest < 0: Document(copying: relatives[number - 4])
        case _ where rest < 2: form(rest + 1)
        default: own(rest - 1) ?? other(rest - 1 - ownCount)
        }
    }

    private func other(_ number: Int) -> Document? {
        others.indices.contains(number) ? Document(copying: others[number]) : nil
    }

    private func form(_ number: Int) -> Document? { Self.sameForm(as: node, number: duplicate + number) }

    private var ownCount: Int {
        switch node.kind {
        case .number: numbers.count
        case .string: Self.texts.count + 4 + days.count + parts.count
        case .boolean: 2
        case .array: 4
        case .date: Self.dates.count
        case .data: Self.data.count
        case .object, .null, .key: 0
        }
    }

    private func own(_ number: Int) -> Document? {
        guard number < ownCount else { return nil }
        return switch node.kind {
        case .number: Self.document(numbers[number])
        case .string: Document(text: text(number))
        case .boolean: Self.document(number == 0 ? "true" : "false")
        case .array: Self.arrays(of: node)[number]
        case .date: Self.document("{\"$date\":\"\(Self.dates[number])\"}")
        case .data: Self.document("{\"$data\":\"\(Self.data[number])\"}")
        case .object, .null, .key: nil
        }
    }

    private static let dates = [
        "1970-01-01T00:00:00Z", "2001-01-01T00:00:00Z", "2024-02-29T12:00:00Z", "2100-01-01T00:00:00Z",
    ]
    private static let data = ["", "AA==", "AAECAw=="]

    /// Returns the same value with one letter or digit changed, or nil if it has none.
    ///
    /// - Parameter number: The index of the replacement. The last characters change first, and each digit changes to
    ///   the nearest one first, so that most dates and times stay valid.
    static func sameForm(as node: DocumentNode, number: Int) -> Document? {
        switch node.kind {
        case .boolean: return document(node.boolean == true ? "false" : "true")
        case .number:
            guard let text = node.numberText else { return nil }
            if let whole = Int(text), whole.magnitude < 1 << 52 {
                // One less, and so on down to 0, then one more, and so on.
                let below = max(0, min(number + 1, whole))
                var builder = DocumentBuilder()
                builder.number(number < below ? whole - number - 1 : whole + number - below + 1)
                return builder.finish()
            }
            return changed(text, number: number).flatMap(document)
        case .string: return node.string.flatMap { changed($0, number: number) }.map(Document.init(text:))
        default: return nil
        }
    }

    private static func changed(_ text: String, number: Int) -> String? {
        var scalars = Array(text.unicodeScalars)
        let places = scalars.indices.reversed().filter { scalars[$0].canChange }
        let all = places.filter { scalars[$0].isDigit } + places.filter { !scalars[$0].isDigit }
        guard !all.isEmpty else { return nil }
        let place = all[number % all.count]
        scalars[place] = scalars[place].neighbor(number / all.count)
        var changed = String.UnicodeScalarView()
        changed.append(contentsOf: scalars)
        return String(changed)
    }

    /// Returns the string with every letter and digit changed, and a letter added to each empty part, such as a blank
    /// line. Returns nil if it has none of these.
    private static func changedThroughout(_ text: String) -> Document? {
        // Parts end at separators. Two equal separators in a row have an empty part between them.
        func endsPart(_ character: Character?) -> Bool {
            guard let character, character.isSeparator else { return false }
            return character.isWhitespace || text.count(where: { $0 == character }) > 1
        }
        var changed = endsPart(text.first) ? "x" : ""
        var last: Character?
        for character in text {
            if character.isSeparator, character == last { changed.append("x") }
            changed.unicodeScalars.append(
                contentsOf: character.unicodeScalars.map { $0.canChange ? $0.neighbor(0) : $0 })
            last = character
        }
        if endsPart(last) { changed.append("x") }
        return changed == text ? nil : Document(text: changed)
    }

    /// Returns the same value as another kind: the number or the Boolean that a string spells, the JSON inside a
    /// string, or the text of a number. Also returns the part of a string or number that can be converted, such as 32
    /// in "32 px".
    static func conversions(of node: DocumentNode) -> [Document] {
        let boolean = node.spelledBoolean.flatMap { document("\($0)") }
        switch node.kind {
        case .string:
            let text = (node.string ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            let spelled = number(spelledBy: text) ?? document(text)
            let begun = text.prefixMatch(of: /[+-]?[0-9]+(?:\.[0-9]+)?/).flatMap {
                number(spelledBy: String($0.output))
            }
            let isSpelled = [.number, .boolean].contains(spelled?.root.kind)
            return [
                node.heldJSON, isSpelled ? spelled : nil, boolean, begun,
                text == node.string ? nil : Document(text: text),
            ]
            .compactMap(\.self)
        case .number, .boolean:
            let text = node.numberText ?? node.boolean.map { "\($0)" }
            let digit = node.boolean.flatMap { document($0 ? "1" : "0") }
            let whole = node.numberText.flatMap(Double.init).flatMap { Int(exactly: $0.rounded()) }.flatMap {
                document("\($0)")
            }
            return [text.map(Document.init(text:)), boolean, digit, whole].compactMap(\.self)
                .filter { !$0.root.isEqual(to: node) }
        default: return []
        }
    }

    /// Returns the number that a text spells, also with a plus sign or zeros in front, which JSON does not allow. Returns
    /// nil if it spells none.
    static func number(spelledBy text: String) -> Document? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let written = text.wholeMatch(of: /([+-]?)0*([0-9].*)/).map { ($0.1 == "-" ? "-" : "") + $0.2 } ?? text
        return document(written).flatMap { $0.root.kind == .number ? $0 : nil }
    }

    /// Returns an array with only this value, or the only element of an array.
    static func wrappings(of node: DocumentNode) -> [Document] {
        node.kind == .array
            ? node.count == 1 ? node.elements.map(Document.init(copying:)) : [] : [Document(array: [node])]
    }

    /// A few values of each kind, for use if the expected kind is not known.
    static let ofEveryKind = [
        "\"a\"", "0", "[]", "{}", "false", "\"\"", "1", "true", "\"12\"", "\"2024-01-31\"",
        "\"2024-01-31T12:00:00Z\"", "0.5", "1000",
    ]
    .compactMap(document)

    /// Values to put in place of one of another kind, in turns. The first in each turn that has another kind is meant.
    static let ofOtherKinds = [["\"12\"", "1"], ["true", "1"], ["[]"], ["{}"]].map { $0.compactMap(document) }

    /// Returns values of a type, given its name, or values of every kind if it isn't one of the common types.
    static func ofType(_ name: String?) -> [Document] {
        switch name {
        case "Bool"?: ["true", "false"].compactMap(document)
        case let name? where name.hasPrefix("Int") || name.hasPrefix("UInt") || ["Double", "Float"].contains(name):
            (["1"] + numbers(beside: Document(object: []).root)).compactMap(document)
        default: ofEveryKind
        }
    }

    /// Returns the value of a JSON text.
    static func document(_ text: String) -> Document? { try? Document(parsing: SourceBytes(text)) }

    /// Returns other numbers: first a much larger one, a much smaller one, one that is large for any number, and the one
    /// with the other sign, then nearer ones.
    private static func numbers(beside node: DocumentNode) -> [String] {
        var (double, near): (String?, [String]) = (nil, [])
        if let text = node.numberText {
            if let number = Int(text) {
                let (twice, isTooLarge) = number.multipliedReportingOverflow(by: 2)
                if !isTooLarge { double = "\(twice)" }
                near = ["\(number / 2)"] + (number < .max ? ["\(number + 1)"] : [])
            } else if let number = Double(text), number.isFinite, (number * 2).isFinite {
                (double, near) = ("\(number * 2)", ["\(number / 2)", "\(number + 1)"])
            }
        }
        let opposite = node.numberText.map { $0.hasPrefix("-") ? [String($0.dropFirst())] : ["-" + $0] } ?? []
        let isSmall = node.numberText.flatMap(Double.init).map { $0 < 500 } ?? true
        let large = isSmall ? "1000" : "1000000"
        let others = ["1", "-1", "2", "10", "100", "1000", "1000000", "9007199254740991", "0.5"]
        return [double].compactMap(\.self) + ["0", large] + opposite + near + others.filter { $0 != large }
    }

    private static let texts = [
        "a", "two words", "", "yes", "word", "12", "no", "true", "false", "2024-01-31", "2024-01-31T12:00:00Z",
        "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "https://example.com/a",
    ]

    private func text(_ number: Int) -> String {
        let text = node.string ?? ""
        return switch number {
        case 0: text + " " + text
        case 1...Self.texts.count: Self.texts[number - 1]
        case Self.texts.count + 1: text.trimmingCharacters(in: .whitespacesAndNewlines)
        case Self.texts.count + 2: text.uppercased()
        case Self.texts.count + 3: text.lowercased()
        default: (parts + days)[number - Self.texts.count - 4]
        }
    }

    /// The opposite of a text that spells a Boolean; and the text with the last digit of one of its numbers changed, up and
    /// down, since a number may be refused on one side: the month of "22/1".
    private static func parts(of node: DocumentNode) -> [String] {
        guard let text = node.string, text.utf8.count <= 40 else { return [] }
        let opposite = opposites.first { $0.0 == text.lowercased() }.map {
            text == text.lowercased() ? $0.1 : text == text.uppercased() ? $0.1.uppercased() : $0.1.capitalized
        }
        let numbers = text.matches(of: /[0-9]+/)
        guard numbers.count <= 4 else { return [opposite].compactMap(\.self) }
        return [opposite].compactMap(\.self)
            + numbers.flatMap { number in
                [0, 1].compactMap { turn in
                    text[..<number.range.upperBound].unicodeScalars.last.map {
                        text[..<number.range.upperBound].dropLast() + "\($0.neighbor(turn))"
                            + text[number.range.upperBound...]
                    }
                }
            }
    }

    private static let opposites = [
        ("yes", "no"), ("no", "yes"), ("true", "false"), ("false", "true"), ("on", "off"), ("off", "on"), ("y", "n"),
        ("n", "y"),
    ]

    /// Returns the string with its year, month, or day changed, if it begins with a date. There are four other years, so
    /// that a result that has only the year shows them.
    private static func days(beside node: DocumentNode) -> [String] {
        guard let text = node.string, (8...40).contains(text.utf8.count), text.unicodeScalars.first?.isDigit == true,
            let match = text.prefixMatch(of: /(\d{1,4})[-\/.](\d\d?)[-\/.](\d{1,4})/)
        else { return [] }
        let year = match.1.count == 4 ? match.1 : match.3
        return [(match.1, 0), (match.2, 0), (match.3, 0), (year, 1), (year, 2), (year, 3)].compactMap { part, number in
            guard let last = part.unicodeScalars.last else { return nil }
            return text[..<part.endIndex].dropLast() + "\(last.neighbor(number))" + text[part.endIndex...]
        }
    }

    private static func arrays(of node: DocumentNode) -> [Document] {
        let elements = Array(node.elements)
        return [
            Array(elements.prefix(1)), elements.dropLast(), elements + elements.suffix(1), elements + elements,
        ].map { Document(array: $0) }
    }
}

extension Character {
    var isSeparator: Bool { !isLetter && !isNumber }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    fileprivate var canChange: Bool {
        isDigit || ("a"..."z").contains(self) || ("A"..."Z").contains(self) || value >= 0x80 && properties.isAlphabetic
    }

    /// Returns another digit, or another letter of the same case: the nearest first, and down before up, so that the
    /// 31st becomes the 30th, and f becomes e.
    fileprivate func neighbor(_ number: Int) -> Unicode.Scalar {
        if value >= 0x80 { return nextLetter(number) }
        let (first, count) = isDigit ? (0x30, 10) : (Int(value & 0x60 | 1), 26)
        let place = Int(value) - first
        let both = min(place, count - 1 - place)
        let number = number % (count - 1)
        let isOneSided = number >= both * 2
        let distance = isOneSided ? number - both + 1 : number / 2 + 1
        let isBelow = isOneSided ? place > both : number % 2 == 0
        return Unicode.Scalar(UInt8(first + (isBelow ? place - distance : place + distance)))
    }

    /// Returns one of the letters after a letter outside ASCII, of the same category; the letter itself if none is near.
    private func nextLetter(_ number: Int) -> Unicode.Scalar {
        let category = properties.generalCategory
        let next = (value + 1..<value + 200).lazy.compactMap(Unicode.Scalar.init).filter {
            $0.properties.isAlphabetic && $0.properties.generalCategory == category
        }
        return next.dropFirst(number).first ?? self
    }
}
