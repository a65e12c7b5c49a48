/// The contents of a terminal of the type `xterm-256color`, computed from the bytes written to it. This is needed
/// because ncurses only writes changes, often just parts of words.
///
/// It handles the sequences that terminfo(5) lets ncurses write for this type, and characters of one column each.
/// Colors are ignored.
struct TerminalScreen {
    private var lines: [[Unicode.Scalar]]
    private var cursor = (line: 0, column: 0)
    private var last: Unicode.Scalar = " "
    /// The lines that scroll.
    private var region: Range<Int>
    /// The beginning of a sequence whose end hasn't been written yet.
    private var unread: [UInt8] = []

    init(width: Int, height: Int) {
        lines = Array(repeating: Array(repeating: " ", count: width), count: height)
        region = 0..<height
    }

    /// Returns whether the words are on a line.
    func has(_ words: String) -> Bool {
        let words = Array(words.unicodeScalars)
        return lines.contains { line in
            line.indices.contains { line[$0...].starts(with: words) }
        }
    }

    /// Returns whether any character meets the condition.
    func has(_ isSuch: (Unicode.Scalar) -> Bool) -> Bool { lines.contains { $0.contains(where: isSuch) } }

    /// Handles bytes that are written to the terminal.
    mutating func write(_ bytes: some Sequence<UInt8>) {
        unread += bytes
        var start = 0
        while start < unread.count, let end = end(of: start) {
            take(unread[start..<end])
            start = end
        }
        unread.removeFirst(start)
    }

    /// Returns the end of the character or sequence that begins at `start`, or `nil` if its end hasn't been written
    /// yet.
    private func end(of start: Int) -> Int? {
        let rest = unread[start...]
        let first = rest[start]
        guard first == 0x1B else {
            let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
            return rest.count < length ? nil : start + length
        }
        guard rest.count > 1 else { return nil }
        switch rest[start + 1] {
        case UInt8(ascii: "["):
            return rest.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
        case UInt8(ascii: "]"):
            return rest.firstIndex { $0 == 0x07 || $0 == UInt8(ascii: "\\") }.map { $0 + 1 }
        case UInt8(ascii: "("):
            return rest.count > 2 ? start + 3 : nil
        default:
            return start + 2
        }
    }

    /// Handles one character or sequence.
    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch text {
        case "\r": cursor.column = 0
        case "\n": goDown()
        case "\u{8}": cursor.column = max(0, cursor.column - 1)
        case "\u{1B}M": goUp()
        default:
            if text.hasPrefix("\u{1B}[") {
                let numbers = text.dropFirst(2).dropLast().split(separator: ";", omittingEmptySubsequences: false)
                    .map { Int($0) ?? 0 }
                control(text.unicodeScalars.last!, numbers)
            } else if let character = text.unicodeScalars.first, character.value >= 0x20 {
                put(character)
            }
        }
    }

    private mutating func put(_ character: Unicode.Scalar) {
        if cursor.column == lines[0].count {
            cursor.column = 0
            goDown()
        }
        lines[cursor.line][cursor.column] = character
        cursor.column += 1
        last = character
    }

    private mutating func goDown() {
        if cursor.line == region.upperBound - 1 {
            scroll(region, by: 1)
        } else {
            cursor.line = min(lines.count - 1, cursor.line + 1)
        }
    }

    private mutating func goUp() {
        if cursor.line == region.lowerBound {
            scroll(region, by: -1)
        } else {
            cursor.line = max(0, cursor.line - 1)
        }
    }

    /// Moves lines up, or down if the count is negative. New lines are empty.
    private mutating func scroll(_ lines: Range<Int>, by count: Int) {
        let old = self.lines
        for line in lines {
            self.lines[line] = lines.contains(line + count) ? old[line + count] : old[line].map { _ in " " }
        }
    }

    /// Handles a sequence that begins with ESC [, identified by its last character (ECMA-48).
    private mutating func control(_ name: Unicode.Scalar, _ numbers: [Int]) {
        let count = max(1, numbers[0])
        let width = lines[0].count
        let column = min(cursor.column, width - 1)
        switch name {
        case "H":
            cursor = (min(count, lines.count) - 1, min(max(1, numbers.count > 1 ? numbers[1] : 1), width) - 1)
        case "A": cursor.line = max(0, cursor.line - count)
        case "B": cursor.line = min(lines.count - 1, cursor.line + count)
        case "C": cursor.column = min(width - 1, column + count)
        case "D": cursor.column = max(0, column - count)
        case "G": cursor.column = min(width, count) - 1
        case "d": cursor.line = min(lines.count, count) - 1
        case "X": clear(cursor.line, column..<min(width, column + count))
        case "K": clear(cursor.line, numbers[0] == 1 ? 0..<column + 1 : column..<width)
        case "J":
            clear(cursor.line, numbers[0] == 2 ? 0..<width : column..<width)
            for line in lines.indices where numbers[0] == 2 || line > cursor.line { clear(line, 0..<width) }
        case "b": for _ in 0..<count { put(last) }
        case "P":
            lines[cursor.line].removeSubrange(column..<min(width, column + count))
            while lines[cursor.line].count < width { lines[cursor.line].append(" ") }
        case "@":
            lines[cursor.line].insert(contentsOf: Array(repeating: " ", count: count), at: column)
            lines[cursor.line].removeLast(count)
        case "L": scroll(cursor.line..<region.upperBound, by: -count)
        case "M": scroll(cursor.line..<region.upperBound, by: count)
        case "S": scroll(region, by: count)
        case "T": scroll(region, by: -count)
        case "r":
            let lower = min(count, lines.count) - 1
            let upper = numbers.count > 1 && numbers[1] > lower ? min(numbers[1], lines.count) : lines.count
            region = lower..<upper
            cursor = (0, 0)
        default: break
        }
    }

    private mutating func clear(_ line: Int, _ columns: Range<Int>) {
        for column in columns { lines[line][column] = " " }
    }
}
