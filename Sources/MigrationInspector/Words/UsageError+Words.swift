import DocumentModel

extension UsageError {
    /// The error, and what would have been right.
    var message: String {
        switch self {
        case .neitherCommandNorFile(let name):
            if let nearest = name.nearest(in: Command.allCases.map(\.rawValue)) {
                "unknown command '\(name)'; did you mean '\(nearest)'?"
            } else {
                "'\(name)' is no command, and there is no such file or folder; commands are "
                    + Command.allCases.map(\.rawValue).joined(separator: ", ")
            }
        case .unknown(let kind, let name, let known):
            if let nearest = name.nearest(in: known) {
                "unknown \(kind) '\(name)'; did you mean '\(nearest)'?"
            } else {
                "unknown \(kind) '\(name)'" + (known.isEmpty ? "" : "; known are \(known.joined(separator: ", "))")
            }
        case .unknownVersion(let version, let chains):
            "unknown version '\(version)'; "
                + chains.map { "\($0.name) has \($0.versions.map(\.version.description).joined(separator: ", "))" }
                .joined(separator: "; ")
        case .foreign(let option, let command):
            "\(command.rawValue) has no option \(option.name); it belongs to "
                + Command.allCases.filter { $0.options.contains(option) }.map(\.rawValue).joined(separator: ", ")
        case .needlessValue(let option): "\(option.name) takes no value"
        case .missingValue(let option): "\(option.name) needs a value"
        case .wrongValue(let option, let found): "\(option.name) needs \(option.expected); found '\(found)'"
        case .repeated(let option): "\(option.name) is given twice"
        case .exclusive(let option, let other): "\(option.name) and \(other.name) exclude one another"
        case .needs(let option, let other): "\(option.name) needs \(other.name)"
        case .followsOneFile(let count):
            "--follow takes one file with --history, whose states are compared; \(count) are given"
        case .severalSelected(let selector, let count, let name):
            "\(count) elements in \(name) are meant by '\(selector)'; choose one by another member or its position"
        case .noPath(let command): "\(command.rawValue) needs at least one file, folder or '-'"
        case .needlessPath(let command, let path): "\(command.rawValue) takes no path; found '\(path)'"
        case .noTour: "this program has no tour"
        case .tourWithoutScreen: "the tour needs a terminal, and standard output is none"
        case .notOneShell(let count):
            "completions takes one shell (\(Shell.allCases.map(\.rawValue).joined(separator: ", "))), but "
                + (count == 0 ? "none is given" : "\(count) are given")
        case .needlessName(let command, let path): "\(command.rawValue) takes one name; found also '\(path)'"
        case .notOne(let command, let count):
            "\(command.rawValue) takes one document, but \(count == 0 ? "none is" : "\(count) are") given"
        case .notTwo(let command, let count):
            "\(command.rawValue) takes two documents, the old and the new one; \(count == 0 ? "none is" : count == 1 ? "1 is" : "\(count) are") given"
        case .inputTwice: "standard input can be read only once; name a file for one of the two"
        case .shardOfInput(let path):
            "\(path) can be read only once, so nobody knows where its parts begin; name a file"
        case .noReport: "check --merge needs at least one report, or '-'"
        case .several(let count, let file, let first):
            "\(file) holds \(count) documents, one in each line; "
                + (first.map { "name the one that is meant, as \($0)" }
                    ?? "check takes them all; to name one, write them to a file (FILE#L1)")
        case .editsOfSeveral(let option): "\(option.name) changes one document; name that, and nothing else"
        case .notEdited(let error, let file): "\(file): \(error)"
        case .inPlaceOfInput: "--in-place needs a file, not standard input; use --output"
        case .inPlaceOfPart(let part, let file):
            "\(part) is only a part of \(file), so --in-place cannot replace it; use --output"
        case .outputIsDocument:
            "--output names the document that is opened; --in-place replaces it, and keeps the old one"
        case .severalNeedFolder:
            "several documents are written with --output FOLDER, or with --in-place, which replaces them and keeps the old ones"
        case .noFolder(let path): "\(path) is a file, where --output needs a folder for several documents"
        case .outputInside(let folder, let given):
            "\(folder) is in \(given), so what is written there would be migrated with it the next time; name a folder beside it"
        case .nameless(let path):
            "\(path) is not a file of its own, so there is no name for it in a folder; migrate it alone, with --output FILE"
        case .fileAndFolder(let path):
            "\(path) would be a document, and a folder of others; migrate them into different folders"
        case .sameName(let first, let second, let name):
            "\(first) and \(second) would both be written as \(name); migrate them into different folders"
        case .storeAmongSeveral(let file): "\(CommandWords.storeAmongSeveral(file))"
        case .inPlaceOfStore(let file):
            "\(file) is a store, which other programs may have open, so --in-place never changes it; "
                + "--output COPY writes a migrated copy"
        case .storeNeedsOutput(let file):
            "\(file) is a store, and a copy of it has to be a file; name it with --output COPY"
        case .unfitForTerminal(let path, let command):
            "\(path) contains bytes that could control the terminal, and its format cannot escape them; "
                + "redirect standard output to a file" + (command.options.contains(.output) ? ", or use --output" : "")
        }
    }
}

extension Option {
    /// A description of the expected value, for options whose value can be wrong.
    fileprivate var expected: String {
        switch self {
        case .timeLimit: "a number of seconds, or 0 for no limit"
        case .memoryLimit, .sizeLimit: "a number of megabytes, or 0 for no limit"
        case .jobs: "a number of processes"
        case .shard: "the number of a part, from 1, and how many there are, like 2/4"
        case .set: #"a path and a value in JSON, like '$.rating=3' or '$.author="Ada"'"#
        case .follow:
            "the path of one value, like '$.rating' or '$.pins[identity=swift-log].state.version'"
        case .unset: "a path, like '$.rating'"
        case .output: "the name of a folder, in UTF-8"
        case .name: "a name for a Swift type, like 'Recipe'"
        case .orderBy: "a path, like '$.createdAt', or the column of a table, like 'ZDATE'"
        case .size: "columns and rows, like \(PictureRequest.usualSize), at least \(PictureRequest.smallestSize)"
        case .versionKey: "a path, like '$.schemaVersion'"
        default: "a value"
        }
    }
}
