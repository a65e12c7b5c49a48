/// The appearance of a role at each color depth.
struct Look {
    /// The appearance without colors.
    let attributes: Appearance.Attributes
    /// The appearance with 8 or 16 colors.
    let fewColors: Appearance
    /// The appearance with xterm's 256 colors. Text colors have a relative luminance between 0.15 and 0.26, which
    /// gives a contrast of at least 3.3 on both black and white, and more than 4 for the text that is read most.
    let manyColors: Appearance
    /// The same hue in the 256 colors, light enough for the dark bar of a selection.
    let onSelection: UInt8

    private init(
        _ attributes: Appearance.Attributes, _ fewColors: Appearance, _ manyColors: Appearance, onSelection: UInt8 = 231
    ) {
        self.attributes = attributes
        self.fewColors = fewColors
        self.manyColors = manyColors
        self.onSelection = onSelection
    }

    /// Creates a look that is the same at any color depth.
    private init(_ attributes: Appearance.Attributes = []) {
        self.init(attributes, Appearance(nil, attributes), Appearance(nil, attributes))
    }

    init(of role: Role) {
        self =
            switch role {
            case .plain, .label: Look()
            case .title, .hintKey: Look(.bold)
            case .input: Look(.underline)
            case .dim, .lineNumber, .pending: Look(.dim, .init(nil, .dim), .init(243), onSelection: 252)
            case .border, .punctuation, .hintText: Look([], .init(), .init(243), onSelection: 252)
            case .focusedBorder: Look(.bold, .init(.green, .bold), .init(32), onSelection: 153)
            case .key: Look(.bold, .init(nil, .bold), .init(31), onSelection: 153)
            case .string: Look([], .init(.green), .init(65), onSelection: 157)
            case .number: Look([], .init(.magenta), .init(133), onSelection: 219)
            case .literal: Look([], .init(.magenta), .init(98), onSelection: 219)
            case .escape: Look(.underline, .init(.magenta, .underline), .init(130, .underline), onSelection: 222)
            case .added: Look(.bold, .init(.green, .bold), .init(28), onSelection: 157)
            case .removed: Look(.bold, .init(.red), .init(167), onSelection: 217)
            case .changed: Look(.bold, .init(.magenta, .bold), .init(130), onSelection: 222)
            case .moved: Look(.bold, .init(.cyan, .bold), .init(98), onSelection: 219)
            case .failed: Look([.bold, .reverse], .init(.red, .bold), .init(196, .bold), onSelection: 217)
            case .culprit:
                Look([.bold, .reverse, .underline], .init(.white, on: .red, .bold), .init(231, on: 160, .bold))
            case .warning: Look(.bold, .init(.black, on: .yellow), .init(166, .bold), onSelection: 222)
            case .succeeded: Look([], .init(.green), .init(28), onSelection: 157)
            case .current:
                Look([.bold, .underline], .init(.cyan, [.bold, .underline]), .init(32, .bold), onSelection: 153)
            case .progress: Look([], .init(.cyan), .init(31), onSelection: 153)
            case .searchMatch: Look(.underline, .init(.black, on: .cyan), .init(16, on: 180))
            case .searchCurrent: Look(.reverse, .init(.black, on: .yellow, .bold), .init(16, on: 214, .bold))
            }
    }
}

/// The first eight colors of every palette.
extension UInt8 {
    fileprivate static let (black, red, green, yellow): (UInt8, UInt8, UInt8, UInt8) = (0, 1, 2, 3)
    fileprivate static let (magenta, cyan, white): (UInt8, UInt8, UInt8) = (5, 6, 7)
}
