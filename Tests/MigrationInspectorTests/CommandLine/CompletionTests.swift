import Foundation
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Completions, tested in the shells themselves")
struct CompletionTests {
    private let program = BuiltProgram.inspector

    /// The words that are typed, and the completions of the last one.
    private static let cases: [(typed: [String], words: Set<String>)] = [
        (["ch"], ["check", "chains"]), (["check", "--form"], ["--format"]),
        (["trace", "--format", ""], ["text", "json", "markdown", "html"]), (["diff", "--format", "p"], ["patch"]),
        (["check", "--only", "failed,un"], ["failed,unrecognized", "failed,unreadable"]),
        (["check", "--chain", "B"], ["Book metadata"]), (["chains", "P"], ["Poem", "Package.resolved"]),
        (["completions", ""], ["bash", "zsh", "fish"]), (["--se"], ["--set"]),
        (["tour", "--i"], ["--in-process"]), (["check", "--to", ""], []), (["manual", ""], []),
    ]

    @Test("bash completes commands, options, values, chains and files", arguments: Self.cases)
    func bash(typed: [String], words: Set<String>) throws {
        #expect(try bash(typed) == words)
    }

    @Test("bash completes a value after an equals sign, which it treats as a word, and only files after --")
    func bashSigns() throws {
        #expect(try bash(["check", "--format", "=", "ju"]) == ["junit"])
        #expect(try bash(["check", "--format", "="]) == Set(CheckFormat.allCases.map(\.rawValue)))
        #expect(try bash(["check", "--only", "failed,unrecognized,un"]) == ["failed,unrecognized,unreadable"])
        #expect(try bash(["check", "--", "--form"]) == [])
        #expect(try bash(["check", "--", "demo-data/po"]) == ["demo-data/poems", "demo-data/posted-letters"])
        #expect(try bash(["check", "--baseline", "REA"]) == ["README.md"])
    }

    private func bash(_ typed: [String]) throws -> Set<String> {
        // Outside of a completion, compopt has nothing to work on.
        let script = """
            compopt() { :; }
            source <("$0" completions bash)
            COMP_WORDS=(migration-inspector "$@"); COMP_CWORD=$#
            _migration_inspector
            for word in "${COMPREPLY[@]}"; do eval "printf '%s\\n' $word"; done
            """
        let run = try BuiltProgram(path: "/bin/bash").run(["-c", script, program.path] + typed)
        #expect(run.errors == "")
        return Set(run.lines)
    }

    @Test(
        "fish completes commands, options, values, chains and files",
        .enabled(if: isInstalled("fish"), "fish is not installed"), arguments: Self.cases)
    func fish(typed: [String], words: Set<String>) throws {
        let script = "$argv[1] completions fish | source; complete -C \"migration-inspector $argv[2]\""
        let run = try BuiltProgram(path: "/usr/bin/env").run(
            ["fish", "--no-config", "-c", script, program.path, typed.joined(separator: " ")])
        #expect(run.errors == "")
        #expect(Set(run.lines.map { String($0.prefix { $0 != "\t" }) }) == words)
    }

    /// Runs a shell on a script that prints the completions of `my-tool chains`, each followed by a zero byte, and
    /// checks that these are all strange names. The script finds the completions in `./completions`.
    ///
    /// - Parameter left: Names that the shell cannot complete.
    private func expectStrangeNames(
        _ shell: Shell, _ options: [String], _ script: String, besides left: (Data) -> Bool = { _ in false }
    ) throws {
        let names = StrangeNames.all
        let folder = try TemporaryFolder()
        try folder.write(ShellCompletions(program: "my-tool", chains: names).text(for: shell), to: "completions")
        try folder.write(script, to: "script")
        let run = try BuiltProgram(path: "/usr/bin/env").run([shell.rawValue] + options + ["script"], in: folder.path)
        let found = Set(run.outputData.split(separator: 0).map { Data(shell == .fish ? $0.dropLast() : $0) })
        let expected = Set(names.map { Data($0.utf8) })
        #expect(run.errors == "")
        for name in expected.subtracting(found) where !left(name) {
            Issue.record("\(shell) misses \(String(decoding: name, as: UTF8.self).debugDescription)")
        }
        for name in found.subtracting(expected) {
            Issue.record("\(shell) has \(String(decoding: name, as: UTF8.self).debugDescription)")
        }
        // A name that was run as a command would make this file.
        #expect(try folder.names().contains("x") == false)
    }

    @Test("bash completes chains with strange names")
    func strangeNamesInBash() throws {
        try expectStrangeNames(
            .bash, [],
            """
            compopt() { :; }; source ./completions; COMP_WORDS=(x chains ''); COMP_CWORD=2; _my_tool
            for word in "${COMPREPLY[@]}"; do eval "printf '%s\\0' $word"; done
            """)
    }

    @Test(
        "fish completes chains with strange names, except for those with a tab",
        .enabled(if: isInstalled("fish"), "fish is not installed"))
    func strangeNamesInFish() throws {
        // fish completes words that begin with a period only after one is typed, and ends words at a tab.
        try expectStrangeNames(
            .fish, ["--no-config"],
            """
            source completions
            for typed in '' .
                for word in (complete --escape -C "my-tool chains $typed"); string unescape -- $word; printf '\\0'; end
            end
            """, besides: { $0.contains(UInt8(ascii: "\t")) })
    }

    @Test("zsh completes chains with strange names", .enabled(if: isInstalled("zsh"), "zsh is not installed"))
    func strangeNamesInZsh() throws {
        try expectStrangeNames(.zsh, ["-f"], Self.zshCapture)
    }

    /// Makes zsh complete, and prints each completion followed by a zero byte.
    private static let zshCapture = #"""
        zmodload zsh/zpty
        cat > setup <<'SETUP'
        PROMPT=
        autoload -U compinit; compinit -u -D
        source ./completions
        compadd() {
            local -a hits
            builtin compadd -A hits "$@"
            (( $#hits )) && printf '%s\0' "${(Q)hits[@]}" >> hits
            builtin compadd "$@"
        }
        finish() { print FINISHED; }
        comppostfuncs=(finish)
        print READY
        SETUP
        : > hits
        zpty z zsh -f -i
        zpty -w z "source ./setup"
        zpty -r z line '*READY*'
        zpty -w -n z $'my-tool chains \t'
        zpty -r z line '*FINISHED*'
        zpty -d z
        cat hits
        """#
}
