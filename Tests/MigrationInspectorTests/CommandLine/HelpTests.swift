import DisplayText
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Help")
struct HelpTests {
    private let program = BuiltProgram.inspector

    @Test("the help lists every command and every exit status on standard output")
    func overview() throws {
        let run = try program.run("--help")
        for command in Command.allCases { #expect(run.output.contains("\n    \(command.rawValue) ")) }
        for status in ["0 ", "1 ", "64", "66", "70"] { #expect(run.output.contains("\n    \(status)  ")) }
        #expect(run.status == 0 && run.errors == "")
    }

    @Test("the help shows chains with strange names without raw characters")
    func strangeNames() {
        let text = HelpText(chains: StrangeNames.all).text(for: nil)
        let raw = text.unicodeScalars.filter { $0 != "\n" && $0.isEscapedForDisplay }
        #expect(raw.isEmpty)
        #expect(text.contains(SafeText.line("\u{1B}[201~hello,")))
    }

    @Test("the help of a command lists its options", arguments: Command.allCases)
    func command(_ command: Command) throws {
        let run = try program.run(command.rawValue, "--help")
        #expect(run.output.hasPrefix("migration-inspector "))
        #expect(run.status == 0 && run.errors == "")
        let options = run.lines.drop { $0 != "OPTIONS" }.dropFirst().compactMap { $0.split(separator: " ").first }
        for option in options {
            // Only options that the command doesn't have are reported as unknown or as another command's.
            let use = try program.run(command.rawValue, String(option), "--help")
            #expect(!use.errors.contains("option"), "\(option)")
        }
        #expect(options.contains("--help") && options.contains("--version"))
    }

    @Test("the help fits into 120 columns")
    func width() throws {
        for arguments in [["--help"]] + Command.allCases.map({ [$0.rawValue, "--help"] }) {
            let lines = try program.run(arguments).lines
            #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 120 })
        }
    }

    @Test("--version prints the version after the name that the program was called by")
    func version() throws {
        let folder = try TemporaryFolder()
        try folder.link("look", to: program.path)
        #expect(try program.run("--version").output == "migration-inspector \(programVersion)\n")
        #expect(try BuiltProgram(path: folder.path("look")).run("--version").output == "look \(programVersion)\n")
    }
}
