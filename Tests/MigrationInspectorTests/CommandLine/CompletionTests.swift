import TestSupport
import Testing

@testable import MigrationInspector

@Suite("Completions, in the shells themselves")
struct CompletionTests {
    private let program = BuiltProgram.inspector

    /// What is typed, and what completes its last word.
    private static let cases: [(typed: [String], words: Set<String>)] = [
        (["ch"], ["check", "chains"]), (["check", "--form"], ["--format"]),
        (["trace", "--format", ""], ["text", "json", "markdown"]), (["diff", "--format", "p"], ["patch"]),
        (["check", "--only", "failed,un"], ["failed,unrecognized", "failed,unreadable"]),
        (["check", "--chain", "B"], ["Book metadata"]), (["chains", "P"], ["Poem", "Package.resolved"]),
        (["completions", ""], ["bash", "zsh", "fish"]), (["--se"], ["--set"]),
        (["tour", "--i"], ["--in-process"]), (["check", "--to", ""], []), (["manual", ""], []),
    ]

    @Test("bash completes commands, options, values, chains and files", arguments: Self.cases)
    func bash(typed: [String], words: Set<String>) throws {
        #expect(try bash(typed) == words)
    }

    @Test("bash completes a value behind a sign, which it sees as a word, and nothing but files behind --")
    func bashSigns() throws {
        #expect(try bash(["check", "--format", "=", "ju"]) == ["junit"])
        #expect(try bash(["check", "--format", "="]) == Set(CheckFormat.allCases.map(\.rawValue)))
        #expect(try bash(["check", "--only", "failed,unrecognized,un"]) == ["failed,unrecognized,unreadable"])
        #expect(try bash(["check", "--", "--form"]) == [])
        #expect(try bash(["check", "--", "demo-data/po"]) == ["demo-data/poems", "demo-data/posted-letters"])
        #expect(try bash(["check", "--baseline", "REA"]) == ["README.md"])
    }

    private func bash(_ typed: [String]) throws -> Set<String> {
        // Outside of a completion there is nothing to set options of.
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

    @Test("fish does too", arguments: Self.cases)
    func fish(typed: [String], words: Set<String>) throws {
        let script = "$argv[1] completions fish | source; complete -C \"migration-inspector $argv[2]\""
        let run = try BuiltProgram(path: "/usr/bin/env").run(
            ["fish", "--no-config", "-c", script, program.path, typed.joined(separator: " ")])
        #expect(run.errors == "")
        #expect(Set(run.lines.map { String($0.prefix { $0 != "\t" }) }) == words)
    }

    @Test("of chains with any names are read by every shell as they are meant")
    func strangeNames() throws {
        let names = ["it's", "a\"b", "$(touch x)", "back\\slash", "[a]:b", "`c`"]
        let completions = ShellCompletions(program: "my-tool", chains: names)
        let folder = try TemporaryFolder()
        try folder.write(completions.text(for: .bash), to: "c.bash")
        try folder.write(completions.text(for: .fish), to: "c.fish")
        try folder.write(completions.text(for: .zsh), to: "c.zsh")
        let script = """
            compopt() { :; }; source ./c.bash; COMP_WORDS=(x chains ''); COMP_CWORD=2; _my_tool
            for word in "${COMPREPLY[@]}"; do eval "printf '%s\\n' $word"; done
            """
        #expect(try BuiltProgram(path: "/bin/bash").run("-c", script, in: folder.path).lines == names)
        let fish = try BuiltProgram(path: "/usr/bin/env").run(
            "fish", "--no-config", "-c", "source c.fish; complete -C 'my-tool chains '", in: folder.path)
        #expect(Set(fish.lines) == Set(names), "\(fish.errors)")
        let zsh = try BuiltProgram(path: "/usr/bin/env").run("zsh", "-f", "-n", "c.zsh", in: folder.path)
        #expect(zsh.status == 0 && zsh.errors == "")
    }
}
