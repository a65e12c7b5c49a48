import Foundation
import MigrationCore

/// The app's output to one stream while it processed one document: the beginning and the end of it, and where the app's
/// code was when it printed each piece.
struct CapturedOutput: Sendable {
    /// The number of bytes kept from each end.
    static let kept = 32 << 10

    /// The number of the request that the document came with.
    private(set) var number: UInt64 = 0
    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    private var count = 0
    /// The places that the app's code reached, with the number of bytes printed before each.
    private var marks: [(offset: Int, place: RunPlace)] = []
    /// Bytes that may be the beginning of a mark.
    private var rest: ArraySlice<UInt8> = []

    /// The maximum number of marks kept for a request. Output after that many marks isn't assigned to a place.
    static let mostMarks = 4096

    /// Appends output, which may contain the worker's marks. The first mark of a later request discards all output
    /// before it.
    ///
    /// - Parameter end: The number of the first request that hasn't been made yet. A mark with this number or a later
    ///   one was printed by the app, as was a mark of a request before the latest.
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

    /// Whether nothing follows the latest request's mark, so that new output also belongs to the next request.
    var isSeparated: Bool { count == 0 && marks.isEmpty && rest.isEmpty }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        count += bytes.count
        let room = Self.kept - head.count
        head += bytes.prefix(room)
        tail += bytes.dropFirst(room)
        // Rare enough that appending a megabyte one byte at a time costs at most twice as much.
        if tail.count > 2 * Self.kept { tail.removeFirst(tail.count - Self.kept) }
    }

    /// The output once the stream has ended: a possible beginning of a mark is ordinary text.
    private var ended: CapturedOutput {
        var ended = self
        ended.keep(rest)
        return ended
    }

    /// The text, with a note in place of the bytes that weren't kept.
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

    /// The output between a mark and the next. Mark -1 is the start of the output, before mark 0.
    private func text(behindMark number: Int) -> String {
        let start = number < 0 ? 0 : marks[number].offset
        return text(in: start..<(number + 1 < marks.count ? marks[number + 1].offset : count))
    }

    /// Returns the output to standard output and standard error, in the order in which the app's code reached the
    /// places.
    ///
    /// - Parameter isLost: Whether the process ended there. If so, standard error ends with the runtime's stack trace,
    ///   which isn't the app's.
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
                let place = WorkerLocation(number < 0 ? RunPlace() : output.marks[number].place, among: chains)
                return PrintedOutput(phase: place.printing, step: place.failureStep, stream: stream, text: text)
            }
        }
    }

    /// Returns the text up to the stack trace of Swift's runtime.
    private static func withoutTrace(_ text: String) -> String {
        let starts = traces.compactMap { trace in
            text.hasPrefix(trace)
                ? text.startIndex : text.firstRange(of: "\n\(trace)").map { text.index(after: $0.lowerBound) }
        }
        return String(text[..<(starts.min() ?? text.endIndex)])
    }

    /// The beginnings of the runtime's messages about why it ends the process.
    private static let verdicts = ["Fatal error", "Precondition failed", "Assertion failed"]
    /// The beginnings of the runtime's stack traces.
    private static let traces = ["Current stack trace:", "*** ", "💣"]

    /// The last output of a process that ended, without the runtime's stack trace: everything from the runtime's last
    /// message on why it ended the process, or just the last line if there's no such message.
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

    /// The place in the app's code where the process ended: the first frame in a backtrace of Swift's runtime that has
    /// a source line and isn't a system frame or a thunk; nil if there is no such frame.
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

/// A mark that a worker writes into the app's output when a request begins after something was printed, or when the
/// app's code moves from one place to another. It consists of bytes that never occur in UTF-8, then the number of the
/// request and the place.
struct OutputMark {
    let number: UInt64
    var place = RunPlace()

    static let beginning: [UInt8] = [0xFF, 0x4D, 0xFE, 0x49, 0xFF, 0xFE, 0x0B, 0xC0]
    static let length = beginning.count + MemoryLayout<OutputMark>.size

    var bytes: [UInt8] { withUnsafeBytes(of: self) { Self.beginning + $0 } }

    /// Writes the whole mark to a stream. It is short enough that a pipe takes it in one write.
    ///
    /// - Returns: false if it couldn't be written: the app's code may have closed the stream, or made it non-blocking
    ///   while it's full.
    @discardableResult
    func write(to stream: Int32) -> Bool {
        let bytes = bytes
        while true {
            let count = Foundation.write(stream, bytes, bytes.count)
            if count >= 0 || errno != EINTR { return count == bytes.count }
        }
    }
}

extension WorkerLocation {
    /// What the app's code was doing at this place, to label its output.
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
