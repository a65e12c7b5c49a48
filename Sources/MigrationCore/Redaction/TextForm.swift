import Foundation

/// Texts of the form of other texts.
///
/// Letters become letters of the same case and alphabet, and digits become digits. A date or a time becomes another one
/// in the same spelling, a UUID another UUID, and hexadecimal digits stay hexadecimal. Punctuation, spaces and the
/// schemes of common URLs stay, as do GMT and UTC.
enum TextForm {
    /// Matches what is more than a row of letters and digits.
    static var pattern: Regex<Substring> {
        #/
          [0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}
        | [0-9]{4}[\-\/.]?[0-9]{2}[\-\/.]?[0-9]{2}
            (?:T[0-9]{2}:?[0-9]{2}(?::?[0-9]{2})?(?:[.,][0-9]+)?(?:Z|[+\-][0-9]{2}:?[0-9]{2})?)?
        | [0-9]{1,2}[\-\/.][0-9]{1,2}[\-\/.](?:[0-9]{4}|[0-9]{2})
        | (?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),\ )?
            [0-9]{1,2}[\ \-](?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[\ \-][0-9]{4}
        | [0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?:Z|[+\-][0-9]{2}:?[0-9]{2})?
        | \#?(?:[0-9a-f]{6,}|[0-9A-F]{6,})
        | %[0-9A-Fa-f]{2}
        | GMT | UTC
        | (?:https?|ftps?|wss?|file|mailto|ssh|git|data|tel):
        /#
        .matchingSemantics(.unicodeScalar)
    }
}

extension Replacements {
    /// Returns a random text of the same form.
    func text(like text: String) -> String {
        var result = ""
        var (start, search) = (text.startIndex, text.startIndex)
        while let range = text[search...].firstMatch(of: forms)?.range {
            search = range.upperBound
            guard text.isApart(range), let part = part(like: text[range]) else { continue }
            result += plain(like: text[start..<range.lowerBound]) + part
            start = range.upperBound
        }
        return result + plain(like: text[start...])
    }

    /// Returns a random text for one that ``TextForm/pattern`` matches, or nil if it's not what it looks like.
    private func part(like text: Substring) -> String? {
        if text.hasPrefix("%") {
            // The escape of an ASCII letter is valid wherever it stands.
            return "%" + String(Int.random(in: 0x61...0x7A, using: &random), radix: 16, uppercase: true)
        }
        if text.last == ":" || text == "GMT" || text == "UTC" { return String(text) }
        if text.wholeMatch(of: /[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/) != nil {
            // Two digits state the version and the variant (RFC 9562, section 4).
            let (drawn, own) = (Array(hexadecimal(like: text)), Array(text))
            return String(drawn.indices.map { $0 == 14 || $0 == 19 ? own[$0] : drawn[$0] })
        }
        if text.contains(where: \.isNumber) || text.hasPrefix("#"), text.wholeMatch(of: /#?[0-9A-Fa-f]+/) != nil {
            return day(like: text) ?? (text.allSatisfy(\.isNumber) ? nil : hexadecimal(like: text))
        }
        return day(like: text) ?? time(like: text)
    }

    /// Returns a date in the same spelling, followed by a time if there is one; nil for anything else.
    private func day(like text: Substring) -> String? {
        let (year, month, day) = (between(1990, 2019), between(1, 12), between(1, 28))
        if let match = text.wholeMatch(of: /([0-9]{4})([-\/.]?)([0-9]{2})([-\/.]?)([0-9]{2})(?:T(.+))?/) {
            // Without separators it might as well be any number.
            guard match.2 == match.4, 1...12 ~= Int(match.3) ?? 0, 1...31 ~= Int(match.5) ?? 0,
                !match.2.isEmpty || 1900...2100 ~= Int(match.1) ?? 0
            else { return nil }
            let date = padded(year, 4) + match.2 + padded(month, 2) + match.4 + padded(day, 2)
            guard let rest = match.6 else { return date }
            return time(like: rest).map { "\(date)T\($0)" }
        }
        if let match = text.wholeMatch(of: /([0-9]{1,2})([-\/.])([0-9]{1,2})([-\/.])([0-9]+)/) {
            let numbers = [Int(match.1) ?? 0, Int(match.3) ?? 0]
            guard match.2 == match.4, numbers.allSatisfy({ 1...31 ~= $0 }), numbers.contains(where: { $0 <= 12 }) else {
                return nil
            }
            // Either of the two may be the month.
            let parts = [match.1, match.3].map { part in
                part.count == 1 ? "\(between(1, 9))" : padded(part.first == "0" ? between(1, 9) : between(10, 12), 2)
            }
            return parts[0] + match.2 + parts[1] + match.4 + padded(year, 4).suffix(match.5.count)
        }
        guard let match = text.wholeMatch(of: /([A-Z][a-z]{2}, )?([0-9]{1,2})(.)([A-Z][a-z]{2})(.)([0-9]{4})/) else {
            return nil
        }
        let number = match.2.count == 1 ? between(1, 9) : between(10, 28)
        // 1 January 1990 was a Monday. Years from 1990 to 2019 that 4 divides are leap years.
        let days = (year - 1990) * 365 + (year - 1989) / 4 + number - 1
        let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334][month - 1]
        let leap = month > 2 && year % 4 == 0 ? 1 : 0
        let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][(days + before + leap) % 7]
        let name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1]
        return (match.1 == nil ? "" : "\(weekday), ") + "\(number)\(match.3)\(name)\(match.5)\(year)"
    }

    /// Returns a time of day in the same spelling, or nil for anything else.
    private func time(like text: Substring) -> String? {
        let form =
            /([0-9]{2})(:?)([0-9]{2})(?:(:?)([0-9]{2}))?([.,][0-9]+)?(Z|[+-][0-9]{2}:?[0-9]{2})?/
        guard let match = text.wholeMatch(of: form), Int(match.1) ?? 99 < 24, Int(match.3) ?? 99 < 60,
            match.5.map({ Int($0) ?? 99 < 61 }) ?? true
        else { return nil }
        let seconds = match.5.map { _ in (match.4 ?? "") + padded(between(0, 59), 2) } ?? ""
        let zone = match.7.map { zone in
            zone == "Z" ? "Z" : "\(zone.prefix(1))\(padded(between(0, 11), 2))\(zone.dropFirst(3))"
        }
        return padded(between(0, 23), 2) + match.2 + padded(between(0, 59), 2) + seconds
            + (match.6.map { plain(like: $0) } ?? "") + (zone ?? "")
    }

    private func between(_ first: Int, _ last: Int) -> Int { Int.random(in: first...last, using: &random) }

    private func padded(_ number: Int, _ count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    private func hexadecimal(like text: Substring) -> String {
        String(
            text.map { character in
                switch character {
                case "0"..."9": Character(digit())
                case "a"..."f": "abcdef".randomElement(using: &random) ?? "a"
                case "A"..."F": "ABCDEF".randomElement(using: &random) ?? "A"
                default: character
                }
            })
    }

    /// Returns a text with random letters and digits. A number with a first digit other than 0 still has one.
    private func plain(like text: Substring) -> String {
        var result = String.UnicodeScalarView()
        var isInNumber = false
        let scalars = text.unicodeScalars
        for (index, scalar) in zip(scalars.indices, scalars) {
            let isDigit = "0"..."9" ~= scalar
            defer { isInNumber = isDigit }
            guard isDigit, !isInNumber else {
                result.append(self.scalar(like: scalar))
                continue
            }
            let next = scalars.index(after: index)
            let isSingle = next == scalars.endIndex || !("0"..."9" ~= scalars[next])
            if scalar == "0", !isSingle {
                result.append(scalar)
            } else {
                result.append(contentsOf: String(between(scalar == "0" ? 0 : 1, 9)).unicodeScalars)
            }
        }
        return String(result)
    }

    /// Returns a scalar of the same kind, from the same 64 scalars of Unicode, or the scalar itself if it's neither a
    /// letter, a digit, nor a picture.
    private func scalar(like scalar: Unicode.Scalar) -> Unicode.Scalar {
        let category = scalar.properties.generalCategory
        switch category {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .otherSymbol, .privateUse, .unassigned:
            break
        default: return scalar
        }
        while true {
            let drawn = Unicode.Scalar(scalar.value & ~63 | UInt32.random(in: 0...63, using: &random))
            if let drawn, drawn.properties.generalCategory == category { return drawn }
        }
    }
}

extension String {
    /// Whether no letter or digit is right beside a part of the text that consists of letters and digits itself.
    fileprivate func isApart(_ range: Range<Index>) -> Bool {
        func isOfWord(_ scalar: Unicode.Scalar?) -> Bool {
            scalar.map { $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) } ?? false
        }
        if unicodeScalars[range.lowerBound] == "%" { return true }
        if isOfWord(unicodeScalars[..<range.lowerBound].last) { return false }
        return self[range].last == ":" || !isOfWord(unicodeScalars[range.upperBound...].first)
    }
}
