import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// Reads the arguments of the program.
struct CommandLineParser {
    /// The names of the chains that `--chain` may name.
    let chains: [String]

    /// What `arguments`, without the program's own name, ask for.
    ///
    /// - Throws: ``UsageError``.
    func parse(_ arguments: [FilePath]) throws(UsageError) -> Invocation {
        var arguments = arguments
        let command = try takeCommand(from: &arguments)
        let parsed = try scan(arguments, of: command)
        if parsed.wantsHelp { return Invocation(action: .help(parsed.hasCommand ? command : nil)) }
        if parsed.wantsVersion { return Invocation(action: .version) }
        return Invocation(
            action: try action(command, parsed), chain: parsed.values[.chain]?.description,
            target: parsed.values[.to].map { DocumentVersion(text: $0.description) }, columns: parsed.columns)
    }

    // MARK: - Options

    private enum Option: String, CaseIterable {
        case chain, to, column, format, output
        case inPlace = "in-place"
        case allowDropped = "allow-dropped"
        case help, version

        var takesValue: Bool {
            switch self {
            case .chain, .to, .column, .format, .output: true
            case .inPlace, .allowDropped, .help, .version: false
            }
        }

        static func known(to command: Command) -> [Option] {
            switch command {
            case .inspect: [.chain, .to, .column, .help, .version]
            case .check: [.chain, .to, .column, .format, .help, .version]
            case .trace: [.chain, .to, .format, .help, .version]
            case .migrate: [.chain, .to, .column, .output, .inPlace, .allowDropped, .help, .version]
            case .chains: [.format, .help, .version]
            }
        }
    }

    private struct Parsed {
        var hasCommand = false
        var values: [Option: FilePath] = [:]
        var flags: Set<Option> = []
        /// The one option that may be given more than once.
        var columns: [String] = []
        var paths: [FilePath] = []
        var wantsHelp: Bool { flags.contains(.help) }
        var wantsVersion: Bool { flags.contains(.version) }
    }

    /// The first argument is a command when it is the name of one. One that is neither a command nor an option nor
    /// looks like a path is a mistyped command, unless there is a file of that name.
    private func takeCommand(from arguments: inout [FilePath]) throws(UsageError) -> Command {
        guard let path = arguments.first else { return .inspect }
        let first = path.description
        if let command = Command(rawValue: first) {
            arguments.removeFirst()
            arguments.insert(Self.commandMark, at: 0)
            return command
        }
        let looksLikePath =
            first.hasPrefix("-") || first.contains("/") || first.contains(".")
            || GivenName(path).exists
        guard looksLikePath else { throw .unknown("command", first, known: Command.allCases.map(\.rawValue)) }
        return .inspect
    }

    /// Stands in the arguments where a command stood, so that help can be about that command.
    private static let commandMark: FilePath = ""

    private func scan(_ arguments: [FilePath], of command: Command) throws(UsageError) -> Parsed {
        var parsed = Parsed()
        var rest = arguments[...]
        if rest.first == Self.commandMark {
            parsed.hasCommand = true
            rest.removeFirst()
        }
        while let path = rest.popFirst() {
            let argument = path.description
            if argument == "--" {
                parsed.paths += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                parsed.paths.append(path)
                continue
            }
            let (name, attached) = split(path)
            guard let option = option(named: name), Option.known(to: command).contains(option) else {
                throw unknownOption(name, of: command)
            }
            guard option.takesValue else {
                if attached != nil { throw UsageError(message: "--\(option.rawValue) takes no value") }
                parsed.flags.insert(option)
                continue
            }
            guard let value = attached ?? rest.popFirst() else {
                throw UsageError(message: "--\(option.rawValue) wants a value behind it")
            }
            if option == .column {
                parsed.columns.append(value.description)
                continue
            }
            guard parsed.values.updateValue(value, forKey: option) == nil else {
                throw UsageError(message: "--\(option.rawValue) is given twice")
            }
        }
        return parsed
    }

    private func split(_ argument: FilePath) -> (name: String, value: FilePath?) {
        let bytes = argument.bytes
        guard bytes.starts(with: "--".utf8), let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            return (argument.description, nil)
        }
        return (FilePath(bytes[..<sign]).description, FilePath(bytes[(sign + 1)...]))
    }

    private func option(named name: String) -> Option? {
        switch name {
        case "-h": .help
        default: name.hasPrefix("--") ? Option(rawValue: String(name.dropFirst(2))) : nil
        }
    }

    private func unknownOption(_ name: String, of command: Command) -> UsageError {
        let known = Option.known(to: command).map { "--" + $0.rawValue }
        if let option = option(named: name) {
            let commands = Command.allCases.filter { Option.known(to: $0).contains(option) }.map(\.rawValue)
            return UsageError(
                message: "\(command.rawValue) has no option \(name); it belongs to \(commands.joined(separator: ", "))")
        }
        return .unknown("option", name, known: known)
    }

    // MARK: - Commands

    private func action(_ command: Command, _ parsed: Parsed) throws(UsageError) -> Invocation.Action {
        if let chain = parsed.values[.chain]?.description, !chains.contains(where: chain.isExactly) {
            throw .unknown("chain", chain, known: chains)
        }
        switch command {
        case .inspect: return .inspect(paths: parsed.paths)
        case .check:
            guard !parsed.paths.isEmpty else {
                throw UsageError(message: "check wants at least one file, folder or '-'")
            }
            return .check(paths: parsed.paths, try format(parsed))
        case .trace: return .trace(path: try onePath(parsed, of: command), try format(parsed))
        case .migrate:
            let path = try onePath(parsed, of: command)
            let output = try output(parsed)
            if output == .inPlace, path == "-" {
                throw UsageError(message: "--in-place wants a file, and standard input is none; use --output")
            }
            return .migrate(path: path, output, allowsDropped: parsed.flags.contains(.allowDropped))
        case .chains:
            guard parsed.paths.isEmpty else {
                throw UsageError(message: "chains takes no path; found '\(parsed.paths[0])'")
            }
            return .chains(try format(parsed))
        }
    }

    private func onePath(_ parsed: Parsed, of command: Command) throws(UsageError) -> FilePath {
        guard parsed.paths.count == 1 else {
            let found = parsed.paths.isEmpty ? "none is given" : "\(parsed.paths.count) are given"
            throw UsageError(message: "\(command.rawValue) wants one document, but \(found)")
        }
        return parsed.paths[0]
    }

    private func format<Format: RawRepresentable & CaseIterable>(
        _ parsed: Parsed
    ) throws(UsageError) -> Format where Format.RawValue == String {
        guard let name = parsed.values[.format]?.description else { return Format.allCases[Format.allCases.startIndex] }
        guard let format = Format(rawValue: name) else {
            throw .unknown("format", name, known: Format.allCases.map(\.rawValue))
        }
        return format
    }

    private func output(_ parsed: Parsed) throws(UsageError) -> MigrateOutput {
        let isInPlace = parsed.flags.contains(.inPlace)
        switch parsed.values[.output] {
        case .some where isInPlace: throw UsageError(message: "--output and --in-place exclude one another")
        case "-": return .standardOutput
        case .some(let file): return .file(file)
        case nil: return isInPlace ? .inPlace : .standardOutput
        }
    }
}
