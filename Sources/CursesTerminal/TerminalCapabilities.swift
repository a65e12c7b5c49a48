import CNcurses
import Foundation

/// What the terminal database says about this terminal, beyond what ncurses uses by itself.
struct TerminalCapabilities {
    /// Bracketed paste: pasted text comes between two marks, so that it is not taken for keys. Empty without it.
    let pasteOn: [UInt8]
    let pasteOff: [UInt8]
    private let fixed: [UInt8]
    private let leaveScreen: [UInt8]

    /// Reads the entry of the terminal that ncurses has opened.
    init() {
        let hasPaste = Self.string("BE") != nil && Self.string("BD") != nil
        pasteOn = hasPaste ? Self.bytes("BE") : []
        pasteOff = hasPaste ? Self.bytes("BD") : []
        let mouse = Self.string("kmous") == nil ? [] : Array("\u{1B}[?1006l\u{1B}[?1000l".utf8)
        // What endwin(3X) sends: the cursor visible, colors and attributes off, the keypad off, the other screen left.
        fixed = mouse + pasteOff + ["cnorm", "sgr0", "op", "rmkx"].flatMap(Self.bytes)
        leaveScreen = Self.bytes("rmcup")
    }

    /// Everything that gives back the terminal. Where there is no other screen to leave, the cursor goes to the last
    /// row, below the picture.
    func restoration(lastRow: Int) -> [UInt8] {
        var sequence = fixed
        if let address = Self.string("cup"), let position = cncurses_goto(address, Int32(lastRow), 0) {
            sequence += Self.withoutPadding(position)
        }
        return sequence + leaveScreen + endOfPicture
    }

    /// Where there is no other screen to leave, the picture stays, and a line below it is needed for what comes next.
    var endOfPicture: [UInt8] { leaveScreen.isEmpty ? Array("\r\n".utf8) : [] }

    func send(_ bytes: [UInt8], to descriptor: Int32) {
        guard !bytes.isEmpty else { return }
        _ = write(descriptor, bytes, bytes.count)
    }

    /// A string capability, nil when the terminal has none of this name.
    static func string(_ name: String) -> UnsafeMutablePointer<CChar>? {
        guard let value = tigetstr(name), Int(bitPattern: value) != -1, value.pointee != 0 else { return nil }
        return value
    }

    /// What to send for a string capability; nothing when the terminal has none of this name.
    private static func bytes(_ name: String) -> [UInt8] { string(name).map(withoutPadding) ?? [] }

    /// The capability without `$<5>`: milliseconds to wait, for terminals of long ago.
    private static func withoutPadding(_ value: UnsafeMutablePointer<CChar>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(String(cString: value).utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "$"), rest.first == UInt8(ascii: "<"),
                let end = rest.firstIndex(of: UInt8(ascii: ">"))
            {
                rest = rest[(end + 1)...]
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
