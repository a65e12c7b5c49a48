import MigrationCore

/// What the app's code printed to one stream while it was at one document: the beginning and the end.
struct CapturedOutput: Sendable {
    /// How many bytes are kept of either end.
    static let kept = 32 << 10

    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    private var count = 0

    /// Adds what was printed.
    mutating func append(_ bytes: some Collection<UInt8>) {
        count += bytes.count
        let room = Self.kept - head.count
        head += bytes.prefix(room)
        tail += bytes.dropFirst(room)
        // Seldom enough that a megabyte a byte at a time costs no more than twice itself.
        if tail.count > 2 * Self.kept { tail.removeFirst(tail.count - Self.kept) }
    }

    /// Whether nothing was printed.
    var isEmpty: Bool { count == 0 }

    /// The text, with a note in place of what was not kept.
    var text: String {
        let end = tail.suffix(Self.kept)
        let omitted = count - head.count - end.count
        let beginning = String(decoding: head, as: UTF8.self)
        guard omitted > 0 else { return beginning.isEmpty ? "" : String(decoding: head + end, as: UTF8.self) }
        return "\(beginning)\n… \(omitted) bytes left out …\n\(String(decoding: end, as: UTF8.self))"
    }

    /// What was printed to standard output and standard error, in that order.
    static func printed(_ output: [CapturedOutput]) -> [PrintedOutput] {
        zip(PrintedOutput.Stream.allCases, output).compactMap { stream, output in
            output.isEmpty ? nil : PrintedOutput(stream: stream, text: withoutTrace(output.text))
        }
    }

    /// The text up to where Swift's runtime begins with the stack.
    private static func withoutTrace(_ text: String) -> String {
        let starts = traces.compactMap { trace in
            text.hasPrefix(trace)
                ? text.startIndex : text.firstRange(of: "\n\(trace)").map { text.index(after: $0.lowerBound) }
        }
        return String(text[..<(starts.min() ?? text.endIndex)])
    }

    /// How the runtime begins a line that says why it ends the process.
    private static let verdicts = ["Fatal error", "Precondition failed", "Assertion failed"]
    /// How it begins what it says of the stack.
    private static let traces = ["Current stack trace:", "*** ", "💣"]

    /// What was said last, of a process that ended: from the last line of Swift's runtime on, where it said why, else
    /// the last line; without the runtime's account of the stack.
    var lastWords: (text: String, isVerdict: Bool)? {
        let text = String(decoding: tail.isEmpty ? head[...] : tail[...], as: UTF8.self)
        var lines = Self.withoutTrace(text).split(whereSeparator: \.isNewline)
        lines.removeAll { $0.allSatisfy(\.isWhitespace) }
        let verdict = lines.lastIndex { line in
            Self.verdicts.contains { line.hasPrefix($0) || line.contains(": \($0)") }
        }
        if let verdict { return (lines[verdict...].joined(separator: "\n"), true) }
        return lines.last.map { (String($0), false) }
    }

    /// Where in the app's code the process ended, of a backtrace that Swift's runtime wrote: the first frame with a line
    /// in a source file, without what the compiler made; nil where there is none.
    var appFrame: String? {
        let frame =
            #/^ *[0-9]+ (?<marks>(?:\[[a-z]+\] *)*) *0x[0-9a-f]+ (?<name>.+?)(?: \+ [0-9]+)? in [^ ]+ at (?<path>/.+):(?<line>[0-9]+):[0-9]+$/#
        for line in text.split(whereSeparator: \.isNewline) {
            guard let found = line.wholeMatch(of: frame), !found.marks.contains("system"),
                !found.marks.contains("thunk")
            else { continue }
            let file = found.path.split(separator: "/").last ?? found.path
            return "\(found.name) at \(file):\(found.line)"
        }
        return nil
    }
}
