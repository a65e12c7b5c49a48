import Foundation

/// The class of a character, which determines its width on a terminal and whether it may be sent to one at all.
enum CharacterClass {
    /// The character must not, or cannot reliably, be sent to a terminal.
    case escaped
    /// The character takes up no column.
    case combining
    case narrow
    case wide

    init(_ scalar: Unicode.Scalar, _ repertoire: Repertoire) {
        let value = Int(scalar.value)
        if value < 0x80 {
            self = value >= 0x20 && value != 0x7F ? .narrow : .escaped
        } else if repertoire == .ascii {
            self = .escaped
        } else {
            self = value < commonClasses.count ? commonClasses[value] : scalar.characterClass
        }
    }
}

/// The classes of all characters before the ideographs: alphabets, symbols and box drawing, which make up most text.
private let commonClasses: [CharacterClass] = (0..<0x2E80).map { Unicode.Scalar($0)?.characterClass ?? .escaped }

extension Unicode.Scalar {
    /// The class according to the Unicode Character Database, as of Unicode 14. Terminals that know no later version
    /// would disagree about newer characters.
    fileprivate var characterClass: CharacterClass {
        switch value {
        // Ideographs and Hangul syllables do not need a lookup in the database.
        case 0x3400...0x9FFF, 0xAC00...0xD7A3: return .wide
        // The halves of flags form a flag in some terminals and are two letters in others. Trigrams, monograms and
        // digrams, and counting rods became wide in Unicode 16.
        case 0x1F1E6...0x1F1FF, 0x2630...0x2637, 0x268A...0x268F, 0x1D300...0x1D356, 0x1D360...0x1D376: return .escaped
        default: break
        }
        guard let age = properties.age, age.major <= 14, !properties.isDefaultIgnorableCodePoint else {
            return .escaped
        }
        if joinsHangul { return .combining }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            return .escaped
        case .nonspacingMark, .enclosingMark: return .combining
        default:
            let range = wideCharacters.first { value <= $0.upperBound }
            return range?.contains(value) == true ? .wide : .narrow
        }
    }

    /// Whether a ``DisplayText`` shows an escape instead of this scalar, regardless of the text before it.
    public var isEscapedForDisplay: Bool { CharacterClass(self, .unicode) == .escaped }

    /// The JSON escape for a scalar that must not be sent to a terminal, or nil for any other scalar. Control
    /// characters up to U+001F have none either, since a JSON string cannot contain them unescaped.
    package var escapeInJSON: String? {
        guard !isASCII || self == "\u{7F}", isEscapedForDisplay else { return nil }
        return String(self).utf16.map { String(format: "\\u%04x", $0) }.joined()
    }

    /// Whether this is a Hangul vowel or final consonant, which joins the consonant before it.
    var joinsHangul: Bool { (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) }
}
