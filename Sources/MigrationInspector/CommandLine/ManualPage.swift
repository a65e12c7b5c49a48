import DocumentModel
import MigrationCore

/// The manual page in the macros of man(7), generated from the same tables as the help.
struct ManualPage {
    /// The name of the program.
    let program: String
    /// The names of the chains.
    let chains: [String]

    /// The text of the page.
    var text: String {
        var lines = [
            ".TH \"\(Self.escaped(program.uppercased()))\" 1 \(programDate) \"\(Self.escaped(program)) \(programVersion)\"",
            ".SH NAME", "\(Self.escaped(program)) \\- what today\\(aqs app makes of old documents",
            ".SH SYNOPSIS",
        ]
        for (number, command) in Command.allCases.enumerated() {
            if number > 0 { lines.append(".br") }
            lines.append("\\fB\(Self.escaped(program))\\fP \(Self.escaped(command.usage))")
        }
        lines.append(".SH DESCRIPTION")
        lines += Self.paragraph(CommandLineWords.purpose)
        for text in CommandLineWords.paths { lines += [".PP"] + Self.paragraph(text) }
        lines += [".PP"] + Self.paragraph("This program knows the chains \(chains.joined(separator: ", ")).")
        lines.append(".SH COMMANDS")
        for command in Command.allCases { lines += self.lines(for: command) }
        lines.append(".SH WORDS")
        for (word, meaning) in ClaimWords.ofFailures + ClaimWords.ofValues {
            lines += [".TP", Self.escaped(word)] + Self.paragraph(meaning)
        }
        lines.append(".SH \"EXIT STATUS\"")
        for (status, meaning) in CommandLineWords.statuses {
            lines += [".TP", "\(status.rawValue)"] + Self.paragraph(meaning)
        }
        lines.append(".SH ENVIRONMENT")
        for (name, meaning) in CommandLineWords.environment {
            lines += [".TP", Self.escaped(name)] + Self.paragraph(meaning)
        }
        lines.append(".SH EXAMPLES")
        for (line, meaning) in Self.examples {
            lines += [".TP", "\\fB\(Self.escaped("\(program) \(line)"))\\fP"] + Self.paragraph(meaning)
        }
        lines += [".SH \"SEE ALSO\"", "\\fBgit\\fP(1), \\fBgzip\\fP(1), \\fBvim\\fP(1)"]
        return lines.joined(separator: "\n")
    }

    private static let examples = [
        ("documents", "opens all documents in a folder on the screen"),
        ("check --only failed,lossy documents", "lists those that fail, or lose something"),
        ("check --format jsonl - < log.jsonl", "is a filter: a result a line"),
        ("check --history order.json", "says since which commit a file fails"),
        ("trace --format markdown order.json", "tells the story of a migration"),
        ("trace --format html order.json", "prints the same as a page for a browser"),
        ("migrate --in-place order.json", "migrates a document, and keeps the old one as order.json.bak"),
    ]

    private func lines(for command: Command) -> [String] {
        var lines = [".SS \(Self.escaped(command.rawValue))"] + Self.paragraph(command.description)
        for option in command.options {
            let value = option.value.map { " \\fI\(Self.escaped($0))\\fP" } ?? ""
            lines += [".TP", "\\fB\(Self.escaped(option.name))\\fP\(value)"]
            lines += Self.paragraph(option.meaning(for: command))
        }
        return lines
    }

    /// Returns the text as lines that roff doesn't interpret as requests. Lines are broken only at spaces, never inside
    /// an escape.
    private static func paragraph(_ text: String) -> [String] {
        var lines: [String] = []
        for word in escaped(text).split(separator: " ") {
            if let last = lines.last, last.utf8.count + word.utf8.count < 76 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append((word.utf8.first == UInt8(ascii: ".") ? "\\&" : "") + word)
            }
        }
        return lines
    }

    /// Escapes text so that it's shown as it is (groff_char(7)): hyphens as they are typed, quotation marks straight.
    private static func escaped(_ text: String) -> String {
        SafeText.line(text).escaping { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "\"": "\\(dq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            default: scalar.isASCII ? nil : "\\[u" + scalar.value.padded(to: 4, radix: 16, uppercase: true) + "]"
            }
        }
    }
}
