import TestSupport
import Testing

@Suite("What a document or a file name holds cannot touch the terminal")
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

    @Test("in names of files")
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
        let missing = try program.run("check", "nowhere" + name, in: folder.path)
        expectSafe(missing.output + missing.errors)
    }

    @Test("in names on a wrong command line")
    func commandLine() throws {
        for arguments in [[Self.hostile], ["check", "--" + Self.hostile], ["check", "--chain", Self.hostile, "."]] {
            expectSafe(try program.run(arguments).errors)
        }
    }

    @Test("in fields, values and messages")
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
