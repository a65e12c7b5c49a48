import DocumentModel
import Foundation

/// A possible reading of a string or a number as a date.
struct DateReading: Equatable {
    let date: Date
    /// Whether the time zone is known. If not, the date is in UTC.
    let isZoned: Bool
    let hasTime: Bool

    /// Returns all readings of a value, most likely first. For a number, these are the readings for each epoch that its
    /// size allows; for a string, those with both orders of day and month.
    static func all(of node: DocumentNode) -> [DateReading] {
        if let number = node.numberText.flatMap(Double.init), let likeliest = DateForm(node) {
            let forms = [likeliest] + [.secondsSince2001, .secondsSince1970].filter { $0 != likeliest }
            return forms.compactMap { $0.date(number) }.filter { abs($0.timeIntervalSince1970) < 4_102_444_800 }
                .map { DateReading(date: $0, isZoned: true, hasTime: true) }
        }
        if let number = node.string.flatMap(TrialValues.document), number.root.kind == .number {
            return all(of: number.root)
        }
        let forms =
            /(?:(\d{4})[-\/.](\d\d?)[-\/.](\d\d?)|(\d\d?)[-\/.](\d\d?)[-\/.](\d{4}))(?:[T ](\d\d?):(\d\d)(?::(\d\d)(\.\d+)?)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?/
        guard let match = node.string?.wholeMatch(of: forms)?.output else { return [] }
        func number(_ text: Substring??) -> Int { (text ?? nil).flatMap { Int($0) } ?? 0 }
        let (first, second) = (number(match.4), number(match.5))
        let days =
            match.1 != nil
            ? [(number(match.1), number(match.2), number(match.3))]
            : [(number(match.6), second, first), (number(match.6), first, second)]
        let zone = match.11.map(String.init)
        let digits = number(zone?.filter(\.isNumber)[...])
        let offset = Double((digits / 100 * 60 + digits % 100) * (zone?.first == "-" ? -60 : 60))
        var readings: [DateReading] = []
        for (year, month, day) in days {
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let text =
                "\(year)-\(two(month))-\(two(day))T\(two(number(match.7))):\(two(number(match.8))):\(two(number(match.9)))Z"
            // The 30th of February would become another day.
            guard let date = try? Date.ISO8601FormatStyle().parse(text), date.formatted(.iso8601) == text else {
                continue
            }
            let fraction = match.10.flatMap { Double($0) } ?? 0
            let reading = DateReading(
                date: date + fraction - offset, isZoned: zone != nil, hasTime: match.7 != nil)
            if !readings.contains(reading) { readings.append(reading) }
        }
        return readings
    }

    /// Returns the date in the form that a chain reads or, if that is not known, in the usual forms, most likely first.
    func values(read form: DateForm?) -> [Document] {
        let text = date.formatted(.iso8601)
        let (day, time) = (text.prefix(10), text.dropFirst(11).prefix(8))
        let parts = day.split(separator: "-")
        let european = parts.reversed()
        let texts = [
            text, "\(day)T\(time).000Z", "\(day) \(time) +0000", "\(day)T\(time)", "\(day) \(time)", "\(day)",
            european.joined(separator: "."), european.joined(separator: "/"),
            "\(parts[1])/\(parts[2])/\(parts[0])", "\(parts[0])/\(parts[1])/\(parts[2])",
        ]
        let numbers: [(DateForm, Double)] = [
            (.secondsSince2001, date.timeIntervalSinceReferenceDate), (.secondsSince1970, date.timeIntervalSince1970),
            (.millisecondsSince1970, date.timeIntervalSince1970 * 1000),
        ]
        func documents(_ numbers: [(DateForm, Double)]) -> [Document] {
            numbers.compactMap { number in
                TrialValues.document(Int(exactly: number.1).map(String.init) ?? "\(number.1)")
            }
        }
        switch form {
        case .iso8601?: return [Document(text: text)]
        case .day?, .local?, nil: return texts.map(Document.init(text:)) + documents(numbers)
        case let form?: return documents(numbers.filter { $0.0 == form })
        }
    }

    /// Returns whether two values are the same date. Each must have exactly one reading, and neither may be more
    /// precise.
    ///
    /// - Parameter form: The form that the chain reads. A number with an unknown epoch is not a date.
    static func isSame(_ old: DocumentNode, _ new: DocumentNode, read form: DateForm?) -> Bool {
        let readings = all(of: old)
        guard old.kind == .string, let reading = readings.first, readings.count == 1 else { return false }
        if let number = new.numberText.flatMap(Double.init) {
            return reading.isZoned
                && form?.date(number).map { abs($0.timeIntervalSince(reading.date)) < 0.000_5 } == true
        }
        return all(of: new) == readings
    }
}
