import Foundation
import MigrationCore

/// What the app's code printed to one stream while it was at one document: the beginning and the end, and where the
/// app's code was when it printed it.
struct CapturedOutput: Sendable {
    /// How many bytes are kept of either end.
    static let kept = 32 << 10

    /// The number of the request that the document came with.
    private(set) var number: UInt64 = 0
    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    private var count = 0
    /// Where the app's code went, and how much had been printed by then.
    private var marks: [(offset: Int, place: RunPlace)] = []
    /// What may be the beginning of a mark.
    private var rest: ArraySlice<UInt8> = []

    /// How many marks are kept of a request. What is printed behind more of them has no place.
    static let mostMarks = 4096

    /// Adds what was printed, in which a worker may have left marks. With the first one of a later request, what was
    /// printed before is forgotten.
    ///
    /// - Parameter end: The number of the first request that was not made yet. Its mark, and those of earlier ones than
    ///   the last, are the app's: it printed them.
    mutating func append(_ bytes: some Collection<UInt8>, before end: UInt64 = .max) {
        var bytes = rest + bytes
        rest = []
        while let start = bytes.firstIndex(of: OutputMark.beginning[0]) {
            guard bytes[start...].starts(with: OutputMark.beginning.prefix(bytes.endIndex - start)) else {
                keep(bytes[...start])
                bytes = bytes[(start + 1)...]
                continue
            }
            keep(bytes[..<start])
            bytes = bytes[start...]
            guard bytes.count >= OutputMark.length else {
                rest = bytes
                return
            }
            let mark = bytes.dropFirst(OutputMark.beginning.count).withUnsafeBytes {
                $0.loadUnaligned(as: OutputMark.self)
            }
            if mark.number < number || mark.number >= end {
                keep(bytes.prefix(OutputMark.length))
            } else if mark.number > number {
                self = CapturedOutput()
                number = mark.number
            } else if marks.count < Self.mostMarks {
                marks.append((count, marks.count < Self.mostMarks - 1 ? mark.place : RunPlace()))
            }
            bytes = bytes.dropFirst(OutputMark.length)
        }
        keep(bytes)
    }

    /// Whether nothing stands behind the last mark of a request, so that what comes now is of the next one too.
    var isSeparated: Bool { count == 0 && marks.isEmpty && rest.isEmpty }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        count += bytes.count
        let room = Self.kept - head.count
        head += bytes.prefix(room)
        tail += bytes.dropFirst(room)
        // Seldom enough that a megabyte a byte at a time costs no more than twice itself.
        if tail.count > 2 * Self.kept { tail.removeFirst(tail.count - Self.kept) }
    }

    /// The output of which nothing more comes: what may have been the beginning of a mark is none.
    private var ended: CapturedOutput {
        var ended = self
        ended.keep(rest)
        return ended
    }

    /// The text, with a note in place of what was not kept.
    var text: String {
        let ended = ended
        return ended.text(in: 0..<ended.count)
    }

    private func text(in range: Range<Int>) -> String {
        let end = tail.suffix(Self.kept)
        let tailRange = range.clamped(to: count - end.count..<count)
        let first = head[range.clamped(to: 0..<head.count)]
        let last = end.dropFirst(tailRange.lowerBound - (count - end.count)).prefix(tailRange.count)
        let omitted = range.count - first.count - last.count
        guard omitted > 0 else { return String(decoding: first + last, as: UTF8.self) }
        let beginning = String(decoding: first, as: UTF8.self)
        return "\(beginning)\n… \(omitted) bytes left out …\n\(String(decoding: last, as: UTF8.self))"
    }

    /// What was printed between one mark and the next; before the first, between the mark number -1 and 0.
    private func text(behindMark number: Int) -> String {
        let start = number < 0 ? 0 : marks[number].offset
        return text(in: start..<(number + 1 < marks.count ? marks[number + 1].offset : count))
    }

    /// What was printed to standard output and standard error, in the order of the places in the app's code.
    ///
    /// - Parameter isLost: Whether the process ended there: the runtime's account of the stack, which then stands last on
    ///   standard error, is not the app's.
    static func printed(
        _ output: [CapturedOutput], among chains: [ChainDescription], isLost: Bool = false
    ) -> [PrintedOutput] {
        let output = output.map(\.ended)
        return (-1..<(output.map(\.marks.count).max() ?? 0)).flatMap { number in
            zip(PrintedOutput.Stream.allCases, output).compactMap { stream, output in
                guard number < output.marks.count else { return nil }
                var text = output.text(behindMark: number)
                if isLost, stream == .stderr, number == output.marks.count - 1 { text = withoutTrace(text) }
                guard !text.isEmpty else { return nil }
                let place = LostPlace(number < 0 ? RunPlace() : output.marks[number].place, among: chains)
                return PrintedOutput(phase: place.printing, step: place.failureStep, stream: stream, text: text)
            }
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

/// What a worker writes between what the app's code prints, where that begins with a request after it has printed
/// something, or goes from one place to another: bytes that no text in UTF-8 has, and then the number of the request
/// and the place.
struct OutputMark {
    let number: UInt64
    var place = RunPlace()

    static let beginning: [UInt8] = [0xFF, 0x4D, 0xFE, 0x49, 0xFF, 0xFE, 0x0B, 0xC0]
    static let length = beginning.count + MemoryLayout<OutputMark>.size

    var bytes: [UInt8] { withUnsafeBytes(of: self) { Self.beginning + $0 } }

    /// Writes the mark to a stream, whole: it is no longer than what a pipe takes at once.
    ///
    /// - Returns: Whether it stands there: the app's code may have closed the stream, or have it take nothing for now.
    @discardableResult
    func write(to stream: Int32) -> Bool {
        let bytes = bytes
        while true {
            let count = Foundation.write(stream, bytes, bytes.count)
            if count >= 0 || errno != EINTR { return count == bytes.count }
        }
    }
}

extension LostPlace {
    /// What the app's code does there, for what it prints.
    fileprivate var printing: PrintedOutput.Phase? {
        switch phase {
        case .idle: nil
        case .describing, .detecting: .detection
        case .decoding: .decoding
        case .stepping: .step
        case .encoding: .encoding
        case .finishing: step == nil ? .decoding : .step
        }
    }
}
