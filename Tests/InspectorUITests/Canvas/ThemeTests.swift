import Foundation
import Testing

@testable import InspectorUI

@Suite("Theme")
struct ThemeTests {
    /// Roles that must be noticeable without a sign beside them.
    private static let standingOut: [Role] = [
        .title, .focusedBorder, .key, .escape, .failed, .culprit, .current, .searchMatch, .searchCurrent, .hintKey,
    ]

    @Test("a theme without colors uses only attributes")
    func monochrome() {
        for role in Role.allCases {
            let appearance = Theme(depth: .monochrome).appearance(of: Style(role, .selected))
            #expect(appearance.foreground == nil && appearance.background == nil)
        }
    }

    @Test("roles that must stand out do so with any number of colors", arguments: ColorDepth.allCases)
    func standsOut(depth: ColorDepth) {
        let theme = Theme(depth: depth)
        for role in Self.standingOut {
            var appearance = theme.appearance(of: Style(role))
            appearance.attributes.remove(.dim)
            #expect(appearance != theme.appearance(of: .plain), "\(role)")
        }
    }

    @Test(
        "emphasized text is bold and never dim, and underlined without colors",
        arguments: ColorDepth.allCases)
    func emphasized(depth: ColorDepth) {
        for role in Role.allCases {
            let attributes = Theme(depth: depth).appearance(of: Style(role).with(.emphasized)).attributes
            #expect(attributes.contains(.bold) && !attributes.contains(.dim), "\(role)")
            #expect(depth != .monochrome || attributes.contains(.underline), "\(role)")
        }
    }

    @Test("the culprit looks like no other role", arguments: ColorDepth.allCases)
    func culprit(depth: ColorDepth) {
        let theme = Theme(depth: depth)
        let culprit = theme.appearance(of: .culprit)
        for role in Role.allCases where role != .culprit {
            #expect(theme.appearance(of: Style(role)) != culprit, "\(role)")
        }
    }

    @Test(
        "a selection is visible on every role, and differs from a selection without focus",
        arguments: ColorDepth.allCases)
    func selection(depth: ColorDepth) {
        let theme = Theme(depth: depth)
        for role in Role.allCases {
            let plain = theme.appearance(of: Style(role))
            let selected = theme.appearance(of: Style(role, .selected))
            #expect(selected != plain || role == .culprit, "\(role)")
            if role != .culprit, role != .searchMatch, role != .searchCurrent, role != .warning {
                #expect(selected != theme.appearance(of: Style(role, .selectedUnfocused)), "\(role)")
            }
        }
    }

    @Test("text that must stand out is never dim at any color depth")
    func dim() {
        for role in Self.standingOut {
            for depth in ColorDepth.allCases {
                #expect(!Theme(depth: depth).appearance(of: Style(role)).attributes.contains(.dim))
            }
        }
    }

    @Test("text in 256 colors is readable on black and on white")
    func contrast() {
        var count = 0
        for role in Role.allCases {
            let appearance = Theme(depth: .twoHundredFiftySix).appearance(of: Style(role))
            guard let foreground = appearance.foreground else { continue }
            let backgrounds: [Double] = appearance.background.map { [luminance($0)] } ?? [0, 1]
            for background in backgrounds {
                #expect(contrast(luminance(foreground), background) >= 3.2, "\(role)")
            }
            for modifier in [Style.Modifiers.selected, .selectedUnfocused] {
                let selected = Theme(depth: .twoHundredFiftySix).appearance(of: Style(role, modifier))
                guard let foreground = selected.foreground, let background = selected.background else { continue }
                #expect(contrast(luminance(foreground), luminance(background)) >= 4, "\(role)")
                count += 1
            }
        }
        #expect(count >= Role.allCases.count)
    }

    /// The contrast ratio of WCAG 2.1.
    private func contrast(_ one: Double, _ other: Double) -> Double {
        (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    /// The relative luminance of WCAG 2.1 for a color of xterm's palette, from index 16 on.
    private func luminance(_ index: UInt8) -> Double {
        func linear(_ channel: Int) -> Double {
            let value = Double(channel) / 255
            return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let index = Int(index)
        if index >= 232 { return linear(8 + 10 * (index - 232)) }
        func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
        let cube = index - 16
        return 0.2126 * linear(level(cube / 36)) + 0.7152 * linear(level(cube / 6 % 6))
            + 0.0722 * linear(level(cube % 6))
    }
}
