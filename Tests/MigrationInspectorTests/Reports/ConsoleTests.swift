import Foundation
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Standard output")
struct ConsoleTests {
    @Test("standard output is kept for reports, and output of an app's code goes to standard error")
    func keptForReports() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
        ) {
            Console.keepForReports()
            print("the app's own words")
            try Console.print("the report")
        }
        #expect(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == "the report\n")
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("the app's own words"))
    }

    @Test("a failure to write to standard output is an error of the program for any output")
    func full() throws {
        let folder = try TemporaryFolder()
        try folder.write(Poems.first, to: "a.json")
        let error = ConsoleError(message: String(cString: strerror(ENOSPC)))
        for arguments in [
            "check a.json", "check --format json a.json", "check --format jsonl a.json", "trace a.json",
            "migrate a.json", "chains", "--help", "--version",
        ] {
            let run = try BuiltProgram(path: "/bin/sh")
                .run("-c", "exec \"$0\" \(arguments) > /dev/full", BuiltProgram.inspector.path, in: folder.path)
            #expect(run.errors == "migration-inspector: \(error)\n" && run.status == 70, "\(arguments)")
        }
    }

    @Test(
        "a progress line on a terminal is drawn a few times a second, and erased",
        .enabled(if: Ordeal.isPossible))
    func progress() async {
        await #expect(processExitsWith: .success) {
            let terminal = try Terminal()
            dup2(terminal.programSide, STDERR_FILENO)
            let erase = "\r\u{1B}[K"
            let start = ContinuousClock.now
            let line = ProgressLine()
            line.show { "early" }
            line.clear()
            let isEarly = start.duration(to: .now) < .milliseconds(250)
            let drawn = ContinuousClock.now
            var number = 0
            while drawn.duration(to: .now) < .milliseconds(700) {
                line.show {
                    number += 1
                    return "line \(number)\u{1B}]0;\u{9B}"
                }
                usleep(1000)
            }
            let time = drawn.duration(to: .now)
            #expect(number > 0 && Double(number) < time / .milliseconds(100) + 1)
            line.clear {
                Console.error("said\n\u{1B}")
                // At this point, the line is gone.
            }
            line.clear()
            line.clear()
            Console.error("end")
            try #require(terminal.shows("end"))
            let expected =
                (1...number).map { #"\#(erase)line \#($0)\u{1B}]0;\u{9B}"# }.joined() + erase
                + #"said\n\u{1B}"# + "\r\nend\r\n"
            #expect(!isEarly || terminal.output == expected, "\(terminal.output.debugDescription)")
        }
    }

    @Test("standard output is given back for documents that are written to it by name")
    func givenBack() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Console.keepForReports()
            // Without a line end, the text may stay in a buffer.
            print("the app's own words", terminator: "")
            Console.giveBack()
            try Data("the document".utf8).withUnsafeBytes { bytes in
                guard write(STDOUT_FILENO, bytes.baseAddress, bytes.count) == bytes.count else {
                    throw ConsoleError(message: "cut short")
                }
            }
            fflush(nil)
        }
        #expect(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == "the document")
    }
}
