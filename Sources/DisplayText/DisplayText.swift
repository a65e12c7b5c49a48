/// The set of characters that the terminal can show.
public enum Repertoire: Hashable, Sendable {
    /// All of Unicode, because the locale uses UTF-8.
    case unicode
    /// ASCII, because there is no UTF-8 locale. Other characters are shown as visible escapes.
    case ascii
}

/// A text in a form that is safe to show. This is the only way from a document to the terminal.
///
/// The content of documents is not trusted. Iterating over a display text yields units of one or two columns that
/// every terminal draws in exactly as many columns, and that cannot move the cursor, change colors, change the
/// writing direction or hide. The rules are:
///
/// - Control characters, line and paragraph separators, bidirectional controls and all other format characters,
///   invisible characters, private use characters, noncharacters and unassigned code points become visible escapes in
///   Swift's notation: `\n`, `\t`, `\u{1B}`, `\u{202E}`. Their units have ``Unit/isEscape`` set to distinguish them
///   from a backslash in the document.
/// - Combining marks join the character before them. At most four do, which is the limit of a cell in ncurses. A mark
///   with nothing before it, or a fifth mark, becomes an escape.
/// - Sequences that terminals measure differently are taken apart until all terminals agree. Variation selectors
///   after a character that has variants, and joiners between emoji, are left out, so a family is shown as its
///   members. Skin tones and the halves of flags become escapes, and so do the few symbols whose width has changed
///   between versions of Unicode.
/// - With ``Repertoire/ascii``, every character beyond ASCII becomes an escape.
public struct DisplayText: Sequence, Sendable {
    /// The content of one cell, or of two for a wide character.
    public struct Unit: Hashable, Sendable {
        /// A character with its combining marks, or one character of an escape.
        public let text: String
        /// The number of columns, 1 or 2.
        public let columns: Int
        /// Whether this is a character of an escape.
        public let isEscape: Bool
        /// The range of the source that the unit comes from. All characters of one escape have the same range.
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

    /// A character with its marks, or a whole escape. Text can be cut between pieces.
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
        /// The base character of the last unit; nil after an escape and at the start.
        private var previous: Unicode.Scalar?
        private var escape: Substring.UTF8View = Substring().utf8
        private var escapeRange: Range<String.Index>

        init(source: String.UnicodeScalarView, repertoire: Repertoire) {
            self.source = source
            self.repertoire = repertoire
            index = source.startIndex
            escapeRange = index..<index
        }

        /// Returns the run of printable ASCII that follows, which is shown as is. Excludes its last character if a
        /// mark may join it.
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

        /// Returns a character with the combining marks that follow it.
        private mutating func character(
            _ base: Unicode.Scalar, _ kind: CharacterClass, from start: String.Index
        ) -> Unit {
            previous = base
            // Marks are never ASCII, while nearly all text is.
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

        /// Returns whether this is a joiner between two emoji, which requests a single picture for both.
        private func isJoinerOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
            guard scalar == "\u{200D}", previous?.isPictograph == true else { return false }
            return index != source.endIndex && source[index].isPictograph
        }

        /// Returns whether this is a skin tone that changes the emoji before it. In other places, it is a patch of
        /// color.
        private func isSkinTone(_ scalar: Unicode.Scalar) -> Bool {
            scalar.value >= 0x1F3FB && scalar.value <= 0x1F3FF && previous?.isPictograph == true
        }
    }

    /// A cell of ncurses holds five characters (CCHARW_MAX), one of which is the base.
    static let maximumMarks = 4
}

/// Every ASCII character as a string, so that drawing plain text creates no strings.
private let asciiUnits: [String] = (0..<128).map { String(UnicodeScalar(UInt8($0))) }

extension UInt8 {
    /// Whether this is an ASCII character that is shown as is.
    fileprivate var isPrintable: Bool { (0x20..<0x7F).contains(self) }
}

extension Unicode.Scalar {
    /// The character as written in a Swift string literal.
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

    /// Whether the character may have variants. ASCII letters have none. A selector after such a character, or after
    /// another selector, shows nothing and is used to hide text.
    fileprivate var hasVariants: Bool {
        !isASCII || properties.isEmoji
    }

    /// Returns whether a mark takes up no column after this base. Hangul vowels and final consonants do so only after
    /// an initial consonant or a syllable; elsewhere their width is unknown.
    fileprivate func canCombine(with base: Unicode.Scalar) -> Bool {
        guard joinsHangul else { return true }
        return switch base.value {
        case 0x1100...0x115F, 0xA960...0xA97C, 0xAC00...0xD7A3: true
        default: false
        }
    }
}
