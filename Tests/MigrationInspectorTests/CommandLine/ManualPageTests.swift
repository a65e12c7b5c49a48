import TestSupport
import Testing

@testable import MigrationInspector

@Suite("The manual page")
struct ManualPageTests {
    @Test(
        "the manual page is roff without warnings from mandoc, even with strange names",
        .enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
    func lint() throws {
        let folder = try TemporaryFolder()
        let pages = [
            try BuiltProgram.inspector.run("manual").output,
            ManualPage(program: "look here", chains: ["it's", ".SH", "a\\b", "Größe", "\"x\""]).text + "\n",
            ManualPage(program: "look here", chains: StrangeNames.all).text + "\n",
        ]
        for page in pages {
            try folder.write(page, to: "page.1")
            let run = try BuiltProgram(path: "/usr/bin/env").run("mandoc", "-T", "lint", "page.1", in: folder.path)
            #expect(run.output + run.errors == "" && run.status == 0, "\(run.output)\(run.errors)")
        }
    }

    @Test("no chain with a strange name is a roff request in the manual page")
    func requests() throws {
        for name in [".SH X", "'sy", "a\n.SH X", "\\&.x", String(repeating: "\"", count: 100)] + StrangeNames.all {
            let page = ManualPage(program: "look", chains: [name]).text
            let known = try #require(page.split(separator: "\n").first { $0.hasPrefix("This program knows") })
            #expect(known.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "\(name.debugDescription)")
        }
    }

    @Test(
        "the manual page shows chains with strange names",
        .enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
    func strangeNames() throws {
        let folder = try TemporaryFolder()
        try folder.write(ManualPage(program: "look", chains: StrangeNames.all).text + "\n", to: "page.1")
        let run = try BuiltProgram(path: "/usr/bin/env").run(
            "mandoc", "-T", "utf8", "-O", "width=500", "page.1", in: folder.path)
        let words = { (text: String) in
            text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }.joined(separator: " ")
        }
        let sentence = SafeText.line("This program knows the chains \(StrangeNames.all.joined(separator: ", ")).")
        #expect(words(run.output).utf8.firstRange(of: words(sentence).utf8) != nil, "\(run.output)")
    }

    @Test(
        "the manual page describes every command, option and exit status like the help",
        .enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
    func contents() throws {
        let folder = try TemporaryFolder()
        try folder.write(try BuiltProgram.inspector.run("manual").output, to: "page.1")
        let run = try BuiltProgram(path: "/usr/bin/env").run(
            "mandoc", "-T", "utf8", "-O", "width=500", "page.1", in: folder.path)
        // Bold characters are printed twice, with a backspace between.
        let text = run.output.replacing(/.\u{8}/, with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for command in Command.allCases {
            #expect(text.contains("migration-inspector \(command.usage)"))
            #expect(text.contains(command.description))
            for option in command.options { #expect(text.contains("\(option.name) ")) }
        }
        #expect(text.contains(Option.only.meaning(for: .check)))
        for (status, meaning) in CommandLineWords.statuses { #expect(text.contains("\(status.rawValue) \(meaning)")) }
    }
}
