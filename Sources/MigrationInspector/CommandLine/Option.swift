import DocumentSources

/// The options of the program, which the parser and the help share.
enum Option: String, CaseIterable {
    case chain, to, column, format, output, name, only, baseline, merge, shard
    case inPlace = "in-place"
    case allowDropped = "allow-dropped"
    case allowCommentsLost = "allow-comments-lost"
    case keepGoing = "keep-going"
    case jobs
    case timeLimit = "time-limit"
    case memoryLimit = "memory-limit"
    case sizeLimit = "size-limit"
    case inProcess = "in-process"
    case noExperiments = "no-experiments"
    case among
    case strict
    case history
    case full
    case follow
    case asMigrated = "as-migrated"
    case blame
    case orderBy = "order-by"
    case versionKey = "version-key"
    case set, unset
    case redact
    case redactKeys = "redact-keys"
    case picture, size
    case help, version

    /// The option as it's typed.
    var name: String { "--\(rawValue)" }

    /// The placeholder for its value in the help; nil for an option that takes none.
    var value: String? {
        switch self {
        case .chain, .name: "NAME"
        case .to: "VERSION"
        case .column: "TABLE.COLUMN"
        case .format: "FORMAT"
        case .output, .picture: "FILE"
        case .size: "COLUMNSxROWS"
        case .only: "KINDS"
        case .shard: "I/N"
        case .baseline: "REPORT"
        case .jobs: "N"
        case .timeLimit: "SECONDS"
        case .memoryLimit, .sizeLimit: "MB"
        case .among, .unset, .versionKey, .follow: "PATH"
        case .orderBy: "PATH|COLUMN"
        case .set: "PATH=JSON"
        case .merge, .keepGoing, .inPlace, .inProcess, .noExperiments, .strict, .history, .full, .asMigrated, .blame,
            .redact, .redactKeys, .allowDropped, .allowCommentsLost, .help, .version:
            nil
        }
    }

    /// Returns the meaning of the option for a command.
    func meaning(for command: Command) -> String {
        switch self {
        case .chain: "open documents with this chain; otherwise it is recognized from the content"
        case .to: "stop at this version"
        case .column:
            "look for documents in this column of a store; may be given more than once. Otherwise they are columns "
                + "whose cells begin as JSON objects or property lists, or are JSON arrays"
        case .format where command == .check:
            "text (default); json; jsonl: a line a document as soon as it is known; junit and github: for servers that "
                + "build and test; markdown: a page for a pull request; html: the same for a browser, in one file"
        case .format where command == .trace:
            "text (default); json; markdown: the story of the migration, for a bug report or a lesson; html: the same as a "
                + "page in one file, without scripts"
        case .format where command == .diff: "text (default), json: the changes, or patch: a JSON Patch"
        case .format: "text (default) or json"
        case .only:
            "print only documents of these kinds: \(ResultKind.allCases.map(\.rawValue).joined(separator: ", ")), separated "
                + "by commas; counts and exit status are those of all"
        case .baseline:
            "failures that this report has (--format json or jsonl) do not fail the run; new ones do, and those that are gone "
                + "are named"
        case .merge:
            "add up reports (json or jsonl, of files or standard input) instead of checking documents; what a report "
                + "says can be chosen there too, by format, kinds, baseline and strictness"
        case .shard:
            "check only the I-th of N parts of the documents, as 2/4, so that several machines may share them; --merge adds their "
                + "reports up"
        case .output where command == .scaffold: "write the package to this folder, which must be empty or new"
        case .name: "the name of the newest type; otherwise it is taken from the name of the file or folder"
        case .output:
            "write to this file; a store is copied to it with all its documents migrated, or none; several documents go to this "
                + "folder, under the paths that they have below PATH"
        case .inPlace: "replace the documents; the old ones are kept with .bak behind their names"
        case .keepGoing: "of several documents, write those that migrate, though others do not; those stay as they are"
        case .allowDropped: "write even though fields are lost"
        case .allowCommentsLost: "replace JSON5 too, which becomes JSON and loses its comments"
        case .jobs: "how many documents to open at a time, each in a process of its own; otherwise one for each core"
        case .timeLimit:
            "how long the app's code may take over a document, and SQLite over a row of a store that is migrated, 0 for any time; "
                + "otherwise 10 seconds and 1 for each MB"
        case .memoryLimit:
            "how much memory a process that runs the app's code may have, 0 for any; otherwise 3/4 of what there is"
        case .sizeLimit:
            "how large a document that gzip has packed may be unpacked, and the private copy of a store that cannot be read as it is, "
                + "0 for any size; otherwise \(SizeLimit.usualMegabytes)"
        case .inProcess:
            "run the app's code in this process, for a debugger: without limits, and a crash ends the program"
        case .noExperiments:
            "run each migration only once; otherwise it runs many times, with values changed in memory, to find out why it "
                + "fails and what it loses"
        case .among where command == .shrink:
            "prove what causes the failure, with values from the documents under this path; may be given more than once"
        case .among:
            "take values for experiments from the documents under this path too; may be given more than once"
        case .set: "put this value there before the document migrates, in memory; may be given more than once"
        case .unset: "take this value away before the document migrates, in memory; may be given more than once"
        case .strict where command == .check:
            "look by experiment for what steps lose, and count a document that drops or loses something as failed"
        case .strict: "refuse to write a document of which a step loses something"
        case .history where command == .scaffold:
            "take each PATH as a document in a git work tree, and infer types from every committed state of it; what states "
                + "right before and after a version have in common proposes renames"
        case .history:
            "take each PATH as a document in a git work tree (FILE, BRANCH:FILE, FILE#L2), or a folder of them, and open "
                + "every committed state of it, newest first, renames followed"
        case .full:
            "with --history, say everything about each state; otherwise a text does not repeat the notes on the state "
                + "above, and a line of jsonl says only what differs from the line before it, and has asBefore"
        case .follow:
            "print what happened to the value at this path from state to state, newest first: of the committed states with "
                + "--history, else of the documents in the order in which they are found. A member of a list is chosen by "
                + "position or by a member of its own, as in '$.pins[identity=swift-log].state.version'"
        case .asMigrated where command == .diff:
            "compare what the chain makes of each document, in the shape of the newest version"
        case .asMigrated:
            "show every state in the shape of the newest version; a state that does not migrate counts as unread"
        case .blame: "print the commit that last changed it for each value of a file, instead of its trace"
        case .orderBy:
            "put documents of one place into the order of this value in time: a number, a date, a text; or rows into the "
                + "order of this column of their table. Otherwise they keep the order in which they are found"
        case .versionKey where command == .scaffold:
            "where the documents have their version; otherwise it is a value named like one that differs between them"
        case .versionKey:
            "where documents of no chain have their version; otherwise it is a value named like one that differs between "
                + "them. Such a version is only observed: nothing migrates"
        case .redact where command == .diff:
            "compare copies of the documents in which every value is replaced by a random one of the same form, equal "
                + "values by equal ones"
        case .redact:
            "open a copy of the document instead, in which every value is replaced by a random one of the same form; values "
                + "without which it would end in another way are kept, and named on standard error"
        case .redactKeys: "redact the keys too, except those without which it would end in another way"
        case .picture:
            "write a picture of the first screen to this file, as SVG, instead of opening it: once all is checked and the "
                + "experiments with the document shown have ended"
        case .size: "the size of the picture in columns and rows; otherwise \(PictureRequest.usualSize)"
        case .help: "this text"
        case .version: "the program's version"
        }
    }
}

extension Option {
    /// Whether the option may be given more than once.
    var isRepeatable: Bool {
        switch self {
        case .column, .among, .set, .unset: true
        default: false
        }
    }
}

extension Command {
    /// The options of the command, in the order of the help.
    var options: [Option] {
        switch self {
        case .inspect:
            [.chain, .to, .column, .history, .orderBy, .versionKey, .set, .unset, .picture, .size] + Self.running
        case .tour: Self.running
        case .check:
            [
                .chain, .to, .column, .history, .full, .follow, .asMigrated, .orderBy, .versionKey, .format, .only,
                .strict,
                .baseline, .merge, .shard, .jobs,
            ] + Self.running
        case .trace:
            [
                .chain, .to, .format, .set, .unset, .among, .redact, .redactKeys, .blame, .asMigrated,
            ] + Self.running
        case .diff:
            [
                .chain, .asMigrated, .format, .redact, .redactKeys, .timeLimit, .memoryLimit, .sizeLimit, .inProcess,
                .help, .version,
            ]
        case .shrink: [.chain, .to, .among, .redact, .redactKeys] + Self.running
        case .migrate:
            [
                .chain, .to, .column, .output, .inPlace, .allowDropped, .allowCommentsLost, .keepGoing, .strict, .jobs,
            ] + Self.running
        case .scaffold: [.output, .name, .column, .history, .versionKey, .sizeLimit, .help, .version]
        case .chains: [.format, .help, .version]
        case .completions, .manual: [.help, .version]
        }
    }

    /// Options that control how the app's code runs, and options that all commands have.
    private static let running: [Option] = [
        .timeLimit, .memoryLimit, .sizeLimit, .inProcess, .noExperiments, .help, .version,
    ]
}
