/// The number of colors that the terminal supports.
public enum ColorDepth: Int, Comparable, CaseIterable, Sendable {
    /// No colors, or none wanted (`NO_COLOR`).
    case monochrome = 0
    case eight = 8
    case sixteen = 16
    case twoHundredFiftySix = 256

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// The appearance of a cell, which a theme derives from a ``Style``.
public struct Appearance: Hashable, Sendable {
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let bold = Attributes(rawValue: 1 << 0)
        /// Terminals without it show plain text, so nothing may depend on it.
        public static let dim = Attributes(rawValue: 1 << 1)
        public static let underline = Attributes(rawValue: 1 << 2)
        public static let reverse = Attributes(rawValue: 1 << 3)
    }

    /// A color's index in the terminal's palette; nil is the terminal's default color.
    public var foreground: UInt8?
    public var background: UInt8?
    public var attributes: Attributes

    public init(_ foreground: UInt8? = nil, on background: UInt8? = nil, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }
}

/// The appearance of each role, for a terminal with this number of colors.
///
/// The background is the terminal's default, which may be dark or light. The 256-color palette uses colors of medium
/// brightness, which stand out on both. The palettes of 8 and 16 colors avoid yellow, blue and white text, which
/// disappear on one or the other. Without colors, important text is bold, underlined or reversed.
public struct Theme: Hashable, Sendable {
    public let depth: ColorDepth

    public init(depth: ColorDepth) { self.depth = depth }

    public func appearance(of style: Style) -> Appearance {
        let look = Look(of: style.role)
        var appearance =
            switch depth {
            case .monochrome: Appearance(nil, look.attributes)
            case .eight, .sixteen: look.fewColors
            case .twoHundredFiftySix: look.manyColors
            }
        if style.modifiers.contains(.emphasized) {
            appearance.attributes.insert(depth == .monochrome ? [.bold, .underline] : .bold)
            appearance.attributes.remove(.dim)
        }
        if style.modifiers.contains(.selected) {
            select(&appearance, look, focused: true)
        } else if style.modifiers.contains(.selectedUnfocused) {
            select(&appearance, look, focused: false)
        }
        return appearance
    }

    private func select(_ appearance: inout Appearance, _ look: Look, focused: Bool) {
        if depth == .twoHundredFiftySix {
            // Roles with their own background (the culprit, a search match) keep it, so that they can still be found.
            guard appearance.background == nil else { return appearance.attributes.formUnion([.bold, .underline]) }
            appearance.foreground = look.onSelection
            appearance.background = focused ? 24 : 239
            appearance.attributes.remove(.dim)
        } else if !focused {
            appearance.attributes.insert(.underline)
        } else if appearance.background != nil {
            appearance.attributes.formUnion([.bold, .underline])
        } else if appearance.attributes.contains(.reverse) {
            // A role that is already reversed stands out in a reversed row by not being reversed.
            appearance.attributes.remove(.reverse)
        } else {
            // If colored words were reversed, every word of the row would be a bar of another color.
            appearance.foreground = nil
            appearance.attributes.insert(.reverse)
            appearance.attributes.remove(.dim)
        }
    }
}
