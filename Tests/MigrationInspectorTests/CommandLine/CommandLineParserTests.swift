import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("The command line")
struct CommandLineParserTests {
    private func parse(_ arguments: String...) throws(UsageError) -> Invocation {
        try CommandLineParser().parse(arguments.map { FilePath($0) })
    }

    private func refusal(_ arguments: String...) -> UsageError? {
        do {
            _ = try CommandLineParser().parse(arguments.map { FilePath($0) })
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Commands

    @Test("a command line without a command opens the screen with the given paths")
    func noCommand() throws {
        #expect(try parse() == Invocation(action: .inspect(paths: [])))
        #expect(try parse("demo-data", "poem.json") == Invocation(action: .inspect(paths: ["demo-data", "poem.json"])))
        #expect(try parse("./notes") == Invocation(action: .inspect(paths: ["./notes"])))
        #expect(try parse("-") == Invocation(action: .inspect(paths: ["-"])))
    }

    @Test("each command takes its paths")
    func commands() throws {
        #expect(try parse("inspect", "a", "b").action == .inspect(paths: ["a", "b"]))
        #expect(try parse("check", "a", "b").action == .check(paths: ["a", "b"], CheckReporting()))
        #expect(try parse("trace", "a").action == .trace(path: "a", .text))
        #expect(try parse("migrate", "a").action == .migrate(paths: ["a"], .standardOutput))
        #expect(try parse("chains").action == .chains(name: nil, .text))
    }

    @Test("the name of a command after a command is a path")
    func commandAsPath() throws {
        #expect(try parse("check", "trace").action == .check(paths: ["trace"], CheckReporting()))
    }

    @Test(
        "a mistyped command is reported with the commands that exist",
        arguments: ["chek", "tarce", "supercalifragilistic"])
    func unknownCommand(typed: String) {
        #expect(refusal(typed, "a.json") == .neitherCommandNorFile(typed))
    }

    @Test(
        "an argument that looks like a path is one, and not a mistyped command",
        arguments: ["none.json", "old/none", "all#L3", "v1.2:order", "*.json", "a b", "~ada", "c:\\x"])
    func missingPath(typed: String) throws {
        #expect(try parse(typed).action == .inspect(paths: [FilePath(typed)]))
    }

    @Test("a command line with too few or too many paths is refused")
    func pathCounts() throws {
        #expect(refusal("check") == .noPath(.check))
        #expect(refusal("trace") == .notOne(.trace, count: 0))
        #expect(refusal("trace", "a", "b") == .notOne(.trace, count: 2))
        #expect(refusal("migrate") == .noPath(.migrate))
        #expect(try parse("migrate", "a", "b").action == .migrate(paths: ["a", "b"], .standardOutput))
        #expect(refusal("completions") == .notOneShell(count: 0))
        #expect(refusal("completions", "bash", "zsh") == .notOneShell(count: 2))
        #expect(refusal("completions", "csh") == .unknown("shell", "csh", known: ["bash", "zsh", "fish"]))
        #expect(try parse("completions", "fish").action == .completions(.fish))
        #expect(refusal("manual", "a") == .needlessPath(.manual, "a"))
        #expect(try parse("manual").action == .manual)
        #expect(refusal("chains", "a", "b") == .needlessName(.chains, "b"))
    }

    // MARK: - Options

    @Test("--chain and --to select how documents are opened in every command that opens them")
    func chainAndTarget() throws {
        for command in ["inspect", "check", "trace", "migrate"] {
            let invocation = try parse(command, "--chain", "Package.resolved", "--to", "2", "a")
            #expect(invocation.chain == "Package.resolved" && invocation.target == .number(2))
        }
        #expect(try parse("check", "a").chain == nil)
        #expect(try parse("check", "a").target == nil)
    }

    @Test("a version is a number, a name or none")
    func versions() throws {
        #expect(try parse("check", "--to", "v2", "a").target == .name("v2"))
        #expect(try parse("check", "--to", "none", "a").target == .unversioned)
        #expect(try parse("check", "--to=3", "a").target == .number(3))
    }

    @Test("the value of an option follows it as the next argument or after an equals sign")
    func attachedValues() throws {
        #expect(try parse("check", "--format=json", "a") == parse("check", "--format", "json", "a"))
        #expect(
            try parse("migrate", "--output=x=y", "a").action == .migrate(paths: ["a"], .file("x=y")))
    }

    @Test("options and paths come in any order")
    func order() throws {
        #expect(
            try parse("check", "a", "--format", "jsonl", "b").action
                == .check(paths: ["a", "b"], CheckReporting(format: .jsonl)))
    }

    @Test("each command has its own formats")
    func formats() throws {
        #expect(try parse("check", "--format", "text", "a").action == .check(paths: ["a"], CheckReporting()))
        #expect(
            try parse("check", "--format", "json", "a").action == .check(paths: ["a"], CheckReporting(format: .json)))
        #expect(try parse("trace", "--format", "json", "a").action == .trace(path: "a", .json))
        #expect(try parse("chains", "--format", "json").action == .chains(name: nil, .json))
        #expect(refusal("chains", "--format", "jsonl") == .unknown("format", "jsonl", known: ["text", "json"]))
        #expect(try parse("trace", "--format", "markdown", "a").action == .trace(path: "a", .markdown))
        #expect(try parse("trace", "--format", "html", "a").action == .trace(path: "a", .html))
        #expect(
            try parse("diff", "--format", "patch", "a", "b").action
                == .diff(old: "a", new: "b", .patch, isMigrated: false))
        #expect(
            try parse("diff", "--as-migrated", "a", "b").action == .diff(old: "a", new: "b", .text, isMigrated: true))
        #expect(
            refusal("check", "--format", "yaml", "a")
                == .unknown("format", "yaml", known: ["text", "json", "jsonl", "junit", "github", "markdown", "html"]))
    }

    @Test("migrate writes to standard output, to a file, or in place")
    func outputs() throws {
        #expect(
            try parse("migrate", "--output", "new", "a").action
                == .migrate(paths: ["a"], .file("new")))
        #expect(
            try parse("migrate", "--output", "-", "a").action
                == .migrate(paths: ["a"], .standardOutput))
        #expect(
            try parse("migrate", "--allow-dropped", "a").action
                == .migrate(paths: ["a"], .standardOutput, MigrateLimits(allowsDropped: true)))
        #expect(refusal("migrate", "--output", "b", "--in-place", "a") == .exclusive(.output, .inPlace))
    }

    @Test("migrate keeps comments in place, unless it may lose them")
    func comments() throws {
        #expect(
            try parse("migrate", "--in-place", "a").action
                == .migrate(paths: ["a"], .inPlace, MigrateLimits(keepsComments: true)))
        #expect(
            try parse("migrate", "--in-place", "--allow-comments-lost", "a").action
                == .migrate(paths: ["a"], .inPlace, MigrateLimits()))
    }

    @Test("--in-place is refused for standard input")
    func inPlaceOfStandardInput() {
        #expect(refusal("migrate", "--in-place", "-") == .inPlaceOfInput)
    }

    @Test("--help shows the help of the command on the command line")
    func help() throws {
        #expect(try parse("--help").action == .help(nil))
        #expect(try parse("-h").action == .help(nil))
        #expect(try parse("migrate", "--help").action == .help(.migrate))
        #expect(try parse("inspect", "a", "-h").action == .help(.inspect))
    }

    @Test("--help and --version need no other arguments")
    func helpAlone() throws {
        for command in Command.allCases {
            #expect(try parse(command.rawValue, "--help").action == .help(command))
            #expect(try parse(command.rawValue, "--version").action == .version)
        }
        #expect(try parse("--version").action == .version)
    }

    @Test("an unknown option is reported with the options of the command")
    func unknownOption() {
        for (command, typed) in [
            (Command.check, "--formt"), (.check, "--FORMAT"), (.migrate, "--inplace"), (.chains, "-q"),
        ] {
            #expect(
                refusal(command.rawValue, typed, "a")
                    == .unknown("option", typed, known: command.options.map(\.name)))
        }
    }

    @Test("an option of another command is reported with that command")
    func misplacedOption() {
        #expect(refusal("check", "--in-place", "a") == .foreign(.inPlace, of: .check))
        #expect(refusal("--format", "json") == .foreign(.format, of: .inspect))
    }

    @Test("limits for the app's code are given as numbers")
    func limits() throws {
        let invocation = try parse("check", "--time-limit", "1.5", "--memory-limit=1000", "--jobs", "3", "a")
        #expect(invocation.limits == WorkerLimits(seconds: 1.5, memory: 1000 << 20))
        #expect(invocation.jobs == 3)
        let least = try parse("check", "--time-limit", "0", "--memory-limit", "0", "--jobs", "1", "a")
        #expect(least.limits == WorkerLimits(seconds: 0, memory: 0) && least.jobs == 1)
        #expect(try parse("trace", "a").limits == WorkerLimits())
        #expect(try parse("trace", "--in-process", "a").isInProcess)
        #expect(refusal("check", "--jobs", "0", "a") == .wrongValue(.jobs, found: "0"))
        #expect(refusal("trace", "--time-limit", "soon", "a") == .wrongValue(.timeLimit, found: "soon"))
        #expect(refusal("check", "--memory-limit", "-1", "a") == .wrongValue(.memoryLimit, found: "-1"))
        #expect(refusal("trace", "--jobs", "2", "a") == .foreign(.jobs, of: .trace))
    }

    @Test("numbers outside their bounds are refused")
    func bounds() throws {
        for number in [0, 1, 1_000_000] {
            #expect(try parse("check", "--memory-limit", "\(number)", "a").limits.memory == UInt64(number) << 20)
        }
        for number in [1, 1_000_000] { #expect(try parse("check", "--jobs", "\(number)", "a").jobs == number) }
        for number in ["1000001", "-1", "1.5", "", "many"] {
            #expect(refusal("check", "--jobs", number, "a") == .wrongValue(.jobs, found: number))
            #expect(refusal("check", "--memory-limit", number, "a") == .wrongValue(.memoryLimit, found: number))
        }
        for seconds in ["0", "0.25", "999999999"] {
            #expect(try parse("check", "--time-limit", seconds, "a").limits.seconds == Double(seconds))
        }
        for seconds in ["1e9", "-0.1", "nan", "inf", ""] {
            #expect(refusal("check", "--time-limit", seconds, "a") == .wrongValue(.timeLimit, found: seconds))
        }
    }

    @Test(
        "--strict is refused with options that prevent experiments in separate processes",
        arguments: [Option.noExperiments, .inProcess])
    func strictWithoutExperiments(option: Option) {
        for command in ["check", "migrate"] {
            #expect(refusal(command, "--strict", option.name, "a") == .exclusive(.strict, option))
        }
    }

    @Test("--only takes kinds, --baseline takes a report, and --merge takes reports")
    func reporting() throws {
        let reporting = CheckReporting(kinds: [.failed, .lossy], baseline: "r.json")
        #expect(
            try parse("check", "--only", "failed,lossy", "--baseline=r.json", "a").action
                == .check(paths: ["a"], reporting))
        #expect(try parse("check", "--merge", "a", "-").action == .merge(reports: ["a", "-"], CheckReporting()))
        #expect(
            try parse("check", "--merge", "--strict", "--only", "failed", "--baseline", "-", "a").action
                == .merge(reports: ["a"], CheckReporting(isStrict: true, kinds: [.failed], baseline: "-")))
        #expect(refusal("check", "--merge", "--baseline", "-", "-") == .inputTwice)
        #expect(refusal("check", "--merge") == .noReport)
        #expect(
            try parse("check", "--shard", "02/04", "a").action
                == .check(paths: ["a"], CheckReporting(shard: Shard("2/4"))))
        for text in ["", "2", "0/4", "5/4", "1/", "a/b", "1/2/3", "-1/4", "1/0"] {
            #expect(refusal("check", "--shard", text, "a") == .wrongValue(.shard, found: text), "\(text)")
        }
        #expect(refusal("check", "--merge", "--shard", "1/2", "a") == .exclusive(.merge, .shard))
        for total in [0, 1, 3, 10, 1_000] {
            for count in [1, 2, 3, 7] {
                let ranges = (1...count).compactMap { Shard("\($0)/\(count)")?.range(of: total) }
                #expect(ranges.flatMap(Array.init) == Array(0..<total))
            }
        }
        #expect(refusal("check", "--merge", "-", "-") == .inputTwice)
        #expect(refusal("check", "--baseline", "-", "-") == .inputTwice)
        #expect(refusal("check", "--merge", "--history", "a") == .exclusive(.merge, .history))
        for kinds in ["fialed", "", "failed,", "all"] {
            let wrong = kinds == "failed," ? "" : kinds
            #expect(
                refusal("check", "--only", kinds, "a")
                    == .unknown("kind", wrong, known: ResultKind.allCases.map(\.rawValue)))
        }
    }

    @Test("each command has only options that have an effect")
    func optionsOfCommands() {
        let running: Set<Option> = [.timeLimit, .memoryLimit, .sizeLimit, .inProcess, .noExperiments, .help, .version]
        let expected: [Command: Set<Option>] = [
            .inspect: running.union([
                .chain, .to, .column, .history, .orderBy, .versionKey, .set, .unset, .picture, .size,
            ]),
            .tour: running,
            .check: running.union([
                .chain, .to, .column, .history, .full, .follow, .asMigrated, .orderBy, .versionKey, .format, .only,
                .strict, .baseline, .merge, .shard, .jobs,
            ]),
            .trace: running.union([
                .chain, .to, .format, .set, .unset, .among, .redact, .redactKeys, .blame, .asMigrated,
            ]),
            .diff: running.subtracting([.noExperiments]).union([.chain, .asMigrated, .format, .redact, .redactKeys]),
            .shrink: running.union([.chain, .to, .among, .redact, .redactKeys]),
            .migrate: running.union([
                .chain, .to, .column, .output, .inPlace, .allowDropped, .allowCommentsLost, .keepGoing, .strict, .jobs,
            ]),
            .scaffold: [.output, .name, .column, .history, .versionKey, .sizeLimit, .help, .version],
            .chains: [.format, .help, .version],
            .completions: [.help, .version],
            .manual: [.help, .version],
        ]
        let flags: Set<Option> = [
            .merge, .keepGoing, .inPlace, .inProcess, .noExperiments, .strict, .history, .full, .asMigrated,
            .blame, .redact, .redactKeys, .allowDropped, .allowCommentsLost, .help, .version,
        ]
        for command in Command.allCases {
            for option in Option.allCases {
                let name = option.name
                // Each of the two reports what kind of option it is, even if other arguments are missing.
                let alone = refusal(command.rawValue, name)
                let attached = refusal(command.rawValue, "\(name)=x")
                if expected[command]?.contains(option) != true {
                    #expect(alone == .foreign(option, of: command))
                } else if flags.contains(option) {
                    #expect(attached == .needlessValue(option) && alone != attached, "\(command) \(name)")
                } else {
                    #expect(alone == .missingValue(option) && attached != alone, "\(command) \(name)")
                    guard !option.isRepeatable else { continue }
                    #expect(refusal(command.rawValue, name, "1", name, "1") == .repeated(option))
                }
            }
        }
    }

    @Test("--column can be given more than once, and keeps its order")
    func columns() throws {
        for command in ["inspect", "check", "migrate"] {
            let invocation = try parse(command, "--column", "A.B", "a", "--column=C.D")
            #expect(invocation.columns == ["A.B", "C.D"])
        }
        #expect(try parse("check", "a").columns.isEmpty)
    }

    @Test("an option with a missing, unexpected or repeated value is refused")
    func valueErrors() throws {
        #expect(refusal("check", "a", "--format") == .missingValue(.format))
        // A name that is an option is given in one word.
        #expect(refusal("--picture", "--help") == .missingValue(.picture))
        #expect(try parse("--picture=--help").action == .inspect(paths: [], PictureRequest(file: "--help")))
        #expect(refusal("migrate", "--in-place=yes", "a") == .needlessValue(.inPlace))
        #expect(refusal("check", "--to", "1", "--to", "2", "a") == .repeated(.to))
    }

    // MARK: - The end of the options

    @Test("every argument after -- is a path")
    func endOfOptions() throws {
        #expect(try parse("check", "--", "--format", "-").action == .check(paths: ["--format", "-"], CheckReporting()))
        #expect(try parse("--", "check").action == .inspect(paths: ["check"]))
        #expect(
            try parse("check", "--format", "json", "--", "--").action
                == .check(paths: ["--"], CheckReporting(format: .json)))
    }

    @Test("the argument - is standard input, not an option")
    func standardInput() throws {
        #expect(try parse("check", "-").action == .check(paths: ["-"], CheckReporting()))
        #expect(try parse("trace", "-").action == .trace(path: "-", .text))
    }

    @Test("a path and the value of --output are the given bytes, even if they aren't UTF-8")
    func bytes() throws {
        let path = FilePath([0x63, 0xE9, 0x3D])
        let arguments: [FilePath] = ["migrate", path, FilePath(Array("--output=".utf8) + [0xFF, 0x3D])]
        #expect(
            try CommandLineParser().parse(arguments).action
                == .migrate(paths: [path], .file(FilePath([0xFF, 0x3D]))))
    }

    // MARK: - Names

    @Test("the values of --set, --unset, --chain and --column are read exactly")
    func strangeNames() throws {
        for name in StrangeNames.all + [#"a\nb"#, #"\u{41}"#] {
            let json = JSONString.text(of: name)
            let path = DocumentPath([.key(name)])
            let edited = try parse("trace", "--set", "\(path)=\(json)", "--unset", "\(path)", "x")
            #expect(edited.edits == [.set(path, try Document(json: json)), .remove(path)], "\(name.debugDescription)")
            let named = try parse("check", "--chain", name, "--column", "\(name).\(name)", "x")
            #expect(named.chain?.isExactly(name) == true, "\(name.debugDescription)")
            #expect(named.columns.count == 1 && named.columns[0].isExactly("\(name).\(name)"))
        }
        let invalid = FilePath(Array("$.a=\"".utf8) + [0xFF, UInt8(ascii: "\"")])
        #expect(throws: UsageError.self) { try CommandLineParser().parse(["trace", "--set", invalid, "x"]) }
    }

    @Test("an argument that begins with a hyphen is an option, even if a combining mark follows")
    func markedHyphens() {
        for argument in ["-\u{301}x", "--\u{FE0F}set", "-\u{200D}"] {
            let known = Command.check.options.map(\.name)
            #expect(refusal("check", argument, "x") == .unknown("option", argument, known: known), "\(argument)")
        }
    }
}
