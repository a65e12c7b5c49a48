import ExampleChains
import MigrationCore
import TestSupport
import Testing

@testable import MigrationWorker

@Suite("Captured output of the app's code")
struct CapturedOutputTests {
    private func output(_ texts: String...) -> CapturedOutput {
        var output = CapturedOutput()
        for text in texts { output.append(text.utf8) }
        return output
    }

    @Test("short output is kept whole")
    func short() {
        #expect(CapturedOutput().text.isEmpty)
        #expect(output("one\n", "two\n").text == "one\ntwo\n")
    }

    @Test("the beginning and the end of long output are kept")
    func long() {
        var long = CapturedOutput()
        for number in 0..<20_000 { long.append("line \(number)\n".utf8) }
        #expect(long.text.hasPrefix("line 0\nline 1\n"))
        #expect(long.text.hasSuffix("line 19999\n"))
        #expect(long.text.utf8.count < 2 * CapturedOutput.kept + 100)
        #expect(long.text.contains("bytes left out"))
    }

    @Test(
        "output is separated by the step that printed it, whatever pieces it arrives in",
        arguments: [1, 7, 100, 1 << 20])
    func places(_ chunk: Int) throws {
        let chain = ChainDescription(try #require(ExampleChains.all.first { $0.name == "Poem" }))
        func mark(_ phase: RunPlace.Phase, _ stage: Int32) -> [UInt8] {
            var place = RunPlace()
            place.chain = MigrationChain.mark(of: chain.name)
            (place.phase, place.first, place.stage) = (phase.rawValue, 1, stage)
            return OutputMark(number: 0, place: place).bytes
        }
        let marks = [mark(.decoding, 1), mark(.stepping, 2), mark(.encoding, 2), mark(.stepping, 3)]
        // The beginning of a mark is not a mark.
        let texts = [[0xFF, 0x4D, 0x41], Array("two".utf8), [], [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)]
        let bytes = Array("before".utf8) + zip(marks, texts).flatMap { $0 + $1 }
        var output = CapturedOutput()
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            output.append(bytes[start..<min(bytes.count, start + chunk)])
        }
        var errors = CapturedOutput()
        for (mark, text) in zip(marks, ["", "!", "?", ""]) { errors.append(mark + Array(text.utf8)) }
        let printed = CapturedOutput.printed([output, errors], among: [chain])
        let reported = printed.map { output in
            "\(output.phase?.rawValue ?? "-") \(output.step?.to.description ?? "-") \(output.stream) \(output.text.prefix(6))"
        }
        #expect(
            reported == [
                "- - stdout before", "decoding - stdout \u{FFFD}MA", "step 2 stdout two", "step 2 stderr !",
                "encoding 2 stderr ?", "step 3 stdout xxxxxx",
            ])
        #expect(printed.last?.text.contains("bytes left out") == true)
        #expect(output.text.hasPrefix("before\u{FFFD}MAtwoxxx"))
    }

    /// The expected text of a part of the output: all of it, or both ends and the number of bytes between them.
    private func kept(_ bytes: [UInt8], _ part: Range<Int>) -> String {
        let first = part.clamped(to: 0..<min(bytes.count, CapturedOutput.kept))
        let last = part.clamped(
            to: max(first.upperBound, bytes.count - CapturedOutput.kept)..<max(first.upperBound, bytes.count))
        let omitted = part.count - first.count - last.count
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        return omitted == 0 ? text(part) : "\(text(first))\n… \(omitted) bytes left out …\n\(text(last))"
    }

    @Test("both ends are kept of the whole output and of each place's part, wherever the part begins and ends")
    func parts() {
        let kept = CapturedOutput.kept
        var generator = SeededGenerator(seed: 5)
        let lengths =
            [[2 * kept], [2 * kept + 1], [kept, kept], [kept, 1, kept], [kept + 1, 10, kept], [10, 3 * kept, 10]]
            + (0..<12).map { _ in
                (0...3).map { _ in Int.random(in: 0...40_000, using: &generator) }
            }
        for lengths in lengths {
            var (output, bytes, parts) = (CapturedOutput(), [UInt8](), [Range<Int>]())
            for (number, length) in lengths.enumerated() {
                let text = (0..<length).map { UInt8(ascii: "a") + UInt8(($0 + number) % 26) }
                // The bytes arrive in pieces, as from a pipe.
                for start in stride(from: 0, to: length, by: 10_000) {
                    output.append(text[start..<min(length, start + 10_000)])
                }
                parts.append(bytes.count..<bytes.count + length)
                bytes += text
                if number < lengths.count - 1 { output.append(OutputMark(number: 0).bytes) }
            }
            #expect(output.text == self.kept(bytes, 0..<bytes.count), "\(lengths)")
            let reported = CapturedOutput.printed([output], among: []).map(\.text)
            #expect(reported == parts.map { self.kept(bytes, $0) }.filter { !$0.isEmpty }, "\(lengths)")
        }
    }

    @Test("output is shown verbatim, except the stack trace that a lost process's runtime prints on standard error")
    func stack() {
        let text = "*** 1 ***\nCurrent stack trace:\n0 main\n"
        var early = output("*** early\n")
        early.append(OutputMark(number: 0).bytes + Array(text.utf8))
        func reported(isLost: Bool) -> [String] {
            CapturedOutput.printed([early, early], among: [], isLost: isLost).map { "\($0.stream) \($0.text)" }
        }
        let all = ["stdout *** early\n", "stderr *** early\n", "stdout \(text)", "stderr \(text)"]
        #expect(reported(isLost: false) == all)
        #expect(reported(isLost: true) == Array(all[..<3]))
        let said = output("reading\n*** no stack\nFatal error: no\nCurrent stack trace:\n0 main\n")
        #expect(CapturedOutput.printed([output(), said], among: [], isLost: true).map(\.text) == ["reading\n"])
    }

    @Test("output belongs to the latest request")
    func requests() {
        var output = output("chains\n")
        #expect(output.number == 0)
        output.append(OutputMark(number: 3).bytes + Array("three\n".utf8) + OutputMark(number: 4).bytes)
        #expect(output.number == 4)
        #expect(output.text.isEmpty)
        output.append("four\n".utf8)
        #expect(CapturedOutput.printed([output], among: []).map(\.text) == ["four\n"])
        #expect(output.lastWords?.text == "four")
    }

    @Test("marks are kept only up to a limit, and output after further marks has no step or phase")
    func manyMarks() throws {
        let chain = ChainDescription(try #require(ExampleChains.all.first { $0.name == "Poem" }))
        var place = RunPlace()
        (place.chain, place.phase, place.first, place.stage) = (
            MigrationChain.mark(of: chain.name), RunPlace.Phase.stepping.rawValue, 1, 2
        )
        let mark = OutputMark(number: 0, place: place).bytes + Array("a\n".utf8)
        var output = CapturedOutput()
        for _ in 0..<CapturedOutput.mostMarks + 100 { output.append(mark) }
        let printed = CapturedOutput.printed([output], among: [chain])
        #expect(printed.count == CapturedOutput.mostMarks)
        #expect(printed.dropLast().allSatisfy { $0.text == "a\n" && $0.step?.to == .number(2) })
        #expect(printed.last?.text.utf8.count == 2 * 101 && printed.last?.step == nil && printed.last?.phase == nil)
    }

    @Test("marks of requests that were not made or are over stay in the output, because the app's code printed them")
    func forgedMarks() {
        var output = CapturedOutput()
        output.append(OutputMark(number: 5).bytes + Array("five\n".utf8), before: 6)
        let forged = OutputMark(number: .max).bytes + OutputMark(number: 6).bytes + OutputMark(number: 4).bytes
        output.append(forged, before: 6)
        #expect(output.number == 5 && output.text.hasPrefix("five\n"))
        #expect(CapturedOutput.printed([output], among: []).map(\.text) == [output.text])
        #expect(output.text.utf8.count > forged.count)
        output.append(OutputMark(number: 6).bytes, before: 7)
        #expect(output.number == 6 && output.text.isEmpty)
    }

    @Test("output that ends with the beginning of a mark is kept whole")
    func unfinishedMark() {
        var output = output("one ")
        output.append(OutputMark.beginning.prefix(3))
        #expect(output.text == "one \u{FFFD}M\u{FFFD}")
        #expect(CapturedOutput.printed([output], among: []).map(\.text) == ["one \u{FFFD}M\u{FFFD}"])
    }

    @Test("the last words are what the runtime said at the end, without the stack")
    func verdict() {
        let words = output(
            "reading\nApp/Workout.swift:110: Fatal error: unknown workout type Swimming\n",
            "Current stack trace:\n0    libswiftCore.so  0x00007f27 swift_reportError + 33\n"
        ).lastWords
        #expect(words?.text == "App/Workout.swift:110: Fatal error: unknown workout type Swimming")
        #expect(words?.isVerdict == true)
        let several = output("a.swift:1: Precondition failed: first\nsecond\n").lastWords
        for line in ["Fatal error", "App/Workout.swift:1: Assertion failed", "Precondition failed: a"] {
            let words = output("before\n\(line)\n").lastWords
            #expect(words?.text == line && words?.isVerdict == true, "\(line)")
        }
        #expect(output("a line about a Fatal error\n").lastWords?.isVerdict == false)
        // The last one is why the process ended. The stack is left out, whichever way the runtime begins it.
        #expect(output("Fatal error: a\nFatal error: b\n").lastWords?.text == "Fatal error: b")
        for trace in ["Current stack trace:", "*** Signal 4:", "💣 Program crashed"] {
            #expect(output("said\n\(trace)\n0 main\n").lastWords?.text == "said")
            #expect(output("\(trace)\n0 main\n").lastWords == nil)
        }
        #expect(several?.text == "a.swift:1: Precondition failed: first\nsecond")
    }

    @Test("the last words without a runtime message are the last line, if there is one")
    func lastLine() {
        #expect(output("one\ntwo\n\n").lastWords?.text == "two")
        #expect(output("one\ntwo").lastWords?.isVerdict == false)
        #expect(output("\n\n").lastWords == nil)
        var long = output("first\n")
        for number in 0..<20_000 { long.append("line \(number)\n".utf8) }
        #expect(long.lastWords?.text == "line 19999")
    }

    @Test("the first frame of the app is found in a backtrace")
    func frame() {
        let trace = """
            Thread 0 "inspect" crashed:

              0 [inlined] [system]      0x000055a8e25f76cc specialized Array.subscript.getter in inspect at //<compiler-generated>
              1                         0x000055a8e25f76cc happen(_:_:) + 1116 in inspect at /app/Sources/inspect/Task.swift:70:41
              2 [ra]                    0x000055a8e25f939f Task.init(from:) + 478 in inspect at /app/Sources/Task.swift:51:9
            """
        #expect(output(trace).appFrame == "happen(_:_:) at Task.swift:70")
        #expect(output("Fatal error: no\n").appFrame == nil)
        func frame(_ marks: String, _ name: String, _ place: String) -> String? {
            output("  1 \(marks) 0x000055a8e25f76cc \(name) in inspect at \(place)\n").appFrame
        }
        #expect(frame("", "main + 3", "/app/A.swift:7:41") == "main at A.swift:7")
        #expect(frame("[ra] [async]", "A.b()", "/A.swift:7:1") == "A.b() at A.swift:7")
        for marks in ["[system]", "[thunk]", "[ra] [thunk]", "[inlined] [system]"] {
            #expect(frame(marks, "main + 3", "/app/A.swift:7:41") == nil, "\(marks)")
        }
    }
}
