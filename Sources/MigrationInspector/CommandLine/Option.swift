/// The options of the program: what the parser knows and the help lists.
enum Option: String, CaseIterable {
    case chain, to, column, format, output
    case inPlace = "in-place"
    case allowDropped = "allow-dropped"
    case jobs
    case timeLimit = "time-limit"
    case memoryLimit = "memory-limit"
    case inProcess = "in-process"
    case help, version

    /// As it is typed.
    var name: String { "--\(rawValue)" }

    /// The word for its value in the help; nil for an option that takes none.
    var value: String? {
        switch self {
        case .chain: "NAME"
        case .to: "VERSION"
        case .column: "TABLE.COLUMN"
        case .format: "FORMAT"
        case .output: "FILE"
        case .jobs: "N"
        case .timeLimit: "SECONDS"
        case .memoryLimit: "MB"
        case .inPlace, .inProcess, .allowDropped, .help, .version: nil
        }
    }

    /// What it does for a command.
    func meaning(for command: Command) -> String {
        switch self {
        case .chain: "open documents with this chain; otherwise it is recognized from the content"
        case .to: "stop at this version"
        case .column:
            "look for documents in this column of a store; may be given more than once. Otherwise they are columns "
                + "whose cells begin as JSON objects or property lists, or are JSON arrays"
        case .format where command == .check:
            "text (default), json, or jsonl: a line a document as soon as it is known"
        case .format: "text (default) or json"
        case .output: "write to this file; a store is copied to it with all its documents migrated, or none"
        case .inPlace: "replace the document; the old one is kept with .bak behind its name"
        case .allowDropped: "write even though fields are lost"
        case .jobs: "how many documents to open at a time, each in a process of its own; otherwise one for each core"
        case .timeLimit:
            "how long the app's code may take over a document, 0 for any time; otherwise 10 seconds and 1 for each MB"
        case .memoryLimit:
            "how much memory a process that runs the app's code may have, 0 for any; otherwise 3/4 of what there is"
        case .inProcess:
            "run the app's code in this process, for a debugger: without limits, and a crash ends the program"
        case .help: "this text"
        case .version: "the program's version"
        }
    }
}

extension Command {
    /// The options of the command, in the order of the help.
    var options: [Option] {
        switch self {
        case .inspect: [.chain, .to, .column] + Self.running
        case .check: [.chain, .to, .column, .format, .jobs] + Self.running
        case .trace: [.chain, .to, .format] + Self.running
        case .migrate: [.chain, .to, .column, .output, .inPlace, .allowDropped, .jobs] + Self.running
        case .chains: [.format, .help, .version]
        }
    }

    /// How the app's code runs, and what every command knows.
    private static let running: [Option] = [.timeLimit, .memoryLimit, .inProcess, .help, .version]
}
