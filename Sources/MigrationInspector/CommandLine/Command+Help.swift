import DocumentModel
import DocumentSources

/// Descriptions of the commands, for the help, the manual page and the shell completions.
extension Command {
    /// The part of the command line after the program's name.
    var usage: String {
        switch self {
        case .inspect: "[inspect] [OPTIONS] [PATH ...]"
        case .tour: "tour [OPTIONS]"
        case .check: "check [OPTIONS] PATH ..."
        case .trace: "trace [OPTIONS] PATH"
        case .diff: "diff [OPTIONS] OLD NEW"
        case .shrink: "shrink [OPTIONS] PATH"
        case .migrate: "migrate [OPTIONS] PATH ..."
        case .scaffold: "scaffold [OPTIONS] --output FOLDER PATH ..."
        case .chains: "chains [OPTIONS] [NAME]"
        case .completions: "completions \(Shell.allCases.map(\.rawValue).joined(separator: "|"))"
        case .manual: "manual"
        }
    }

    /// A summary in a few words.
    var summary: String {
        switch self {
        case .inspect: "the screen; what is done when no command is given"
        case .tour: "a guided walk through the program's own documents, on the screen"
        case .check: "every document's outcome, without a screen"
        case .trace: "one document's whole trace"
        case .diff: "what differs between two documents"
        case .shrink: "the smallest document that fails in the same way"
        case .migrate: "documents in their newest version"
        case .scaffold: "a package with types for the versions of your documents"
        case .chains: "the chains this program knows"
        case .completions: "completions for a shell"
        case .manual: "the manual page"
        }
    }

    /// A description in full sentences.
    var description: String {
        switch self {
        case .inspect:
            """
            Opens documents on the screen, and traces that were written to a file, by 'trace --format json' or by an app. \
            Press ? there for all keys.
            """
        case .tour:
            """
            Walks through the documents that the program brings along: what each shows in a sentence or two, and one thing \
            to try. All keys do what they always do; '.' goes on, T leaves.
            """
        case .check:
            """
            Says of every document which version it is and whether it migrates, and what the failures have in common. Lines \
            begin FILE:LINE:COLUMN where a failure has a place, as editors want it.
            """
        case .trace:
            "Says everything about one document: how its version was found, what each step changed, and what broke."
        case .diff:
            """
            Compares two documents field by field, whatever their order and their layout: what was added, removed, changed \
            and moved. The exit status is 0 where nothing differs, 1 where something does, and 2 where one cannot be read \
            or migrated, or only in part.
            """
        case .shrink:
            """
            Takes members, elements, letters and digits away from a document that fails, as long as it fails in the same \
            way, and writes what is left to standard output, in the format it was read in. What is left may still be \
            somebody's data.
            """
        case .migrate:
            """
            Writes the document in its newest version, in the format it was read in, to standard output. Fields that no \
            version reads would be lost; then nothing is written, unless you allow it. Several documents (folders, JSON \
            Lines, several PATHs) are all migrated before the first is written, and none is if one of them fails.
            """
        case .scaffold:
            """
            Groups documents by their version, infers a Swift type from each group, and writes a package that builds, opens \
            the documents, and says which parts of its migrations are left to write. The documents are of one kind, and \
            belong to no chain yet.
            """
        case .chains:
            """
            Lists the chains this program knows, with their versions; of the one with that name, the fields of every \
            version with their types, and what each version added (+), dropped (-) and changed (~).
            """
        case .completions:
            """
            Prints what makes a shell complete commands, options, their values and the names of chains. Write it where the \
            shell looks for it.
            """
        case .manual: "Prints the manual page, in roff; 'man -l' shows it."
        }
    }
}

/// Texts of the help that don't belong to one command, such as those about paths and exit statuses.
enum CommandLineWords {
    /// The purpose of the program.
    static let purpose = """
        Shows what happens to an old document when today's app opens it: which version it is, every step that carries it \
        forward, and the field that broke it.
        """

    /// The forms that PATH can have.
    static let paths = [
        """
        PATH is a file, a folder, a named pipe or '-' for standard input. In a folder, a document is what ends in \
        \(DocumentEnding.listed), or begins as a property list, a SQLite database or with '{', also after \
        comments. Hidden files are opened only by their names.
        """,
        """
        A line of a JSON Lines file is FILE#L12 or FILE#id=7, or FILE:12:5 as a report names a place in it, a cell of a \
        store FILE#TABLE/KEY/COLUMN, and that cell in every store of a folder FOLDER#TABLE/KEY/COLUMN. A file or folder as \
        it was in a commit is COMMIT:PATH, and as it was at the end of a day PATH@2024-03-01. What gzip has packed is \
        unpacked. Standard input and pipes are JSON Lines where they hold more than one JSON value, one a line.
        """,
    ]

    /// The exit statuses and their meanings.
    static let statuses: [(status: ExitStatus, meaning: String)] = [
        (.success, "every document is current or migrates"),
        (
            .documentsFailed,
            "some document failed, was unreadable or malformed, belongs to no chain, or does not open again once written; "
                + "or there was none"
        ),
        (.usage, "the command line is wrong"),
        (.noInput, "a PATH or FILE given on the command line does not exist, or cannot be read or written"),
        (.software, "the program itself failed"),
    ]

    /// The environment variables that the program reads.
    static let environment: [(name: String, meaning: String)] = [
        ("VISUAL, EDITOR", "the editor that Ctrl-O opens on the screen"),
        ("NO_COLOR", "where it is set, the screen is drawn without colors"),
        ("PATH", "where the programs git and gzip are looked for"),
    ]
}
