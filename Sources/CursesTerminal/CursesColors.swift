import CNcurses
import InspectorUI

/// Converts appearances for ncurses. Color pairs are allocated when they are first needed.
@MainActor
struct CursesColors {
    struct Look {
        let attributes: attr_t
        let pair: Int16
    }

    private var looks: [Style: Look] = [:]
    private var pairs: [Colors: Int16] = [:]

    private struct Colors: Hashable {
        /// A color number; -1 is the terminal's default.
        let foreground: Int32
        let background: Int32
    }

    mutating func look(of style: Style, theme: Theme) -> Look {
        if let look = looks[style] { return look }
        let look = makeLook(theme.appearance(of: style))
        looks[style] = look
        return look
    }

    /// Clears the cache, because another theme may give the same styles other appearances.
    mutating func forgetAppearances() { looks.removeAll() }

    private mutating func makeLook(_ appearance: Appearance) -> Look {
        var attributes: attr_t = 0
        if appearance.attributes.contains(.bold) { attributes |= cncurses_bold() }
        if appearance.attributes.contains(.dim) { attributes |= cncurses_dim() }
        if appearance.attributes.contains(.underline) { attributes |= cncurses_underline() }
        if appearance.attributes.contains(.reverse) { attributes |= cncurses_reverse() }
        let colors = Colors(
            foreground: appearance.foreground.map(Int32.init) ?? -1,
            background: appearance.background.map(Int32.init) ?? -1)
        return Look(attributes: attributes, pair: pair(colors))
    }

    /// Returns a color pair. Pair 0 is the terminal's default colors, also used when a terminal has no more pairs.
    private mutating func pair(_ colors: Colors) -> Int16 {
        if colors.foreground == -1, colors.background == -1 { return 0 }
        if let pair = pairs[colors] { return pair }
        let next = Int32(pairs.count + 1)
        guard next < min(cncurses_color_pairs(), Int32(Int16.max)),
            init_extended_pair(next, colors.foreground, colors.background) == OK
        else { return 0 }
        pairs[colors] = Int16(next)
        return Int16(next)
    }
}
