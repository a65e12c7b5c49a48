/// How many colors the terminal has.
public enum ColorDepth: Int, Comparable, CaseIterable, Sendable {
    /// None, or none wanted (`NO_COLOR`).
    case monochrome = 0
    case eight = 8
    case sixteen = 16
    case twoHundredFiftySix = 256

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}

/// What a cell looks like: what a theme makes of a ``Style``.
public struct Appearance: Hashable, Sendable {
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue }

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
            // What has a background of its own (the culprit, a search match) keeps it: it is still to be found.
            guard appearance.background == nil else { return appearance.attributes.formUnion([.bold, .underline]) }
            appearance.foreground = look.onSelection
            appearance.background = focused ? 24 : 239
            appearance.attributes.remove(.dim)
        } else if !focused {
            appearance.attributes.insert(.underline)
        } else if appearance.background != nil {
            appearance.attributes.formUnion([.bold, .underline])
        } else if appearance.attributes.contains(.reverse) {
            // A role that is reversed anyway stands out in a reversed row when it is not.
            appearance.attributes.remove(.reverse)
        } else {
            // Reversed in a color of its own, every word of the row would be a bar of another color.
            appearance.foreground = nil
            appearance.attributes.insert(.reverse)
            appearance.attributes.remove(.dim)
        }
    }
}
