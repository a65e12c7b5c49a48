import DisplayText

/// The meaning of a piece of the screen. Screens only deal in meanings. The ``Theme`` decides which color that is, if
/// any. No meaning depends on color by itself: added, removed, changed, moved or failed content has a sign from
/// ``Glyphs`` beside it.
public enum Role: String, CaseIterable, Hashable, Sendable {
    /// Ordinary text.
    case plain
    /// Content that the eye may skip: unchanged surroundings, folded parts, units.
    case dim
    /// The title of a panel or dialog.
    case title
    /// A label for the text after it.
    case label
    /// A panel's frame, and lines inside it.
    case border
    /// The frame of the panel that has the keyboard focus.
    case focusedBorder
    /// The gutter of a source text.
    case lineNumber

    /// A key of an object.
    case key
    case string, number
    /// `true`, `false` and `null`.
    case literal
    /// Brackets, colons and commas.
    case punctuation
    /// Text that ``DisplayText`` shows in place of a character that must not reach the terminal. Set by drawing.
    case escape

    case added, removed, changed, moved

    /// A step or document that failed.
    case failed
    /// The field that broke it, which must not be overlooked.
    case culprit
    case warning
    /// A document or step that is as it should be.
    case succeeded
    /// The current step.
    case current
    /// Something that has not happened, such as the steps after a failure.
    case pending
    /// Work in the background.
    case progress

    case searchMatch
    /// The current match.
    case searchCurrent
    /// The text being typed, and the line it is typed in.
    case input

    /// The name of a key in the line of keys.
    case hintKey
    case hintText
}

/// The style of a cell: its meaning, and modifiers such as being selected.
public struct Style: Hashable, Sendable {
    public struct Modifiers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The selected row of the panel that has the keyboard focus.
        public static let selected = Modifiers(rawValue: 1 << 0)
        /// The selected row of a panel that does not have the keyboard focus.
        public static let selectedUnfocused = Modifiers(rawValue: 1 << 1)
        /// The important part of a text, such as the changed words of a changed string.
        public static let emphasized = Modifiers(rawValue: 1 << 2)
    }

    public var role: Role
    public var modifiers: Modifiers

    public init(_ role: Role, _ modifiers: Modifiers = []) {
        self.role = role
        self.modifiers = modifiers
    }

    /// Returns the style with additional modifiers.
    public func with(_ modifiers: Modifiers) -> Style { Style(role, self.modifiers.union(modifiers)) }

    /// Returns the style with another role and the same modifiers.
    public func with(_ role: Role) -> Style { Style(role, modifiers) }
}

/// Every role as a style, so that a call reads `style: .added`.
extension Style {
    public static let plain = Style(.plain)
    public static let dim = Style(.dim)
    public static let title = Style(.title)
    public static let label = Style(.label)
    public static let border = Style(.border)
    public static let focusedBorder = Style(.focusedBorder)
    public static let lineNumber = Style(.lineNumber)
    public static let key = Style(.key)
    public static let string = Style(.string)
    public static let number = Style(.number)
    public static let literal = Style(.literal)
    public static let punctuation = Style(.punctuation)
    public static let added = Style(.added)
    public static let removed = Style(.removed)
    public static let changed = Style(.changed)
    public static let moved = Style(.moved)
    public static let failed = Style(.failed)
    public static let culprit = Style(.culprit)
    public static let warning = Style(.warning)
    public static let succeeded = Style(.succeeded)
    public static let current = Style(.current)
    public static let pending = Style(.pending)
    public static let progress = Style(.progress)
    public static let searchMatch = Style(.searchMatch)
    public static let searchCurrent = Style(.searchCurrent)
    public static let input = Style(.input)
    public static let hintKey = Style(.hintKey)
    public static let hintText = Style(.hintText)
}
