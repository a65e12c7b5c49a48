import DisplayText
import DocumentSources

/// What `--help` prints.
struct HelpText {
    private let program = Console.programName
    let chains: [String]

    /// The help on one command, or on all of them.
    func text(for command: Command?) -> String {
        guard let command else { return overview }
        return """
            \(usage(command))

            \(description(command))

            OPTIONS
            \(command.options.map { line(for: $0, of: command) }.joined(separator: "\n"))
            """
    }

    private var overview: String {
        """
        Shows what happens to an old document when today's app opens it: which version it is, every step that carries it
        forward, and the field that broke it.

        USAGE
        \(Command.allCases.map { "    " + usage($0) }.joined(separator: "\n"))

        COMMANDS
            inspect    the screen; what is done when no command is given
            tour       a guided walk through the program's own documents, on the screen
            check      every document's outcome, without a screen
            trace      one document's whole trace
            diff       what differs between two documents
            shrink     the smallest document that fails in the same way
            migrate    one document in its newest version
            chains     \(knownChains)

        PATH is a file, a folder or '-' for standard input. In a folder, a document is what ends in
        \(DocumentEnding.listed), or begins as a property list, a SQLite database or with '{'.
        A line of a JSON Lines file is FILE#L12, a cell of a store FILE#TABLE/KEY/COLUMN.
        '--' ends the options. '\(program) COMMAND --help' says more.

        EXIT STATUS
            0   every document is current or migrates
            1   some document failed, was unreadable or malformed, or belongs to no chain
            64  the command line is wrong
            66  a PATH or FILE given on the command line does not exist, or cannot be read or written
            70  the program itself failed
        """
    }

    /// However many chains a program has, they stay in the column beside the names of the commands.
    private var knownChains: String {
        Self.wrap("the chains this program knows: \(chains.joined(separator: ", "))", behind: 15)
    }

    private func usage(_ command: Command) -> String {
        switch command {
        case .inspect: "\(program) [inspect] [OPTIONS] [PATH ...]"
        case .tour: "\(program) tour [OPTIONS]"
        case .check: "\(program) check [OPTIONS] PATH ..."
        case .trace: "\(program) trace [OPTIONS] PATH"
        case .diff: "\(program) diff [OPTIONS] OLD NEW"
        case .shrink: "\(program) shrink [OPTIONS] PATH"
        case .migrate: "\(program) migrate [OPTIONS] PATH"
        case .chains: "\(program) chains [OPTIONS] [NAME]"
        }
    }

    private func description(_ command: Command) -> String {
        switch command {
        case .inspect:
            """
            Opens documents on the screen, and traces that were written to a file, by 'trace --format json' or by an app. Press ?
            there for all keys.
            """
        case .tour:
            """
            Walks through the documents that the program brings along: what each shows in a sentence or two, and one thing to
            try. All keys do what they always do; '.' goes on, T leaves.
            """
        case .check:
            "Says of every document which version it is and whether it migrates, and what the failures have in common."
        case .trace:
            "Says everything about one document: how its version was found, what each step changed, and what broke."
        case .diff:
            """
            Compares two documents field by field, whatever their order and their layout: what was added, removed, changed and
            moved. The exit status is 0 where nothing differs, 1 where something does, and 2 where one cannot be read.
            """
        case .shrink:
            """
            Takes members, elements, letters and digits away from a document that fails, as long as it fails in the same way,
            and writes what is left to standard output, in the format it was read in. What is left may still be somebody's data.
            """
        case .migrate:
            """
            Writes the document in its newest version, in the format it was read in, to standard output. Fields that no version
            reads would be lost; then nothing is written, unless you allow it.
            """
        case .chains:
            """
            Lists the chains this program knows, with their versions; of the one with that name, the fields of every version
            with their types, and what each version added (+), dropped (-) and changed (~).
            """
        }
    }

    /// The name and the value of an option, and beside them what it means.
    private func line(for option: Option, of command: Command) -> String {
        let name = [option.name, option.value].compactMap(\.self).joined(separator: " ")
        let padding = String(repeating: " ", count: max(2, Self.column - name.count))
        return "    " + name + padding + Self.wrap(option.meaning(for: command), behind: Self.column + 4)
    }

    /// Where the meanings of options begin.
    private static let column = 21

    /// The text in lines that stay in their column.
    private static func wrap(_ text: String, behind column: Int) -> String {
        TextWidth.wrap(text, to: 117 - column).joined(separator: "\n" + String(repeating: " ", count: column))
    }
}
