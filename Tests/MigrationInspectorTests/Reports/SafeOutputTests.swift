import Foundation
import TestSupport
import Testing

@Suite("Output without control characters")
struct SafeOutputTests {
    private let program = BuiltProgram.inspector

    /// A bell, a sequence that clears the screen, one that sets the title, a line break, and a change of direction.
    private static let hostile = "a\u{7}\u{1B}[2J\u{1B}]0;title\u{7}\nb\u{202E}c"

    private func expectSafe(_ text: String) {
        let forbidden = text.unicodeScalars.filter {
            $0 != "\n" && ($0.value < 0x20 || $0 == "\u{7F}" || $0 == "\u{202E}")
        }
        #expect(forbidden.isEmpty, "\(text.debugDescription)")
    }

    @Test("file names with control characters are printed safely")
    func names() throws {
        let folder = try TemporaryFolder()
        let name = Self.hostile + ".json"
        try folder.write(Poems.broken, to: name)
        let check = try program.run("check", ".", in: folder.path)
        expectSafe(check.output)
        #expect(check.lines.count == 2, "one line for the document, one for the summary")
        let trace = try program.run("trace", name, in: folder.path)
        expectSafe(trace.output)
        let migrate = try program.run("migrate", name, in: folder.path)
        expectSafe(migrate.errors)
        // A printed name can be used as an argument.
        let printed = try #require(trace.lines.first?.split(separator: " (json)").first.map(String.init))
        #expect(try program.run("trace", printed, in: folder.path).lines.first == trace.lines.first)
        let missing = try program.run("check", "nowhere" + name, in: folder.path)
        expectSafe(missing.output + missing.errors)
    }

    @Test("arguments of an invalid command line are printed safely")
    func commandLine() throws {
        for arguments in [[Self.hostile], ["check", "--" + Self.hostile], ["check", "--chain", Self.hostile, "."]] {
            expectSafe(try program.run(arguments).errors)
        }
    }

    @Test("JSON reports escape control characters and keep the same text")
    func json() throws {
        let folder = try TemporaryFolder()
        let name = "a\u{7F}\u{9B}31m\u{202E}\u{200B}\u{FEFF}\u{2028}\u{E0041}é"
        try folder.write(Poems.broken.replacing("Anonymous", with: name), to: name + ".json")
        for arguments in [["check", "--format", "json", "."], ["trace", "--format", "json", name + ".json"]] {
            let report = try program.run(arguments, in: folder.path)
            let raw = report.output.unicodeScalars.filter { $0.value > 0x7E && $0 != "é" }
            #expect(raw.isEmpty)
            #expect(report.output.contains(#"a\u007f\u009b31m\u202e\u200b\ufeff\u2028\udb40\udc41é"#))
            #expect(
                try JSONValue(report.output)["results"].elements.allSatisfy {
                    $0["source"].text?.contains(name) == true
                })
        }
    }

    @Test("a program name with control characters is printed safely")
    func programName() throws {
        let folder = try TemporaryFolder()
        let link = folder.path("in\u{1B}[31m\u{202E}spect")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: program.path)
        for arguments in [["--version"], ["--help"], ["check", "--help"], ["--nonsense"], ["nowhere"], ["chains"]] {
            let run = try BuiltProgram(path: link).run(arguments)
            expectSafe(run.output + run.errors)
        }
    }

    @Test("control characters in fields, values and messages are printed safely")
    func contents() throws {
        let folder = try TemporaryFolder()
        let escaped = #"a\u0007\u001b[2J\u001b]0;title\u0007\nb\u202ec"#
        try folder.write(
            #"{"version":1,"author":"\#(escaped)","poem":"\#(escaped)","starRating":5,"\#(escaped)":1}"#, to: "a.json")
        try folder.write(#"{"version":1,"author":"A","poem":"B","starRating":"\#(escaped)"}"#, to: "b.json")
        try folder.write(#"{"_version":1,"sender":"","recipient":"\#(escaped),","body":""}"#, to: "c.json")
        try folder.write("{\"version\":1,\u{1B}[2J}", to: "d.json")
        expectSafe(try program.run("check", ".", in: folder.path).output)
        for name in ["a.json", "b.json", "c.json", "d.json"] {
            expectSafe(try program.run("trace", name, in: folder.path).output)
            expectSafe(try program.run("migrate", name, in: folder.path).errors)
        }
    }
}
