import CNcurses
import Foundation

/// Entries of the terminal database for this terminal that ncurses does not use itself.
struct TerminalCapabilities {
    /// The sequences for bracketed paste, which puts pasted text between marks so that it is not taken for keys.
    /// Empty if the terminal does not support it.
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
        // The same as endwin(3X) sends: show the cursor, reset colors and attributes, leave keypad mode, and leave
        // the alternate screen.
        fixed = mouse + pasteOff + ["cnorm", "sgr0", "op", "rmkx"].flatMap(Self.bytes)
        leaveScreen = Self.bytes("rmcup")
    }

    /// Returns the sequence that restores the terminal. If there is no alternate screen to leave, it moves the cursor
    /// to the last row, below the picture.
    func restoration(lastRow: Int) -> [UInt8] {
        var sequence = fixed
        if let address = Self.string("cup"), let position = cncurses_goto(address, Int32(lastRow), 0) {
            sequence += Self.withoutPadding(position)
        }
        return sequence + leaveScreen + endOfPicture
    }

    /// The line break for terminals without an alternate screen. The picture stays there, so further output needs a
    /// new line.
    var endOfPicture: [UInt8] { leaveScreen.isEmpty ? Array("\r\n".utf8) : [] }

    func send(_ bytes: [UInt8], to descriptor: Int32) {
        guard !bytes.isEmpty else { return }
        _ = write(descriptor, bytes, bytes.count)
    }

    /// Returns a string capability; nil if the terminal does not have it.
    static func string(_ name: String) -> UnsafeMutablePointer<CChar>? {
        guard let value = tigetstr(name), Int(bitPattern: value) != -1, value.pointee != 0 else { return nil }
        return value
    }

    /// Returns the bytes of a string capability; empty if the terminal does not have it.
    private static func bytes(_ name: String) -> [UInt8] { string(name).map(withoutPadding) ?? [] }

    /// Returns the capability without padding such as `$<5>`, a delay in milliseconds for very old terminals.
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
