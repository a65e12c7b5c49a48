import DocumentModel
import Foundation

extension Narrowing {
    /// Returns simpler forms of a value, each a different value of the same kind. If the result keeps only part of the
    /// value, it is the same for such a form.
    static func simplerForms(of node: DocumentNode) -> [(how: How, value: Document)] {
        var forms: [(how: How, value: Document)] = []
        func add(_ how: How, _ value: Document?) {
            guard let value, !value.root.isEqual(to: node) else { return }
            forms.append((how, value))
        }
        switch node.kind {
        case .number: for text in rounded(node.numberText ?? "") { add(.digits, TrialValues.document(text)) }
        case .string:
            let text = node.string ?? ""
            for simpler in firstDays(text) { add(.day, Document(text: simpler)) }
            for (how, simpler) in simplerTimes(text) { add(how, Document(text: simpler)) }
            // A different spelling of a number is not a different number.
            let number = Double(text)
            func addText(_ how: How, _ simpler: String) {
                if number == nil || Double(simpler) != number { add(how, Document(text: simpler)) }
            }
            if number != nil { for simpler in rounded(text) { addText(.digits, simpler) } }
            add(.space, Document(text: text.trimmingCharacters(in: .whitespacesAndNewlines)))
            add(.case, Document(text: text.lowercased()))
            add(.case, Document(text: text.uppercased()))
            // If only zeros are removed, a number in the string may stay the same.
            let cut = text.reversed().drop { $0 == "0" }.dropFirst()
            if !cut.isEmpty { addText(.cut, String(cut.reversed())) }
            for shorter in withoutParts(text) { addText(.cut, shorter) }
        case .date:
            guard let seconds = node.date?.timeIntervalSince1970 else { break }
            for first in firstDays(Date(timeIntervalSince1970: seconds).formatted(.iso8601)) {
                add(.day, (try? Date.ISO8601FormatStyle().parse(first)).map { date($0.timeIntervalSince1970) })
            }
            add(.fraction, date(seconds.rounded(.down)))
            add(.time, date((seconds / 86_400).rounded(.down) * 86_400))
        default: break
        }
        return forms
    }

    /// Returns a date that begins with the year, on the first day of its month, and of its year.
    private static func firstDays(_ text: String) -> [String] {
        guard let match = text.prefixMatch(of: /(\d{4}[-\/.])(\d\d)([-\/.])\d\d(?!\d)/) else { return [] }
        let rest = text[match.range.upperBound...]
        return [match.2, "01"].map { "\(match.1)\($0)\(match.3)01\(rest)" }.filter { $0 != text }
    }

    private static func date(_ seconds: Double) -> Document {
        var builder = DocumentBuilder()
        builder.date(Date(timeIntervalSince1970: seconds))
        return builder.finish()
    }

    /// Returns a text without its last part, only its last part, and its first and last ones. Parts are separated by the
    /// sign that comes first in it, or by the one that comes last.
    private static func withoutParts(_ text: String) -> [String] {
        guard let first = text.first(where: \.isSeparator), let last = text.last(where: \.isSeparator) else {
            return []
        }
        var shorter: [String] = []
        for separator in first == last ? [first] : [first, last] {
            guard let start = text.firstIndex(of: separator), let end = text.lastIndex(of: separator) else { continue }
            shorter += [String(text[..<end]), String(text[text.index(after: end)...])]
            shorter.append(text[..<start] + String(text[end...]))
        }
        return shorter.filter { !$0.isEmpty && $0 != text }
    }

    /// Returns rounded forms of the number: with the digits that a `Double` holds, with fewer decimals, or rounded down
    /// and up to tens, hundreds, thousands, and multiples of sixty.
    private static func rounded(_ text: String) -> [String] {
        let held = Double(text).flatMap { $0.isFinite ? "\($0)" : nil }
        return [held].compactMap(\.self) + shortened(text)
    }

    private static func shortened(_ text: String) -> [String] {
        if let whole = Int(text) {
            return [10, 60, 100, 1000, 3600].flatMap { unit -> [String] in
                let rest = whole % unit
                guard whole.magnitude >= unit, rest != 0 else { return [] }
                let (up, isTooLarge) = (whole - rest).addingReportingOverflow(rest < 0 ? -unit : unit)
                return ["\(whole - rest)"] + (isTooLarge ? [] : ["\(up)"])
            }
        }
        guard let number = Double(text), number.magnitude < 1e12 else { return [] }
        let parts = [100.0, 10].flatMap { scale in
            [FloatingPointRoundingRule.down, .up].map { "\((number * scale).rounded($0) / scale)" }
        }
        return parts + [number.rounded(.down), number.rounded(.up)].map { "\(Int($0))" }
    }

    /// Returns a date and time without its fraction of a second, its time of day, or its offset from UTC.
    private static func simplerTimes(_ text: String) -> [(How, String)] {
        let form =
            /((?:\d{4}[-\/.]\d\d?|\d\d?[-\/.]\d\d?)[-\/.]\d{1,4}[T ])(\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|[+-]\d\d:?\d\d)?/
        guard let match = text.wholeMatch(of: form) else { return [] }
        let (day, time) = (match.1, match.2)
        let (fraction, zone) = (match.3 ?? "", match.4 ?? "")
        let midnight = time.map { $0.isNumber ? "0" : String($0) }.joined()
        return [
            (.fraction, "\(day)\(time)\(zone)"), (.zone, "\(day)\(time)\(fraction)\(zone.isEmpty ? "" : "Z")"),
            (.time, "\(day)\(midnight)\(fraction.isEmpty ? "" : ".000")\(zone)"),
        ].filter { $0.1 != text }
    }
}
