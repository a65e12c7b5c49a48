import DisplayText
import DocumentSources

/// The output of `--help`.
struct HelpText {
    private let program = Console.programName
    let chains: [String]

    /// Returns the help for one command, or for all of them.
    func text(for command: Command?) -> String {
        guard let command else { return overview }
        return """
            \(usage(command))

            \(Self.wrap(command.description))

            OPTIONS
            \(command.options.map { line(for: $0, of: command) }.joined(separator: "\n"))
            """
    }

    private var overview: String {
        """
        \(Self.wrap(CommandLineWords.purpose))

        USAGE
        \(Command.allCases.map { "    " + usage($0) }.joined(separator: "\n"))

        COMMANDS
        \(Command.allCases.map(line).joined(separator: "\n"))

        \(CommandLineWords.paths.map { Self.wrap($0) }.joined(separator: "\n"))
        '--' ends the options. '\(program) COMMAND --help' says more.

        EXIT STATUS
        \(CommandLineWords.statuses.map { status, meaning in
            "    " + "\(status.rawValue)".padding(to: 4) + Self.wrap(meaning, behind: 8)
        }.joined(separator: "\n"))
        """
    }

    private func usage(_ command: Command) -> String { "\(program) \(command.usage)" }

    private func line(for command: Command) -> String {
        // However many chains a program has, their names stay in the column of the summaries.
        let summary =
            command == .chains ? "\(command.summary): \(chains.joined(separator: ", "))" : command.summary
        return "    " + command.rawValue.padding(to: 13) + Self.wrap(summary, behind: 17)
    }

    /// Returns the name and the value of an option, with its meaning in the second column.
    private func line(for option: Option, of command: Command) -> String {
        let name = [option.name, option.value].compactMap(\.self).joined(separator: " ")
        return "    " + name.padding(to: max(Self.column, name.count + 2))
            + Self.wrap(option.meaning(for: command), behind: Self.column + 4)
    }

    /// The column in which the meanings of options begin.
    private static let column = 21

    /// Wraps a text so that all of its lines begin in the given column.
    private static func wrap(_ text: String, behind column: Int = 0) -> String {
        TextWidth.wrap(text, to: 117 - column).map { SafeText.line(String($0)) }
            .joined(separator: "\n" + String(repeating: " ", count: column))
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
