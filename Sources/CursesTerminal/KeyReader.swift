import CNcurses
import Foundation
import InspectorUI

/// Converts ncurses' input into keys, mouse events and pastes.
@MainActor
struct KeyReader {
    /// The text of a paste that has started and not ended yet.
    private var paste: String?
    private var lastPress: (x: Int, y: Int, time: ContinuousClock.Instant)?

    private static let pasteBegins: Int32 = 2000
    private static let pasteEnds: Int32 = 2001
    /// The longest time between the presses of a double press.
    private static let doublePressTime = Duration.milliseconds(400)
    /// A timeout in milliseconds, so that a paste whose end mark got lost does not swallow keys forever.
    private static let pastePatience: Int32 = 500
    private static let longestPaste = 1 << 20

    /// Defines keys that terminals send although their entry in the terminal database is wrong or missing.
    static func defineKeys() {
        let sequences: [(String, Int32)] = [
            ("\u{1B}[A", KEY_UP), ("\u{1B}[B", KEY_DOWN), ("\u{1B}[C", KEY_RIGHT), ("\u{1B}[D", KEY_LEFT),
            ("\u{1B}OA", KEY_UP), ("\u{1B}OB", KEY_DOWN), ("\u{1B}OC", KEY_RIGHT), ("\u{1B}OD", KEY_LEFT),
            ("\u{1B}[H", KEY_HOME), ("\u{1B}[F", KEY_END), ("\u{1B}OH", KEY_HOME), ("\u{1B}OF", KEY_END),
            ("\u{1B}[1~", KEY_HOME), ("\u{1B}[4~", KEY_END), ("\u{1B}[7~", KEY_HOME), ("\u{1B}[8~", KEY_END),
            ("\u{1B}[3~", KEY_DC), ("\u{1B}[5~", KEY_PPAGE), ("\u{1B}[6~", KEY_NPAGE), ("\u{1B}[Z", KEY_BTAB),
            ("\u{1B}[200~", pasteBegins), ("\u{1B}[201~", pasteEnds),
        ]
        for (sequence, code) in sequences where key_defined(sequence) <= 0 { define_key(sequence, code) }
    }

    /// Returns the longest time to wait, given the caller's limit; nil waits indefinitely.
    func patience(_ milliseconds: Int32?) -> Int32? {
        guard paste != nil else { return milliseconds }
        return min(milliseconds ?? Self.pastePatience, Self.pastePatience)
    }

    /// Reads all input that is available without waiting.
    mutating func read() -> [InspectorInput] {
        var inputs: [InspectorInput] = []
        var character = wint_t()
        while true {
            let kind = wget_wch(cncurses_screen(), &character)
            guard kind != ERR else { return inputs }
            if kind == KEY_CODE_YES, character == UInt32(KEY_MOUSE) {
                inputs += mouse().map(InspectorInput.mouse)
            } else if let input = input(character, isCode: kind == KEY_CODE_YES) {
                inputs.append(input)
            }
        }
    }

    /// Ends a paste and returns its text, also when no more of it arrives.
    mutating func finishStalledPaste() -> InspectorInput? {
        guard let text = paste else { return nil }
        paste = nil
        return .paste(text)
    }

    private mutating func input(_ value: wint_t, isCode: Bool) -> InspectorInput? {
        if isCode {
            switch Int32(bitPattern: value) {
            case Self.pasteBegins:
                paste = ""
                return nil
            case Self.pasteEnds: return finishStalledPaste()
            case let code: return paste == nil ? key(code: code).map(InspectorInput.key) : nil
            }
        }
        guard let scalar = Unicode.Scalar(value) else { return nil }
        if paste != nil {
            paste?.unicodeScalars.append(scalar == "\r" ? "\n" : scalar)
            return (paste?.utf8.count ?? 0) < Self.longestPaste ? nil : finishStalledPaste()
        }
        return key(scalar).map(InspectorInput.key)
    }

    private func key(_ scalar: Unicode.Scalar) -> InspectorKey? {
        switch scalar.value {
        case 9: .tab
        case 10, 13: .enter
        case 8, 127: .backspace
        case 27: keyAfterEscape()
        case 0: .control("@")
        case 1...26: .control(Character(Unicode.Scalar(UInt8(scalar.value) + 96)))
        case 28...31: .control(Character(Unicode.Scalar(UInt8(scalar.value) + 64)))
        case 0x80...0x9F: nil
        default: .character(Character(scalar))
        }
    }

    /// Returns Escape if it was the only input. Otherwise the input is Alt with a key, or a key that ncurses does not
    /// know. Neither has a meaning here, and the bytes must not be interpreted as other keys.
    private func keyAfterEscape() -> InspectorKey? {
        var next = wint_t()
        let kind = wget_wch(cncurses_screen(), &next)
        guard kind != ERR else { return .escape }
        if kind == KEY_CODE_YES { return nil }
        if next == 27 { return keyAfterEscape() }
        guard next == UInt32(UInt8(ascii: "[")) || next == UInt32(UInt8(ascii: "O")) else { return nil }
        // A control sequence ends with a byte from @ to ~ (ECMA-48, section 5.4).
        while wget_wch(cncurses_screen(), &next) == OK, !(0x40...0x7E).contains(next) {}
        return nil
    }

    /// Returns pending mouse events. ncurses announces reports that arrive together only once, and returns the last
    /// one first.
    private mutating func mouse() -> [InspectorMouse] {
        var events: [MEVENT] = []
        var event = MEVENT()
        while getmouse(&event) == OK { events.append(event) }
        return events.reversed().compactMap { event in
            let (x, y) = (Int(event.x), Int(event.y))
            if event.bstate & cncurses_button4_pressed() != 0 { return InspectorMouse(.wheelUp, x: x, y: y) }
            if event.bstate & cncurses_button5_pressed() != 0 { return InspectorMouse(.wheelDown, x: x, y: y) }
            return event.bstate & cncurses_button1_pressed() != 0 ? press(x, y) : nil
        }
    }

    private mutating func press(_ x: Int, _ y: Int) -> InspectorMouse {
        let now = ContinuousClock.now
        if let last = lastPress, last.x == x, last.y == y, now - last.time < Self.doublePressTime {
            lastPress = nil
            return InspectorMouse(.doublePress, x: x, y: y)
        }
        lastPress = (x, y, now)
        return InspectorMouse(.press, x: x, y: y)
    }

    private func key(code: Int32) -> InspectorKey? {
        switch code {
        case KEY_UP, KEY_SR: .up
        case KEY_DOWN, KEY_SF: .down
        case KEY_LEFT, KEY_SLEFT: .left
        case KEY_RIGHT, KEY_SRIGHT: .right
        case KEY_PPAGE, KEY_SPREVIOUS, KEY_A3: .pageUp
        case KEY_NPAGE, KEY_SNEXT, KEY_C3: .pageDown
        case KEY_HOME, KEY_SHOME, KEY_FIND, KEY_A1: .home
        case KEY_END, KEY_SEND, KEY_SELECT, KEY_LL, KEY_C1: .end
        case KEY_BTAB: .backTab
        case KEY_ENTER: .enter
        case KEY_BACKSPACE: .backspace
        case KEY_DC, KEY_SDC: .delete
        case KEY_IC, KEY_SIC: .insert
        case (KEY_F0 + 1)...(KEY_F0 + 63): .function(Int(code - KEY_F0))
        default: modifiedKey(code: code)
        }
    }

    /// Handles keys with Ctrl, Alt or Shift, which ncurses calls kUP5, kNXT3 and so on, like the keys without
    /// modifiers.
    private func modifiedKey(code: Int32) -> InspectorKey? {
        guard code > KEY_MAX, let name = keyname(code) else { return nil }
        return Self.modifiedKeys[String(String(cString: name).prefix { !$0.isNumber })]
    }

    private static let modifiedKeys: [String: InspectorKey] = [
        "kUP": .up, "kDN": .down, "kLFT": .left, "kRIT": .right, "kPRV": .pageUp, "kNXT": .pageDown, "kHOM": .home,
        "kEND": .end, "kDC": .delete, "kIC": .insert,
    ]
}
