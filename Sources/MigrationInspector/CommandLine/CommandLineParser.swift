import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// Parses the arguments of the program.
struct CommandLineParser {
    /// Parses `arguments`, which don't include the program's name.
    ///
    /// - Throws: ``UsageError``.
    func parse(_ arguments: [FilePath]) throws(UsageError) -> Invocation {
        var rest = arguments[...]
        let named = try takeCommand(from: &rest)
        let command = named ?? .inspect
        let parsed = try scan(rest, of: command)
        if parsed.has(.help) { return Invocation(action: .help(named)) }
        if parsed.has(.version) { return Invocation(action: .version) }
        // The strict mode finds losses by experiment.
        for option in [Option.noExperiments, .inProcess] where parsed.has(.strict) && parsed.has(option) {
            throw .exclusive(.strict, option)
        }
        for option in [Option.among, .blame] where redaction(parsed) != nil && parsed.has(option) {
            throw .exclusive(parsed.has(.redact) ? .redact : .redactKeys, option)
        }
        return Invocation(
            action: try action(command, parsed), chain: parsed[.chain]?.text,
            target: parsed[.to].map { DocumentVersion(text: $0.text) },
            columns: parsed.options[.column, default: []].map(\.text), limits: try limits(parsed),
            sizeLimit: try wholeNumber(.sizeLimit, parsed, from: 0), isInProcess: parsed.has(.inProcess),
            makesExperiments: !parsed.has(.noExperiments),
            lenders: parsed.options[.among, default: []], edits: parsed.edits,
            redaction: redaction(parsed),
            isHistory: parsed.has(.history), order: try order(parsed),
            versionKey: try documentPath(.versionKey, parsed), jobs: try wholeNumber(.jobs, parsed, from: 1))
    }

    // MARK: - Options

    private struct Parsed {
        /// The given options with their values. The array is empty for an option that takes no value.
        var options: [Option: [FilePath]] = [:]
        var paths: [FilePath] = []
        /// The edits of the document, in order.
        var edits: [DocumentEdit] = []

        func has(_ option: Option) -> Bool { options[option] != nil }
        subscript(option: Option) -> FilePath? { options[option]?.first }
    }

    /// Takes the first argument if it's the name of a command. An argument that is neither a command nor an option, and
    /// doesn't look like a path, is a mistyped command unless a file of that name exists.
    private func takeCommand(from arguments: inout ArraySlice<FilePath>) throws(UsageError) -> Command? {
        guard let path = arguments.first else { return nil }
        let first = path.description
        if let command = Command(rawValue: first) {
            arguments.removeFirst()
            return command
        }
        let isPath = first.unicodeScalars.contains(where: Self.signsOfPath.unicodeScalars.contains)
        guard first.utf8.first == Self.hyphen || isPath || GivenName(path).exists else {
            throw .neitherCommandNorFile(first)
        }
        return nil
    }

    /// Characters that occur in paths, in parts of files and commits (`all#L3`, `v1.2:order`), and in patterns that the
    /// shell couldn't expand, but not in commands.
    private static let signsOfPath = ##"/.\#:~*?[ "##

    private static let hyphen = UInt8(ascii: "-")

    private func scan(_ arguments: ArraySlice<FilePath>, of command: Command) throws(UsageError) -> Parsed {
        var parsed = Parsed()
        var rest = arguments
        while let path = rest.popFirst() {
            let argument = path.description
            if argument == "--" {
                parsed.paths += rest
                break
            }
            guard argument.utf8.first == Self.hyphen, argument != "-" else {
                parsed.paths.append(path)
                continue
            }
            let (name, attached) = split(path)
            guard let option = option(named: name), command.options.contains(option) else {
                throw unknownOption(name, of: command)
            }
            guard option.value != nil else {
                if attached != nil { throw .needlessValue(option) }
                parsed.options[option] = []
                continue
            }
            // An option in place of a value means that the value is missing. `--output=--help` names a file of that name.
            let isOption = rest.first.map { self.option(named: $0.description) != nil } ?? false
            guard let value = attached ?? (isOption ? nil : rest.popFirst()) else {
                throw .missingValue(option)
            }
            guard option.isRepeatable || !parsed.has(option) else {
                throw .repeated(option)
            }
            parsed.options[option, default: []].append(value)
            if option == .set || option == .unset {
                parsed.edits.append(try edit(option, value))
            }
        }
        return parsed
    }

    /// Parses an edit of the document. The path ends at the first equal sign that makes it a valid path.
    private func edit(_ option: Option, _ value: FilePath) throws(UsageError) -> DocumentEdit {
        guard let text = String(validating: value.bytes, as: UTF8.self) else {
            throw .wrongValue(option, found: value.description)
        }
        if option == .unset {
            guard let path = DocumentPath(text) else { throw .wrongValue(option, found: text) }
            return .remove(path)
        }
        let scalars = text.unicodeScalars
        for sign in scalars.indices where scalars[sign] == "=" {
            guard let path = DocumentPath(String(scalars[..<sign])) else { continue }
            let value = String(scalars[sign...].dropFirst())
            guard let document = try? Document(json: value) else { break }
            return .set(path, document)
        }
        throw .wrongValue(option, found: text)
    }

    private func split(_ argument: FilePath) -> (name: String, value: FilePath?) {
        let bytes = argument.bytes
        guard bytes.starts(with: "--".utf8), let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else {
            return (argument.description, nil)
        }
        return (FilePath(bytes[..<sign]).description, FilePath(bytes[(sign + 1)...]))
    }

    private func option(named name: String) -> Option? {
        if name == "-h" { return .help }
        return name.utf8.starts(with: "--".utf8) ? Option(rawValue: String(name.unicodeScalars.dropFirst(2))) : nil
    }

    private func unknownOption(_ name: String, of command: Command) -> UsageError {
        guard let option = option(named: name) else {
            return .unknown("option", name, known: command.options.map(\.name))
        }
        return .foreign(option, of: command)
    }

    private func redaction(_ parsed: Parsed) -> RedactionChoice? {
        parsed.has(.redactKeys) ? .valuesAndNames : parsed.has(.redact) ? .values : nil
    }

    private func order(_ parsed: Parsed) throws(UsageError) -> OrderKey? {
        guard let text = parsed[.orderBy]?.text else { return nil }
        guard let key = OrderKey(text) else { throw .wrongValue(.orderBy, found: text) }
        return key
    }

    private func documentPath(_ option: Option, _ parsed: Parsed) throws(UsageError) -> DocumentPath? {
        guard let text = parsed[option]?.text else { return nil }
        guard let path = DocumentPath(text), !path.hasPatterns else { throw .wrongValue(option, found: text) }
        return path
    }

    private func limits(_ parsed: Parsed) throws(UsageError) -> WorkerLimits {
        var seconds: Double?
        if let text = parsed[.timeLimit]?.text {
            seconds = Double(text)
            guard let seconds, seconds >= 0, seconds < 1e9 else {
                throw .wrongValue(.timeLimit, found: text)
            }
        }
        let megabytes = try wholeNumber(.memoryLimit, parsed, from: 0)
        return WorkerLimits(seconds: seconds, memory: megabytes.map { UInt64($0) << 20 })
    }

    private func wholeNumber(_ option: Option, _ parsed: Parsed, from least: Int) throws(UsageError) -> Int? {
        guard let text = parsed[option]?.text else { return nil }
        guard let number = Int(text), number >= least, number <= 1_000_000 else {
            throw .wrongValue(option, found: text)
        }
        return number
    }

    private func picture(_ parsed: Parsed) throws(UsageError) -> PictureRequest? {
        guard let file = parsed[.picture] else {
            if parsed.has(.size) { throw .needs(.size, .picture) }
            return nil
        }
        guard let text = parsed[.size]?.text else { return PictureRequest(file: file) }
        guard let request = PictureRequest(file: file, size: text) else { throw .wrongValue(.size, found: text) }
        return request
    }

    // MARK: - Commands

    private func action(_ command: Command, _ parsed: Parsed) throws(UsageError) -> Invocation.Action {
        switch command {
        case .inspect:
            if let option = [Option.set, .unset].first(where: parsed.has), parsed.paths.count != 1 {
                throw .editsOfSeveral(option)
            }
            if parsed.has(.history), parsed.paths.isEmpty { throw .noPath(command) }
            return .inspect(paths: parsed.paths, try picture(parsed))
        case .tour:
            if let path = parsed.paths.first { throw .needlessPath(command, path) }
            return .tour
        case .check:
            guard !parsed.paths.isEmpty else { throw parsed.has(.merge) ? .noReport : .noPath(command) }
            if parsed[.baseline] == "-", parsed.paths.contains("-") { throw .inputTwice }
            let reporting = CheckReporting(
                format: try format(parsed), isStrict: parsed.has(.strict), kinds: try kinds(parsed),
                baseline: parsed[.baseline], shard: try shard(parsed), followed: try followed(parsed),
                isFull: parsed.has(.full))
            guard parsed.has(.merge) else {
                if parsed.has(.full), !parsed.has(.history) { throw .needs(.full, .history) }
                if parsed.has(.full), ![.text, .jsonl].contains(reporting.format) {
                    throw .unknown("format of --full", reporting.format.rawValue, known: ["text", "jsonl"])
                }
                return .check(paths: parsed.paths, reporting)
            }
            let others = command.options.filter { ![.merge, .format, .only, .strict, .baseline].contains($0) }
            if let option = others.first(where: parsed.has) { throw .exclusive(.merge, option) }
            if parsed.paths.filter({ $0 == "-" }).count > 1 { throw .inputTwice }
            return .merge(reports: parsed.paths, reporting)
        case .trace:
            let path = try onePath(parsed, of: command)
            guard parsed.has(.blame) else {
                if parsed.has(.asMigrated) { throw .needs(.asMigrated, .blame) }
                return .trace(path: path, try format(parsed))
            }
            if let option = [Option.set, .unset, .among].first(where: parsed.has) { throw .exclusive(.blame, option) }
            return .blame(path: path, try format(parsed), isMigrated: parsed.has(.asMigrated))
        case .diff:
            guard parsed.paths.count == 2 else { throw .notTwo(command, count: parsed.paths.count) }
            if parsed.paths[0] == "-", parsed.paths[1] == "-" { throw .inputTwice }
            let running: [Option] = [.chain, .timeLimit, .memoryLimit, .inProcess]
            if !parsed.has(.asMigrated), let option = running.first(where: parsed.has) {
                throw .needs(option, .asMigrated)
            }
            return .diff(
                old: parsed.paths[0], new: parsed.paths[1], try format(parsed), isMigrated: parsed.has(.asMigrated))
        case .shrink: return .shrink(path: try onePath(parsed, of: command))
        case .migrate:
            guard !parsed.paths.isEmpty else { throw .noPath(command) }
            let output = try output(parsed)
            if output == .inPlace, parsed.paths.contains("-") { throw .inPlaceOfInput }
            return .migrate(
                paths: parsed.paths, output,
                MigrateLimits(
                    allowsDropped: parsed.has(.allowDropped),
                    keepsComments: output == .inPlace && !parsed.has(.allowCommentsLost), isStrict: parsed.has(.strict),
                    keepsGoing: parsed.has(.keepGoing)))
        case .scaffold:
            guard !parsed.paths.isEmpty else { throw .noPath(command) }
            guard let output = parsed[.output], output != "-", output != "" else { throw .missingValue(.output) }
            if let path = try documentPath(.versionKey, parsed), path.components.contains(where: { $0.name == nil }) {
                throw .wrongValue(.versionKey, found: path.description)
            }
            return .scaffold(paths: parsed.paths, output: output, name: parsed[.name]?.text)
        case .chains:
            guard parsed.paths.count <= 1 else {
                throw .needlessName(command, parsed.paths[1])
            }
            return .chains(name: parsed.paths.first?.text, try format(parsed))
        case .completions:
            guard parsed.paths.count == 1 else { throw .notOneShell(count: parsed.paths.count) }
            let name = parsed.paths[0].text
            guard let shell = Shell(rawValue: name) else {
                throw .unknown("shell", name, known: Shell.allCases.map(\.rawValue))
            }
            return .completions(shell)
        case .manual:
            if let path = parsed.paths.first { throw .needlessPath(command, path) }
            return .manual
        }
    }

    private func onePath(_ parsed: Parsed, of command: Command) throws(UsageError) -> FilePath {
        guard parsed.paths.count == 1 else {
            throw .notOne(command, count: parsed.paths.count)
        }
        return parsed.paths[0]
    }

    private func shard(_ parsed: Parsed) throws(UsageError) -> Shard? {
        guard let text = parsed[.shard]?.text else { return nil }
        guard let shard = Shard(text) else { throw .wrongValue(.shard, found: text) }
        return shard
    }

    private func followed(_ parsed: Parsed) throws(UsageError) -> FollowedSelector? {
        guard let text = parsed[.follow]?.text else {
            if parsed.has(.asMigrated) { throw .needs(.asMigrated, .follow) }
            return nil
        }
        guard let selector = DocumentSelector(text), !selector.hasPatterns else {
            throw .wrongValue(.follow, found: text)
        }
        for option in [Option.shard, .only] where parsed.has(option) { throw .exclusive(.follow, option) }
        if parsed.has(.history), parsed.paths.count > 1 { throw .followsOneFile(count: parsed.paths.count) }
        return FollowedSelector(selector: selector, isMigrated: parsed.has(.asMigrated))
    }

    private func kinds(_ parsed: Parsed) throws(UsageError) -> Set<ResultKind>? {
        guard let text = parsed[.only]?.text else { return nil }
        var kinds: Set<ResultKind> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = ResultKind(rawValue: String(name)) else {
                throw .unknown("kind", String(name), known: ResultKind.allCases.map(\.rawValue))
            }
            kinds.insert(kind)
        }
        return kinds
    }

    private func format<Format: RawRepresentable & CaseIterable>(
        _ parsed: Parsed
    ) throws(UsageError) -> Format where Format.RawValue == String {
        guard let name = parsed[.format]?.text else { return Format.allCases[Format.allCases.startIndex] }
        guard let format = Format(rawValue: name) else {
            throw .unknown("format", name, known: Format.allCases.map(\.rawValue))
        }
        return format
    }

    private func output(_ parsed: Parsed) throws(UsageError) -> MigrateOutput {
        let isInPlace = parsed.has(.inPlace)
        switch parsed[.output] {
        case .some where isInPlace: throw .exclusive(.output, .inPlace)
        case "": throw .missingValue(.output)
        case "-": return .standardOutput
        case .some(let file): return .file(file)
        case nil: return isInPlace ? .inPlace : .standardOutput
        }
    }
}

extension FilePath {
    /// The text as it was typed, for a value that isn't a file name. The ``description`` of a file name escapes
    /// backslashes, so that a name can be copied from a report.
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
