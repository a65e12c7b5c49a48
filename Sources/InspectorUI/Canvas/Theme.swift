/// How many colors the terminal has.
public enum ColorDepth: Int, Comparable, CaseIterable, Sendable {
    /// None, or none wanted (`NO_COLOR`).
    case monochrome = 0
    case eight = 8
    case sixteen = 16
    case twoHundredFiftySix = 256

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// What a cell looks like: what a theme makes of a ``Style``.
public struct Appearance: Hashable, Sendable {
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let bold = Attributes(rawValue: 1 << 0)
        /// Terminals without it show plain text, so nothing may rely on it.
        public static let dim = Attributes(rawValue: 1 << 1)
        public static let underline = Attributes(rawValue: 1 << 2)
        public static let reverse = Attributes(rawValue: 1 << 3)
    }

    /// A color's index in the terminal's palette; nil is the terminal's own.
    public var foreground: UInt8?
    public var background: UInt8?
    public var attributes: Attributes

    public init(_ foreground: UInt8? = nil, on background: UInt8? = nil, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }
}

/// What each meaning looks like, for a terminal with this number of colors.
///
/// The background is the terminal's own, which may be dark or light: the 256-color palette takes colors of middle
/// brightness, which stand out on both, and the palettes of 8 and 16 colors keep away from yellow, blue and white
/// text, which vanish on one or the other. Without colors, what must be seen is bold, underlined or reversed.
public struct Theme: Hashable, Sendable {
    public let depth: ColorDepth

    public init(depth: ColorDepth) {
        self.depth = depth
    }

    public func appearance(of style: Style) -> Appearance {
        var appearance =
            switch depth {
            case .monochrome: monochrome(style.role)
            case .eight, .sixteen: eightColors(style.role)
            case .twoHundredFiftySix: manyColors(style.role)
            }
        if style.modifiers.contains(.emphasized) {
            appearance.attributes.insert(depth == .monochrome ? [.bold, .underline] : .bold)
            appearance.attributes.remove(.dim)
        }
        if style.modifiers.contains(.underlined) { appearance.attributes.insert(.underline) }
        if style.modifiers.contains(.reversed) { appearance.attributes.formSymmetricDifference(.reverse) }
        if style.modifiers.contains(.selected) {
            select(&appearance, role: style.role, focused: true)
        } else if style.modifiers.contains(.selectedUnfocused) {
            select(&appearance, role: style.role, focused: false)
        }
        return appearance
    }

    private func select(_ appearance: inout Appearance, role: Role, focused: Bool) {
        if depth == .twoHundredFiftySix {
            // What has a background of its own (the culprit, a search match) keeps it: it is still to be found.
            guard appearance.background == nil else { return appearance.attributes.formUnion([.bold, .underline]) }
            appearance.foreground = onSelection(role)
            appearance.background = focused ? 24 : 239
            appearance.attributes.remove(.dim)
        } else if !focused {
            appearance.attributes.insert(.underline)
        } else if appearance.background != nil {
            appearance.attributes.formUnion([.bold, .underline])
        } else if appearance.attributes.contains(.reverse) {
            // What is reversed by itself stands out of a reversed row by not being so.
            appearance.attributes.remove(.reverse)
        } else {
            // Reversed in a color of its own, every word of the row would be a bar of another color.
            appearance.foreground = nil
            appearance.attributes.insert(.reverse)
            appearance.attributes.remove(.dim)
        }
    }

    private func monochrome(_ role: Role) -> Appearance {
        switch role {
        case .plain, .label, .border, .string, .number, .literal, .punctuation, .succeeded, .hintText, .progress:
            Appearance()
        case .dim, .lineNumber, .pending: Appearance(nil, .dim)
        case .title, .focusedBorder, .key, .added, .removed, .changed, .moved, .hintKey, .warning:
            Appearance(nil, .bold)
        case .current: Appearance(nil, [.bold, .underline])
        case .escape, .searchMatch, .input: Appearance(nil, .underline)
        case .failed: Appearance(nil, [.bold, .reverse])
        case .culprit: Appearance(nil, [.bold, .reverse, .underline])
        case .searchCurrent: Appearance(nil, .reverse)
        }
    }

    private func eightColors(_ role: Role) -> Appearance {
        switch role {
        case .plain, .border, .punctuation, .hintText, .label: Appearance()
        case .dim, .lineNumber, .pending: Appearance(nil, .dim)
        case .title: Appearance(nil, .bold)
        case .focusedBorder: Appearance(Color.green, .bold)
        case .key: Appearance(nil, .bold)
        case .string: Appearance(Color.green)
        case .number, .literal: Appearance(Color.magenta)
        case .escape: Appearance(Color.magenta, .underline)
        case .added: Appearance(Color.green, .bold)
        case .removed: Appearance(Color.red)
        case .changed: Appearance(Color.magenta, .bold)
        case .moved: Appearance(Color.cyan, .bold)
        case .failed: Appearance(Color.red, .bold)
        case .culprit: Appearance(Color.white, on: Color.red, .bold)
        case .warning: Appearance(Color.black, on: Color.yellow)
        case .succeeded: Appearance(Color.green)
        case .current: Appearance(Color.cyan, [.bold, .underline])
        case .progress: Appearance(Color.cyan)
        case .searchMatch: Appearance(Color.black, on: Color.cyan)
        case .searchCurrent: Appearance(Color.black, on: Color.yellow, .bold)
        case .input: Appearance(nil, .underline)
        case .hintKey: Appearance(nil, .bold)
        }
    }

    /// Indices into xterm's 256 colors, of a relative luminance between 0.15 and 0.26: a contrast of at least 3.3
    /// on black as on white, and more than 4 for what is read most.
    private func manyColors(_ role: Role) -> Appearance {
        switch role {
        case .plain, .label: Appearance()
        case .dim, .lineNumber, .pending, .border, .punctuation, .hintText: Appearance(243)
        case .title: Appearance(nil, .bold)
        case .focusedBorder: Appearance(32)
        case .key: Appearance(31)
        case .string: Appearance(65)
        case .number: Appearance(133)
        case .literal: Appearance(98)
        case .escape: Appearance(130, .underline)
        case .added: Appearance(28)
        case .removed: Appearance(167)
        case .changed: Appearance(130)
        case .moved: Appearance(98)
        case .failed: Appearance(196, .bold)
        case .culprit: Appearance(231, on: 160, .bold)
        case .warning: Appearance(166, .bold)
        case .succeeded: Appearance(28)
        case .current: Appearance(32, .bold)
        case .progress: Appearance(31)
        case .searchMatch: Appearance(16, on: 180)
        case .searchCurrent: Appearance(16, on: 214, .bold)
        case .input: Appearance(nil, .underline)
        case .hintKey: Appearance(nil, .bold)
        }
    }

    /// The same hues, light enough for the dark bar of a selection.
    private func onSelection(_ role: Role) -> UInt8 {
        switch role {
        case .dim, .lineNumber, .pending, .border, .punctuation, .hintText: 252
        case .key, .focusedBorder, .current, .progress: 153
        case .string, .added, .succeeded: 157
        case .number, .literal, .moved: 219
        case .escape, .changed, .warning: 222
        case .removed, .failed: 217
        default: 231
        }
    }

    private enum Color {
        static let black: UInt8 = 0
        static let red: UInt8 = 1
        static let green: UInt8 = 2
        static let yellow: UInt8 = 3
        static let magenta: UInt8 = 5
        static let cyan: UInt8 = 6
        static let white: UInt8 = 7
    }
}
