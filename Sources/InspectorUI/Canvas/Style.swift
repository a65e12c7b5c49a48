import DisplayText

/// What a piece of the screen means. Screens speak of meanings only; which color that is, if any, is the
/// ``Theme``'s business. No meaning is carried by its color alone: what is added, removed, changed, moved or failed
/// has a sign from ``Glyphs`` beside it.
public enum Role: String, CaseIterable, Hashable, Sendable {
    /// Text that says itself.
    case plain
    /// What the eye may skip: unchanged surroundings, folded parts, units.
    case dim
    /// A panel's or a dialogue's title.
    case title
    /// A word that names what follows it.
    case label
    /// A panel's frame, and guides inside it.
    case border
    /// The frame of the panel that has the keyboard.
    case focusedBorder
    /// The gutter of a source text.
    case lineNumber

    /// An object's key.
    case key
    case string, number
    /// `true`, `false` and `null`.
    case literal
    /// Brackets, colons, commas.
    case punctuation
    /// What ``DisplayText`` shows in place of a character that must not reach the terminal. Drawing sets it.
    case escape

    case added, removed, changed, moved

    /// A step or a document that broke.
    case failed
    /// The field that broke it: the one thing on the screen that must not be overlooked.
    case culprit
    case warning
    /// A document or a step that is as it should be.
    case succeeded
    /// The step one is at.
    case current
    /// Something that has not happened: the steps after a failure.
    case pending
    /// Work in the background.
    case progress

    case searchMatch
    /// The match one is at.
    case searchCurrent
    /// The text being typed, and the line it is typed in.
    case input

    /// The name of a key, in the line of keys.
    case hintKey
    case hintText
}

/// How a cell is to look: what it means, and what holds for it besides.
public struct Style: Hashable, Sendable {
    public struct Modifiers: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The selected row of the panel that has the keyboard.
        public static let selected = Modifiers(rawValue: 1 << 0)
        /// The selected row of a panel that does not have the keyboard.
        public static let selectedUnfocused = Modifiers(rawValue: 1 << 1)
        /// The part of a text that matters: the changed words of a changed string.
        public static let emphasized = Modifiers(rawValue: 1 << 2)
    }

    public var role: Role
    public var modifiers: Modifiers

    public init(_ role: Role, _ modifiers: Modifiers = []) {
        self.role = role
        self.modifiers = modifiers
    }

    /// The same with more modifiers.
    public func with(_ modifiers: Modifiers) -> Style { Style(role, self.modifiers.union(modifiers)) }

    /// The same modifiers with another meaning.
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
    public static let escape = Style(.escape)
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
