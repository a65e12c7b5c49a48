import DocumentSources
import MigrationCore
import MigrationWorker
import Testing

@testable import MigrationInspector

@Suite("The command line")
struct CommandLineParserTests {
    private func parse(_ arguments: String...) throws(UsageError) -> Invocation {
        try CommandLineParser().parse(arguments.map { FilePath($0) })
    }

    private func message(_ arguments: String...) -> String? {
        do {
            _ = try CommandLineParser().parse(
                arguments.map { FilePath($0) })
            return nil
        } catch {
            return error.message
        }
    }

    // MARK: - Commands

    @Test("without a command opens the screen, with whatever is named")
    func noCommand() throws {
        #expect(try parse() == Invocation(action: .inspect(paths: [])))
        #expect(try parse("demo-data", "poem.json") == Invocation(action: .inspect(paths: ["demo-data", "poem.json"])))
        #expect(try parse("./notes") == Invocation(action: .inspect(paths: ["./notes"])))
        #expect(try parse("-") == Invocation(action: .inspect(paths: ["-"])))
    }

    @Test("each command takes its paths")
    func commands() throws {
        #expect(try parse("inspect", "a", "b").action == .inspect(paths: ["a", "b"]))
        #expect(try parse("check", "a", "b").action == .check(paths: ["a", "b"], .text))
        #expect(try parse("trace", "a").action == .trace(path: "a", .text))
        #expect(try parse("migrate", "a").action == .migrate(path: "a", .standardOutput, allowsDropped: false))
        #expect(try parse("chains").action == .chains(.text))
    }

    @Test("the name of a command behind a command is a path")
    func commandAsPath() throws {
        #expect(try parse("check", "trace").action == .check(paths: ["trace"], .text))
    }

    @Test(
        "a mistyped command is named, with the nearest one",
        arguments: [("chek", "check"), ("tarce", "trace"), ("migrat", "migrate"), ("CHECK", "check")])
    func mistypedCommand(typed: String, meant: String) {
        #expect(message(typed, "a.json") == "unknown command '\(typed)'; did you mean '\(meant)'?")
    }

    @Test("what is like no command is told which there are")
    func unknownCommand() {
        let expected = "unknown command 'supercalifragilistic'; known are inspect, check, trace, migrate, chains"
        #expect(message("supercalifragilistic") == expected)
    }

    @Test("a command misses its path, or has too many")
    func pathCounts() {
        #expect(message("check") == "check needs at least one file, folder or '-'")
        #expect(message("trace") == "trace takes one document, but none is given")
        #expect(message("trace", "a", "b") == "trace takes one document, but 2 are given")
        #expect(message("migrate") == "migrate takes one document, but none is given")
        #expect(message("migrate", "a", "b", "c") == "migrate takes one document, but 3 are given")
        #expect(message("chains", "a") == "chains takes no path; found 'a'")
    }

    // MARK: - Options

    @Test("--chain and --to pick how documents are opened, for every command that opens any")
    func chainAndTarget() throws {
        for command in ["inspect", "check", "trace", "migrate"] {
            let invocation = try parse(command, "--chain", "Package.resolved", "--to", "2", "a")
            #expect(invocation.chain == "Package.resolved" && invocation.target == .number(2))
        }
        #expect(try parse("check", "a").chain == nil)
        #expect(try parse("check", "a").target == nil)
    }

    @Test("a version is a number, a name, or none")
    func versions() throws {
        #expect(try parse("check", "--to", "v2", "a").target == .name("v2"))
        #expect(try parse("check", "--to", "none", "a").target == .unversioned)
        #expect(try parse("check", "--to=3", "a").target == .number(3))
    }

    @Test("the value of an option stands behind it or behind a sign")
    func attachedValues() throws {
        #expect(try parse("check", "--format=json", "a") == parse("check", "--format", "json", "a"))
        #expect(
            try parse("migrate", "--output=x=y", "a").action == .migrate(path: "a", .file("x=y"), allowsDropped: false))
    }

    @Test("options and paths come in any order")
    func order() throws {
        #expect(try parse("check", "a", "--format", "jsonl", "b").action == .check(paths: ["a", "b"], .jsonl))
    }

    @Test("check has three formats, trace and chains two")
    func formats() throws {
        #expect(try parse("check", "--format", "text", "a").action == .check(paths: ["a"], .text))
        #expect(try parse("check", "--format", "json", "a").action == .check(paths: ["a"], .json))
        #expect(try parse("trace", "--format", "json", "a").action == .trace(path: "a", .json))
        #expect(try parse("chains", "--format", "json").action == .chains(.json))
        #expect(message("trace", "--format", "jsonl", "a") == "unknown format 'jsonl'; did you mean 'json'?")
        #expect(message("check", "--format", "yaml", "a") == "unknown format 'yaml'; known are text, json, jsonl")
    }

    @Test("migrate writes to standard output, to a file, or in place")
    func outputs() throws {
        #expect(
            try parse("migrate", "--output", "new", "a").action
                == .migrate(path: "a", .file("new"), allowsDropped: false))
        #expect(try parse("migrate", "--in-place", "a").action == .migrate(path: "a", .inPlace, allowsDropped: false))
        #expect(
            try parse("migrate", "--output", "-", "a").action
                == .migrate(path: "a", .standardOutput, allowsDropped: false))
        #expect(
            try parse("migrate", "--allow-dropped", "a").action
                == .migrate(path: "a", .standardOutput, allowsDropped: true))
        #expect(message("migrate", "--output", "b", "--in-place", "a") == "--output and --in-place exclude one another")
    }

    @Test("--in-place needs a file that is one document")
    func inPlaceOfStandardInput() {
        #expect(
            message("migrate", "--in-place", "-") == "--in-place needs a file, not standard input; use --output"
        )
    }

    @Test("--help is about the command it stands with, wherever it stands")
    func help() throws {
        #expect(try parse("--help").action == .help(nil))
        #expect(try parse("-h").action == .help(nil))
        #expect(try parse("migrate", "--help").action == .help(.migrate))
        #expect(try parse("inspect", "a", "-h").action == .help(.inspect))
    }

    @Test("--help and --version need nothing else to be there")
    func helpAlone() throws {
        for command in Command.allCases {
            #expect(try parse(command.rawValue, "--help").action == .help(command))
            #expect(try parse(command.rawValue, "--version").action == .version)
        }
        #expect(try parse("--version").action == .version)
    }

    @Test("an unknown option is named, with the nearest one of the command")
    func unknownOption() {
        #expect(message("check", "--formt", "json", "a") == "unknown option '--formt'; did you mean '--format'?")
        #expect(message("check", "--FORMAT", "json", "a") == "unknown option '--FORMAT'; did you mean '--format'?")
        #expect(message("migrate", "--inplace", "a") == "unknown option '--inplace'; did you mean '--in-place'?")
        #expect(message("chains", "-q") == "unknown option '-q'; known are --format, --help, --version")
    }

    @Test("an option of another command is told where it belongs")
    func misplacedOption() {
        #expect(message("check", "--in-place", "a") == "check has no option --in-place; it belongs to migrate")
        #expect(message("--format", "json") == "inspect has no option --format; it belongs to check, trace, chains")
    }

    @Test("what the app's code may use is told in numbers")
    func limits() throws {
        let invocation = try parse("check", "--time-limit", "1.5", "--memory-limit=1000", "--jobs", "3", "a")
        #expect(invocation.limits == WorkerLimits(seconds: 1.5, memory: 1000 << 20))
        #expect(invocation.jobs == 3)
        let least = try parse("check", "--time-limit", "0", "--memory-limit", "0", "--jobs", "1", "a")
        #expect(least.limits == WorkerLimits(seconds: 0, memory: 0) && least.jobs == 1)
        #expect(try parse("trace", "a").limits == WorkerLimits())
        #expect(try parse("trace", "--in-process", "a").isInProcess)
        #expect(message("check", "--jobs", "0", "a") == "--jobs needs a number of processes; found '0'")
        #expect(
            message("trace", "--time-limit", "soon", "a")
                == "--time-limit needs a number of seconds, or 0 for no limit; found 'soon'")
        #expect(
            message("check", "--memory-limit", "-1", "a")
                == "--memory-limit needs a number of megabytes, or 0 for no limit; found '-1'")
        #expect(message("trace", "--jobs", "2", "a") == "trace has no option --jobs; it belongs to check, migrate")
    }

    @Test("numbers have bounds, which are told")
    func bounds() throws {
        for number in [0, 1, 1_000_000] {
            #expect(try parse("check", "--memory-limit", "\(number)", "a").limits.memory == UInt64(number) << 20)
        }
        for number in [1, 1_000_000] { #expect(try parse("check", "--jobs", "\(number)", "a").jobs == number) }
        for number in ["1000001", "-1", "1.5", "", "many"] {
            #expect(message("check", "--jobs", number, "a") == "--jobs needs a number of processes; found '\(number)'")
            #expect(message("check", "--memory-limit", number, "a")?.hasSuffix("; found '\(number)'") == true)
        }
        for seconds in ["0", "0.25", "999999999"] {
            #expect(try parse("check", "--time-limit", seconds, "a").limits.seconds == Double(seconds))
        }
        for seconds in ["1e9", "-0.1", "nan", "inf", ""] {
            #expect(message("check", "--time-limit", seconds, "a")?.hasSuffix("; found '\(seconds)'") == true)
        }
    }

    @Test("each command has the options that do something there, and no others")
    func optionsOfCommands() {
        let running: Set<Option> = [.timeLimit, .memoryLimit, .inProcess, .help, .version]
        let expected: [Command: Set<Option>] = [
            .inspect: running.union([.chain, .to, .column]),
            .check: running.union([.chain, .to, .column, .format, .jobs]),
            .trace: running.union([.chain, .to, .format]),
            .migrate: running.union([.chain, .to, .column, .output, .inPlace, .allowDropped, .jobs]),
            .chains: [.format, .help, .version],
        ]
        let flags: Set<Option> = [.inPlace, .inProcess, .allowDropped, .help, .version]
        for command in Command.allCases {
            for option in Option.allCases {
                let name = "--\(option.rawValue)"
                // The two say what the option is, whatever else the command line lacks.
                let alone = message(command.rawValue, name)
                let attached = message(command.rawValue, "\(name)=x")
                if expected[command]?.contains(option) != true {
                    #expect(alone?.hasPrefix("\(command.rawValue) has no option \(name); it belongs to ") == true)
                } else if flags.contains(option) {
                    #expect(attached == "\(name) takes no value" && alone != attached, "\(command) \(name)")
                } else {
                    #expect(alone == "\(name) needs a value" && attached != alone, "\(command) \(name)")
                    guard option != .column else { continue }
                    #expect(message(command.rawValue, name, "1", name, "1") == "\(name) is given twice")
                }
            }
        }
    }

    @Test("columns may be named more than once, and stay in their order")
    func columns() throws {
        for command in ["inspect", "check", "migrate"] {
            let invocation = try parse(command, "--column", "A.B", "a", "--column=C.D")
            #expect(invocation.columns == ["A.B", "C.D"])
        }
        #expect(try parse("check", "a").columns.isEmpty)
    }

    @Test("what is unknown is told with the nearest, or with all that are known, if there are any")
    func unknown() {
        #expect(
            UsageError.unknown("chain", "Pome", known: ["Poem", "User"]).message.hasSuffix("; did you mean 'Poem'?"))
        #expect(UsageError.unknown("chain", "x", known: ["Poem", "User"]).message.hasSuffix("; known are Poem, User"))
        #expect(UsageError.unknown("chain", "x", known: []).message == "unknown chain 'x'")
    }

    @Test("an option that needs a value, takes none, or is given twice says so")
    func valueErrors() {
        #expect(message("check", "a", "--format") == "--format needs a value")
        #expect(message("migrate", "--in-place=yes", "a") == "--in-place takes no value")
        #expect(message("check", "--to", "1", "--to", "2", "a") == "--to is given twice")
    }

    // MARK: - The end of the options

    @Test("behind -- everything is a path")
    func endOfOptions() throws {
        #expect(try parse("check", "--", "--format", "-").action == .check(paths: ["--format", "-"], .text))
        #expect(try parse("--", "check").action == .inspect(paths: ["check"]))
        #expect(try parse("check", "--format", "json", "--", "--").action == .check(paths: ["--"], .json))
    }

    @Test("- is standard input, not an option")
    func standardInput() throws {
        #expect(try parse("check", "-").action == .check(paths: ["-"], .text))
        #expect(try parse("trace", "-").action == .trace(path: "-", .text))
    }

    @Test("a path, and the value of --output, are the bytes that were given, UTF-8 or not")
    func bytes() throws {
        let path = FilePath([0x63, 0xE9, 0x3D])
        let arguments: [FilePath] = ["migrate", path, FilePath(Array("--output=".utf8) + [0xFF, 0x3D])]
        #expect(
            try CommandLineParser().parse(arguments).action
                == .migrate(path: path, .file(FilePath([0xFF, 0x3D])), allowsDropped: false))
    }
}
