/// Which characters the terminal can show.
public enum Repertoire: Hashable, Sendable {
    /// The locale is a UTF-8 one.
    case unicode
    /// There is no UTF-8 locale: everything beyond ASCII is shown as a visible escape.
    case ascii
}

/// A text in the form in which it may be shown: the only way from a document to the terminal.
///
/// What a document contains is not trusted. Iterating over a display text gives units of one or two columns that
/// every terminal draws in just these columns, and that cannot move the cursor, change colors, turn the direction of
/// writing or hide. The rules:
///
/// - Control characters, line and paragraph separators, bidirectional controls and all other format characters,
///   invisible characters, private use, noncharacters and code points that Unicode has not assigned become visible
///   escapes as Swift writes them: `\n`, `\t`, `\u{1B}`, `\u{202E}`. Their units have ``Unit/isEscape`` set, so that
///   they can be told from a document that really contains a backslash.
/// - Combining marks join the character before them, at most four, which is what a cell of ncurses holds. A mark with
///   nothing before it, or the fifth one, is an escape.
/// - What terminals measure differently is taken apart until they agree. Variation selectors after a character that
///   has variants, and the joiners between emoji, are left out: a family is shown as its members. Skin tones and the
///   halves of flags are escapes, and so are the few signs whose width changed between versions of Unicode.
/// - With ``Repertoire/ascii`` every character beyond ASCII is an escape.
public struct DisplayText: Sequence, Sendable {
    /// What stands in one cell, or in two for a wide character.
    public struct Unit: Hashable, Sendable {
        /// A character with its combining marks, or one character of an escape.
        public let text: String
        /// 1 or 2.
        public let columns: Int
        /// True for each character of an escape.
        public let isEscape: Bool
        /// Where the unit comes from. All characters of one escape have the same range.
        public let range: Range<String.Index>
    }

    public let source: String
    public let repertoire: Repertoire

    public init(_ source: String, repertoire: Repertoire = .unicode) {
        self.source = source
        self.repertoire = repertoire
    }

    public func makeIterator() -> Iterator {
        Iterator(source: source.unicodeScalars, repertoire: repertoire)
    }

    /// The text as it is shown.
    public var string: String {
        var (string, iterator) = ("", makeIterator())
        while true {
            string += iterator.plainRun()
            guard let unit = iterator.next() else { return string }
            string += unit.text
        }
    }

    /// A character with its marks, or a whole escape: between pieces a text can be cut.
    public struct Piece: Sendable {
        public let range: Range<String.Index>
        public let columns: Int
        public let isBlank: Bool
    }

    public var pieces: some Sequence<Piece> {
        sequence(state: (iterator: makeIterator(), ahead: Unit?.none)) { state in
            guard let first = state.ahead ?? state.iterator.next() else { return nil }
            var columns = first.columns
            state.ahead = nil
            while first.isEscape, let unit = state.iterator.next() {
                guard unit.range == first.range else {
                    state.ahead = unit
                    break
                }
                columns += unit.columns
            }
            return Piece(range: first.range, columns: columns, isBlank: first.text == " " && !first.isEscape)
        }
    }

    public struct Iterator: IteratorProtocol, Sendable {
        private let source: String.UnicodeScalarView
        private let repertoire: Repertoire
        private var index: String.Index
        /// The base of the last unit, nil after an escape and at the start.
        private var previous: Unicode.Scalar?
        private var escape: Substring.UTF8View = Substring().utf8
        private var escapeRange: Range<String.Index>

        init(source: String.UnicodeScalarView, repertoire: Repertoire) {
            self.source = source
            self.repertoire = repertoire
            index = source.startIndex
            escapeRange = index..<index
        }

        /// The printable ASCII that follows, which is shown as it is; without the last of it where a mark may join that.
        fileprivate mutating func plainRun() -> Substring {
            let rest = Substring(source[index...])
            guard escape.isEmpty, let first = rest.utf8.first, first.isPrintable else { return "" }
            var end = rest.utf8.firstIndex { !$0.isPrintable } ?? rest.endIndex
            if end != rest.endIndex { end = rest.utf8.index(before: end) }
            index = end
            return rest[..<end]
        }

        public mutating func next() -> Unit? {
            if let byte = escape.popFirst() {
                return Unit(text: asciiUnits[Int(byte)], columns: 1, isEscape: true, range: escapeRange)
            }
            while index != source.endIndex {
                let start = index
                let scalar = source[index]
                source.formIndex(after: &index)
                if isJoinerOfEmoji(scalar) { continue }
                let kind: CharacterClass = isSkinTone(scalar) ? .escaped : CharacterClass(scalar, repertoire)
                switch kind {
                case .narrow, .wide:
                    return character(scalar, kind, from: start)
                case .combining, .escaped:
                    return firstOfEscape(scalar, from: start)
                }
            }
            return nil
        }

        /// A character with the combining marks that follow it.
        private mutating func character(
            _ base: Unicode.Scalar, _ kind: CharacterClass, from start: String.Index
        ) -> Unit {
            previous = base
            // Marks are never ASCII, and nearly all text is.
            if base.isASCII, index == source.endIndex || source[index].isASCII {
                return Unit(text: asciiUnits[Int(base.value)], columns: 1, isEscape: false, range: start..<index)
            }
            if index != source.endIndex, source[index].properties.isVariationSelector, base.hasVariants {
                source.formIndex(after: &index)
            }
            var text = String(Character(base))
            var marks = 0
            while index != source.endIndex, marks < DisplayText.maximumMarks {
                let scalar = source[index]
                guard CharacterClass(scalar, repertoire) == .combining, scalar.canCombine(with: base) else { break }
                text.unicodeScalars.append(scalar)
                marks += 1
                source.formIndex(after: &index)
            }
            return Unit(text: text, columns: kind == .wide ? 2 : 1, isEscape: false, range: start..<index)
        }

        private mutating func firstOfEscape(_ scalar: Unicode.Scalar, from start: String.Index) -> Unit {
            previous = nil
            escape = Substring(scalar.visibleEscape).utf8
            escape.removeFirst()
            escapeRange = start..<index
            return Unit(text: "\\", columns: 1, isEscape: true, range: escapeRange)
        }

        /// A joiner between two emoji, which asks for one picture of both.
        private func isJoinerOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
            guard scalar == "\u{200D}", previous?.isPictograph == true else { return false }
            return index != source.endIndex && source[index].isPictograph
        }

        /// A skin tone changes the emoji before it; alone it is a patch of color.
        private func isSkinTone(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value >= 0x1F3FB && scalar.value <= 0x1F3FF && previous?.isPictograph == true
        }
    }

    /// A cell of ncurses holds five characters (CCHARW_MAX), one of which is the base.
    static let maximumMarks = 4
}

/// Every ASCII character as a string, so that drawing plain text makes no strings.
private let asciiUnits: [String] = (0..<128).map { String(UnicodeScalar(UInt8($0))) }

extension UInt8 {
    /// Whether it is an ASCII character that is shown as it is.
    fileprivate var isPrintable: Bool { (0x20..<0x7F).contains(self) }
}

extension Unicode.Scalar {
    /// How a Swift string literal writes this character.
    fileprivate var visibleEscape: String {
        switch self {
        case "\0": "\\0"
        case "\t": "\\t"
        case "\n": "\\n"
        case "\r": "\\r"
        default: "\\u{\(String(value, radix: 16, uppercase: true))}"
        }
    }

    fileprivate var isPictograph: Bool {
        value > 0xFF && properties.isEmoji
    }

    /// Letters of ASCII have none. A selector behind such a character, or behind another selector, shows nothing, and
    /// is used to hide text.
    fileprivate var hasVariants: Bool {
        !isASCII || properties.isEmoji
    }

    /// The vowels and final consonants of Hangul take no column behind an initial consonant or a syllable; elsewhere
    /// their number of columns is unknown.
    fileprivate func canCombine(with base: Unicode.Scalar) -> Bool {
        guard joinsHangul else { return true }
        return switch base.value {
        case 0x1100...0x115F, 0xA960...0xA97C, 0xAC00...0xD7A3: true
        default: false
        }
    }
}
